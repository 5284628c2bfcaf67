//! What every way in which other programs use Shidi stands on: lines of standard input and output, and the data folder for
//! as long as requests are at work.
//!
//! It knows no protocol: what a line means, and what is answered to one that means nothing, each of them says.

mod borrowing;
mod lines;
mod standard;
mod writing;

pub use borrowing::{Borrowed, Lender};
pub use lines::{Line, LineReader};
pub use standard::{input, output};
pub use writing::{line_of, write};
