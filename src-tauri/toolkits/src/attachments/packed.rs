//! ZIP containers of office files: which format is inside, and its members one by one, never unpacked as a whole.

use super::format::Format;
use super::frame::Stop;
use crate::limits::{PACKED_MEMBER_BYTES_MAX, PACKED_MEMBERS_MAX};
use shidi_protocol::Unreadable;
use std::io::{BufRead, BufReader, Read, Seek};
use zip::ZipArchive;
use zip::result::ZipError;

pub(crate) struct Packed<R> {
    archive: ZipArchive<R>,
}

impl<R: Read + Seek> Packed<R> {
    /// # Errors
    /// A damaged archive, or one with too many members.
    pub(crate) fn open(source: R) -> Result<Self, Stop> {
        let archive = ZipArchive::new(source).map_err(worded)?;
        if archive.len() > PACKED_MEMBERS_MAX {
            return Err(Stop::Refused(
                Unreadable::Huge,
                format!("{} members", archive.len()),
            ));
        }
        Ok(Self { archive })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// The office format inside; `None` for any other archive.
    pub(crate) fn format(&mut self) -> Option<Format> {
        if self.has("word/document.xml") {
            return Some(Format::Docx);
        }
        if self.has("ppt/presentation.xml") {
            return Some(Format::Pptx);
        }
        if self.has("xl/workbook.xml") || self.has("xl/workbook.bin") {
            return Some(Format::Xlsx);
        }
        let declared = self.text("mimetype").unwrap_or_default();
        match declared
            .trim()
            .strip_prefix("application/vnd.oasis.opendocument.")?
        {
            "text" | "text-template" => Some(Format::Odt),
            "presentation" | "presentation-template" => Some(Format::Odp),
            "spreadsheet" => Some(Format::Ods),
            _ => None,
        }
    }

    /// Whether the members of an OpenDocument file are encrypted.
    pub(crate) fn is_locked(&mut self) -> bool {
        self.text("META-INF/manifest.xml")
            .is_ok_and(|manifest| manifest.contains("encryption-data"))
    }

    /// Opens one member; the content beyond the bound is cut.
    ///
    /// # Errors
    /// A missing, damaged or locked member.
    pub(crate) fn member(&mut self, name: &str) -> Result<impl BufRead + '_, Stop> {
        let file = self.archive.by_name(name).map_err(worded)?;
        if file.size() > PACKED_MEMBER_BYTES_MAX {
            return Err(Stop::Refused(
                Unreadable::Huge,
                format!("{name} unpacks to {} MB", file.size() >> 20),
            ));
        }
        Ok(BufReader::new(file.take(PACKED_MEMBER_BYTES_MAX)))
    }

    /// The whole of a small member, as text.
    fn text(&mut self, name: &str) -> Result<String, Stop> {
        let mut text = String::new();
        self.member(name)?
            .take(1 << 20)
            .read_to_string(&mut text)
            .map_err(Stop::broken)?;
        Ok(text)
    }
}

fn worded(error: ZipError) -> Stop {
    match error {
        ZipError::InvalidPassword => Stop::Refused(Unreadable::Locked, String::new()),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            Stop::Refused(Unreadable::Locked, String::new())
        }
        other => Stop::broken(other),
    }
}
