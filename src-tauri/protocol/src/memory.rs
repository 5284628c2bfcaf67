//! Memory: one form of record for everything short-term and long-term (F6.2, F6.3), and its fields.
//!
//! A record states a fact from `valid_from` on. A newer statement about the same subject ends the older one and
//! refers to it. The older one is kept, so that questions about the past have their answer.

use crate::{ExecId, MemoryId, Moment, RunId, SegmentId, SessionId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;
use ts_rs::TS;

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum MemoryKind {
    /// Words said in a session.
    Conversation,
    /// A result, key fact or circumstance of a session that is worth keeping.
    Entity,
    /// A thing that a session is working with.
    Working,
    /// A habit of the user in doing things, learned from their actions.
    Preference,
    /// Who the user is: role, skills, habits, people.
    Profile,
    /// The topic and outcome of a task.
    Summary,
    /// One sentence of guidance.
    Knowledge,
    /// A lesson that a run taught.
    Experience,
    /// A piece of a document of the knowledge base.
    Chunk,
}

impl MemoryKind {
    pub const ALL: [Self; 9] = [
        Self::Conversation,
        Self::Entity,
        Self::Working,
        Self::Preference,
        Self::Profile,
        Self::Summary,
        Self::Knowledge,
        Self::Experience,
        Self::Chunk,
    ];

    /// The name as written in records and by the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Entity => "entity",
            Self::Working => "working",
            Self::Preference => "preference",
            Self::Profile => "profile",
            Self::Summary => "summary",
            Self::Knowledge => "knowledge",
            Self::Experience => "experience",
            Self::Chunk => "chunk",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The conversations that may recall a record. Written as `user`, `assistant:NAME`, `site:URL`, `session:ID` or
/// `base:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
#[ts(export, type = "string")]
pub enum MemoryScope {
    /// Every conversation of the user.
    User,
    /// Conversations with that assistant only.
    Assistant(String),
    /// Every conversation of the user; the record is about that page or site and comes first there.
    Site(String),
    /// That conversation only.
    Session(SessionId),
    /// Questions to that knowledge base only.
    Base(String),
}

impl MemoryScope {
    /// The word before the colon.
    #[must_use]
    pub fn level(&self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant(_) => "assistant",
            Self::Site(_) => "site",
            Self::Session(_) => "session",
            Self::Base(_) => "base",
        }
    }

    /// The text after the colon.
    #[must_use]
    pub fn owner(&self) -> &str {
        match self {
            Self::User => "",
            Self::Assistant(owner) | Self::Site(owner) | Self::Base(owner) => owner,
            Self::Session(session) => session.as_str(),
        }
    }
}

impl fmt::Display for MemoryScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("user"),
            Self::Assistant(_) | Self::Site(_) | Self::Session(_) | Self::Base(_) => {
                write!(f, "{}:{}", self.level(), self.owner())
            }
        }
    }
}

/// The text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no scope: user, assistant:NAME, site:URL, session:ID or base:NAME")]
pub struct NoScope(String);

impl FromStr for MemoryScope {
    type Err = NoScope;

    fn from_str(text: &str) -> Result<Self, NoScope> {
        match text.split_once(':') {
            None if text == "user" => Ok(Self::User),
            Some(("assistant", owner)) if !owner.is_empty() => Ok(Self::Assistant(owner.to_owned())),
            Some(("site", owner)) if !owner.is_empty() => Ok(Self::Site(owner.to_owned())),
            Some(("session", owner)) if !owner.is_empty() => Ok(Self::Session(owner.into())),
            Some(("base", owner)) if !owner.is_empty() => Ok(Self::Base(owner.to_owned())),
            _ => Err(NoScope(text.to_owned())),
        }
    }
}

impl Serialize for MemoryScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MemoryScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// The way in which a record came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum MemoryOrigin {
    /// The user asked for it, or wrote it by hand.
    #[default]
    Told,
    /// Shidi took it from a task.
    Learned,
    /// It came from a file.
    Imported,
}

/// Where a record comes from; unknown facts are absent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(default)]
pub struct MemorySource {
    pub session: Option<SessionId>,
    pub run: Option<RunId>,
    /// The segments of the session that state the fact.
    pub segments: Vec<SegmentId>,
    /// Canonical address of the page that was in front.
    pub site: Option<String>,
    /// The imported document.
    pub document: Option<String>,
}

/// Data that only some kinds have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum MemoryData {
    /// Data of a conversation's record.
    Segment {
        exec_id: Option<ExecId>,
        parent_exec_ids: Vec<ExecId>,
    },
    Entity {
        #[ts(type = "unknown")]
        data: Value,
    },
    Preference {
        /// JSON Schema of the data.
        #[ts(type = "unknown")]
        schema: Value,
        #[ts(type = "unknown")]
        data: Value,
        operation: String,
    },
    Summary {
        question_type: String,
        keys: Vec<String>,
    },
    Chunk {
        /// The place within the document as an answer cites it: `p. 3`, `收入!12`, `line 12`.
        place: String,
        /// A record's values by the names of its columns or keys.
        #[ts(type = "Record<string, unknown>")]
        fields: crate::JsonMap,
    },
    Experience {
        #[ts(type = "Record<string, unknown>")]
        lesson: crate::JsonMap,
    },
}

/// A remembered record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemoryRecord {
    pub id: MemoryId,
    pub kind: MemoryKind,
    pub scope: MemoryScope,
    pub text: String,
    /// A name of the record, or the headings above it; may be empty.
    #[serde(default)]
    pub title: String,
    /// The speaker, where several speak.
    #[serde(default)]
    pub speaker: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// Names of people, things and places that the record is about.
    #[serde(default)]
    pub entities: Vec<String>,
    /// The subject whose value the record states; a newer record of the same scope and subject replaces this one.
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub data: Option<MemoryData>,
    #[serde(default)]
    pub origin: MemoryOrigin,
    #[serde(default)]
    pub source: MemorySource,
    /// The time at which the words were said or the record was made.
    #[ts(type = "string")]
    pub time: Moment,
    /// The record's place within its session or document.
    #[ts(type = "number")]
    #[serde(default)]
    pub sort_value: i64,
    #[ts(type = "string")]
    pub valid_from: Moment,
    #[ts(type = "string | null")]
    #[serde(default)]
    pub valid_to: Option<Moment>,
    #[serde(default)]
    pub superseded_by: Option<MemoryId>,
    /// From 0 to 1.
    pub importance: f64,
    #[serde(default)]
    pub uses: u32,
    #[ts(type = "string | null")]
    #[serde(default)]
    pub last_used: Option<Moment>,
    #[serde(default)]
    pub pinned: bool,
    /// Whether the record derives from text that the user did not write.
    #[serde(default)]
    pub tainted: bool,
    /// The time until which the record is kept. A pinned record is kept beyond it.
    #[ts(type = "string | null")]
    #[serde(default)]
    pub until: Option<Moment>,
}

/// Importance of a record without any other measure.
pub const IMPORTANCE_DEFAULT: f64 = 0.5;

impl MemoryRecord {
    /// A record that the user told at `time`; all other fields can be set afterwards.
    #[must_use]
    pub fn new(id: MemoryId, kind: MemoryKind, text: impl Into<String>, time: Moment) -> Self {
        Self {
            id,
            kind,
            scope: MemoryScope::User,
            text: text.into(),
            title: String::new(),
            speaker: None,
            tags: Vec::new(),
            entities: Vec::new(),
            subject: None,
            data: None,
            origin: MemoryOrigin::Told,
            source: MemorySource::default(),
            time,
            sort_value: 0,
            valid_from: time,
            valid_to: None,
            superseded_by: None,
            importance: IMPORTANCE_DEFAULT,
            uses: 0,
            last_used: None,
            pinned: false,
            tainted: false,
            until: None,
        }
    }
}
