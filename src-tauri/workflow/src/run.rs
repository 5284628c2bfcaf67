//! The state of a run: everything that another process needs to take it up.
//!
//! It is written after each event. Values live in frames, one for each block that is at work; a frame goes when its block is
//! over, so that a loop of ten thousand rounds keeps one round.

use crate::definition::{Action, BlockId, Call, Workflow};
use crate::event::AttemptId;
use crate::failure::Failure;
use crate::value_type::ValueType;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_protocol::JsonMap;
use std::collections::{BTreeMap, BTreeSet};

/// The form of the state; another one is not taken up.
pub const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub format: u32,
    pub mode: Mode,
    pub status: Status,
    /// What the `output` steps told.
    pub result: JsonMap,
    /// Steps that were begun, and of which nobody knows whether they happened when the run ended.
    pub unsettled: Vec<Unsettled>,
    /// Whether it was cancelled since whoever called it has ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caller_ended: bool,
    pub(crate) given: JsonMap,
    /// Values of a dry run that nobody gave: examples stand for them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) sampled: BTreeSet<String>,
    pub(crate) frames: BTreeMap<u64, Frame>,
    pub(crate) attempts: BTreeMap<AttemptId, Attempt>,
    /// Numbers of frames and attempts.
    pub(crate) counter: u64,
    /// Steps begun so far.
    pub(crate) begun: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Real,
    /// Nothing is done; each step tells what it would do and leaves its example.
    Dry,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Status {
    Ready,
    Running,
    Done,
    Failed { step: String, failure: Failure },
    Cancelled,
}

/// A step whose end is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsettled {
    pub attempt: AttemptId,
    pub step: String,
    pub rounds: Vec<u64>,
}

/// What a run lacks before it starts: asked for, never made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenFault {
    Missing(String),
    Unknown { name: String, known: Vec<String> },
    WrongType { name: String, wanted: ValueType },
}

/// A block at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub block: BlockId,
    pub parent: Option<Parent>,
    pub steps: Vec<StepState>,
    pub values: JsonMap,
    /// Bytes of the values.
    pub bytes: usize,
    /// Why nothing more begins in it.
    pub halting: Option<Halt>,
}

/// The step that a frame stands within.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parent {
    pub frame: u64,
    pub step: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Halt {
    Failed { step: String, failure: Failure },
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepState {
    Waiting,
    Open(AttemptId),
    Sleeping {
        until_ms: u64,
        then: Then,
    },
    /// Its blocks are at work.
    Within {
        frames: Vec<u64>,
        round: u64,
        kept: JsonMap,
    },
    /// Its steps for an error are at work.
    Handling {
        frame: u64,
    },
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Then {
    Complete,
    TryAgain { tries: u32 },
}

/// One try of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub frame: u64,
    pub step: usize,
    /// Tries before this one.
    pub tries: u32,
    pub phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Wanted, and not begun: asking again does no harm.
    Asked,
    Begun {
        until_ms: Option<u64>,
        /// What was left of its time when it began to wait for a person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
    },
    /// Told to stop; how it ended is not known yet.
    Stopping {
        until_ms: u64,
        limit_ms: Option<u64>,
    },
    Uncertain,
}

impl Run {
    /// A run that has not begun, of these values.
    ///
    /// # Errors
    /// Every value that is missing, unknown or of another type.
    pub fn new(
        workflow: &Workflow,
        mode: Mode,
        mut values: JsonMap,
        dialogue: &str,
    ) -> Result<Self, Vec<GivenFault>> {
        let mut faults = Vec::new();
        let mut given = JsonMap::new();
        let mut sampled = BTreeSet::new();
        for parameter in &workflow.parameters {
            let (name, wanted) = (parameter.name.clone(), parameter.kind);
            match (values.remove(&name), &parameter.default) {
                (Some(value), _) => match wanted.of(value) {
                    Some(value) => {
                        given.insert(name, value);
                    }
                    None => faults.push(GivenFault::WrongType { name, wanted }),
                },
                (None, Some(default)) => {
                    given.insert(name, default.clone());
                }
                (None, None) if mode == Mode::Dry => {
                    sampled.insert(name.clone());
                    let sample = parameter.example.clone().and_then(|example| wanted.of(example));
                    given.insert(name, sample.unwrap_or_else(|| wanted.sample()));
                }
                (None, None) => faults.push(GivenFault::Missing(name)),
            }
        }
        let known = || {
            workflow
                .parameters
                .iter()
                .map(|parameter| parameter.name.clone())
                .collect()
        };
        faults.extend(values.keys().map(|name| GivenFault::Unknown {
            name: name.clone(),
            known: known(),
        }));
        if !faults.is_empty() {
            return Err(faults);
        }
        given.insert("dialogue".to_owned(), Value::String(dialogue.to_owned()));
        Ok(Self {
            format: FORMAT,
            mode,
            status: Status::Ready,
            result: JsonMap::new(),
            unsettled: Vec::new(),
            caller_ended: false,
            given,
            sampled,
            frames: BTreeMap::new(),
            attempts: BTreeMap::new(),
            counter: 0,
            begun: 0,
        })
    }

    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self.status {
            Status::Done | Status::Failed { .. } | Status::Cancelled => true,
            Status::Ready | Status::Running => false,
        }
    }

    /// The call that an attempt is for.
    #[must_use]
    pub fn call_of<'a>(&self, workflow: &'a Workflow, attempt: AttemptId) -> Option<&'a Call> {
        let attempt = self.attempts.get(&attempt)?;
        let block = workflow.block(self.frames.get(&attempt.frame)?.block);
        match &block.steps.get(attempt.step)?.action {
            Action::Call(call) => Some(call),
            Action::Input { .. }
            | Action::Branch { .. }
            | Action::Loop { .. }
            | Action::Parallel { .. }
            | Action::Approval { .. }
            | Action::Wait { .. }
            | Action::Output => None,
        }
    }

    /// Attempts whose end is not known here yet.
    #[must_use]
    pub fn open(&self) -> Vec<AttemptId> {
        self.attempts.keys().copied().collect()
    }

    /// Whether an attempt is open and nobody has told it to stop.
    #[must_use]
    pub fn waits_for(&self, attempt: AttemptId) -> bool {
        let known = self.attempts.get(&attempt);
        known.is_some_and(|known| match known.phase {
            Phase::Asked | Phase::Begun { .. } | Phase::Uncertain => true,
            Phase::Stopping { .. } => false,
        })
    }

    /// Steps that wait for a person to say what came of them.
    #[must_use]
    pub fn uncertain(&self) -> Vec<AttemptId> {
        let attempts = self.attempts.iter();
        let uncertain = attempts.filter(|(_, attempt)| attempt.phase == Phase::Uncertain);
        uncertain.map(|(id, _)| *id).collect()
    }
}
