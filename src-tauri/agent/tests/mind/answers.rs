//! Answers that are judged before they are final: which are sent back, and that no second thought costs an answer.

use crate::bench::*;

const TABLE: &str = "Here is your table: A B C";

fn failure(kind: FailureKind) -> Event {
    Event::ModelFailed {
        failure: ModelFailure {
            kind,
            detail: Worded::default(),
            provider: "p".into(),
            provider_title: None,
            partial: None,
        },
    }
}

fn says(bench: &mut Bench, text: &str) -> Vec<Effect> {
    bench.give(Event::Said(UserInput {
        text: text.into(),
        ..UserInput::default()
    }))
}

/// The text of the model's request, as one string.
fn asked(effects: &[Effect]) -> Option<String> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(
            request
                .messages
                .iter()
                .map(|message| message.plain())
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        _ => None,
    })
}

/// A task whose answer was sent back, because the answer hides a failed program.
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
    assert_eq!(bench.give(Event::TimedOut), [Effect::Stop]);
    let effects = bench.ended("", Some("stopped"));
    assert_eq!(answer(&effects), Some(TABLE), "the time is over");
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
    bench.give(Event::Cancelled);
    let effects = bench.give(failure(FailureKind::Cancelled));
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
        "The file could not be read.",
    ] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        bench.ended("", Some("line 1: FileNotFoundError: /a"));
        assert_eq!(answer(&bench.model(told)), Some(told));
    }
}

#[test]
fn an_answer_that_only_denies_something_else_does_not_tell_of_the_failure() {
    for said in [
        "The mean is 4.5, which is not much.",
        "This is not the largest of the three tables, but it is the newest.",
    ] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        bench.ended("", Some("line 1: FileNotFoundError: /a"));
        assert!(asks_model(&bench.model(said)), "{said}");
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

#[test]
fn what_the_user_adds_while_an_answer_is_written_is_answered_before_the_run_ends() {
    let (mut bench, _) = Bench::asked("one");
    says(&mut bench, "and two, please");
    let effects = bench.model("Answer to one.");
    assert_eq!(ended_as(&effects), None);
    let prompt = asked(&effects).unwrap();
    let place = |text: &str| prompt.find(text).unwrap();
    assert!(place("and two, please") < place("Answer to one."), "{prompt}");
    assert!(prompt.contains("your answer is not final"), "{prompt}");
    let effects = bench.model("Answer to both.");
    assert_eq!(answer(&effects), Some("Answer to both."));
    assert_eq!(bench.mind.state().usage.model_calls, 2);
}

#[test]
fn what_the_user_adds_to_a_program_that_has_the_answer_is_heard_also_after_a_restart() {
    let (mut bench, _) = Bench::asked("one");
    bench.model(PROGRAM);
    bench.call("user.say", json!({"text": "It is 4."}), Class::Read);
    says(&mut bench, "STOP: in German please");
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    after.call("user.say", json!({"text": "It is 4."}), Class::Read);
    for bench in [&mut bench, &mut after] {
        let prompt = asked(&bench.ended("", None)).unwrap();
        assert!(prompt.contains("STOP: in German please"), "{prompt}");
        assert_eq!(answer(&bench.model("Es ist 4.")), Some("Es ist 4."));
    }
}

#[test]
fn what_the_user_answered_to_a_question_of_the_program_is_no_reason_to_think_again() {
    let (mut bench, _) = Bench::asked("a table");
    bench.model(PROGRAM);
    bench.call("user.ask", json!({"text": "For how many?"}), Class::Read);
    bench.give(Event::ProgramWaits);
    let decision = Decided::Answered { text: "four".into() };
    let call = CallId(1);
    bench.give(Event::Decided { call, decision });
    bench.call("user.say", json!({"text": "A table for four"}), Class::Read);
    assert_eq!(answer(&bench.ended("", None)), Some("A table for four"));
}

#[test]
fn what_was_in_the_last_request_is_heard_and_costs_no_other() {
    let (mut bench, _) = Bench::asked("one");
    bench.model(PROGRAM);
    says(&mut bench, "and two");
    let prompt = asked(&bench.ended("1", None)).unwrap();
    assert!(prompt.contains("and two"), "{prompt}");
    assert_eq!(answer(&bench.model("Both.")), Some("Both."));
}

#[test]
fn a_user_who_goes_on_talking_keeps_no_run_beyond_its_rounds_and_is_told() {
    let settings = Settings {
        rounds_max: 3,
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "one");
    for _ in 1..3 {
        says(&mut bench, "more");
        assert!(asks_model(&bench.model("Answer.")));
    }
    says(&mut bench, "more");
    let effects = bench.model("Answer.");
    assert_eq!(answer(&effects), Some("Answer."));
    let told = |effect: &Effect| matches!(effect, Effect::Show(RunEventKind::Notification { text, .. }) if text.contains("Ask it again"));
    assert!(effects.iter().any(told), "{effects:?}");
}

#[test]
fn an_answer_is_given_though_what_the_user_added_to_it_could_not_be_answered_and_that_is_told() {
    let (mut bench, _) = Bench::asked("one");
    says(&mut bench, "two");
    bench.model("Answer to one.");
    let effects = bench.give(failure(FailureKind::Refused));
    assert_eq!(answer(&effects), Some("Answer to one."));
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
    let mut bench = sent_back(Settings::default());
    says(&mut bench, "two");
    let effects = bench.give(failure(FailureKind::Refused));
    assert_eq!(
        (answer(&effects), ended_as(&effects)),
        (Some(TABLE), Some(RunStatus::Failed))
    );
}

#[test]
fn a_model_that_gives_up_reads_first_what_the_user_has_added() {
    let (mut bench, _) = Bench::asked("one");
    says(&mut bench, "try the other folder");
    let prompt = asked(&bench.model("[GiveUp]: there is no such file")).unwrap();
    assert!(prompt.contains("try the other folder") && prompt.contains("there is no such file"));
    let effects = bench.model("[GiveUp]: there is none either");
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
}
