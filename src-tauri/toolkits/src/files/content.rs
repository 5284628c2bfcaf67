//! The text of a file, whether the file is text itself or a document that must be read first.

use crate::attachments::{Document, Format, Library};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::FOLDER_DOCUMENTS_MAX;
use crate::regular_file::open_regular;
use crate::safe_path::ResolvedPath;
use crate::text::{TextFile, read_head};
use std::io::{Seek, SeekFrom};
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
        let worded = |error| ToolError::io(shown, error);
        let head = read_head(&mut file).map_err(worded)?;
        let is_document = match Format::of(&head, path) {
            Ok(Format::Html) => pages == Pages::Read,
            Ok(format) => !format.is_text() && !format.is_picture(),
            Err(_) => false,
        };
        if let Some(library) = library.filter(|_| is_document) {
            let document = library.open(path, shown, &mut |_, _| {})?;
            let text = TextFile::utf_8(document.text().map_err(worded)?);
            return Ok(Self {
                text,
                document: Some(document),
            });
        }
        file.seek(SeekFrom::Start(0)).map_err(worded)?;
        Ok(Self {
            text: TextFile::of(file, shown)?,
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

/// The files of one folder during one search: documents up to a number are read, and further ones are skipped.
pub(super) struct FolderDocuments<'a> {
    library: Option<&'a Library>,
    left: usize,
}

impl<'a> FolderDocuments<'a> {
    pub(super) fn of(environment: &'a Environment) -> Self {
        Self {
            library: environment.library.as_ref(),
            left: FOLDER_DOCUMENTS_MAX,
        }
    }

    /// # Errors
    /// A file that can't be read, or one document too many.
    pub(super) fn open(&mut self, path: &Path, relative: &Path) -> Result<Content, ToolError> {
        let library = self.library.filter(|_| self.left > 0);
        let content = Content::of(
            open_regular(path, relative)?,
            path,
            relative,
            library,
            Pages::AsTheyAre,
        )?;
        if content.document.is_some() {
            self.left -= 1;
        }
        Ok(content)
    }
}
