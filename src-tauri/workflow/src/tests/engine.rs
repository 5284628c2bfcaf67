//! Runs: their order, what happens of errors, times and refusals, and their bounds.

use super::generated;
use super::world::{Kill, World, always, broken, is_done};
use super::{of_steps, workflow};
use crate::{
    AttemptId, Decision, Effect, Event, Failure, GivenFault, Happened, Mode, Next, Run, SAMPLES, Status,
    Verdict, Work, Workflow,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

fn given(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else {
        unreachable!("{value}")
    };
    map
}

/// Starts a run, and says what it wants first.
pub fn started(workflow: &Workflow) -> (Run, Vec<Effect>) {
    let mut run = Run::new(workflow, Mode::Real, Map::new(), "").unwrap();
    let effects = run.handle(workflow, Event::Started, 0).effects;
    (run, wanted(effects))
}

/// Effects that somebody performs.
pub fn wanted(effects: Vec<Effect>) -> Vec<Effect> {
    effects
        .into_iter()
        .filter(|effect| !matches!(effect, Effect::Tell(_)))
        .collect()
}

pub fn attempt(effects: &[Effect]) -> AttemptId {
    match effects.first() {
        Some(Effect::Perform { attempt, .. } | Effect::Ask { attempt, .. }) => *attempt,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn values_go_from_step_to_step_with_their_types() {
    let workflow = of_steps(
        "  - {id: ask, type: input, output: {name: n, type: int}}\n\
         \x20 - {id: call, type: tool, tool: a.b, inputs: {number: '{n}', text: 'n is {n}', list: ['{n}', x]}, output: {name: user, type: dict}}\n\
         \x20 - {id: end, type: output, inputs: {name: '{user.name}', all: '{user}'}}\n",
    );
    let mut run = Run::new(&workflow, Mode::Real, given(json!({"n": "3"})), "").unwrap();
    let effects = wanted(run.handle(&workflow, Event::Started, 0).effects);
    let Effect::Perform {
        attempt,
        work: Work::Tool { tool, arguments },
        ..
    } = &effects[0]
    else {
        unreachable!("{effects:?}")
    };
    assert_eq!(
        (tool.as_str(), Value::Object(arguments.clone())),
        ("a.b", json!({"number": 3, "text": "n is 3", "list": [3, "x"]}))
    );
    run.handle(&workflow, Event::Begun(*attempt), 1);
    let turn = run.handle(
        &workflow,
        Event::Done {
            attempt: *attempt,
            value: json!("{\"name\": \"Ann\"}"),
        },
        2,
    );
    assert_eq!(turn.next, Next::Ended);
    assert_eq!(
        Value::Object(run.result),
        json!({"name": "Ann", "all": {"name": "Ann"}})
    );
}

#[test]
fn what_the_articles_query_found_is_a_text_where_a_text_is_declared_and_else_a_list() {
    let found = json!([
        {"text": "Chicken with chili", "source": "menu.csv line 2", "base": "menu"},
        {"value": "Soup", "source": "menu.csv line 3", "base": "menu"},
    ]);
    let told = json!("Chicken with chili [menu.csv line 2]\n\nSoup [menu.csv line 3]");
    for (kind, dishes) in [("str", &told), ("list", &found)] {
        let workflow = of_steps(&format!(
            "  - {{id: ask, type: plugin, plugin: plugin_ai_knowledge_base_query, inputs: {{query: hot}}, output: {{name: dishes, type: {kind}}}}}\n\
             \x20 - {{id: end, type: output, inputs: {{dishes: '{{dishes}}'}}}}\n"
        ));
        let (mut run, effects) = started(&workflow);
        let attempt = attempt(&effects);
        run.handle(&workflow, Event::Begun(attempt), 1);
        let value = found.clone();
        run.handle(&workflow, Event::Done { attempt, value }, 2);
        assert_eq!(&run.result["dishes"], dishes, "{kind}");
    }
}

#[test]
fn a_run_asks_for_what_is_missing_and_makes_nothing_up() {
    let text = "version: 1\nname: n\ninputs: [{name: a, type: int}, {name: b, default: x}]\nsteps: [{id: o, type: output, inputs: {a: '{a}{b}'}}]\n";
    let workflow = workflow(text).unwrap();
    let fault = |value| Run::new(&workflow, Mode::Real, given(value), "").unwrap_err();
    assert_eq!(fault(json!({})), [GivenFault::Missing("a".to_owned())]);
    assert!(matches!(
        fault(json!({"a": "many"}))[0],
        GivenFault::WrongType { .. }
    ));
    assert!(matches!(
        fault(json!({"a": 1, "c": 2}))[0],
        GivenFault::Unknown { .. }
    ));
    let mut run = Run::new(&workflow, Mode::Real, given(json!({"a": 1})), "").unwrap();
    run.handle(&workflow, Event::Started, 0);
    assert_eq!(run.result["a"], "1x");
}

#[test]
fn a_branch_takes_one_way_and_a_loop_keeps_its_rounds() {
    let workflow = of_steps(
        "  - id: each\n    type: loop\n    each: [1, 2, 3, 4]\n    as: n\n    steps:\n\
         \x20     - id: odd\n        type: branch\n        if: '{n} % 2 == 1'\n\
         \x20       then: [{id: a, type: code, code: 'x', output: {name: word}}]\n\
         \x20       else: [{id: b, type: tool, tool: x.y, inputs: {n: '{n}'}, output: {name: word}}]\n\
         \x20   until: '{n} == 3'\n\
         \x20   outputs: [{name: words, type: list, value: '{word}'}, {name: last, value: '{n}'}]\n\
         \x20 - {id: end, type: output, inputs: {words: '{words}', last: '{last}'}}\n",
    );
    let (mut run, mut effects) = started(&workflow);
    let mut tools = Vec::new();
    while let Some(Effect::Perform { attempt, step, .. }) = effects.first().cloned() {
        tools.push(step.clone());
        run.handle(&workflow, Event::Begun(attempt), 0);
        let value = if step == "a" {
            json!({"word": "odd"})
        } else {
            json!("even")
        };
        effects = wanted(run.handle(&workflow, Event::Done { attempt, value }, 0).effects);
    }
    assert_eq!(tools, ["a", "b", "a"]);
    assert_eq!(
        Value::Object(run.result.clone()),
        json!({"words": ["odd", "even", "odd"], "last": 3})
    );
}

#[test]
fn steps_that_need_nothing_of_one_another_are_under_way_together() {
    let workflow = of_steps(
        "  - {id: a, type: tool, tool: x.y}\n  - {id: b, type: tool, tool: x.y, needs: []}\n\
         \x20 - {id: c, type: parallel, needs: [], branches: [[{id: d, type: tool, tool: x.y}, {id: e, type: tool, tool: x.y}], [{id: f, type: tool, tool: x.y}]]}\n",
    );
    let (mut run, effects) = started(&workflow);
    let steps = |effects: &[Effect]| -> Vec<String> {
        let step = |effect: &Effect| match effect {
            Effect::Perform { step, .. } => step.clone(),
            other => unreachable!("{other:?}"),
        };
        effects.iter().map(step).collect()
    };
    assert_eq!(steps(&effects), ["a", "b", "d", "f"]);
    let turn = run.handle(
        &workflow,
        Event::Done {
            attempt: AttemptId(attempt(&effects[2..]).0),
            value: json!(1),
        },
        0,
    );
    assert_eq!(steps(&wanted(turn.effects)), ["e"]);
}

#[test]
fn a_failed_call_is_tried_again_after_its_wait_and_then_handled() {
    let workflow = of_steps(
        "  - id: a\n    type: tool\n    tool: x.y\n    retry: {times: 2, wait: 10s, factor: 3}\n    output: {name: r, type: str}\n    on_error:\n\
         \x20     - {id: instead, type: tool, tool: x.z, inputs: {why: '{error.step}: {error.message}'}, output: {name: r, type: str}}\n\
         \x20 - {id: end, type: output, inputs: {r: '{r}'}}\n",
    );
    let (mut run, mut effects) = started(&workflow);
    for (now_ms, wait_ms) in [(0, 10_000), (10_000, 40_000)] {
        let attempt = attempt(&effects);
        run.handle(&workflow, Event::Begun(attempt), now_ms);
        let turn = run.handle(&workflow, broken(attempt, Happened::No), now_ms);
        assert_eq!(
            turn.next,
            Next::Wait {
                until_ms: Some(wait_ms)
            }
        );
        assert!(wanted(run.handle(&workflow, Event::Time, wait_ms - 1).effects).is_empty());
        effects = wanted(run.handle(&workflow, Event::Time, wait_ms).effects);
    }
    let turn = run.handle(&workflow, broken(attempt(&effects), Happened::No), 40_000);
    let effects = wanted(turn.effects);
    let Effect::Perform {
        attempt,
        work: Work::Tool { arguments, .. },
        ..
    } = &effects[0]
    else {
        unreachable!("{effects:?}")
    };
    assert_eq!(arguments["why"], "a: broken");
    run.handle(
        &workflow,
        Event::Done {
            attempt: *attempt,
            value: json!("second best"),
        },
        40_000,
    );
    assert_eq!(
        (run.status.clone(), run.result["r"].clone()),
        (Status::Done, json!("second best"))
    );
}

#[test]
fn a_failure_ends_the_run_and_what_was_begun_beside_it_is_waited_for() {
    let workflow = of_steps(
        "  - {id: a, type: tool, tool: x.y}\n  - {id: b, type: tool, tool: x.y, needs: []}\n  - {id: c, type: tool, tool: x.y}\n",
    );
    let (mut run, effects) = started(&workflow);
    let (a, b) = (attempt(&effects), attempt(&effects[1..]));
    run.handle(&workflow, Event::Begun(a), 0);
    run.handle(&workflow, Event::Begun(b), 0);
    let turn = run.handle(&workflow, broken(a, Happened::No), 0);
    assert_eq!(wanted(turn.effects), [Effect::Cancel(b)]);
    assert_eq!(
        turn.next,
        Next::Wait {
            until_ms: Some(10_000)
        }
    );
    let mut other = run.clone();
    let turn = run.handle(
        &workflow,
        Event::Done {
            attempt: b,
            value: json!(1),
        },
        1,
    );
    assert_eq!(turn.next, Next::Ended);
    assert!(matches!(&run.status, Status::Failed { step, .. } if step == "a") && run.unsettled.is_empty());
    other.handle(&workflow, Event::Time, 10_000);
    assert!(matches!(other.status, Status::Failed { .. }));
    assert_eq!(other.unsettled[0].step, "b");
}

#[test]
fn a_cancelled_run_ends_at_once_unless_something_was_begun() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y}\n");
    let (mut run, effects) = started(&workflow);
    let turn = run.handle(&workflow, Event::Cancelled, 0);
    assert_eq!((run.status.clone(), turn.next), (Status::Cancelled, Next::Ended));
    // A performer that had not heard of it yet is told when it would begin.
    let late = run.handle(&workflow, Event::Begun(attempt(&effects)), 1);
    assert_eq!(late.effects, [Effect::Cancel(attempt(&effects))]);
}

#[test]
fn a_refusal_ends_the_run_or_is_a_value() {
    let ends = of_steps("  - {id: a, type: approval, message: sure?}\n  - {id: b, type: tool, tool: x.y}\n");
    let mut world = World::new(&ends, always, Kill::Never).refusing();
    let run = world.run(Map::new());
    assert!(
        matches!(&run.status, Status::Failed { failure: Failure::Refused { reason }, .. } if reason == "no")
    );
    let value = of_steps(
        "  - {id: a, type: approval, message: sure?, output: {name: agreed, type: bool}}\n  - {id: b, type: output, inputs: {agreed: '{agreed}'}}\n",
    );
    let (mut run, effects) = started(&value);
    run.handle(
        &value,
        Event::Answered {
            attempt: attempt(&effects),
            answer: Decision::Approved,
        },
        0,
    );
    assert_eq!(run.result["agreed"], true);
}

#[test]
fn a_dry_run_does_nothing_and_tells_every_step() {
    for (name, sample) in SAMPLES {
        let workflow = workflow(sample).unwrap();
        let mut run = Run::new(&workflow, Mode::Dry, Map::new(), "").unwrap();
        let turn = run.handle(&workflow, Event::Started, 0);
        assert_eq!(
            (turn.next, wanted(turn.effects.clone())),
            (Next::Ended, vec![]),
            "{name}: {run:?}"
        );
        assert!(is_done(&run), "{name}: {:?}", run.status);
        let told: BTreeSet<&str> = turn
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Tell(record) => Some(record.step.as_str()),
                _ => None,
            })
            .collect();
        assert!(told.len() >= workflow.root().steps.len(), "{name}: {told:?}");
    }
}

#[test]
fn ten_thousand_rounds_take_no_more_memory_than_one() {
    let workflow = of_steps(
        "  - {id: l, type: loop, times: 10000, as: n, steps: [{id: a, type: tool, tool: x.y, inputs: {n: '{n}'}, output: {name: r}}], output: {name: last, value: '{r}'}}\n\
         \x20 - {id: end, type: output, inputs: {last: '{last}'}}\n",
    );
    let (mut run, mut effects) = started(&workflow);
    let mut largest = 0;
    let mut rounds = 0_u64;
    while let Some(Effect::Perform { attempt, .. }) = effects.first() {
        let attempt = *attempt;
        run.handle(&workflow, Event::Begun(attempt), 0);
        effects = wanted(
            run.handle(
                &workflow,
                Event::Done {
                    attempt,
                    value: json!("x".repeat(1_000)),
                },
                0,
            )
            .effects,
        );
        rounds += 1;
        if rounds.is_multiple_of(500) {
            largest = largest.max(serde_json::to_string(&run).unwrap().len());
        }
    }
    assert_eq!((rounds, is_done(&run)), (10_000, true));
    assert!(largest < 6_000, "{largest}");
}

#[test]
fn loops_and_values_without_end_are_stopped() {
    let endless = of_steps(
        "  - {id: l, type: loop, until: '{r} == 1', steps: [{id: a, type: tool, tool: x.y, output: {name: r}}]}\n",
    );
    let run = World::new(&endless, always, Kill::Never).run(Map::new());
    assert!(matches!(
        run.status,
        Status::Failed {
            failure: Failure::TooManyRounds { most: 1_000 },
            ..
        }
    ));
    let large = of_steps(
        "  - {id: l, type: loop, times: 100, steps: [{id: a, type: tool, tool: x.y, output: {name: r}}], output: {name: all, type: list, value: '{r}'}}\n",
    );
    let (mut run, mut effects) = started(&large);
    while let Some(Effect::Perform { attempt, .. }) = effects.first() {
        effects = wanted(
            run.handle(
                &large,
                Event::Done {
                    attempt: *attempt,
                    value: json!("x".repeat(1 << 20)),
                },
                0,
            )
            .effects,
        );
    }
    assert!(matches!(
        run.status,
        Status::Failed {
            failure: Failure::TooLarge { .. },
            ..
        }
    ));
    let steps = of_steps(
        "  - {id: l, type: loop, times: 10000, steps: [{id: m, type: loop, times: 10000, steps: [{id: w, type: wait, for: 0}]}]}\n",
    );
    let run = World::new(&steps, always, Kill::Never).run(Map::new());
    assert!(matches!(
        run.status,
        Status::Failed {
            failure: Failure::TooManySteps { .. },
            ..
        }
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn events_that_nobody_expects_change_nothing_and_break_nothing(seed in any::<u64>(), numbers in prop::collection::vec((0..8_u64, 0..30_u64), 0..60)) {
        let workflow = generated::workflow(seed);
        let mut run = Run::new(&workflow, Mode::Real, Map::new(), "").unwrap();
        run.handle(&workflow, Event::Started, 0);
        for (kind, number) in numbers {
            let attempt = AttemptId(number);
            let event = match kind {
                0 => Event::Begun(attempt),
                1 => Event::Done { attempt, value: json!(number) },
                2 => broken(attempt, Happened::No),
                3 => broken(attempt, Happened::Unknown),
                4 => Event::Answered { attempt, answer: Decision::Approved },
                5 => Event::Settled { attempt, verdict: Verdict::NotHappened },
                6 => Event::Resumed,
                _ => Event::Time,
            };
            let was_over = run.has_ended();
            let turn = run.handle(&workflow, event, number * 1_000);
            prop_assert!(!was_over || wanted(turn.effects).iter().all(|effect| matches!(effect, Effect::Cancel(_))));
        }
    }
}
