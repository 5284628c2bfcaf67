//! Bundles: folders that somebody else wrote, as skills and plugins are. They are fetched from a folder, an archive or
//! a Git address over https, and listed within bounds. Then they are fingerprinted, and put in their place in one step.
//!
//! This crate knows nothing of what a folder is for. The crate runs nothing of what it fetches, and follows no link.

mod bundle;
mod fetching;
mod kept;
mod limits;
mod words;

pub use bundle::{Bundle, BundledFile, Unfit, Unread, digest, list, read_text};
pub use fetching::archive;
pub use fetching::{Refused, Source, fetched, put, removed, written};
pub use kept::{KeptPlugin, NAME_CHARACTERS_MAX, Part, kept, place_of, table_of};
pub use limits::{BYTES_MAX, FILES_MAX};
pub use words::refused;
