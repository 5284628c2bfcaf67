//! Asks a model for a step: within a time, and counted in the user's limits of a day.

use crate::limits::{ANSWER_TIMEOUT, ANSWER_TOKENS_MAX, PROMPT_CHARACTERS_MAX};
use serde_json::Value;
use shidi_models::Model;
use shidi_protocol::{
    Brief, FailureKind, Message, ModelDelta, ModelFailure, ModelReply, ModelRequest, ModelRole, Moment,
    RunId, Speaker, Usage, Worded,
};
use shidi_space::{Space, clock, model_choice};
use shidi_workflow::{Failure, Role};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A question of a step.
pub struct Question {
    pub run: RunId,
    pub role: Role,
    pub prompt: String,
    pub system: Option<String>,
    /// The code of the language of whoever reads of failures.
    pub language: String,
    /// Whether the step sets a time of its own, which the run looks after.
    pub has_limit: bool,
}

/// An answer, or why none came, and what it took.
pub struct Answered {
    pub outcome: Result<Value, Failure>,
    pub usage: Usage,
    /// `None` where no model was asked.
    pub exchange: Option<Exchange>,
}

/// What a model was asked and what it said, as it was sent and came.
#[derive(Debug)]
pub struct Exchange {
    pub provider: String,
    pub model: String,
    /// As the user or the model's profile says it.
    pub window_tokens: Option<u32>,
    pub request: Arc<ModelRequest>,
    pub began: Moment,
    /// When the first piece of the answer came.
    pub first: Option<Moment>,
    pub ended: Moment,
    /// Whether the time that we give was not over before.
    pub ended_in_time: bool,
    pub answer: Result<ModelReply, ModelFailure>,
}

pub async fn ask(space: &Space, question: Question, cancel: &CancellationToken) -> Answered {
    let say = space.language().workflow_runs();
    let characters = question.prompt.chars().count();
    if characters > PROMPT_CHARACTERS_MAX {
        return unasked(say.prompt_too_long(PROMPT_CHARACTERS_MAX));
    }
    let config = space.config().clone();
    let model = match model_choice::open(space, &config).await {
        Ok(model) => model,
        Err(error) => return unasked(error.message),
    };
    if model.is_offline() {
        return unasked(say.no_model().to_owned());
    }
    let most = if question.has_limit {
        Duration::MAX
    } else {
        ANSWER_TIMEOUT
    };
    let window_tokens = match config.task.context_window {
        0 => model.profile().window,
        tokens => Some(tokens),
    };
    let exchange = exchanged(model.as_ref(), request(question), (most, window_tokens), cancel).await;
    let (outcome, usage) = came(exchange.answer.as_ref(), space);
    let outcome = match exchange.ended_in_time {
        true => outcome,
        false => Err(say.no_answer(ANSWER_TIMEOUT.as_secs())),
    };
    Answered {
        outcome: outcome.map_err(|message| Failure::Performer { message }),
        usage,
        exchange: Some(exchange),
    }
}

fn unasked(message: String) -> Answered {
    Answered {
        outcome: Err(Failure::Performer { message }),
        usage: Usage::default(),
        exchange: None,
    }
}

async fn exchanged(
    model: &dyn Model,
    request: ModelRequest,
    (most, window_tokens): (Duration, Option<u32>),
    cancel: &CancellationToken,
) -> Exchange {
    let began = clock::now();
    let ends = cancel.child_token();
    let mut first = None;
    let mut note_first = |delta: ModelDelta| {
        if delta.is_said() {
            first.get_or_insert_with(clock::now);
        }
    };
    let answer = tokio::time::timeout(most, model.ask(&request, &mut note_first, &ends)).await;
    let ended_in_time = answer.is_ok();
    let answer = answer.unwrap_or_else(|_| {
        ends.cancel();
        Err(out_of_time(model))
    });
    Exchange {
        provider: model.provider().to_owned(),
        model: model.name().to_owned(),
        window_tokens,
        request: Arc::new(request),
        began,
        first,
        ended: clock::now(),
        ended_in_time,
        answer,
    }
}

fn out_of_time(model: &dyn Model) -> ModelFailure {
    ModelFailure {
        kind: FailureKind::Timeout,
        detail: Worded::of(|language| language.workflow_runs().no_answer(ANSWER_TIMEOUT.as_secs())),
        provider: model.provider().to_owned(),
        provider_title: None,
        partial: None,
    }
}

/// What an answer means for its step, and what it took.
fn came(answer: Result<&ModelReply, &ModelFailure>, space: &Space) -> (Result<Value, String>, Usage) {
    let mut usage = Usage::default();
    let outcome = match answer {
        Ok(reply) => {
            usage.add(&reply.usage);
            Ok(Value::String(unfenced(&reply.text).to_owned()))
        }
        Err(failure) => {
            usage.add(&spent(failure));
            Err(shidi_agent::model_error(space.language().code(), failure).message)
        }
    };
    (outcome, usage)
}

fn spent(failure: &ModelFailure) -> Usage {
    let partial = failure.partial.as_ref();
    partial.map(|partial| partial.usage).unwrap_or_default()
}

fn request(question: Question) -> ModelRequest {
    let Question {
        run,
        role,
        prompt,
        system,
        language,
        has_limit: _,
    } = question;
    let system = system.map(|text| Message::text(Speaker::System, text));
    let brief = Brief {
        question: prompt.clone(),
        language,
        ..Brief::default()
    };
    ModelRequest {
        run,
        role: match role {
            Role::General => ModelRole::General,
            Role::Fast => ModelRole::Fast,
            Role::Coder => ModelRole::Coder,
        },
        messages: system
            .into_iter()
            .chain([Message::text(Speaker::User, prompt)])
            .collect(),
        tools: Vec::new(),
        max_output_tokens: ANSWER_TOKENS_MAX,
        completion: None,
        brief,
        parts: Vec::new(),
    }
}

/// An answer without the one fence that is around all of it: models put one around JSON.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inside = || {
        let inside = text.strip_prefix("```")?.strip_suffix("```")?;
        let (word, inside) = inside.split_once('\n')?;
        let is_whole = !inside.contains("```") && word.trim().chars().all(char::is_alphanumeric);
        is_whole.then(|| inside.trim())
    };
    inside().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_around_a_whole_answer_goes_and_any_other_stays() {
        assert_eq!(unfenced("```json\n[1]\n```\n"), "[1]");
        assert_eq!(unfenced(" total \n"), "total");
        for text in [
            "```json\n[1]\n```\nand\n```\n2\n```",
            "`a`",
            "```",
            "see ```\na\n```",
        ] {
            assert_eq!(unfenced(text), text);
        }
    }
}
