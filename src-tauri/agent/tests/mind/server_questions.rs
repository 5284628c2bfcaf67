//! Questions of servers that are at work: put beside the program, answered to the server alone, gone with the call.

use crate::bench::*;
use serde_json::Value;
use shidi_agent::server_questions::{ELICIT, FOR_TASK, SAMPLE, Standing, TOOLKIT, is_allowed, standing};
use shidi_protocol::{Call, ExecId};

fn card(method: &str, number: u64, card: Value) -> Call {
    let mut args = card.as_object().cloned().unwrap();
    args.insert("number".to_owned(), number.into());
    args.insert("server".to_owned(), "peer".into());
    Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: TOOLKIT.to_owned(),
        method: method.to_owned(),
        args,
        line: 0,
        places: Default::default(),
    }
}

fn form(number: u64) -> Call {
    let card_of = json!({"title": "The MCP server peer asks you", "text": "Who comes?",
        "fields": [
            {"name": "guests", "kind": "whole", "required": true, "least": 1, "most": 9},
            {"name": "mail", "kind": "email", "required": false},
            {"name": "extras", "kind": "choices", "required": false, "most": 1,
                "options": [{"label": "Breakfast", "value": "b"}, {"label": "Parking", "value": "p"}]}],
        "options": [{"label": "Send", "value": "accept"}, {"label": "Not now", "value": "cancel", "bare": true}]});
    card(ELICIT, number, card_of)
}

/// A mind whose program has called a tool of a server.
fn at_work() -> Bench {
    let (mut bench, _) = Bench::asked_with(Settings::default(), "q");
    bench.model(PROGRAM);
    bench.call("shell.run", json!({"command": "ls"}), Class::Execute);
    bench
}

fn asked(bench: &mut Bench, call: Call) -> Option<CallId> {
    let effects = bench.give(Event::ServerAsked { by: CallId(1), call });
    assert!(
        !effects.contains(&Effect::Suspend),
        "the server goes on, and so does the run"
    );
    effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::Question { call, .. }) => Some(*call),
        _ => None,
    })
}

fn answered(bench: &mut Bench, call: CallId, answer: Value) -> Vec<Effect> {
    let decision = Decided::Answered {
        text: answer.to_string(),
    };
    bench.give(Event::Decided { call, decision })
}

fn stands(bench: &Bench, number: u64) -> Standing {
    standing(bench.mind.context(), CallId(1), number)
}

#[test]
fn an_answer_that_fits_goes_to_the_server_and_neither_to_the_program_nor_to_the_model() {
    let mut bench = at_work();
    let id = asked(&mut bench, form(7)).unwrap();
    assert!(id.is_aside());
    assert_eq!(stands(&bench, 7), Standing::Waits);
    let segments = bench.mind.context().segments.len();
    for wrong in [
        json!({"chosen": [0], "values": {}}),
        json!({"chosen": [0], "values": {"guests": "many"}}),
        json!({"chosen": [0], "values": {"guests": "10"}}),
        json!({"chosen": [0], "values": {"guests": "2", "mail": "nobody"}}),
        json!({"chosen": [0], "values": {"guests": "2", "extras": ["Breakfast", "Parking"]}}),
        json!({"chosen": [0], "values": {"guests": "2", "extras": ["Sauna"]}}),
        json!({"chosen": [4]}),
    ] {
        answered(&mut bench, id, wrong.clone());
        assert_eq!(stands(&bench, 7), Standing::Waits, "{wrong}");
    }
    let values = json!({"guests": " 2 ", "mail": "", "extras": "[\"Parking\"]"});
    let effects = answered(&mut bench, id, json!({"chosen": [0], "values": values}));
    assert!(effects.contains(&Effect::AsideDecided));
    let is_answer = |effect: &Effect| matches!(effect, Effect::AnswerCall { .. });
    assert!(!effects.iter().any(is_answer), "the program has asked nothing");
    let Standing::Ended(outcome) = stands(&bench, 7) else {
        panic!("answered")
    };
    assert_eq!(
        outcome.data,
        json!({"action": "accept", "values": {"guests": 2, "mail": null, "extras": ["p"]}})
    );
    assert_eq!(
        bench.mind.context().segments.len(),
        segments,
        "no word of it is the model's"
    );
    assert!(!bench.mind.state().tainted);
}

#[test]
fn nothing_has_to_be_filled_in_to_give_no_answer_and_a_refusal_is_none() {
    let mut bench = at_work();
    let id = asked(&mut bench, form(1)).unwrap();
    answered(&mut bench, id, json!({"chosen": [1]}));
    let Standing::Ended(outcome) = stands(&bench, 1) else {
        panic!("answered")
    };
    assert_eq!(outcome.data["action"], "cancel");
    let id = asked(&mut bench, form(2)).unwrap();
    bench.give(Event::Decided {
        call: id,
        decision: Decided::Refused { reason: None },
    });
    assert!(matches!(stands(&bench, 2), Standing::Ended(outcome) if !outcome.ok()));
}

#[test]
fn a_question_goes_when_its_server_waits_no_longer_and_with_the_call() {
    let mut bench = at_work();
    let id = asked(&mut bench, form(1)).unwrap();
    bench.give(Event::ServerAskEnded {
        by: CallId(1),
        number: 1,
    });
    assert!(bench.mind.waiting().is_empty(), "nobody is asked any more");
    assert!(answered(&mut bench, id, json!({"chosen": [1]})).is_empty());
    asked(&mut bench, form(2)).unwrap();
    let effects = bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("done"), "done"),
    });
    assert!(effects.contains(&Effect::AsideDecided) && bench.mind.waiting().is_empty());
    assert_eq!(stands(&bench, 2), Standing::Gone);
    assert_eq!(
        asked(&mut bench, form(3)),
        None,
        "no call is at work that it could be for"
    );
    assert_eq!(stands(&bench, 3), Standing::Gone);
}

#[test]
fn a_server_that_never_stops_asking_is_no_longer_shown() {
    let mut bench = at_work();
    let mut shown = 0;
    for number in 0..u64::from(shidi_agent::limits::CALLS_ASIDE_MAX) + 20 {
        shown += u32::from(asked(&mut bench, form(number)).is_some());
    }
    assert_eq!(shown, shidi_agent::limits::CALLS_ASIDE_MAX);
}

#[test]
fn what_is_allowed_for_the_task_is_that_server_s_alone() {
    let mut bench = at_work();
    let options = json!({"text": "?", "options": [{"label": "once", "value": "accept", "bare": true},
        {"label": "always", "value": FOR_TASK, "bare": true}]});
    let id = asked(&mut bench, card(SAMPLE, 1, options.clone())).unwrap();
    answered(&mut bench, id, json!({"chosen": [0]}));
    assert!(
        !is_allowed(bench.mind.context(), "peer"),
        "once is no permission for the next"
    );
    let id = asked(&mut bench, card(SAMPLE, 2, options)).unwrap();
    answered(&mut bench, id, json!({"chosen": [1]}));
    assert!(is_allowed(bench.mind.context(), "peer"));
    assert!(!is_allowed(bench.mind.context(), "other"));
}

#[test]
fn no_program_makes_such_a_call() {
    let (mut bench, _) = Bench::asked_with(Settings::default(), "q");
    bench.model(PROGRAM);
    let args = json!({"text": "?", "options": ["a"]});
    let effects = bench.call("user.elicit", args, Class::Read);
    let is_question = |effect: &Effect| matches!(effect, Effect::Show(RunEventKind::Question { .. }));
    assert!(!effects.iter().any(is_question));
}
