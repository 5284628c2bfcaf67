//! Thoughts, words, programs and output that a stop breaks off: kept, counted and marked as broken off.

use crate::bench::*;
use shidi_protocol::{ModelRequest, PartialReply, Segment, Usage};

fn partial(text: &str) -> PartialReply {
    PartialReply {
        text: text.into(),
        usage: Usage {
            input: 90,
            output: 7,
            cost: Some(0.5),
            model_calls: 1,
            estimated: true,
            ..Usage::default()
        },
        ..PartialReply::default()
    }
}

fn fails(kind: FailureKind, partial: Option<PartialReply>) -> Event {
    Event::ModelFailed {
        failure: ModelFailure {
            kind,
            detail: Worded::default(),
            provider: "p".into(),
            provider_title: None,
            partial: partial.map(Box::new),
        },
    }
}

/// Stops the bench's run while its model had said `said`.
fn stopped(bench: &mut Bench, said: &str) -> Vec<Effect> {
    let effects = bench.give(Event::Cancelled);
    assert_eq!(effects, [Effect::Stop], "the model hands in first what it has");
    bench.give(fails(FailureKind::Cancelled, Some(partial(said))))
}

fn kept(bench: &Bench) -> Vec<(SegmentKind, &str)> {
    let segments = bench.written.iter().filter_map(|record| match record {
        Record::Segment(segment) => Some(segment),
        _ => None,
    });
    let run = &bench.mind.context().run;
    segments
        .filter(|segment| segment.run == *run && segment.kind() != SegmentKind::User)
        .map(|segment: &Segment| (segment.kind(), segment.text()))
        .collect()
}

fn words(bench: &Bench) -> Vec<(SegmentKind, &str)> {
    let mut kept = kept(bench);
    kept.retain(|(kind, _)| *kind != SegmentKind::Stopped);
    kept
}

fn marks(bench: &Bench) -> usize {
    let is_mark = |(kind, _): &&(SegmentKind, &str)| *kind == SegmentKind::Stopped;
    kept(bench).iter().filter(is_mark).count()
}

fn request(effects: &[Effect]) -> &ModelRequest {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request.as_ref()),
        _ => None,
    });
    asked.expect("the model is asked")
}

#[test]
fn words_that_were_streamed_before_a_stop_are_in_the_record_and_counted() {
    let (mut bench, _) = Bench::asked("Tell me a long story");
    let effects = stopped(&mut bench, "Once upon a time\n\nthere was");
    assert_eq!(ended_as(&effects), Some(RunStatus::Cancelled));
    assert_eq!(
        words(&bench),
        [(SegmentKind::Express, "Once upon a time\n\nthere was")]
    );
    assert_eq!(marks(&bench), 1);
    let usage = bench.mind.state().usage;
    assert_eq!((usage.input, usage.output, usage.model_calls), (90, 7, 1));
    assert!(usage.estimated && usage.cost == Some(0.5));
    let told = effects.iter().any(
        |effect| matches!(effect, Effect::Show(RunEventKind::RunEnded { usage, .. }) if usage.output == 7),
    );
    assert!(told, "{effects:?}");
}

#[test]
fn the_next_question_reads_what_broke_off_as_such_behind_an_unchanged_beginning() {
    let (mut bench, effects) = Bench::asked("Tell me a long story");
    let before = request(&effects).messages[1].plain();
    stopped(&mut bench, "Once upon a time");
    let mut next = bench.followed(Settings::default());
    let effects = next.ask("Who was it?");
    let messages = &request(&effects).messages;
    let question = before.split("\n\n[Context]").next().unwrap();
    assert!(
        messages[1].plain().starts_with(question),
        "what a cache holds stays"
    );
    assert_eq!(messages[2].plain(), "[Express]: Once upon a time");
    let after = messages[3].plain();
    let mark = after.find("is not whole: the user stopped it").expect("the mark");
    assert!(mark < after.find("Who was it?").unwrap(), "{after}");
}

#[test]
fn a_thought_and_half_a_program_are_kept_and_the_program_is_said_not_to_have_run() {
    let (mut bench, _) = Bench::asked("q");
    stopped(&mut bench, "I count them.\n```python\nx = 1\nfor n in ra");
    assert_eq!(
        words(&bench),
        [
            (SegmentKind::Thought, "I count them."),
            (SegmentKind::Python, "x = 1\nfor n in ra")
        ]
    );
    let mut next = bench.followed(Settings::default());
    let effects = next.ask("and now?");
    let all: Vec<String> = request(&effects).messages.iter().map(|one| one.plain()).collect();
    let all = all.join("\n");
    assert!(all.contains("[Output]: The program was not run."), "{all}");
}

#[test]
fn what_a_stopped_program_had_printed_is_kept() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    assert_eq!(bench.give(Event::Cancelled), [Effect::Stop]);
    let effects = bench.ended("one\ntwo\n", Some("Stopped before it ended"));
    assert_eq!(ended_as(&effects), Some(RunStatus::Cancelled));
    assert!(!asks_model(&effects));
    let output = words(&bench).pop().unwrap();
    assert_eq!(output, (SegmentKind::Output, "one\ntwo\nStopped before it ended"));
}

#[test]
fn a_stopped_program_begins_no_further_call() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.give(Event::Cancelled);
    let effects = bench.call("files.write", json!({"path": "/a"}), Class::Write);
    assert_eq!(effects, []);
}

#[test]
fn an_answer_that_was_whole_when_the_stop_came_is_kept_as_words_and_nothing_of_it_runs() {
    for (said, kind) in [
        ("All done.", SegmentKind::Express),
        (PROGRAM, SegmentKind::Python),
    ] {
        let (mut bench, _) = Bench::asked("q");
        bench.give(Event::Cancelled);
        let effects = bench.model(said);
        assert_eq!(ended_as(&effects), Some(RunStatus::Cancelled));
        assert_eq!(words(&bench).pop().unwrap().0, kind);
        assert_eq!(bench.mind.state().usage.model_calls, 1);
    }
}

fn broken_off(bench: &Bench) -> bool {
    kept(bench).iter().any(|(_, text)| text.contains("broke off"))
}

#[test]
fn an_answer_that_was_whole_when_the_stop_or_the_end_of_the_time_came_is_not_marked_as_broken_off() {
    for stop in [Event::Cancelled, Event::TimedOut] {
        let (mut bench, _) = Bench::asked("q");
        bench.give(stop.clone());
        bench.model("All done.");
        assert_eq!(words(&bench)[0], (SegmentKind::Express, "All done."));
        assert_eq!(marks(&bench), 0, "{stop:?}");
        let (mut bench, _) = Bench::asked("q");
        bench.give(stop.clone());
        bench.model(PROGRAM);
        assert!(!broken_off(&bench), "{stop:?}");
        assert_eq!(marks(&bench), 1, "that the program was not run: {stop:?}");
        let (mut bench, _) = Bench::asked("q");
        bench.give(stop);
        bench.give(fails(FailureKind::Cancelled, Some(partial("Half an"))));
        assert!(broken_off(&bench));
    }
}

#[test]
fn a_second_stop_waits_for_nobody() {
    let (mut bench, _) = Bench::asked("q");
    bench.give(Event::Cancelled);
    assert_eq!(
        ended_as(&bench.give(Event::Cancelled)),
        Some(RunStatus::Cancelled)
    );
}

#[test]
fn words_are_kept_when_the_time_is_over_and_when_the_model_fails_for_good() {
    let (mut bench, _) = Bench::asked("q");
    bench.give(Event::TimedOut);
    let effects = bench.give(fails(FailureKind::Cancelled, Some(partial("Half an"))));
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
    assert_eq!(words(&bench)[0], (SegmentKind::Express, "Half an"));
    let (mut bench, _) = Bench::asked("q");
    let effects = bench.give(fails(FailureKind::Cut, Some(partial("Half an"))));
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
    assert_eq!(words(&bench), [(SegmentKind::Express, "Half an")]);
    assert_eq!(marks(&bench), 1);
}

#[test]
fn a_program_that_comes_when_the_tokens_are_used_up_is_kept_though_it_does_not_run() {
    let settings = Settings {
        tokens_max: Some(50),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    let effects = bench.model(PROGRAM);
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
    assert!(words(&bench).contains(&(SegmentKind::Python, "x = 1")));
}

#[test]
fn words_beside_an_answer_that_stands_are_taken_back() {
    let (mut bench, _) = Bench::asked("A table, please");
    bench.model(PROGRAM);
    bench.ended("", Some("line 1: ZeroDivisionError: division by zero"));
    bench.model("Here is your table");
    let effects = bench.give(fails(FailureKind::Cut, Some(partial("No, wai"))));
    assert_eq!(answer(&effects), Some("Here is your table"));
    assert!(effects.contains(&Effect::Show(RunEventKind::Retracted)));
    assert!(!words(&bench).iter().any(|(_, text)| text.contains("No, wai")));
}

/// The same run in the next process, which found what had come of an answer when the last one was killed.
fn found_broken(bench: &Bench, said: &str) -> Bench {
    let mut next = bench.restarted(Settings::default());
    let effects = next.give(Event::BrokeOff {
        partial: Box::new(partial(said)),
    });
    let only_writes = effects.iter().all(|effect| matches!(effect, Effect::Commit(_)));
    assert!(only_writes, "nothing goes on by itself: {effects:?}");
    next
}

#[test]
fn what_a_killed_process_had_shown_is_kept_as_what_was_stopped_and_the_run_stays_open() {
    let (mut stopped_bench, _) = Bench::asked("q");
    stopped(&mut stopped_bench, "I count.\n```python\nfor n in ra");
    let (bench, _) = Bench::asked("q");
    let next = found_broken(&bench, "I count.\n```python\nfor n in ra");
    assert_eq!(words(&next), words(&stopped_bench));
    assert_eq!(marks(&next), 1);
    let state = next.mind.state();
    assert_eq!(state.status, None);
    assert_eq!(state.usage, stopped_bench.mind.state().usage);
    let mark = kept(&next).pop().unwrap().1;
    assert!(mark.contains("last second may be missing"), "{mark}");
}

#[test]
fn a_killed_task_goes_on_knowing_what_broke_off() {
    let (bench, _) = Bench::asked("Tell me a long story");
    let mut next = found_broken(&bench, "Once upon a time").restarted(Settings::default());
    let effects = next.give(Event::Resumed);
    let messages: Vec<String> = request(&effects).messages.iter().map(|one| one.plain()).collect();
    let said = messages
        .iter()
        .position(|text| text == "[Express]: Once upon a time");
    let mark = messages
        .iter()
        .position(|text| text.contains("[Stopped]: The answer broke off here"));
    assert!(said.is_some() && said < mark, "{messages:?}");
    next.model("Once upon a time there was a duck.");
    assert_eq!(next.mind.state().status, Some(RunStatus::Completed));
    assert_eq!(next.mind.state().usage.model_calls, 2);
}

#[test]
fn of_what_the_fast_model_was_saying_only_the_count_is_kept() {
    let settings = || Settings {
        has_fast_model: true,
        checks_answers: true,
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings(), "Count them");
    bench.model(PROGRAM);
    bench.ended("3", None);
    bench.model("There are three.");
    assert_eq!(bench.mind.state().phase, shidi_agent::Phase::Checking);
    let before = words(&bench).len();
    let next = found_broken(&bench, "yes, th");
    assert_eq!((words(&next).len(), marks(&next)), (before, 0));
    assert_eq!(
        next.mind.state().usage.model_calls,
        bench.mind.state().usage.model_calls + 1
    );
}

#[test]
fn of_a_run_that_is_over_nothing_is_kept_later() {
    let (mut bench, _) = Bench::asked("q");
    bench.model("All done.");
    let mut next = bench.restarted(Settings::default());
    let effects = next.give(Event::BrokeOff {
        partial: Box::new(partial("All")),
    });
    assert_eq!(effects, []);
}
