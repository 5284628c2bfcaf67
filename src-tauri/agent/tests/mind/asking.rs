//! A question and its answer: the cost, the durable rows at each step, the endings.

use crate::bench::*;

#[test]
fn a_plain_question_costs_exactly_one_model_call() {
    let (mut bench, effects) = Bench::asked("What is the capital of France?");
    assert_eq!(
        effects
            .iter()
            .filter(|effect| matches!(effect, Effect::AskModel(_)))
            .count(),
        1
    );
    let effects = bench.model("Paris.");
    assert_eq!(answer(&effects), Some("Paris."));
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
    assert!(!asks_model(&effects));
}

#[test]
fn everything_so_far_is_durable_before_the_model_is_asked_and_before_an_answer_is_final() {
    let (mut bench, effects) = Bench::asked("hi");
    assert!(
        position(&effects, |e| matches!(e, Effect::Commit(_)))
            < position(&effects, |e| matches!(e, Effect::AskModel(_)))
    );
    let effects = bench.model("hello");
    let committed = position(&effects, |e| matches!(e, Effect::Commit(_)));
    assert!(
        committed
            < position(&effects, |e| matches!(
                e,
                Effect::Show(RunEventKind::Answer { .. })
            ))
    );
}

#[test]
fn what_a_program_says_is_the_answer_without_another_model_call() {
    let (mut bench, _) = Bench::asked("2+2?");
    bench.model(PROGRAM);
    let effects = bench.call("user.say", json!({"text": "4"}), Class::Read);
    assert!(answered(&effects).unwrap().1.ok());
    let effects = bench.ended("", None);
    assert_eq!(answer(&effects), Some("4"));
}

#[test]
fn the_language_of_the_question_is_the_language_of_the_answer() {
    for (question, language) in [
        ("今天星期几？", "zh"),
        ("What day is it?", "en"),
        ("解释 E0502", "zh"),
        ("1+1", "en"),
    ] {
        let (bench, _) = Bench::asked(question);
        assert_eq!(bench.mind.state().language, language, "{question}");
    }
}

#[test]
fn a_failed_model_ends_the_run_with_what_broke_and_what_to_do() {
    let (mut bench, _) = Bench::asked("q");
    let failure = ModelFailure {
        kind: FailureKind::Key,
        detail: Worded::theirs("401 invalid_api_key"),
        provider: "openai".into(),
        provider_title: None,
        partial: None,
    };
    let effects = bench.give(Event::ModelFailed { failure });
    let error = effects.iter().find_map(|effect| match effect {
        Effect::End { error, .. } => error.clone(),
        _ => None,
    });
    let error = error.unwrap();
    assert!(error.message.contains("401") && error.hint.unwrap().contains("key set"));
}

#[test]
fn what_the_program_says_of_a_run_is_in_the_language_of_its_interface_whatever_the_question() {
    for (interface, question, wanted, hint) in [
        ("zh", "What is the capital of France?", "不认", "换一个"),
        ("en", "法国的首都是哪座城市？", "rejected", "key set"),
    ] {
        let mut bench = Bench::new(Settings::default());
        bench.ask_in(question, interface);
        let failure = ModelFailure {
            kind: FailureKind::Key,
            detail: Worded::default(),
            provider: "openai".into(),
            provider_title: None,
            partial: None,
        };
        let effects = bench.give(Event::ModelFailed { failure });
        let error = effects.iter().find_map(|effect| match effect {
            Effect::End { error, .. } => error.clone(),
            _ => None,
        });
        let error = error.unwrap();
        assert!(error.message.contains(wanted), "{error:?}");
        assert!(error.hint.as_ref().unwrap().contains(hint), "{error:?}");
        let answers_in = if interface == "zh" { "en" } else { "zh" };
        assert_eq!(
            bench.mind.state().language,
            answers_in,
            "the answer follows the question"
        );
    }
}

#[test]
fn cancelling_stops_everything_and_later_arrivals_do_nothing() {
    let (mut bench, _) = Bench::asked("q");
    assert_eq!(bench.give(Event::Cancelled), [Effect::Stop]);
    assert_eq!(ended_as(&bench.model("late")), Some(RunStatus::Cancelled));
    assert!(bench.model("later").is_empty());
}

#[test]
fn a_long_output_costs_little_of_the_window_and_is_kept_whole() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let long = "line of output\n".repeat(20_000);
    bench.ended(&long, None);
    let kept = bench
        .written
        .iter()
        .any(|r| matches!(r, Record::Result { text, .. } if text.len() > 250_000));
    let output = bench
        .mind
        .context()
        .segments
        .iter()
        .rev()
        .find(|s| s.kind() == SegmentKind::Output)
        .unwrap();
    assert!(kept && output.text().len() < 2_500 && output.text().contains("results.find"));
}

#[test]
fn a_text_that_is_cut_says_so_and_one_that_just_fits_is_whole() {
    let most = shidi_agent::limits::QUESTION_CHARACTERS_MAX;
    let user = |bench: &Bench| bench.mind.context().question().to_owned();
    for (more, is_cut) in [(0, false), (1, true)] {
        let long = "字".repeat(most + more);
        let (mut bench, _) = Bench::asked(&long);
        assert_eq!(user(&bench).ends_with("(cut here: too long)"), is_cut);
        bench.give(Event::Said(UserInput {
            text: format!("{long}\n"),
            ..UserInput::default()
        }));
        assert_eq!(user(&bench).ends_with("(cut here: too long)"), is_cut);
        assert!(user(&bench).starts_with(&"字".repeat(most)));
    }
}
