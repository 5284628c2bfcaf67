//! The list of steps: its rules, its place in the prompt, and the reminder.

use crate::bench::*;
use shidi_protocol::{TodoItem, TodoState};

fn items(effects: &[Effect]) -> Option<&[TodoItem]> {
    effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::Todo { items }) => Some(items.as_slice()),
        _ => None,
    })
}

fn prompt(effects: &[Effect]) -> String {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request),
        _ => None,
    });
    let texts: Vec<String> = request
        .unwrap()
        .messages
        .iter()
        .map(|message| message.plain())
        .collect();
    texts.join("\n")
}

fn two() -> serde_json::Value {
    json!({"items": [
        {"text": "read", "state": "completed"},
        {"text": "fix the test", "state": "in_progress", "doing": "running it"},
    ]})
}

#[test]
fn the_list_is_shown_live_and_stays_in_sight_of_the_model_also_after_a_restart() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let effects = bench.call("todo.write", two(), Class::Read);
    let shown = items(&effects).unwrap();
    assert_eq!((shown.len(), shown[1].state), (2, TodoState::InProgress));
    let text = answered(&effects).unwrap().1.data;
    assert_eq!(
        text,
        json!("[x] read\n[>] fix the test <- running it\n(1/2 completed)")
    );
    let effects = bench.ended("1", None);
    assert!(prompt(&effects).contains("[>] fix the test <- running it"));
    let mut after = bench.restarted(Settings::default());
    assert_eq!(items(&after.give(Event::Resumed)).unwrap().len(), 2);
}

#[test]
fn a_list_that_breaks_the_rules_changes_nothing_and_says_what_is_wrong() {
    let busy = json!({"text": "a", "state": "in_progress"});
    let many: Vec<_> = (0..21)
        .map(|number| json!({"text": format!("{number}")}))
        .collect();
    for (list, part) in [
        (json!([busy, busy]), "at most one"),
        (json!(many), "at most 20"),
        (json!([{"text": "a", "state": "done"}]), "must be pending"),
        (json!([{"state": "pending"}]), "item 1 needs a text"),
        (json!([{"text": "x".repeat(300)}]), "longer than 200"),
    ] {
        let (mut bench, _) = Bench::asked("q");
        bench.model(PROGRAM);
        bench.call("todo.write", two(), Class::Read);
        let effects = bench.call("todo.write", json!({ "items": list }), Class::Read);
        let error = answered(&effects).unwrap().1.error.unwrap();
        assert!(
            error.kind == "ValueError" && error.message.contains(part),
            "{part}: {error:?}"
        );
        assert_eq!(bench.mind.state().todo.len(), 2);
    }
}

#[test]
fn open_items_that_were_not_touched_for_three_rounds_are_called_to_mind_once() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("todo.write", two(), Class::Read);
    let mut reminded = Vec::new();
    for number in 0..6 {
        let text = prompt(&bench.ended("1", None));
        reminded.push(text.matches("todo list has open items").count());
        bench.model(&format!("```python\nx = {number}\n```"));
    }
    assert_eq!(reminded, [0, 0, 1, 1, 1, 2]);
}
