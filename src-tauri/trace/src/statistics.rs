//! The record of models, programs and tools (F5.8), from the steps that are kept. The record has counts, failures
//! by class, times, tokens, processor and memory.

use crate::limits::{STATISTICS_CLASSES_MAX, STATISTICS_STEPS_MAX};
use crate::{Traces, names};
use shidi_protocol::{Moment, StepKind, StepStatistics, UserError, reply};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::storage;
use shidi_store::Measured;
use std::collections::{BTreeMap, HashMap};

const DAY_MS: i64 = 86_400_000;

/// How the steps of the last days fared, what was used most first. Of very many the newest are counted.
///
/// # Errors
/// Storage trouble.
pub async fn statistics(
    space: &Space,
    traces: &Traces,
    days: u32,
) -> Result<reply::TraceStatistics, UserError> {
    traces.flush();
    let since = Moment(clock::now().0 - i64::from(days) * DAY_MS);
    let store = space.store.clone();
    let read = tokio::task::spawn_blocking(move || store.measured(since, STATISTICS_STEPS_MAX)).await;
    let measured = match read {
        Ok(measured) => measured.map_err(|cause| storage::explain(&cause, space.language()))?,
        Err(cause) => {
            return Err(shidi_space::errors::internal(
                space.language(),
                &cause.to_string(),
            ));
        }
    };
    Ok(reply::TraceStatistics {
        statistics: counted(measured),
    })
}

fn counted(measured: Vec<Measured>) -> Vec<StepStatistics> {
    let mut groups: BTreeMap<(StepKind, String), Vec<Measured>> = BTreeMap::new();
    for one in measured {
        groups.entry(key(&one)).or_default().push(one);
    }
    let mut statistics: Vec<StepStatistics> = groups
        .into_iter()
        .map(|((what, name), steps)| of_group(what, name, &steps))
        .collect();
    statistics.sort_by(|left, right| {
        let by_use = right.count.cmp(&left.count);
        left.what.cmp(&right.what).then(by_use)
    });
    statistics
}

fn key(one: &Measured) -> (StepKind, String) {
    match one.operation.as_str() {
        names::RUN_PROGRAM => (StepKind::Program, one.name.clone()),
        names::EXECUTE_TOOL => (StepKind::Tool, one.name.clone()),
        _ => {
            let provider = one.provider.as_deref().unwrap_or_default();
            (StepKind::Model, format!("{provider}:{}", one.name))
        }
    }
}

fn of_group(what: StepKind, name: String, steps: &[Measured]) -> StepStatistics {
    let mut times: Vec<u64> = steps
        .iter()
        .map(|step| step.ms.saturating_sub(step.waited_ms))
        .collect();
    times.sort_unstable();
    let at = |share: usize| times.get((times.len().saturating_sub(1)) * share / 100).copied();
    let mut classes: HashMap<&str, u32> = HashMap::new();
    for error in steps.iter().filter_map(|step| step.error.as_deref()) {
        *classes.entry(error).or_default() += 1;
    }
    let failed = classes.values().map(|count| u64::from(*count)).sum();
    let mut errors: Vec<(String, u32)> = classes
        .into_iter()
        .map(|(class, count)| (class.to_owned(), count))
        .collect();
    errors.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)));
    errors.truncate(STATISTICS_CLASSES_MAX);
    StepStatistics {
        what,
        name,
        count: steps.len() as u64,
        failed,
        errors,
        median_ms: at(50).unwrap_or(0),
        p95_ms: at(95).unwrap_or(0),
        input: steps.iter().map(|step| step.input).sum(),
        output: steps.iter().map(|step| step.output).sum(),
        cost: steps
            .iter()
            .filter_map(|step| step.cost)
            .reduce(|sum, one| sum + one),
        cpu_ms: steps.iter().map(|step| step.cpu_ms).sum(),
        memory_bytes: steps.iter().map(|step| step.memory_bytes).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(operation: &str, name: &str, ms: u64, error: Option<&str>) -> Measured {
        Measured {
            operation: operation.to_owned(),
            name: name.to_owned(),
            provider: Some("deepseek".to_owned()),
            ms,
            waited_ms: 0,
            error: error.map(str::to_owned),
            input: 10,
            output: 2,
            cost: None,
            cpu_ms: 1,
            memory_bytes: ms,
        }
    }

    #[test]
    fn each_model_and_tool_is_counted_with_its_failures_and_times_without_waits() {
        let mut steps: Vec<Measured> = (1..=100)
            .map(|ms| step("chat", "m", ms, (ms > 98).then_some("timeout")))
            .collect();
        steps.push(Measured {
            waited_ms: 60_000,
            ..step("execute_tool", "user.ask", 60_005, None)
        });
        steps.push(step("run_program", "python", 7, Some("TypeError")));
        let counted = counted(steps);
        assert_eq!(counted.len(), 3);
        let model = &counted[0];
        assert_eq!((model.what, model.name.as_str()), (StepKind::Model, "deepseek:m"));
        assert_eq!((model.count, model.failed), (100, 2));
        assert_eq!(model.errors, [("timeout".to_owned(), 2)]);
        assert_eq!((model.median_ms, model.p95_ms), (50, 95));
        assert_eq!((model.input, model.output, model.cost), (1_000, 200, None));
        let (program, tool) = (&counted[1], &counted[2]);
        assert_eq!((program.cpu_ms, program.memory_bytes), (1, 7));
        assert_eq!(program.errors, [("TypeError".to_owned(), 1)]);
        assert_eq!((tool.median_ms, tool.failed), (5, 0));
    }
}
