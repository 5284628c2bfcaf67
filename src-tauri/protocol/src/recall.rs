//! A search of memory and its hits: each hit tells its source and the parts of its score.

use crate::macros::requests;
use crate::{MemoryId, MemoryKind, MemoryRecord, MemoryScope, MemorySource, Moment, SegmentId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A search of memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryQuery {
    pub text: String,
    /// The wanted kinds; any when empty.
    pub kinds: Vec<MemoryKind>,
    pub scopes: MemoryScopes,
    /// Address of the page at hand: records of that page come first.
    pub page: Option<String>,
    /// A session whose own words are left out: they stand in its transcript.
    pub except: Option<SessionId>,
    pub now: Moment,
    pub limit: u32,
}

/// The scopes that a search may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryScopes {
    /// These scopes only; the user's scope also shows records about sites.
    These(Vec<MemoryScope>),
    /// Everything remembered and said, of every assistant and session, without documents of knowledge bases.
    /// For the user's own searches only, never for a program or for records that go along with a question.
    Everything,
}

impl MemoryScopes {
    /// Whether records of exactly that scope are shown.
    #[must_use]
    pub fn show(&self, scope: &MemoryScope) -> bool {
        match self {
            Self::These(scopes) => scopes.contains(scope),
            Self::Everything => !matches!(scope, MemoryScope::Base(_)),
        }
    }

    /// Whether no scope is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::These(scopes) => scopes.is_empty(),
            Self::Everything => false,
        }
    }
}

/// The parts of a score; their sum is the score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreParts {
    /// Words of the question in the text itself; the text with the most has 1.
    pub lexical: f64,
    /// Words of the question in the title, the tags and the words said before.
    pub context: f64,
    /// Names in the question that the record is about.
    pub entity: f64,
    /// A neighbouring piece fits too, or the words from which the record was taken.
    pub neighbour: f64,
    /// The record belongs to the page at hand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub page: f64,
    /// Similarity in meaning, where there is an embedding model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<f64>,
    /// The record is new, and the question asks for news.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub recency: f64,
    /// Earlier use of the record, and its importance.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub weight: f64,
    /// The record replaced a statement that fits, or was itself replaced.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub correction: f64,
    /// A better hit says the same.
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

/// A record that fits a search, or is among the newest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryHit {
    /// The id of a record, or `SESSION/SEGMENT` of words said.
    pub id: String,
    pub kind: MemoryKind,
    pub scope: MemoryScope,
    /// The part of the text around the match.
    pub text: String,
    #[serde(default)]
    pub title: String,
    #[ts(type = "string")]
    pub time: Moment,
    /// The session in which the words were said.
    pub session: Option<SessionId>,
    pub source: MemorySource,
    /// The time since when the record no longer holds.
    #[serde(default)]
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
    pub pinned: bool,
    /// Whether the hit derives from text that the user did not write.
    pub untrusted: bool,
    pub score: f64,
    pub parts: ScoreParts,
    /// Share of the question's words that the text holds, each by its weight.
    pub coverage: f64,
    /// Statements that contradict this one, where nobody has said which one holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Contrary>>")]
    pub contradicted: Vec<Contrary>,
}

/// A statement that contradicts another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Contrary {
    pub id: MemoryId,
    pub text: String,
    #[ts(type = "string")]
    pub time: Moment,
    /// Whether the statement derives from text that the user did not write.
    pub untrusted: bool,
}

/// A question by rule that is not offered on a site any more. It was passed over in several sessions in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DroppedGuess {
    pub site: String,
    /// The rule that finds it.
    pub guess: String,
    /// As it was offered last.
    pub words: String,
    /// When it was passed over last.
    #[ts(type = "string")]
    pub time: Moment,
}

/// A session about a page, with the questions asked there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageVisit {
    pub session: SessionId,
    pub segment: SegmentId,
    pub question: String,
    /// The page's title at that time.
    pub title: String,
    /// The page's canonical address.
    pub url: String,
    #[ts(type = "string")]
    pub time: Moment,
    /// The first sentences of the answer as plain words; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub answer: String,
    /// Files that the task made, that came with it, and that it read: those that are still there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub files: Vec<String>,
    /// What was remembered of it. The newest visit also has what is remembered of the page from elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<VisitFact>>")]
    pub facts: Vec<VisitFact>,
}

/// A record of memory that came of a visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct VisitFact {
    pub id: MemoryId,
    /// The beginning of its text.
    pub text: String,
}

requests! {
    /// A request about memory. An id may be shortened to its beginning or end.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    MemoryRequest as memory, through |action| crate::Request::Memory { action };
    /// The best matches.
    Find {
        text: String,
        #[serde(default)]
        kinds: Vec<MemoryKind>,
        /// The wanted scopes; all when empty.
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        #[serde(default)]
        page: Option<String>,
        limit: u32,
    } -> Memories,
    /// Records, pinned first, then newest first.
    List {
        #[serde(default)]
        kinds: Vec<MemoryKind>,
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        /// Also shows records that no longer hold.
        #[serde(default)]
        ended: bool,
        #[serde(default)]
        offset: u32,
        limit: u32,
    } -> MemoryRecords,
    /// Replies: `MemoryRecords`, the record with those it replaced and those that replaced it, oldest first.
    Show {
        memory: String,
    } -> MemoryRecords,
    /// Replies: `MemoryRecords`, the new one.
    Add {
        text: String,
        kind: MemoryKind,
        scope: MemoryScope,
        #[serde(default)]
        tags: Vec<String>,
        /// The time until which the record is kept; for good when absent.
        #[serde(default)]
        #[ts(type = "string | null")]
        until: Option<Moment>,
        /// Whether it derives from text that the user did not write.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        tainted: bool,
    } -> MemoryRecords,
    /// Words a record anew; the earlier wording is kept as its history. Replies: `MemoryRecords`, the new one.
    Edit {
        memory: String,
        text: String,
    } -> MemoryRecords,
    Pin {
        memory: String,
        pinned: bool,
    } -> Done,
    /// Keeps a record until the given time, or for good.
    Limit {
        memory: String,
        #[serde(default)]
        #[ts(type = "string | null")]
        until: Option<Moment>,
    } -> Done,
    /// Erases a record with its history.
    Delete {
        memory: String,
    } -> Done,
    /// Erases a page's or a whole site's records, and the sessions about it.
    ForgetSite {
        address: String,
    } -> Done,
    /// Questions about a page, newest first.
    Visits {
        address: String,
        limit: u32,
    } -> Visits,
    /// Questions that are not offered any more, on a site or on all, newest first.
    DroppedGuesses {
        #[serde(default)]
        site: Option<String>,
    } -> DroppedGuesses,
    /// Offers such a question again.
    OfferGuess {
        site: String,
        guess: String,
    } -> DroppedGuesses,
    /// Preferences that are kept, or could be kept from the uses of forms. They are of the site of an address,
    /// or of all sites.
    Preferences {
        #[serde(default)]
        address: Option<String>,
    } -> Preferences,
    /// Keeps a proposal as the user's preference, in the place of an earlier one of that form.
    KeepPreference {
        proposal: String,
    } -> Preferences,
    /// Does not propose that again.
    DeclinePreference {
        proposal: String,
    } -> Preferences,
    /// Gives fields of a preference other values; the earlier one is kept as its history.
    ChangePreference {
        memory: String,
        #[ts(type = "Record<string, unknown>")]
        values: crate::JsonMap,
    } -> Preferences,
    /// Keeps the given records unchanged, such as ones deleted a moment ago. A record with a known id replaces
    /// the known one.
    Import {
        records: Vec<MemoryRecord>,
    } -> Done,
    /// The lines of a file as `Export` writes one. Replies: `Piece`s, then `Done`.
    ExportLines -> Done,
    /// Writes all records, their history too, as JSON Lines into that file, replacing its content.
    Export {
        path: String,
    } -> MemoryFile,
    /// Keeps the records of such a file; a file with a broken line is refused whole. Known records stay
    /// unchanged. Unless the file is proven to be a whole export of this data folder, all of it counts as
    /// foreign.
    ImportFile {
        path: String,
    } -> MemoryFile,
    /// The number of records of each kind.
    Stats {
        /// The counted scopes; all when empty.
        #[serde(default)]
        scopes: Vec<MemoryScope>,
        /// Also counts records that no longer hold.
        #[serde(default)]
        ended: bool,
    } -> MemoryStats,
}

/// The number of records of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryCount {
    pub kind: MemoryKind,
    #[ts(type = "number")]
    pub records: u64,
}

/// The progress of embedding: texts that have a vector of the chosen model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryMeaning {
    /// `PROVIDER:MODEL`.
    pub model: String,
    #[ts(type = "number")]
    pub placed: u64,
    /// Texts that should have a vector.
    #[ts(type = "number")]
    pub of: u64,
    /// Why the model gave no vector when it was last asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
}

/// The number of records beside the most allowed, without pieces of documents.
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
