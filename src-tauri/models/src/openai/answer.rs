//! Puts an answer together from its chunks, and tolerates the providers' deviations from the format.
//!
//! Known quirks of usage: a chunk without choices, usage inside a choice, or no usage at all. Known quirks of
//! calls: arguments cut anywhere or sent as an object, no id, no index, several calls under one. Known quirks
//! of content: a list of parts, a whole message in place of a delta, thoughts inside `<think>`. An error
//! object may come in the middle. Nothing is invented: missing usage is zero.

use super::think::{Piece, ThinkSplitter};
use crate::Deltas;
use crate::chat::{CALLS_MAX, Fault, Reading, ReplyParts, StreamEvent, tokens};
use crate::failure::complaint_in;
use crate::failure::own_detail;
use serde_json::Value;
use shidi_protocol::{FailureKind, Finish, ModelDelta, Wait, Worded};
use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct ResponseReader {
    parts: ReplyParts,
    think: ThinkSplitter,
}

impl Reading for ResponseReader {
    fn take(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<StreamEvent, Fault> {
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
            model.clone_into(&mut self.parts.model);
        }
        self.take_usage(chunk.get("usage"));
        if let Some(timed) = chunk.get("timings").and_then(timed) {
            deltas(timed);
        }
        if let Some(wait) = chunk.get("prompt_progress").and_then(prompt_progress) {
            deltas(ModelDelta::Awaits(Some(wait)));
            return Ok(StreamEvent::Prompt);
        }
        let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else {
            return Ok(StreamEvent::Something);
        };
        self.take_usage(choice.get("usage"));
        let whole = choice.get("message").filter(|_| self.parts.is_empty());
        if let Some(delta) = choice.get("delta").filter(|delta| delta.is_object()).or(whole) {
            self.take_delta(delta, deltas)?;
        }
        // A completion has its text beside the reason, and no delta.
        if let Some(text) = choice.get("text").and_then(Value::as_str) {
            self.parts.say(text.to_owned(), deltas)?;
        }
        self.take_finish(choice.get("finish_reason"))?;
        Ok(StreamEvent::Something)
    }

    fn is_finished(&self) -> bool {
        self.parts.finish.is_some()
    }

    fn is_answer(&self, whole: &Value) -> bool {
        whole
            .get("choices")
            .and_then(Value::as_array)
            .is_some_and(|choices| !choices.is_empty())
    }

    fn finish(mut self: Box<Self>, deltas: Deltas<'_>) -> ReplyParts {
        for piece in self.think.finish() {
            if self.say(piece, deltas).is_err() {
                break; // what is held back is a few characters; beyond the bound they are dropped
            }
        }
        self.parts
    }
}

impl ResponseReader {
    fn take_usage(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage.filter(|usage| usage.is_object()) else {
            return;
        };
        let count = |paths: &[&str]| paths.iter().find_map(|path| tokens(usage.pointer(path)));
        let own = &mut self.parts.usage;
        if let Some(input) = count(&["/prompt_tokens", "/input_tokens"]) {
            own.input = input;
        }
        if let Some(output) = count(&["/completion_tokens", "/output_tokens"]) {
            own.output = output;
        }
        let cached = [
            "/prompt_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cached_tokens",
            "/input_tokens_details/cached_tokens",
        ];
        if let Some(cached) = count(&cached) {
            own.cached = cached.min(own.input);
        }
    }

    fn take_delta(&mut self, delta: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        for name in ["reasoning_content", "reasoning"] {
            if let Some(text) = delta
                .get(name)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
            {
                self.say(Piece::Thought(text.to_owned()), deltas)?;
                break;
            }
        }
        let text = plain(delta.get("content").unwrap_or(&Value::Null));
        for piece in self.think.push(&text) {
            self.say(piece, deltas)?;
        }
        for call in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.take_call(call, deltas)?;
        }
        Ok(())
    }

    fn say(&mut self, piece: Piece, deltas: Deltas<'_>) -> Result<(), Fault> {
        match piece {
            Piece::Thought(text) => self.parts.think(text, deltas),
            Piece::Text(text) => self.parts.say(text, deltas),
        }
    }

    fn take_call(&mut self, part: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let id = part.get("id").and_then(Value::as_str).unwrap_or_default();
        let name = part
            .pointer("/function/name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let index = self.call_index(part.get("index").and_then(Value::as_u64), id, name);
        let call = self.parts.call(index)?;
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
        self.parts.add_arguments(index, text, deltas)
    }

    /// The index of the call that a part belongs to. The index is the part's own, unless a call of another id
    /// has that index already.
    fn call_index(&self, index: Option<u64>, id: &str, name: &str) -> usize {
        let calls = &self.parts.calls;
        let next = calls.len();
        let known = (!id.is_empty())
            .then(|| calls.iter().position(|call| call.id == id))
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
        let taken = calls
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
                    own_detail(|say| say.provider_gave_up(reason)),
                ));
            }
            "model_context_window_exceeded" => {
                return Err(Fault::Other(FailureKind::ContextLength, Worded::theirs(reason)));
            }
            _ => Finish::Stop,
        };
        self.parts.finish = Some(finish);
        Ok(())
    }
}

/// The share of the prompt that a llama.cpp server has read, its cache included.
fn prompt_progress(progress: &Value) -> Option<Wait> {
    let count = |name: &str| tokens(progress.get(name));
    let total = count("total").filter(|total| *total > 0)?;
    let read = count("processed")?.min(total);
    Some(Wait::Prompt { read, total })
}

/// How long the answer's tokens took, as a llama.cpp server tells with the end of the answer.
fn timed(timings: &Value) -> Option<ModelDelta> {
    let tokens = tokens(timings.get("predicted_n")).filter(|tokens| *tokens > 0)?;
    let took = Duration::try_from_secs_f64(timings.get("predicted_ms")?.as_f64()? / 1_000.0).ok()?;
    let ms = u32::try_from(took.as_millis()).ok()?;
    Some(ModelDelta::Timed { tokens, ms })
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
