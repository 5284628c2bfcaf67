//! A finished run replayed with other inputs (F5.7): what is asked for, and what would differ.

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
    /// Other values for what its programs assign, as JSON or as text.
    #[serde(default)]
    pub inputs: std::collections::BTreeMap<String, String>,
}

/// What a replay would do, before it does anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayPreview {
    /// The run, by its whole id.
    pub run: RunId,
    /// What can be changed, in the order in which the programs assign it.
    pub inputs: Vec<ReplayInput>,
    /// The programs that will run, in their order.
    pub programs: Vec<ReplayProgram>,
    /// What the run called then, each tool once; it is asked for anew where it must be.
    pub calls: Vec<ReplayCall>,
}

/// A value that can be another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplayInput {
    pub name: String,
    /// What it was.
    #[ts(type = "unknown")]
    pub value: Value,
}

/// A program as it ran and as it will run: line by line the same but for its inputs.
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
