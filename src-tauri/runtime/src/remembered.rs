//! Decisions about calls that the user asked to be remembered. Listing, setting, forgetting.

use crate::clock;
use crate::engine::Engine;
use crate::storage;
use crate::words::error;
use shidi_agent::permissions::Pattern;
use shidi_protocol::{ErrorCode, RememberedRule, Reply, UserError, Verdict};
use shidi_store::{StoreError, Write};

pub fn rules(engine: &Engine) -> Result<Reply, UserError> {
    let rules = engine.store.rules().map_err(|cause| explain(engine, &cause))?;
    let shown = |rule: shidi_store::Rule| RememberedRule {
        pattern: rule.pattern,
        verdict: rule.verdict,
        created: rule.created,
    };
    Ok(Reply::Rules {
        rules: rules.into_iter().map(shown).collect(),
    })
}

/// Remembers a decision of the user about a family of calls, in place of an earlier one about the same family.
///
/// # Errors
/// What is no pattern, with an example of one.
pub fn set_rule(engine: &Engine, pattern: &str, verdict: Verdict) -> Result<Reply, UserError> {
    let pattern = Pattern::parse(pattern).map_err(|cause| {
        let example = "files.read(path=/srv/*)";
        error(
            ErrorCode::Input,
            cause.to_string(),
            format!("{}: {example}", engine.words().pick("例如", "For example")),
        )
    })?;
    let rule = shidi_store::Rule {
        pattern: pattern.to_string(),
        verdict,
        created: clock::now(),
    };
    engine
        .store
        .commit(Write::PutRule(rule))
        .map_err(|cause| explain(engine, &cause))?;
    rules(engine)
}

/// Forgets a decision; the calls that it covered ask again from the next question on.
pub fn forget_rule(engine: &Engine, pattern: String) -> Result<Reply, UserError> {
    let known = engine.store.rules().map_err(|cause| explain(engine, &cause))?;
    if !known.iter().any(|rule| rule.pattern == pattern) {
        return Err(error(
            ErrorCode::NotFound,
            format!(
                "{} {pattern}",
                engine.words().pick("没有记住这条", "This is not remembered:")
            ),
            engine.words().pick(
                "看看有哪些：shidi config rules",
                "See which there are: shidi config rules",
            ),
        ));
    }
    engine
        .store
        .commit(Write::DeleteRule { pattern })
        .map_err(|cause| explain(engine, &cause))?;
    rules(engine)
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
