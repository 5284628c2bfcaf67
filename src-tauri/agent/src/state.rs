//! The small state of a run, overwritten at every write. The state holds ids, counters, and whatever segments and
//! calls do not tell after a restart.

use serde::{Deserialize, Serialize};
use shidi_locales::Language;
use shidi_protocol::{
    CallId, ExecId, Moment, RunStatus, SegmentId, ShortenedPart, TaskKind, TodoItem, ToolkitSpec, Usage,
    UserError,
};
use std::collections::BTreeMap;

/// Where a run stands (F3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The run was created, or the fast model is asked for the meaning of the user's words.
    Perceiving,
    /// The model is asked for its next action.
    Thinking,
    /// The model is asked for the middle of a program (*FIM*).
    Writing,
    /// The fast model is asked whether the answer meets the task.
    Checking,
    /// The fast model is asked for a summary of earlier steps.
    Condensing,
    /// A program runs, or waits within a call.
    Running {
        exec: ExecId,
    },
    Ended,
}

/// The two settings of the one coding loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// One round: thought, code, run, express.
    Planner,
    /// Rounds with sub-goal and evaluation, until done or given up.
    Executor,
}

/// The value for a record of an earlier version, which had none. Time counts from the moment the run is taken up.
fn epoch() -> Moment {
    Moment::default()
}

/// The module of earlier runs' lessons.
pub const LESSONS: &str = "experience";

/// How the prompts of one task are composed: chosen for its first request, and the same to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComposedPrompt {
    pub kind: TaskKind,
    /// The toolkits that stand as one line, by name, and why. The one of skills stands for the list of them.
    pub short: BTreeMap<String, ShortenedPart>,
    /// The modules and examples that are left out, by name, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, ShortenedPart>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    pub phase: Phase,
    pub setting: Setting,
    /// From 1.
    pub round: u32,
    pub last_segment: SegmentId,
    pub last_exec: ExecId,
    pub last_call: CallId,
    /// Answers given to the program under way.
    pub answers: u32,
    pub corrections: u32,
    pub retriggers: u32,
    /// Answers that the fast model was asked to judge.
    #[serde(default)]
    pub checks: u32,
    /// The answer that is given unless a better one comes. A judge reads the answer, or the task was sent back
    /// after it.
    #[serde(default, alias = "checked_answer")]
    pub standing_answer: Option<String>,
    /// Whether the user has said something since the standing answer was written.
    #[serde(default)]
    pub outdated: bool,
    /// Whether the user has said something since the model was last asked for its next action.
    #[serde(default)]
    pub unheard: bool,
    /// Whether the task needs programs, so that the coder goes on with it.
    #[serde(default)]
    pub is_coders: bool,
    /// Whether a program asked for a compaction, to be made before the model is asked again.
    #[serde(default)]
    pub compaction_asked: bool,
    /// Whether the run is there for a compaction alone.
    #[serde(default)]
    pub only_compacts: bool,
    /// Failed summaries in a row.
    #[serde(default)]
    pub summaries_failed: u32,
    /// Times in a row that a summary request was too long for the fast model.
    #[serde(default)]
    pub summary_overflows: u32,
    /// Times in a row that the model found a prompt too long that our count had found short enough.
    #[serde(default)]
    pub overflows: u32,
    /// The last segment of what the question has nothing to do with: an outline stands for all up to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_behind: Option<SegmentId>,
    /// Tokens that the outline saved when it was made; the trace tells them as long as it stands.
    #[serde(default)]
    pub left_behind_tokens: u32,
    /// How the prompts of the task are composed, from its first request on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composed: Option<ComposedPrompt>,
    /// Outcomes of programs, each as a number, and how often the newest outcome has come.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came_to: Vec<u64>,
    #[serde(default)]
    pub same_outcomes: usize,
    /// The steps of the task, and the round in which they were last set or called to mind.
    #[serde(default)]
    pub todo: Vec<TodoItem>,
    #[serde(default)]
    pub todo_round: u32,
    /// Toolkits that come and go, as the program under way found them: after a restart it goes on with these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned_toolkits: Vec<ToolkitSpec>,
    /// Whether the run has read something that the user did not write.
    pub tainted: bool,
    /// The code of the language to answer in.
    pub language: String,
    /// The language of our own messages to this user: errors, and why a run ended or waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    pub usage: Usage,
    pub started: Moment,
    /// The time when the present stretch of work began, and milliseconds of the earlier stretches.
    #[serde(default = "epoch")]
    pub stretch: Moment,
    #[serde(default)]
    pub worked_ms: u64,
    /// `None` while the run is at work.
    pub status: Option<RunStatus>,
    pub reason: Option<String>,
    /// The error of a failed run, with its remedy.
    #[serde(default)]
    pub error: Option<UserError>,
}

impl RunState {
    /// The language of the interface; where none is known, the language of the task.
    #[must_use]
    pub fn interface(&self) -> &str {
        self.interface.as_deref().unwrap_or(&self.language)
    }

    /// Whether the lessons that fit were left out of the prompts, so that the outcome says nothing of them.
    #[must_use]
    pub fn is_without_lessons(&self) -> bool {
        let mut composed = self.composed.iter();
        composed.any(|composed| composed.left_out.contains_key(LESSONS))
    }

    /// Whether there is a standing answer that knows all the user's words.
    #[must_use]
    pub fn has_current_answer(&self) -> bool {
        self.standing_answer.is_some() && !self.outdated && !self.unheard
    }

    /// The state of a run that begins after `last_segment` of its session.
    #[must_use]
    pub fn new(started: Moment, last_segment: SegmentId) -> Self {
        Self {
            phase: Phase::Perceiving,
            setting: Setting::Planner,
            round: 1,
            last_segment,
            last_exec: ExecId(0),
            last_call: CallId(0),
            answers: 0,
            corrections: 0,
            retriggers: 0,
            checks: 0,
            standing_answer: None,
            outdated: false,
            unheard: false,
            is_coders: false,
            compaction_asked: false,
            only_compacts: false,
            summaries_failed: 0,
            summary_overflows: 0,
            overflows: 0,
            left_behind: None,
            left_behind_tokens: 0,
            composed: None,
            came_to: Vec::new(),
            same_outcomes: 0,
            todo: Vec::new(),
            todo_round: 0,
            pinned_toolkits: Vec::new(),
            tainted: false,
            language: Language::SOURCE.code().to_owned(),
            interface: None,
            usage: Usage::default(),
            started,
            stretch: started,
            worked_ms: 0,
            status: None,
            reason: None,
            error: None,
        }
    }
}
