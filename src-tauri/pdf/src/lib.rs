//! Markdown as a PDF: typeset with the fonts of this system, since none comes with the program.
//!
//! `markdown` makes blocks of the text, `typesetter` lines of their words, `flow` puts them onto `pages`. Libraries shape
//! the text and write the file; no page is kept once it is full.

mod blocks;
mod error;
mod flow;
mod limits;
mod markdown;
mod pages;
mod places;
mod structure;
mod table;
#[cfg(test)]
mod tests;
mod typesetter;
mod words;

pub use error::PdfError;
pub use limits::{COLUMNS_MAX, MARKDOWN_BYTES_MAX, PAGES_MAX};
pub use markdown::is_line_break;

use blocks::Block;
use flow::{Flow, Set};
use std::panic::{AssertUnwindSafe, catch_unwind};
use words::Language;

/// A document as it is written, and what a reader of it should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdf {
    pub bytes: Vec<u8>,
    pub pages: usize,
    /// Characters that no font of this system has; each stands as an empty box.
    pub missing: usize,
    /// Pictures that stand as their descriptions.
    pub pictures: usize,
}

/// Typesets a document. `name` is its title where it has no heading. `is_stopped` is asked before each paragraph, each
/// cell and each page.
///
/// The same text with the same fonts becomes the same bytes.
///
/// # Errors
/// More than is typeset at once, a system without the fonts that the text needs, and [`PdfError::Stopped`].
pub fn from_markdown(markdown: &str, name: &str, is_stopped: &dyn Fn() -> bool) -> Result<Pdf, PdfError> {
    if markdown.len() > MARKDOWN_BYTES_MAX {
        return Err(PdfError::TooLong);
    }
    let document = markdown::read(markdown);
    let language = Language::of(markdown);
    let title = title(&document.blocks).unwrap_or_else(|| name.to_owned());
    let set = |is_accessible: bool| {
        guarded(|| {
            let mut flow = Flow::new(language, is_accessible, is_stopped)?;
            flow.blocks(&document.blocks)?;
            flow.finish(&title)
        })
    };
    // What can't be promised to screen readers, such as a missing letter, is written without the promise.
    let set = match set(true) {
        Err(PdfError::Inaccessible) => set(false)?,
        other => other?,
    };
    Ok(Pdf {
        bytes: set.bytes,
        pages: set.pages,
        missing: set.missing,
        pictures: document.pictures,
    })
}

/// Fonts lie in folders that others write to: one that a library can't bear ends this document and nothing else.
fn guarded(set: impl FnOnce() -> Result<Set, PdfError>) -> Result<Set, PdfError> {
    catch_unwind(AssertUnwindSafe(set))
        .unwrap_or_else(|_| Err(PdfError::Failed("a font of this system can't be used".to_owned())))
}

/// The first heading.
fn title(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match block {
        Block::Heading { words, .. } => {
            let title = words.text.trim().replace('\n', " ");
            (!title.is_empty()).then_some(title)
        }
        Block::Paragraph(_)
        | Block::Code(_)
        | Block::Rule
        | Block::Quote(_)
        | Block::List { .. }
        | Block::Table(_) => None,
    })
}
