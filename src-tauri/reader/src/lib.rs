//! Reading code (S4): from the text of a file to its outline. The grammars of tree-sitter work in a confined program.
//!
//! The program of this package (`main.rs`) is the only one that holds parsers of strangers' files. The program reads
//! documents, too. Who asks it needs [`code::ask`] and understands an [`outline::Outline`]; grammars are linked only
//! where they run.

pub mod code;
pub mod language;
pub mod limits;
pub mod outline;
mod syntax;

pub use syntax::outlined;
