//! Asks a model for a step: within a time, and counted in the user's limits of a day.

use crate::limits::{ANSWER_TIMEOUT, ANSWER_TOKENS_MAX, PROMPT_CHARACTERS_MAX};
use serde_json::Value;
use shidi_protocol::{
    Brief, Message, ModelDelta, ModelFailure, ModelRequest, ModelRole, RunId, Speaker, Usage,
};
use shidi_space::Space;
use shidi_space::model_choice;
use shidi_workflow::{Failure, Role};
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
}

pub async fn ask(space: &Space, question: Question, cancel: &CancellationToken) -> Answered {
    let mut usage = Usage::default();
    let outcome = asked(space, question, cancel, &mut usage).await;
    Answered {
        outcome: outcome.map_err(|message| Failure::Performer { message }),
        usage,
    }
}

async fn asked(
    space: &Space,
    question: Question,
    cancel: &CancellationToken,
    usage: &mut Usage,
) -> Result<Value, String> {
    let say = space.language().workflow_runs();
    let characters = question.prompt.chars().count();
    if characters > PROMPT_CHARACTERS_MAX {
        return Err(say.prompt_too_long(PROMPT_CHARACTERS_MAX));
    }
    let config = space.config().clone();
    let model = model_choice::open(space, &config).await;
    let model = model.map_err(|error| error.message)?;
    if model.is_offline() {
        return Err(say.no_model().to_owned());
    }
    let most = if question.has_limit {
        Duration::MAX
    } else {
        ANSWER_TIMEOUT
    };
    let request = request(question);
    let ends = cancel.child_token();
    let mut unseen = |_: ModelDelta| {};
    let answer = tokio::time::timeout(most, model.ask(&request, &mut unseen, &ends)).await;
    match answer {
        Ok(Ok(reply)) => {
            usage.add(&reply.usage);
            Ok(Value::String(unfenced(&reply.text).to_owned()))
        }
        Ok(Err(failure)) => {
            usage.add(&spent(&failure));
            Err(shidi_agent::model_error(space.language().code(), &failure).message)
        }
        Err(_) => {
            ends.cancel();
            Err(say.no_answer(ANSWER_TIMEOUT.as_secs()))
        }
    }
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
