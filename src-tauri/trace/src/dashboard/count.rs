//! Counts runs by day and outcome, and puts a dashboard together. Pure: what is read comes in.

use super::period::{Period, Place};
use super::steps::Steps;
use crate::limits::{DASHBOARD_RUNS_MAX, STATISTICS_STEPS_MAX};
use shidi_protocol::{Dashboard, DashboardDay, RecallFigures, Recalled, RunFigures, RunStatus, Times};
use shidi_store::{CountedRun, CountedStep};
use std::collections::HashSet;

/// The dashboard of a period, from its runs and the runs of the period before, and from its steps. Runs and steps come
/// newest first.
pub fn counted(period: &Period, runs: Vec<CountedRun>, steps: Vec<CountedStep>) -> Dashboard {
    let names = period.names();
    let is_cut = runs.len() >= DASHBOARD_RUNS_MAX as usize || steps.len() >= STATISTICS_STEPS_MAX as usize;
    let mut days: Vec<Sum> = names.iter().map(|_| Sum::default()).collect();
    let (mut whole, mut before) = (Sum::default(), Sum::default());
    let mut recall = [Recalled::Experience, Recalled::Memory, Recalled::Nothing].map(nothing_of);
    for run in without_copies(runs) {
        match period.place(run.started) {
            Some(Place::Day(at)) => {
                days[at].add(&run);
                whole.add(&run);
                recall.iter_mut().for_each(|one| add_recall(one, &run));
            }
            Some(Place::Before) => before.add(&run),
            None => {}
        }
    }
    let steps = Steps::of(period, names.len(), steps);
    let days = names.into_iter().zip(days).zip(steps.by_day);
    let day = |((day, sum), answers): ((String, Sum), Vec<u64>)| DashboardDay {
        day,
        runs: sum.figures(),
        model_times: times(answers),
    };
    Dashboard {
        days: days.map(day).collect(),
        period: whole.figures(),
        before: before.figures(),
        models: steps.models,
        tools: steps.tools,
        errors: steps.errors,
        recall: recall.into(),
        parts: Vec::new(),
        left_out: steps.left_out,
        is_cut,
        steps_kept_days: 0,
    }
}

/// The half and the 95th percentile, by the nearest rank; `None` of nothing.
pub fn times(mut of: Vec<u64>) -> Option<Times> {
    of.sort_unstable();
    let at = |share: usize| of.get((of.len().checked_sub(1)?) * share / 100).copied();
    Some(Times {
        median_ms: at(50)?,
        p95_ms: at(95)?,
    })
}

/// A session that was branched or brought back from a file holds its runs once more. Their moments and usage are the same.
fn without_copies(runs: Vec<CountedRun>) -> impl Iterator<Item = CountedRun> {
    let mut seen = HashSet::new();
    runs.into_iter().filter(move |run| {
        let key = (run.started, run.ended, run.usage.input, run.usage.output);
        !run.is_sub_agent && seen.insert(key)
    })
}

/// The runs of some days.
#[derive(Default)]
struct Sum {
    figures: RunFigures,
    times: Vec<u64>,
}

impl Sum {
    fn add(&mut self, run: &CountedRun) {
        let own = &mut self.figures;
        *match run.status {
            Some(RunStatus::Completed) => &mut own.completed,
            Some(RunStatus::GaveUp) => &mut own.gave_up,
            Some(RunStatus::Failed) => &mut own.failed,
            Some(RunStatus::Cancelled) => &mut own.cancelled,
            Some(RunStatus::Suspended) | None => &mut own.unfinished,
        } += 1;
        own.model_calls += u64::from(run.usage.model_calls);
        own.input += u64::from(run.usage.input);
        own.cached += u64::from(run.usage.cached);
        own.output += u64::from(run.usage.output);
        if let Some(cost) = run.usage.cost {
            own.cost = Some(own.cost.unwrap_or_default() + cost);
        }
        self.times.extend(time_of(run));
    }

    fn figures(self) -> RunFigures {
        RunFigures {
            times: times(self.times),
            ..self.figures
        }
    }
}

/// Milliseconds of a run's own work. One that the user stopped says nothing of how long such a run takes.
fn time_of(run: &CountedRun) -> Option<u64> {
    match run.status? {
        RunStatus::Completed | RunStatus::GaveUp | RunStatus::Failed => {
            let waited: u64 = run.rests.iter().map(|(from, to)| to.since(*from)).sum();
            Some(run.ms?.saturating_sub(waited))
        }
        RunStatus::Cancelled | RunStatus::Suspended => None,
    }
}

fn nothing_of(of: Recalled) -> RecallFigures {
    RecallFigures {
        of,
        pieces: 0,
        completed: 0,
        not_done: 0,
    }
}

fn add_recall(one: &mut RecallFigures, run: &CountedRun) {
    let (pieces, is_of) = match one.of {
        Recalled::Experience => (run.experiences, run.experiences > 0),
        Recalled::Memory => (run.memories, run.memories > 0),
        Recalled::Nothing => (0, run.experiences + run.memories == 0),
    };
    if !is_of {
        return;
    }
    one.pieces += pieces;
    match run.status {
        Some(RunStatus::Completed) => one.completed += 1,
        Some(RunStatus::Failed | RunStatus::GaveUp) => one.not_done += 1,
        Some(RunStatus::Cancelled | RunStatus::Suspended) | None => {}
    }
}

#[cfg(test)]
mod tests;
