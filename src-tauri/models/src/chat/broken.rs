//! What is left of answers that broke off: the words that still stand, and what all of them took.
//!
//! Words that were shown are void with the first piece of a further answer, and not before: if none follows, they are
//! all that there is. A provider seldom says what a broken answer took; then that is estimated, and marked so.

use super::Gathered;
use crate::Deltas;
use crate::prices::Price;
use shidi_protocol::{ModelDelta, ModelFailure, ModelRequest, PartialReply, Usage, tokens};

#[derive(Debug, Default)]
pub(crate) struct Broken {
    /// What was shown last.
    standing: Option<PartialReply>,
    /// Of all that broke off.
    spent: Usage,
}

impl Broken {
    /// Passes on a piece of a further answer.
    pub(crate) fn pass(&mut self, delta: ModelDelta, deltas: Deltas<'_>) {
        if delta.is_said() && self.standing.take().is_some() {
            deltas(ModelDelta::Retracted);
        }
        deltas(delta);
    }

    /// Keeps an answer that broke off.
    pub(crate) fn keep(&mut self, partial: PartialReply) {
        self.spent.add(&partial.usage);
        let is_empty =
            partial.text.is_empty() && partial.reasoning.is_empty() && partial.tool_calls.is_empty();
        if !is_empty {
            self.standing = Some(partial);
        }
    }

    /// Adds what broke off to the usage of the answer that came at last.
    pub(crate) fn add_to(&self, usage: &mut Usage) {
        if self.spent.model_calls > 0 {
            usage.add(&self.spent);
        }
    }

    /// The failure after which nothing follows, with what stands.
    pub(crate) fn told_by(self, failure: ModelFailure) -> ModelFailure {
        if self.standing.is_none() && self.spent.model_calls == 0 {
            return failure;
        }
        let partial = PartialReply {
            usage: self.spent,
            ..self.standing.unwrap_or_default()
        };
        ModelFailure {
            partial: Some(Box::new(partial)),
            ..failure
        }
    }
}

impl Gathered {
    /// Whether the provider has begun to work on the answer.
    pub(crate) fn has_begun(&self) -> bool {
        !self.is_empty() || self.usage.input > 0 || self.usage.output > 0
    }

    /// What had come when the answer to `request` broke off.
    pub(crate) fn into_partial(
        mut self,
        request: &ModelRequest,
        requested: &str,
        price: Option<Price>,
    ) -> PartialReply {
        if self.finish.is_none() || self.usage.output == 0 {
            let arguments = self.calls.iter().map(|call| tokens::estimate(&call.arguments));
            let output = tokens::estimate(&self.text) + tokens::estimate(&self.reasoning);
            let output = arguments.fold(output, u32::saturating_add);
            // What is told at the beginning counts the beginning.
            self.usage.output = self.usage.output.max(output);
            self.usage.estimated = true;
        }
        if self.usage.input == 0 {
            self.usage.input = input_of(request);
        }
        let reply = self.into_reply(requested, price);
        PartialReply {
            text: reply.text,
            reasoning: reply.reasoning,
            tool_calls: reply.tool_calls,
            usage: reply.usage,
            model: reply.model,
            provider: reply.provider,
            asked: reply.asked,
        }
    }
}

/// Tokens of a request, as estimated; pictures are not counted.
fn input_of(request: &ModelRequest) -> u32 {
    let messages = request
        .messages
        .iter()
        .map(|message| tokens::estimate(&message.plain()));
    let tools = request.tools.iter().map(|tool| {
        tokens::estimate(&tool.name)
            + tokens::estimate(&tool.description)
            + tokens::estimate(&tool.schema.to_string())
    });
    messages.chain(tools).fold(0, u32::saturating_add)
}
