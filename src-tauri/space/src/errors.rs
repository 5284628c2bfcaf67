//! Errors as people read them: what broke, and what to do.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, Unreadable, UserError};

/// A sentence with its remedy.
pub fn error(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> UserError {
    UserError::new(code, message).hint(hint)
}

/// An error of ours that no user can mend.
pub fn internal(language: Language, detail: &str) -> UserError {
    error(
        ErrorCode::Internal,
        language.space().internal(detail),
        language.space().internal_hint(),
    )
}

/// Whether the words of a failure tell of a path that needs a work folder, where none is granted.
#[must_use]
pub fn tells_of_no_folder(words: &str) -> bool {
    shidi_toolkits::ToolError::tells_of_no_folder(words)
}

/// Why something attached can't be read.
#[must_use]
pub fn unreadable(language: Language, reason: Unreadable) -> &'static str {
    match reason {
        Unreadable::Missing => language.space().unreadable_missing(),
        Unreadable::Forbidden => language.space().unreadable_forbidden(),
        Unreadable::Special => language.space().unreadable_special(),
        Unreadable::Binary => language.space().unreadable_binary(),
        Unreadable::Empty => language.space().unreadable_empty(),
        Unreadable::Locked => language.space().unreadable_locked(),
        Unreadable::Broken => language.space().unreadable_broken(),
        Unreadable::Huge => language.space().unreadable_huge(),
        Unreadable::NoText => language.space().unreadable_no_text(),
        Unreadable::TimedOut => language.space().unreadable_timed_out(),
        Unreadable::Unreachable => language.space().unreadable_unreachable(),
        Unreadable::NoReader => language.space().unreadable_no_reader(),
        Unreadable::Failed => language.space().unreadable_failed(),
    }
}
