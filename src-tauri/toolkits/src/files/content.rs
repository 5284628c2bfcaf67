//! The text of a file, whether the file is text itself or a document that must be read first.

use super::left_out::LeftOut;
use crate::attachments::{Document, Format, Library};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::FOLDER_DOCUMENTS_MAX;
use crate::regular_file::open_regular;
use crate::safe_path::ResolvedPath;
use crate::text::{TextFile, read_head};
use serde_json::Value;
use shidi_protocol::Unreadable;
use std::path::Path;

pub(super) struct Content {
    pub(super) text: TextFile,
    pub(super) document: Option<Document>,
}

impl Content {
    /// Opens the file that a call names.
    ///
    /// # Errors
    /// Content that is neither text nor a document, or can't be read.
    pub(super) fn open(place: &ResolvedPath, environment: &Environment) -> Result<Self, ToolError> {
        let file = place.open(environment)?;
        // An attached web page is read as a document. A page in a folder is perhaps to be edited, so it stays text.
        let pages = if environment.is_attached(&place.leads_to) {
            Pages::Read
        } else {
            Pages::AsTheyAre
        };
        Self::of(
            file,
            &place.leads_to,
            &place.shown,
            environment.library.as_ref(),
            pages,
        )
    }

    fn of(
        mut file: std::fs::File,
        path: &Path,
        shown: &Path,
        library: Option<&Library>,
        pages: Pages,
    ) -> Result<Self, ToolError> {
        let head = read_head(&mut file).map_err(|error| ToolError::io(shown, error))?;
        match library.filter(|_| document_format(&head, path, pages).is_some()) {
            Some(library) => Self::of_document(library.open(path, shown, &mut |_, _| {})?, shown),
            None => Self::of_text(file, head, shown),
        }
    }

    fn of_document(document: Document, shown: &Path) -> Result<Self, ToolError> {
        let text = document.text().map_err(|error| ToolError::io(shown, error))?;
        Ok(Self {
            text: TextFile::utf_8(text),
            document: Some(document),
        })
    }

    fn of_text(file: std::fs::File, head: Vec<u8>, shown: &Path) -> Result<Self, ToolError> {
        Ok(Self {
            text: TextFile::begun(file, head, shown)?,
            document: None,
        })
    }

    /// The first line of a part and the line after its last; `None` when no part is wanted.
    ///
    /// # Errors
    /// A part that is not there.
    pub(super) fn range(&self, part: &str, shown: &Path) -> Result<Option<(u64, u64)>, ToolError> {
        if part.is_empty() {
            return Ok(None);
        }
        let found = self.document.as_ref().and_then(|document| document.part(part));
        match found {
            Some((part, end)) => Ok(Some((u64::from(part.line), u64::from(end)))),
            None => Err(ToolError::NoPart {
                path: shown.display().to_string(),
                wanted: format!("page, slide or sheet '{part}'"),
            }),
        }
    }

    /// The place of a line, as an answer cites it.
    pub(super) fn place(&self, line: u64, text: &str) -> String {
        match &self.document {
            Some(document) => document.place(line, text),
            None => format!("line {line}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pages {
    Read,
    AsTheyAre,
}

/// The format of a file that must be read first; `None` for any other.
fn document_format(head: &[u8], path: &Path, pages: Pages) -> Option<Format> {
    let format = Format::of(head, path).ok()?;
    let is_document = match format {
        Format::Html => pages == Pages::Read,
        other => !other.is_text() && !other.is_picture(),
    };
    is_document.then_some(format)
}

/// The files of one folder during one search: documents up to a number are read, and the others are counted.
pub(super) struct FolderDocuments<'a> {
    library: Option<&'a Library>,
    left: usize,
    left_out: LeftOut,
}

impl<'a> FolderDocuments<'a> {
    pub(super) fn of(environment: &'a Environment) -> Self {
        Self {
            library: environment.library.as_ref(),
            left: FOLDER_DOCUMENTS_MAX,
            left_out: LeftOut::default(),
        }
    }

    /// Opens a file; `None` for one that has no text, or can't be read.
    pub(super) fn open(&mut self, path: &Path, relative: &Path) -> Option<Content> {
        let mut file = open_regular(path, relative).ok()?;
        let head = read_head(&mut file).ok()?;
        let Some(library) = self.library else {
            return Content::of_text(file, head, relative).ok();
        };
        match document_format(&head, path, Pages::AsTheyAre) {
            Some(format) => self.document(library, format, path, relative),
            None => Content::of_text(file, head, relative).ok(),
        }
    }

    /// The item of the result that says which documents below `place` were not searched.
    pub(super) fn left_out(&self, place: &ResolvedPath) -> Option<Value> {
        self.left_out.item(|relative| place.name_of(relative))
    }

    fn document(
        &mut self,
        library: &Library,
        format: Format,
        path: &Path,
        relative: &Path,
    ) -> Option<Content> {
        // Most archives hold no text, and nobody misses them.
        let is_missed = format.is_document_by_name(path);
        if self.left == 0 {
            if is_missed {
                self.left_out.note_beyond();
            }
            return None;
        }
        if self.left_out.knows(Unreadable::NoReader) {
            if is_missed {
                self.left_out.note(Unreadable::NoReader, relative);
            }
            return None;
        }
        let document = library.open_for_search(path, relative);
        match document.and_then(|document| Content::of_document(document, relative)) {
            Ok(content) => {
                self.left -= 1;
                Some(content)
            }
            Err(cause) => {
                if is_missed {
                    self.left -= 1;
                    self.left_out.note(cause.reason(), relative);
                }
                None
            }
        }
    }
}
