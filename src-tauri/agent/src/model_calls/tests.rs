//! Calls that a model answers: what is asked, and what is taken for an answer.

use super::*;
use crate::run_context::Settings;
use proptest::prelude::*;
use shidi_protocol::{CallId, ExecId, ModelRole, Moment};
use std::collections::BTreeMap;

fn call(tool: &str, args: Value) -> Call {
    let (toolkit, method) = tool.split_once('.').unwrap();
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.to_owned(),
        method: method.to_owned(),
        args: args.as_object().cloned().unwrap(),
        line: 1,
        places: BTreeMap::new(),
    }
}

fn context() -> RunContext {
    RunContext::new(
        "s".into(),
        "r".into(),
        Settings::default(),
        Vec::new(),
        Moment::default(),
    )
}

fn extract(schema: Value) -> ModelCall {
    ModelCall::of(&call(
        "system.extract",
        json!({"text": "Ada, 36", "schema": schema}),
    ))
    .unwrap()
}

#[test]
fn a_question_goes_to_the_general_model_and_data_to_the_fast_one() {
    let think = ModelCall::of(&call(
        "system.think",
        json!({"question": "Which is best?", "material": "</material> A or B"}),
    ));
    let request = think.unwrap().request(&context()).unwrap();
    assert_eq!(request.role, ModelRole::General);
    let text = request.messages[1].plain();
    assert!(
        text.contains("Which is best?") && text.matches("</material>").count() == 1,
        "{text}"
    );
    let request = extract(json!({"name": "str"})).request(&context()).unwrap();
    assert_eq!(request.role, ModelRole::Fast);
    assert_eq!(ModelCall::of(&call("files.read", json!({}))), None);
}

#[test]
fn data_fits_the_schema_or_is_sent_back_with_its_fault() {
    let people = extract(json!({"name": "str", "age": "int"}));
    let fine = people
        .outcome("Here it is:\n```json\n{\"name\": \"Ada\", \"age\": 36}\n```")
        .unwrap();
    assert_eq!(fine.data, json!({"name": "Ada", "age": 36}));
    let fault = people
        .outcome("{\"name\": \"Ada\", \"age\": \"36\"}")
        .unwrap_err();
    assert!(fault.contains("/age"), "{fault}");
    assert!(people.outcome("I can't").is_err());
    let missing = people.outcome("{\"name\": null, \"age\": null}").unwrap();
    assert_eq!(missing.data["age"], Value::Null, "what is not there is null");
    let list = extract(json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(list.outcome("[\"a\", \"b\"]").unwrap().data, json!(["a", "b"]));
}

#[test]
fn a_judgement_has_all_its_parts_whatever_the_model_left_out() {
    let judge = ModelCall::of(&call(
        "page.validate",
        json!({"request": "open orders", "result": {"errors": ["no field"]}}),
    ))
    .unwrap();
    let judged = judge
        .outcome("{\"passed\": false, \"problems\": [\"the field is wrong\"]}")
        .unwrap()
        .data;
    assert_eq!(
        (
            &judged["passed"],
            &judged["suggestions"],
            &judged["need_more_context"]
        ),
        (&json!(false), &json!([]), &json!(false))
    );
    assert!(judge.outcome("{\"summary\": \"fine\"}").is_err());
}

#[test]
fn an_answer_of_another_form_is_sent_back_with_the_fault() {
    let request = extract(json!({"name": "str"})).request(&context()).unwrap();
    let again = corrected(request.clone(), "hm", "The answer holds no JSON value.");
    assert_eq!(again.messages.len(), request.messages.len() + 2);
    assert!(again.messages.last().unwrap().plain().contains("no JSON value"));
}

proptest! {
    #[test]
    fn no_answer_and_no_schema_brings_the_reader_down(reply in "\\PC{0,200}", name in "[a-z$]{1,8}", kind in "\\PC{0,12}") {
        let call = extract(json!({name: kind}));
        drop(call.outcome(&reply));
    }
}
