//! The remains of an attempt at a task: everything that checks look at. The trial is kept as it is, and judged
//! anew each time.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use shidi_protocol::{JsonMap, RunStatus, Usage};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The answer of each turn.
    pub answers: Vec<String>,
    /// The turns, from 1, in which the assistant asked through its interface.
    pub asked_in: Vec<usize>,
    pub calls: Vec<TrialCall>,
    pub programs: Vec<TrialProgram>,
    pub segments: Vec<TrialSegment>,
    /// Variables that checks name, by name.
    pub variables: BTreeMap<String, TrialVariable>,
    pub before: BTreeMap<String, Bytes>,
    pub after: BTreeMap<String, Bytes>,
    pub usage: Usage,
    /// Milliseconds of all turns together.
    pub ms: u64,
    pub status: Option<RunStatus>,
    /// Why the last turn has no answer.
    pub reason: Option<String>,
    pub late: bool,
    pub rounds_over: bool,
    /// Why the task could not be tried.
    pub broken: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialCall {
    pub turn: usize,
    /// `toolkit.method`.
    pub tool: String,
    pub args: JsonMap,
    pub ok: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialProgram {
    pub program: String,
    /// What it printed, and its error.
    pub output: String,
    pub ok: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialSegment {
    pub turn: usize,
    pub kind: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialVariable {
    pub kind: String,
    /// Its value; null where it has no JSON form.
    pub value: Value,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl Trial {
    /// An attempt that could not be made.
    #[must_use]
    pub fn broken(why: impl Into<String>) -> Self {
        Self {
            broken: Some(why.into()),
            ..Self::default()
        }
    }

    /// The answer of a turn, from 1; of the last one without a number.
    #[must_use]
    pub fn answer(&self, turn: Option<usize>) -> &str {
        let answer = match turn {
            Some(turn) => self.answers.get(turn.saturating_sub(1)),
            None => self.answers.last(),
        };
        answer.map_or("", String::as_str)
    }

    /// Whether there is nothing to judge: no answer, no question, no call, no variable and no changed file.
    #[must_use]
    pub fn left_nothing(&self) -> bool {
        self.answers.iter().all(|answer| answer.trim().is_empty())
            && self.asked_in.is_empty()
            && self.calls.is_empty()
            && self.variables.is_empty()
            && self.before == self.after
    }

    /// Programs that ran with the same outcome as one before them.
    #[must_use]
    pub fn repeated(&self) -> usize {
        (0..self.programs.len())
            .filter(|place| self.programs[..*place].contains(&self.programs[*place]))
            .count()
    }
}
