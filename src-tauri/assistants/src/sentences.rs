//! Why an assistant can't be asked, shown or kept, with what to do.

use crate::Assistants;
use crate::catalogue::Found;
use crate::words;
use shidi_locales::Language;
use shidi_protocol::{AssistantTrust, ErrorCode, UserError, visible};
use shidi_space::errors::error;

impl Assistants {
    /// Why an assistant can't be used, in a line; `None` of one that can.
    pub(crate) fn problem(&self, found: &Found) -> Option<String> {
        let language = self.space.language();
        let words = language.assistants();
        if let Err(faults) = &found.read {
            let fault = words::told(faults.get(..1).unwrap_or_default(), language).pop();
            return fault.map(|fault| {
                format!(
                    "{}:{}:{}: {}",
                    visible(&fault.file),
                    fault.line,
                    fault.column,
                    fault.what
                )
            });
        }
        if found.is_hidden {
            return Some(words.hidden().to_owned());
        }
        match found.trust {
            AssistantTrust::Reviewed => None,
            AssistantTrust::New => Some(words.not_reviewed().to_owned()),
            AssistantTrust::Changed => Some(words.changed_since().to_owned()),
        }
    }

    pub(crate) fn unusable(&self, found: &Found) -> UserError {
        let language = self.space.language();
        let words = language.assistants();
        let problem = self.problem(found).unwrap_or_default();
        let remedy = match &found.read {
            Err(faults) => {
                let fault = words::told(faults.get(..1).unwrap_or_default(), language).pop();
                fault.map(|fault| fault.remedy).unwrap_or_default()
            }
            Ok(_) => words.approve_it(&found.name),
        };
        error(
            ErrorCode::Input,
            words.cant_be_asked(&found.name, problem),
            remedy,
        )
    }

    /// A name that is nearly that of an assistant.
    pub(crate) fn misspelt(&self, name: &str, meant: &str) -> UserError {
        let words = self.space.language().assistants();
        error(
            ErrorCode::NotFound,
            words.no_such_assistant(visible(name)),
            words.did_you_mean(meant),
        )
    }

    /// A name of which there is nothing, with the one that was meant or those that there are.
    pub(crate) fn unknown(&self, name: &str, all: &[Found]) -> UserError {
        let words = self.space.language().assistants();
        let usable = all.iter().filter(|found| !found.is_hidden && found.read.is_ok());
        let names = usable.map(|found| found.name.as_str());
        error(
            ErrorCode::NotFound,
            words.no_such_assistant(visible(name)),
            words::near(words, name, names),
        )
    }

    /// An assistant whose file is not there any more: without its bounds its sessions must not go on.
    pub(crate) fn gone(&self, name: &str) -> UserError {
        let words = self.space.language().assistants();
        error(ErrorCode::NotFound, words.gone(name), words.bring_back())
    }
}

pub fn none_of_that_name(name: &str, language: Language) -> UserError {
    let words = language.assistants();
    error(
        ErrorCode::NotFound,
        words.no_such_assistant(visible(name)),
        words.see_assistants(),
    )
}

pub fn no_such_review(language: Language) -> UserError {
    let words = language.assistants();
    error(ErrorCode::NotFound, words.no_such_review(), words.review_again())
}

/// Why a draft is not asked here: the session tries none.
pub fn nothing_tried(language: Language) -> UserError {
    let words = language.assistants();
    error(
        ErrorCode::NotFound,
        words.nothing_tried(),
        words.try_in_workbench(),
    )
}

/// Why a draft is not asked: the file behind it is not trusted.
pub fn draft_unreviewed(name: &str, language: Language) -> UserError {
    let words = language.assistants();
    error(
        ErrorCode::Input,
        words.draft_unreviewed(visible(name)),
        words.trust_or_save(),
    )
}

pub fn changed_meanwhile(name: &str, language: Language) -> UserError {
    let words = language.assistants();
    error(
        ErrorCode::Input,
        words.changed_meanwhile(name),
        words.look_again(name),
    )
}

/// Why the file of that name stays as it is: its digest now, and that of what was shown where anything was.
pub fn not_replaced(
    name: &str,
    (there, shown): (Option<&str>, Option<&str>),
    language: Language,
) -> Option<UserError> {
    let words = language.assistants();
    match (there, shown) {
        (Some(_), None) => Some(error(
            ErrorCode::Input,
            words.there_already(name),
            words.choose_another_name(),
        )),
        (Some(there), Some(shown)) if there != shown => Some(changed_meanwhile(name, language)),
        (Some(_), Some(_)) | (None, _) => None,
    }
}

pub fn not_yours(name: &str, language: Language) -> UserError {
    let words = language.assistants();
    error(ErrorCode::Input, words.not_yours(name), words.keep_a_copy())
}

pub fn not_removable(name: &str, language: Language) -> UserError {
    let words = language.assistants();
    error(ErrorCode::Input, words.not_removable(name), words.yours_can_go())
}

pub fn unread(path: &str, cause: &std::io::Error, language: Language) -> UserError {
    let words = language.assistants();
    error(
        ErrorCode::NotFound,
        words.unread(cause, visible(path)),
        words.check_path(),
    )
}

pub fn not_kept(cause: &std::io::Error, language: Language) -> UserError {
    let words = language.assistants();
    error(ErrorCode::Storage, words.not_kept(cause), words.check_disk())
}

/// The first of the faults that keep a text from being an assistant.
pub fn faulty(faults: &[crate::problem::Fault], language: Language) -> UserError {
    let fault = words::told(faults.get(..1).unwrap_or_default(), language).pop();
    match fault {
        Some(fault) => {
            let place = format!("{}:{}:{}", visible(&fault.file), fault.line, fault.column);
            error(ErrorCode::Input, format!("{place}: {}", fault.what), fault.remedy)
        }
        None => error(
            ErrorCode::Input,
            language.assistants().unknown_format(),
            language.assistants().known_formats(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_reasons_to_leave_a_file_the_one_that_is_true_is_given() {
        for language in [Language::SOURCE, Language::named("zh")] {
            let words = language.assistants();
            let said = |digests| not_replaced("cook", digests, language).map(|error| error.message);
            assert_eq!(said((Some("a"), None)), Some(words.there_already("cook")));
            assert_eq!(
                said((Some("a"), Some("b"))),
                Some(words.changed_meanwhile("cook"))
            );
            assert_eq!(said((Some("a"), Some("a"))), None);
            assert_eq!(said((None, Some("a"))), None);
            let told = words.changed_meanwhile("cook");
            assert!(!told.contains(" or ") && !told.contains('或'), "{told}");
        }
    }
}
