//! Performs the mind's effects and feeds events back; the only crate that knows all others.

mod door;

pub use door::{Door, OpenOptions, Replies};
