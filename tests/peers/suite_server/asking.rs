//! Tools that ask their client: forms, an answer of a model, folders; once, several at once, or in several rounds.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use shidi_mcp_server::{Answers, Exchange, Halt, Question, QuestionKind, Questions};

/// What a tool says when everything is answered; `None` of another one.
///
/// # Errors
/// As [`Exchange::ask`].
pub async fn answered(
    tool: &str,
    arguments: &JsonObject,
    exchange: &Exchange,
) -> Result<Option<String>, Halt> {
    let rounds = older(tool, arguments).or_else(|| newer(tool, exchange));
    let Some(rounds) = rounds else {
        return Ok(None);
    };
    let mut answers = Answers::new();
    for questions in rounds {
        answers.extend(exchange.ask(questions).await?);
    }
    Ok(Some(match tool {
        "test_sampling" => format!("LLM response: {}", answers["question"]["content"]["text"]),
        "test_elicitation" => format!("User response: {}", outcome(&answers)),
        "test_elicitation_sep1034_defaults" | "test_elicitation_sep1330_enums" => {
            format!("Elicitation completed: {}", outcome(&answers))
        }
        "test_input_required_result_request_state" => "state-ok".to_owned(),
        _ => format!("Answered: {}", json!(answers)),
    }))
}

/// A form under a name, for whoever asks in the middle of something else.
pub fn form(name: &str, message: &str, properties: Value, required: &[&str]) -> Questions {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    let params = json!({"message": message, "requestedSchema": schema});
    [(name.to_owned(), Question::new(QuestionKind::Elicitation, params))].into()
}

/// The questions of a tool of the older era, round by round.
fn older(tool: &str, arguments: &JsonObject) -> Option<Vec<Questions>> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let questions = match tool {
        "test_sampling" => sampling("question", argument("prompt"), 100),
        "test_elicitation" => form(
            "question",
            argument("message"),
            json!({
                "username": {"type": "string", "description": "User's response"},
                "email": {"type": "string", "description": "User's email address"},
            }),
            &["username", "email"],
        ),
        "test_elicitation_sep1034_defaults" => form(
            "question",
            "Please review and update the form fields with defaults",
            json!({
                "name": {"type": "string", "default": "John Doe"},
                "age": {"type": "integer", "default": 30},
                "score": {"type": "number", "default": 95.5},
                "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                "verified": {"type": "boolean", "default": true},
            }),
            &[],
        ),
        "test_elicitation_sep1330_enums" => form(
            "question",
            "Please select options from the enum fields",
            choices(),
            &[],
        ),
        "test_missing_capability" => sampling("question", "Anything?", 10),
        _ => return None,
    };
    Some(vec![questions])
}

/// Every way in which the protocol writes choices.
fn choices() -> Value {
    let titled = |first: &str| {
        json!([
            {"const": "value1", "title": format!("First {first}")},
            {"const": "value2", "title": format!("Second {first}")},
            {"const": "value3", "title": format!("Third {first}")},
        ])
    };
    let plain = json!(["option1", "option2", "option3"]);
    json!({
        "untitledSingle": {"type": "string", "enum": plain.clone()},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    })
}

/// The questions of a tool of the newer era, round by round.
fn newer(tool: &str, exchange: &Exchange) -> Option<Vec<Questions>> {
    Some(match tool {
        "test_streaming_elicitation" | "test_input_required_result_elicitation" => {
            vec![worded("user_name", "What is your name?", "name")]
        }
        "test_input_required_result_sampling" => {
            vec![sampling(
                "capital_question",
                "What is the capital of France?",
                100,
            )]
        }
        "test_input_required_result_list_roots" => vec![roots("client_roots")],
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            let properties = json!({"ok": {"type": "boolean"}});
            vec![form("confirm", "Please confirm", properties, &["ok"])]
        }
        "test_input_required_result_multiple_inputs" => vec![together([
            worded("user_name", "What is your name?", "name"),
            sampling("greeting", "Generate a greeting", 50),
            roots("client_roots"),
        ])],
        "test_input_required_result_multi_round" => vec![
            worded("step1", "Step 1: What is your name?", "name"),
            worded("step2", "Step 2: What is your favorite color?", "color"),
        ],
        "test_input_required_result_capabilities" => {
            let mut questions = together([
                worded("user_name", "What is your name?", "name"),
                sampling("greeting", "Generate a greeting", 50),
            ]);
            questions.retain(|_, question| exchange.can_ask(question));
            vec![questions]
        }
        _ => return None,
    })
}

/// A form with one text.
fn worded(name: &str, message: &str, field: &str) -> Questions {
    form(name, message, json!({field: {"type": "string"}}), &[field])
}

fn sampling(name: &str, said: &str, tokens: u32) -> Questions {
    let message = json!({"role": "user", "content": {"type": "text", "text": said}});
    let params = json!({"messages": [message], "maxTokens": tokens});
    [(name.to_owned(), Question::new(QuestionKind::Sampling, params))].into()
}

fn roots(name: &str) -> Questions {
    [(name.to_owned(), Question::new(QuestionKind::Roots, json!({})))].into()
}

fn together<const COUNT: usize>(all: [Questions; COUNT]) -> Questions {
    all.into_iter().flatten().collect()
}

/// What a person did with the form.
fn outcome(answers: &Answers) -> String {
    let answer = &answers["question"];
    format!("action={}, content={}", answer["action"], answer["content"])
}
