//! The dashboard (F12.2): how tasks, models and tools fared over time, in figures of what is kept.

mod csv;

use crate::macros::requests;
use crate::{PromptPartFigures, StepKind};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about the dashboard. Days are those of the user's calendar, today the last.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    DashboardRequest as dashboard, through |action| crate::Request::Dashboard { action };
    /// Counts what is kept of the last days.
    Show { days: u32 } -> Dashboard,
    /// Writes the same figures as comma-separated values into that file, replacing its content.
    Export { days: u32, path: String } -> DashboardFile,
}

/// The figures of a period. Sub-agents are parts of the runs that asked them, and replays are left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Dashboard {
    /// One for each day, oldest first, those on which nothing was asked too.
    pub days: Vec<DashboardDay>,
    pub period: RunFigures,
    /// Of as many days before the period.
    pub before: RunFigures,
    /// Most used first.
    pub models: Vec<ModelFigures>,
    /// Most used first.
    pub tools: Vec<ToolFigures>,
    /// Commonest first.
    pub errors: Vec<ErrorFigures>,
    pub recall: Vec<RecallFigures>,
    /// How parts of prompts fared, over the last tasks of each kind whatever the period.
    #[serde(default)]
    pub parts: Vec<PromptPartFigures>,
    /// Number of rarer models, tools and errors that are not listed.
    pub left_out: u32,
    /// Whether there are more runs or steps than are counted; the newest are.
    pub is_cut: bool,
    /// Days for which steps are kept. Models, tools, errors and times are counted from steps.
    pub steps_kept_days: u32,
}

/// What runs came to. A run counts on the day on which it began.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunFigures {
    pub completed: u32,
    pub gave_up: u32,
    pub failed: u32,
    pub cancelled: u32,
    /// Runs at work, waiting, or interrupted.
    pub unfinished: u32,
    #[ts(type = "number")]
    pub model_calls: u64,
    #[ts(type = "number")]
    pub input: u64,
    /// The part of `input` that providers had in their caches.
    #[ts(type = "number")]
    pub cached: u64,
    #[ts(type = "number")]
    pub output: u64,
    /// US dollars, as far as prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// The times of runs that are over, without the waits for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<Times>,
}

/// Milliseconds within which half, and 95 of 100, were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Times {
    #[ts(type = "number")]
    pub median_ms: u64,
    #[ts(type = "number")]
    pub p95_ms: u64,
}

/// The figures of one day.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DashboardDay {
    /// `2026-11-29`.
    pub day: String,
    pub runs: RunFigures,
    /// The times of answers of models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model_times: Option<Times>,
}

/// How one model fared.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelFigures {
    pub provider: String,
    pub model: String,
    /// The name of its steps, by which traces are found.
    pub step: String,
    pub calls: u32,
    pub failed: u32,
    #[ts(type = "number")]
    pub input: u64,
    #[ts(type = "number")]
    pub cached: u64,
    #[ts(type = "number")]
    pub output: u64,
    /// US dollars, as far as prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// The times of whole answers; failures are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<Times>,
    /// Tokens of answers in a second, the wait for the first one included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tokens_per_second: Option<f64>,
}

/// How one tool fared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolFigures {
    /// `TOOLKIT.METHOD`.
    pub tool: String,
    pub calls: u32,
    /// Calls that failed although they were allowed.
    pub failed: u32,
    /// Calls that the user, a rule or the task's own bounds refused.
    pub refused: u32,
    /// The times of calls that succeeded, without the waits for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<Times>,
}

/// How often steps of one kind failed in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ErrorFigures {
    pub what: StepKind,
    pub class: String,
    pub count: u32,
    /// The name of the step to which it happened most.
    pub step: String,
}

/// How runs came out in which something was recalled, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecallFigures {
    pub of: Recalled,
    /// How many pieces were brought in.
    pub pieces: u32,
    pub completed: u32,
    /// Runs that failed or gave up.
    pub not_done: u32,
}

/// What was brought into a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Recalled {
    Experience,
    Memory,
    Nothing,
}

impl RunFigures {
    /// All runs.
    #[must_use]
    pub fn runs(&self) -> u32 {
        self.completed + self.gave_up + self.failed + self.cancelled + self.unfinished
    }
}
