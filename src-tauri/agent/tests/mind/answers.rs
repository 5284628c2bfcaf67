//! Answers that are judged before they are final: what is sent back, and that no second thought costs what was there.

use crate::bench::*;

const TABLE: &str = "Here is your table: A B C";

fn failure(kind: FailureKind) -> Event {
    Event::ModelFailed {
        failure: ModelFailure {
            kind,
            detail: String::new(),
            detail_zh: None,
            provider: "p".into(),
            provider_title: None,
        },
    }
}

/// A task whose answer was sent back, as it says nothing of the program that failed.
fn sent_back(settings: Settings) -> Bench {
    let (mut bench, _) = Bench::asked_with(settings, "A table, please");
    bench.model(PROGRAM);
    bench.ended("", Some("line 1: ZeroDivisionError: division by zero"));
    assert!(asks_model(&bench.model(TABLE)));
    bench
}

#[test]
fn an_answer_that_was_sent_back_is_given_when_the_model_fails() {
    for kind in [
        FailureKind::Refused,
        FailureKind::Unreachable,
        FailureKind::Budget,
    ] {
        let mut bench = sent_back(Settings::default());
        let effects = bench.give(failure(kind));
        assert_eq!(answer(&effects), Some(TABLE));
        assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
    }
    let mut after = sent_back(Settings::default()).restarted(Settings::default());
    assert!(asks_model(&after.give(Event::Resumed)));
    assert_eq!(answer(&after.give(failure(FailureKind::Refused))), Some(TABLE));
}

#[test]
fn an_answer_that_was_sent_back_is_given_when_a_bound_is_reached_or_nothing_usable_follows() {
    let settings = Settings {
        tokens_max: Some(250),
        ..Settings::default()
    };
    let mut bench = sent_back(settings);
    assert_eq!(answer(&bench.model(PROGRAM)), Some(TABLE), "tokens are used up");
    let mut bench = sent_back(Settings::default());
    bench.model(PROGRAM);
    let effects = bench.give(Event::TimedOut);
    assert_eq!(answer(&effects), Some(TABLE), "the time is over");
    assert_eq!(effects[0], Effect::Stop);
    let mut bench = sent_back(Settings::default());
    bench.model("");
    bench.model("");
    assert_eq!(answer(&bench.model("")), Some(TABLE));
}

#[test]
fn a_better_answer_takes_the_place_of_the_one_that_was_sent_back() {
    let mut bench = sent_back(Settings::default());
    assert_eq!(answer(&bench.model("It is D.")), Some("It is D."));
    let mut bench = sent_back(Settings::default());
    let effects = bench.give(Event::Cancelled);
    assert_eq!(ended_as(&effects), Some(RunStatus::Cancelled), "a stop is a stop");
}

#[test]
fn an_answer_that_tells_of_the_failure_or_of_another_way_is_final() {
    for told in [
        "该文件并不存在，请检查路径。",
        "程序无法读取，我手算了一遍：4.5",
        "I had to do it by hand: the mean is 4.5",
        "The program doesn't work here.",
        "There is no such file.",
    ] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        bench.ended("", Some("line 1: FileNotFoundError: /a"));
        assert_eq!(answer(&bench.model(told)), Some(told));
    }
}

#[test]
fn a_call_that_the_user_refused_is_no_failure_to_tell_of() {
    for reason in [None, Some("ask me first".to_owned())] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        bench.call("shell.run", json!({"command": "ls"}), Class::ExecuteOpen);
        bench.give(Event::ProgramWaits);
        let decision = Decided::Refused { reason };
        let call = CallId(1);
        let effects = bench.give(Event::Decided { call, decision });
        let error = answered(&effects).unwrap().1.error.unwrap();
        bench.ended("", Some(&format!("line 1: {}: {}", error.kind, error.message)));
        let said = "All right, I leave your files alone.";
        assert_eq!(answer(&bench.model(said)), Some(said));
    }
}

#[test]
fn another_failure_after_a_refusal_is_one_to_tell_of() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("shell.run", json!({"command": "ls"}), Class::ExecuteOpen);
    let call = CallId(1);
    let decision = Decided::Refused { reason: None };
    bench.give(Event::Decided { call, decision });
    bench.ended("", Some("line 3: ZeroDivisionError: division by zero"));
    assert!(asks_model(&bench.model("All done.")));
}
