//! What is wrong in a file, as a type: the place, what is wrong there, and by `words` what to do.

use crate::limits::FAULTS_MAX;
use crate::value_type::ValueType;
use shidi_yaml::Place;

/// A fault at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub place: Place,
    pub problem: Problem,
}

impl Fault {
    #[must_use]
    pub fn new(place: &Place, problem: Problem) -> Self {
        Self {
            place: place.clone(),
            problem,
        }
    }
}

/// What keeps a file from being a workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    NotText,
    TooLarge,
    /// The reader's own words.
    NotYaml(String),
    /// A key that stands there for the second time.
    Twice(String),
    Missing {
        key: &'static str,
        example: Example,
    },
    UnknownKey {
        key: String,
        known: Vec<String>,
    },
    /// A key that other types of steps have.
    KeyNotHere {
        key: String,
        kind: String,
    },
    /// Two forms of the same.
    BothForms {
        one: &'static str,
        other: &'static str,
    },
    Wants(Wanted),
    /// A version that is not ours.
    UnknownVersion {
        version: String,
        known: &'static str,
    },
    UnknownValueType {
        written: String,
        known: Vec<String>,
    },
    UnknownStepType {
        written: String,
        known: Vec<String>,
    },
    UnknownRole {
        written: String,
        known: Vec<String>,
    },
    BadName(String),
    /// A name that the engine itself gives a value.
    ReservedName(String),
    /// A step or value whose name another one has, which stands in that line.
    NameTaken {
        name: String,
        line: u64,
    },
    BrokenReference(String),
    DoubleBraces(String),
    UnknownName {
        name: String,
        known: Vec<String>,
    },
    UnknownStep {
        name: String,
        known: Vec<String>,
    },
    /// A value that only a later step makes.
    UsedBeforeMade {
        name: String,
        step: String,
    },
    Cycle(Vec<String>),
    /// A value that a step may leave unmade.
    MaybeMissing {
        name: String,
        step: String,
    },
    NoParts {
        name: String,
        kind: ValueType,
    },
    WrongType {
        wanted: ValueType,
        found: ValueType,
    },
    /// A default or example of another type than its own declaration says.
    NotOfType(ValueType),
    MissingOutput(String),
    Unreachable(String),
    /// The expression reader's own words.
    BadCondition(String),
    BareName(String),
    BadPermission(String),
    OutOfBounds {
        key: &'static str,
        least: u64,
        most: u64,
    },
    TooMany {
        what: Many,
        most: usize,
    },
    /// A file of another program that nothing here reads.
    UnknownFormat,
    /// What of another program's file has no counterpart.
    Unmapped {
        what: String,
        reason: Reason,
    },
}

/// The kind of value that belongs at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Map,
    List,
    Text,
    Number,
    Duration,
    Time,
    Steps,
    OnError,
}

/// What there are too many of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Many {
    Steps,
    Levels,
    /// Of a condition.
    Characters,
}

/// What an absent key would look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Example {
    Head,
    Steps,
    Step,
    Parameter,
    Output,
    Action,
    Loop,
    Wait,
    Arms,
    Inputs,
}

/// Why something of another program's file has no counterpart here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Providers and models are chosen by role here.
    ModelByRole,
    /// Servers and extensions are installed apart from workflows.
    InstalledApart,
    /// Another file that is not part of this one.
    OtherFile,
    /// Programs run in Python alone.
    OtherLanguage,
    /// A shell's commands run by the tool `shell.run`, which asks.
    ShellCommand,
    /// The way through the graph is none of steps, arms and loops.
    NoStructure,
    /// A kind of part that nothing here stands for.
    NoCounterpart,
    /// A secret or an environment's value that does not belong in a file.
    Secret,
}

/// The first faults of a file in the order of their lines.
#[must_use]
pub fn in_order(mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by_key(|fault| (fault.place.line, fault.place.column));
    faults.dedup();
    faults.truncate(FAULTS_MAX);
    faults
}
