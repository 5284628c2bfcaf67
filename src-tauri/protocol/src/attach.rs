//! Attachments to a question, and the facts that a chip shows before anything is sent.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The source of an attachment. A source that is no file becomes a file in the data folder. Its path then goes
/// into `Ask.files` as any other.
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
    /// A pasted picture; its content decides the format, not `mime`.
    Image {
        base64: String,
        mime: String,
        #[serde(default)]
        name: Option<String>,
    },
    /// A page or file that the user named, fetched once.
    Url { url: String },
    /// A resource of an MCP server, read once; the server is started for that.
    Resource { server: String, uri: String },
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
    /// The format of the content, whatever the name says: `pdf`, `docx`, `csv`, `png`, `text`, …
    pub format: String,
    /// Whether the name's ending promises another format than the content has.
    pub misnamed: bool,
    #[ts(type = "number")]
    pub bytes: u64,
    /// Lines of a text; rows of a table; 0 for content without lines.
    pub lines: u32,
    /// Estimated tokens of the text that is sent.
    pub tokens: u32,
    pub how: SentAs,
    /// The unit in which places of the attachment are counted.
    pub unit: AttachmentUnit,
    /// Pages, slides, sheets, lines, rows or files.
    pub parts: u32,
    /// The first 4,000 characters of exactly the text that is sent.
    pub preview: String,
    /// Whether the sent text is longer than the preview.
    pub preview_cut: bool,
    /// A small copy of the picture as a data URL; pictures only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub thumbnail: Option<String>,
    /// Why the attachment is `unreadable`.
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
    /// All of the attachment's text is sent.
    Whole,
    /// The beginning and the outline are sent; the rest is searched and read when needed.
    Indexed,
    /// The attachment is sent as a picture.
    Image,
    #[default]
    None,
}

/// The unit in which places of an attachment are counted.
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

/// Why an attachment can't be read; the surface that shows the reason words it.
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
    /// The file is empty.
    Empty,
    /// The document is protected by a password.
    Locked,
    /// The document is damaged, or built to do harm.
    Broken,
    /// The document is larger than can be read, or unpacks to more.
    Huge,
    /// The document has pages without text: scanned or drawn.
    NoText,
    /// Reading it took too long.
    TimedOut,
    /// The address did not answer, or not with a readable document.
    Unreachable,
    /// The program that reads documents is missing, or of another version.
    NoReader,
    /// The disk or the system failed.
    Failed,
}
