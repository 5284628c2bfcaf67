//! Reads an answer in Anthropic's format: blocks that open, grow and close, then a reason to stop.
//!
//! Input tokens come in three parts (fresh, read from the cache, written to it). We count their sum, as other
//! providers do. Blocks of kinds that we did not ask for are skipped.

use crate::Deltas;
use crate::chat::{Fault, Reading, ReplyParts, StreamEvent, tokens};
use crate::failure::complaint_in;
use serde_json::Value;
use shidi_protocol::{FailureKind, Finish, Worded};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct ResponseReader {
    parts: ReplyParts,
    /// The index of the call that each tool-use block holds.
    calls: BTreeMap<u64, usize>,
    input: Input,
}

/// Input tokens as the provider splits them.
#[derive(Debug, Default)]
struct Input {
    fresh: u32,
    read: u32,
    written: u32,
}

impl Reading for ResponseReader {
    fn take(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<StreamEvent, Fault> {
        let kind = chunk.get("type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            "message_start" => self.begin(chunk.get("message").unwrap_or(&Value::Null)),
            "content_block_start" => self.open_block(chunk, deltas)?,
            "content_block_delta" => self.grow_block(chunk, deltas)?,
            "message_delta" => {
                self.take_usage(chunk.get("usage"));
                self.take_finish(chunk.pointer("/delta/stop_reason"))?;
            }
            "message_stop" => return Ok(StreamEvent::End),
            "message" => self.take_whole(chunk, deltas)?,
            "ping" => return Ok(StreamEvent::Ping),
            _ => {
                if let Some(complaint) =
                    complaint_in(chunk).filter(|_| kind == "error" || chunk.get("error").is_some())
                {
                    return Err(Fault::Complaint(complaint));
                }
            }
        }
        Ok(StreamEvent::Something)
    }

    fn is_finished(&self) -> bool {
        self.parts.finish.is_some()
    }

    fn is_answer(&self, whole: &Value) -> bool {
        whole.get("content").is_some_and(Value::is_array)
    }

    fn finish(self: Box<Self>, _deltas: Deltas<'_>) -> ReplyParts {
        self.parts
    }
}

impl ResponseReader {
    fn begin(&mut self, message: &Value) {
        if let Some(model) = message.get("model").and_then(Value::as_str) {
            model.clone_into(&mut self.parts.model);
        }
        self.take_usage(message.get("usage"));
    }

    fn open_block(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let place = chunk.get("index").and_then(Value::as_u64).unwrap_or_default();
        let block = chunk.get("content_block").unwrap_or(&Value::Null);
        self.take_block(place, block, deltas)
    }

    /// Takes a block as it opens, which is mostly empty, or a whole block.
    fn take_block(&mut self, place: u64, block: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let word = |name: &str| {
            block
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" => self.parts.say(word("text"), deltas),
            "thinking" => self.parts.think(word("thinking"), deltas),
            "tool_use" => {
                let index = self.parts.calls.len();
                self.calls.insert(place, index);
                let call = self.parts.call(index)?;
                call.id = word("id");
                call.name = word("name");
                let input = block
                    .get("input")
                    .filter(|input| input.as_object().is_some_and(|object| !object.is_empty()));
                let text = input.map(Value::to_string).unwrap_or_default();
                self.parts.add_arguments(index, text, deltas)
            }
            _ => Ok(()),
        }
    }

    fn grow_block(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let place = chunk.get("index").and_then(Value::as_u64).unwrap_or_default();
        let delta = chunk.get("delta").unwrap_or(&Value::Null);
        let word = |name: &str| {
            delta
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        match delta.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text_delta" => self.parts.say(word("text"), deltas),
            "thinking_delta" => self.parts.think(word("thinking"), deltas),
            "input_json_delta" => match self.calls.get(&place) {
                Some(index) => self.parts.add_arguments(*index, word("partial_json"), deltas),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn take_whole(&mut self, message: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        self.begin(message);
        let blocks = message.get("content").and_then(Value::as_array);
        for (place, block) in (0..).zip(blocks.into_iter().flatten()) {
            self.take_block(place, block, deltas)?;
        }
        self.take_finish(message.get("stop_reason"))
    }

    /// Counts are totals so far; servers that only resemble Anthropic send zero first and the truth at the end.
    fn take_usage(&mut self, usage: Option<&Value>) {
        let count = |name: &str| tokens(usage?.get(name));
        self.input.fresh = count("input_tokens").unwrap_or(self.input.fresh);
        self.input.read = count("cache_read_input_tokens").unwrap_or(self.input.read);
        self.input.written = count("cache_creation_input_tokens").unwrap_or(self.input.written);
        let own = &mut self.parts.usage;
        own.output = count("output_tokens").unwrap_or(own.output);
        own.cached = self.input.read;
        own.input = self
            .input
            .fresh
            .saturating_add(self.input.read)
            .saturating_add(self.input.written);
        self.parts.written = self.input.written;
    }

    fn take_finish(&mut self, reason: Option<&Value>) -> Result<(), Fault> {
        let Some(reason) = reason.and_then(Value::as_str) else {
            return Ok(());
        };
        self.parts.finish = Some(match reason {
            "tool_use" => Finish::ToolCalls,
            "max_tokens" => Finish::Length,
            "refusal" => Finish::Filtered,
            "model_context_window_exceeded" => {
                return Err(Fault::Other(FailureKind::ContextLength, Worded::theirs(reason)));
            }
            _ => Finish::Stop,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{ModelDelta, ModelReply};

    fn read(events: &[Value]) -> Result<(ModelReply, Vec<ModelDelta>), Fault> {
        let mut answer = Box::new(ResponseReader::default());
        let mut seen = Vec::new();
        for event in events {
            answer.take(event, &mut |delta| seen.push(delta))?;
        }
        let reply = answer
            .finish(&mut |delta| seen.push(delta))
            .into_reply("asked", None);
        Ok((reply, seen))
    }

    fn delta(place: u64, delta: &Value) -> Value {
        json!({"type": "content_block_delta", "index": place, "delta": delta})
    }

    #[test]
    fn thoughts_text_and_a_call_are_read_with_all_their_tokens() {
        let (reply, seen) = read(&[
            json!({"type": "message_start", "message": {"model": "claude-x", "usage": {"input_tokens": 5, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 7, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
            delta(0, &json!({"type": "thinking_delta", "thinking": "hm"})),
            delta(0, &json!({"type": "signature_delta", "signature": "c2ln"})),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "ping"}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
            delta(1, &json!({"type": "text_delta", "text": "你好"})),
            json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "python", "input": {}}}),
            delta(2, &json!({"type": "input_json_delta", "partial_json": ""})),
            delta(2, &json!({"type": "input_json_delta", "partial_json": "{\"code\":"})),
            delta(2, &json!({"type": "input_json_delta", "partial_json": " \"1\"}"})),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 12}}),
        ])
        .expect("an answer");
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("你好", "hm"));
        assert_eq!(
            (reply.finish, reply.model.as_str()),
            (Finish::ToolCalls, "claude-x")
        );
        let call = &reply.tool_calls[0];
        assert_eq!(
            (call.id.as_str(), call.name.as_str(), call.arguments.as_str()),
            ("toolu_1", "python", "{\"code\": \"1\"}")
        );
        assert_eq!(
            (reply.usage.input, reply.usage.cached, reply.usage.output),
            (42, 30, 12)
        );
        assert_eq!(seen.len(), 6, "{seen:?}");
    }

    #[test]
    fn every_reason_to_stop_has_its_meaning() {
        for (reason, finish) in [
            ("end_turn", Finish::Stop),
            ("stop_sequence", Finish::Stop),
            ("pause_turn", Finish::Stop),
            ("max_tokens", Finish::Length),
            ("refusal", Finish::Filtered),
        ] {
            let (reply, _) = read(&[json!({"type": "message_delta", "delta": {"stop_reason": reason}})])
                .expect("an answer");
            assert_eq!(reply.finish, finish, "{reason}");
        }
        let full =
            json!({"type": "message_delta", "delta": {"stop_reason": "model_context_window_exceeded"}});
        assert!(matches!(
            read(&[full]),
            Err(Fault::Other(FailureKind::ContextLength, _))
        ));
    }

    #[test]
    fn an_error_in_the_stream_ends_the_answer_and_strangers_do_not() {
        let overloaded =
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
        let Err(Fault::Complaint(complaint)) = read(&[overloaded]) else {
            panic!("no complaint")
        };
        assert_eq!(complaint.code, "overloaded_error");
        let (reply, _) = read(&[
            json!({"type": "something_new", "message": "from the future"}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "server_tool_use", "id": "s", "input": {}}}),
            delta(0, &json!({"type": "input_json_delta", "partial_json": "{}"})),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        ])
        .expect("an answer");
        assert!(reply.tool_calls.is_empty() && reply.text.is_empty());
    }

    #[test]
    fn an_answer_that_comes_at_once_is_read_too() {
        let whole = json!({"type": "message", "model": "m", "content": [
            {"type": "text", "text": "all"},
            {"type": "tool_use", "id": "t", "name": "python", "input": {"code": "1"}},
        ], "stop_reason": "tool_use", "usage": {"input_tokens": 3, "output_tokens": 2}});
        let (reply, _) = read(&[whole]).expect("an answer");
        assert_eq!(
            (reply.text.as_str(), reply.tool_calls[0].arguments.as_str()),
            ("all", "{\"code\":\"1\"}")
        );
        assert_eq!((reply.usage.input, reply.usage.output), (3, 2));
    }
}
