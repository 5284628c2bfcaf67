//! Files in a tool's answer, pictures and sounds among them: bounded, and given to the caller to keep.
//!
//! What a file is, its first bytes say. The server's word counts only among kinds that those bytes allow. Of a name no
//! more is taken than the end of an address. The ending is ours, so nothing that is kept can run.

use crate::caller::{Caller, ResultFile};
use crate::limits::{FILE_NAME_CHARACTERS, FILES_BYTES_MAX, FILES_MAX};
use crate::pictures;
use crate::text::paragraph;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use std::collections::BTreeMap;

/// What a file is to the people who see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Picture,
    Sound,
    Other,
}

/// A part of an answer that lies in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    pub kind: FileKind,
    pub media_type: &'static str,
    pub bytes: usize,
    pub path: String,
}

/// The files that were kept, by their places in the answer.
pub type KeptFiles = BTreeMap<usize, KeptFile>;

/// A media type and the ending of its files.
type Form = (&'static str, &'static str);

const NO_FORM: Form = ("application/octet-stream", "bin");

/// Bytes at the beginning of files of one kind.
const MARKS: [(&[u8], Form); 10] = [
    (b"%PDF-", ("application/pdf", "pdf")),
    (b"OggS", ("audio/ogg", "ogg")),
    (b"fLaC", ("audio/flac", "flac")),
    (b"ID3", ("audio/mpeg", "mp3")),
    (b"\xff\xfb", ("audio/mpeg", "mp3")),
    (b"\xff\xf3", ("audio/mpeg", "mp3")),
    (b"\xff\xf2", ("audio/mpeg", "mp3")),
    (b"\x1a\x45\xdf\xa3", ("video/webm", "webm")),
    (b"\x1f\x8b", ("application/gzip", "gz")),
    (ZIP_MARK, ZIP),
];
const ZIP_MARK: &[u8] = b"PK\x03\x04";
const ZIP: Form = ("application/zip", "zip");

/// Kinds of archives whose bytes begin alike.
const ZIPPED: [Form; 7] = [
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx",
    ),
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx",
    ),
    (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "pptx",
    ),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/epub+zip", "epub"),
];

/// Kinds of texts that keep their ending; a text of any other kind is a plain one.
const TEXTS: [Form; 3] = [
    ("text/csv", "csv"),
    ("text/markdown", "md"),
    ("application/json", "json"),
];
const PLAIN: Form = ("text/plain", "txt");

/// Has the caller keep the files of an answer. What is too much or can't be kept is left out, and an image that is none.
pub async fn kept(result: &CallToolResult, caller: &dyn Caller) -> KeptFiles {
    let mut kept = KeptFiles::new();
    if result.is_error == Some(true) {
        return kept;
    }
    let mut left = FILES_BYTES_MAX;
    for (place, block) in result.content.iter().enumerate() {
        if kept.len() == FILES_MAX {
            break;
        }
        let Some(read) = sent(block).and_then(|sent| read(&sent, left)) else {
            continue;
        };
        let count = read.bytes.len();
        let file = ResultFile {
            name: name(&read, kept.len() + 1),
            bytes: read.bytes,
        };
        let Some(path) = caller.keep(file).await else {
            continue;
        };
        left = left.saturating_sub(count);
        let file = KeptFile {
            kind: read.kind,
            media_type: read.form.0,
            bytes: count,
            path: path.display().to_string(),
        };
        kept.insert(place, file);
    }
    kept
}

/// A part of an answer that is no text, as it was sent.
struct Sent<'a> {
    encoded: &'a str,
    media_type: &'a str,
    /// The address of a resource.
    uri: &'a str,
    is_image: bool,
}

fn sent(block: &ContentBlock) -> Option<Sent<'_>> {
    match block {
        ContentBlock::Image(image) => Some(Sent {
            encoded: &image.data,
            media_type: &image.mime_type,
            uri: "",
            is_image: true,
        }),
        ContentBlock::Audio(audio) => Some(Sent {
            encoded: &audio.data,
            media_type: &audio.mime_type,
            uri: "",
            is_image: false,
        }),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::BlobResourceContents {
                uri, mime_type, blob, ..
            } => Some(Sent {
                encoded: blob,
                media_type: mime_type.as_deref().unwrap_or_default(),
                uri,
                is_image: false,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// A part of an answer on its way into a file.
struct Read {
    kind: FileKind,
    form: Form,
    /// What the address ends with; empty without one.
    stem: String,
    bytes: Vec<u8>,
}

fn read(sent: &Sent<'_>, bytes_max: usize) -> Option<Read> {
    // Four letters are three bytes at most: what is too long is not even decoded.
    if sent.encoded.len() / 4 * 3 > bytes_max {
        return None;
    }
    let bytes = STANDARD.decode(sent.encoded).ok()?;
    let picture = pictures::kind(&bytes);
    if bytes.is_empty() || (sent.is_image && picture.is_none()) {
        return None;
    }
    let form = picture.unwrap_or_else(|| form(&bytes, sent.media_type));
    let kind = match picture {
        Some(_) => FileKind::Picture,
        None if form.0.starts_with("audio/") => FileKind::Sound,
        None => FileKind::Other,
    };
    Some(Read {
        kind,
        form,
        stem: stem(sent.uri),
        bytes,
    })
}

/// The kind of a file by its first bytes. The server's word chooses among kinds that begin alike.
fn form(bytes: &[u8], media_type: &str) -> Form {
    let told = media_type.split(';').next().unwrap_or_default().trim();
    let of = |forms: &[Form]| forms.iter().find(|form| form.0 == told).copied();
    if bytes.starts_with(ZIP_MARK) {
        return of(&ZIPPED).unwrap_or(ZIP);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE") {
        return ("audio/wav", "wav");
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return match told.starts_with("audio/") {
            true => ("audio/mp4", "m4a"),
            false => ("video/mp4", "mp4"),
        };
    }
    if let Some((_, form)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return *form;
    }
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    match of(&TEXTS) {
        Some(form) if is_text => form,
        None if is_text && told.starts_with("text/") => PLAIN,
        Some(_) | None => NO_FORM,
    }
}

/// The end of an address as the beginning of a file's name: letters, digits and what is harmless between them.
fn stem(uri: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let plain: String = paragraph(last, FILE_NAME_CHARACTERS)
        .chars()
        .map(|letter| match letter {
            '.' | '-' | '_' | ' ' => letter,
            other if other.is_alphanumeric() => other,
            _ => '-',
        })
        .collect();
    plain.trim_matches(['.', ' ', '-']).to_owned()
}

/// The name of a file. Without an address it is told by its kind and number.
fn name(read: &Read, number: usize) -> String {
    let ending = read.form.1;
    let what = match read.kind {
        // What a picture is called does not matter: it is seen.
        FileKind::Picture => return format!("picture-{number}.{ending}"),
        FileKind::Sound => "sound",
        FileKind::Other => "file",
    };
    match read.stem.as_str() {
        "" => format!("{what}-{number}.{ending}"),
        stem if stem.to_lowercase().ends_with(&format!(".{ending}")) => stem.to_owned(),
        stem => format!("{stem}.{ending}"),
    }
}

#[cfg(test)]
mod tests;
