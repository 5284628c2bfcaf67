//! Tools of plugins that have an effect: what they need is asked for where nobody has said it, as with workflows.

use crate::bench::*;
use shidi_protocol::{MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

fn parameter(name: &str, kind: ParameterKind, asked: bool) -> ParameterSpec {
    ParameterSpec {
        name: name.into(),
        kind,
        doc: String::new(),
        default: None,
        asked,
    }
}

fn method(name: &str, class: Class, parameters: Vec<ParameterSpec>) -> MethodSpec {
    MethodSpec {
        name: name.into(),
        doc: String::new(),
        parameters,
        returns: "object".into(),
        class,
        matters: Vec::new(),
        idempotent: true,
    }
}

fn settings() -> Settings {
    let seat = vec![
        parameter("guests", ParameterKind::Integer, true),
        parameter("name", ParameterKind::Text, true),
        parameter("note", ParameterKind::Text, false),
    ];
    let look = vec![parameter("name", ParameterKind::Text, false)];
    Settings {
        toolkits: vec![ToolkitSpec {
            name: "seating".into(),
            doc: String::new(),
            methods: vec![
                method("seat", Class::Write, seat),
                method("look", Class::Read, look),
            ],
            source: ToolkitSource::Plugin,
            left_out: 0,
        }],
        ..Settings::default()
    }
}

/// What a call in a program of its own is told; `None` where it goes on to be permitted.
fn told(bench: &mut Bench, source: &str, args: &serde_json::Value) -> Option<String> {
    bench.model(&format!("```python\n{source}\n```"));
    called(bench, args)
}

fn called(bench: &mut Bench, args: &serde_json::Value) -> Option<String> {
    let effects = bench.call("seating.seat", args.clone(), Class::Write);
    effects.iter().find_map(|effect| match effect {
        Effect::AnswerCall { outcome, .. } => Some(outcome.error.clone()?.message),
        _ => None,
    })
}

/// Looks somebody up in a program of its own.
fn looked_up(bench: &mut Bench, name: &str) {
    bench.model(&format!("```python\nr = await seating.look(name='{name}')\n```"));
    let effects = bench.call("seating.look", json!({"name": name}), Class::Read);
    let call = effects.iter().find_map(|effect| match effect {
        Effect::PerformCall { call, .. } => Some(call.id),
        _ => None,
    });
    let outcome = CallOutcome::success(json!({"name": name, "guests": 12}), "found");
    let call = call.unwrap();
    bench.give(Event::CallReturned { call, outcome });
    bench.ended("", None);
}

#[test]
fn what_nobody_has_said_is_asked_for_and_the_words_of_a_message_are_the_models_own() {
    let (mut bench, _) = Bench::asked_with(settings(), "Seat the four of us");
    let made_up = json!({"guests": 4, "name": "John Doe", "note": "A warm welcome"});
    let source = "await seating.seat(guests=4, name='John Doe', note='A warm welcome')";
    let open = told(&mut bench, source, &made_up).unwrap();
    assert!(open.contains("nobody has said name="), "{open}");
    assert!(open.contains("Known so far, keep it: guests=4"), "{open}");
    bench.ended("", Some(&format!("line 1: ValueError: {open}")));
    let left_out = json!({"guests": 4, "note": "Welcome"});
    let open = told(
        &mut bench,
        "await seating.seat(guests=4, note='Welcome')",
        &left_out,
    );
    assert!(open.unwrap().contains("name is not known yet"));
}

#[test]
fn what_was_said_found_or_computed_goes_on_to_be_permitted() {
    let (mut bench, _) = Bench::asked_with(settings(), "Seat the party of Okafor");
    looked_up(&mut bench, "Okafor");
    let found = json!({"guests": 12, "name": "Okafor", "note": "-"});
    let source = "await seating.seat(guests=12, name='Okafor', note='-')";
    assert_eq!(told(&mut bench, source, &found), None);
    let (mut bench, _) = Bench::asked_with(settings(), "Seat everybody of the list");
    let computed = json!({"guests": 31, "name": "Lee", "note": "-"});
    let source = "await seating.seat(guests=len(people), name=people[0], note='-')";
    assert_eq!(told(&mut bench, source, &computed), None);
}

#[test]
fn what_a_tool_repeats_of_its_arguments_proves_nothing() {
    let (mut bench, _) = Bench::asked_with(settings(), "Seat the party");
    looked_up(&mut bench, "Mallory");
    let repeated = json!({"guests": 12, "name": "Mallory", "note": "-"});
    let source = "await seating.seat(guests=12, name='Mallory', note='-')";
    let open = told(&mut bench, source, &repeated).unwrap();
    assert!(open.contains("nobody has said name="), "{open}");
}

#[test]
fn a_program_of_the_users_own_and_a_replay_say_what_they_want() {
    let given = Settings {
        program: Some("await seating.seat(guests=9)".into()),
        ..settings()
    };
    let (mut bench, _) = Bench::asked_with(given, "/seat");
    assert_eq!(
        called(&mut bench, &json!({"guests": 9, "name": "Ann", "note": "-"})),
        None
    );
    let missing = called(&mut bench, &json!({"guests": 9, "note": "-"}));
    assert_eq!(
        missing.as_deref(),
        Some("seating.seat missing required argument `name`")
    );
    let replay = Settings {
        is_replay: true,
        ..settings()
    };
    let (mut bench, _) = Bench::asked_with(replay, "Again");
    let args = json!({"guests": 9, "name": "Ann", "note": "-"});
    let source = "await seating.seat(guests=9, name='Ann', note='-')";
    assert_eq!(told(&mut bench, source, &args), None);
}

#[test]
fn a_later_call_is_no_correction_of_one_that_was_made() {
    let (mut bench, _) = Bench::asked_with(settings(), "Seat Okafor and Lee, four each");
    for (name, words) in [("Okafor", ""), ("Lee", "and the rest of them")] {
        if !words.is_empty() {
            bench = bench.followed(settings());
            bench.ask(words);
        }
        let args = json!({"guests": 4, "name": name, "note": "-"});
        let source = format!("await seating.seat(guests=4, name='{name}', note='-')");
        assert_eq!(told(&mut bench, &source, &args), None, "{name}");
    }
}
