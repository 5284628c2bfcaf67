//! Bad cases (F12.4): answers that were not good, and proposals that make them better. Each is kept as a task of a
//! suite, with the situation in which the answer was given.

use crate::RunId;
use crate::macros::requests;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about bad cases.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    BadCaseRequest as bad_cases, through |action| crate::Request::BadCases { action };
    List -> BadCases,
    /// The text of a case.
    Show { name: String } -> BadCaseText,
    /// What a case of a finished run would hold, without secrets. Nothing is kept.
    Draft {
        run: RunId,
        /// What was wrong with the answer, in the user's words.
        #[serde(default)]
        wrong: String,
        /// What a right answer holds, each of them.
        #[serde(default)]
        wanted: Vec<String>,
    } -> BadCaseDraft,
    /// Keeps a case, in the place of one with that name if `replace`. A text that is no suite is refused with its line.
    Keep {
        name: String,
        text: String,
        #[serde(default)]
        replace: bool,
    } -> BadCases,
    /// Removes a case; what was accepted for it stays.
    Remove { name: String } -> BadCases,
    /// Asks a model for a change that could make the answer better. Nothing is changed.
    Propose { name: String } -> BadCaseProposal,
    /// Tries the case and suites as things are and with the change. Each attempt has a data folder of its own. Replies:
    /// any number of `Progress`, then `BadCaseMeasured`.
    Measure {
        name: String,
        change: CaseChange,
        /// Suites that must not become worse: files, or those that come along.
        #[serde(default)]
        suites: Vec<String>,
        /// Attempts at the case itself.
        #[serde(default = "attempts")]
        repeat: u32,
    } -> BadCaseMeasured,
    /// Makes the change. The change can be taken back.
    Accept { name: String, change: CaseChange } -> BadCases,
    /// Takes back what was accepted for a case.
    TakeBack { name: String } -> BadCases,
}

/// Attempts at a case: one alone is often luck.
fn attempts() -> u32 {
    3
}

/// A case as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BadCase {
    /// The name of its file.
    pub name: String,
    /// Its question.
    pub question: String,
    /// What was wrong, in the user's words.
    pub wrong: String,
    pub path: String,
    /// Why it can't be tried.
    pub problem: Option<String>,
    /// What a model proposed last.
    pub proposed: Option<CaseProposal>,
    /// What came of trying it last.
    pub measured: Option<CaseMeasured>,
    /// The change that was accepted for it.
    pub accepted: Option<CaseChange>,
}

/// A change with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CaseProposal {
    /// Why the answer was not good, and what the change does about it; a model's words.
    pub why: String,
    pub change: CaseChange,
}

/// A change as it was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CaseMeasured {
    pub change: CaseChange,
    pub verdict: CaseVerdict,
    /// The case first, then each suite.
    pub measures: Vec<CaseMeasure>,
}

/// A change that could make an answer better. Its texts are a model's until a person accepts them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum CaseChange {
    /// A lesson that enters the prompts of similar questions.
    Experience {
        goal: String,
        lesson: String,
        #[serde(default)]
        code: String,
    },
    /// A statement that memory brings in.
    Knowledge { text: String },
    /// A prompt module in the place of the built-in one.
    Prompt {
        /// The code of the language whose module it is.
        language: String,
        module: String,
        text: String,
    },
    /// A guide that a model loads when one fits.
    Skill {
        name: String,
        description: String,
        text: String,
    },
}

/// How one suite fared as things are, and with a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CaseMeasure {
    /// The suite's name; that of the case for the case itself.
    pub suite: String,
    pub attempts: u32,
    /// Attempts that were right as things are, and with the change.
    pub right_now: u32,
    pub right_then: u32,
    /// Tasks that only one of them got right.
    pub only_now: Vec<String>,
    pub only_then: Vec<String>,
    /// Attempts that could not be made, and why the first of them.
    pub broken: u32,
    pub reason: Option<String>,
    /// The probability that such a difference is chance; 1 for a single task.
    pub p: f64,
}

/// What a measurement says of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CaseVerdict {
    /// Better on the case, and no suite is worse.
    Better,
    /// No better on the case.
    NotBetter,
    /// A suite is worse, or the case.
    Worse,
    /// Attempts could not be made.
    Unmeasured,
}
