//! Sessions and their runs, as the user sees them.

use crate::{
    CallRecord, JsonMap, Moment, RunEvent, RunId, RunStatus, Segment, SegmentId, SessionId, Usage, UserError,
    Wait,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SessionSummary {
    pub id: SessionId,
    /// The first question, shortened.
    pub title: String,
    #[ts(type = "string")]
    pub created: Moment,
    #[ts(type = "string")]
    pub updated: Moment,
    /// Number of questions; versions of a question count once.
    pub questions: u32,
    /// The text around a search's match, in a result of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub excerpt: Option<String>,
    /// Runs of the session that wait for the user.
    pub waiting: u32,
    /// The assistant that it is held with, unless it is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub assistant: Option<String>,
}

/// A session as it is shown: one version of each question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SessionDetail {
    pub summary: SessionSummary,
    pub segments: Vec<Segment>,
    /// Answers that were sent back to the model and do not count: others took their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<SegmentId>>", optional)]
    pub withdrawn: Vec<SegmentId>,
    pub calls: Vec<CallRecord>,
    pub runs: Vec<RunSummary>,
    /// The same as the events that the runs sent, for windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<RunEvent>>", optional)]
    pub events: Vec<RunEvent>,
    #[ts(type = "Record<string, unknown>")]
    pub variables: JsonMap,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSummary {
    pub id: RunId,
    /// The run that this one follows; `None` for the first of its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<RunId>,
    /// All versions of the same question, this run among them, oldest first; empty without other versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<RunId>>", optional)]
    pub versions: Vec<RunId>,
    /// The status of the run; `None` while the run is at work.
    pub status: Option<RunStatus>,
    pub reason: Option<String>,
    /// The error of a failed run, with its remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<UserError>,
    pub usage: Usage,
    pub offline: bool,
    pub waiting: Vec<WaitingCard>,
    /// The cause for which the model's answer waits at present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub awaiting: Option<Wait>,
    /// The `seq` of the run's last sent event; later events have a higher one.
    pub seq: u32,
}

/// A card that waits for the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WaitingCard {
    pub event: RunEvent,
}
