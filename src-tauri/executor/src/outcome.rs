//! A session's results: calls to answer, and how a program ended.

use serde_json::Value;
use shidi_protocol::{CallOutcome, JsonMap};

/// How far a program has come.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one per message, never kept in numbers")]
pub enum Progress {
    /// The program waits. These calls were made since the last resume; earlier unanswered ones are still open.
    /// Empty when the program waits for earlier calls alone.
    Calls(Vec<PendingCall>),
    Ended(Outcome),
}

/// A call that a program made and waits for. Its method exists and its arguments fit.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCall {
    /// Unique in the run, from 1. The same program with the same answers in the same order makes the same numbers.
    pub number: u32,
    pub toolkit: String,
    pub method: String,
    /// The arguments by name; a left-out parameter is absent.
    pub args: JsonMap,
    /// Line of the program, from 1; 0 when the call stands in a function that an earlier program defined.
    pub line: u32,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallAnswer {
    pub number: u32,
    pub outcome: CallOutcome,
}

/// How a program ended, with its value, output and variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The value of the last expression: as JSON, or as Python text where it has no JSON form.
    pub value: Value,
    /// The printed text up to the limit, with a mark at the cut. Of a lost worker, the text that had arrived.
    pub stdout: String,
    pub error: Option<ProgramError>,
    /// The session's variables after the run, also after a failed one; toolkits and modules are left out.
    pub variables: Vec<Variable>,
    pub wall_ms: u64,
    pub cpu_ms: u64,
    /// The most memory that the interpreter held, in bytes.
    pub memory_bytes: u64,
    /// How the worker was lost, if it was. The session's variables are then gone and `variables` is empty. The
    /// next run starts a new worker with the variables that the run is given.
    pub lost: Option<Loss>,
}

/// A variable that a program left.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    /// Name of the Python type.
    pub kind: String,
    /// The value as JSON, from which it can be restored; a tuple comes back as a list. `None` without a JSON form.
    pub value: Option<Value>,
    /// The value's `repr`, shortened.
    pub text: String,
}

/// Why a program failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramError {
    /// Name of the Python exception.
    pub kind: String,
    /// The last line of the traceback: the exception's name and message.
    pub message: String,
    /// Line of the program, from 1; 0 when unknown.
    pub line: u32,
    pub hint: Option<String>,
    /// Frames of the program, innermost last.
    pub traceback: String,
}

impl From<ProgramError> for shidi_protocol::ProgramError {
    fn from(error: ProgramError) -> Self {
        Self {
            kind: error.kind,
            message: error.message,
            line: error.line,
            hint: error.hint,
        }
    }
}

/// A fault of a program, found before it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the Python exception that the fault would raise.
    pub kind: String,
    pub message: String,
    /// From 1.
    pub line: u32,
    pub hint: Option<String>,
}

/// How a worker was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// [`Stopper::stop`](crate::Stopper::stop) was called.
    Stopped,
    /// The worker did not stop at a time limit and was killed.
    Deadline,
    /// The worker ran out of memory between two checks of the interpreter.
    Memory,
    /// The interpreter broke.
    Broken,
    /// The worker ended for another reason: killed from outside, or by the system for a forbidden call.
    Died,
}
