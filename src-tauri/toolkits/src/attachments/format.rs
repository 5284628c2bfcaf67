//! The format of a file, told by its content; its name only decides between kinds of text.

use crate::text::{media_type, sniff};
use std::path::Path;

/// A kind of content that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Text,
    /// Rows of a text, parted by commas or tabs.
    Table,
    Html,
    Pdf,
    Docx,
    Pptx,
    Xlsx,
    Xls,
    Ods,
    Odt,
    Odp,
    Rtf,
    Png,
    Jpeg,
    Gif,
    Webp,
    Bmp,
    /// A ZIP archive or an older office container whose members were not looked at yet.
    Packed,
}

/// Endings of names and the format that each promises.
const ENDINGS: &[(&str, Format)] = &[
    ("txt", Format::Text),
    ("md", Format::Text),
    ("json", Format::Text),
    ("log", Format::Text),
    ("py", Format::Text),
    ("csv", Format::Table),
    ("tsv", Format::Table),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("xhtml", Format::Html),
    ("pdf", Format::Pdf),
    ("docx", Format::Docx),
    ("docm", Format::Docx),
    ("pptx", Format::Pptx),
    ("ppsx", Format::Pptx),
    ("pptm", Format::Pptx),
    ("xlsx", Format::Xlsx),
    ("xlsm", Format::Xlsx),
    ("xls", Format::Xls),
    ("ods", Format::Ods),
    ("odt", Format::Odt),
    ("ott", Format::Odt),
    ("odp", Format::Odp),
    ("otp", Format::Odp),
    ("rtf", Format::Rtf),
    ("png", Format::Png),
    ("jpg", Format::Jpeg),
    ("jpeg", Format::Jpeg),
    ("gif", Format::Gif),
    ("webp", Format::Webp),
    ("bmp", Format::Bmp),
];

/// How RTF begins.
const RICH_TEXT: &[u8] = b"{\\rtf";

impl Format {
    /// Tells the format of a file by its first bytes; the error names the other kind of content.
    ///
    /// # Errors
    /// Content of no known format.
    pub(crate) fn of(head: &[u8], name: &Path) -> Result<Self, &'static str> {
        let found = match media_type(head) {
            Some("application/pdf") => Self::Pdf,
            Some("application/zip" | "application/x-ole-storage") => Self::Packed,
            Some("image/png") => Self::Png,
            Some("image/jpeg") => Self::Jpeg,
            Some("image/gif") => Self::Gif,
            Some("image/webp") => Self::Webp,
            Some("image/bmp") => Self::Bmp,
            Some(other) => return Err(other),
            None if head.starts_with(RICH_TEXT) => Self::Rtf,
            None => {
                sniff(head)?;
                text_kind(head, name)
            }
        };
        Ok(found)
    }

    /// The name of the format for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Table => "csv",
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Pptx => "pptx",
            Self::Xlsx => "xlsx",
            Self::Xls => "xls",
            Self::Ods => "ods",
            Self::Odt => "odt",
            Self::Odp => "odp",
            Self::Rtf => "rtf",
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Bmp => "bmp",
            Self::Packed => "zip",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = ENDINGS.iter().map(|(_, format)| *format);
        all.chain([Self::Packed]).find(|format| format.name() == name)
    }

    #[must_use]
    pub fn is_picture(self) -> bool {
        match self {
            Self::Png | Self::Jpeg | Self::Gif | Self::Webp | Self::Bmp => true,
            Self::Text
            | Self::Table
            | Self::Html
            | Self::Pdf
            | Self::Docx
            | Self::Pptx
            | Self::Xlsx
            | Self::Xls
            | Self::Ods
            | Self::Odt
            | Self::Odp
            | Self::Rtf
            | Self::Packed => false,
        }
    }

    /// Whether the file's bytes are the text.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Table)
    }

    /// Whether a file of this format is a document by its head and its name: an archive may be anything.
    pub(crate) fn is_document_by_name(self, name: &Path) -> bool {
        let is_document = |format: Self| !format.is_text() && !format.is_picture() && format != Self::Html;
        match promised_by(name) {
            Some(promised) if self == Self::Packed => is_document(promised),
            None if self == Self::Packed => false,
            Some(_) | None => is_document(self),
        }
    }

    /// Whether `name` has the ending of another format.
    #[must_use]
    pub fn belies(self, name: &Path) -> bool {
        let Some(promised) = promised_by(name) else {
            return false;
        };
        // A web page saved as text, or rows under a text's name, deceive nobody.
        let readable = |format: Self| format.is_text() || format == Self::Html;
        promised != self && !(readable(promised) && readable(self))
    }
}

fn promised_by(name: &Path) -> Option<Format> {
    let ending = name.extension()?.to_str()?.to_lowercase();
    ENDINGS
        .iter()
        .find(|(known, _)| *known == ending)
        .map(|(_, format)| *format)
}

fn text_kind(head: &[u8], name: &Path) -> Format {
    let promised = promised_by(name);
    let start: String = String::from_utf8_lossy(head.get(..1_024).unwrap_or(head)).to_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let is_page = start.starts_with("<!doctype html") || start.starts_with("<html");
    match promised {
        _ if is_page => Format::Html,
        Some(Format::Html) if start.starts_with('<') => Format::Html,
        Some(Format::Table) => Format::Table,
        _ => Format::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_and_a_name_that_says_otherwise_is_noticed() {
        let of = |head: &[u8], name: &str| Format::of(head, Path::new(name));
        assert_eq!(of(b"%PDF-1.7", "a.docx"), Ok(Format::Pdf));
        assert!(Format::Pdf.belies(Path::new("a.docx")));
        assert!(!Format::Pdf.belies(Path::new("a.PDF")));
        assert!(!Format::Pdf.belies(Path::new("no ending")));
        assert_eq!(of(b"  <!DOCTYPE html><p>", "a.txt"), Ok(Format::Html));
        assert!(!Format::Html.belies(Path::new("a.txt")));
        assert_eq!(of("编号,金额\n1,2".as_bytes(), "账.csv"), Ok(Format::Table));
        assert_eq!(of(b"{\\rtf1 a}", "a.doc"), Ok(Format::Rtf));
        assert!(!Format::Rtf.belies(Path::new("a.rtf")) && Format::Rtf.belies(Path::new("a.txt")));
        assert_eq!(of(b"plain", "a.rtf"), Ok(Format::Text));
        assert_eq!(of(b"\x7fELF", "a.txt"), Err("application/x-executable"));
    }

    #[test]
    fn every_format_is_found_by_its_name() {
        for (_, format) in ENDINGS {
            assert_eq!(Format::named(format.name()), Some(*format));
        }
    }
}
