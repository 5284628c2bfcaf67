//! Changes that tasks made to files, and undoing them.

use crate::api::requests;
use crate::{Moment, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about changes of files.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    ChangeRequest as changes, through |action| crate::Request::Changes { action };
    /// Lists changes, of one session or of all. Replies: `Changes`, newest first.
    List {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
    } -> Changes,
    /// Replies: `Changed`, with the difference between before and now.
    Show { change: String } -> Changed,
    /// Restores the file's earlier content.
    Undo { change: String } -> Changed,
}

/// A file that a call changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FileChange {
    /// `RUN/CALL`; its beginning or end names the change too, and `last` the newest one.
    pub id: String,
    /// The session of the task; `None` where a person's own program made the change outside of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
    pub path: String,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: u32,
    pub removed: u32,
    /// Whether the change was undone.
    pub undone: bool,
    #[ts(type = "string")]
    pub at: Moment,
}
