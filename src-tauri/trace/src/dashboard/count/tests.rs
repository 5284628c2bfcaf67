//! What a dashboard counts, from runs and steps that are written down here.

use super::*;
use jiff::tz::TimeZone;
use shidi_protocol::{Moment, StepKind, Usage};
use shidi_store::StepAttributes;

const DAY_MS: i64 = 86_400_000;

/// Two days that end on the tenth of the epoch, in UTC.
fn period() -> Period {
    Period::ending(Moment(9 * DAY_MS + 1), 2, TimeZone::UTC)
}

/// A run of that day, from 0 for the first one of the epoch.
fn run(day: i64, minute: i64, status: Option<RunStatus>) -> CountedRun {
    let started = Moment(day * DAY_MS + minute * 60_000);
    CountedRun {
        started,
        ended: status.map(|_| Moment(started.0 + 5_000)),
        status,
        usage: Usage {
            input: 100,
            cached: 60,
            output: 10,
            cost: Some(0.5),
            model_calls: 2,
            estimated: false,
        },
        is_sub_agent: false,
        ms: Some(5_000),
        rests: Vec::new(),
        experiences: 0,
        memories: 0,
    }
}

fn step(day: i64, operation: &str, name: &str, ms: u64) -> CountedStep {
    CountedStep {
        run_started: Moment(day * DAY_MS),
        operation: operation.to_owned(),
        name: name.to_owned(),
        ms,
        attributes: StepAttributes {
            ok: Some(true),
            ..StepAttributes::default()
        },
    }
}

fn failed(step: CountedStep, class: &str) -> CountedStep {
    let attributes = StepAttributes {
        error: Some(class.to_owned()),
        ..step.attributes
    };
    CountedStep { attributes, ..step }
}

fn answer(name: &str, ms: u64, output: u64) -> CountedStep {
    CountedStep {
        attributes: StepAttributes {
            model: Some("m".to_owned()),
            provider: Some("deepseek".to_owned()),
            input: Some(100),
            cached: Some(25),
            output: Some(output),
            cost: Some(0.25),
            ..StepAttributes::default()
        },
        ..step(9, "chat", name, ms)
    }
}

#[test]
fn runs_count_by_day_and_outcome_beside_as_many_days_before() {
    let runs = vec![
        run(9, 3, None),
        run(9, 2, Some(RunStatus::Suspended)),
        run(9, 1, Some(RunStatus::Cancelled)),
        run(8, 3, Some(RunStatus::Failed)),
        run(8, 2, Some(RunStatus::GaveUp)),
        run(8, 1, Some(RunStatus::Completed)),
        run(7, 1, Some(RunStatus::Completed)),
        run(5, 1, Some(RunStatus::Completed)),
    ];
    let counted = counted(&period(), runs, Vec::new());
    let days: Vec<&str> = counted.days.iter().map(|day| day.day.as_str()).collect();
    assert_eq!(days, ["1970-01-09", "1970-01-10"]);
    let (first, last) = (&counted.days[0].runs, &counted.days[1].runs);
    assert_eq!((first.completed, first.gave_up, first.failed), (1, 1, 1));
    assert_eq!((last.cancelled, last.unfinished, last.runs()), (1, 2, 3));
    assert_eq!((counted.period.runs(), counted.before.runs()), (6, 1));
    assert_eq!((counted.period.input, counted.period.cached), (600, 360));
    assert_eq!((counted.period.model_calls, counted.period.cost), (12, Some(3.0)));
    assert!(!counted.is_cut);
}

#[test]
fn a_sub_agent_and_a_copy_of_a_run_count_once() {
    let own = run(9, 1, Some(RunStatus::Completed));
    let agent = CountedRun {
        is_sub_agent: true,
        ..run(9, 2, Some(RunStatus::Completed))
    };
    let counted = counted(&period(), vec![agent, own.clone(), own], Vec::new());
    assert_eq!((counted.period.runs(), counted.period.input), (1, 100));
}

#[test]
fn a_runs_time_is_its_own_work_and_a_stopped_one_has_none() {
    let begun = run(9, 1, Some(RunStatus::Completed));
    let rests = vec![(begun.started, Moment(begun.started.0 + 4_000))];
    let waited = CountedRun { rests, ..begun };
    let stopped = run(9, 2, Some(RunStatus::Cancelled));
    let forgotten = CountedRun {
        ms: None,
        ..run(9, 3, Some(RunStatus::Completed))
    };
    let counted = counted(&period(), vec![forgotten, stopped, waited], Vec::new());
    let times = Times {
        median_ms: 1_000,
        p95_ms: 1_000,
    };
    assert_eq!(counted.period.times, Some(times));
    assert_eq!(counted.days[0].runs.times, None);
}

#[test]
fn what_was_recalled_stands_beside_how_runs_came_out() {
    let with = |experiences, memories, run: CountedRun| CountedRun {
        experiences,
        memories,
        ..run
    };
    let runs = vec![
        with(0, 0, run(9, 5, Some(RunStatus::Failed))),
        with(1, 0, run(9, 4, Some(RunStatus::Cancelled))),
        with(0, 3, run(9, 3, Some(RunStatus::GaveUp))),
        with(2, 1, run(9, 2, Some(RunStatus::Completed))),
        with(9, 9, run(7, 1, Some(RunStatus::Completed))),
    ];
    let counted = counted(&period(), runs, Vec::new());
    let told = |one: &RecallFigures| (one.of, one.pieces, one.completed, one.not_done);
    let told: Vec<_> = counted.recall.iter().map(told).collect();
    assert_eq!(
        told,
        [
            (Recalled::Experience, 3, 1, 0),
            (Recalled::Memory, 4, 1, 1),
            (Recalled::Nothing, 0, 0, 1)
        ]
    );
}

#[test]
fn models_stand_beside_one_another_with_failures_tokens_cost_times_and_speed() {
    let mut steps: Vec<CountedStep> = (1..=100).map(|at| answer("m-2026", at * 10, 20)).collect();
    steps.push(failed(step(9, "chat", "slow", 60_000), "timeout"));
    steps.push(CountedStep {
        run_started: Moment(7 * DAY_MS),
        ..answer("m-2026", 1, 1)
    });
    let under_way = StepAttributes::default();
    steps.push(CountedStep {
        attributes: under_way,
        ..answer("m-2026", 1, 1)
    });
    let counted = counted(&period(), Vec::new(), steps);
    let [used, slow] = counted.models.as_slice() else {
        panic!("{:?}", counted.models)
    };
    assert_eq!((used.provider.as_str(), used.model.as_str()), ("deepseek", "m"));
    assert_eq!(used.step, "m-2026", "the name by which traces are found");
    assert_eq!((used.calls, used.failed), (100, 0));
    assert_eq!((used.input, used.cached, used.output), (10_000, 2_500, 2_000));
    assert_eq!(used.cost, Some(25.0));
    let times = used.times.unwrap();
    assert_eq!((times.median_ms, times.p95_ms), (500, 950));
    let speed = used.tokens_per_second.unwrap();
    assert!((speed - 2_000.0 / 50.5).abs() < 0.001, "{speed}");
    assert_eq!((slow.failed, slow.times, slow.tokens_per_second), (1, None, None));
    assert_eq!(counted.days[1].model_times.unwrap().p95_ms, 950);
    assert_eq!(counted.days[0].model_times, None);
}

#[test]
fn tools_tell_failures_from_refusals_and_waits_from_work() {
    let call = |ms| step(9, "execute_tool", "shell.run", ms);
    let refused = |call: CountedStep| {
        let attributes = StepAttributes {
            refused: Some(true),
            ..call.attributes
        };
        CountedStep { attributes, ..call }
    };
    let waited = CountedStep {
        attributes: StepAttributes {
            waited_ms: Some(60_000),
            ..call(0).attributes
        },
        ..call(60_040)
    };
    let steps = vec![
        waited,
        refused(failed(call(9_000), "PermissionError")),
        failed(call(7), "PermissionError"),
        failed(call(8), "OSError"),
        failed(step(9, "execute_tool", "files.read", 8), "OSError"),
        failed(step(9, "execute_tool", "files.read", 8), "OSError"),
        failed(step(9, "run_program", "python", 8), "TypeError"),
    ];
    let counted = counted(&period(), Vec::new(), steps);
    let shell = &counted.tools[0];
    assert_eq!((shell.calls, shell.failed, shell.refused), (4, 2, 1));
    assert_eq!(shell.times.unwrap().median_ms, 40);
    let told: Vec<_> = counted
        .errors
        .iter()
        .map(|one| (one.what, one.class.as_str(), one.count, one.step.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (StepKind::Tool, "OSError", 3, "files.read"),
            (StepKind::Tool, "PermissionError", 1, "shell.run"),
            (StepKind::Program, "TypeError", 1, "python")
        ]
    );
}

#[test]
fn rare_rows_are_left_out_and_that_is_told() {
    let name = |at: usize| format!("tool.{at:03}");
    let steps = (0..103).map(|at| step(9, "execute_tool", &name(at), 1));
    let often = (0..2).map(|_| step(9, "execute_tool", &name(102), 1));
    let counted = counted(&period(), Vec::new(), steps.chain(often).collect());
    assert_eq!((counted.tools.len(), counted.left_out), (100, 3));
    assert_eq!(counted.tools[0].tool, name(102));
}
