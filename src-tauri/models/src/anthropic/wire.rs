//! The body of a request in Anthropic's format.
//!
//! Two places are marked for the provider's cache. One is the end of the system prompt, which covers the tools
//! before it. The other is the last block that the next round repeats. The message's final words are no such block:
//! they hold the time and the live variables.

use serde::Serialize;
use serde_json::{Value, json};
use shidi_protocol::{Message, ModelRequest, Part, Sampling, Speaker, ToolCall, ToolDeclaration};

/// The answer's limit for a request without one: the format demands a limit, and every model can write as much.
const OUTPUT_TOKENS_DEFAULT: u32 = 4_096;
/// Tokens for thoughts, which count as output here: a model that thinks first still gets its whole answer through.
const THOUGHT_TOKENS: u32 = 16_384;
/// The first generation whose models decide themselves how long they think; older models refuse that mode.
const ADAPTIVE_FROM: (u32, u32) = (4, 6);

/// Whether thoughts are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thoughts {
    SummedUp,
    LeftOut,
}

impl Thoughts {
    pub(super) fn of(model: &str) -> Self {
        if generation(model).is_some_and(|generation| generation >= ADAPTIVE_FROM) {
            Self::SummedUp
        } else {
            Self::LeftOut
        }
    }

    /// The mode to try after a refusal that names thinking.
    pub(super) fn without(self, refusal: &str) -> Option<Self> {
        let named = ["thinking", "adaptive", "display"]
            .iter()
            .any(|word| refusal.contains(word));
        (self == Self::SummedUp && named).then_some(Self::LeftOut)
    }
}

/// `(5, 5)` of `claude-opus-5-5`, `(4, 6)` of `claude-sonnet-4-6-20260101`. `None` of `claude-3-5-haiku`, whose
/// number stands first, and of other makers' names.
fn generation(model: &str) -> Option<(u32, u32)> {
    let mut words = model.rsplit('/').next()?.split('-');
    if words.next()? != "claude"
        || !words
            .next()?
            .starts_with(|letter: char| letter.is_ascii_alphabetic())
    {
        return None;
    }
    let small = |word: &str| word.parse().ok().filter(|number| *number < 100);
    let major = small(words.next()?)?;
    Some((major, words.next().and_then(small).unwrap_or(0)))
}

/// The request's JSON.
pub(super) fn body(
    request: &ModelRequest,
    model: &str,
    sampling: Sampling,
    thoughts: Thoughts,
) -> Result<Vec<u8>, serde_json::Error> {
    let limit = Some(request.max_output_tokens).filter(|tokens| *tokens > 0);
    let instructions = request
        .messages
        .iter()
        .take_while(|message| message.speaker == Speaker::System);
    let mut system: Vec<Value> = instructions.flat_map(blocks).collect();
    let spoken = request
        .messages
        .iter()
        .skip_while(|message| message.speaker == Speaker::System);
    let mut turns = turns(spoken);
    mark(system.last_mut());
    mark(last_lasting(&mut turns));
    serde_json::to_vec(&Body {
        model,
        max_tokens: match thoughts {
            Thoughts::SummedUp => limit
                .unwrap_or(OUTPUT_TOKENS_DEFAULT)
                .saturating_add(THOUGHT_TOKENS),
            Thoughts::LeftOut => limit.unwrap_or(OUTPUT_TOKENS_DEFAULT),
        },
        stream: true,
        temperature: sampling.temperature,
        top_p: sampling.top_p,
        thinking: match thoughts {
            Thoughts::SummedUp => Some(json!({"type": "adaptive", "display": "summarized"})),
            Thoughts::LeftOut => None,
        },
        tools: request.tools.iter().map(tool).collect(),
        system,
        messages: turns,
    })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Value>,
    messages: Vec<Turn>,
}

/// One side's messages until the other side speaks.
#[derive(Serialize)]
struct Turn {
    role: &'static str,
    content: Vec<Value>,
}

/// Joins messages of the same side. Within a turn, tool results come first, as the format demands.
fn turns<'a>(messages: impl Iterator<Item = &'a Message>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        let (role, content) = match message.speaker {
            Speaker::Assistant => ("assistant", said(message)),
            Speaker::Tool => ("user", vec![result(message)]),
            Speaker::User | Speaker::System => ("user", blocks(message)),
        };
        if content.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some(turn) if turn.role == role => turn.content.extend(content),
            _ => turns.push(Turn { role, content }),
        }
    }
    for turn in &mut turns {
        turn.content.sort_by_key(|block| block["type"] != "tool_result");
    }
    turns
}

fn said(message: &Message) -> Vec<Value> {
    let calls = message.tool_calls.iter().map(call);
    blocks(message).into_iter().chain(calls).collect()
}

/// Texts and images; blank texts are left out.
fn blocks(message: &Message) -> Vec<Value> {
    let block = |part: &Part| match part {
        Part::Text(text) if text.trim().is_empty() => None,
        Part::Text(text) => Some(json!({"type": "text", "text": text})),
        Part::Image { media_type, data } => {
            let source = json!({"type": "base64", "media_type": media_type, "data": data});
            Some(json!({"type": "image", "source": source}))
        }
    };
    message.parts.iter().filter_map(block).collect()
}

fn result(message: &Message) -> Value {
    json!({
        "type": "tool_result",
        "tool_use_id": message.tool_call_id.as_deref().unwrap_or_default(),
        "content": blocks(message),
    })
}

/// A call that the model made earlier. The format demands an object as input: malformed arguments travel inside one.
fn call(call: &ToolCall) -> Value {
    let input = match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(object)) => Value::Object(object),
        Ok(_) | Err(_) if call.arguments.trim().is_empty() => json!({}),
        Ok(_) | Err(_) => json!({ "malformed": call.arguments }),
    };
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
}

fn tool(tool: &ToolDeclaration) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema})
}

/// The last block before the words at the very end.
fn last_lasting(turns: &mut [Turn]) -> Option<&mut Value> {
    let mut blocks = turns.iter_mut().flat_map(|turn| &mut turn.content).rev();
    let last = blocks.next()?;
    if last["type"] == "text" {
        blocks.next()
    } else {
        Some(last)
    }
}

fn mark(block: Option<&mut Value>) {
    if let Some(block) = block {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Brief, ModelRole, RunId};

    fn request(messages: Vec<Message>) -> ModelRequest {
        ModelRequest {
            run: RunId::from("r"),
            role: ModelRole::Coder,
            messages,
            tools: vec![ToolDeclaration {
                name: "python".into(),
                description: "Runs.".into(),
                schema: json!({"type": "object"}),
            }],
            max_output_tokens: 100,
            completion: None,
            parts: Vec::new(),
            brief: Brief::default(),
        }
    }

    fn sent(messages: Vec<Message>) -> Value {
        let body = body(
            &request(messages),
            "claude-haiku-4-5",
            Sampling::default(),
            Thoughts::LeftOut,
        )
        .expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn acted(arguments: &str) -> Message {
        let mut message = Message::text(Speaker::Assistant, " ");
        message.tool_calls.push(ToolCall {
            id: "exec_1".into(),
            name: "python".into(),
            arguments: arguments.into(),
        });
        message
    }

    fn output(text: &str) -> Message {
        Message {
            tool_call_id: Some("exec_1".into()),
            ..Message::text(Speaker::Tool, text)
        }
    }

    #[test]
    fn a_whole_conversation_is_written_as_the_format_wants_it() {
        let body = sent(vec![
            Message::text(Speaker::System, "Be brief."),
            Message::text(Speaker::User, "6*7?"),
            acted(r#"{"code":"6*7"}"#),
            output("42"),
            Message::text(Speaker::User, "and?"),
        ]);
        let expected = json!({
            "model": "claude-haiku-4-5", "max_tokens": 100, "stream": true,
            "tools": [{"name": "python", "description": "Runs.", "input_schema": {"type": "object"}}],
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "6*7?"}]},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "exec_1", "name": "python", "input": {"code": "6*7"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "exec_1", "content": [{"type": "text", "text": "42"}], "cache_control": {"type": "ephemeral"}},
                    {"type": "text", "text": "and?"},
                ]},
            ],
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn the_words_at_the_end_are_never_marked_and_a_result_there_is() {
        let marked = |messages| {
            sent(messages)["messages"]
                .to_string()
                .matches("cache_control")
                .count()
        };
        assert_eq!(marked(vec![Message::text(Speaker::User, "q")]), 0);
        let body = sent(vec![Message::text(Speaker::User, "q"), acted("{}"), output("42")]);
        assert!(body["messages"][2]["content"][0]["cache_control"].is_object());
    }

    #[test]
    fn results_come_before_words_and_malformed_arguments_stay_an_object() {
        let body = sent(vec![
            Message::text(Speaker::User, "q"),
            acted("{\"code\": pri"),
            Message::text(Speaker::User, "hurry"),
            output(""),
        ]);
        assert_eq!(
            body["messages"][1]["content"][0]["input"]["malformed"],
            "{\"code\": pri"
        );
        assert_eq!(body["messages"][2]["content"][0]["type"], "tool_result");
        assert_eq!(body["messages"][2]["content"][0]["content"], json!([]));
        assert_eq!(body["messages"][2]["content"][1]["text"], "hurry");
    }

    #[test]
    fn images_go_along_and_an_unlimited_answer_gets_a_limit() {
        let mut look = Message::text(Speaker::User, "what is it?");
        look.parts.push(Part::Image {
            media_type: "image/png".into(),
            data: "AAAA".into(),
        });
        let mut request = request(vec![look]);
        request.max_output_tokens = 0;
        let body = body(
            &request,
            "claude-opus-5-5",
            Sampling::default(),
            Thoughts::of("claude-opus-5-5"),
        )
        .expect("a body");
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(
            body["messages"][0]["content"][1]["source"],
            json!({"type": "base64", "media_type": "image/png", "data": "AAAA"})
        );
        assert_eq!(
            (&body["max_tokens"], &body["thinking"]["type"]),
            (&json!(4_096 + 16_384), &json!("adaptive"))
        );
    }

    #[test]
    fn only_models_that_decide_how_long_they_think_are_asked_for_thoughts() {
        for model in [
            "claude-opus-5-5",
            "claude-sonnet-5",
            "claude-opus-4-6",
            "claude-sonnet-4-6-20260203",
        ] {
            assert_eq!(Thoughts::of(model), Thoughts::SummedUp, "{model}");
        }
        for model in [
            "claude-haiku-4-5",
            "claude-opus-4-20250514",
            "claude-3-5-haiku-20241022",
            "scripted",
        ] {
            assert_eq!(Thoughts::of(model), Thoughts::LeftOut, "{model}");
        }
        let refusal = "400 invalid_request_error: adaptive thinking is not supported on this model";
        assert_eq!(Thoughts::SummedUp.without(refusal), Some(Thoughts::LeftOut));
        assert_eq!(Thoughts::LeftOut.without(refusal), None);
        assert_eq!(Thoughts::SummedUp.without("messages: roles must alternate"), None);
    }
}
