//! The offline planner: answers without any language model, by rules (F10.6).
//!
//! The planner is one more [`Model`], so its programs run, ask, are recorded and resumed like any model's.
//! The planner reads the brief and nothing else. A wrong answer in a sure tone would be worse than none. So
//! every rule reads the whole question or nothing.

mod arithmetic;
mod code;
mod dates;
mod files;
mod keywords;
mod notes;
mod numbers;
mod talk;
mod text;
mod units;
mod words;

use crate::failure::own_failure;
use crate::{Deltas, Model};
use async_trait::async_trait;
use shidi_locales::Language;
use shidi_locales::Models as Sentences;
use shidi_protocol::{
    Brief, FailureKind, Finish, ModelDelta, ModelFailure, ModelReply, ModelRequest, Sampling, Usage,
};
use text::half_width;
use tokio_util::sync::CancellationToken;

/// Shown wherever a model's name is shown.
const NAME: &str = "offline";

/// A model that answers by rules. The planner has no state.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflinePlanner;

impl OfflinePlanner {
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Model for OfflinePlanner {
    fn name(&self) -> &str {
        NAME
    }

    fn provider(&self) -> &str {
        NAME
    }

    fn is_offline(&self) -> bool {
        true
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        if cancel.is_cancelled() {
            return Err(own_failure(FailureKind::Cancelled, NAME, Sentences::cancelled));
        }
        let text = plan(&request.brief).written();
        deltas(ModelDelta::Text(text.clone()));
        Ok(ModelReply {
            asked: String::new(),
            text,
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
            model: NAME.to_owned(),
            provider: NAME.to_owned(),
            sampling: Sampling::default(),
        })
    }
}

/// The plan for a question.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Plan {
    Say(String),
    Run { thought: String, program: String },
}

impl Plan {
    /// The plan as a model writes it in the fenced format.
    fn written(&self) -> String {
        match self {
            Self::Say(text) => text.clone(),
            Self::Run { thought, program } => format!("{thought}\n\n```python\n{program}\n```"),
        }
    }
}

/// A plan that needs memory; where there is none, a sentence that says so.
fn with_memory(brief: &Brief, plan: Plan, language: Language) -> Plan {
    match brief.without_memory {
        true => Plan::Say(words::without_memory(language).to_owned()),
        false => plan,
    }
}

fn plan(brief: &Brief) -> Plan {
    let language = Language::named(&brief.language);
    if let Some(output) = &brief.last_output {
        return Plan::Say(words::output(language, output, brief.last_failed));
    }
    let typed = brief.question.trim();
    if let Some(plan) = code::plan(typed, language) {
        return plan;
    }
    let cased = half_width(typed);
    let lower = cased.to_lowercase();
    let computed = talk::plan(&lower, language)
        .or_else(|| arithmetic::plan(&lower, language))
        .or_else(|| units::plan(&cased, language))
        .or_else(|| dates::plan(&lower, language))
        .or_else(|| notes::remember(&cased, typed, language).map(|plan| with_memory(brief, plan, language)));
    if let Some(plan) = computed {
        return plan;
    }
    if is_half_read(&lower) && brief.attachments.is_empty() {
        return Plan::Say(words::cannot(language));
    }
    files::plan(&cased, &brief.attachments, language)
        .or_else(|| notes::recall(&cased, typed, language).map(|plan| with_memory(brief, plan, language)))
        .unwrap_or_else(|| Plan::Say(words::cannot(language)))
}

/// Whether a question holds a calculation that was not read: notes about its numbers would be no answer.
fn is_half_read(question: &str) -> bool {
    let letters: Vec<char> = question.chars().filter(|letter| *letter != ' ').collect();
    letters.windows(3).any(|around| {
        around[0].is_ascii_digit() && matches!(around[1], '+' | '*' | '^' | '=') && around[2].is_ascii_digit()
    })
}

#[cfg(test)]
mod tests;
