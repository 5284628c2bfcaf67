//! The events of a working run, as `shidi ask --json` and the panel get them.
//!
//! The field names are a promise (`CLI.md`): fields may be added, and none changes its meaning.

use crate::{
    Body, CallId, Class, ExecId, Ground, JsonMap, MemoryHit, Moment, Origin, RunId, SegmentKind, SessionId,
    Usage, UserError, Wait,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunEvent {
    #[serde(flatten)]
    pub kind: RunEventKind,
    pub run: RunId,
    /// Counts the events of one run from 1, over restarts too.
    pub seq: u32,
    #[ts(type = "string")]
    pub time: Moment,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum RunEventKind {
    RunStarted {
        session: SessionId,
        assistant: String,
        models: Vec<String>,
        /// Set when the offline planner answers, and not a language model.
        offline: bool,
        /// The run that a sub-agent's run works for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        under: Option<RunId>,
    },
    Context {
        items: Vec<ContextItem>,
    },
    /// The records that memory brought in by itself, best first, each with the reason.
    Recalled {
        memories: Vec<MemoryHit>,
    },
    /// A finished piece of the transcript. A `Thought` retracts the `Express` deltas streamed since the last
    /// segment. They turned out to be the thought before a program.
    Segment {
        #[serde(flatten)]
        body: Body,
        exec: Option<ExecId>,
    },
    /// A piece of a segment that is still being written.
    Delta {
        kind: SegmentKind,
        text: String,
    },
    /// The model's answer broke off and the model is asked once more: the deltas since the last segment are void.
    Retracted,
    /// Whether the model's last answer counts. One that is sent back to the model does not; it does again where no other one
    /// comes.
    Standing {
        stands: bool,
    },
    /// What the model's answer waits for; without a wait, the last one is over.
    Awaiting {
        wait: Option<Wait>,
    },
    Code {
        exec: ExecId,
        program: String,
    },
    Call {
        exec: ExecId,
        call: CallId,
        toolkit: String,
        method: String,
        #[ts(type = "Record<string, unknown>")]
        args: JsonMap,
        line: u32,
    },
    CallDone {
        call: CallId,
        ok: bool,
        summary: String,
        #[ts(type = "number")]
        ms: u64,
        /// Why the call was allowed or refused.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<Ground>>")]
        grounds: Vec<Ground>,
        /// Pictures that came with the result: paths of files that are kept with the session.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        pictures: Vec<String>,
        /// Other files that came with the result, sounds among them: paths like those of the pictures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        files: Vec<String>,
    },
    ApprovalNeeded {
        call: CallId,
        tool: String,
        #[ts(type = "Record<string, unknown>")]
        args: JsonMap,
        class: Class,
        origin: Vec<Origin>,
        /// The pattern that "always" would remember; empty where none can be remembered.
        family: String,
    },
    Question {
        call: CallId,
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "unknown")]
        fields: Option<Value>,
    },
    /// The user approved, refused or answered a waiting call.
    Decided {
        call: CallId,
        approved: bool,
        reason: Option<String>,
    },
    Card {
        id: String,
        kind: String,
        #[ts(type = "unknown")]
        data: Value,
    },
    Output {
        exec: ExecId,
        stdout: String,
        ok: bool,
        error: Option<String>,
        /// Milliseconds of wall clock, without the waits for people.
        #[ts(type = "number")]
        ms: u64,
        /// Milliseconds of processor time.
        #[serde(default)]
        #[ts(type = "number")]
        cpu_ms: u64,
        /// The most memory that the interpreter held, in bytes.
        #[serde(default)]
        #[ts(type = "number")]
        memory_bytes: u64,
    },
    Variables {
        names: Vec<VariablePreview>,
    },
    Todo {
        items: Vec<TodoItem>,
    },
    Notification {
        source: String,
        text: String,
    },
    Compacted {
        before_tokens: u32,
        after_tokens: u32,
    },
    Answer {
        text: String,
    },
    RunEnded {
        status: RunStatus,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
        /// The error of a `failed` run, with its remedy.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        error: Option<UserError>,
        usage: Usage,
        #[ts(type = "number")]
        ms: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RunStatus {
    Completed,
    Failed,
    GaveUp,
    Suspended,
    Cancelled,
}

impl RunStatus {
    /// Whether nothing more comes of the run. One that is suspended goes on.
    #[must_use]
    pub fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::GaveUp | Self::Cancelled => true,
            Self::Suspended => false,
        }
    }
}

/// One piece of context that is sent along with the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ContextItem {
    /// `file`, `page`, `selection`, `memory`, …
    pub source: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub url: Option<String>,
    pub tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct VariablePreview {
    pub name: String,
    /// Python type: `list`, `DataFrame`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// The value as text, shortened.
    pub preview: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TodoItem {
    pub text: String,
    pub state: TodoState,
    /// The work under way on this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub doing: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TodoState {
    Pending,
    InProgress,
    Completed,
}
