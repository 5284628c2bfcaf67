//! Orders that wait for a word of the user: a small model is told of them after a digression, and not for ever.

use crate::bench::*;
use shidi_protocol::{MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

const ASIDE: &str = "By the way, what is twelve times twelve?";

/// What is told of the order once it waits since an earlier turn.
const WAITS: &str = "An order is not done yet: `print(await workflows.book_table(guests=4, day=…))`";

fn parameter(name: &str, kind: ParameterKind, doc: &str) -> ParameterSpec {
    ParameterSpec {
        name: name.into(),
        kind,
        doc: doc.into(),
        default: Some(json!(null)),
        asked: true,
    }
}

fn method(name: &str, parameters: Vec<ParameterSpec>) -> MethodSpec {
    MethodSpec {
        name: name.into(),
        doc: String::new(),
        parameters,
        returns: "dict".into(),
        class: Class::Read,
        matters: Vec::new(),
        idempotent: true,
    }
}

fn settings() -> Settings {
    let table = vec![
        parameter("guests", ParameterKind::Integer, "how many people"),
        parameter("day", ParameterKind::Text, "the day of the visit"),
    ];
    let car = vec![parameter("place", ParameterKind::Text, "where to")];
    Settings {
        is_small: true,
        toolkits: vec![ToolkitSpec {
            name: "workflows".into(),
            doc: String::new(),
            methods: vec![method("book_table", table), method("order_car", car)],
            source: ToolkitSource::Workflow,
            left_out: 0,
        }],
        ..Settings::default()
    }
}

/// Calls a workflow in a program of its own; whether it was made.
fn called(bench: &mut Bench, tool: &str, args: &serde_json::Value) -> bool {
    let written = args.as_object().unwrap().iter();
    let written: Vec<String> = written.map(|(name, value)| format!("{name}={value}")).collect();
    bench.model(&format!("```python\nawait {tool}({})\n```", written.join(", ")));
    let effects = bench.call(tool, args.clone(), Class::Read);
    let refused = effects.iter().find_map(|effect| match effect {
        Effect::AnswerCall { outcome, .. } => outcome.error.clone(),
        _ => None,
    });
    if let Some(error) = &refused {
        bench.ended("", Some(&format!("line 1: ValueError: {}", error.message)));
    }
    refused.is_none()
}

/// The last message of the prompt that goes with these words of the user.
fn said(bench: &mut Bench, words: &str) -> String {
    *bench = bench.followed(settings());
    let effects = bench.ask(words);
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request.messages.last()?.plain()),
        _ => None,
    });
    asked.unwrap()
}

/// An order that waits for its day, about which the user was asked.
fn ordered() -> Bench {
    let (mut bench, _) = Bench::asked_with(settings(), "a table for four, please");
    assert!(!called(&mut bench, "workflows.book_table", &json!({"guests": 4})));
    bench.model("Which day?");
    bench
}

/// The last prompt of a talk in which the order waits and the model answers each turn in words.
fn last_prompt(turns: &[&str]) -> String {
    let mut bench = ordered();
    let mut prompt = String::new();
    for words in turns {
        prompt = said(&mut bench, words);
        bench.model("144.");
    }
    prompt
}

#[test]
fn an_order_that_waits_is_told_of_as_not_done_in_the_turns_after_a_digression() {
    let first = last_prompt(&[ASIDE]);
    assert!(
        first.contains("You asked for day (the day of the visit)") && !first.contains(WAITS),
        "the line of the question stays as it was: {first}"
    );
    for words in [
        "And thirteen times thirteen?",
        "Thank you",
        "Friday then",
        "Please don't forget the table",
    ] {
        let then = last_prompt(&[ASIDE, words]);
        assert!(then.contains(WAITS), "{words}: {then}");
        assert!(
            then.contains("still waits for day (the day of the visit)"),
            "{then}"
        );
    }
    let chinese = last_prompt(&[ASIDE, "法国的首都是哪里？"]);
    assert!(
        chinese.contains("有件事还没办：`print(await workflows."),
        "{chinese}"
    );
}

#[test]
fn it_is_told_of_no_more_once_it_was_made() {
    let mut bench = ordered();
    said(&mut bench, ASIDE);
    bench.model("144.");
    assert!(said(&mut bench, "Friday then").contains(WAITS));
    let whole = json!({"guests": 4, "day": "Friday"});
    assert!(called(&mut bench, "workflows.book_table", &whole));
    let after = said(&mut bench, "Thank you");
    assert!(!after.contains("An order is not done yet"), "{after}");
}

#[test]
fn it_is_told_of_no_more_once_the_user_has_given_it_up() {
    for words in ["Never mind the table", "算了，不订了", "Please cancel it"] {
        let then = last_prompt(&[ASIDE, words]);
        assert!(!then.contains(WAITS), "{words}: {then}");
        let later = last_prompt(&[words, ASIDE, "Thank you"]);
        assert!(!later.contains(WAITS), "{words}: {later}");
    }
}

#[test]
fn another_order_that_waits_takes_its_place() {
    let mut bench = ordered();
    said(&mut bench, "I need a car, too");
    assert!(!called(&mut bench, "workflows.order_car", &json!({})));
    bench.model("Where to?");
    let answered = said(&mut bench, ASIDE);
    assert!(answered.contains("You asked for place"), "{answered}");
    bench.model("144.");
    let then = said(&mut bench, "Thank you");
    assert!(
        then.contains("An order is not done yet: `print(await workflows.order_car(place=…))`"),
        "{then}"
    );
    assert!(!then.contains(WAITS), "{then}");
}

#[test]
fn nobody_is_reminded_of_an_order_for_ever() {
    let turns = [ASIDE; 6];
    assert!(last_prompt(&turns).contains(WAITS));
    let turns = [ASIDE; 7];
    assert!(!last_prompt(&turns).contains(WAITS));
}
