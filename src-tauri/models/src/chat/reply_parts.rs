//! The answer so far: text, thoughts, calls, usage, its end. The same for every wire format.
//!
//! Nothing is invented: missing usage is zero, a call without an id gets a number. An answer has a bound.

use crate::Deltas;
use crate::failure::{Complaint, own_detail};
use crate::prices::Price;
use shidi_protocol::{FailureKind, Finish, ModelDelta, ModelReply, Sampling, ToolCall, Usage, Worded};

/// Longest answer, in bytes over text, reasoning and arguments: above every model's output window (384 k tokens).
const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Most native tool calls in one answer.
pub(crate) const CALLS_MAX: usize = 128;

/// Why an event ends the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The provider sent an error object.
    Complaint(Complaint),
    /// A reason, in the provider's words or ours.
    Other(FailureKind, Worded),
}

#[derive(Debug, Default)]
pub(crate) struct ReplyParts {
    pub text: String,
    pub reasoning: String,
    pub calls: Vec<ToolCall>,
    pub finish: Option<Finish>,
    pub usage: Usage,
    /// Input tokens that the provider put into its cache; some providers charge more for them.
    pub written: u32,
    /// Name of the model, when the provider sent one.
    pub model: String,
    bytes: usize,
}

impl ReplyParts {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }

    /// # Errors
    /// As [`ReplyParts::add_arguments`].
    pub(crate) fn say(&mut self, text: String, deltas: Deltas<'_>) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        self.grow(text.len())?;
        self.text.push_str(&text);
        deltas(ModelDelta::Text(text));
        Ok(())
    }

    /// # Errors
    /// As [`ReplyParts::add_arguments`].
    pub(crate) fn think(&mut self, text: String, deltas: Deltas<'_>) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        self.grow(text.len())?;
        self.reasoning.push_str(&text);
        deltas(ModelDelta::Reasoning(text));
        Ok(())
    }

    /// The call at `index`; a new one is created, with any missing calls before it.
    ///
    /// # Errors
    /// When there are more than [`CALLS_MAX`] calls.
    pub(crate) fn call(&mut self, index: usize) -> Result<&mut ToolCall, Fault> {
        if index >= CALLS_MAX {
            return Err(Fault::Other(
                FailureKind::Malformed,
                own_detail(|say| say.calls_over_limit(CALLS_MAX)),
            ));
        }
        while self.calls.len() <= index {
            self.calls.push(ToolCall {
                id: String::new(),
                name: String::new(),
                arguments: String::new(),
            });
        }
        Ok(&mut self.calls[index])
    }

    /// Adds to the arguments of the call at `index`.
    ///
    /// # Errors
    /// When the answer grows beyond every model's window, or there are too many calls.
    pub(crate) fn add_arguments(
        &mut self,
        index: usize,
        text: String,
        deltas: Deltas<'_>,
    ) -> Result<(), Fault> {
        self.grow(text.len())?;
        let call = self.call(index)?;
        call.arguments.push_str(&text);
        let name = call.name.clone();
        deltas(ModelDelta::ToolArguments { index, name, text });
        Ok(())
    }

    /// Cuts what repeats itself without end behind the first of its pieces.
    pub(super) fn stand_once(&mut self) {
        let arguments = self.calls.iter_mut().map(|call| &mut call.arguments);
        for text in arguments.chain([&mut self.text, &mut self.reasoning]) {
            if let Some(length) = super::repetition::once(text).map(str::len) {
                text.truncate(length);
            }
        }
    }

    /// The whole answer; `requested` names the model when the provider did not.
    pub(crate) fn into_reply(mut self, requested: &str, price: Option<Price>) -> ModelReply {
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
        self.usage.cost = price.map(|price| price.of_written(&self.usage, self.written));
        let model = if self.model.is_empty() {
            requested.to_owned()
        } else {
            self.model
        };
        ModelReply {
            asked: String::new(),
            text: self.text,
            reasoning: self.reasoning,
            tool_calls: self.calls,
            finish,
            usage: self.usage,
            model,
            // The router that chose the model fills in the provider.
            provider: String::new(),
            sampling: Sampling::default(),
        }
    }

    fn grow(&mut self, bytes: usize) -> Result<(), Fault> {
        self.bytes += bytes;
        if self.bytes <= ANSWER_BYTES_MAX {
            return Ok(());
        }
        Err(Fault::Other(
            FailureKind::Malformed,
            own_detail(|say| say.answer_bytes_over_limit(ANSWER_BYTES_MAX)),
        ))
    }
}

/// A number of tokens as providers write it.
pub(crate) fn tokens(value: Option<&serde_json::Value>) -> Option<u32> {
    let count = value?.as_u64()?;
    Some(u32::try_from(count).unwrap_or(u32::MAX))
}
