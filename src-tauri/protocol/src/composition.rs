//! How parts of prompts fared (F12.5): counts by kind of task, by which prompts are composed. They hold no text of any
//! task.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of a task, by what goes along with its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TaskKind {
    /// The question alone.
    Plain,
    /// Files or pictures.
    Attached,
    /// A page of the browser, or what is selected.
    Page,
    /// A granted folder.
    Folder,
}

/// What a part of a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PromptPartKind {
    /// The text of a toolkit, which may stand as one line.
    Toolkit,
    /// A module of the system prompt that not every task has.
    Module,
}

/// A part of prompts in one assistant's tasks of one kind. Counted are the last tasks that ended by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PromptPartCounts {
    pub assistant: String,
    pub kind: TaskKind,
    pub what: PromptPartKind,
    /// The toolkit, or the module.
    pub part: String,
    /// Tokens of the part, and of the line that may stand for it, as estimated last.
    pub tokens: u32,
    pub line_tokens: u32,
    /// Tasks whose prompt held the part whole. Of these, those that used it, and those that were done.
    pub whole: u32,
    pub used: u32,
    pub done: u32,
    /// Tasks whose prompt held its line. Of these, those that asked for the part or used it, and those that were done.
    pub short: u32,
    pub asked: u32,
    pub short_done: u32,
    /// All tasks of that kind whose prompts can be compared, and those that were done.
    pub tasks: u32,
    pub tasks_done: u32,
    /// Tokens of the last prompt that had the part, with all parts whole and without the transcript.
    pub prompt_tokens: u32,
}

/// What counts say of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PartStanding {
    /// It is never shortened.
    Kept,
    /// Too few tasks are counted.
    Unmeasured,
    /// It may be used more often than a line is worth.
    Used,
    /// Its line stood there, and a task asked for the part.
    AskedBack,
    /// Tasks failed more often with its line.
    FailedMore,
    /// Its line is enough.
    Short,
}

/// A part with its counts and what they say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PromptPartFigures {
    pub counts: PromptPartCounts,
    pub standing: PartStanding,
}

/// What the prompt of one task came to when the task ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredPrompt {
    pub assistant: String,
    pub kind: TaskKind,
    pub done: bool,
    /// With all parts whole, and without the transcript.
    pub tokens: u32,
    pub parts: Vec<MeasuredPart>,
}

/// A part of that prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredPart {
    pub what: PromptPartKind,
    pub part: String,
    pub tokens: u32,
    pub line_tokens: u32,
    /// Its line stood in its place.
    pub is_short: bool,
    /// The task called it, or asked for its description.
    pub is_used: bool,
}

/// Why a line stands in a part's place, for the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShortenedPart {
    /// Tasks of this kind that used it, of so many.
    pub used: u32,
    pub of: u32,
    /// Tokens that the line saves.
    pub saved: u32,
}

impl TaskKind {
    /// The name that files have of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Attached => "attached",
            Self::Page => "page",
            Self::Folder => "folder",
        }
    }
}

impl PromptPartCounts {
    /// Tokens that its line saves.
    #[must_use]
    pub fn saved(&self) -> u32 {
        self.tokens.saturating_sub(self.line_tokens)
    }

    /// Tasks whose prompt did not hold the part whole, and those of them that were done. A toolkit stood there as its line:
    /// tasks from before it was added say nothing of it.
    #[must_use]
    pub fn without(&self) -> (u32, u32) {
        match self.what {
            PromptPartKind::Toolkit => (self.short, self.short_done),
            PromptPartKind::Module => (
                self.tasks.saturating_sub(self.whole),
                self.tasks_done.saturating_sub(self.done),
            ),
        }
    }
}
