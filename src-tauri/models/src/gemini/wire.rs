//! The body of a request in Gemini's format.

use serde::Serialize;
use serde_json::{Map, Value, json};
use shidi_protocol::{Message, ModelRequest, Part, Sampling, Speaker, ToolCall, ToolDeclaration};
use std::collections::HashMap;

/// Tokens for thoughts, which count as output here: a model that thinks first still gets its whole answer through.
const THOUGHT_TOKENS: u32 = 16_384;
/// Google's own word in place of a thought's signature that we did not keep.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";
/// The words of a JSON Schema that the format reads; other words are refused.
const SCHEMA_WORDS: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "items",
    "enum",
    "nullable",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
];
/// Deepest schema that is read, in levels; our own has two.
const SCHEMA_DEPTH_MAX: usize = 16;

/// The fields that a model is believed to understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub thoughts: Thoughts,
    pub signatures: Signatures,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Thoughts {
    Asked,
    LeftOut,
}

/// Whether an earlier call must be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signatures {
    Wanted,
    Unknown,
}

impl Dialect {
    /// Models of the first two generations know no signatures, and know thoughts since 2.5 only. A name without
    /// a number means the newest model.
    pub(super) fn of(model: &str) -> Self {
        let name = model.strip_prefix("models/").unwrap_or(model);
        let old = |numbers: &[&str]| numbers.iter().any(|number| name.contains(number));
        Self {
            thoughts: if old(&["-1.0", "-1.5", "-2.0"]) || !name.starts_with("gemini") {
                Thoughts::LeftOut
            } else {
                Thoughts::Asked
            },
            signatures: if old(&["-1.0", "-1.5", "-2.0", "-2.5"]) || !name.starts_with("gemini") {
                Signatures::Unknown
            } else {
                Signatures::Wanted
            },
        }
    }

    /// The dialect to try after a refusal that names one of our fields; `None` when the refusal names none.
    pub(super) fn without(self, refusal: &str) -> Option<Self> {
        let said = refusal.to_lowercase();
        if said.contains("signature") && self.signatures == Signatures::Unknown {
            return Some(Self {
                signatures: Signatures::Wanted,
                ..self
            });
        }
        let thinking = said.contains("thinking") || said.contains("include_thoughts");
        (thinking && self.thoughts == Thoughts::Asked).then_some(Self {
            thoughts: Thoughts::LeftOut,
            ..self
        })
    }
}

/// The request's JSON.
pub(super) fn body(
    request: &ModelRequest,
    sampling: Sampling,
    dialect: Dialect,
) -> Result<Vec<u8>, serde_json::Error> {
    let instructions = request
        .messages
        .iter()
        .take_while(|message| message.speaker == Speaker::System);
    let instructions: Vec<Value> = instructions.flat_map(parts).collect();
    let declarations: Vec<Value> = request.tools.iter().map(tool).collect();
    let mut settings = Map::new();
    if request.max_output_tokens > 0 {
        let limit = match dialect.thoughts {
            Thoughts::Asked => request.max_output_tokens.saturating_add(THOUGHT_TOKENS),
            Thoughts::LeftOut => request.max_output_tokens,
        };
        settings.insert("maxOutputTokens".to_owned(), json!(limit));
    }
    let Sampling {
        temperature,
        top_p,
        seed,
        presence_penalty,
        frequency_penalty,
    } = sampling;
    let numbers = [
        ("temperature", temperature.map(|number| json!(number))),
        ("topP", top_p.map(|number| json!(number))),
        ("seed", seed.map(|number| json!(number))),
        ("presencePenalty", presence_penalty.map(|number| json!(number))),
        ("frequencyPenalty", frequency_penalty.map(|number| json!(number))),
    ];
    let given = numbers
        .into_iter()
        .filter_map(|(name, number)| Some((name.to_owned(), number?)));
    settings.extend(given);
    if dialect.thoughts == Thoughts::Asked {
        settings.insert("thinkingConfig".to_owned(), json!({"includeThoughts": true}));
    }
    serde_json::to_vec(&Body {
        system_instruction: (!instructions.is_empty()).then(|| json!({ "parts": instructions })),
        tools: if declarations.is_empty() {
            Vec::new()
        } else {
            vec![json!({ "functionDeclarations": declarations })]
        },
        contents: turns(&request.messages, dialect),
        generation_config: settings,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    contents: Vec<Turn>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    generation_config: Map<String, Value>,
}

/// One side's messages until the other side speaks.
#[derive(Serialize)]
struct Turn {
    role: &'static str,
    parts: Vec<Value>,
}

fn turns(messages: &[Message], dialect: Dialect) -> Vec<Turn> {
    // A result names its tool here; other formats name the call.
    let names: HashMap<&str, &str> = messages
        .iter()
        .flat_map(|message| &message.tool_calls)
        .map(|call| (call.id.as_str(), call.name.as_str()))
        .collect();
    let spoken = messages
        .iter()
        .skip_while(|message| message.speaker == Speaker::System);
    let mut turns: Vec<Turn> = Vec::new();
    for message in spoken {
        let (role, said) = match message.speaker {
            Speaker::Assistant => {
                let calls = message.tool_calls.iter().map(|part| call(part, dialect));
                ("model", parts(message).into_iter().chain(calls).collect())
            }
            Speaker::Tool => ("user", vec![result(message, &names)]),
            Speaker::User | Speaker::System => ("user", parts(message)),
        };
        if said.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some(turn) if turn.role == role => turn.parts.extend(said),
            _ => turns.push(Turn { role, parts: said }),
        }
    }
    turns
}

fn parts(message: &Message) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text(text) if text.is_empty() => None,
        Part::Text(text) => Some(json!({ "text": text })),
        Part::Image { media_type, data } => {
            Some(json!({"inlineData": {"mimeType": media_type, "data": data}}))
        }
    };
    message.parts.iter().filter_map(part).collect()
}

/// A call that the model made earlier. The format demands an object as arguments: malformed ones travel inside one.
fn call(call: &ToolCall, dialect: Dialect) -> Value {
    let arguments = match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(object)) => Value::Object(object),
        Ok(_) | Err(_) if call.arguments.trim().is_empty() => json!({}),
        Ok(_) | Err(_) => json!({ "malformed": call.arguments }),
    };
    let mut part = json!({"functionCall": {"name": call.name, "args": arguments}});
    if dialect.signatures == Signatures::Wanted {
        part["thoughtSignature"] = json!(NO_SIGNATURE);
    }
    part
}

fn result(message: &Message, names: &HashMap<&str, &str>) -> Value {
    let id = message.tool_call_id.as_deref().unwrap_or_default();
    let name = names.get(id).copied().unwrap_or("python");
    json!({"functionResponse": {"name": name, "response": {"output": message.plain()}}})
}

fn tool(tool: &ToolDeclaration) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": readable(&tool.schema, SCHEMA_DEPTH_MAX),
    })
}

/// The schema without words that the format refuses, such as `additionalProperties`.
fn readable(schema: &Value, depth: usize) -> Value {
    let Value::Object(schema) = schema else {
        return schema.clone();
    };
    if depth == 0 {
        return json!({});
    }
    let known = schema
        .iter()
        .filter(|(name, _)| SCHEMA_WORDS.contains(&name.as_str()));
    let kept = known.map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(name, schema)| (name.clone(), readable(schema, depth - 1)))
                .collect::<Map<_, _>>()
                .into(),
            ("items", schema) => readable(schema, depth - 1),
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(kept.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Brief, ModelRole, RunId};

    fn sent(messages: Vec<Message>, model: &str) -> Value {
        let request = ModelRequest {
            run: RunId::from("r"),
            role: ModelRole::Coder,
            messages,
            tools: vec![ToolDeclaration {
                name: "python".into(),
                description: "Runs.".into(),
                schema: json!({
                    "type": "object", "additionalProperties": false, "$schema": "x", "required": ["code"],
                    "properties": {"code": {"type": "string", "default": ""}},
                }),
            }],
            max_output_tokens: 100,
            completion: None,
            parts: Vec::new(),
            brief: Brief::default(),
        };
        let body = body(&request, Sampling::default(), Dialect::of(model)).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn conversation() -> Vec<Message> {
        let mut look = Message::text(Speaker::User, "6*7?");
        look.parts.push(Part::Image {
            media_type: "image/png".into(),
            data: "AAAA".into(),
        });
        let mut acted = Message::text(Speaker::Assistant, "");
        acted.tool_calls.push(ToolCall {
            id: "exec_1".into(),
            name: "python".into(),
            arguments: r#"{"code":"6*7"}"#.into(),
        });
        let output = Message {
            tool_call_id: Some("exec_1".into()),
            ..Message::text(Speaker::Tool, "42")
        };
        vec![
            Message::text(Speaker::System, "Be brief."),
            look,
            acted,
            output,
            Message::text(Speaker::User, "and?"),
        ]
    }

    #[test]
    fn a_whole_conversation_is_written_as_the_format_wants_it() {
        let expected = json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "tools": [{"functionDeclarations": [{"name": "python", "description": "Runs.", "parameters": {
                "type": "object", "required": ["code"], "properties": {"code": {"type": "string"}},
            }}]}],
            "contents": [
                {"role": "user", "parts": [{"text": "6*7?"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]},
                {"role": "model", "parts": [{"functionCall": {"name": "python", "args": {"code": "6*7"}}}]},
                {"role": "user", "parts": [
                    {"functionResponse": {"name": "python", "response": {"output": "42"}}},
                    {"text": "and?"},
                ]},
            ],
            "generationConfig": {"maxOutputTokens": 100},
        });
        assert_eq!(sent(conversation(), "gemini-2.0-flash"), expected);
    }

    #[test]
    fn newer_models_get_a_word_in_place_of_a_signature_and_are_asked_for_thoughts() {
        for model in [
            "gemini-3.1-pro-preview",
            "gemini-4-argon",
            "models/gemini-flash-latest",
        ] {
            let body = sent(conversation(), model);
            assert_eq!(
                body["contents"][1]["parts"][0]["thoughtSignature"], NO_SIGNATURE,
                "{model}"
            );
            assert_eq!(
                body["generationConfig"]["thinkingConfig"]["includeThoughts"],
                true
            );
        }
    }

    #[test]
    fn a_refusal_that_names_our_field_changes_the_dialect() {
        let new = Dialect::of("gemini-flash-latest");
        let plain = new
            .without("400: Thinking is not enabled for this model")
            .expect("another dialect");
        assert_eq!(plain.thoughts, Thoughts::LeftOut);
        assert_eq!(plain.without("400: Thinking is not enabled"), None);
        let old = Dialect::of("tuned-model");
        let signed = old
            .without("400: Function call is missing a thought_signature")
            .expect("another dialect");
        assert_eq!(signed.signatures, Signatures::Wanted);
        assert_eq!(new.without("400: bad role"), None);
    }
}
