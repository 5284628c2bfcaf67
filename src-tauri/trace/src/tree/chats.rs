//! Calls of models: what was asked of whom, when the first word came, what it cost.

use super::{Draft, New, ROOT, Step, Tree, merge};
use crate::limits::{REASONING_CHARACTERS_MAX, SPAN_CHARACTERS_MAX, STEP_TEXT_CHARACTERS};
use crate::{bounded, names};
use serde_json::{Value, json};
use shidi_protocol::{ModelFailure, ModelReply, ModelRequest, Moment, PartialReply, ToolCall, Usage};
use shidi_store::PartialAnswer;
use std::sync::Arc;

/// Who is asked.
#[derive(Debug, Clone, Copy)]
pub struct ChatFacts<'a> {
    pub provider: &'a str,
    pub model: &'a str,
    pub window_tokens: u32,
}

impl Tree {
    /// A model is asked; the number of the step, unless the trace is full.
    pub fn chat_begins(
        &mut self,
        now: Moment,
        request: Arc<ModelRequest>,
        facts: ChatFacts<'_>,
    ) -> (Option<u32>, Vec<Draft>) {
        if self.last == 0 {
            return (None, Vec::new());
        }
        let operation = match request.completion {
            Some(_) => names::TEXT_COMPLETION,
            None => names::CHAT,
        };
        let left_out: u32 = request.parts.iter().map(|part| part.left_out).sum();
        let attributes = json!({
            names::OPERATION_NAME: operation,
            names::PROVIDER_NAME: facts.provider,
            names::REQUEST_MODEL: facts.model,
            names::REQUEST_MAX_TOKENS: request.max_output_tokens,
            names::ROLE: request.role,
            names::WINDOW_TOKENS: facts.window_tokens,
            names::PROMPT_PARTS: request.parts,
            names::LEFT_OUT_TOKENS: (left_out > 0).then_some(left_out),
        });
        let parent = self.area.or(Some(ROOT));
        let mut drafts = Vec::new();
        let id = self.begin_step(
            New {
                parent,
                operation,
                name: facts.model,
                started: now,
            },
            attributes,
            &mut drafts,
        );
        if let Some(step) = id.and_then(|id| self.open.get_mut(&id)) {
            step.request = Some(Arc::clone(&request));
        }
        if let Some(draft) = drafts.last_mut() {
            draft.request = Some(request);
        }
        (id, drafts)
    }

    /// The model has answered, or has not.
    pub fn chat_ends(
        &mut self,
        now: Moment,
        id: Option<u32>,
        first: Option<Moment>,
        answer: &Result<ModelReply, ModelFailure>,
    ) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let Some(step) = id.and_then(|id| self.open.get_mut(&id)) else {
            return drafts;
        };
        let attributes = match answer {
            Ok(reply) => answered(step, first, reply),
            Err(failure) => failed(step, failure),
        };
        let id = step.span.id;
        self.end_step(id, now, attributes, &mut drafts);
        drafts
    }

    /// The process ended while the model answered.
    pub(super) fn chat_broke_off(
        &mut self,
        id: u32,
        answer: Option<&PartialAnswer>,
        drafts: &mut Vec<Draft>,
    ) {
        let Some(step) = self.open.get_mut(&id) else {
            return;
        };
        let last = Moment(step.span.started.0.saturating_add_unsigned(step.span.ms));
        let mut attributes = json!({ names::ERROR_TYPE: "interrupted" });
        if let Some(answer) = answer {
            merge(&mut attributes, had_come(step, &answer.reply));
        }
        let ended = answer.map_or(last, |answer| answer.time);
        self.end_step(id, ended, attributes, drafts);
    }
}

/// What had come of an answer that broke off.
fn had_come(step: &mut Step, partial: &PartialReply) -> Value {
    let said = json!([{ "role": "assistant", "parts": said(&partial.text, &partial.tool_calls) }]);
    step.content.insert(names::OUTPUT_MESSAGES.to_owned(), said);
    think(step, &partial.reasoning);
    name(step, &partial.provider, &partial.asked);
    spent(&partial.usage)
}

/// A whole answer as attributes of its step.
fn answered(step: &mut Step, first: Option<Moment>, reply: &ModelReply) -> Value {
    step.span.name.clone_from(&reply.model);
    step.content
        .insert(names::OUTPUT_MESSAGES.to_owned(), output(reply));
    think(step, &reply.reasoning);
    name(step, &reply.provider, &reply.asked);
    let first_ms = first.map(|first| first.since(step.span.started));
    let mut attributes = json!({
        names::REQUEST_TEMPERATURE: reply.sampling.temperature,
        names::REQUEST_TOP_P: reply.sampling.top_p,
        names::REQUEST_SEED: reply.sampling.seed,
        names::REQUEST_PRESENCE_PENALTY: reply.sampling.presence_penalty,
        names::REQUEST_FREQUENCY_PENALTY: reply.sampling.frequency_penalty,
        names::RESPONSE_MODEL: reply.model,
        names::RESPONSE_FINISH_REASONS: [reply.finish],
        names::RESPONSE_TIME_TO_FIRST_CHUNK: first_ms.map(|ms| ms as f64 / 1_000.0),
    });
    merge(&mut attributes, spent(&reply.usage));
    attributes
}

/// Why no answer came, with what had come before it broke off.
fn failed(step: &mut Step, failure: &ModelFailure) -> Value {
    let detail = bounded::text(&failure.detail.to_string(), STEP_TEXT_CHARACTERS);
    step.content
        .insert(names::ERROR_MESSAGE.to_owned(), detail.clone().into());
    let mut attributes = json!({
        names::PROVIDER_NAME: failure.provider,
        names::ERROR_TYPE: failure.kind,
        names::SUMMARY: detail,
    });
    if let Some(partial) = &failure.partial {
        merge(&mut attributes, had_come(step, partial));
    }
    attributes
}

fn think(step: &mut Step, reasoning: &str) {
    if !reasoning.is_empty() {
        let reasoning = bounded::text(reasoning, REASONING_CHARACTERS_MAX);
        step.content.insert(names::REASONING.to_owned(), reasoning.into());
    }
}

/// A stand-in, or the model of the role, may be somebody else's.
fn name(step: &mut Step, provider: &str, asked: &str) {
    for (name, own) in [(names::PROVIDER_NAME, provider), (names::REQUEST_MODEL, asked)] {
        if !own.is_empty() {
            step.span.attributes.insert(name.to_owned(), own.into());
        }
    }
}

fn spent(usage: &Usage) -> Value {
    json!({
        names::USAGE_INPUT_TOKENS: usage.input,
        names::USAGE_OUTPUT_TOKENS: usage.output,
        names::USAGE_CACHE_READ_INPUT_TOKENS: usage.cached,
        names::COST: usage.cost,
        names::USAGE_ESTIMATED: usage.estimated.then_some(true),
    })
}

/// The answer in the conventions' form.
fn output(reply: &ModelReply) -> Value {
    let parts = said(&reply.text, &reply.tool_calls);
    json!([{ "role": "assistant", "parts": parts, "finish_reason": reply.finish }])
}

fn said(text: &str, calls: &[ToolCall]) -> Vec<Value> {
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(json!({ "type": "text", "content": bounded::text(text, SPAN_CHARACTERS_MAX) }));
    }
    for call in calls {
        let arguments = bounded::text(&call.arguments, SPAN_CHARACTERS_MAX);
        // As a value where it is one: secrets are also told by the names of fields.
        let arguments = serde_json::from_str::<Value>(&arguments).unwrap_or(Value::String(arguments));
        parts.push(json!({ "type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments }));
    }
    parts
}
