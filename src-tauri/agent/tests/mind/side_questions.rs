//! Questions to the fast model beside the task: only in doubt, only where one is set up, and never in the way.

use crate::bench::*;
use shidi_protocol::{ModelRequest, ModelRole};

fn page(title: &str) -> ContextPiece {
    ContextPiece {
        source: "page".into(),
        title: title.into(),
        url: None,
        text: "words".into(),
        untrusted: true,
    }
}

fn with_fast_model() -> Settings {
    Settings {
        has_fast_model: true,
        checks_answers: true,
        ..Settings::default()
    }
}

fn arrives(settings: Settings, question: &str, pages: &[&str]) -> (Bench, Vec<Effect>) {
    let mut bench = Bench::new(settings);
    let effects = bench.give(Event::Asked(UserInput {
        text: question.into(),
        surroundings: pages.iter().map(|title| page(title)).collect(),
        ..UserInput::default()
    }));
    (bench, effects)
}

fn asked(effects: &[Effect]) -> Option<&ModelRequest> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(&**request),
        _ => None,
    })
}

fn role(effects: &[Effect]) -> Option<ModelRole> {
    asked(effects).map(|request| request.role)
}

#[test]
fn a_plain_question_costs_one_model_call_even_with_a_fast_model_that_checks() {
    for question in ["What is the capital of Norway?", "挪威的首都是哪里？"] {
        let (mut bench, effects) = arrives(with_fast_model(), question, &["one", "two"]);
        assert_eq!(role(&effects), Some(ModelRole::Coder));
        let effects = bench.model("Oslo.");
        assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
        assert_eq!(bench.mind.state().usage.model_calls, 1);
    }
}

#[test]
fn a_word_that_may_point_at_two_things_is_asked_about_once() {
    let (mut bench, effects) = arrives(with_fast_model(), "What does this mean?", &["Invoice", "Manual"]);
    assert_eq!(role(&effects), Some(ModelRole::Fast));
    let prompt = asked(&effects).unwrap().messages[1].plain();
    assert!(
        prompt.contains("Invoice") && prompt.contains("Manual") && prompt.contains("this"),
        "{prompt}"
    );
    let reply =
        "Sure: {\"question\": \"What does the invoice mean?\", \"about\": \"Invoice\", \"language\": \"en\"}";
    let effects = bench.model(reply);
    assert_eq!(role(&effects), Some(ModelRole::Coder));
    let prompt: Vec<String> = asked(&effects)
        .unwrap()
        .messages
        .iter()
        .map(|message| message.plain())
        .collect();
    assert!(
        prompt
            .join("\n")
            .contains("What does the invoice mean? (about: Invoice)"),
        "{prompt:?}"
    );
    bench.model("It is a bill.");
    assert_eq!(bench.mind.state().usage.model_calls, 2);
}

#[test]
fn nobody_is_asked_without_doubt_or_without_a_fast_model() {
    let without = arrives(
        Settings::default(),
        "What does this mean?",
        &["Invoice", "Manual"],
    );
    assert_eq!(role(&without.1), Some(ModelRole::Coder));
    let clear = arrives(with_fast_model(), "What does this mean?", &["Invoice"]);
    assert_eq!(role(&clear.1), Some(ModelRole::Coder));
}

#[test]
fn a_fast_model_that_fails_or_babbles_changes_nothing() {
    for reply in ["", "no idea", "{\"question\": 7}", "{"] {
        let (mut bench, _) = arrives(with_fast_model(), "这是什么？", &["甲", "乙"]);
        assert_eq!(role(&bench.model(reply)), Some(ModelRole::Coder), "{reply}");
    }
    let (mut bench, _) = arrives(with_fast_model(), "这是什么？", &["甲", "乙"]);
    let failure = ModelFailure {
        kind: FailureKind::Unreachable,
        detail: Worded::default(),
        provider: "p".into(),
        provider_title: None,
        partial: None,
    };
    assert_eq!(
        role(&bench.give(Event::ModelFailed { failure })),
        Some(ModelRole::Coder)
    );
}

/// A task that has done one round of work and answers.
fn worked() -> (Bench, Vec<Effect>) {
    let (mut bench, _) = arrives(with_fast_model(), "Add the numbers of the report", &[]);
    bench.model(PROGRAM);
    bench.ended("42", None);
    let effects = bench.model("It is 41.");
    (bench, effects)
}

#[test]
fn an_answer_of_longer_work_is_judged_and_sent_back_at_most_once() {
    let (mut bench, effects) = worked();
    assert_eq!(role(&effects), Some(ModelRole::Fast));
    let prompt = asked(&effects).unwrap().messages[1].plain();
    assert!(
        prompt.contains("Add the numbers") && prompt.contains("42") && prompt.contains("It is 41."),
        "{prompt}"
    );
    let lacking = "{\"met\": false, \"lack\": \"The program printed 42.\"}";
    let effects = bench.model(lacking);
    assert_eq!(role(&effects), Some(ModelRole::Coder));
    let effects = bench.model("It is 42.");
    assert_eq!(role(&effects), Some(ModelRole::Fast));
    let effects = bench.model(lacking);
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
    assert_eq!(answer(&effects), Some("It is 42."));
}

#[test]
fn an_answer_under_judgement_is_final_when_the_judge_fails_or_the_program_was_started_again() {
    let (mut bench, _) = worked();
    let mut after = bench.restarted(with_fast_model());
    assert_eq!(answer(&bench.model("hard to say")), Some("It is 41."));
    assert_eq!(answer(&after.give(Event::Resumed)), Some("It is 41."));
}
