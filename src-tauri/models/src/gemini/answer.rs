//! Reads an answer in Gemini's format: whole parts, usage in every chunk, a reason to stop in the last.
//!
//! A call that the model could not write properly comes as a reason to stop, with a message. Such a call is
//! passed on as a call with malformed arguments, so that the model is told its mistake.

use crate::Deltas;
use crate::chat::{Fault, Reading, ReplyParts, StreamEvent, tokens};
use crate::failure::complaint_in;
use crate::failure::own_detail;
use serde_json::Value;
use shidi_protocol::{FailureKind, Finish, Worded};

#[derive(Debug, Default)]
pub(super) struct ResponseReader {
    parts: ReplyParts,
    /// The tool that a malformed call was meant for.
    tool: Option<String>,
}

impl ResponseReader {
    pub(super) fn expecting(tool: Option<String>) -> Self {
        Self {
            parts: ReplyParts::default(),
            tool,
        }
    }
}

impl Reading for ResponseReader {
    fn take(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<StreamEvent, Fault> {
        if let Some(whole) = chunk.as_array() {
            // Without `alt=sse` the chunks come as one list.
            for chunk in whole {
                self.take_chunk(chunk, deltas)?;
            }
            return Ok(StreamEvent::Something);
        }
        self.take_chunk(chunk, deltas)?;
        Ok(StreamEvent::Something)
    }

    fn is_finished(&self) -> bool {
        self.parts.finish.is_some()
    }

    fn is_answer(&self, whole: &Value) -> bool {
        let first = whole.get(0).unwrap_or(whole);
        first.get("candidates").is_some_and(Value::is_array)
    }

    fn finish(self: Box<Self>, _deltas: Deltas<'_>) -> ReplyParts {
        self.parts
    }
}

impl ResponseReader {
    fn take_chunk(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        if chunk.get("error").is_some()
            && let Some(complaint) = complaint_in(chunk)
        {
            return Err(Fault::Complaint(complaint));
        }
        if let Some(model) = chunk.get("modelVersion").and_then(Value::as_str) {
            model.clone_into(&mut self.parts.model);
        }
        self.take_usage(chunk.get("usageMetadata"));
        if let Some(reason) = chunk
            .pointer("/promptFeedback/blockReason")
            .and_then(Value::as_str)
        {
            return Err(Fault::Other(
                FailureKind::Refused,
                own_detail(|say| say.question_blocked(reason)),
            ));
        }
        let Some(candidate) = chunk.pointer("/candidates/0") else {
            return Ok(());
        };
        let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            self.take_part(part, deltas)?;
        }
        self.take_finish(candidate, deltas)
    }

    fn take_part(&mut self, part: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
            return if is_thought {
                self.parts.think(text.to_owned(), deltas)
            } else {
                self.parts.say(text.to_owned(), deltas)
            };
        }
        let Some(call) = part.get("functionCall") else {
            return Ok(());
        };
        let word = |name: &str| {
            call.get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let arguments = match call.get("args") {
            None | Some(Value::Null) => "{}".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(object) => object.to_string(),
        };
        self.add_call(word("id"), word("name"), arguments, deltas)
    }

    fn add_call(
        &mut self,
        id: String,
        name: String,
        arguments: String,
        deltas: Deltas<'_>,
    ) -> Result<(), Fault> {
        let index = self.parts.calls.len();
        let call = self.parts.call(index)?;
        call.id = id;
        call.name = name;
        self.parts.add_arguments(index, arguments, deltas)
    }

    /// Takes the totals so far. Thoughts are counted apart and charged as output.
    fn take_usage(&mut self, usage: Option<&Value>) {
        let count = |name: &str| tokens(usage?.get(name));
        let own = &mut self.parts.usage;
        if let Some(prompt) = count("promptTokenCount") {
            own.input = prompt.saturating_add(count("toolUsePromptTokenCount").unwrap_or(0));
            own.cached = count("cachedContentTokenCount").unwrap_or(0).min(own.input);
        }
        let (said, thought) = (count("candidatesTokenCount"), count("thoughtsTokenCount"));
        if said.is_some() || thought.is_some() {
            own.output = said.unwrap_or(0).saturating_add(thought.unwrap_or(0));
        }
    }

    fn take_finish(&mut self, candidate: &Value, deltas: Deltas<'_>) -> Result<(), Fault> {
        let reason = candidate
            .get("finishReason")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let message = candidate
            .get("finishMessage")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let finish = match reason {
            "" | "FINISH_REASON_UNSPECIFIED" => return Ok(()),
            "MAX_TOKENS" => Finish::Length,
            "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
            | "IMAGE_SAFETY" => Finish::Filtered,
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                let Some(tool) = self.tool.clone() else {
                    let said = format!("{reason} {message}");
                    return Err(Fault::Other(FailureKind::Malformed, Worded::theirs(said)));
                };
                self.add_call(String::new(), tool, message.to_owned(), deltas)?;
                Finish::ToolCalls
            }
            "STOP" => Finish::Stop,
            _ if self.parts.is_empty() => {
                let said = Worded::theirs(format!("{reason} {message}"));
                return Err(Fault::Other(FailureKind::Refused, said));
            }
            _ => Finish::Stop,
        };
        self.parts.finish = Some(finish);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{ModelDelta, ModelReply};

    fn read(chunks: &[Value]) -> Result<(ModelReply, Vec<ModelDelta>), Fault> {
        let mut answer = Box::new(ResponseReader::expecting(Some("python".into())));
        let mut seen = Vec::new();
        for chunk in chunks {
            answer.take(chunk, &mut |delta| seen.push(delta))?;
        }
        let reply = answer
            .finish(&mut |delta| seen.push(delta))
            .into_reply("asked", None);
        Ok((reply, seen))
    }

    fn said(parts: &Value) -> Value {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}}], "modelVersion": "gemini-x"})
    }

    fn stopped(reason: &str) -> Value {
        json!({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": reason, "finishMessage": "print(1"}]})
    }

    #[test]
    fn thoughts_text_a_call_and_usage_are_read() {
        let (reply, seen) = read(&[
            said(&json!([{"text": "hm", "thought": true}])),
            said(&json!([{"text": "你好"}])),
            said(&json!([{"functionCall": {"name": "python", "args": {"code": "1"}}, "thoughtSignature": "c2ln"}])),
            json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 40, "cachedContentTokenCount": 30, "candidatesTokenCount": 5, "thoughtsTokenCount": 7, "totalTokenCount": 52}}),
        ])
        .expect("an answer");
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("你好", "hm"));
        assert_eq!(
            (reply.finish, reply.model.as_str()),
            (Finish::ToolCalls, "gemini-x")
        );
        let call = &reply.tool_calls[0];
        assert_eq!(
            (call.id.as_str(), call.name.as_str(), call.arguments.as_str()),
            ("call_1", "python", "{\"code\":\"1\"}")
        );
        assert_eq!(
            (reply.usage.input, reply.usage.cached, reply.usage.output),
            (40, 30, 12)
        );
        assert_eq!(seen.len(), 3, "{seen:?}");
    }

    #[test]
    fn every_reason_to_stop_has_its_meaning() {
        for (reason, finish) in [
            ("STOP", Finish::Stop),
            ("MAX_TOKENS", Finish::Length),
            ("SAFETY", Finish::Filtered),
            ("RECITATION", Finish::Filtered),
        ] {
            assert_eq!(
                read(&[stopped(reason)]).expect("an answer").0.finish,
                finish,
                "{reason}"
            );
        }
        let (reply, _) = read(&[stopped("MALFORMED_FUNCTION_CALL")]).expect("an answer");
        assert_eq!(
            (
                reply.tool_calls[0].name.as_str(),
                reply.tool_calls[0].arguments.as_str()
            ),
            ("python", "print(1")
        );
        assert!(matches!(
            read(&[stopped("OTHER")]),
            Err(Fault::Other(FailureKind::Refused, _))
        ));
    }

    #[test]
    fn a_blocked_question_and_an_error_in_the_stream_are_told() {
        let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}});
        assert!(matches!(
            read(&[blocked]),
            Err(Fault::Other(FailureKind::Refused, ..))
        ));
        let error =
            json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}});
        assert!(matches!(read(&[error]), Err(Fault::Complaint(_))));
    }

    #[test]
    fn a_list_of_chunks_is_one_answer() {
        let (reply, _) = read(&[json!([said(&json!([{"text": "a"}])), stopped("STOP")])]).expect("an answer");
        assert_eq!((reply.text.as_str(), reply.finish), ("a", Finish::Stop));
    }
}
