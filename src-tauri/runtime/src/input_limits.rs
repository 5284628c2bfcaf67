//! Holds a question against its bound before anything begins: what is too long is refused with the remedy, never cut.

use crate::words::{Words, error};
use shidi_agent::limits::QUESTION_CHARACTERS_MAX;
use shidi_protocol::{ErrorCode, UserError};

/// Passes a question that a task can take in whole.
///
/// # Errors
/// One that is too long. What was piped in has what is asked at its end, which would be the first to go.
pub fn bounded(text: &str, words: Words) -> Result<(), UserError> {
    let characters = text.trim().chars().count();
    if characters <= QUESTION_CHARACTERS_MAX {
        return Ok(());
    }
    let message = match words {
        Words::Chinese => format!("问题有 {characters} 个字，最多 {QUESTION_CHARACTERS_MAX} 个"),
        Words::English => {
            format!("The question has {characters} characters; the most are {QUESTION_CHARACTERS_MAX}")
        }
    };
    let hint = words.pick(
        "把长的内容存成文件附上：shidi ask --file 文件 \"问题\"",
        "Save what is long as a file and attach it: shidi ask --file FILE \"question\"",
    );
    Err(error(ErrorCode::Input, message, hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_is_too_long_is_refused_as_wrong_input_with_the_remedy_in_both_languages() {
        let longest = format!(" {}\n", "字".repeat(QUESTION_CHARACTERS_MAX));
        for (words, said) in [
            (Words::Chinese, "最多 200000"),
            (Words::English, "most are 200000"),
        ] {
            assert_eq!(bounded(&longest, words), Ok(()));
            let refused = bounded(&format!("{longest}?"), words).expect_err("too long");
            assert_eq!(refused.code.exit_code(), 2);
            assert!(refused.message.contains(said), "{}", refused.message);
            assert!(refused.hint.expect("a remedy").contains("--file"));
        }
    }
}
