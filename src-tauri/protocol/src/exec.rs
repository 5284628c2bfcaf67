//! Running one program of the user's own: the request, and its result.

use crate::{JsonMap, RunId, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct ExecRequest {
    pub program: String,
    /// The session to run in; `None` begins a new one.
    pub session: Option<SessionId>,
    /// Only checks the program.
    pub check: bool,
    pub limit_time_s: Option<u32>,
    pub limit_memory_mb: Option<u32>,
    /// `toolkit.method` (or `toolkit.*`) that may run without asking.
    pub allow: Vec<String>,
    pub folders: Vec<String>,
}

/// A program that stands in the place of a question: the run is that program, and no model is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenProgram {
    pub source: String,
    /// Seconds of wall clock, without the waits for people; `None` takes the bounds of a conversation's programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_time_s: Option<u32>,
    /// Mebibytes that the interpreter may hold; `None` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_memory_mb: Option<u32>,
}

/// Result of `shidi exec --json`; the names are a promise.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExecResult {
    pub ok: bool,
    /// The run that the program was; `None` where it was only checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
    #[ts(type = "unknown")]
    pub value: Value,
    pub stdout: String,
    #[ts(type = "Record<string, unknown>")]
    pub variables: JsonMap,
    /// Names of variables that have no JSON form.
    pub unstorable: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<ProgramError>,
    pub calls: Vec<ExecutedCall>,
    #[ts(type = "number")]
    pub ms: u64,
    #[ts(type = "number")]
    pub cpu_ms: u64,
    #[ts(type = "number")]
    pub memory_bytes: u64,
}

/// Why a program failed, or was refused before it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProgramError {
    /// Name of the Python exception.
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExecutedCall {
    pub toolkit: String,
    pub method: String,
    #[ts(type = "Record<string, unknown>")]
    pub args: JsonMap,
    pub ok: bool,
    #[ts(type = "number")]
    pub ms: u64,
}
