//! The body of a chat request, as OpenAI-compatible servers read it.
//!
//! Built once per request and sent byte for byte alike on a retry, so that providers' prompt caches hit.

use serde::Serialize;
use serde_json::Value;
use shidi_protocol::{Message, ModelRequest, Part, Sampling, Speaker, ToolCall, ToolDeclaration};
use std::borrow::Cow;

/// Tokens for thoughts, where the answer's limit covers them: a model that thinks first still gets its whole
/// answer through.
const THOUGHT_TOKENS: u32 = 16_384;

/// Name parts of models that think before they answer, beside OpenAI's own models.
const THINKERS: [&str; 6] = ["reason", "thinking", "-r1", "qwq", "gpt-oss", "magistral"];

/// The fields that a server is believed to understand; refused fields are left out or renamed on the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub limit: LimitField,
    pub usage: UsageOption,
    pub thoughts: Thoughts,
    pub progress: Progress,
    /// Whether the limit was renamed already: a server that refuses both names would be asked for ever.
    pub is_renamed: bool,
}

/// Whether the answer's limit includes room for a model's thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thoughts {
    HaveRoom,
    LeftOut,
}

/// Whether the server is asked to report how much of the prompt is read, as llama.cpp's can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Asked,
    LeftOut,
}

/// The name under which the answer's limit is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitField {
    MaxTokens,
    /// OpenAI itself, whose newer models refuse the older name.
    MaxCompletionTokens,
}

/// Whether usage is asked for in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UsageOption {
    Asked,
    LeftOut,
}

impl Dialect {
    pub(crate) fn of(provider: &str) -> Self {
        let limit = if provider == "openai" {
            LimitField::MaxCompletionTokens
        } else {
            LimitField::MaxTokens
        };
        Self {
            limit,
            usage: UsageOption::Asked,
            thoughts: Thoughts::HaveRoom,
            progress: Progress::LeftOut,
            is_renamed: false,
        }
    }

    /// The dialect to try after a refusal that names one of our fields; `None` when the refusal names none.
    pub(crate) fn without(self, refusal: &str) -> Option<Self> {
        if refusal.contains("stream_options") && self.usage == UsageOption::Asked {
            return Some(Self {
                usage: UsageOption::LeftOut,
                ..self
            });
        }
        if refusal.contains("return_progress") && self.progress == Progress::Asked {
            return Some(Self {
                progress: Progress::LeftOut,
                ..self
            });
        }
        let is_too_much = ["large", "at most", "exceed", "maximum"]
            .iter()
            .any(|word| refusal.contains(word));
        if self.limit == LimitField::MaxCompletionTokens
            && self.thoughts == Thoughts::HaveRoom
            && refusal.contains("max_completion_tokens")
            && is_too_much
        {
            return Some(Self {
                thoughts: Thoughts::LeftOut,
                ..self
            });
        }
        if self.is_renamed || !refusal.contains("max_completion_tokens") {
            return None;
        }
        let limit = match self.limit {
            LimitField::MaxTokens => LimitField::MaxCompletionTokens,
            LimitField::MaxCompletionTokens => LimitField::MaxTokens,
        };
        Some(Self {
            limit,
            is_renamed: true,
            ..self
        })
    }
}

/// The request's JSON.
pub(crate) fn body(
    request: &ModelRequest,
    model: &str,
    sampling: Sampling,
    dialect: Dialect,
) -> Result<Vec<u8>, serde_json::Error> {
    let limit = Some(request.max_output_tokens).filter(|tokens| *tokens > 0);
    let (max_tokens, max_completion_tokens) = match dialect.limit {
        LimitField::MaxTokens => (limit, None),
        LimitField::MaxCompletionTokens => (None, limit.map(|tokens| with_thoughts(tokens, model, dialect))),
    };
    let stream_options = match dialect.usage {
        UsageOption::Asked => Some(StreamOptions { include_usage: true }),
        UsageOption::LeftOut => None,
    };
    serde_json::to_vec(&Body {
        model,
        messages: request.messages.iter().map(message).collect(),
        tools: request.tools.iter().map(tool).collect(),
        stream: true,
        stream_options,
        return_progress: dialect.progress == Progress::Asked,
        max_tokens,
        max_completion_tokens,
        sampling,
    })
}

fn with_thoughts(tokens: u32, model: &str, dialect: Dialect) -> u32 {
    match dialect.thoughts {
        Thoughts::HaveRoom if thinks(model) => tokens.saturating_add(THOUGHT_TOKENS),
        Thoughts::HaveRoom | Thoughts::LeftOut => tokens,
    }
}

/// Whether a model thinks before it answers, by its name: OpenAI's families `o1` and `gpt-5` and later, chat
/// models apart, and other makers' models whose names say so.
fn thinks(model: &str) -> bool {
    let lowered = model.to_lowercase();
    let name = lowered.rsplit('/').next().unwrap_or_default();
    let number = |text: &str| {
        text.split(|letter: char| !letter.is_ascii_digit())
            .next()?
            .parse::<u32>()
            .ok()
    };
    let is_o = name.strip_prefix('o').and_then(number).is_some();
    let is_late = name
        .strip_prefix("gpt-")
        .and_then(number)
        .is_some_and(|number| number >= 5);
    is_o || is_late && !name.contains("-chat") || THINKERS.iter().any(|part| name.contains(part))
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    return_progress: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(flatten)]
    sampling: Sampling,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: &'static str,
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<WireCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<WirePart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WirePart<'a> {
    Text { text: &'a str },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    arguments: Cow<'a, str>,
}

#[derive(Serialize)]
struct WireTool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: WireDeclaration<'a>,
}

#[derive(Serialize)]
struct WireDeclaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

fn message(message: &Message) -> WireMessage<'_> {
    let role = match message.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
    };
    WireMessage {
        role,
        content: content(message),
        tool_calls: message.tool_calls.iter().map(call).collect(),
        tool_call_id: message.tool_call_id.as_deref(),
    }
}

/// Plain text stays a string, as older servers read nothing else; images need the list form.
fn content(message: &Message) -> Option<Content<'_>> {
    let has_image = message
        .parts
        .iter()
        .any(|part| matches!(part, Part::Image { .. }));
    if has_image {
        return Some(Content::Parts(message.parts.iter().map(part).collect()));
    }
    let text = match message.parts.as_slice() {
        [Part::Text(text)] => Cow::Borrowed(text.as_str()),
        _ => Cow::Owned(message.plain()),
    };
    (!text.is_empty() || message.tool_calls.is_empty()).then_some(Content::Text(text))
}

fn part(part: &Part) -> WirePart<'_> {
    match part {
        Part::Text(text) => WirePart::Text { text },
        Part::Image { media_type, data } => WirePart::ImageUrl {
            image_url: ImageUrl {
                url: format!("data:{media_type};base64,{data}"),
            },
        },
    }
}

/// A call that the model made earlier. Servers parse its arguments, so malformed ones travel as a JSON string.
fn call(call: &ToolCall) -> WireCall<'_> {
    let arguments = match serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments) {
        Ok(_) => Cow::Borrowed(call.arguments.as_str()),
        Err(_) if call.arguments.trim().is_empty() => Cow::Borrowed("{}"),
        Err(_) => Cow::Owned(serde_json::json!({ "malformed": call.arguments }).to_string()),
    };
    WireCall {
        id: &call.id,
        kind: "function",
        function: WireFunction {
            name: &call.name,
            arguments,
        },
    }
}

fn tool(tool: &ToolDeclaration) -> WireTool<'_> {
    let function = WireDeclaration {
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.schema,
    };
    WireTool {
        kind: "function",
        function,
    }
}

#[cfg(test)]
mod tests;
