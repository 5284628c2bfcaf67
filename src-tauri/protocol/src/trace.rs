//! Traces (F12.1): the steps of a run, in OpenTelemetry's GenAI names where there are any.

use crate::{JsonMap, Moment, RunId, RunStatus, SessionId, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The runs that a listing shows, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct TraceQuery {
    pub limit: u32,
    /// Only runs older than this one: the next page.
    pub before: Option<RunId>,
    /// Text that the question, the reason of the end, or the name of a step must contain; empty takes all.
    pub text: String,
    pub outcome: Option<TraceOutcome>,
}

/// The outcome of a run, as a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TraceOutcome {
    AtWork,
    Waiting,
    Completed,
    /// The run failed, or gave up with its reasons.
    Failed,
    Cancelled,
}

/// One run in a listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TraceSummary {
    pub run: RunId,
    pub session: SessionId,
    pub question: String,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "number")]
    pub ms: u64,
    pub status: Option<RunStatus>,
    pub usage: Usage,
    /// Whether nobody works on an unfinished run: the process ended in its middle.
    #[serde(default)]
    pub interrupted: bool,
    /// Why the run ended or rests, where its status does not say enough.
    #[serde(default)]
    pub reason: Option<String>,
    /// Whether the offline planner answered.
    #[serde(default)]
    pub offline: bool,
    /// Number of calls to toolkits.
    #[serde(default)]
    pub tool_calls: u32,
    /// Number of kept steps; 0 when they were dropped by age, or never kept.
    #[serde(default)]
    pub steps: u32,
    /// The area at work now, or last: `perception`, `cognition`, `motor`, `expression`, `evaluation`.
    #[serde(default)]
    pub area: Option<String>,
    /// The round of that area, from 1.
    #[serde(default)]
    pub round: Option<u32>,
    /// For a run that its session does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<TraceVersion>,
}

/// Which version of its question a run is, of how many. 1 of 1 where the run follows one that is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TraceVersion {
    /// From 1.
    pub at: u32,
    pub of: u32,
}

/// The performance of one model, one tool, or all programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StepStatistics {
    pub what: StepKind,
    /// `PROVIDER:MODEL`, `TOOLKIT.METHOD`, or `python`.
    pub name: String,
    #[ts(type = "number")]
    pub count: u64,
    #[ts(type = "number")]
    pub failed: u64,
    /// Classes of failures, commonest first.
    pub errors: Vec<(String, u32)>,
    /// Milliseconds without the waits for people: the median, and the 95th percentile.
    #[ts(type = "number")]
    pub median_ms: u64,
    #[ts(type = "number")]
    pub p95_ms: u64,
    /// For models: tokens in and out, and US dollars where prices are known.
    #[ts(type = "number")]
    pub input: u64,
    #[ts(type = "number")]
    pub output: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// For programs: milliseconds of processor time in all, and the most memory that one held.
    #[ts(type = "number")]
    pub cpu_ms: u64,
    #[ts(type = "number")]
    pub memory_bytes: u64,
}

/// The kind of the counted steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum StepKind {
    Model,
    Program,
    Tool,
}

/// One step of a run with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Span {
    pub id: u32,
    pub parent: Option<u32>,
    /// `invoke_agent`, `chat`, `text_completion` and `execute_tool` as in the conventions; `area`, `act` and
    /// `run_program` are our own.
    pub operation: String,
    pub name: String,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "number")]
    pub ms: u64,
    /// Whether the step was still under way when it was recorded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub open: bool,
    #[ts(type = "Record<string, unknown>")]
    pub attributes: JsonMap,
}
