//! Cuts documents into pieces for a knowledge base: a section, a record, a function, a script each. One piece
//! answers a question by itself and can be cited by page, row or line.
//!
//! Everything here reads line by line or record by record and passes each piece on at once. So an import's
//! memory does not grow with the document.

mod code;
mod declared;
mod prose;
mod records;

use crate::attachments::{Document, Format, Library};
use crate::denied_paths::DeniedPaths;
use crate::error::ToolError;
use crate::limits::WALK_DEPTH_MAX;
use crate::regular_file::open_regular;
use crate::text::{TextFile, read_head};
use crate::walk::{Walked, walk};
use code::Code;
pub(crate) use declared::declaration;
use prose::Prose;
use records::{Sheet, each_json, each_table};
use regex::Regex;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// A piece that can be found and cited.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Piece {
    /// The headings above the piece from the outermost on, joined by ` › `.
    pub heading: String,
    pub text: String,
    /// The place as an answer cites it: `p. 3`, `slide 3`, `收入!12`, `line 12`.
    pub place: String,
    /// A record's values by the names of its columns or keys; empty for any other piece.
    pub fields: Map<String, Value>,
    /// Whether the document itself says that the piece no longer holds.
    pub is_deprecated: bool,
}

/// The result of cutting a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    pub format: Format,
    pub pieces: u64,
    /// Whether only the document's beginning was read, because the document is too large.
    pub is_partial: bool,
}

/// The files of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    pub paths: Vec<PathBuf>,
    /// Whether the folder has more files than were looked at.
    pub cut: bool,
}

/// Receives the pieces; breaking ends the cutting.
type Take<'a> = dyn FnMut(Piece) -> ControlFlow<()> + 'a;

impl Piece {
    /// A hash that is equal for pieces of the same words, whatever their spaces, case, width or punctuation.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut utf8 = [0; 4];
        for character in self.text.nfkc().flat_map(char::to_lowercase) {
            if character.is_alphanumeric() {
                hash.update(character.encode_utf8(&mut utf8));
            }
        }
        hex::encode(&hash.finalize()[..16])
    }
}

/// Files below a folder, in the order of names; generated bulk and hidden folders are skipped.
///
/// # Errors
/// A folder that can't be listed.
pub fn files(folder: &Path) -> Result<Files, ToolError> {
    let mut found = Files::default();
    let walked = walk(folder, WALK_DEPTH_MAX, &DeniedPaths::default(), |entry| {
        if entry.kind.is_file() {
            found.paths.push(folder.join(&entry.relative));
        }
        ControlFlow::Continue(())
    });
    found.cut = walked.map_err(|error| ToolError::io(folder, error))? == Walked::TooMany;
    Ok(found)
}

/// Cuts the document at `path` into pieces. Text, tables, JSON and source files are read here; the reader of
/// `library` reads other kinds. `progress` hears how many parts the reader has done, and of how many.
///
/// # Errors
/// Why the document can't be read: missing, locked, broken, empty, too large, or of a kind without text.
pub fn cut(
    path: &Path,
    library: &Library,
    progress: &mut dyn FnMut(u64, u64),
    take: &mut Take<'_>,
) -> Result<Cut, ToolError> {
    let worded = |error| ToolError::io(path, error);
    let resolved = path.canonicalize().map_err(worded)?;
    let mut file = open_regular(&resolved, path)?;
    let head = read_head(&mut file).map_err(worded)?;
    if head.is_empty() {
        return Err(unread(path, Unreadable::Empty));
    }
    let format =
        Format::of(&head, path).map_err(|found| ToolError::Binary(path.display().to_string(), found))?;
    if format.is_picture() {
        return Err(ToolError::Binary(path.display().to_string(), "a picture"));
    }
    let mut pieces = 0;
    let mut counted = |piece: Piece| {
        pieces += 1;
        take(piece)
    };
    let is_partial = if format.is_text() {
        let text = TextFile::of(open_regular(&resolved, path)?, path)?;
        cut_text(text, format, path, &mut counted).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => broken(path, &error),
            _ => worded(error),
        })?;
        false
    } else {
        let document = library.open(&resolved, path, progress)?;
        cut_document(&document, &mut counted).map_err(worded)?;
        document.is_cut()
    };
    Ok(Cut {
        format,
        pieces,
        is_partial,
    })
}

fn broken(path: &Path, error: &io::Error) -> ToolError {
    ToolError::Unread {
        path: path.display().to_string(),
        reason: Unreadable::Broken,
        detail: error.to_string(),
    }
}

fn unread(path: &Path, reason: Unreadable) -> ToolError {
    ToolError::Unread {
        path: path.display().to_string(),
        reason,
        detail: String::new(),
    }
}

fn cut_text(mut text: TextFile, format: Format, path: &Path, take: &mut Take<'_>) -> io::Result<()> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    match ending.as_str() {
        "json" | "jsonl" | "ndjson" => return each_json(text, take),
        "tsv" => return each_table(text, b'\t', take),
        _ if format == Format::Table => return each_table(text, b',', take),
        _ => {}
    }
    if code::is_code(&ending) {
        let mut code = Code::new(take);
        return reading(&mut text, |number, line| code.line(number, line)).map(|()| code.finish());
    }
    let place = |line: u64, _: &str| format!("line {line}");
    let mut prose = Prose::new(&place, take);
    reading(&mut text, |number, line| prose.line(number, line)).map(|()| prose.finish())
}

/// Cuts the reader's text of a document: headings as in Markdown, and a line with the place of each part.
fn cut_document(document: &Document, take: &mut Take<'_>) -> io::Result<()> {
    let mut text = TextFile::utf_8(document.text()?);
    let place = |line: u64, text: &str| document.place(line, text);
    if document.unit() == AttachmentUnit::Sheet {
        let mut sheet = Sheet::new(&place, take);
        return reading(&mut text, |number, line| sheet.line(number, line));
    }
    let mut prose = Prose::new(&place, take);
    reading(&mut text, |number, line| prose.line(number, line)).map(|()| prose.finish())
}

fn reading(text: &mut TextFile, visit: impl FnMut(u64, &str) -> ControlFlow<()>) -> io::Result<()> {
    text.each_line(u64::MAX, visit)
}

#[expect(
    clippy::expect_used,
    reason = "the pattern is constant and compiled by every test"
)]
static DEPRECATED: LazyLock<Regex> = LazyLock::new(|| {
    let word =
        "deprecated|obsolete|superseded|no longer valid|已废弃|已弃用|已作废|已废止|已失效|已过时|作废";
    Regex::new(&format!(
        r"(?ix)^[\s\#>*_~\[(（【!:-]*(?:{})(?:[\s\])）】*_~:：,，。.!-]|$)|[\[(（【](?:{})[\])）】]",
        word.replace(' ', r"\ "),
        word.replace(' ', r"\ ")
    ))
    .expect("a constant pattern")
});

/// Whether a heading or a first line says that the text below no longer holds.
fn says_deprecated(line: &str) -> bool {
    DEPRECATED.is_match(line)
}

#[cfg(test)]
mod tests;
