//! Knowledge bases: imported documents that can be asked and cited (F9.4).

use crate::macros::requests;
use crate::{AttachSource, DocumentId, JsonMap, MemoryId, Moment, Unreadable};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about knowledge bases.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    KnowledgeRequest as knowledge, through |action| crate::Request::Knowledge { action };
    List -> Bases,
    /// Creates a base, or changes the description of one.
    Create {
        name: String,
        about: String,
        /// The Qdrant server that holds the base; absent for this computer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        at: Option<String>,
    } -> Bases,
    /// Imports into a base; with no source named, reads all its earlier sources again. Replies: any number of
    /// `Progress`, then `Imported`.
    Add {
        base: String,
        sources: Vec<AttachSource>,
    } -> Imported,
    /// The documents of a base by place.
    Show { base: String, offset: u32, limit: u32 } -> Documents,
    /// Searches for `text` in one base or all, best first; with a field only records that have the field.
    Query {
        text: String,
        base: Option<String>,
        field: Option<String>,
        limit: u32,
    } -> Pieces,
    /// Erases a document by its place, or a whole base. On a server, only pieces that this computer put there
    /// are erased.
    Delete {
        base: String,
        place: Option<String>,
        /// Forgets a base that a server holds, and erases nothing there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        only_here: bool,
    } -> Bases,
}

/// A named collection of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeBase {
    pub name: String,
    /// The content of the base in a sentence; models choose by it.
    pub about: String,
    #[ts(type = "string")]
    pub created: Moment,
    pub documents: u32,
    #[ts(type = "number")]
    pub pieces: u64,
    /// Documents that could not be read.
    pub problems: u32,
    /// The server that holds the base; absent for this computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at: Option<String>,
    /// Why that server does not tell its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
    /// The remedy for that trouble.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remedy: Option<String>,
}

/// A document of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeDocument {
    pub id: DocumentId,
    pub base: String,
    /// Absolute path of the file, or the address from which it was fetched.
    pub place: String,
    /// `text`, `pdf`, …; empty when the document could not be read.
    pub format: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// The file's last change, as the system tells; a file with another time is read anew.
    #[ts(type = "string")]
    pub changed: Moment,
    #[ts(type = "string")]
    pub imported: Moment,
    #[ts(type = "number")]
    pub pieces: u64,
    /// Pieces with the same words as another piece of the base, or of this document.
    #[ts(type = "number")]
    pub duplicates: u64,
    /// Pieces left out because the document says that they no longer hold.
    #[ts(type = "number")]
    pub deprecated: u64,
    /// Whether only the document's beginning was read.
    pub partial: bool,
    /// Why the document could not be read at the last import; its earlier pieces stay.
    pub reason: Option<Unreadable>,
    pub detail: Option<String>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeReport {
    /// Documents read in this import.
    pub read: u32,
    /// Documents unchanged since the last import.
    pub unchanged: u32,
    /// Documents whose files are gone.
    pub removed: u32,
    #[ts(type = "number")]
    pub pieces: u64,
    #[ts(type = "number")]
    pub duplicates: u64,
    #[ts(type = "number")]
    pub deprecated: u64,
    /// The first few documents that could not be read.
    pub problems: Vec<KnowledgeProblem>,
    /// Number of all documents that could not be read.
    pub failed: u32,
    /// Files of folders without readable text: pictures, programs, archives, empty ones.
    pub skipped: u32,
    /// Whether a folder has more files than were looked at.
    pub cut: bool,
}

/// A document that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeProblem {
    pub place: String,
    pub reason: Unreadable,
    pub detail: Option<String>,
}

/// A piece of a document that answers a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgePiece {
    pub id: MemoryId,
    pub base: String,
    /// The document's path or address.
    pub document: String,
    /// The source as an answer cites it: `制度.pdf p. 3`.
    pub source: String,
    /// The headings above the piece, from the outermost on.
    pub heading: String,
    pub text: String,
    /// A record's values by the names of its columns or keys.
    #[ts(type = "Record<string, unknown>")]
    pub fields: JsonMap,
    /// The score; comparable within one answer only.
    pub score: f64,
}
