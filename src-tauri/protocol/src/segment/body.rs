//! The content of a segment, by its kind.

use super::SegmentKind;
use crate::{ContextItem, MemoryKind, ScoreParts, SegmentId, tokens};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The content of a segment; its kind is the tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind")]
#[ts(export)]
pub enum Body {
    User {
        text: String,
    },
    Context(ContextPiece),
    Knowledge {
        text: String,
    },
    Experience {
        text: String,
    },
    Thought {
        text: String,
    },
    Python {
        text: String,
    },
    Output {
        /// What it printed, its value and its error; empty when it left none of them.
        text: String,
        /// Whether the program failed or was refused.
        #[serde(default)]
        failed: bool,
    },
    Express {
        text: String,
    },
    Evaluation {
        text: String,
    },
    NextGoal {
        text: String,
    },
    Round {
        text: String,
    },
    Message {
        text: String,
    },
    Notification {
        text: String,
    },
    Reminder {
        text: String,
    },
    Summary(SummaryBody),
    Cut {
        /// The last segment whose output is shortened.
        through: SegmentId,
    },
    Card(ShownCard),
    Recalled {
        marks: Vec<RecallMark>,
    },
    Understood {
        text: String,
    },
    Stopped {
        text: String,
    },
    Custom {
        name: String,
        text: String,
    },
}

/// One piece of context: an attached file, a page, a recalled note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ContextPiece {
    /// `file`, `page`, `selection`, `memory`, …
    pub source: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
    /// The words of the piece.
    pub text: String,
    /// Whether somebody other than the user wrote the piece.
    #[serde(default)]
    pub untrusted: bool,
}

impl ContextPiece {
    /// The piece as people are told of it.
    #[must_use]
    pub fn item(&self) -> ContextItem {
        ContextItem {
            source: self.source.clone(),
            title: self.title.clone(),
            url: self.url.clone(),
            tokens: tokens::estimate(&self.text),
        }
    }
}

/// What stands in the place of earlier segments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SummaryBody {
    /// The last segment that is covered.
    pub through: SegmentId,
    /// Segments up to it that stay as they are: the user's own words.
    pub kept: Vec<SegmentId>,
    pub text: String,
}

/// A card that a program showed to the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShownCard {
    pub card_id: String,
    /// `table`, `chart`, `files`, `links`.
    pub card: String,
    /// The line that the model reads in place of the data.
    pub text: String,
    #[ts(type = "unknown")]
    pub data: Value,
}

/// A record that memory brought in, and why. Its words are left out, so that an erased record leaves none behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecallMark {
    /// Of a record, or `SESSION/SEGMENT` of a question that was asked about the page at hand.
    pub id: String,
    pub kind: MemoryKind,
    pub score: f64,
    /// Share of the question's words that it holds, 0 to 1.
    pub coverage: f64,
    pub parts: ScoreParts,
}

impl Body {
    /// A body of nothing but words. Kinds that hold more than words get none of it.
    #[must_use]
    pub fn plain(kind: &SegmentKind, text: impl Into<String>) -> Self {
        let text = text.into();
        match kind {
            SegmentKind::User => Self::User { text },
            SegmentKind::Knowledge => Self::Knowledge { text },
            SegmentKind::Experience => Self::Experience { text },
            SegmentKind::Thought => Self::Thought { text },
            SegmentKind::Python => Self::Python { text },
            SegmentKind::Output => Self::Output { text, failed: false },
            SegmentKind::Express => Self::Express { text },
            SegmentKind::Evaluation => Self::Evaluation { text },
            SegmentKind::NextGoal => Self::NextGoal { text },
            SegmentKind::Round => Self::Round { text },
            SegmentKind::Message => Self::Message { text },
            SegmentKind::Notification => Self::Notification { text },
            SegmentKind::Reminder => Self::Reminder { text },
            SegmentKind::Understood => Self::Understood { text },
            SegmentKind::Stopped => Self::Stopped { text },
            SegmentKind::Context => Self::Context(ContextPiece {
                source: "context".to_owned(),
                text,
                ..ContextPiece::default()
            }),
            SegmentKind::Summary
            | SegmentKind::Cut
            | SegmentKind::Card
            | SegmentKind::Recalled
            | SegmentKind::Custom(_) => Self::Custom {
                name: kind.name().to_owned(),
                text,
            },
        }
    }

    #[must_use]
    pub fn kind(&self) -> SegmentKind {
        match self {
            Self::User { .. } => SegmentKind::User,
            Self::Context(_) => SegmentKind::Context,
            Self::Knowledge { .. } => SegmentKind::Knowledge,
            Self::Experience { .. } => SegmentKind::Experience,
            Self::Thought { .. } => SegmentKind::Thought,
            Self::Python { .. } => SegmentKind::Python,
            Self::Output { .. } => SegmentKind::Output,
            Self::Express { .. } => SegmentKind::Express,
            Self::Evaluation { .. } => SegmentKind::Evaluation,
            Self::NextGoal { .. } => SegmentKind::NextGoal,
            Self::Round { .. } => SegmentKind::Round,
            Self::Message { .. } => SegmentKind::Message,
            Self::Notification { .. } => SegmentKind::Notification,
            Self::Reminder { .. } => SegmentKind::Reminder,
            Self::Summary(_) => SegmentKind::Summary,
            Self::Cut { .. } => SegmentKind::Cut,
            Self::Card(_) => SegmentKind::Card,
            Self::Recalled { .. } => SegmentKind::Recalled,
            Self::Understood { .. } => SegmentKind::Understood,
            Self::Stopped { .. } => SegmentKind::Stopped,
            Self::Custom { name, .. } => SegmentKind::Custom(name.clone()),
        }
    }

    /// The words, without what stands around them; empty for bodies that hold none.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::User { text }
            | Self::Knowledge { text }
            | Self::Experience { text }
            | Self::Thought { text }
            | Self::Python { text }
            | Self::Output { text, .. }
            | Self::Express { text }
            | Self::Evaluation { text }
            | Self::NextGoal { text }
            | Self::Round { text }
            | Self::Message { text }
            | Self::Notification { text }
            | Self::Reminder { text }
            | Self::Understood { text }
            | Self::Stopped { text }
            | Self::Custom { text, .. } => text,
            Self::Context(piece) => &piece.text,
            Self::Summary(summary) => &summary.text,
            Self::Card(card) => &card.text,
            Self::Cut { .. } | Self::Recalled { .. } => "",
        }
    }

    /// Whether nothing but its words and its kind is in it.
    #[must_use]
    pub fn is_words(&self) -> bool {
        match self {
            Self::User { .. }
            | Self::Knowledge { .. }
            | Self::Experience { .. }
            | Self::Thought { .. }
            | Self::Python { .. }
            | Self::Express { .. }
            | Self::Evaluation { .. }
            | Self::NextGoal { .. }
            | Self::Round { .. }
            | Self::Message { .. }
            | Self::Notification { .. }
            | Self::Reminder { .. }
            | Self::Understood { .. }
            | Self::Stopped { .. } => true,
            Self::Output { .. }
            | Self::Context(_)
            | Self::Summary(_)
            | Self::Cut { .. }
            | Self::Card(_)
            | Self::Recalled { .. }
            | Self::Custom { .. } => false,
        }
    }

    /// The same body with other words in their place; what stands around them goes too, as of something erased.
    #[must_use]
    pub fn erased(&self, mark: &str) -> Self {
        match self {
            Self::Summary(summary) => Self::Summary(SummaryBody {
                text: mark.to_owned(),
                ..summary.clone()
            }),
            Self::Output { failed, .. } => Self::Output {
                text: mark.to_owned(),
                failed: *failed,
            },
            Self::Context(piece) => Self::Context(ContextPiece {
                source: piece.source.clone(),
                text: mark.to_owned(),
                untrusted: piece.untrusted,
                ..ContextPiece::default()
            }),
            Self::Card(_) => Self::Custom {
                name: SegmentKind::Card.name().to_owned(),
                text: mark.to_owned(),
            },
            Self::Recalled { .. } => Self::Recalled { marks: Vec::new() },
            Self::Cut { through } => Self::Cut { through: *through },
            other => Self::plain(&other.kind(), mark),
        }
    }
}
