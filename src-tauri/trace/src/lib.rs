//! Traces (F12.1): what a run did, step by step, kept beside the record and never in its way.
//!
//! [`Tree`] watches a run's effects and makes steps of them (pure). [`Traces`] takes the steps on a thread of its own,
//! where secrets are taken out and the rest is written. `reading` answers the readers of traces. A trace that can't be
//! kept is a pity, never a failure of the run.

mod bounded;
mod dashboard;
mod export;
mod keeper;
mod limits;
mod names;
mod otlp;
mod prompt_parts;
mod reading;
mod redaction;
mod statistics;
mod tree;

pub use dashboard::dashboard;
pub use export::Target;
pub use keeper::Traces;
pub use prompt_parts::{counts_for, measure};
pub use reading::TraceReader;
pub use statistics::statistics;
pub use tree::{ChatFacts, SingleChat, Tree};

use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::{JsonMap, ModelRequest, RunId, Span};
use std::sync::Arc;

/// A step on its way to the store: nothing in it is redacted yet.
#[derive(Debug, Clone)]
pub struct Draft {
    pub run: RunId,
    pub span: Span,
    /// Attributes that are read one step at a time.
    pub content: JsonMap,
    /// The question to a model, whose prompt is kept with the step.
    pub request: Option<Arc<ModelRequest>>,
}

/// Puts texts in the places of their hashes. They stand in the parts of a prompt, and in the tools that were declared.
fn put_texts(content: &mut JsonMap, mut text: impl FnMut(&str) -> Option<String>) {
    if let Some(Value::Array(messages)) = content.get_mut(names::INPUT_MESSAGES) {
        for message in messages {
            let Some(Value::Array(parts)) = message.get_mut("parts") else {
                continue;
            };
            for part in parts {
                let Some(place) = part.get_mut("content") else {
                    continue;
                };
                if let Some(whole) = place.as_str().and_then(&mut text) {
                    *place = Value::String(whole);
                }
            }
        }
    }
    if let Some(tools) = content.get_mut(names::TOOL_DEFINITIONS)
        && let Some(whole) = tools.as_str().and_then(&mut text)
    {
        *tools = serde_json::from_str(&whole).unwrap_or(Value::String(whole));
    }
}

/// So many bytes of a text's hash, in hexadecimal.
fn hash(text: &str, bytes: usize) -> String {
    let mut digits = hex::encode(Sha256::digest(text.as_bytes()));
    digits.truncate(2 * bytes);
    digits
}
