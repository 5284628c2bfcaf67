//! The words of a run's model so far, written down while it speaks. A process that is killed loses its last second.
//!
//! One row is replaced in a bounded rhythm, by the clock and not by the stream, which may stand still. The row is
//! offered to the store and never waited for. The answer takes it away, in the transaction that brings the answer.

use super::Run;
use crate::clock;
use crate::limits::{PART_BYTES_PER_SECOND, PART_PAUSE};
use shidi_models::{Price, estimate};
use shidi_protocol::{ModelDelta, ModelRequest, PartialReply, ToolCall, Usage};
use shidi_store::{PartialAnswer, Write};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

/// The answer that is under way.
#[derive(Default)]
pub struct Part {
    request: Option<Arc<ModelRequest>>,
    said: PartialReply,
    price: Option<Price>,
    /// The usage of earlier answers, whose words are void.
    void: Usage,
    /// Whether anything was said that was not offered yet.
    is_new: bool,
    /// Transactions of the store when it was offered last.
    offered: Option<u64>,
}

impl Part {
    fn take(&mut self, delta: &ModelDelta) {
        let said = &mut self.said;
        match delta {
            ModelDelta::Asked { .. } | ModelDelta::Awaits(_) | ModelDelta::Timed { .. } => return,
            ModelDelta::Retracted => {
                self.void = self.usage();
                self.said = PartialReply {
                    provider: std::mem::take(&mut self.said.provider),
                    asked: std::mem::take(&mut self.said.asked),
                    ..PartialReply::default()
                };
            }
            ModelDelta::Text(text) => said.text.push_str(text),
            ModelDelta::Reasoning(text) => said.reasoning.push_str(text),
            ModelDelta::ToolArguments { index, name, text } => {
                while said.tool_calls.len() <= *index {
                    said.tool_calls.push(ToolCall {
                        id: String::new(),
                        name: name.clone(),
                        arguments: String::new(),
                    });
                }
                said.tool_calls[*index].arguments.push_str(text);
            }
        }
        self.is_new = true;
    }

    /// The usage of this answer and of those before it.
    fn usage(&self) -> Usage {
        let mut usage = self.void;
        if let Some(request) = &self.request {
            usage.add(&estimate(request, &self.said, self.price));
        }
        usage
    }

    /// Until it may be offered again: the longer it is, the more seldom.
    fn pause(&self) -> Duration {
        let arguments = self.said.tool_calls.iter().map(|call| call.arguments.len());
        let bytes = self.said.text.len() + self.said.reasoning.len() + arguments.sum::<usize>();
        PART_PAUSE.max(Duration::from_secs((bytes / PART_BYTES_PER_SECOND) as u64))
    }
}

impl Run {
    /// A model is asked from now on.
    pub(super) fn begin_part(&self, request: &Arc<ModelRequest>) {
        let said = PartialReply {
            provider: self.model.provider().to_owned(),
            asked: self.model.name().to_owned(),
            ..PartialReply::default()
        };
        *self.part.lock() = Part {
            request: Some(Arc::clone(request)),
            said,
            ..Part::default()
        };
    }

    /// Takes a piece of its answer.
    pub(super) fn take_part(&self, delta: &ModelDelta) {
        let mut part = self.part.lock();
        if let ModelDelta::Asked { provider, model } = delta {
            part.price = self.workspace.models().price(provider, model);
            provider.clone_into(&mut part.said.provider);
            model.clone_into(&mut part.said.asked);
        }
        part.take(delta);
    }

    /// Waits for an answer, and writes down meanwhile what it has said.
    pub(super) async fn written_down<T>(&self, answer: impl Future<Output = T>) -> T {
        let mut answer = pin!(answer);
        loop {
            let pause = self.part.lock().pause();
            match tokio::time::timeout(pause, answer.as_mut()).await {
                Ok(answer) => return answer,
                Err(_) => self.write_part(),
            }
        }
    }

    /// Hands what was said so far to the store, which writes it within a moment.
    pub(super) fn write_part(&self) {
        let format = self.mind.lock().context().settings.format;
        let mut part = self.part.lock();
        let Some(request) = part.request.as_ref().filter(|_| part.is_new) else {
            return;
        };
        let transactions = self.workspace.store.transactions();
        if part.offered == Some(transactions) {
            return; // The one before is not written yet: the disk is slow, or full.
        }
        let reply = PartialReply {
            usage: part.usage(),
            ..part.said.clone()
        };
        let answer = PartialAnswer {
            run: self.id().clone(),
            time: clock::now(),
            role: request.role,
            format: format.implementation().name().to_owned(),
            reply,
        };
        let write = Write::PutPartialAnswer(Box::new(answer));
        if self.workspace.store.offer(write) {
            part.offered = Some(transactions);
            part.is_new = false;
        }
    }

    /// The answer is over: what takes away what was written of it.
    pub(super) fn end_part(&self) -> Vec<Write> {
        let part = std::mem::take(&mut *self.part.lock());
        let was_offered = part.offered.is_some();
        let gone = was_offered.then(|| Write::DropPartialAnswer(self.id().clone()));
        gone.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Brief, Message, ModelRole, RunId, Speaker};

    fn part() -> Part {
        let request = ModelRequest {
            run: RunId::from("r"),
            role: ModelRole::Coder,
            messages: vec![Message::text(Speaker::User, "Tell me a long story")],
            tools: Vec::new(),
            max_output_tokens: 100,
            completion: None,
            brief: Brief::default(),
            parts: Vec::new(),
        };
        Part {
            request: Some(Arc::new(request)),
            price: Some(Price {
                input: 1.0,
                cached: 1.0,
                written: None,
                output: 2.0,
            }),
            ..Part::default()
        }
    }

    fn text(text: &str) -> ModelDelta {
        ModelDelta::Text(text.to_owned())
    }

    #[test]
    fn thoughts_words_and_calls_are_gathered_as_they_come_and_counted_as_an_estimate() {
        let mut part = part();
        let arguments = |text: &str| ModelDelta::ToolArguments {
            index: 1,
            name: "python".to_owned(),
            text: text.to_owned(),
        };
        for delta in [
            ModelDelta::Reasoning("I count".to_owned()),
            text("one "),
            text("two"),
            arguments("{\"a\""),
            arguments(": 1}"),
        ] {
            part.take(&delta);
        }
        assert_eq!(
            (part.said.reasoning.as_str(), part.said.text.as_str()),
            ("I count", "one two")
        );
        assert_eq!(part.said.tool_calls.len(), 2);
        assert_eq!(part.said.tool_calls[1].arguments, "{\"a\": 1}");
        let usage = part.usage();
        assert_eq!((usage.input, usage.output, usage.model_calls), (5, 6, 1));
        assert!(usage.estimated && usage.cost.is_some());
    }

    #[test]
    fn words_that_are_void_are_gone_and_stay_counted() {
        let mut part = part();
        part.take(&text("a first try"));
        part.take(&ModelDelta::Retracted);
        part.take(&text("anew"));
        assert_eq!(part.said.text, "anew");
        let usage = part.usage();
        assert_eq!((usage.input, usage.output, usage.model_calls), (10, 4, 2));
    }

    #[test]
    fn a_wait_is_nothing_new_to_write() {
        let mut part = part();
        part.take(&ModelDelta::Awaits(None));
        assert!(!part.is_new);
    }

    #[test]
    fn an_answer_as_long_as_models_are_asked_for_is_written_every_second_and_a_longer_one_at_a_bounded_rate()
    {
        let mut part = part();
        part.take(&text(&"x".repeat(48_000)));
        assert_eq!(part.pause(), PART_PAUSE);
        part.take(&text(&"x".repeat(1 << 20)));
        assert_eq!(part.pause(), Duration::from_secs(16));
    }
}
