//! Why a server can't be used, as a sentence and its remedy.

use shidi_locales::Language;
use std::time::Duration;

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
    Unreachable(String),
    Silent {
        after: Duration,
        said: String,
    },
    SignIn,
    /// The server signs nobody in.
    NoSignIn,
    SignInFailed(String),
    /// Nobody came back from the browser.
    SignInLate,
    Refused(String),
    TooLong,
    Strange(String),
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
            Self::Unreachable(cause) => say.unreachable(cause),
            Self::Silent { after, said } => say.silent(quoted(said), after.as_secs()),
            Self::SignIn => say.sign_in().to_owned(),
            Self::NoSignIn => say.no_sign_in().to_owned(),
            Self::SignInFailed(why) => say.sign_in_failed(why),
            Self::SignInLate => say.sign_in_late().to_owned(),
            Self::Refused(cause) => say.refused(cause),
            Self::TooLong => say.too_long(crate::limits::MESSAGE_BYTES_MAX >> 20),
            Self::Strange(what) => say.strange(what),
            Self::Asks(what) => say.asks(what),
            Self::NotGiven(why) => say.not_given(why),
            Self::Resting { failures, wait, last } => say.resting(failures, last, wait.as_secs().max(1)),
            Self::Cancelled => say.cancelled().to_owned(),
            Self::Closed => say.closed().to_owned(),
        }
    }

    #[must_use]
    pub fn hint(&self, language: Language) -> &'static str {
        let say = language.mcp_client();
        match self {
            Self::NotStarted { .. } => say.check_program(),
            Self::Address(_) => say.address_begins(),
            Self::InTheClear(_) => say.use_https(),
            Self::Header(_) => say.header_rule(),
            Self::Ended { .. } | Self::Silent { .. } | Self::Resting { .. } => say.run_in_terminal(),
            Self::Unreachable(_) => say.check_network(),
            Self::SignIn => say.do_sign_in(),
            Self::NoSignIn => say.give_key(),
            Self::SignInFailed(_) | Self::SignInLate => say.sign_in_again(),
            Self::Refused(_) | Self::Strange(_) | Self::Asks(_) | Self::NotGiven(_) | Self::TooLong => {
                say.see_answer()
            }
            Self::Cancelled | Self::Closed => say.try_again(),
        }
    }
}
