//! Knowledge bases: documents that were imported to be asked and cited (F9.4).

use crate::{AttachSource, DocumentId, JsonMap, MemoryId, Moment, Unreadable};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What may be asked of knowledge bases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum KnowledgeRequest {
    /// Replies: `Bases`.
    List,
    /// Makes a base, or gives one another description. Replies: `Bases`.
    Create {
        name: String,
        about: String,
        /// The Qdrant server that keeps it; this computer when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        at: Option<String>,
    },
    /// Imports into a base, or looks again at everything that it was filled from when nothing is named. Replies: any
    /// number of `Progress`, then `Imported`.
    Add {
        base: String,
        sources: Vec<AttachSource>,
    },
    /// The documents of a base by place. Replies: `Documents`.
    Show { base: String, offset: u32, limit: u32 },
    /// What documents say about `text`, in one base or all, best first; with a field only records that have it. Replies:
    /// `Pieces`.
    Query {
        text: String,
        base: Option<String>,
        field: Option<String>,
        limit: u32,
    },
    /// Erases a document by its place, or a whole base; of one that a server keeps, what this computer put there. Replies:
    /// `Bases`.
    Delete {
        base: String,
        place: Option<String>,
        /// Forgets a base that a server keeps, and leaves there what is there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        only_here: bool,
    },
}

/// A named collection of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeBase {
    pub name: String,
    /// What it knows, in a sentence; models choose by it.
    pub about: String,
    #[ts(type = "string")]
    pub created: Moment,
    pub documents: u32,
    #[ts(type = "number")]
    pub pieces: u64,
    /// Documents that could not be read.
    pub problems: u32,
    /// The server that keeps it; this computer when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at: Option<String>,
    /// Why that server does not say what it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
    /// What can be done about that.
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
    /// Absolute path of the file, or the address that it was fetched from.
    pub place: String,
    /// `text`, `pdf`, …; empty when it could not be read.
    pub format: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// When the file was changed last, as the system says; another value means that it is read anew.
    #[ts(type = "string")]
    pub changed: Moment,
    #[ts(type = "string")]
    pub imported: Moment,
    #[ts(type = "number")]
    pub pieces: u64,
    /// Pieces that other documents of the base, or this one itself, say in the same words.
    #[ts(type = "number")]
    pub duplicates: u64,
    /// Pieces left out because the document says that they no longer hold.
    #[ts(type = "number")]
    pub deprecated: u64,
    /// Whether only its beginning was read.
    pub partial: bool,
    /// Why it could not be read at the last import; its earlier pieces stay.
    pub reason: Option<Unreadable>,
    pub detail: Option<String>,
}

/// What an import came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnowledgeReport {
    /// Documents read now.
    pub read: u32,
    /// Documents that are as they were at the last import.
    pub unchanged: u32,
    /// Documents whose files are gone.
    pub removed: u32,
    #[ts(type = "number")]
    pub pieces: u64,
    #[ts(type = "number")]
    pub duplicates: u64,
    #[ts(type = "number")]
    pub deprecated: u64,
    /// Documents that could not be read, the first ones.
    pub problems: Vec<KnowledgeProblem>,
    /// How many could not be read in all.
    pub failed: u32,
    /// Files of folders that hold nothing to read: pictures, programs, archives, empty ones.
    pub skipped: u32,
    /// Whether there are more files in a folder than are looked at.
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
    /// How an answer cites it: `制度.pdf p. 3`.
    pub source: String,
    /// The headings above it, from the outermost on.
    pub heading: String,
    pub text: String,
    /// A record's values by the names of its columns or keys.
    #[ts(type = "Record<string, unknown>")]
    pub fields: JsonMap,
    /// Comparable within one answer only.
    pub score: f64,
}
