//! News of background jobs: told once, before the model's next request, and never to a program that knows already.

use crate::bench::*;

fn ended(job: &str) -> Event {
    Event::JobEnded {
        job: job.to_owned(),
        text: format!("Background job {job} has ended with exit code 0"),
    }
}

fn told(effects: &[Effect]) -> usize {
    let is_news = |effect: &&Effect| matches!(effect, Effect::Show(RunEventKind::Notification { source, .. }) if source == "job");
    effects.iter().filter(is_news).count()
}

fn waited(bench: &mut Bench, state: &str) {
    bench.call("shell.wait", json!({"id": "job-1"}), Class::Read);
    let outcome = CallOutcome::success(json!({"id": "job-1", "state": state}), "");
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome,
    });
}

#[test]
fn a_job_that_ended_is_told_before_the_next_step_and_once() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    assert_eq!(bench.give(ended("job-1")), Vec::new(), "nobody is interrupted");
    assert!(
        bench.mind.take_told().is_empty(),
        "it is offered again until it was told"
    );
    bench.give(ended("job-1"));
    let next = bench.ended("", None);
    assert_eq!(told(&next), 1);
    assert!(asks_model(&next) && format!("{next:?}").contains("[Notification]: Background job job-1"));
    assert_eq!(bench.mind.take_told(), ["job-1"]);
    bench.give(ended("job-1"));
    bench.model(PROGRAM);
    assert_eq!(told(&bench.ended("", None)), 0);
}

#[test]
fn what_was_told_is_not_told_again_after_a_restart_or_with_the_next_question() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.give(ended("job-1"));
    bench.ended("", None);
    let mut after = bench.restarted(Settings::default());
    after.give(ended("job-1"));
    assert_eq!(told(&after.give(Event::Resumed)), 0);
    assert_eq!(after.mind.take_told(), ["job-1"]);
    let mut next = bench.followed(Settings::default());
    next.give(ended("job-1"));
    next.give(ended("job-2"));
    let asked = next.ask("and now?");
    assert_eq!(told(&asked), 1, "the other one is news");
    let first = position(&asked, |effect| {
        matches!(effect, Effect::Show(RunEventKind::RunStarted { .. }))
    });
    assert_eq!(first, 0, "the run begins before anything is told");
}

#[test]
fn whoever_waited_for_the_end_is_told_nothing_and_whoever_waited_too_shortly_is() {
    for (state, times) in [("ended", 0), ("lost", 0), ("running", 1)] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        waited(&mut bench, state);
        bench.give(ended("job-1"));
        assert_eq!(told(&bench.ended("", None)), times, "{state}");
        assert_eq!(bench.mind.take_told(), ["job-1"]);
    }
}

#[test]
fn a_wait_is_on_record_before_it_begins_and_is_the_same_one_after_a_restart() {
    let (mut bench, _) = Bench::asked_with(with_idempotent(&["shell.wait"]), "q");
    bench.model(PROGRAM);
    let effects = bench.call("shell.wait", json!({"id": "job-1"}), Class::Read);
    let durable = position(&effects, |effect| matches!(effect, Effect::Commit(_)));
    assert!(durable < position(&effects, |effect| matches!(effect, Effect::PerformCall { .. })));
    let mut after = bench.restarted(with_idempotent(&["shell.wait"]));
    after.give(Event::Resumed);
    let again = after.call("shell.wait", json!({"id": "job-1"}), Class::Read);
    assert!(
        again
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { call, .. } if call.id == CallId(1)))
    );
}

#[test]
fn what_is_asked_about_every_time_offers_no_kind_and_remembers_none() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let card = bench.call("shell.run", json!({"command": "rm -rf x"}), Class::ExecuteOpen);
    let offers_none = |effect: &Effect| matches!(effect, Effect::Show(RunEventKind::ApprovalNeeded { family, .. }) if family.is_empty());
    assert!(card.iter().any(offers_none), "{card:?}");
    bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Approved { always: true },
    });
    assert!(
        !bench
            .written
            .iter()
            .any(|record| matches!(record, Record::Rule { .. }))
    );
}
