//! Segments: the unit of transcripts, prompts and the record (F4.1). Each holds a typed body.
//!
//! A body is data: nothing here is written as a model reads it. The words for models come from the mind's renderer
//! alone. So no page, file or result can close the frame that it stands in.

mod body;
pub mod earlier;

pub use body::{Body, ContextPiece, RecallMark, ShownCard, SummaryBody};

use crate::{ExecId, Moment, RunId, SegmentId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
    /// What stands in the place of earlier segments.
    Summary,
    /// The segment up to which long outputs are shortened.
    Cut,
    /// A card that a program showed.
    Card,
    /// The records that memory brought in.
    Recalled,
    /// What a pointing word of the question means.
    Understood,
    /// The mark that an answer broke off.
    Stopped,
    /// A kind of a newer version, or of an extension.
    Custom(String),
}

/// All kinds with a name of their own.
const NAMED: [SegmentKind; 20] = [
    SegmentKind::User,
    SegmentKind::Context,
    SegmentKind::Knowledge,
    SegmentKind::Experience,
    SegmentKind::Thought,
    SegmentKind::Python,
    SegmentKind::Output,
    SegmentKind::Express,
    SegmentKind::Evaluation,
    SegmentKind::NextGoal,
    SegmentKind::Round,
    SegmentKind::Message,
    SegmentKind::Notification,
    SegmentKind::Reminder,
    SegmentKind::Summary,
    SegmentKind::Cut,
    SegmentKind::Card,
    SegmentKind::Recalled,
    SegmentKind::Understood,
    SegmentKind::Stopped,
];

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
            Self::Cut => "Cut",
            Self::Card => "Card",
            Self::Recalled => "Recalled",
            Self::Understood => "Understood",
            Self::Stopped => "Stopped",
            Self::Custom(name) => name,
        }
    }

    /// The kind of that name; names that are none of ours become [`SegmentKind::Custom`].
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let known = NAMED.iter().find(|known| known.name() == name);
        known.map_or_else(|| Self::Custom(name.to_owned()), Self::clone)
    }

    /// The names of all kinds, as a model may read or imitate them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(Self::name)
    }
}

/// One entry of a session's transcript. Append-only: never changed once written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Segment {
    pub id: SegmentId,
    pub run: RunId,
    #[serde(flatten)]
    pub body: Body,
    /// The execution of the segment's program or output.
    pub exec: Option<ExecId>,
    /// Round of the coding loop, from 1; 0 before the first.
    pub round: u32,
    /// Whether the run had read foreign text when the segment was written (DESIGN §8).
    pub tainted: bool,
    #[ts(type = "string")]
    pub time: Moment,
}

impl Segment {
    #[must_use]
    pub fn kind(&self) -> SegmentKind {
        self.body.kind()
    }

    #[must_use]
    pub fn is(&self, kind: &SegmentKind) -> bool {
        self.kind() == *kind
    }

    /// The words of the segment, without what stands around them.
    #[must_use]
    pub fn text(&self) -> &str {
        self.body.text()
    }

    /// For an output: whether its program failed or was refused.
    #[must_use]
    pub fn failed(&self) -> bool {
        matches!(self.body, Body::Output { failed: true, .. })
    }
}

#[cfg(test)]
mod tests;
