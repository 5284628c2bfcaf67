//! Replaying a finished run with other inputs (F5.7): the request, and a preview of the differences.

use crate::{Class, RunId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A finished run with other inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct Replay {
    pub run: RunId,
    /// Other values for variables that the programs assign, as JSON or as text.
    #[serde(default)]
    pub inputs: std::collections::BTreeMap<String, String>,
}

/// The effects of a replay, told before it begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayPreview {
    /// The run, by its whole id.
    pub run: RunId,
    /// Values that can be changed, in the order in which the programs assign them.
    pub inputs: Vec<ReplayInput>,
    /// The programs that will run, in their order.
    pub programs: Vec<ReplayProgram>,
    /// Tools that the run called, each once; calls are made anew where they must be.
    pub calls: Vec<ReplayCall>,
}

/// A value that a replay can change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayInput {
    pub name: String,
    /// The value in the original run.
    #[ts(type = "unknown")]
    pub value: Value,
}

/// A program as it ran and as it will run: equal line by line, except for its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayProgram {
    pub before: String,
    pub after: String,
}

/// A tool that the run called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayCall {
    /// `toolkit.method`
    pub tool: String,
    pub class: Class,
    pub times: u32,
}
