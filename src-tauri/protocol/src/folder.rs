//! Folders that the programs of a session may work in, and granting them.

use crate::macros::requests;
use crate::{SessionId, UserError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about work folders. Replies: `Folders` as they are afterwards.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    FolderRequest as folders, through |action| crate::Request::Folders { action };
    /// Lists the work folders of a session, or looks at those that a new one is to have.
    List {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
        /// Absolute paths that no session has yet.
        paths: Vec<String>,
    } -> Folders,
    /// Grants a folder to a session, at once for its runs too. A file, or a path that is not there yet, stands for the
    /// folder that it is in.
    Grant { session: SessionId, path: String } -> Folders,
    /// Takes a folder back from a session, at once.
    Withdraw { session: SessionId, path: String } -> Folders,
}

/// A folder whose files programs may change, and in which commands may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkFolder {
    /// The absolute path, with all links followed.
    pub path: String,
    /// Names of files in it that say how to work there; they go along with the first question.
    pub project_files: Vec<String>,
}

/// The work folders of one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkFolders {
    pub folders: Vec<WorkFolder>,
    /// The folders of other sessions that still exist, newest first.
    pub recent: Vec<String>,
    /// Why commands can't run in them here, with the remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unconfined: Option<UserError>,
}
