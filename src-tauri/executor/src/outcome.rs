//! What comes out of a session: calls to answer, and how a program ended.

use serde_json::Value;
use shidi_protocol::{CallOutcome, JsonMap};

/// How far a program has come.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one per message, never kept in numbers")]
pub enum Progress {
    /// It waits. These are the calls made since it was last resumed; earlier ones that were not answered are still
    /// open. Empty when it waits for those alone.
    Calls(Vec<PendingCall>),
    Ended(Outcome),
}

/// A call that a program made and waits for, of a method that exists, with arguments that fit.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingCall {
    /// Unique in the run, from 1. The same program with the same answers in the same order makes the same numbers.
    pub number: u32,
    pub toolkit: String,
    pub method: String,
    /// By name; a parameter that was left out is absent.
    pub args: JsonMap,
    /// Line of the program, from 1; 0 when the call stands in a function that an earlier program defined.
    pub line: u32,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub number: u32,
    pub outcome: CallOutcome,
}

/// How a program ended and what it left.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The value of the last expression: as JSON, or its Python text when it has no such form.
    pub value: Value,
    /// What was printed, up to the limit, with a mark where it was cut; of a worker that was lost, what was heard of it.
    pub stdout: String,
    pub error: Option<ProgramError>,
    /// The session's variables after the run, failed or not; toolkits and modules are left out.
    pub variables: Vec<Variable>,
    pub wall_ms: u64,
    pub cpu_ms: u64,
    /// Highest amount of memory the interpreter held.
    pub memory_bytes: u64,
    /// Set when the worker did not survive. The session's variables are gone then, and `variables` is empty; the next
    /// run starts a new worker and sets those it is given.
    pub lost: Option<Loss>,
}

/// A variable that a program left.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    /// Name of the Python type.
    pub kind: String,
    /// As JSON, from which it can be restored; a tuple comes back as a list. `None` when it has no such form.
    pub value: Option<Value>,
    /// Its `repr`, shortened.
    pub text: String,
}

/// Why a program failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramError {
    /// Name of the Python exception.
    pub kind: String,
    /// The last line of the traceback: the exception's name and what it says.
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

/// Something that a program cannot do, found before it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the Python exception that it would be.
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
    /// It did not stop at a time limit and was killed.
    Deadline,
    /// It ran out of memory between two checks of the interpreter.
    Memory,
    /// The interpreter broke.
    Broken,
    /// It ended for another reason: killed from outside, or by the system for a forbidden call.
    Died,
}
