//! Attachments of the user: their kind is told by content, never by name, and only the needed part is read.
//!
//! Attaching is the user's own act, so nothing here asks where a path leads.

use crate::attachments::{Document, Format, Library, PictureFacts};
use crate::denied_paths::DeniedPaths;
use crate::error::ToolError;
use crate::limits::{READ_SCAN_BYTES_MAX, TREE_ENTRIES_MAX, WALK_DEPTH_MAX};
use crate::regular_file::open_regular;
use crate::text::{Ending, TextFile, media_type, read_head};
use crate::walk::{Walked, walk};
use shidi_protocol::{Attachment, AttachmentUnit, Unreadable};
use std::fmt::Write as _;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub text: String,
    /// Whether the file goes on.
    pub more: bool,
}

/// An attachment, and the source of its content.
#[derive(Debug, Clone)]
pub struct Attached {
    /// The attachment's facts. The sender decides how much of its content is sent.
    pub attachment: Attachment,
    pub body: Body,
}

#[derive(Debug, Clone)]
pub enum Body {
    /// The file itself holds the text.
    Text,
    Document(Document),
    Picture(PictureFacts),
    Folder(Tree),
    Unreadable,
}

/// The entries of a folder, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// One entry per line, indented by its depth.
    pub text: String,
    pub files: u32,
    pub bytes: u64,
    /// Whether the folder has more entries than were looked at.
    pub cut: bool,
}

/// Tells the kind of a file or folder; one that can't be read comes back as `unreadable` with the reason.
/// `progress` hears how many parts of a document were read, and of how many.
#[must_use]
pub fn attach(path: &Path, library: Option<&Library>, progress: &mut dyn FnMut(u64, u64)) -> Attached {
    let name = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let blank = Attachment {
        path: path.display().to_string(),
        name,
        ..Attachment::default()
    };
    match examined(path, library, progress) {
        Ok(found) => Attached {
            attachment: Attachment {
                kind: found.kind.to_owned(),
                format: found.format.to_owned(),
                misnamed: found.misnamed,
                bytes: found.bytes,
                lines: found.lines,
                unit: found.unit,
                parts: found.parts,
                thumbnail: match &found.body {
                    Body::Picture(picture) => Some(picture.thumbnail.clone()),
                    Body::Text | Body::Document(_) | Body::Folder(_) | Body::Unreadable => None,
                },
                ..blank
            },
            body: found.body,
        },
        Err(error) => Attached {
            attachment: Attachment {
                kind: "unreadable".to_owned(),
                bytes: path.metadata().map_or(0, |facts| facts.len()),
                reason: Some(error.reason()),
                detail: error.detail(),
                ..blank
            },
            body: Body::Unreadable,
        },
    }
}

/// Reads the first `bytes_max` bytes of an attached text, whole lines where it has them.
///
/// # Errors
/// A file that is not text or can't be read.
pub fn excerpt(path: &Path, bytes_max: usize) -> Result<Excerpt, ToolError> {
    let resolved = path.canonicalize().map_err(|error| ToolError::io(path, error))?;
    taken(
        TextFile::of(open_regular(&resolved, path)?, path)?,
        bytes_max,
        path,
    )
}

impl Document {
    /// Reads the first `bytes_max` bytes of the document's text, in whole lines where there are any.
    ///
    /// # Errors
    /// A text that was dropped from the library meanwhile.
    pub fn excerpt(&self, bytes_max: usize) -> Result<Excerpt, ToolError> {
        let shown = Path::new("the text of the document");
        let file = self.text().map_err(|error| ToolError::io(shown, error))?;
        taken(TextFile::utf_8(file), bytes_max, shown)
    }
}

fn taken(mut text: TextFile, bytes_max: usize, shown: &Path) -> Result<Excerpt, ToolError> {
    let lines = text.lines(1, u64::MAX, bytes_max, shown)?;
    Ok(Excerpt {
        text: lines.text,
        more: lines.ending != Ending::File,
    })
}

/// An attached picture, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub media_type: String,
    pub bytes: Vec<u8>,
}

/// Reads an attached picture of at most `bytes_max` bytes, or the smaller copy of a larger one. `None` for any
/// other file.
#[must_use]
pub fn picture(path: &Path, library: Option<&Library>, bytes_max: u64) -> Option<Picture> {
    let resolved = path.canonicalize().ok()?;
    let prepared = library
        .and_then(|library| library.open(&resolved, path, &mut |_, _| {}).ok())
        .and_then(|document| document.picture()?.prepared.clone());
    let (known, resolved) = match prepared {
        Some((media_type, copy)) => (Some(media_type), copy.canonicalize().ok()?),
        None => (None, resolved),
    };
    let file = open_regular(&resolved, path).ok()?;
    let mut bytes = Vec::new();
    file.take(bytes_max + 1).read_to_end(&mut bytes).ok()?;
    let told = media_type(&bytes).filter(|name| name.starts_with("image/"));
    let media_type = known.or_else(|| told.map(str::to_owned))?;
    let whole = u64::try_from(bytes.len()).is_ok_and(|length| length <= bytes_max);
    whole.then_some(Picture { media_type, bytes })
}

struct Found {
    kind: &'static str,
    format: &'static str,
    misnamed: bool,
    bytes: u64,
    lines: u32,
    unit: AttachmentUnit,
    parts: u32,
    body: Body,
}

fn examined(
    path: &Path,
    library: Option<&Library>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Found, ToolError> {
    let worded = |error| ToolError::io(path, error);
    let resolved = path.canonicalize().map_err(worded)?;
    let metadata = resolved.metadata().map_err(worded)?;
    if metadata.is_dir() {
        return folder(&resolved, path);
    }
    let bytes = metadata.len();
    let mut file = open_regular(&resolved, path)?;
    let head = read_head(&mut file).map_err(worded)?;
    let unread = |reason| ToolError::Unread {
        path: path.display().to_string(),
        reason,
        detail: String::new(),
    };
    if head.is_empty() {
        return Err(unread(Unreadable::Empty));
    }
    let format =
        Format::of(&head, path).map_err(|found| ToolError::Binary(path.display().to_string(), found))?;
    if format.is_text() {
        let mut text = TextFile::of(open_regular(&resolved, path)?, path)?;
        let counted = count_lines(&mut text).map_err(worded)?;
        if counted.blank {
            return Err(unread(Unreadable::Empty));
        }
        return Ok(Found {
            kind: "text",
            format: format.name(),
            misnamed: format.belies(path),
            bytes,
            lines: counted.lines,
            unit: if format == Format::Table {
                AttachmentUnit::Row
            } else {
                AttachmentUnit::Line
            },
            parts: counted.lines,
            body: Body::Text,
        });
    }
    let Some(library) = library else {
        return Err(ToolError::Binary(path.display().to_string(), format.name()));
    };
    let document = library.open(&resolved, path, progress)?;
    Ok(of_document(document, format, path, bytes))
}

fn of_document(document: Document, sniffed: Format, path: &Path, bytes: u64) -> Found {
    let format = document.kind().unwrap_or(sniffed);
    let parts = u32::try_from(document.parts().len()).unwrap_or(u32::MAX);
    let (kind, parts, body) = match document.picture() {
        Some(picture) => ("image", 1, Body::Picture(picture.clone())),
        None if parts == 0 => ("document", document.lines(), Body::Document(document.clone())),
        None => ("document", parts, Body::Document(document.clone())),
    };
    Found {
        kind,
        format: format.name(),
        misnamed: format.belies(path),
        bytes,
        lines: document.lines(),
        unit: document.unit(),
        parts,
        body,
    }
}

fn folder(resolved: &Path, path: &Path) -> Result<Found, ToolError> {
    let mut tree = Tree::default();
    let mut shown = 0;
    let walked = walk(resolved, WALK_DEPTH_MAX, &DeniedPaths::default(), |entry| {
        let size = resolved
            .join(&entry.relative)
            .symlink_metadata()
            .map_or(0, |facts| facts.len());
        let is_file = entry.kind.is_file();
        if is_file {
            tree.files += 1;
            tree.bytes += size;
        }
        shown += 1;
        if shown <= TREE_ENTRIES_MAX {
            let depth = entry.relative.components().count().saturating_sub(1);
            let name = entry.relative.file_name().unwrap_or_default().to_string_lossy();
            let tail = if is_file {
                format!("  {size} bytes")
            } else {
                "/".to_owned()
            };
            writeln!(tree.text, "{}{name}{tail}", "  ".repeat(depth)).unwrap_or_default();
        }
        ControlFlow::Continue(())
    });
    let walked = walked.map_err(|error| ToolError::io(path, error))?;
    tree.cut = shown > TREE_ENTRIES_MAX || walked != Walked::All;
    Ok(Found {
        kind: "folder",
        format: "folder",
        misnamed: false,
        bytes: tree.bytes,
        lines: 0,
        unit: AttachmentUnit::File,
        parts: tree.files,
        body: Body::Folder(tree),
    })
}

struct Counted {
    lines: u32,
    /// Whether the text is white space alone.
    blank: bool,
}

/// Counts the lines of the part that a read would cover.
fn count_lines(text: &mut TextFile) -> io::Result<Counted> {
    let mut breaks = 0_usize;
    let mut last = '\n';
    let mut blank = true;
    while let Some(piece) = text.next_piece()? {
        breaks += piece.matches('\n').count();
        blank &= piece.trim().is_empty();
        last = piece.chars().next_back().unwrap_or(last);
        if text.scanned() > READ_SCAN_BYTES_MAX {
            break;
        }
    }
    let lines = if last == '\n' { breaks } else { breaks + 1 };
    Ok(Counted {
        lines: u32::try_from(lines).unwrap_or(u32::MAX),
        blank,
    })
}
