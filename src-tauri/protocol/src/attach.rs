//! What a user attaches to a question, and what a chip says about it before anything is sent.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where something to attach comes from. What is no file yet becomes one in the data folder; its path then goes into
/// `Ask.files` as any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum AttachSource {
    /// A file or folder, absolute.
    Path { path: String },
    /// Pasted text.
    Text {
        text: String,
        #[serde(default)]
        name: Option<String>,
    },
    /// A pasted picture; its content, not `mime`, decides what it is.
    Image {
        base64: String,
        mime: String,
        #[serde(default)]
        name: Option<String>,
    },
    /// A page or file that the user named, fetched once.
    Url { url: String },
}

/// A file or folder that goes with a question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct Attachment {
    /// Absolute.
    pub path: String,
    pub name: String,
    /// `text`, `document`, `image`, `folder`, or `unreadable`.
    pub kind: String,
    /// What the content is, whatever the name says: `pdf`, `docx`, `csv`, `png`, `text`, …
    pub format: String,
    /// The name's ending promises something else than the content is.
    pub misnamed: bool,
    #[ts(type = "number")]
    pub bytes: u64,
    /// Lines of a text; rows of a table; 0 for what has none.
    pub lines: u32,
    /// Estimated tokens of what is sent.
    pub tokens: u32,
    pub how: SentAs,
    /// What places in it are called.
    pub unit: AttachmentUnit,
    /// Pages, slides, sheets, lines, rows or files.
    pub parts: u32,
    /// Exactly what is sent, its first 4,000 characters.
    pub preview: String,
    /// Whether what is sent is longer than the preview.
    pub preview_cut: bool,
    /// A small picture of it as a data URL; pictures only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thumbnail: Option<String>,
    /// Why it is `unreadable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<Unreadable>,
    /// The technical side of the reason: `HTTP 404`, the place of the damage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub detail: Option<String>,
}

/// How an attachment goes with the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SentAs {
    /// All of its text.
    Whole,
    /// Its beginning and outline; the rest is searched and read when needed.
    Indexed,
    /// As a picture.
    Image,
    #[default]
    None,
}

/// What places in an attachment are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AttachmentUnit {
    Page,
    Slide,
    Sheet,
    #[default]
    Line,
    Row,
    File,
}

/// Why an attachment can't be read; worded by whoever shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Unreadable {
    Missing,
    Forbidden,
    /// A pipe, socket or device.
    Special,
    /// Neither text, nor an image, nor a document that can be read.
    Binary,
    /// There is nothing in it.
    Empty,
    /// It is protected by a password.
    Locked,
    /// It is damaged, or built to do harm.
    Broken,
    /// It is larger, or unpacks to more, than can be read.
    Huge,
    /// It has pages, but no text in them: scanned or drawn.
    NoText,
    /// Reading it took too long.
    TimedOut,
    /// The address did not answer, or not with something to read.
    Unreachable,
    /// The disk or the system failed.
    Failed,
}
