//! Why a server can't be used, as a sentence and its remedy.

use crate::text::paragraph;
use crate::unreached::Unreached;
use shidi_locales::{Language, McpClient};
use std::time::Duration;

/// Characters of a key's name in a remedy.
const KEY_NAME_CHARACTERS: usize = 60;

/// The failure of a server; its quoted words are cleaned and bounded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence(Language::SOURCE))]
pub enum McpError {
    NotStarted {
        program: String,
        cause: String,
    },
    Address(String),
    InTheClear(String),
    Header(String),
    Ended {
        said: String,
    },
    Unreachable(Unreached),
    /// What the address answered, as HTTP has numbers for it.
    Status(u16),
    /// The address answered what no MCP server does; the kind of its answer, where that is another one.
    NoServer(Option<String>),
    Silent {
        after: Duration,
        said: String,
    },
    SignIn,
    /// The last sign-in gave fewer rights than the server wants, which are these.
    Rights(Vec<String>),
    /// The key that the user gave has fewer rights than the server wants, which are these.
    KeyRights(Vec<String>),
    /// The server does not take the key that the user gave under this name.
    KeyRefused(String),
    /// The server signs in only programs that it was told of before.
    UnknownClient,
    /// The server names another authority than the one that the user's client is for.
    OtherAuthority {
        known: String,
        named: String,
    },
    /// The server signs nobody in.
    NoSignIn,
    SignInFailed(String),
    /// Nobody came back from the browser.
    SignInLate,
    Refused(String),
    TooLong,
    Strange(Oddity),
    Asks(&'static str),
    /// The server wants something before it answers that it does not get.
    NotGiven(String),
    Resting {
        failures: u32,
        wait: Duration,
        last: String,
    },
    Cancelled,
    Closed,
}

/// In which way an answer is none of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    NoJson,
    /// The first answer is not one with which a conversation begins.
    Beginning,
    /// Only revisions are spoken that are not known here.
    Revision,
    /// Another kind of answer than the one that was asked for.
    Kind,
}

impl McpError {
    /// One sentence without its period.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.mcp_client();
        let quoted = |said: &str| match said {
            "" => String::new(),
            said => say.quoted(said),
        };
        match self {
            Self::NotStarted { program, cause } => say.not_started(cause, program),
            Self::Address(url) => say.address(url),
            Self::InTheClear(url) => say.in_the_clear(url),
            Self::Header(name) => say.header(name),
            Self::Ended { said } => say.ended(quoted(said)),
            Self::Unreachable(why) => say.unreachable(why.sentence(language)),
            Self::Status(status) => of_status(say, *status),
            Self::NoServer(Some(kind)) => say.no_server_kind(kind),
            Self::NoServer(None) => say.no_server().to_owned(),
            Self::Silent { after, said } => say.silent(quoted(said), after.as_secs()),
            Self::SignIn => say.sign_in().to_owned(),
            Self::Rights(rights) => say.lacks_rights(rights.join(" ")),
            Self::KeyRights(rights) => say.key_lacks_rights(rights.join(" ")),
            Self::KeyRefused(_) => say.key_refused().to_owned(),
            Self::UnknownClient => say.unknown_client().to_owned(),
            Self::OtherAuthority { known, named } => say.other_authority(known, named),
            Self::NoSignIn => say.no_sign_in().to_owned(),
            Self::SignInFailed(why) => say.sign_in_failed(why),
            Self::SignInLate => say.sign_in_late().to_owned(),
            Self::Refused(cause) => say.refused(cause),
            Self::TooLong => say.too_long(crate::limits::MESSAGE_BYTES_MAX >> 20),
            Self::Strange(oddity) => say.strange(told(say, *oddity)),
            Self::Asks(what) => say.asks(what),
            Self::NotGiven(why) => say.not_given(why),
            Self::Resting { failures, wait, last } => say.resting(failures, last, wait.as_secs().max(1)),
            Self::Cancelled => say.cancelled().to_owned(),
            Self::Closed => say.closed().to_owned(),
        }
    }

    /// What helps, for the server of that name.
    #[must_use]
    pub fn hint(&self, language: Language, name: &str) -> String {
        let say = language.mcp_client();
        let hint = match self {
            Self::NotStarted { .. } => say.check_program(),
            Self::Address(_) => say.address_begins(),
            Self::InTheClear(_) => say.use_https(),
            Self::Header(_) => say.header_rule(),
            Self::Ended { .. } | Self::Resting { .. } => say.run_in_terminal(),
            Self::Silent { .. } => say.see_why_silent(),
            Self::Unreachable(why) => why.hint(say),
            Self::Status(300..=399) => say.give_new_address(),
            Self::Status(404 | 405 | 410 | 501) | Self::NoServer(_) => say.check_path(),
            Self::Status(429 | 500..=599) => say.try_later(),
            Self::NoSignIn => say.give_key(),
            Self::SignInFailed(_) | Self::SignInLate => say.sign_in_again(),
            Self::Cancelled | Self::Closed => say.try_again(),
            Self::SignIn => return say.do_sign_in(name),
            Self::Rights(_) => return say.sign_in_for_rights(name),
            Self::KeyRights(_) => return say.give_other_key(name),
            Self::KeyRefused(key) => return say.check_key(name, as_argument(key)),
            Self::UnknownClient => return say.give_client_id(name),
            Self::OtherAuthority { .. } => return say.ask_for_authority(name),
            Self::Status(_)
            | Self::Refused(_)
            | Self::Strange(_)
            | Self::Asks(_)
            | Self::NotGiven(_)
            | Self::TooLong => return say.see_answer(name),
        };
        hint.to_owned()
    }

    /// What helps where the server of that name was to be added and was not. What speaks of one that is there would
    /// mislead.
    #[must_use]
    pub fn hint_of_new(&self, language: Language, name: &str) -> String {
        let say = language.mcp_client();
        match self {
            Self::KeyRights(_) => say.add_with_other_key().to_owned(),
            Self::KeyRefused(key) => say.add_with_key(as_argument(key)),
            Self::Status(300..=399 | 404 | 405 | 410 | 429 | 500..=599) => self.hint(language, name),
            Self::Status(_)
            | Self::Refused(_)
            | Self::Strange(_)
            | Self::Asks(_)
            | Self::NotGiven(_)
            | Self::TooLong
            | Self::Closed
            | Self::Cancelled => say.mend_and_add().to_owned(),
            Self::NotStarted { .. }
            | Self::Address(_)
            | Self::InTheClear(_)
            | Self::Header(_)
            | Self::Ended { .. }
            | Self::Unreachable(_)
            | Self::NoServer(_)
            | Self::Silent { .. }
            | Self::SignIn
            | Self::Rights(_)
            | Self::UnknownClient
            | Self::OtherAuthority { .. }
            | Self::NoSignIn
            | Self::SignInFailed(_)
            | Self::SignInLate
            | Self::Resting { .. } => self.hint(language, name),
        }
    }
}

/// The name of a key as it is typed at a terminal, where a `?` means more than itself.
fn as_argument(key: &str) -> String {
    let shown = paragraph(key, KEY_NAME_CHARACTERS);
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    match shown.chars().all(is_plain) {
        true => shown,
        false => format!("'{}'", shown.replace('\'', "'\\''")),
    }
}

fn told(say: McpClient, oddity: Oddity) -> &'static str {
    match oddity {
        Oddity::NoJson => say.odd_no_json(),
        Oddity::Beginning => say.odd_beginning(),
        Oddity::Revision => say.odd_revision(),
        Oddity::Kind => say.odd_kind(),
    }
}

/// What an answer of HTTP means where one of MCP was wanted.
fn of_status(say: McpClient, status: u16) -> String {
    match status {
        300..=399 => say.status_moved(status),
        404 | 405 | 410 | 501 => say.status_no_server(status),
        429 => say.status_busy(status),
        500..=599 => say.status_failed(status),
        _ => say.status_refused(status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_answered_was_reached_and_each_status_has_its_remedy() {
        for (status, said, remedy) in [
            (307, "leads elsewhere", "new address"),
            (400, "did not take", "manual"),
            (404, "No MCP server", "/mcp"),
            (429, "fewer requests", "later"),
            (500, "failed", "later"),
            (501, "No MCP server", "/mcp"),
        ] {
            let cause = McpError::Status(status);
            let sentence = cause.sentence(Language::En);
            assert!(
                sentence.contains(said) && sentence.contains(&status.to_string()),
                "{sentence}"
            );
            assert!(!sentence.contains("could not be reached"), "{sentence}");
            let hint = cause.hint(Language::En, "far");
            assert!(hint.contains(remedy), "{status}: {hint}");
        }
    }

    #[test]
    fn a_server_that_was_not_added_has_a_remedy_that_names_none() {
        for cause in [
            McpError::Status(400),
            McpError::Status(404),
            McpError::Status(503),
            McpError::Refused("no".to_owned()),
            McpError::Strange(Oddity::NoJson),
            McpError::KeyRights(vec!["read".to_owned()]),
            McpError::KeyRefused("X-Key".to_owned()),
            McpError::Unreachable(Unreached::NobodyListens),
            McpError::TooLong,
        ] {
            for language in Language::ALL {
                let hint = cause.hint_of_new(*language, "far");
                assert!(!hint.is_empty());
                for of_one_that_is_there in ["mcp test", "mcp log", "mcp remove", "mcp sign-in"] {
                    assert!(!hint.contains(of_one_that_is_there), "{cause:?}: {hint}");
                }
            }
        }
    }

    #[test]
    fn what_only_a_new_entry_mends_is_removed_before_it_is_added() {
        let other = McpError::OtherAuthority {
            known: "https://a.example/token".to_owned(),
            named: "https://b.example/token".to_owned(),
        };
        let refused = McpError::KeyRefused("Authorization".to_owned());
        let keys = [McpError::KeyRights(Vec::new()), refused];
        for cause in keys.into_iter().chain([McpError::UnknownClient, other]) {
            for language in [Language::En, Language::Zh] {
                let hint = cause.hint(language, "far");
                assert!(hint.contains("shidi mcp remove far"), "{hint}");
            }
        }
    }

    #[test]
    fn a_remedy_names_the_server_itself_and_the_key_as_it_is_typed() {
        for (cause, command) in [
            (McpError::SignIn, "shidi mcp sign-in far"),
            (McpError::Rights(Vec::new()), "shidi mcp sign-in far"),
            (McpError::TooLong, "shidi mcp log far"),
            (McpError::KeyRefused("X-Key".to_owned()), "--secret X-Key"),
            (McpError::KeyRefused("?api_key".to_owned()), "--secret '?api_key'"),
        ] {
            for language in Language::ALL {
                let hint = cause.hint(*language, "far");
                assert!(hint.contains(command), "{hint}");
            }
        }
        assert_eq!(as_argument("a'b"), "'a'\\''b'");
    }
}
