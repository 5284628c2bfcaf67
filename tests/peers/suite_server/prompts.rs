//! The suite's prompts: with and without arguments, with a resource, with a picture, and one that asks first.

use crate::asking::form;
use crate::content::{block, picture, resource, text};
use rmcp::model::{ErrorData, GetPromptResult, JsonObject, Prompt, PromptMessage, Role};
use serde_json::{Value, json};
use shidi_mcp_server::{Exchange, Halt};

pub fn all() -> Vec<Prompt> {
    let required = |name: &str, about: &str| json!({"name": name, "description": about, "required": true});
    let prompt = |name: &str, about: &str, arguments: Value| json!({"name": name, "description": about, "arguments": arguments});
    let listed = json!([
        prompt("test_simple_prompt", "A prompt without arguments", json!([])),
        prompt(
            "test_prompt_with_arguments",
            "A prompt with two arguments",
            json!([
                required("arg1", "First test argument"),
                required("arg2", "Second test argument"),
            ])
        ),
        prompt(
            "test_prompt_with_embedded_resource",
            "A prompt with a resource in it",
            json!([required("resourceUri", "URI of the resource to embed")])
        ),
        prompt(
            "test_prompt_with_image",
            "A prompt with a picture in it",
            json!([])
        ),
        prompt(
            "test_input_required_result_prompt",
            "A prompt that asks first",
            json!([])
        ),
    ]);
    serde_json::from_value(listed).expect("prompts")
}

/// Writes a prompt out.
///
/// # Errors
/// No such prompt, or its client is asked first.
pub async fn written(
    name: &str,
    arguments: &JsonObject,
    exchange: &Exchange,
) -> Result<GetPromptResult, Halt> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let content = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(&format!(
                "Prompt with arguments: arg1='{first}', arg2='{second}'"
            ))]
        }
        "test_prompt_with_embedded_resource" => vec![
            resource(
                argument("resourceUri"),
                "text/plain",
                "Embedded resource content for testing.",
            ),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![picture(), text("Please analyze the image above.")],
        "test_input_required_result_prompt" => {
            let properties = json!({"context": {"type": "string"}});
            let message = "What context should the prompt use?";
            let answers = exchange
                .ask(form("user_context", message, properties, &["context"]))
                .await?;
            vec![text(&format!(
                "In {}",
                answers["user_context"]["content"]["context"]
            ))]
        }
        other => return Err(ErrorData::invalid_params(format!("There is no prompt {other}"), None).into()),
    };
    let messages = content
        .into_iter()
        .map(|content| PromptMessage::new(Role::User, block(content)));
    Ok(GetPromptResult::new(messages.collect()))
}
