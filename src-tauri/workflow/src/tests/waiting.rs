//! Calls that say nothing: out of time, waiting for a person, of an unknown end.

use super::engine::{attempt, started, wanted};
use super::of_steps;
use super::world::broken;
use crate::{Effect, Event, Failure, Happened, Next, Status, Verdict, What};
use serde_json::json;

#[test]
fn a_call_out_of_time_is_told_to_stop_and_is_uncertain_when_it_says_nothing() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y, timeout: 5s, retry: {times: 1, wait: 0}}\n");
    let (mut run, effects) = started(&workflow);
    let id = attempt(&effects);
    let turn = run.handle(&workflow, Event::Begun(id), 1_000);
    assert_eq!(
        turn.next,
        Next::Wait {
            until_ms: Some(6_000)
        }
    );
    let turn = run.handle(&workflow, Event::Time, 6_000);
    assert_eq!(wanted(turn.effects), [Effect::Cancel(id)]);
    let mut stopped = run.clone();
    let turn = stopped.handle(&workflow, broken(id, Happened::No), 6_100);
    assert!(turn.effects.iter().any(|effect| matches!(effect, Effect::Tell(record) if matches!(&record.what, What::Retrying { failure: Failure::TimedOut { limit_ms: 5_000 }, .. }))));
    let turn = run.handle(&workflow, Event::Time, 16_000);
    assert_eq!(
        (wanted(turn.effects), turn.next, run.uncertain()),
        (vec![], Next::Wait { until_ms: None }, vec![id])
    );
    // Only a person goes on from there.
    assert!(wanted(run.handle(&workflow, Event::Time, 99_000).effects).is_empty());
    run.handle(
        &workflow,
        Event::Settled {
            attempt: id,
            verdict: Verdict::GiveUp,
        },
        99_000,
    );
    assert!(matches!(
        run.status,
        Status::Failed {
            failure: Failure::GivenUp,
            ..
        }
    ));
}

#[test]
fn a_call_that_was_told_to_stop_is_told_again_by_the_next_process() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y}\n");
    for event in [Event::Resumed, Event::Cancelled] {
        let (mut run, effects) = started(&workflow);
        let id = attempt(&effects);
        run.handle(&workflow, Event::Begun(id), 1_000);
        let turn = run.handle(&workflow, Event::Cancelled, 2_000);
        assert_eq!(wanted(turn.effects), [Effect::Cancel(id)]);
        // The process is killed, and another one takes the run up after the time for its end.
        let turn = run.handle(&workflow, event, 60_000);
        let until_ms = Some(70_000);
        assert_eq!(
            (wanted(turn.effects), turn.next),
            (vec![Effect::Cancel(id)], Next::Wait { until_ms })
        );
        assert!(run.uncertain().is_empty(), "its record has yet to be read");
        run.handle(&workflow, broken(id, Happened::No), 60_100);
        assert_eq!(run.status, Status::Cancelled);
    }
}

#[test]
fn a_run_whose_caller_has_ended_is_cancelled_and_says_why() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y}\n");
    let (mut run, effects) = started(&workflow);
    let id = attempt(&effects);
    run.handle(&workflow, Event::Begun(id), 1_000);
    assert!(run.waits_for(id));
    let turn = run.handle(&workflow, Event::CallerEnded, 2_000);
    assert_eq!(wanted(turn.effects), [Effect::Cancel(id)]);
    assert!(!run.waits_for(id), "it was told to stop");
    run.handle(&workflow, broken(id, Happened::No), 2_100);
    assert_eq!((&run.status, run.caller_ended), (&Status::Cancelled, true));
    let (mut ended, _) = started(&workflow);
    ended.handle(&workflow, Event::Cancelled, 0);
    ended.handle(&workflow, Event::CallerEnded, 0);
    assert!(!ended.caller_ended, "a person has cancelled it before");
}

#[test]
fn a_call_that_waits_for_the_ends_of_what_it_has_called_has_their_time_too() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y}\n");
    let (mut run, effects) = started(&workflow);
    let id = attempt(&effects);
    run.handle(&workflow, Event::Begun(id), 1_000);
    run.handle(&workflow, Event::Cancelled, 2_000);
    let stops = Event::Waits {
        attempt: id,
        waits: true,
    };
    run.handle(&workflow, stops, 3_000);
    run.handle(&workflow, Event::Time, 30_000);
    assert_eq!((run.status.clone(), run.uncertain()), (Status::Running, vec![]));
    // Whoever cancels once more takes nothing of it away.
    let turn = run.handle(&workflow, Event::Cancelled, 31_000);
    let until_ms = Some(103_000);
    assert_eq!(turn.next, Next::Wait { until_ms });
    run.handle(&workflow, Event::Time, 103_000);
    assert_eq!(run.status, Status::Cancelled);
}

#[test]
fn a_models_answer_out_of_time_is_asked_for_again() {
    let workflow = of_steps(
        "  - {id: a, type: llm, prompt: hi, output: {name: x}, timeout: 5s, retry: {times: 1, wait: 0}}\n",
    );
    let (mut run, effects) = started(&workflow);
    run.handle(&workflow, Event::Begun(attempt(&effects)), 0);
    let effects = wanted(run.handle(&workflow, Event::Time, 5_000).effects);
    assert!(
        matches!(effects.as_slice(), [Effect::Cancel(_), Effect::Perform { .. }]),
        "{effects:?}"
    );
}

#[test]
fn the_time_of_a_step_stands_still_while_its_program_waits_for_a_person() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y, timeout: 5s}\n");
    let (mut run, effects) = started(&workflow);
    let attempt = attempt(&effects);
    run.handle(&workflow, Event::Begun(attempt), 1_000);
    let waits = |waits| Event::Waits { attempt, waits };
    let turn = run.handle(&workflow, waits(true), 3_000);
    assert_eq!(turn.next, Next::Wait { until_ms: None });
    assert!(wanted(run.handle(&workflow, Event::Time, 900_000).effects).is_empty());
    let turn = run.handle(&workflow, waits(false), 1_000_000);
    let until_ms = Some(1_003_000);
    assert_eq!(turn.next, Next::Wait { until_ms });
    let turn = run.handle(&workflow, Event::Time, 1_003_000);
    assert_eq!(wanted(turn.effects), [Effect::Cancel(attempt)]);
}

#[test]
fn a_value_that_a_step_could_not_have_given_is_not_taken_for_its_own() {
    let workflow = of_steps("  - {id: a, type: tool, tool: x.y, output: {name: sum, type: int}}\n");
    let (mut run, effects) = started(&workflow);
    let id = attempt(&effects);
    run.handle(&workflow, Event::Begun(id), 0);
    run.handle(&workflow, Event::Resumed, 0);
    assert_eq!(run.uncertain(), [id]);
    assert!(run.could_give(&workflow, id, &json!("hello")).is_err());
    assert!(run.could_give(&workflow, id, &json!("3")).is_ok());
    assert!(run.could_give(&workflow, id, &json!(3)).is_ok());
}
