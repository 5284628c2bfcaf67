//! The messages. They alternate strictly: the supervisor asks, the worker answers with one message.

use crate::Packed;
use serde::{Deserialize, Serialize};

/// The version of the messages, which changes with any of them. A worker of another version is refused by name,
/// not misread.
pub const PROTOCOL_VERSION: u32 = 3;

/// From supervisor to worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Runs a program. Answered by `Calls` or `Ended`.
    Run(Box<Run>),
    /// Answers open calls. Answered by `Calls` or `Ended`.
    Answers(Vec<CallAnswer>),
    /// Ends the program with an exception that it cannot catch. Answered by `Ended`.
    Abort { kind: String, message: String },
    /// Checks a program without running it. Answered by `Checked`.
    Check(Box<CheckRequest>),
}

/// From worker to supervisor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The first message, sent once the walls are up.
    Ready(Ready),
    /// The program waits. Holds the calls made since the last message; empty if the program needs other answers
    /// than it got.
    Calls(Vec<Call>),
    /// More printed text, in case the program never ends by itself; `Ended` repeats all of it.
    Printed(String),
    Ended(Box<Ended>),
    Checked(Vec<Finding>),
}

/// Facts of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    pub version: u32,
    /// Hash of the worker's sources and its lock, 16 hexadecimal digits.
    pub build_id: String,
    pub confinement: Confinement,
}

/// The walls around the worker, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// Walls in force: `landlock`, `seccomp`, `rlimits`, `parent death signal`, `not dumpable`.
    pub walls: Vec<String>,
    /// Walls that this system does not offer, each with the reason.
    pub missing: Vec<String>,
}

/// A program, with its variables, toolkits and limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub source: String,
    pub toolkits: Vec<ToolkitShape>,
    pub variables: Vec<(String, Packed)>,
    pub limits: RunLimits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLimits {
    /// Processor time that the interpreter may use, in milliseconds; waits are left out.
    pub cpu_ms: u64,
    pub memory_bytes: u64,
    pub output_bytes: u64,
}

/// The names of a toolkit, as far as they can be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolkitShape {
    pub name: String,
    pub methods: Vec<MethodShape>,
    /// Methods that there would be, too many for one toolkit.
    pub left_out: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodShape {
    pub name: String,
    pub parameters: Vec<ParameterShape>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterShape {
    pub name: String,
    pub required: bool,
}

/// A call that the program made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Unique in the run, from 1.
    pub number: u32,
    pub toolkit: String,
    pub method: String,
    pub positional: Vec<Packed>,
    pub named: Vec<(String, Packed)>,
    /// The fault of an argument that has no JSON form; such a call must not be made.
    pub unfit: Option<String>,
    /// From 1; 0 when the call stands in a function of an earlier program.
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallAnswer {
    pub number: u32,
    pub given: Given,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Given {
    Value(Packed),
    /// The program gets an exception of the Python class `kind`.
    Error {
        kind: String,
        message: String,
    },
}

/// How a program ended, with its value and variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// The value of the last expression.
    pub value: Shown,
    pub stdout: String,
    pub failure: Option<Failure>,
    pub variables: Vec<Variable>,
    pub cpu_ms: u64,
    /// Highest amount of memory the interpreter held during the run.
    pub memory_bytes: u64,
    /// Whether the interpreter broke, its variables with it; the worker ends after this message.
    pub interpreter_lost: bool,
}

/// A Python value as it looks outside the worker.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Shown {
    /// Name of the Python type.
    pub kind: String,
    /// The value as JSON text, if it has a JSON form.
    pub json: Option<String>,
    /// The value's `repr`, shortened.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    pub name: String,
    pub shown: Shown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Name of the Python exception.
    pub kind: String,
    pub message: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    pub traceback: String,
    pub hint: Option<String>,
}

/// A program to be checked, not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckRequest {
    pub source: String,
    pub toolkits: Vec<ToolkitShape>,
    /// Variables that exist when the program starts.
    pub known: Vec<String>,
}

/// A fault that makes the program fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the Python exception that would be raised.
    pub kind: String,
    pub message: String,
    /// From 1.
    pub line: u32,
    pub hint: Option<String>,
}
