//! Holds a question against its bound before anything begins: what is too long is refused with the remedy, never cut.

use crate::errors::error;
use shidi_agent::limits::QUESTION_CHARACTERS_MAX;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};

/// Passes a question that a task can take in whole.
///
/// # Errors
/// One that is too long. What was piped in has what is asked at its end, which would be the first to go.
pub fn bounded(text: &str, language: Language) -> Result<(), UserError> {
    let characters = text.trim().chars().count();
    if characters <= QUESTION_CHARACTERS_MAX {
        return Ok(());
    }
    let message = language
        .runtime()
        .question_too_long(characters, QUESTION_CHARACTERS_MAX);
    let hint = language.runtime().attach_instead();
    Err(error(ErrorCode::Input, message, hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_is_too_long_is_refused_as_wrong_input_with_the_remedy_in_both_languages() {
        let longest = format!(" {}\n", "字".repeat(QUESTION_CHARACTERS_MAX));
        for (language, said) in [(Language::Zh, "最多 200000"), (Language::En, "most are 200000")] {
            assert_eq!(bounded(&longest, language), Ok(()));
            let refused = bounded(&format!("{longest}?"), language).expect_err("too long");
            assert_eq!(refused.code.exit_code(), 2);
            assert!(refused.message.contains(said), "{}", refused.message);
            assert!(refused.hint.expect("a remedy").contains("--file"));
        }
    }
}
