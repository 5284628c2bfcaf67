//! What tasks changed in files, and taking it back.

use crate::{Moment, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is to be done about changes of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum ChangeDeed {
    /// Replies: `Changes`, newest first; of one session, or of all.
    List {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    },
    /// Replies: `Changed`, with what is different since then.
    Show { change: String },
    /// Puts back what stood there before. Replies: `Changed`.
    Undo { change: String },
}

/// A file that a call changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FileChange {
    /// `RUN/CALL`; the beginning or the end of it names it, too, and `last` the newest.
    pub id: String,
    /// The session of the task; none where a person's own program changed it outside of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
    pub path: String,
    /// Whether there was no such file before.
    pub created: bool,
    /// Lines that are new and lines that are gone.
    pub added: u32,
    pub removed: u32,
    /// Whether it was taken back.
    pub undone: bool,
    #[ts(type = "string")]
    pub at: Moment,
}
