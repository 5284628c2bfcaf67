//! Who can be asked, and what counts as an answer.

use super::*;
use shidi_locales::Language;

fn client(declared: Value) -> ClientCapabilities {
    serde_json::from_value(declared).unwrap()
}

fn form() -> Question {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let params = json!({"message": "Your name?", "requestedSchema": schema});
    Question::new(QuestionKind::Elicitation, params)
}

fn address() -> Question {
    Question::new(
        QuestionKind::Elicitation,
        json!({"mode": "url", "message": "Sign in", "url": "https://example.com", "elicitationId": "1"}),
    )
}

#[test]
fn a_client_is_asked_only_what_it_has_declared() {
    let sampling = Question::new(QuestionKind::Sampling, json!({}));
    let roots = Question::new(QuestionKind::Roots, json!({}));
    let some = client(json!({"sampling": {}, "elicitation": {}}));
    assert!(sampling.is_declared(&some) && form().is_declared(&some));
    assert!(!roots.is_declared(&some) && !address().is_declared(&some));
    let addresses = client(json!({"elicitation": {"url": {}}, "roots": {}}));
    assert!(address().is_declared(&addresses) && roots.is_declared(&addresses));
    assert!(!form().is_declared(&addresses) && !sampling.is_declared(&addresses));
    let both = client(json!({"elicitation": {"form": {}, "url": {}}}));
    assert!(form().is_declared(&both) && address().is_declared(&both));
}

#[test]
fn what_is_missing_is_named_as_a_capability() {
    let refused = QuestionKind::Sampling.undeclared(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        Language::En.mcp_server(),
    );
    assert_eq!(refused.code.0, -32021);
    assert_eq!(
        refused.data,
        Some(json!({"requiredCapabilities": {"sampling": {}}}))
    );
}

#[test]
fn an_answer_has_the_shape_that_its_question_wants() {
    for answer in [
        json!({"action": "accept", "content": {"name": "Ann"}}),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
    ] {
        assert!(form().is_answered_by(&answer), "{answer}");
    }
    for other in [
        json!(12345),
        json!(null),
        json!({"action": "accept"}),
        json!({"action": "burn"}),
        json!({"roots": []}),
    ] {
        assert!(!form().is_answered_by(&other), "{other}");
    }
    assert!(address().is_answered_by(&json!({"action": "accept"})));
    let sampling = Question::new(QuestionKind::Sampling, json!({}));
    let said = json!({"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"});
    assert!(sampling.is_answered_by(&said));
    assert!(!sampling.is_answered_by(&json!({"role": "assistant"})));
    let roots = Question::new(QuestionKind::Roots, json!({}));
    assert!(roots.is_answered_by(&json!({"roots": []})) && !roots.is_answered_by(&json!({})));
}

#[test]
fn a_question_stands_in_a_result_as_the_protocol_has_it() {
    let said = serde_json::to_value(form().as_input().unwrap()).unwrap();
    assert_eq!(said["method"], "elicitation/create");
    assert_eq!(
        said["params"]["requestedSchema"]["properties"]["name"]["type"],
        "string"
    );
    let roots = Question::new(QuestionKind::Roots, json!({})).as_input().unwrap();
    assert_eq!(serde_json::to_value(roots).unwrap()["method"], "roots/list");
    let broken = Question::new(QuestionKind::Elicitation, json!({"message": 1}));
    assert!(broken.as_input().is_err());
}
