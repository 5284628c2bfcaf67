//! Suites tried as things are and with a change, beside one another.

use crate::{EvaluationPlan, evaluate};
use async_trait::async_trait;
use shidi_bad_cases::{Measuring, Trials, Tried};
use shidi_evaluation::{
    Comparison, Outcome, PARALLEL_DEFAULT, Side, Suite, TURN_SECONDS, Verdict, compare, load,
};
use shidi_protocol::{CaseMeasure, UserError};
use std::sync::Arc;

/// Names of the two sides.
const NOW: &str = "now";
const THEN: &str = "then";

/// The first seed of attempts, and that of intervals.
const SEED: u64 = 1;

/// What tries tasks in this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnTrials;

#[async_trait]
impl Trials for OwnTrials {
    async fn measured(&self, measuring: Measuring, tried: Tried<'_>) -> Result<Vec<CaseMeasure>, UserError> {
        let mut suites = Vec::new();
        for (path, repeat) in &measuring.suites {
            let stem = path.file_stem().unwrap_or_default();
            let name = stem.to_string_lossy().into_owned();
            suites.push((name, Arc::new(load(path, measuring.language)?), *repeat));
        }
        let attempts = |(_, suite, repeat): &(String, Arc<Suite>, u32)| {
            2 * suite.cases.len() as u64 * u64::from(*repeat)
        };
        let total = suites.iter().map(attempts).sum();
        let mut done = 0;
        let mut measures = Vec::new();
        for (name, suite, repeat) in suites {
            let each = |outcome: &Outcome| {
                done += 1;
                tried(done, total, &outcome.task);
            };
            let (data, language) = (Some(measuring.data.clone()), measuring.language);
            let is_case = measures.is_empty();
            let plan = plan(&measuring, &suite, repeat, is_case);
            let outcomes = evaluate(data, language, Arc::clone(&suite), plan, each).await?;
            measures.push(measure(name, &outcomes));
        }
        Ok(measures)
    }
}

/// The case itself is asked anew each time; what suites gave is kept.
fn plan(measuring: &Measuring, suite: &Suite, repeat: u32, is_case: bool) -> EvaluationPlan {
    let side = |name: &str, change| Side {
        name: name.to_owned(),
        change,
        ..Side::default()
    };
    EvaluationPlan {
        sides: vec![side(NOW, None), side(THEN, Some(measuring.change.clone()))],
        repeat: suite.options.repeat.unwrap_or(1).max(repeat),
        parallel: suite.options.parallel.unwrap_or(PARALLEL_DEFAULT),
        timeout_s: suite.options.timeout_s.unwrap_or(TURN_SECONDS),
        max_rounds: None,
        seed: SEED,
        fresh: is_case || suite.options.fresh,
    }
}

fn measure(suite: String, outcomes: &[Outcome]) -> CaseMeasure {
    let of = |side: &'static str| outcomes.iter().filter(move |outcome| outcome.side == side);
    let right = |side| {
        of(side)
            .filter(|outcome| outcome.verdict == Verdict::Right)
            .count()
    };
    let broken = || {
        outcomes
            .iter()
            .filter(|outcome| outcome.verdict == Verdict::Broken)
    };
    let Comparison {
        only_first,
        only_second,
        p,
        ..
    } = compare(NOW, THEN, outcomes, SEED);
    let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    CaseMeasure {
        suite,
        attempts: counted(of(NOW).count()),
        right_now: counted(right(NOW)),
        right_then: counted(right(THEN)),
        only_now: only_first,
        only_then: only_second,
        broken: counted(broken().count()),
        reason: broken().find_map(|outcome| outcome.reason.clone()),
        p,
    }
}
