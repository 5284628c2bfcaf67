//! A suite as it is evaluated: its tasks with everything multiplied out, and the checks of each.
//!
//! The text of files becomes this in `load`. Nothing here knows YAML any more.

pub mod assertion;
mod built_in;
mod cases;
mod fault;
mod files;
mod kinds;
mod load;
mod providers;
mod reading;
mod setup;
mod table;
mod template;
mod unsupported;

pub use assertion::{Assertion, AssertionSet, Check, Kind, Letters, Need, PythonSource, Schema};
pub use built_in::NAMES as BUILT_IN;
pub use load::{load, read};
pub use providers::sides_of_models;

use crate::outcome::Side;
use shidi_protocol::{JsonMap, Mode};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct Suite {
    /// The file's name, or the name by which it comes with the program.
    pub name: String,
    pub description: String,
    /// Who is measured, where the suite says so.
    pub sides: Vec<Side>,
    pub cases: Vec<Case>,
    pub options: Options,
}

/// What a suite says about its evaluation; the user's own word counts first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    pub parallel: Option<u32>,
    pub repeat: Option<u32>,
    pub timeout_s: Option<u32>,
    /// Whether kept answers are not used.
    pub fresh: bool,
}

/// One task.
#[derive(Debug)]
pub struct Case {
    pub name: String,
    /// What was said before the first turn, oldest first. The history is taken as it stands, and not
    /// asked again.
    pub history: Vec<Exchange>,
    /// What the user says; the question is the first turn.
    pub turns: Vec<String>,
    pub setup: Setup,
    pub vars: JsonMap,
    pub metadata: JsonMap,
    pub checks: Vec<Check>,
    /// The share of the checks that suffices; all must hold without one.
    pub threshold: Option<f64>,
}

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub question: String,
    pub answer: String,
    /// Whether somebody else's words were read by then.
    pub tainted: bool,
}

/// The situation before the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// By their paths below the work folder.
    pub files: BTreeMap<String, Content>,
    pub attach: Vec<String>,
    pub memory: Vec<String>,
    /// Documents by their names, by the names of their bases.
    pub knowledge: BTreeMap<String, BTreeMap<String, String>>,
    /// Files of workflows that the user keeps, by their names.
    pub workflows: BTreeMap<String, String>,
    pub page: Option<Page>,
    pub mode: Mode,
    /// Answers to questions that the assistant asks.
    pub answers: Vec<String>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            attach: Vec::new(),
            memory: Vec::new(),
            knowledge: BTreeMap::new(),
            workflows: BTreeMap::new(),
            page: None,
            mode: Mode::Trust,
            answers: Vec::new(),
        }
    }
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Bytes(Vec<u8>),
    /// A program whose output is the content.
    Python(String),
}

/// What the browser shows in front of the user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    pub url: String,
    pub title: String,
    pub text: String,
}

impl Case {
    /// The variables that checks look at, in their order.
    #[must_use]
    pub fn variables_named(&self) -> Vec<&str> {
        let assertions = self.checks.iter().flat_map(|check| match check {
            Check::One(assertion) => std::slice::from_ref(&**assertion),
            Check::Set(set) => set.checks.as_slice(),
        });
        let mut names: Vec<&str> = assertions
            .filter_map(|assertion| match &assertion.kind {
                Kind::Variable { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests;
