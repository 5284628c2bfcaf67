//! Cards that ask: their arguments, people's answers, and changes accepted piece by piece.

use super::hunks::{between, merged};
use super::*;
use proptest::prelude::*;
use serde_json::json;
use shidi_protocol::{CallId, ExecId};

fn call(method: &str, args: Value) -> Call {
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: "user".to_owned(),
        method: method.to_owned(),
        args: args.as_object().cloned().unwrap_or_default(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

fn data(call: &Call, text: &str) -> Result<Value, String> {
    answer(call, text, "en").map(|answer| answer.data)
}

#[test]
fn a_choice_is_answered_by_its_place_its_number_or_its_label() {
    let one = call(
        "choose",
        json!({"text": "Which?", "options": ["red", {"label": "Dark, blue", "value": 7}]}),
    );
    for text in ["{\"chosen\": [1]}", "2", "dark, BLUE"] {
        assert_eq!(data(&one, text), Ok(json!(7)), "{text}");
    }
    for text in [
        "{\"chosen\": [2]}",
        "3",
        "green",
        "",
        "1, 2",
        "{\"chosen\": [-1]}",
        "{\"chosen\": []}",
    ] {
        assert!(data(&one, text).is_err(), "{text}");
    }
    let many = call(
        "choose",
        json!({"text": "?", "options": ["a", "b", "c"], "many": true}),
    );
    assert_eq!(data(&many, "{\"chosen\": [2, 0, 2]}"), Ok(json!(["a", "c"])));
    assert_eq!(data(&many, "3、a"), Ok(json!(["a", "c"])));
    assert_eq!(data(&many, "{\"chosen\": []}"), Ok(json!([])));
}

#[test]
fn yes_and_no_are_understood_in_both_languages_and_by_their_labels() {
    let asked = call("confirm", json!({"text": "Send?", "yes": "Send it"}));
    for (text, expected) in [
        ("yes", true),
        ("send it", true),
        ("是", true),
        ("N", false),
        ("否", false),
    ] {
        assert_eq!(data(&asked, text), Ok(json!(expected)), "{text}");
    }
    assert_eq!(
        answer(&asked, "maybe", "zh"),
        Err("回答“Send it”或“否”".to_owned())
    );
    let plain = call("confirm", json!({"text": "Send?"}));
    assert_eq!(
        answer(&plain, "banana", "en"),
        Err("Answer \"Yes\" or \"No\"".to_owned())
    );
    let choice = call("choose", json!({"text": "?", "options": ["a", "b"]}));
    assert_eq!(
        answer(&choice, "a, b", "en"),
        Err("Choose one of a, b".to_owned())
    );
    assert_eq!(
        answer(&asked, "y", "en").map(|answer| answer.said),
        Ok("Send it".to_owned())
    );
}

#[test]
fn the_values_of_a_form_have_their_kinds_and_what_is_wrong_is_said_by_its_label() {
    let fields = json!([
        {"name": "who", "label": "Guest"}, {"name": "count", "kind": "number"},
        {"name": "day", "kind": "date", "required": false}, {"name": "smokes", "kind": "yes_no"},
        {"name": "room", "kind": "choice", "options": ["single", {"label": "Double", "value": 2}]},
    ]);
    let form = call("form", json!({"text": "Book", "fields": fields}));
    let sent = |more: Value| {
        let mut values = json!({"who": " Ada ", "count": "2", "room": "Double"});
        for (name, value) in more.as_object().unwrap() {
            values[name] = value.clone();
        }
        json!({ "values": values }).to_string()
    };
    assert_eq!(
        data(&form, &sent(json!({"smokes": true}))),
        Ok(json!({"who": "Ada", "count": 2, "day": null, "smokes": true, "room": 2}))
    );
    let said =
        |language: &str| answer(&form, &sent(json!({"smokes": true})), language).map(|answer| answer.said);
    assert_eq!(
        said("en").unwrap(),
        "Guest: Ada, count: 2, smokes: Yes, room: Double"
    );
    assert_eq!(
        said("zh").unwrap(),
        "Guest：Ada，count：2，smokes：是，room：Double"
    );
    assert_eq!(
        data(&form, &sent(json!({"who": ""}))),
        Err("Guest: is required".to_owned())
    );
    assert_eq!(
        data(&form, &sent(json!({"count": "two"}))),
        Err("count: write a number".to_owned())
    );
    assert!(data(&form, &sent(json!({"day": "tomorrow"}))).is_err());
    assert!(data(&form, &sent(json!({"room": "suite"}))).is_err());
    assert!(data(&form, "not json").is_err());
    let one = call(
        "form",
        json!({"text": "?", "fields": [{"name": "n", "kind": "number"}]}),
    );
    assert_eq!(data(&one, "7"), Ok(json!({"n": 7})));
}

#[test]
fn a_change_is_taken_piece_by_piece() {
    let before = "a\nb\nc\nd\ne\n";
    let after = "a\nB\nc\nd\nE\nf\n";
    let diff = call("diff", json!({"before": before, "after": after}));
    let shown = of(&diff).unwrap().unwrap().fields.unwrap();
    assert_eq!(shown["hunks"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        shown["hunks"][0],
        json!({"line": 2, "above": ["a"], "before": ["b"], "after": ["B"], "below": ["c", "d", "e"]})
    );
    assert_eq!(
        data(&diff, "{\"accept\": [0]}").map(|data| data["text"].clone()),
        Ok(json!("a\nB\nc\nd\ne\n"))
    );
    assert_eq!(
        data(&diff, "2").map(|data| data["text"].clone()),
        Ok(json!("a\nb\nc\nd\nE\nf\n"))
    );
    assert_eq!(
        data(&diff, "all").map(|data| data["text"].clone()),
        Ok(json!(after))
    );
    assert_eq!(
        data(&diff, "none"),
        Ok(json!({"text": before, "accepted": 0, "rejected": 2}))
    );
    assert!(data(&diff, "3").is_err() && data(&diff, "{\"accept\": [9]}").is_err());
}

#[test]
fn operations_hand_overs_and_cards_of_json_come_back_as_they_were_meant() {
    let operate = call(
        "operate",
        json!({"text": "?", "facts": {"host": "a1"}, "actions": ["restart", {"label": "Drop", "danger": true}]}),
    );
    assert_eq!(data(&operate, "{\"chosen\": [1]}"), Ok(json!("Drop")));
    assert_eq!(
        data(&call("hand_over", json!({"text": "Call them"})), "did it"),
        Ok(json!("did it"))
    );
    let card = json!({"title": "T", "text": "Which?", "facts": {"a": 1}, "fields": ["why"], "actions": ["go", "stay"]});
    let custom = call("card", json!({ "card": card }));
    assert_eq!(
        data(&custom, "{\"chosen\": [1], \"values\": {\"why\": \"rain\"}}"),
        Ok(json!({"action": "stay", "values": {"why": "rain"}}))
    );
    assert_eq!(of(&custom).unwrap().unwrap().text, "Which?");
}

#[test]
fn what_a_program_can_not_have_meant_is_refused() {
    for (method, args) in [
        ("choose", json!({"text": "?", "options": []})),
        ("choose", json!({"text": "?", "options": [null]})),
        ("form", json!({"text": "?", "fields": []})),
        ("form", json!({"text": "?", "fields": ["a", "a"]})),
        (
            "form",
            json!({"text": "?", "fields": [{"name": "a", "kind": "colour"}]}),
        ),
        ("diff", json!({"before": "a", "after": "a"})),
        ("diff", json!({"before": "a"})),
        ("operate", json!({"text": "?", "actions": ["a"], "facts": [1]})),
        ("card", json!({"card": {"text": "nothing to do"}})),
        ("card", json!({"card": {"script": "x", "actions": ["a"]}})),
    ] {
        assert!(
            of(&call(method, args.clone())).is_some_and(|read| read.is_err()),
            "{method} {args}"
        );
    }
    assert!(of(&call("say", json!({"text": "hello"}))).is_none());
}

proptest! {
    #[test]
    fn all_pieces_make_the_second_text_and_none_the_first(
        before in proptest::collection::vec("[ab]{0,2}", 0..24), after in proptest::collection::vec("[ab]{0,2}", 0..24),
    ) {
        let (before, after) = (before.join("\n"), after.join("\n"));
        let hunks = between(&before, &after).unwrap();
        prop_assert_eq!(merged(&before, &hunks, |_| true), after);
        prop_assert_eq!(merged(&before, &hunks, |_| false), before);
    }

    #[test]
    fn whatever_is_answered_is_read_or_refused(text in "\\PC{0,40}") {
        for (method, args) in [
            ("choose", json!({"text": "?", "options": ["a", "b"], "many": true})),
            ("confirm", json!({"text": "?"})),
            ("form", json!({"text": "?", "fields": [{"name": "n", "kind": "date"}]})),
            ("diff", json!({"before": "a\nb", "after": "a\nc"})),
            ("card", json!({"card": {"actions": ["a"], "fields": ["b"]}})),
        ] {
            drop(answer(&call(method, args), &text, "zh"));
        }
    }
}
