//! Failures in the user's words: what broke and what to do about it, in the language of the interface.

use crate::prompt_templates::PromptError;
use crate::run_context::RunContext;
use shidi_locales::{Agent as Sentences, Language};
use shidi_protocol::{ErrorCode, FailureKind, ModelFailure, UserError};

/// A prompt that can't be built.
pub fn of_prompt(context: &RunContext, error: &PromptError) -> UserError {
    let say = context.say();
    UserError::new(ErrorCode::Input, say.prompt_not_built(error)).hint(say.prompt_not_built_hint())
}

/// A model whose answers can't be read, several times in a row.
pub fn of_format(context: &RunContext) -> UserError {
    let say = context.say();
    UserError::new(ErrorCode::Task, say.no_usable_answer()).hint(say.no_usable_answer_hint())
}

/// A program of the user's own that failed: the exception stands in the last line of `error`.
pub fn of_given_program(context: &RunContext, error: &str) -> UserError {
    let last = error.trim_end().lines().last().unwrap_or_default();
    UserError::new(ErrorCode::Task, said_once(context.say(), last))
}

/// The sentence of a program that failed, unless the exception brings it from a program that this one called.
fn said_once(say: Sentences, exception: &str) -> String {
    let told = say.language().error_of_program(exception);
    match exception.contains(&say.program_failed("")) {
        true => told,
        false => say.program_failed(told),
    }
}

/// A record that can't be written any more.
pub fn of_storage(context: &RunContext, message: &str) -> UserError {
    let hint = context.say().storage_hint();
    UserError::new(ErrorCode::Storage, message).hint(hint)
}

/// A replay after a restart that did not follow the record.
pub fn of_replay(context: &RunContext, detail: &str) -> UserError {
    let say = context.say();
    let message = match detail {
        "" => say.replay_diverged().to_owned(),
        detail => say.replay_diverged_detail(detail),
    };
    UserError::new(ErrorCode::Task, message).hint(say.replay_diverged_hint())
}

/// The sentence and remedy for each class of provider error, in the user's language.
#[must_use]
pub fn model_error(language: &str, failure: &ModelFailure) -> UserError {
    let (kind, provider) = (failure.kind, &failure.provider);
    let code = match kind {
        FailureKind::Key | FailureKind::NoKey => ErrorCode::Key,
        FailureKind::KeysLocked => ErrorCode::KeysLocked,
        FailureKind::ContextLength | FailureKind::Refused | FailureKind::Budget => ErrorCode::Task,
        FailureKind::Cancelled => ErrorCode::Cancelled,
        FailureKind::Unreachable
        | FailureKind::Quota
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Timeout
        | FailureKind::Cut
        | FailureKind::NoSuchModel
        | FailureKind::Malformed
        | FailureKind::Unserved => ErrorCode::Model,
    };
    let language = Language::named(language);
    let say = language.agent();
    let detail = match failure.detail.text(language) {
        "" => String::new(),
        detail => say.model_detail(detail),
    };
    let title = failure.provider_title.as_ref().unwrap_or(provider);
    let (message, hint) = of_kind(kind, say, (title, &detail, provider));
    UserError::new(code, message)
        .hint(hint)
        .of_model(failure.trouble())
}

fn of_kind(
    kind: FailureKind,
    say: Sentences,
    (title, detail, provider): (&str, &str, &str),
) -> (String, String) {
    match kind {
        FailureKind::Unreachable => (
            say.model_unreachable(detail, title),
            say.model_unreachable_hint().to_owned(),
        ),
        FailureKind::Key => (say.model_key(detail, title), say.model_key_hint(provider)),
        FailureKind::NoKey => (say.model_no_key(detail, title), say.model_no_key_hint(provider)),
        FailureKind::KeysLocked => (
            say.model_keys_locked(detail, title),
            say.model_keys_locked_hint().to_owned(),
        ),
        FailureKind::Budget => (
            say.model_budget(detail, title),
            say.model_budget_hint().to_owned(),
        ),
        FailureKind::Quota => (say.model_quota(detail, title), say.model_quota_hint().to_owned()),
        FailureKind::RateLimited => (
            say.model_rate_limited(detail, title),
            say.model_rate_limited_hint().to_owned(),
        ),
        FailureKind::Overloaded => (
            say.model_overloaded(detail, title),
            say.model_overloaded_hint().to_owned(),
        ),
        FailureKind::ServerError => (
            say.model_server_error(detail, title),
            say.model_server_error_hint().to_owned(),
        ),
        FailureKind::Timeout => (
            say.model_timeout(detail, title),
            say.model_timeout_hint().to_owned(),
        ),
        FailureKind::Cut => (say.model_cut(detail, title), say.model_cut_hint().to_owned()),
        FailureKind::ContextLength => (
            say.model_context_length(detail, title),
            say.model_context_length_hint().to_owned(),
        ),
        FailureKind::NoSuchModel => (
            say.model_no_such_model(detail, title),
            say.model_no_such_model_hint().to_owned(),
        ),
        FailureKind::Malformed => (
            say.model_malformed(detail, title),
            say.model_malformed_hint().to_owned(),
        ),
        FailureKind::Refused => (
            say.model_refused(detail, title),
            say.model_refused_hint().to_owned(),
        ),
        FailureKind::Unserved => (say.model_unserved(detail), say.model_unserved_hint().to_owned()),
        FailureKind::Cancelled => (
            say.model_cancelled(detail, title),
            say.model_cancelled_hint().to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_failed_by_another_one_says_so_once() {
        for language in [Language::En, Language::Zh] {
            let say = language.agent();
            let inner = said_once(say, "line 4: KeyError: 'key'");
            assert_ne!(inner, "line 4: KeyError: 'key'");
            let outer = format!("line 1: RuntimeError: care.look: {inner}");
            assert_eq!(said_once(say, &outer), language.error_of_program(&outer));
        }
    }

    #[test]
    fn a_failed_program_names_its_line_and_remedy_in_the_users_language() {
        let error = "line 3: NameError: name 'foo' is not defined (Did you mean `for`?)";
        assert!(said_once(Language::En.agent(), error).ends_with(error));
        let told = said_once(Language::Zh.agent(), error);
        assert!(
            !told.contains("line 3") && !told.contains("Did you mean"),
            "{told}"
        );
        assert!(told.contains("NameError: name 'foo' is not defined"), "{told}");
    }
}
