//! The remains of answers that broke off: the words that still stand, and the tokens of all.
//!
//! Shown words become void with the first piece of a further answer, and not before. Without a further piece
//! they are all the user has. Providers seldom tell the tokens of a broken answer; they are then estimated and
//! marked as such.

use super::ReplyParts;
use crate::Deltas;
use crate::prices::Price;
use shidi_protocol::{ModelDelta, ModelFailure, ModelRequest, PartialReply, ToolCall, Usage, tokens};

#[derive(Debug, Default)]
pub(crate) struct Broken {
    /// The words shown last.
    standing: Option<PartialReply>,
    /// The tokens of all broken answers.
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

    /// Adds the broken answers' tokens to the usage of the final answer.
    pub(crate) fn add_to(&self, usage: &mut Usage) {
        if self.spent.model_calls > 0 {
            usage.add(&self.spent);
        }
    }

    /// The final failure, with the words that still stand.
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

impl ReplyParts {
    /// Whether the provider has begun to work on the answer.
    pub(crate) fn has_begun(&self) -> bool {
        !self.is_empty() || self.usage.input > 0 || self.usage.output > 0
    }

    /// Estimates the tokens of which the provider has told nothing.
    pub(super) fn estimate_usage(&mut self, request: &ModelRequest) {
        if self.finish.is_none() || self.usage.output == 0 {
            let output = output_of(&self.text, &self.reasoning, &self.calls);
            // What is told at the beginning counts the beginning.
            self.usage.output = self.usage.output.max(output);
            self.usage.estimated = true;
        }
        if self.usage.input == 0 {
            self.usage.input = input_of(request);
        }
    }

    /// The remains of the answer to `request`, which broke off.
    pub(crate) fn into_partial(
        mut self,
        request: &ModelRequest,
        requested: &str,
        price: Option<Price>,
    ) -> PartialReply {
        self.estimate_usage(request);
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

/// What an answer has taken so far of which its provider has told nothing.
#[must_use]
pub fn estimate(request: &ModelRequest, partial: &PartialReply, price: Option<Price>) -> Usage {
    let usage = Usage {
        input: input_of(request),
        output: output_of(&partial.text, &partial.reasoning, &partial.tool_calls),
        model_calls: 1,
        estimated: true,
        ..Usage::default()
    };
    Usage {
        cost: price.map(|price| price.of(&usage)),
        ..usage
    }
}

/// Tokens of what a model has said, as estimated.
fn output_of(text: &str, reasoning: &str, calls: &[ToolCall]) -> u32 {
    let arguments = calls.iter().map(|call| tokens::estimate(&call.arguments));
    let output = tokens::estimate(text) + tokens::estimate(reasoning);
    arguments.fold(output, u32::saturating_add)
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
