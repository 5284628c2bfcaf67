//! An evaluation summed up: the figures of each side, and the sides beside one another.

mod grouping;

pub use grouping::{Group, groups};

use crate::limits::SAMPLES;
use crate::outcome::{Outcome, Verdict};
use crate::statistics::{bootstrap, mcnemar, median, wilson};
use serde::{Deserialize, Serialize};
use shidi_protocol::Usage;
use std::collections::BTreeMap;

/// The probability below which a difference is called more than chance.
const CHANCE: f64 = 0.05;

/// An evaluation as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub suite: String,
    pub description: String,
    pub sides: Vec<SideSummary>,
    /// Each further side beside the first.
    pub comparisons: Vec<Comparison>,
    /// By what the suite says of its tasks; reports of before have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// The figures of one side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SideSummary {
    pub side: String,
    pub tasks: usize,
    pub attempts: usize,
    /// Attempts by their verdict.
    pub right: usize,
    pub wrong: usize,
    pub looped: usize,
    pub timed_out: usize,
    pub broken: usize,
    /// Attempts whose answers were kept from an earlier evaluation.
    pub reused: usize,
    /// The share of right attempts, with its 95 % interval after Wilson over the number of tasks.
    pub share: f64,
    pub share_low: f64,
    pub share_high: f64,
    pub usage: Usage,
    pub ms: u64,
    /// Medians of one attempt.
    pub median_ms: f64,
    pub median_tokens: f64,
    pub median_calls: f64,
    /// Mean scores of the checks that the suite names.
    pub metrics: BTreeMap<String, f64>,
}

/// Two sides on the same tasks. A task of several attempts is right where more than half of them are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub first: String,
    pub second: String,
    pub both: usize,
    pub neither: usize,
    /// Tasks that only one side got right.
    pub only_first: Vec<String>,
    pub only_second: Vec<String>,
    /// The share of the second less that of the first, with its 95 % interval by drawing tasks.
    pub difference: f64,
    pub difference_low: f64,
    pub difference_high: f64,
    /// The exact two-sided probability after McNemar that such a difference is chance.
    pub p: f64,
    /// Whether it is more than chance.
    pub significant: bool,
}

/// The figures of one side's outcomes.
#[must_use]
pub fn summarise(side: &str, outcomes: &[Outcome]) -> SideSummary {
    let own: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.side == side).collect();
    let count = |verdict| own.iter().filter(|outcome| outcome.verdict == verdict).count();
    let shares = shares(side, outcomes);
    let tasks = shares.len();
    let share = mean(shares.values().copied());
    let (share_low, share_high) = wilson(share * tasks as f64, tasks as f64);
    let mut usage = Usage::default();
    own.iter().for_each(|outcome| usage.add(&outcome.usage));
    let middle = |of: fn(&Outcome) -> f64| median(own.iter().map(|outcome| of(outcome)).collect());
    SideSummary {
        side: side.to_owned(),
        tasks,
        attempts: own.len(),
        right: count(Verdict::Right),
        wrong: count(Verdict::Wrong),
        looped: count(Verdict::Looped),
        timed_out: count(Verdict::TimedOut),
        broken: count(Verdict::Broken),
        reused: own.iter().filter(|outcome| outcome.reused).count(),
        share,
        share_low,
        share_high,
        usage,
        ms: own.iter().map(|outcome| outcome.ms).sum(),
        median_ms: middle(|outcome| outcome.ms as f64),
        median_tokens: middle(|outcome| f64::from(outcome.usage.input) + f64::from(outcome.usage.output)),
        median_calls: middle(|outcome| f64::from(outcome.usage.model_calls)),
        metrics: metrics(&own),
    }
}

fn metrics(outcomes: &[&Outcome]) -> BTreeMap<String, f64> {
    let mut scores: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for check in outcomes.iter().flat_map(|outcome| &outcome.checks) {
        if let Some(metric) = &check.metric {
            scores.entry(metric.clone()).or_default().push(check.score);
        }
    }
    scores
        .into_iter()
        .map(|(metric, scores)| (metric, mean(scores.into_iter())))
        .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The share of right attempts at each task of a side.
fn shares(side: &str, outcomes: &[Outcome]) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.side == side) {
        let (right, all) = counts.entry(outcome.task.clone()).or_default();
        *right += f64::from(u8::from(outcome.verdict == Verdict::Right));
        *all += 1.0;
    }
    counts
        .into_iter()
        .map(|(task, (right, all))| (task, right / all))
        .collect()
}

/// Two sides on the tasks that both have tried.
#[must_use]
pub fn compare(first: &str, second: &str, outcomes: &[Outcome], seed: u64) -> Comparison {
    let (of_first, of_second) = (shares(first, outcomes), shares(second, outcomes));
    let mut comparison = Comparison {
        first: first.to_owned(),
        second: second.to_owned(),
        both: 0,
        neither: 0,
        only_first: Vec::new(),
        only_second: Vec::new(),
        difference: 0.0,
        difference_low: 0.0,
        difference_high: 0.0,
        p: 1.0,
        significant: false,
    };
    let mut differences = Vec::new();
    for (task, first) in &of_first {
        let Some(second) = of_second.get(task) else {
            continue;
        };
        differences.push(second - first);
        match (*first > 0.5, *second > 0.5) {
            (true, true) => comparison.both += 1,
            (false, false) => comparison.neither += 1,
            (true, false) => comparison.only_first.push(task.clone()),
            (false, true) => comparison.only_second.push(task.clone()),
        }
    }
    comparison.difference = mean(differences.iter().copied());
    (comparison.difference_low, comparison.difference_high) = bootstrap(&differences, SAMPLES, seed);
    comparison.p = mcnemar(comparison.only_first.len(), comparison.only_second.len());
    comparison.significant = comparison.p < CHANCE;
    comparison
}
