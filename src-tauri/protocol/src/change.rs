//! Changes that tasks made to files, and undoing them.

use crate::macros::requests;
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

/// What a call did to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ChangeKind {
    /// It wrote into a file.
    #[default]
    Write,
    /// It moved a file or folder, or gave it another name.
    Move,
    /// It copied a file or folder.
    Copy,
    /// It put a file or folder into the trash.
    Delete,
    /// It made an empty folder.
    MakeFolder,
    /// It unpacked an archive into a new folder.
    Unpack,
}

/// Sizes of a file that is no text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ChangedBytes {
    #[ts(type = "number")]
    pub before: u64,
    #[ts(type = "number")]
    pub after: u64,
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
    #[serde(default)]
    pub kind: ChangeKind,
    /// The file or folder under its earlier name. Of a copy or of unpacked files, their source.
    pub path: String,
    /// Where it stands since; of what was deleted, its place in the trash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub to: Option<String>,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: u32,
    pub removed: u32,
    /// Its sizes, where it is no text and so has no lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bytes: Option<ChangedBytes>,
    /// Whether the change was undone.
    pub undone: bool,
    #[ts(type = "string")]
    pub at: Moment,
}
