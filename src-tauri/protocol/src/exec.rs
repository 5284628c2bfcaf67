//! Running one program by itself: the request, and its result.

use crate::{JsonMap, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct ExecRequest {
    pub program: String,
    /// The session to run in; `None` runs in a throw-away session.
    pub session: Option<SessionId>,
    /// Only checks the program.
    pub check: bool,
    pub limit_time_s: Option<u32>,
    pub limit_memory_mb: Option<u32>,
    /// `toolkit.method` (or `toolkit.*`) that may run without asking.
    pub allow: Vec<String>,
    pub folders: Vec<String>,
}

/// Result of `shidi exec --json`; the names are a promise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExecResult {
    pub ok: bool,
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
