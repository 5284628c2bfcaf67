//! How a run goes on when the process ended in the middle of the run.

use crate::bench::*;

#[test]
fn a_run_that_was_thinking_asks_again_after_a_restart() {
    let (bench, _) = Bench::asked("q");
    let mut after = bench.restarted(Settings::default());
    assert!(asks_model(&after.give(Event::Resumed)));
}

#[test]
fn a_program_is_replayed_from_its_record_and_goes_on_at_its_open_call() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("A"), "a"),
    });
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    bench.give(Event::ProgramWaits);

    let mut after = bench.restarted(Settings::default());
    let decision = Event::Decided {
        call: CallId(2),
        decision: Decided::Approved { always: false },
    };
    let effects = after.give(Event::Resumed);
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::RunProgram { replay: true, .. }))
    );
    assert!(
        after.give(decision).is_empty(),
        "kept until the program comes back to the call"
    );
    let first = after.call("files.read", json!({"path": "/a"}), Class::Read);
    assert_eq!(
        answered(&first),
        Some((CallId(1), CallOutcome::success(json!("A"), "a"), 1))
    );
    assert!(
        !first
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    let second = after.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    assert!(
        second
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
}

#[test]
fn an_intended_side_effect_is_shown_to_the_user_and_not_repeated_in_silence() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("memory.remember", json!({"text": "t"}), Class::Write);
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    let effects = after.call("memory.remember", json!({"text": "t"}), Class::Write);
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::Show(RunEventKind::ApprovalNeeded { .. })))
    );
}

#[test]
fn what_happens_once_however_often_it_is_performed_is_performed_again_without_a_word() {
    for (tool, args, class) in [
        ("files.write", json!({"path": "/a", "text": "t"}), Class::Write),
        ("shell.background", json!({"command": "make"}), Class::Execute),
        (
            "page.edit",
            json!({"script": "s", "site": "https://a.example"}),
            Class::Page,
        ),
    ] {
        let settings = || Settings {
            grants: Grants {
                mode: Mode::Trust,
                ..Grants::default()
            },
            ..with_idempotent(&[tool])
        };
        let (mut bench, _) = Bench::asked_with(settings(), "q");
        bench.model(PROGRAM);
        bench.call(tool, args.clone(), class);
        let mut after = bench.restarted(settings());
        after.give(Event::Resumed);
        let effects = after.call(tool, args, class);
        let performed = effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }));
        assert!(performed, "{tool}: {effects:?}");
    }
}

#[test]
fn a_replay_that_goes_another_way_stops_at_the_last_safe_point() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("A"), "a"),
    });
    bench.call("memory.remember", json!({"text": "t"}), Class::Write);
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    let effects = after.call("files.read", json!({"path": "/b"}), Class::Read);
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
}

#[test]
fn a_run_that_is_taken_up_after_its_session_went_on_writes_no_number_twice() {
    let (mut bench, _) = Bench::asked("book it");
    bench.model(PROGRAM);
    bench.call("user.ask", json!({"text": "How many?"}), Class::Read);
    bench.give(Event::ProgramWaits);
    let (mut next, waiting) = (bench.followed(Settings::default()), bench);
    next.ask("and the weather?");
    next.model("It is sunny.");

    let mut after = waiting.restarted_after(&next, Settings::default());
    after.give(Event::Resumed);
    after.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Answered { text: "4".into() },
    });
    after.call("user.ask", json!({"text": "How many?"}), Class::Read);
    after.ended("booked", None);
    after.model("Four are booked.");
    let numbers = after.written.iter().filter_map(|record| match record {
        Record::Segment(segment) => Some(segment.id),
        _ => None,
    });
    let numbers: Vec<_> = numbers.collect();
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
}

#[test]
fn an_end_that_cannot_be_written_is_told_as_a_failure() {
    let (mut bench, _) = Bench::asked("q");
    assert_eq!(ended_as(&bench.model("An answer.")), Some(RunStatus::Completed));
    let failed = Event::StorageFailed {
        message: "The disk is full".into(),
    };
    let effects = bench.give(failed);
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::End { .. })));
}
