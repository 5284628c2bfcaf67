//! The verdict on attempts, and how it follows from their checks.

use crate::trial::Trial;
use serde::{Deserialize, Serialize};
use shidi_protocol::{CaseChange, JsonMap, Usage};
use std::collections::BTreeMap;

/// One of those that are measured on the same tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Side {
    pub name: String,
    /// Settings on top of the configured ones.
    pub overrides: BTreeMap<String, String>,
    /// What is changed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<CaseChange>,
}

/// The outcome of one attempt at a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub side: String,
    pub task: String,
    /// Counts the attempts at the same task from 1.
    pub attempt: u32,
    pub verdict: Verdict,
    /// The weighted share of the checks that hold, from 0 to 1.
    pub score: f64,
    pub checks: Vec<CheckOutcome>,
    /// The turns of the user.
    pub said: Vec<String>,
    /// The answer of each turn.
    pub answers: Vec<String>,
    pub programs: usize,
    /// Programs that ran with the same outcome as one before them.
    pub repeated: usize,
    pub calls: usize,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub usage: Usage,
    pub ms: u64,
    /// Whether the answers come from an earlier evaluation.
    pub reused: bool,
    pub metadata: JsonMap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Right,
    Wrong,
    /// Not right, and the same program came to the same twice, or the rounds were used up.
    Looped,
    TimedOut,
    /// The task could not be tried: its files, its memory or the assistant failed.
    Broken,
}

impl Verdict {
    pub const ALL: [Self; 5] = [
        Self::Right,
        Self::Wrong,
        Self::Looped,
        Self::TimedOut,
        Self::Broken,
    ];
}

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckOutcome {
    /// The type as the suite writes it.
    pub check: String,
    pub holds: bool,
    pub score: f64,
    pub weight: f64,
    /// The name under which the suite sums this check up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// What was wanted and what was there; empty where the check holds.
    pub reason: String,
}

/// The weighted share of checks that hold.
#[must_use]
pub fn score(checks: &[CheckOutcome]) -> f64 {
    let weight: f64 = checks.iter().map(|check| check.weight).sum();
    if weight <= 0.0 {
        return 1.0;
    }
    checks.iter().map(|check| check.score * check.weight).sum::<f64>() / weight
}

/// Whether checks suffice: as many as the threshold says, or all that count.
#[must_use]
pub fn suffice(checks: &[CheckOutcome], threshold: Option<f64>) -> bool {
    match threshold {
        Some(threshold) => score(checks) >= threshold,
        None => checks.iter().all(|check| check.holds || check.weight <= 0.0),
    }
}

/// The verdict on an attempt whose checks are known. One that left nothing is never right, though checks that only
/// forbid things hold for it.
#[must_use]
pub fn verdict(trial: &Trial, checks: &[CheckOutcome], threshold: Option<f64>) -> Verdict {
    if trial.broken.is_some() {
        Verdict::Broken
    } else if !trial.left_nothing() && suffice(checks, threshold) {
        Verdict::Right
    } else if trial.late {
        Verdict::TimedOut
    } else if trial.rounds_over || trial.repeated() > 0 {
        Verdict::Looped
    } else {
        Verdict::Wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Bytes, TrialCall};

    fn call() -> TrialCall {
        TrialCall {
            turn: 1,
            tool: "files.list".to_owned(),
            args: JsonMap::new(),
            ok: true,
        }
    }

    #[test]
    fn an_attempt_that_left_nothing_is_never_right() {
        let file = || [("a.txt".to_owned(), Bytes(b"x".to_vec()))].into();
        let nothing = Trial {
            answers: vec![String::new(), " \n".to_owned()],
            before: file(),
            after: file(),
            ..Trial::default()
        };
        assert_eq!(verdict(&nothing, &[], None), Verdict::Wrong);
        assert_eq!(verdict(&nothing, &[], Some(0.0)), Verdict::Wrong);
        let answered = Trial {
            answers: vec!["No.".to_owned()],
            ..nothing.clone()
        };
        let called = Trial {
            calls: vec![call()],
            ..nothing.clone()
        };
        let asked = Trial {
            asked_in: vec![1],
            ..nothing.clone()
        };
        let wrote = Trial {
            before: BTreeMap::new(),
            ..nothing.clone()
        };
        for trial in [answered, called, asked, wrote] {
            assert_eq!(verdict(&trial, &[], None), Verdict::Right, "{trial:?}");
        }
        let late = Trial {
            late: true,
            ..nothing
        };
        assert_eq!(verdict(&late, &[], None), Verdict::TimedOut);
    }
}
