//! Decisions about calls that the user asked to be remembered. Listing, setting, forgetting.

use crate::clock;
use crate::errors::error;
use crate::space::Space;
use crate::storage;
use shidi_agent::permissions::Pattern;
use shidi_protocol::{ErrorCode, RememberedRule, UserError, Verdict, reply};
use shidi_store::{StoreError, Write};

pub fn rules(space: &Space) -> Result<reply::Rules, UserError> {
    let rules = space.store.rules().map_err(|cause| explain(space, &cause))?;
    let shown = |rule: shidi_store::Rule| RememberedRule {
        pattern: rule.pattern,
        verdict: rule.verdict,
        created: rule.created,
    };
    Ok(reply::Rules {
        rules: rules.into_iter().map(shown).collect(),
    })
}

/// A family of calls as its user wrote it.
///
/// # Errors
/// What is no pattern, with an example of one.
pub fn pattern_of(space: &Space, text: &str) -> Result<Pattern, UserError> {
    Pattern::parse(text).map_err(|cause| {
        error(
            ErrorCode::Input,
            cause.sentence(space.language()),
            space.language().runtime().example("files.read(path=/srv/*)"),
        )
    })
}

/// Remembers a decision of the user about a family of calls. An earlier decision about the same family is
/// replaced.
///
/// # Errors
/// What is no pattern, with an example of one.
pub fn set_rule(space: &Space, pattern: &str, verdict: Verdict) -> Result<reply::Rules, UserError> {
    let pattern = pattern_of(space, pattern)?;
    let rule = shidi_store::Rule {
        pattern: pattern.to_string(),
        verdict,
        created: clock::now(),
    };
    space
        .store
        .commit(Write::PutRule(rule))
        .map_err(|cause| explain(space, &cause))?;
    rules(space)
}

/// Forgets a decision; the calls that it covered ask again from the next question on.
pub fn forget_rule(space: &Space, pattern: String) -> Result<reply::Rules, UserError> {
    let known = space.store.rules().map_err(|cause| explain(space, &cause))?;
    if !known.iter().any(|rule| rule.pattern == pattern) {
        return Err(error(
            ErrorCode::NotFound,
            space.language().runtime().rule_not_remembered(pattern),
            space.language().runtime().see_rules(),
        ));
    }
    space
        .store
        .commit(Write::DeleteRule { pattern })
        .map_err(|cause| explain(space, &cause))?;
    rules(space)
}

fn explain(space: &Space, cause: &StoreError) -> UserError {
    storage::explain(cause, space.language())
}
