//! PDF: the text of each page, Chinese without embedded tables too.
//!
//! A library parses the file and its fonts. `text` finds the place of each character on a page, and `layout`
//! makes lines of them. Nothing is rendered.

mod layout;
mod text;

use super::frame::{Findings, Stop};
use super::reader::Source;
use crate::limits::DOCUMENT_BYTES_MAX;
use hayro_font::FontCache;
use hayro_font::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::io::Read;

pub(crate) fn read(source: Source, findings: &mut Findings<'_>) -> Result<(), Stop> {
    let mut bytes = Vec::with_capacity(usize::try_from(source.length()).unwrap_or(0));
    source
        .take(DOCUMENT_BYTES_MAX)
        .read_to_end(&mut bytes)
        .map_err(Stop::broken)?;
    let document = Pdf::new(bytes).map_err(refused)?;
    findings.format("pdf", AttachmentUnit::Page)?;
    let pages = document.pages();
    let total = pages.len() as u64;
    let fonts = FontCache::new();
    for (index, page) in pages.iter().enumerate() {
        findings.part(u32::try_from(index + 1).unwrap_or(u32::MAX), "", "")?;
        for line in layout::lines(&text::glyphs(page, &fonts)) {
            findings.line(&line)?;
        }
        findings.progress(index as u64 + 1, total)?;
    }
    if total == 0 {
        return Err(Stop::broken("it has no pages"));
    }
    Ok(())
}

fn refused(error: LoadPdfError) -> Stop {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            Stop::Refused(Unreadable::Locked, String::new())
        }
        LoadPdfError::Decryption(other) => Stop::Refused(Unreadable::Locked, format!("{other:?}")),
        LoadPdfError::Invalid => Stop::broken("its pages can't be found"),
    }
}
