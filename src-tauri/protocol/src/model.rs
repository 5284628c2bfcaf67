//! Requests to a language model and its answers, whatever its wire format.

use crate::{Attachment, ModelTrouble, Moment, RunId, ShortenedPart, VariablePreview, Worded};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The role of the user's model for a request (F10.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ModelRole {
    Fast,
    Coder,
    General,
    Vision,
    Embedding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    System,
    User,
    Assistant,
    /// The result of a native tool call.
    Tool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Text(String),
    /// An image, base64 in `data`.
    Image {
        media_type: String,
        data: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub speaker: Speaker,
    pub parts: Vec<Part>,
    /// Native tool calls that the assistant made in this message.
    pub tool_calls: Vec<ToolCall>,
    /// For [`Speaker::Tool`]: the id of the call whose result this is.
    pub tool_call_id: Option<String>,
}

impl Message {
    #[must_use]
    pub fn text(speaker: Speaker, text: impl Into<String>) -> Self {
        Self {
            speaker,
            parts: vec![Part::Text(text.into())],
            tool_calls: Vec::new(),
            tool_call_id: None,
        }
    }

    /// All text parts, joined by line breaks.
    #[must_use]
    pub fn plain(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A native tool as declared to the provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDeclaration {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments object.
    pub schema: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// The arguments as the model sent them: JSON text that may be malformed.
    pub arguments: String,
}

/// The question in structured form, for a planner that reads no prose (the offline planner, F10.6).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Brief {
    /// The user's newest question.
    pub question: String,
    /// The code of the language to answer in.
    pub language: String,
    pub attachments: Vec<Attachment>,
    pub variables: Vec<VariablePreview>,
    /// Output of the last program of this run, if one has run.
    pub last_output: Option<String>,
    /// Whether the last program failed.
    pub last_failed: bool,
    /// Whether memory and earlier sessions can't be used, as in an incognito session.
    #[serde(default)]
    pub without_memory: bool,
}

/// A text with a hole for the model to fill (F4.5). Models without a completion endpoint read the messages instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    pub prefix: String,
    pub suffix: String,
}

/// A part of a prompt with its weight, for the trace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PromptPart {
    /// A module of the prompt, a kind of segments, `tools` or `live`. Also a toolkit that stands as one line, or an example
    /// that is left out.
    pub name: String,
    /// Tokens that were sent, as estimated.
    pub tokens: u32,
    /// Tokens that the window had no room for.
    pub left_out: u32,
    /// Whether the user wrote the module.
    pub own: bool,
    /// Why a line stands in its place, or nothing, where that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<ShortenedPart>,
}

impl PromptPart {
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    pub run: RunId,
    pub role: ModelRole,
    pub messages: Vec<Message>,
    pub tools: Vec<ToolDeclaration>,
    /// Most tokens that the answer may have.
    pub max_output_tokens: u32,
    /// The text whose hole is to be filled, if there is one; the messages ask for the same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<Completion>,
    pub brief: Brief,
    /// The prompt's parts for the trace; no model reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PromptPart>,
}

/// A piece of an answer as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelDelta {
    /// From here on this model answers, as its provider names it.
    Asked {
        provider: String,
        model: String,
    },
    /// The answer broke off and is asked for once more: what was passed on so far is void.
    Retracted,
    /// The cause for which the answer waits before its next piece; `None` when the wait is over.
    Awaits(Option<Wait>),
    Text(String),
    Reasoning(String),
    /// More of the arguments of the native tool call at `index`.
    ToolArguments {
        index: usize,
        name: String,
        text: String,
    },
    /// How long the answer's tokens took, as the server measured it.
    Timed {
        tokens: u32,
        ms: u32,
    },
}

impl ModelDelta {
    /// Whether the delta is a piece of the answer, which a new beginning must retract.
    #[must_use]
    pub fn is_said(&self) -> bool {
        match self {
            Self::Text(_) | Self::Reasoning(_) | Self::ToolArguments { .. } => true,
            Self::Asked { .. } | Self::Retracted | Self::Awaits(_) | Self::Timed { .. } => false,
        }
    }
}

/// The cause for which an answer waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "on", rename_all = "snake_case")]
#[ts(export)]
pub enum Wait {
    /// The provider could not answer: it is asked again at `until`.
    Provider {
        reason: FailureKind,
        /// The provider's title, or the address of a server of the user's own.
        provider: String,
        /// The provider's words, shortened.
        detail: String,
        #[ts(type = "string")]
        until: Moment,
    },
    /// The model reads the prompt, as its server reports: tokens read, of all.
    Prompt { read: u32, total: u32 },
    /// The model is loaded from its file, by our server on this computer or by the user's own.
    Loading,
}

/// Tokens of one or several model calls.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Usage {
    pub input: u32,
    /// The part of `input` that the provider had in its cache.
    pub cached: u32,
    pub output: u32,
    /// The cost in US dollars, when the model's price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    pub model_calls: u32,
    /// Whether a part of the usage is our own estimate: providers seldom tell the usage of a broken answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub estimated: bool,
}

impl Usage {
    /// Adds another call's usage; the cost stays known only if both are known.
    pub fn add(&mut self, other: &Usage) {
        self.cost = match (self.model_calls, self.cost, other.cost) {
            (0, _, cost) => cost,
            (_, Some(mine), Some(theirs)) => Some(mine + theirs),
            _ => None,
        };
        self.input += other.input;
        self.cached += other.cached;
        self.output += other.output;
        self.model_calls += other.model_calls;
        self.estimated |= other.estimated;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Stop,
    ToolCalls,
    /// The answer was cut at the output limit.
    Length,
    /// The provider's filter withheld the answer.
    Filtered,
    /// The answer repeated the same words without end and was ended.
    Repeated,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    pub text: String,
    pub reasoning: String,
    pub tool_calls: Vec<ToolCall>,
    pub finish: Finish,
    pub usage: Usage,
    /// Names of the model that answered and of its provider.
    pub model: String,
    #[serde(default)]
    pub provider: String,
    /// The name by which the model was asked; a provider may resolve it to another.
    #[serde(default)]
    pub asked: String,
    /// How freely it was to choose its words, as it was sent; nothing where the server chose.
    #[serde(flatten)]
    pub sampling: Sampling,
}

/// How freely a model chooses its words; what is `None` is left to whoever is asked next.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export, optional_fields)]
pub struct Sampling {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of the likeliest words that are chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The same seed asks for the same choice of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence_penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_penalty: Option<f64>,
}

impl Sampling {
    /// These values, and where there is none, those of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            temperature: self.temperature.or(other.temperature),
            top_p: self.top_p.or(other.top_p),
            seed: self.seed.or(other.seed),
            presence_penalty: self.presence_penalty.or(other.presence_penalty),
            frequency_penalty: self.frequency_penalty.or(other.frequency_penalty),
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The part of an answer that came before it broke off.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PartialReply {
    pub text: String,
    pub reasoning: String,
    pub tool_calls: Vec<ToolCall>,
    /// The usage of this answer and of the broken ones before it.
    pub usage: Usage,
    /// Names as in [`ModelReply`].
    pub model: String,
    pub provider: String,
    pub asked: String,
}

/// Why no answer came, after all retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelFailure {
    pub kind: FailureKind,
    /// The provider's words, shortened: `401 invalid_api_key`; or a sentence of our own.
    pub detail: Worded,
    /// The provider's name as written in commands.
    pub provider: String,
    /// The provider's name as its makers write it, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_title: Option<String>,
    /// The shown words of a broken answer that are not void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Box<PartialReply>>,
}

impl ModelFailure {
    /// The failure's parts, for a surface that words it itself.
    #[must_use]
    pub fn trouble(&self) -> ModelTrouble {
        ModelTrouble {
            kind: self.kind,
            provider: self.provider.clone(),
            title: self
                .provider_title
                .clone()
                .unwrap_or_else(|| self.provider.clone()),
            detail: self.detail.clone(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FailureKind {
    /// No server listens at the address, or no address was configured.
    Unreachable,
    /// The key was rejected.
    Key,
    /// No key is kept for the provider.
    NoKey,
    /// Keys can't be read before the passphrase of their file is given.
    KeysLocked,
    /// The user's own limit of tokens or money for the day is reached.
    Budget,
    /// The account has no credit or no right to this model.
    Quota,
    RateLimited,
    Overloaded,
    /// The server failed by itself.
    ServerError,
    /// No byte came within the idle timeout.
    Timeout,
    /// The stream ended before the answer did.
    Cut,
    /// The request is longer than the model's window.
    ContextLength,
    /// The provider has no such model.
    NoSuchModel,
    /// The answer did not follow the protocol.
    Malformed,
    /// The provider refused the request for another reason.
    Refused,
    /// A model file on this computer can't be used. The program, the memory or the file is not there for it.
    Unserved,
    Cancelled,
}
