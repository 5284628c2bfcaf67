//! The content of a page or a window: its text, the selection, its form, as a sensor read them. All texts are
//! strangers'.

use crate::Unreadable;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The content of a page or window at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Content {
    pub kind: ContentKind,
    /// Two letters, of the main text.
    pub language: String,
    pub title: String,
    pub site: String,
    pub description: String,
    pub author: String,
    pub published: String,
    /// The whole as Markdown; `[text][n]` names the address `n` of `links`.
    pub text: String,
    /// The part that the user sees, as Markdown.
    pub visible: String,
    pub selection: Option<Selection>,
    /// Addresses in the order of their numbers, which begin with 1.
    pub links: Vec<String>,
    pub fields: Vec<FormField>,
    pub buttons: Vec<FormButton>,
    /// What a page offers of itself by name: the text of a query, the last result.
    pub context: Vec<NamedContext>,
    /// The bound that cut something, if any.
    pub cut: Option<String>,
}

/// The kind of a page, by which a question is guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ContentKind {
    Article,
    Error,
    Form,
    Table,
    Code,
    Diff,
    Search,
    Mail,
    Sheet,
    List,
    Docs,
    Shop,
    Forum,
    App,
    /// A document that the browser shows by a program of its own. Its file is read in place of the page.
    Pdf,
    /// Nothing to go by. Also a kind that only a newer companion knows.
    #[default]
    #[serde(other)]
    Empty,
}

/// Text that the user selected, with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Selection {
    pub text: String,
    pub before: String,
    pub after: String,
}

/// A field of a form as a person sees it. Passwords, one-time codes and card numbers are never among them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FormField {
    pub r#ref: String,
    pub label: String,
    pub kind: String,
    pub value: String,
    /// The message about a wrong value.
    pub problem: Option<String>,
    pub options: Vec<String>,
    pub required: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FormButton {
    pub r#ref: String,
    pub label: String,
}

/// A text that a page offers of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedContext {
    pub name: String,
    pub text: String,
}

/// The text of a PDF that a browser shows, after the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfContent {
    pub content: Content,
    pub pages: u32,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The text of a PDF, or why there is none.
pub type PdfRead = Result<PdfContent, Unreadable>;

/// How far a PDF of the page in front is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
#[ts(export)]
pub enum PdfState {
    Reading,
    /// With the bytes of its file.
    Read {
        pages: u32,
        #[ts(type = "number")]
        bytes: u64,
    },
    /// Its text does not go along.
    Unread {
        reason: Unreadable,
    },
}

/// The sensor that read a content, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ContentSource {
    /// The browser's companion.
    Companion,
    /// The accessibility bus of the desktop.
    Accessibility,
    /// The selection of the display alone.
    Selection,
    /// Recognition of words in a picture.
    Recognition,
    /// What the user copied last; read by programs alone, and no part of a window.
    Clipboard,
    /// Title and program of the window in front; no content.
    Window,
}

/// The part of a content that goes along with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ContentPart {
    Selection,
    Visible,
    Whole,
    /// Title and address alone.
    Nothing,
}

/// A content as its chip shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ContentView {
    pub source: ContentSource,
    pub kind: ContentKind,
    pub language: String,
    /// The part that goes along unless the user chooses another.
    pub part: ContentPart,
    /// The parts that there are, each as it would be sent.
    pub parts: Vec<PartView>,
    /// Messages about wrong values in a form.
    pub problems: u32,
    /// First line of an error, where the kind is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
    /// Names of what the page offers of itself.
    pub context: Vec<String>,
    /// The bound that cut something, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cut: Option<String>,
    /// Where the page is a PDF: how far it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pdf: Option<PdfState>,
}

/// One part of a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PartView {
    pub part: ContentPart,
    /// Estimated tokens.
    pub tokens: u32,
    /// The beginning of the text as it would be sent.
    pub preview: String,
    pub preview_cut: bool,
    /// Whether the text is too long for a prompt: the task searches it instead.
    pub searched: bool,
}
