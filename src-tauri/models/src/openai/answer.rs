//! Puts an answer together from its chunks, tolerating what providers do to the format.
//!
//! Known quirks: a usage chunk without choices, usage inside a choice or not at all, arguments cut anywhere or sent
//! as an object, calls without id or index, several calls under one index, content as a list of parts, a whole
//! message where a delta belongs, thoughts inside `<think>`, an error object in the middle. Nothing is invented:
//! usage that was not sent is zero.

use super::think::{Piece, ThinkSplitter};
use crate::Deltas;
use crate::failure::{Complaint, complaint_in};
use serde_json::Value;
use shidi_protocol::{FailureKind, Finish, ModelDelta, ModelReply, ToolCall, Usage};

/// Longest answer, in bytes over text, reasoning and arguments: above every model's output window (384 k tokens).
const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Most native tool calls in one answer.
const CALLS_MAX: usize = 128;

/// Why a chunk ends the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The provider sent an error object.
    Complaint(Complaint),
    Other(FailureKind, String),
}

#[derive(Debug, Default)]
pub(crate) struct Answer {
    text: String,
    reasoning: String,
    calls: Vec<ToolCall>,
    finish: Option<Finish>,
    usage: Usage,
    model: String,
    think: ThinkSplitter,
}

impl Answer {
    /// Takes one chunk of a stream, or a whole answer that was sent at once.
    pub(crate) fn take(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        if let Some(complaint) = complaint_in(chunk)
            .filter(|_| chunk.get("choices").is_none_or(Value::is_null) || has_error(chunk))
        {
            return Err(Fault::Complaint(complaint));
        }
        if let Some(model) = chunk
            .get("model")
            .and_then(Value::as_str)
            .filter(|model| !model.is_empty())
        {
            model.clone_into(&mut self.model);
        }
        self.take_usage(chunk.get("usage"));
        let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else {
            return Ok(());
        };
        self.take_usage(choice.get("usage"));
        let whole = choice.get("message").filter(|_| self.is_empty());
        if let Some(delta) = choice.get("delta").filter(|delta| delta.is_object()).or(whole) {
            self.take_delta(delta, deltas)?;
        }
        self.take_finish(choice.get("finish_reason"))
    }

    /// Whether the provider said that the answer is complete.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The whole answer; `requested` names the model when the provider did not.
    pub(crate) fn into_reply(mut self, requested: &str, deltas: Deltas<'_>) -> ModelReply {
        for piece in self.think.finish() {
            self.say(piece, deltas);
        }
        for (index, call) in self.calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{}", index + 1);
            }
        }
        let finish = match self.finish {
            Some(Finish::Stop) | None if !self.calls.is_empty() => Finish::ToolCalls,
            Some(finish) => finish,
            None => Finish::Stop,
        };
        self.usage.model_calls = 1;
        let model = if self.model.is_empty() {
            requested.to_owned()
        } else {
            self.model
        };
        ModelReply {
            text: self.text,
            reasoning: self.reasoning,
            tool_calls: self.calls,
            finish,
            usage: self.usage,
            model,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }

    fn take_usage(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage.filter(|usage| usage.is_object()) else {
            return;
        };
        let count = |paths: &[&str]| {
            let found = paths
                .iter()
                .find_map(|path| usage.pointer(path).and_then(Value::as_u64));
            found.map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX))
        };
        if let Some(input) = count(&["/prompt_tokens", "/input_tokens"]) {
            self.usage.input = input;
        }
        if let Some(output) = count(&["/completion_tokens", "/output_tokens"]) {
            self.usage.output = output;
        }
        let cached = [
            "/prompt_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cached_tokens",
            "/input_tokens_details/cached_tokens",
        ];
        if let Some(cached) = count(&cached) {
            self.usage.cached = cached.min(self.usage.input);
        }
    }

    fn take_delta(&mut self, delta: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        for name in ["reasoning_content", "reasoning"] {
            if let Some(text) = delta
                .get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
            {
                self.say(Piece::Thought(text.to_owned()), deltas);
                break;
            }
        }
        let text = plain(delta.get("content").unwrap_or(&Value::Null));
        for piece in self.think.push(&text) {
            self.say(piece, deltas);
        }
        for call in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.take_call(call, deltas)?;
        }
        let arguments: usize = self.calls.iter().map(|call| call.arguments.len()).sum();
        if self.text.len() + self.reasoning.len() + arguments > ANSWER_BYTES_MAX {
            return Err(Fault::Other(
                FailureKind::Malformed,
                format!("the answer is longer than {ANSWER_BYTES_MAX} bytes"),
            ));
        }
        Ok(())
    }

    fn say(&mut self, piece: Piece, deltas: Deltas<'_>) {
        match piece {
            Piece::Thought(text) => {
                self.reasoning.push_str(&text);
                deltas(ModelDelta::Reasoning(text));
            }
            Piece::Text(text) => {
                self.text.push_str(&text);
                deltas(ModelDelta::Text(text));
            }
        }
    }

    fn take_call(&mut self, part: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let id = part.get("id").and_then(Value::as_str).unwrap_or_default();
        let name = part
            .pointer("/function/name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let index = self.call_index(part.get("index").and_then(Value::as_u64), id, name);
        if index >= CALLS_MAX {
            return Err(Fault::Other(
                FailureKind::Malformed,
                format!("more than {CALLS_MAX} tool calls in one answer"),
            ));
        }
        while self.calls.len() <= index {
            self.calls.push(ToolCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            });
        }
        let Some(call) = self.calls.get_mut(index) else {
            return Ok(());
        };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        }
        let text = match part.pointer("/function/arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(object) => object.to_string(),
        };
        call.arguments.push_str(&text);
        deltas(ModelDelta::ToolArguments {
            index,
            name: call.name.clone(),
            text,
        });
        Ok(())
    }

    /// Which call a part belongs to: its index, unless that index already holds a call of another id.
    fn call_index(&self, index: Option<u64>, id: &str, name: &str) -> usize {
        let next = self.calls.len();
        let known = (!id.is_empty())
            .then(|| self.calls.iter().position(|call| call.id == id))
            .flatten();
        if let Some(known) = known {
            return known;
        }
        let begins = !name.is_empty();
        let place = match index {
            Some(index) => usize::try_from(index).unwrap_or(CALLS_MAX),
            None if begins || next == 0 => next,
            None => next - 1,
        };
        let taken = self
            .calls
            .get(place)
            .is_some_and(|call| !call.id.is_empty() && !call.name.is_empty());
        if taken && begins && !id.is_empty() {
            next
        } else {
            place
        }
    }

    fn take_finish(&mut self, reason: Option<&Value>) -> Result<(), Fault> {
        let Some(reason) = reason.and_then(Value::as_str).filter(|reason| !reason.is_empty()) else {
            return Ok(());
        };
        let finish = match reason {
            "tool_calls" | "function_call" => Finish::ToolCalls,
            "length" | "max_tokens" => Finish::Length,
            "content_filter" | "sensitive" => Finish::Filtered,
            "error" | "network_error" | "insufficient_system_resource" => {
                return Err(Fault::Other(
                    FailureKind::Overloaded,
                    format!("the provider gave up: {reason}"),
                ));
            }
            "model_context_window_exceeded" => {
                return Err(Fault::Other(FailureKind::ContextLength, reason.to_owned()));
            }
            _ => Finish::Stop,
        };
        self.finish = Some(finish);
        Ok(())
    }
}

/// Whether a chunk that also has choices carries an error object.
fn has_error(chunk: &Value) -> bool {
    chunk
        .get("error")
        .is_some_and(|error| error.is_object() || error.is_string())
}

/// The text of `content`: a string, or a list of parts with text.
fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
