//! The desktop program.
fn main() {}
