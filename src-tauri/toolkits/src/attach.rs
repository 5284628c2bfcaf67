//! What the user attached: told apart by content, never by name, and read only as far as that needs.
//!
//! Attaching is the user's own act, so nothing here asks where a path leads.

use crate::error::ToolError;
use crate::limits::READ_SCAN_BYTES_MAX;
use crate::place::open_regular;
use crate::text::{Ending, TextFile, media_type, read_head, sniff};
use shidi_protocol::{Attachment, Unreadable};
use std::io::{self, Read};
use std::path::Path;

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub text: String,
    /// Whether the file goes on.
    pub more: bool,
}

/// Tells what a file or folder is; what can't be read comes back as `unreadable` with the reason.
#[must_use]
pub fn attach(path: &Path) -> Attachment {
    let name = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let blank = Attachment {
        path: path.display().to_string(),
        name,
        ..Attachment::default()
    };
    match examined(path) {
        Ok(found) => Attachment {
            kind: found.kind.to_owned(),
            bytes: found.bytes,
            lines: found.lines,
            parts: found.lines,
            ..blank
        },
        Err(error) => Attachment {
            kind: "unreadable".to_owned(),
            reason: Some(reason(&error)),
            ..blank
        },
    }
}

/// Reads the first `bytes_max` bytes of an attached text, whole lines where it has them.
///
/// # Errors
/// A file that is not text or can't be read.
pub fn excerpt(path: &Path, bytes_max: usize) -> Result<Excerpt, ToolError> {
    let resolved = path.canonicalize().map_err(|error| ToolError::io(path, error))?;
    let mut text = TextFile::of(open_regular(&resolved, path)?, path)?;
    let lines = text.lines(1, u64::MAX, bytes_max, path)?;
    Ok(Excerpt {
        text: lines.text,
        more: lines.ending != Ending::File,
    })
}

/// An attached picture, as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// Reads an attached picture of at most `bytes_max` bytes; `None` for anything else, and for a larger one.
#[must_use]
pub fn picture(path: &Path, bytes_max: u64) -> Option<Picture> {
    let resolved = path.canonicalize().ok()?;
    let file = open_regular(&resolved, path).ok()?;
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes).ok()?;
    let media_type = media_type(&bytes).filter(|name| name.starts_with("image/"))?;
    let whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= bytes_max);
    whole.then_some(Picture { media_type, bytes })
}

struct Found {
    kind: &'static str,
    bytes: u64,
    lines: u32,
}

fn examined(path: &Path) -> Result<Found, ToolError> {
    let worded = |error| ToolError::io(path, error);
    let resolved = path.canonicalize().map_err(worded)?;
    let metadata = resolved.metadata().map_err(worded)?;
    if metadata.is_dir() {
        resolved.read_dir().map_err(worded)?;
        return Ok(Found {
            kind: "folder",
            bytes: 0,
            lines: 0,
        });
    }
    let bytes = metadata.len();
    let mut file = open_regular(&resolved, path)?;
    let head = read_head(&mut file).map_err(worded)?;
    if media_type(&head).is_some_and(|media_type| media_type.starts_with("image/")) {
        return Ok(Found {
            kind: "image",
            bytes,
            lines: 0,
        });
    }
    sniff(&head).map_err(|found| ToolError::Binary(path.display().to_string(), found))?;
    let mut text = TextFile::of(open_regular(&resolved, path)?, path)?;
    Ok(Found {
        kind: "text",
        bytes,
        lines: count_lines(&mut text).map_err(worded)?,
    })
}

/// Counts lines, as far as a read would go.
fn count_lines(text: &mut TextFile) -> io::Result<u32> {
    let mut breaks = 0_usize;
    let mut last = '\n';
    while let Some(piece) = text.next_piece()? {
        breaks += piece.matches('\n').count();
        last = piece.chars().next_back().unwrap_or(last);
        if text.scanned() > READ_SCAN_BYTES_MAX {
            break;
        }
    }
    let lines = if last == '\n' { breaks } else { breaks + 1 };
    Ok(u32::try_from(lines).unwrap_or(u32::MAX))
}

fn reason(error: &ToolError) -> Unreadable {
    match error {
        ToolError::Missing(_) | ToolError::NotFolder(_) => Unreadable::Missing,
        ToolError::Forbidden(_) => Unreadable::Forbidden,
        ToolError::Special(..) => Unreadable::Special,
        ToolError::Binary(..) => Unreadable::Binary,
        ToolError::Folder(_)
        | ToolError::Escaped(..)
        | ToolError::Io(..)
        | ToolError::TooFar { .. }
        | ToolError::Pattern(..)
        | ToolError::MissingArgument { .. }
        | ToolError::UnknownArgument { .. }
        | ToolError::WrongArgument { .. }
        | ToolError::OutOfRange { .. }
        | ToolError::BadPath(..)
        | ToolError::NoFolder(_) => Unreadable::Failed,
    }
}
