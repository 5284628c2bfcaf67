//! What lives inside a session beside its conversation: variables of its programs and background jobs.

use crate::{Moment, RunId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What to do with the variables of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum VariableDeed {
    List,
    /// Takes one away, from the record and from the worker that holds it.
    Delete {
        name: String,
    },
}

/// What to do with the background jobs of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum JobDeed {
    List,
    Stop { job: String },
}

/// How a background job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JobState {
    Running,
    Ended,
    /// Whatever watched it is gone.
    Lost,
}

/// A background job as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JobView {
    pub id: String,
    pub session: SessionId,
    pub run: RunId,
    pub command: String,
    pub state: JobState,
    /// How it ended: `exited`, `stopped`, `timed_out`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub how: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exit_code: Option<i32>,
    #[ts(type = "string")]
    pub began: Moment,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub ended: Option<Moment>,
    /// The last lines that it printed.
    pub lines: String,
}
