//! Documents: a PDF, an office file, a web page or a picture becomes text that keeps its places.
//!
//! Parsers see files from anywhere, so none of them runs in this process. [`reader`] is a child that can reach
//! nothing and is ended when it takes too much time or memory. [`Library`] starts the child, keeps the text,
//! and tells a line's place in the document. Text files need no parser and are decoded in place.

mod confine;
mod format;
mod frame;
mod library;
mod markdown;
mod opendocument;
mod packed;
mod page;
mod passages;
mod pdf;
mod picture;
pub mod reader;
mod rich_text;
mod row;
mod sheets;
mod slides;
mod supervise;
mod word;
mod xml;

pub use confine::confine;
pub use format::Format;
pub use library::{Document, Library, Part, PictureFacts};
pub(crate) use passages::{Looking, Passage};
pub(crate) use row::cells_of;

#[cfg(test)]
mod tests;
