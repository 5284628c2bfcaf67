//! Cards that ask, as far as a terminal shows them.

use super::*;

#[test]
fn fields_are_names_or_objects_with_a_name() {
    let fields = json!(["name", {"name": "date", "label": "Date"}, 7, {}]);
    let asked = QuestionForm::of(Some(&fields));
    let names: Vec<&str> = asked.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["name", "date"]);
    assert!(
        QuestionForm::of(None).fields.is_empty() && QuestionForm::of(Some(&json!("name"))).fields.is_empty()
    );
}

#[test]
fn the_hint_shows_what_an_answer_looks_like() {
    assert_eq!(QuestionForm::of(None).shape(), "TEXT");
    assert_eq!(
        QuestionForm::of(Some(&json!(["name", "date"]))).shape(),
        r#"'{"name": "…", "date": "…"}'"#
    );
    assert_eq!(
        QuestionForm::of(Some(&json!({"card": "confirm"}))).shape(),
        "yes|no"
    );
}

#[test]
fn a_card_is_told_in_lines_without_signs_that_move_the_cursor() {
    let choice = json!({"card": "choice", "options": [{"label": "red\u{1b}[2J", "note": "warm"}, {"label": "blue", "note": ""}]});
    assert_eq!(
        QuestionForm::of(Some(&choice)).lines,
        [r"  1. red\x1b[2J  warm", "  2. blue"]
    );
    let diff = json!({"card": "diff", "title": "a.md", "hunks": [{"above": ["x"], "before": ["old"], "after": ["new"], "below": []}]});
    assert_eq!(
        QuestionForm::of(Some(&diff)).lines,
        ["a.md", "@@ 1 @@", "  x", "- old", "+ new"]
    );
}

#[test]
fn what_a_server_asks_may_be_declined_before_anything_is_filled_in() {
    let card = json!({"card": "server", "title": "The MCP server peer asks you",
        "fields": [{"name": "n", "kind": "whole", "label": "Guests", "note": "with children", "value": 2}],
        "options": [{"label": "Send"}, {"label": "Decline", "bare": true}]});
    let asked = QuestionForm::of(Some(&card));
    assert!(asked.begins_with_action());
    assert!(asked.is_bare("2") && asked.is_bare("decline") && !asked.is_bare("1") && !asked.is_bare("0"));
    let [field] = asked.fields.as_slice() else {
        panic!("one field")
    };
    assert_eq!(
        (field.shown.as_str(), &field.default),
        ("Guests with children [2]", &json!(2))
    );
    let answer = asked.answer(JsonMap::new(), Some("2".to_owned()));
    assert_eq!(answer, r#"{"values":{},"action":"2"}"#);
    assert_eq!(
        asked.lines,
        ["The MCP server peer asks you", "  1. Send", "  2. Decline"]
    );
}
