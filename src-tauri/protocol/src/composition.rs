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
    /// A module of the prompt that not every task has.
    Module,
    /// A worked example of a small model's prompt, which may be left out.
    Example,
}

/// Modules whose use can be counted: a skill is loaded, a lesson's tool is called. Of the others nobody can tell.
const MODULES_WITH_USE: [&str; 2] = ["skills", "experience"];

/// A part of prompts in one assistant's tasks of one kind. Counted are the last tasks that ended by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PromptPartCounts {
    pub assistant: String,
    pub kind: TaskKind,
    pub what: PromptPartKind,
    /// The toolkit, the module, or the example.
    pub part: String,
    /// Tokens of the part, and of the line that may stand for it, as estimated last. Nothing stands for what is left out.
    pub tokens: u32,
    pub line_tokens: u32,
    /// Tasks whose prompt held the part whole. Of these, those that used it, and those that were done.
    pub whole: u32,
    pub used: u32,
    pub done: u32,
    /// Tasks whose prompt held its line, or left it out. Of these, those that asked for it or used it, and those that were
    /// done.
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
    /// A task whose prompt was without it asked for it, or would have used it.
    AskedBack,
    /// Tasks failed more often without it.
    FailedMore,
    /// Its line is enough.
    Short,
    /// Next to no task uses it, so one in a few goes without it, and is compared.
    Tried,
    /// It is left out: tasks without it came out no worse.
    LeftOut,
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
    /// Its line stood in its place, or nothing did.
    pub is_short: bool,
    /// The task used it, asked for it, or may have done so.
    pub is_used: bool,
}

/// Why a line stands in a part's place, or nothing, for the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShortenedPart {
    /// Tasks of this kind that used it, of so many.
    pub used: u32,
    pub of: u32,
    /// Tokens that are saved.
    pub saved: u32,
    /// How it stands with a part that is left out; of a line, nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOutPart>,
}

/// What speaks for leaving a part out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutPart {
    /// Whether it is left out to be compared, and not since the comparison is made.
    pub is_trial: bool,
    /// Tasks of this kind without it so far.
    pub without: u32,
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
    /// Tokens that its line saves, or its absence.
    #[must_use]
    pub fn saved(&self) -> u32 {
        self.tokens.saturating_sub(self.line_tokens)
    }

    /// Whether its use is counted.
    #[must_use]
    pub fn has_use(&self) -> bool {
        match self.what {
            PromptPartKind::Toolkit | PromptPartKind::Example => true,
            PromptPartKind::Module => MODULES_WITH_USE.contains(&self.part.as_str()),
        }
    }

    /// Tasks whose prompt did not hold the part whole, and those of them that were done. Where it was shortened, these are
    /// compared: tasks from before it was there say nothing of it. Of a module that never was, all tasks without it.
    #[must_use]
    pub fn without(&self) -> (u32, u32) {
        match self.what {
            PromptPartKind::Toolkit | PromptPartKind::Example => (self.short, self.short_done),
            PromptPartKind::Module if self.short > 0 => (self.short, self.short_done),
            PromptPartKind::Module => (
                self.tasks.saturating_sub(self.whole),
                self.tasks_done.saturating_sub(self.done),
            ),
        }
    }
}
