//! The exact bytes of requests.

//! Promises of this room, as tests.

use super::*;
use serde_json::json;
use shidi_protocol::{Brief, ModelRole, RunId, Sampling};

fn request(messages: Vec<Message>) -> ModelRequest {
    ModelRequest {
        run: RunId::from("r"),
        role: ModelRole::General,
        messages,
        tools: Vec::new(),
        max_output_tokens: 512,
        completion: None,
        parts: Vec::new(),
        brief: Brief::default(),
    }
}

fn sent(request: &ModelRequest, provider: &str) -> Value {
    serde_json::from_slice(
        &body(request, "m-high", Sampling::default(), Dialect::of(provider)).expect("body"),
    )
    .expect("json")
}

#[test]
fn a_plain_question_is_sent_exactly_like_this() {
    let request = request(vec![
        Message::text(Speaker::System, "Be brief"),
        Message::text(Speaker::User, "你好"),
    ]);
    let expected = json!({
        "model": "m-high",
        "messages": [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "你好"}],
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": 512,
    });
    assert_eq!(sent(&request, "custom"), expected);
}

#[test]
fn images_become_data_urls_and_tool_results_name_their_call() {
    let mut asked = Message::text(Speaker::User, "what is this");
    asked.parts.push(Part::Image {
        media_type: "image/png".into(),
        data: "AAAA".into(),
    });
    let mut acted = Message::text(Speaker::Assistant, "");
    for (id, arguments) in [("c1", "{\"code\":\"1\"}"), ("c2", "{\"code\": "), ("c3", "")] {
        acted.tool_calls.push(ToolCall {
            id: id.into(),
            name: "python".into(),
            arguments: arguments.into(),
        });
    }
    let mut result = Message::text(Speaker::Tool, "1");
    result.tool_call_id = Some("c1".into());
    let mut request = request(vec![asked, acted, result]);
    request.tools.push(ToolDeclaration {
        name: "python".into(),
        description: "runs".into(),
        schema: json!({"type": "object"}),
    });
    let sent = sent(&request, "openai");
    assert_eq!(
        sent["messages"][0]["content"],
        json!([{"type": "text", "text": "what is this"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])
    );
    assert_eq!(sent["messages"][1]["content"], Value::Null);
    let arguments: Vec<&Value> = (0..3)
        .map(|at| &sent["messages"][1]["tool_calls"][at]["function"]["arguments"])
        .collect();
    assert_eq!(
        arguments,
        [
            &json!("{\"code\":\"1\"}"),
            &json!("{\"malformed\":\"{\\\"code\\\": \"}"),
            &json!("{}")
        ]
    );
    assert_eq!(
        sent["messages"][2],
        json!({"role": "tool", "content": "1", "tool_call_id": "c1"})
    );
    assert_eq!(sent["tools"][0]["function"]["name"], "python");
    assert_eq!(sent["max_completion_tokens"], 512);
    assert_eq!(sent.get("max_tokens"), None);
}

#[test]
fn a_refused_field_is_replaced_once() {
    let dialect = Dialect::of("custom");
    let renamed = dialect
        .without("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        .expect("other");
    assert_eq!(renamed.limit, LimitField::MaxCompletionTokens);
    let silent = renamed
        .without("stream_options: extra fields not permitted")
        .expect("other");
    assert_eq!(silent.usage, UsageOption::LeftOut);
    assert_eq!(silent.without("stream_options is unknown"), None);
    assert_eq!(dialect.without("temperature must be positive"), None);
}

fn limits(model: &str, dialect: Dialect) -> (Value, Value) {
    let body = body(&request(Vec::new()), model, Sampling::default(), dialect).expect("body");
    let sent: Value = serde_json::from_slice(&body).expect("json");
    (sent["max_tokens"].clone(), sent["max_completion_tokens"].clone())
}

#[test]
fn a_limit_that_covers_thoughts_has_room_for_them_where_the_model_thinks() {
    let dialect = Dialect::of("openai");
    for model in [
        "o3-mini",
        "o1",
        "o4-mini-2025-04-16",
        "gpt-5",
        "gpt-5.1-codex",
        "gpt-6-mini",
        "x/DeepSeek-R1",
        "deepseek-reasoner",
    ] {
        assert_eq!(
            limits(model, dialect),
            (Value::Null, json!(512 + 16_384)),
            "{model}"
        );
        let others = Dialect::of("deepseek");
        assert_eq!(
            limits(model, others),
            (json!(512), Value::Null),
            "{model}: the older name"
        );
    }
    for model in [
        "gpt-4o",
        "gpt-4.1-mini",
        "gpt-3.5-turbo",
        "gpt-5-chat-latest",
        "omni",
        "m-high",
        "",
    ] {
        assert_eq!(limits(model, dialect), (Value::Null, json!(512)), "{model}");
    }
}

#[test]
fn a_server_that_finds_the_room_for_thoughts_too_large_is_asked_without_it() {
    let dialect = Dialect::of("openai");
    let refusal =
        "max_completion_tokens is too large: 16896. This model supports at most 16384 completion tokens";
    let without = dialect.without(refusal).expect("other");
    assert_eq!(limits("gpt-5", without), (Value::Null, json!(512)));
    let renamed = dialect
        .without("Unsupported parameter: 'max_completion_tokens'")
        .expect("other");
    assert_eq!(limits("gpt-5", renamed), (json!(512), Value::Null));
}

#[test]
fn a_server_that_refuses_the_limit_under_every_name_is_asked_a_few_times_at_most() {
    let refusal = "stream_options, max_tokens and max_completion_tokens: at most 4096";
    for provider in ["openai", "custom"] {
        let dialects = std::iter::successors(Some(Dialect::of(provider)), |dialect| dialect.without(refusal));
        let asked = dialects.take(100).count();
        assert!(asked <= 4, "{provider}: {asked} times");
    }
}
