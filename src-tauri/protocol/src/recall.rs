//! A search of memory, and what it answers with: each hit says where it is from and what its score is made of.

use crate::{MemoryId, MemoryKind, MemoryRecord, MemoryScope, MemorySource, Moment, SegmentId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is asked of memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryQuery {
    pub text: String,
    /// Of these kinds only; of any when empty.
    pub kinds: Vec<MemoryKind>,
    pub scopes: MemoryScopes,
    /// Address of the page at hand: what belongs to it comes first.
    pub page: Option<String>,
    /// What was said in this session is left out: it stands in its transcript.
    pub except: Option<SessionId>,
    pub now: Moment,
    pub limit: u32,
}

/// What a search may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryScopes {
    /// These only; the user's scope shows what is about sites, too.
    These(Vec<MemoryScope>),
    /// Whatever is remembered and was said, of every assistant and session; not the documents of knowledge bases. For
    /// the user's own looking, never for a program or what goes along with a question.
    Everything,
}

impl MemoryScopes {
    /// Whether what is in that scope itself is shown.
    #[must_use]
    pub fn show(&self, scope: &MemoryScope) -> bool {
        match self {
            Self::These(scopes) => scopes.contains(scope),
            Self::Everything => !matches!(scope, MemoryScope::Base(_)),
        }
    }

    /// Whether nothing is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::These(scopes) => scopes.is_empty(),
            Self::Everything => false,
        }
    }
}

/// What a score is made of; the sum is the score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreParts {
    /// Words of the question in the text itself; 1 for the text of the search that holds most.
    pub lexical: f64,
    /// The same in its title, tags and what was said before.
    pub context: f64,
    /// Names of the question that it is about.
    pub entity: f64,
    /// What stands beside it, or said it.
    pub neighbour: f64,
    /// It belongs to the page at hand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub page: f64,
    /// Nearness in meaning, where there is a model for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<f64>,
    /// It is new, and the question asks for what is new.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recency: f64,
    /// It was of use before, and how much it matters.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub weight: f64,
    /// It replaced a statement that fits, or was itself replaced.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub correction: f64,
    /// A better one says the same.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated: f64,
}

impl ScoreParts {
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.lexical
            + self.context
            + self.entity
            + self.neighbour
            + self.page
            + self.vector.unwrap_or_default()
            + self.recency
            + self.weight
            + self.correction
            + self.repeated
    }
}

fn is_zero(part: &f64) -> bool {
    *part == 0.0
}

/// Something remembered that fits a search, or is among the newest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryHit {
    /// Of a record, or `SESSION/SEGMENT` of what was said.
    pub id: String,
    pub kind: MemoryKind,
    pub scope: MemoryScope,
    /// The part of it around the match.
    pub text: String,
    #[serde(default)]
    pub title: String,
    #[ts(type = "string")]
    pub time: Moment,
    /// Where it was said.
    pub session: Option<SessionId>,
    pub source: MemorySource,
    /// Since when it is no longer so.
    #[serde(default)]
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
    pub pinned: bool,
    /// Whether it derives from something that the user did not write.
    pub untrusted: bool,
    pub score: f64,
    pub parts: ScoreParts,
    /// Share of the question's words, by what they tell, that the text holds.
    pub coverage: f64,
    /// What states something else about the same, where nobody said which is so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Contrary>>")]
    pub contradicted: Vec<Contrary>,
}

/// A statement that can't be so together with another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Contrary {
    pub id: MemoryId,
    pub text: String,
    #[ts(type = "string")]
    pub time: Moment,
    /// Whether it derives from something that the user did not write.
    pub untrusted: bool,
}

/// A session that was about a page, with what was asked there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageVisit {
    pub session: SessionId,
    pub segment: SegmentId,
    pub question: String,
    /// Its title as it was then.
    pub title: String,
    /// Its canonical address.
    pub url: String,
    #[ts(type = "string")]
    pub time: Moment,
}

/// What the user does with what is remembered. Where an id is asked for, its beginning or end will do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum MemoryDeed {
    /// What fits best. Replies: `Memories`.
    Find {
        text: String,
        #[serde(default)]
        kinds: Vec<MemoryKind>,
        /// In these scopes; in all when empty.
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        #[serde(default)]
        page: Option<String>,
        limit: u32,
    },
    /// Pinned first, then newest first. Replies: `MemoryRecords`.
    List {
        #[serde(default)]
        kinds: Vec<MemoryKind>,
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        /// What is no longer so, too.
        #[serde(default)]
        ended: bool,
        #[serde(default)]
        offset: u32,
        limit: u32,
    },
    /// Replies: `MemoryRecords`, what it replaced and what replaced it, oldest first, itself among them.
    Show {
        memory: String,
    },
    /// Replies: `MemoryRecords`, the new one.
    Add {
        text: String,
        kind: MemoryKind,
        scope: MemoryScope,
        #[serde(default)]
        tags: Vec<String>,
        /// Until when it is remembered; for good when nothing is said.
        #[serde(default)]
        #[ts(type = "string | null")]
        until: Option<Moment>,
    },
    /// Says it anew; what was said before is kept as its history. Replies: `MemoryRecords`, the new one.
    Edit {
        memory: String,
        text: String,
    },
    Pin {
        memory: String,
        pinned: bool,
    },
    /// It is remembered until then, or for good.
    Limit {
        memory: String,
        #[serde(default)]
        #[ts(type = "string | null")]
        until: Option<Moment>,
    },
    /// Erases it with its history.
    Delete {
        memory: String,
    },
    /// Erases what belongs to a page, or to all pages of a site: what is remembered and the sessions about it.
    ForgetSite {
        address: String,
    },
    /// What was asked about a page, newest first. Replies: `Visits`.
    Visits {
        address: String,
        limit: u32,
    },
    /// Keeps records as they are, such as those that were deleted a moment ago; one with a known id replaces that one.
    Import {
        records: Vec<MemoryRecord>,
    },
    /// Keeps the records of lines as an import's file holds them. What this data folder exported is taken as it is, and
    /// replaces a record with its id; anything else is a stranger's.
    ImportLines {
        lines: Vec<String>,
    },
    /// The next lines of an export, from 0 on. Replies: `Lines`.
    ExportLines {
        #[ts(type = "number")]
        after: i64,
    },
    /// Writes everything, its history too, as JSON Lines into that file, in place of what is there. Replies: `MemoryFile`.
    Export {
        path: String,
    },
    /// Keeps what such a file holds; of a file with a broken line nothing is kept. Replies: `MemoryFile`.
    ImportFile {
        path: String,
    },
    /// How much there is of each kind. Replies: `MemoryStats`.
    Stats {
        /// In these scopes; in all when empty.
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        /// What is no longer so, too.
        #[serde(default)]
        ended: bool,
    },
}

/// How many records there are of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryCount {
    pub kind: MemoryKind,
    #[ts(type = "number")]
    pub records: u64,
}

/// How far finding by meaning has come: texts that have a vector of the chosen model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryMeaning {
    /// `PROVIDER:MODEL`.
    pub model: String,
    #[ts(type = "number")]
    pub placed: u64,
    /// Texts that should have one.
    #[ts(type = "number")]
    pub of: u64,
    /// Why the model gave none when it was last asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
}

/// How much is remembered beside what may be, pieces of documents apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryRoom {
    #[ts(type = "number")]
    pub short_term: u64,
    #[ts(type = "number")]
    pub short_term_most: u64,
    #[ts(type = "number")]
    pub long_term: u64,
    #[ts(type = "number")]
    pub long_term_most: u64,
    #[ts(type = "number")]
    pub bytes: u64,
    #[ts(type = "number")]
    pub bytes_most: u64,
}
