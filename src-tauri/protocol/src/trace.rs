//! Traces (F12.1): what a run did, step by step, in OpenTelemetry's GenAI words as far as there are any.

use crate::{JsonMap, Moment, RunId, RunStatus, SessionId, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which runs a listing shows, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct TraceQuery {
    pub limit: u32,
    /// Only runs that are older than this one: the next page.
    pub before: Option<RunId>,
    /// What the question, the reason of the end, or the name of a step must contain; empty takes all.
    pub text: String,
    pub outcome: Option<TraceOutcome>,
}

/// How a run stands, as a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TraceOutcome {
    AtWork,
    Waiting,
    Completed,
    /// Failed, or given up with the reasons.
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
    /// Whether nobody works on it though it has not ended: the program was stopped in the middle.
    #[serde(default)]
    pub interrupted: bool,
    /// Why it ended or rests, when there is more to say than its status.
    #[serde(default)]
    pub reason: Option<String>,
    /// Whether the answers came from the offline planner.
    #[serde(default)]
    pub offline: bool,
    /// Calls of toolkits.
    #[serde(default)]
    pub tool_calls: u32,
    /// Steps that are kept; none when they were dropped by age, or never kept.
    #[serde(default)]
    pub steps: u32,
    /// The area that is or was at work last: `perception`, `cognition`, `motor`, `expression`, `evaluation`.
    #[serde(default)]
    pub area: Option<String>,
    /// The round of it, from 1.
    #[serde(default)]
    pub round: Option<u32>,
}

/// How one model, one tool, or programs as such fared.
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
    /// Milliseconds, waits for people left out: half took no longer, and 95 in a hundred.
    #[ts(type = "number")]
    pub median_ms: u64,
    #[ts(type = "number")]
    pub p95_ms: u64,
    /// Of models: tokens in and out, and US dollars where prices are known.
    #[ts(type = "number")]
    pub input: u64,
    #[ts(type = "number")]
    pub output: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// Of programs: milliseconds of the processor together, and the most that one held.
    #[ts(type = "number")]
    pub cpu_ms: u64,
    #[ts(type = "number")]
    pub memory_bytes: u64,
}

/// What is counted.
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
    /// `invoke_agent`, `chat`, `text_completion` and `execute_tool` as the conventions name them; `area`, `act` and
    /// `run_program` of our own.
    pub operation: String,
    pub name: String,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "number")]
    pub ms: u64,
    /// Whether it was still under way when it was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub open: bool,
    #[ts(type = "Record<string, unknown>")]
    pub attributes: JsonMap,
}
