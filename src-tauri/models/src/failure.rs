//! Why no answer came: turns statuses and error bodies of many providers into one [`ModelFailure`].
//!
//! Providers agree on nothing here, so the code is read first, then the message, and the status last. The
//! provider's words are kept short and never hold the key.

use serde_json::Value;
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelFailure, Worded};
use std::time::Duration;

/// Longest detail, in characters: enough for a provider's sentence, short enough for one line of a panel.
const DETAIL_CHARS: usize = 300;

/// A provider's words about a failure, as far as its body could be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Complaint {
    /// `invalid_api_key`, `1211`, …; empty when there is none.
    pub code: String,
    pub message: String,
}

/// Builds a failure with another party's words: in no language, so that nothing of ours stands among them.
pub(crate) fn failure(kind: FailureKind, provider: &str, detail: &str) -> ModelFailure {
    worded_failure(kind, provider, Worded::theirs(detail))
}

/// Builds a failure with a sentence of our own.
pub(crate) fn own_failure<T: Into<String>>(
    kind: FailureKind,
    provider: &str,
    say: impl Fn(Sentences) -> T,
) -> ModelFailure {
    worded_failure(kind, provider, own_detail(say))
}

/// Words a sentence of our own.
pub(crate) fn own_detail<T: Into<String>>(say: impl Fn(Sentences) -> T) -> Worded {
    Worded::of(|language| say(language.models()))
}

/// Builds a failure; whoever worded its detail, it is one short line.
pub(crate) fn worded_failure(kind: FailureKind, provider: &str, detail: Worded) -> ModelFailure {
    ModelFailure {
        kind,
        detail: detail.map(shorten),
        provider: provider.to_owned(),
        provider_title: crate::preset(provider).map(|preset| preset.title.to_owned()),
        partial: None,
    }
}

/// What was used of the limit of the day that is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LimitReached {
    Tokens { used: u64, limit: u64 },
    Dollars { used: f64, limit: f64 },
}

impl LimitReached {
    /// The failure of a question that was not asked.
    #[must_use]
    pub fn failure(self, provider: &str) -> ModelFailure {
        own_failure(FailureKind::Budget, provider, |say| match self {
            Self::Tokens { used, limit } => say.tokens_of_limit(limit, used),
            Self::Dollars { used, limit } => {
                say.dollars_of_limit(format_args!("{limit:.2}"), format_args!("{used:.2}"))
            }
        })
    }
}

/// The failure that an error status stands for.
pub(crate) fn from_status(provider: &str, status: u16, body: &str) -> ModelFailure {
    let complaint = complaint(body).unwrap_or_else(|| Complaint {
        code: String::new(),
        message: page_title(body),
    });
    let kind = match kind_of(status, &complaint) {
        // Google words a limit per minute like a used-up quota, but then names a pause.
        FailureKind::Quota if status == 429 && asked_pause(body).is_some() => FailureKind::RateLimited,
        kind => kind,
    };
    failure(kind, provider, &sentence(&status.to_string(), &complaint))
}

/// The failure that an error object within a stream stands for.
pub(crate) fn from_complaint(provider: &str, complaint: &Complaint) -> ModelFailure {
    let status = complaint
        .code
        .parse()
        .ok()
        .filter(|status| (400..=599).contains(status))
        .unwrap_or(0);
    failure(
        kind_of(status, complaint),
        provider,
        &sentence("stream:", complaint),
    )
}

/// The pause that an error body asks for: Google puts the pause there, not in a header.
pub(crate) fn asked_pause(body: &str) -> Option<Duration> {
    let body: Value = serde_json::from_str(body).ok()?;
    let body = body.as_array().and_then(|list| list.first()).unwrap_or(&body);
    let details = body.pointer("/error/details")?.as_array()?;
    let seconds = details
        .iter()
        .find_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s'))?;
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

/// Reads the error object of a JSON text, whatever its shape; `None` when there is none.
pub(crate) fn complaint(body: &str) -> Option<Complaint> {
    complaint_in(&serde_json::from_str(body).ok()?)
}

/// Reads the error object of a JSON value: `{error: {…}}`, `{error: "…"}`, `[{error: …}]`, `{code, message}`,
/// `{detail}`.
pub(crate) fn complaint_in(value: &Value) -> Option<Complaint> {
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let error = match value.get("error") {
        Some(Value::String(message)) => {
            return Some(Complaint {
                code: String::new(),
                message: message.clone(),
            });
        }
        Some(error @ Value::Object(_)) => error,
        _ if value.get("choices").is_some() => return None,
        _ => value,
    };
    let words = |name: &str| match error.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(other @ (Value::Array(_) | Value::Object(_))) => other.to_string(),
        _ => String::new(),
    };
    let code = [words("code"), words("type"), words("status")]
        .into_iter()
        .find(|text| !text.is_empty());
    let message = [words("message"), words("msg"), words("detail")]
        .into_iter()
        .find(|text| !text.is_empty());
    if code.is_none() && message.is_none() {
        return None;
    }
    Some(Complaint {
        code: code.unwrap_or_default(),
        message: message.unwrap_or_default(),
    })
}

/// One line of at most [`DETAIL_CHARS`] characters.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= DETAIL_CHARS {
        return line;
    }
    let head: String = line.chars().take(DETAIL_CHARS - 1).collect();
    format!("{head}…")
}

fn sentence(lead: &str, complaint: &Complaint) -> String {
    let mut parts = vec![lead.to_owned()];
    if !complaint.code.is_empty() && complaint.code != lead {
        parts.push(complaint.code.clone());
    }
    let mut text = parts.join(" ");
    if !complaint.message.is_empty() {
        text.push_str(if text.ends_with(':') { " " } else { ": " });
        text.push_str(&complaint.message);
    }
    text
}

/// The title of an HTML page, or the start of any other text.
fn page_title(body: &str) -> String {
    let lower = body.to_ascii_lowercase();
    if !lower.trim_start().starts_with('<') {
        return shorten(body);
    }
    let title = lower.find("<title>").and_then(|start| {
        let rest = body.get(start + "<title>".len()..)?;
        rest.get(..rest.to_ascii_lowercase().find("</title>")?)
    });
    match title {
        Some(title) => format!("HTML, {}", shorten(title)),
        None => "HTML".to_owned(),
    }
}

/// Words in a code or message that tell the kind of failure, whatever the status; the first matching row counts.
const TELLING: &[(FailureKind, &[&str])] = &[
    (
        FailureKind::ContextLength,
        &[
            "context_length_exceeded",
            "context length",
            "context window",
            "context size",
            "context_size",
            "maximum context",
            "prompt is too long",
            "too many tokens",
            "input length should be",
            "exceed_context",
            "token limit",
            "input token count",
            "request_too_large",
        ],
    ),
    (
        FailureKind::Quota,
        &[
            "insufficient_quota",
            "exceeded_current_quota",
            "insufficient balance",
            "insufficient_balance",
            "insufficient credits",
            "arrearage",
            "account balance",
            "credit balance",
            "billing",
            "余额不足",
            "欠费",
        ],
    ),
    (
        FailureKind::Key,
        &[
            "invalid_api_key",
            "invalid api key",
            "incorrect api key",
            "invalid_authentication",
            "authentication_error",
            "api key not valid",
            "api_key_invalid",
            "invalid x-api-key",
        ],
    ),
    (
        FailureKind::NoSuchModel,
        &[
            "model_not_found",
            "model not found",
            "model not exist",
            "model does not exist",
            "not a valid model",
            "invalid model",
            "unknown model",
            "no such model",
            "模型不存在",
        ],
    ),
    (
        FailureKind::RateLimited,
        &["rate_limit", "rate limit", "too many requests", "requests_limit"],
    ),
    (
        FailureKind::Overloaded,
        &[
            "overloaded",
            "server is busy",
            "engine is currently",
            "temporarily unavailable",
        ],
    ),
];

/// Codes of Zhipu and SiliconFlow that are bare numbers.
const NUMBERED: &[(&str, FailureKind)] = &[
    ("1113", FailureKind::Quota),
    ("1211", FailureKind::NoSuchModel),
    ("1261", FailureKind::ContextLength),
    ("1302", FailureKind::RateLimited),
    ("1305", FailureKind::Overloaded),
    ("20012", FailureKind::NoSuchModel),
    ("30001", FailureKind::Quota),
];

fn kind_of(status: u16, complaint: &Complaint) -> FailureKind {
    if let Some((_, kind)) = NUMBERED.iter().find(|(code, _)| *code == complaint.code) {
        return *kind;
    }
    let said = format!("{} {}", complaint.code, complaint.message).to_lowercase();
    for (kind, words) in TELLING {
        if words.iter().any(|word| said.contains(word)) {
            return *kind;
        }
    }
    let is_absent = ["not found", "not_found", "not exist"]
        .iter()
        .any(|word| said.contains(word));
    let names_model = said.contains("model") && is_absent;
    match status {
        404 if names_model => FailureKind::NoSuchModel,
        300..=399 | 404 | 405 => FailureKind::Malformed,
        401 => FailureKind::Key,
        402 | 403 => FailureKind::Quota,
        408 => FailureKind::Timeout,
        413 => FailureKind::ContextLength,
        429 => FailureKind::RateLimited,
        503 | 529 => FailureKind::Overloaded,
        500..=599 => FailureKind::ServerError,
        _ => FailureKind::Refused,
    }
}

#[cfg(test)]
mod tests;
