//! Sessions and their runs as the user sees them.

use crate::{
    CallRecord, JsonMap, Moment, RunEvent, RunId, RunStatus, Segment, SessionId, Usage, UserError, Wait,
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
    /// Number of questions.
    pub questions: u32,
    /// Where a search found its words, if this is an answer to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub excerpt: Option<String>,
    /// Runs of it that wait for the user.
    pub waiting: u32,
}

/// A whole session: enough to draw it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SessionDetail {
    pub summary: SessionSummary,
    pub segments: Vec<Segment>,
    pub calls: Vec<CallRecord>,
    pub runs: Vec<RunSummary>,
    #[ts(type = "Record<string, unknown>")]
    pub variables: JsonMap,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSummary {
    pub id: RunId,
    /// `None` while it is at work.
    pub status: Option<RunStatus>,
    pub reason: Option<String>,
    /// For a failed one: what to show, with its remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<UserError>,
    pub usage: Usage,
    pub offline: bool,
    pub waiting: Vec<WaitingCard>,
    /// What its model's answer waits for just now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub awaiting: Option<Wait>,
    /// The last event of it that was sent; later ones have a higher `seq`.
    pub seq: u32,
}

/// Something that waits for the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WaitingCard {
    pub event: RunEvent,
}
