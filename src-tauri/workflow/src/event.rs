//! What a run is told, and what it wants done.

use crate::definition::Role;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_protocol::JsonMap;

/// The number of one try of a step within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AttemptId(pub u64);

/// What happened. The time comes beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Started,
    /// The process that carried the run out is gone; another one takes it up.
    Resumed,
    /// The performer is about to do it. The state is written after this event and before the effect.
    Begun(AttemptId),
    Done {
        attempt: AttemptId,
        value: Value,
    },
    Failed {
        attempt: AttemptId,
        failure: Failure,
        happened: Happened,
    },
    Answered {
        attempt: AttemptId,
        answer: Decision,
    },
    /// It waits for a person, or goes on: meanwhile its time stands still.
    Waits {
        attempt: AttemptId,
        waits: bool,
    },
    /// It is later now.
    Time,
    /// A person says what came of a step whose end is unknown.
    Settled {
        attempt: AttemptId,
        verdict: Verdict,
    },
    Cancelled,
    /// Whoever called it has ended: nobody waits for it, and it is cancelled.
    CallerEnded,
}

/// Whether a call that failed may have had its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happened {
    No,
    /// A part of it did, and how it ended is known: another try would do that part again.
    Partly,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Approved,
    Refused { reason: String },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It happened, with this result.
    Happened(Value),
    /// It did not; it is done now.
    NotHappened,
    GiveUp,
}

/// What whoever carries a run out is to do, in this order, after the state is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Perform {
        attempt: AttemptId,
        step: String,
        work: Work,
    },
    /// A person decides.
    Ask {
        attempt: AttemptId,
        step: String,
        message: String,
        shown: JsonMap,
    },
    /// It is not wanted any more. One that was begun still tells how it ended.
    Cancel(AttemptId),
    /// For the record of the run.
    Tell(Record),
}

/// A call with everything in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Work {
    Tool {
        tool: String,
        arguments: JsonMap,
    },
    Plugin {
        plugin: String,
        arguments: JsonMap,
    },
    Custom {
        function: String,
        arguments: JsonMap,
    },
    Llm {
        role: Role,
        prompt: String,
        system: Option<String>,
    },
    /// The program's variables of the declared names are its result, as an object.
    Code {
        program: String,
        variables: JsonMap,
    },
}

/// What became of a step, in the order in which it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub step: String,
    /// Rounds of the loops around it, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<u64>,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum What {
    /// In a dry run: what would be done.
    Planned {
        work: Work,
    },
    /// In a dry run: what a person would be asked.
    WouldAsk {
        message: String,
    },
    /// In a dry run, of a loop: how often its steps would run. They are told once.
    Repeats {
        /// What it goes over, as it is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<String>,
        /// Rounds, where they are known before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        times: Option<u64>,
        most: u64,
    },
    Asked {
        attempt: AttemptId,
    },
    Begun {
        attempt: AttemptId,
    },
    Done {
        outputs: JsonMap,
    },
    Skipped,
    Failed {
        failure: Failure,
    },
    Retrying {
        failure: Failure,
        at_ms: u64,
    },
    /// It was begun, and what came of it is unknown.
    Uncertain {
        attempt: AttemptId,
    },
}

/// What came of an event: effects, and how the run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub effects: Vec<Effect>,
    pub next: Next,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// For performers, people, or the time, in milliseconds, at which an [`Event::Time`] is wanted.
    Wait {
        until_ms: Option<u64>,
    },
    Ended,
}
