//! The small overwritten state of a run: ids and counters only. Everything else is in segments and calls.

use serde::{Deserialize, Serialize};
use shidi_protocol::{CallId, ExecId, Moment, RunStatus, SegmentId, TodoItem, ToolkitSpec, Usage, UserError};

/// Where a run stands (F3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Created; nothing was asked yet, or the fast model is asked what the user means.
    Perceiving,
    /// The model is asked.
    Thinking,
    /// The model is asked for the middle of a program (*FIM*).
    Writing,
    /// The fast model is asked whether the answer does what was asked.
    Checking,
    /// The fast model is asked for a summary of what came before.
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

/// What a record of an earlier version has: it begins to count when it is taken up.
fn epoch() -> Moment {
    Moment::default()
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
    /// The answer that is given unless a better one comes: it is being judged, or was sent back.
    #[serde(default, alias = "checked_answer")]
    pub standing_answer: Option<String>,
    /// Whether the user has said something since that answer: it is not the answer to all they said.
    #[serde(default)]
    pub outdated: bool,
    /// Whether the user has said something since the model was last asked what to do.
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
    /// Summaries in a row that could not be had.
    #[serde(default)]
    pub summaries_failed: u32,
    /// Times that the fast model had no place for what it was to sum up, since it was last asked.
    #[serde(default)]
    pub summary_overflows: u32,
    /// Times that the model found a prompt too long which we had taken for short enough.
    #[serde(default)]
    pub overflows: u32,
    /// What programs came to, each as a number, and how often the newest one has come to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came_to: Vec<u64>,
    #[serde(default)]
    pub same_outcomes: usize,
    /// The steps of the task, and the round in which they were last set or called to mind.
    #[serde(default)]
    pub todo: Vec<TodoItem>,
    #[serde(default)]
    pub todo_round: u32,
    /// Toolkits that come and go, as the program under way found them: it goes on with these after a restart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub borrowed: Vec<ToolkitSpec>,
    /// Whether the run has read something that the user did not write.
    pub tainted: bool,
    /// `zh` or `en`: the language to answer in.
    pub language: String,
    /// The language that the program itself speaks to this user: of errors, and of why a run ended or waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<String>,
    pub usage: Usage,
    pub started: Moment,
    /// When the present stretch of work began, and milliseconds of those before it.
    #[serde(default = "epoch")]
    pub stretch: Moment,
    #[serde(default)]
    pub worked_ms: u64,
    /// `None` while at work.
    pub status: Option<RunStatus>,
    pub reason: Option<String>,
    /// For a failed run: what to show, with its remedy.
    #[serde(default)]
    pub error: Option<UserError>,
}

impl RunState {
    /// The language of the interface; where it is not known, that of the task.
    #[must_use]
    pub fn interface(&self) -> &str {
        self.interface.as_deref().unwrap_or(&self.language)
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
            came_to: Vec::new(),
            same_outcomes: 0,
            todo: Vec::new(),
            todo_round: 0,
            borrowed: Vec::new(),
            tainted: false,
            language: "en".to_owned(),
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
