//! Events of a run in, updates of an editor out.

use super::*;
use proptest::prelude::*;
use shidi_protocol::Moment;

fn event(kind: Value) -> RunEvent {
    event_of("r", kind)
}

fn event_of(run: &str, kind: Value) -> RunEvent {
    let kind: RunEventKind = serde_json::from_value(kind).unwrap();
    RunEvent {
        kind,
        run: RunId::from(run),
        seq: 1,
        time: Moment(0),
    }
}

fn live() -> Updates {
    Updates::new(Language::En, Delivery::Live, Some("/project".to_owned()))
}

/// The words of a kind that came out, joined.
fn words(updates: &[Value], kind: &str) -> String {
    let of = updates.iter().filter(|update| update["sessionUpdate"] == kind);
    of.map(|update| update["content"]["text"].as_str().unwrap())
        .collect()
}

fn all(updates: &mut Updates, events: &[Value]) -> Vec<Value> {
    let events = events.iter().cloned().map(event);
    events.flat_map(|event| updates.take(&event)).collect()
}

#[test]
fn words_come_once_whether_they_were_streamed_said_or_answered() {
    let told = all(
        &mut live(),
        &[
            json!({"type": "delta", "kind": "Express", "text": "Good "}),
            json!({"type": "delta", "kind": "Express", "text": "day"}),
            json!({"type": "segment", "kind": "Express", "text": "Good day.", "exec": null}),
            json!({"type": "answer", "text": "Good day."}),
        ],
    );
    assert_eq!(words(&told, "agent_message_chunk"), "Good day.");
    let told = all(
        &mut live(),
        &[
            json!({"type": "segment", "kind": "Express", "text": "One.", "exec": 1}),
            json!({"type": "answer", "text": "Two."}),
        ],
    );
    assert_eq!(words(&told, "agent_message_chunk"), "One.\n\nTwo.");
}

#[test]
fn an_answer_that_does_not_count_is_told_as_such() {
    let told = all(
        &mut live(),
        &[
            json!({"type": "delta", "kind": "Express", "text": "Wrong"}),
            json!({"type": "retracted"}),
            json!({"type": "delta", "kind": "Express", "text": "Right"}),
            json!({"type": "segment", "kind": "Express", "text": "Right", "exec": null}),
        ],
    );
    let said = words(&told, "agent_message_chunk");
    assert!(
        said.starts_with("Wrong\n\n(") && said.ends_with("\n\nRight"),
        "{said}"
    );
}

#[test]
fn a_thought_is_a_thought_unless_it_was_streamed_as_words() {
    let thought = json!({"type": "segment", "kind": "Thought", "text": "hm", "exec": null});
    let told = all(&mut live(), std::slice::from_ref(&thought));
    assert_eq!(words(&told, "agent_thought_chunk"), "hm");
    let streamed = json!({"type": "delta", "kind": "Express", "text": "hm"});
    let told = all(&mut live(), &[streamed, thought]);
    assert_eq!(words(&told, "agent_message_chunk"), "hm");
    assert_eq!(words(&told, "agent_thought_chunk"), "");
}

#[test]
fn a_call_is_shown_from_its_wish_to_its_end() {
    let mut updates = live();
    let args = json!({"path": "a.txt", "text": "x"});
    let told = all(
        &mut updates,
        &[
            json!({"type": "call", "exec": 1, "call": 2, "toolkit": "files", "method": "write", "args": args, "line": 1}),
            json!({"type": "approval_needed", "call": 2, "tool": "files.write", "args": args, "class": "write",
                "origin": [], "family": "files.write(path=/project/*)"}),
        ],
    );
    assert_eq!(told[0]["sessionUpdate"], "tool_call");
    assert_eq!(told[0]["toolCallId"], "r/2");
    assert_eq!(told[0]["kind"], "edit");
    assert_eq!(told[0]["locations"], json!([{"path": "/project/a.txt"}]));
    assert_eq!(told[1]["status"], "pending");
    assert_eq!(updates.waiting.len(), 1);
    let done = event(json!({"type": "call_done", "call": 2, "ok": true, "summary": "a.txt", "ms": 1}));
    let told = updates.take(&done);
    assert_eq!(told[0]["status"], "completed");
    assert!(updates.waiting.is_empty());
    assert_eq!(change_of(&done, &updates).as_deref(), Some("r/2"));
}

#[test]
fn steps_are_a_plan_and_what_a_program_says_is_no_call() {
    let told = all(
        &mut live(),
        &[
            json!({"type": "todo", "items": [{"text": "look", "state": "in_progress"}]}),
            json!({"type": "call", "exec": 1, "call": 1, "toolkit": "user", "method": "say", "args": {}, "line": 1}),
            json!({"type": "code", "exec": 1, "program": "1"}),
            json!({"type": "output", "exec": 1, "stdout": "", "ok": false, "error": "ValueError", "ms": 1}),
        ],
    );
    assert_eq!(
        told[0]["entries"],
        json!([{"content": "look", "priority": "medium", "status": "in_progress"}])
    );
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[1]["toolCallId"], told[2]["toolCallId"]);
    assert_eq!(told[2]["status"], "failed");
}

#[test]
fn what_a_sub_agent_says_is_not_the_answer_and_what_it_does_is_shown() {
    let mut updates = live();
    updates.run = Some(RunId::from("r"));
    let under = |kind| event_of("below", kind);
    let said = under(json!({"type": "answer", "text": "not mine"}));
    assert!(updates.take(&said).is_empty());
    let call = json!({"type": "call", "exec": 1, "call": 1, "toolkit": "shell", "method": "run",
        "args": {"command": "ls"}, "line": 1});
    assert_eq!(updates.take(&under(call))[0]["toolCallId"], "below/1");
}

#[test]
fn a_session_that_is_shown_again_holds_its_questions() {
    let mut again = Updates::new(Language::En, Delivery::Again, None);
    let told = all(
        &mut again,
        &[
            json!({"type": "segment", "kind": "User", "text": "Hello?", "exec": null}),
            json!({"type": "segment", "kind": "Express", "text": "Yes.", "exec": null}),
        ],
    );
    assert_eq!(words(&told, "user_message_chunk"), "Hello?");
    assert_eq!(words(&told, "agent_message_chunk"), "Yes.");
    let asked = json!({"type": "segment", "kind": "User", "text": "Hello?", "exec": null});
    assert!(all(&mut live(), &[asked]).is_empty());
}

proptest! {
    #[test]
    fn streamed_in_any_pieces_an_answer_is_told_once(pieces in proptest::collection::vec("[a-z 。]{1,6}", 1..12)) {
        let whole = pieces.concat();
        let whole = whole.trim();
        prop_assume!(!whole.is_empty());
        let mut events: Vec<Value> = pieces
            .iter()
            .map(|piece| json!({"type": "delta", "kind": "Express", "text": piece}))
            .collect();
        events.push(json!({"type": "segment", "kind": "Express", "text": whole, "exec": null}));
        events.push(json!({"type": "answer", "text": whole}));
        let told = all(&mut live(), &events);
        let said = words(&told, "agent_message_chunk");
        prop_assert_eq!(said.trim(), whole);
    }
}
