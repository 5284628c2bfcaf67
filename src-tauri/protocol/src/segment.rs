//! Segments: `[Kind]: content`, the unit of prompts, transcripts and the record (F4.1).

use crate::{ExecId, Moment, RunId, SegmentId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of segments that tell of a break.
pub const STOPPED_SEGMENT: &str = "Stopped";

/// The kind of a segment. The model sees the same names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export)]
pub enum SegmentKind {
    /// The user's words.
    User,
    /// The user's surroundings: page, window, attachments.
    Context,
    Knowledge,
    Experience,
    /// The model's thoughts before it acted.
    Thought,
    /// A program that the model wrote.
    Python,
    /// A program's output, value or error.
    Output,
    /// Words to the user.
    Express,
    /// The model's judgement of the work so far.
    Evaluation,
    /// The goal of the next round.
    NextGoal,
    /// The head of a round of the executor.
    Round,
    Message,
    Notification,
    Reminder,
    Summary,
    Custom(String),
}

impl SegmentKind {
    /// The name as written in prompts and in the store.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User => "User",
            Self::Context => "Context",
            Self::Knowledge => "Knowledge",
            Self::Experience => "Experience",
            Self::Thought => "Thought",
            Self::Python => "Python",
            Self::Output => "Output",
            Self::Express => "Express",
            Self::Evaluation => "Evaluation",
            Self::NextGoal => "NextGoal",
            Self::Round => "Round",
            Self::Message => "Message",
            Self::Notification => "Notification",
            Self::Reminder => "Reminder",
            Self::Summary => "Summary",
            Self::Custom(name) => name,
        }
    }

    /// The kind of that name; names that are none of ours become [`SegmentKind::Custom`].
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "User" => Self::User,
            "Context" => Self::Context,
            "Knowledge" => Self::Knowledge,
            "Experience" => Self::Experience,
            "Thought" => Self::Thought,
            "Python" => Self::Python,
            "Output" => Self::Output,
            "Express" => Self::Express,
            "Evaluation" => Self::Evaluation,
            "NextGoal" => Self::NextGoal,
            "Round" => Self::Round,
            "Message" => Self::Message,
            "Notification" => Self::Notification,
            "Reminder" => Self::Reminder,
            "Summary" => Self::Summary,
            other => Self::Custom(other.to_owned()),
        }
    }
}

/// One entry of a session's transcript. Append-only: never changed once written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Segment {
    pub id: SegmentId,
    pub run: RunId,
    pub kind: SegmentKind,
    pub text: String,
    /// The execution of the segment's program or output.
    pub exec: Option<ExecId>,
    /// Round of the coding loop, from 1; 0 before the first.
    pub round: u32,
    /// Whether the run had read foreign text when the segment was written (DESIGN §8).
    pub tainted: bool,
    /// For an `Output`: whether its program failed or was refused.
    #[serde(default)]
    pub failed: bool,
    #[ts(type = "string")]
    pub time: Moment,
}
