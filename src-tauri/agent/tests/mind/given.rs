//! A program of the user's own: the run is that program, no model is asked, and its end is the run's.

use crate::bench::*;

fn settings(program: &str) -> Settings {
    Settings {
        program: Some(program.into()),
        ..Settings::default()
    }
}

fn given(program: &str) -> (Bench, Vec<Effect>) {
    Bench::asked_with(settings(program), "Run my program")
}

fn runs(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        Effect::RunProgram { program, .. } => Some(program.as_str()),
        _ => None,
    })
}

#[test]
fn it_runs_at_once_and_its_end_is_the_end() {
    let (mut bench, effects) = given("print(1)");
    assert_eq!(runs(&effects), Some("print(1)"));
    assert!(!asks_model(&effects), "{effects:?}");
    let effects = bench.ended("1\n", None);
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed), "{effects:?}");
    assert!(!asks_model(&effects));
}

#[test]
fn one_that_fails_fails_the_run_with_its_last_line() {
    let (mut bench, _) = given("1 / 0");
    let effects = bench.ended("", Some("line 1: ZeroDivisionError: division by zero"));
    let told = effects.iter().find_map(|effect| match effect {
        Effect::End {
            status: RunStatus::Failed,
            error: Some(error),
            ..
        } => Some(error.message.clone()),
        _ => None,
    });
    assert!(told.unwrap().contains("ZeroDivisionError"), "{effects:?}");
    assert!(!asks_model(&effects), "nobody repairs what a person wrote");
}

#[test]
fn one_that_the_check_refuses_fails_the_run() {
    let (mut bench, _) = given("fils.read('a')");
    let finding = Finding {
        kind: "NameError".into(),
        message: "name 'fils' is not defined".into(),
        line: 1,
        hint: Some("did you mean files?".into()),
    };
    let effects = bench.give(Event::ProgramRefused {
        findings: vec![finding],
    });
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed), "{effects:?}");
}

#[test]
fn one_that_waits_for_a_person_rests_and_is_replayed_after_a_restart() {
    let (mut bench, _) = given("await shell.run('make')");
    bench.call("shell.run", json!({"command": "make"}), Class::ExecuteOpen);
    let effects = bench.give(Event::ProgramWaits);
    assert!(effects.contains(&Effect::Suspend), "{effects:?}");
    let mut again = bench.restarted(settings("await shell.run('make')"));
    let effects = again.give(Event::Resumed);
    assert_eq!(runs(&effects), Some("await shell.run('make')"));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::RunProgram { replay: true, .. }))
    );
}

#[test]
fn numbers_of_segments_go_on_behind_those_that_another_run_has_taken() {
    let (mut bench, _) = given("print(1)");
    bench.mind.count_on(shidi_protocol::SegmentId(40));
    let effects = bench.ended("1\n", None);
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
    let last = bench.mind.context().segments.last().unwrap();
    assert_eq!(last.id, shidi_protocol::SegmentId(41));
}
