//! The base of every way in which other programs use Shidi. The base has lines of standard input and output. The
//! data folder is opened for as long as requests are at work.
//!
//! The crate knows no protocol. Each protocol says the meaning of a line, and the answer to a line that means
//! nothing.

mod borrowing;
mod lines;
mod standard;
mod writing;

pub use borrowing::{Borrowed, Lender};
pub use lines::{Line, LineReader};
pub use standard::{input, output};
pub use writing::{line_of, write};
