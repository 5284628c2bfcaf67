//! The web, as far as the user names its addresses: one address is fetched, once, within bounds.
//!
//! It keeps nothing and knows no data space. What becomes of the bytes is for whoever asked.

mod fetch;
mod limits;

pub use fetch::{Fetched, Unfetched, fetch};
