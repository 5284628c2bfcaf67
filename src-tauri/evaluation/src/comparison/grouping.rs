//! An evaluation by the words that a suite gives its tasks (`metadata`): their kind, their language, how hard they are.
//!
//! Every key counts whose words divide the tasks. One that names each task by itself, or all alike, divides nothing.

use super::{SideSummary, summarise};
use crate::limits::{GROUP_KEYS_MAX, GROUP_WORDS_MAX};
use crate::outcome::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of the tasks to which a suite gives one word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// A key of the tasks' metadata, such as `kind`.
    pub key: String,
    pub word: String,
    /// Sides that have tried some of these tasks, in the order of the evaluation.
    pub sides: Vec<SideSummary>,
}

/// The groups of outcomes, key by key.
#[must_use]
pub fn groups(sides: &[String], outcomes: &[Outcome]) -> Vec<Group> {
    let keys = tasks_by_word(outcomes).into_iter();
    let dividing = keys.filter(|(_, words)| divides(words)).take(GROUP_KEYS_MAX);
    let mut groups = Vec::new();
    for (key, words) in dividing {
        for word in words.into_keys() {
            let is_own = |outcome: &&Outcome| word_of(outcome, key) == Some(word);
            let own: Vec<Outcome> = outcomes.iter().filter(is_own).cloned().collect();
            let summaries = sides.iter().map(|side| summarise(side, &own));
            groups.push(Group {
                key: key.to_owned(),
                word: word.to_owned(),
                sides: summaries.filter(|side| side.tasks > 0).collect(),
            });
        }
    }
    groups
}

/// The names of tasks, by the words of each key.
fn tasks_by_word(outcomes: &[Outcome]) -> BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> {
    let mut keys: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for outcome in outcomes {
        for (key, value) in &outcome.metadata {
            if let Value::String(word) = value {
                let words = keys.entry(key).or_default();
                words.entry(word).or_default().insert(&outcome.task);
            }
        }
    }
    keys
}

fn divides(words: &BTreeMap<&str, BTreeSet<&str>>) -> bool {
    (2..=GROUP_WORDS_MAX).contains(&words.len()) && words.values().any(|tasks| tasks.len() > 1)
}

fn word_of<'a>(outcome: &'a Outcome, key: &str) -> Option<&'a str> {
    outcome.metadata.get(key).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Verdict;
    use serde_json::json;
    use shidi_protocol::Usage;

    fn outcome(side: &str, task: &str, is_right: bool, metadata: &Value) -> Outcome {
        Outcome {
            side: side.to_owned(),
            task: task.to_owned(),
            attempt: 1,
            verdict: match is_right {
                true => Verdict::Right,
                false => Verdict::Wrong,
            },
            score: 0.0,
            checks: Vec::new(),
            said: Vec::new(),
            answers: Vec::new(),
            programs: 0,
            repeated: 0,
            calls: 0,
            reason: None,
            usage: Usage::default(),
            ms: 0,
            reused: false,
            metadata: metadata.as_object().cloned().unwrap_or_default(),
        }
    }

    #[test]
    fn figures_stand_by_each_word_that_divides_the_tasks() {
        let of = |task: &str, kind: &str, is_right: bool| {
            let metadata = json!({"area": "dialogue", "kind": kind, "number": 3, "id": task});
            outcome("one", task, is_right, &metadata)
        };
        let mut outcomes = vec![of("a", "two", true), of("b", "two", false), of("c", "none", true)];
        outcomes.push(outcome("other", "a", false, &json!({"kind": "two"})));
        let sides = ["one", "other"].map(str::to_owned);
        let found = groups(&sides, &outcomes);
        let told = found.iter().flat_map(|group| {
            let sides = group.sides.iter();
            sides.map(move |side| {
                let of = format!("{} = {}, {}", group.key, group.word, side.side);
                format!("{of}: {}/{}", side.right, side.attempts)
            })
        });
        assert_eq!(
            told.collect::<Vec<String>>(),
            [
                "kind = none, one: 1/1",
                "kind = two, one: 1/2",
                "kind = two, other: 0/1",
            ]
        );
        assert!(groups(&sides, &[]).is_empty());
    }

    #[test]
    fn words_beyond_the_bound_are_names_and_no_groups() {
        let of = |number: usize| {
            let metadata = json!({"kind": format!("k{}", number / 2)});
            outcome("one", &format!("t{number}"), true, &metadata)
        };
        let sides = ["one".to_owned()];
        let most: Vec<Outcome> = (0..2 * GROUP_WORDS_MAX).map(of).collect();
        assert_eq!(groups(&sides, &most).len(), GROUP_WORDS_MAX);
        let more: Vec<Outcome> = (0..2 * GROUP_WORDS_MAX + 2).map(of).collect();
        assert!(groups(&sides, &more).is_empty());
    }
}
