//! Why a text becomes no PDF, each time with what to do.

use crate::limits::{COLUMNS_MAX, MARKDOWN_BYTES_MAX, PAGES_MAX};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    #[error("the text is larger than {} MB; write it in parts", MARKDOWN_BYTES_MAX >> 20)]
    TooLong,
    #[error("it has more than {PAGES_MAX} pages; write it in parts")]
    TooManyPages,
    #[error("a table has {0} columns, and a page has room for {COLUMNS_MAX}; write it as '.xlsx'")]
    TooWide(usize),
    #[error("no font is installed on this system; the user installs some, or write it as '.docx'")]
    NoFonts,
    #[error(
        "no font of this system has the {0} letters; the user installs one (such as 'fonts-noto-cjk'), or write it as '.docx'"
    )]
    NoLetters(&'static str),
    #[error("typesetting took too long or was stopped; write it in parts")]
    Stopped,
    /// The file can't promise what screen readers need; it can be written without that promise.
    #[error("it can't be made accessible")]
    Inaccessible,
    #[error("it can't be typeset: {0}")]
    Failed(String),
}
