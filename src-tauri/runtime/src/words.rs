//! The runtime's own sentences in both languages: what broke, and what to do.

use shidi_protocol::{ErrorCode, UserError};

/// The language of sentences: that of the option, else of the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    Chinese,
    English,
}

impl Words {
    /// The language named `zh…` or `en…`; without a name that of `LC_ALL`, `LC_MESSAGES`, `LANG`.
    #[must_use]
    pub fn of(language: Option<&str>) -> Self {
        let from_environment = || {
            let names = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
            names
                .filter_map(|name| std::env::var(name).ok())
                .find(|value| !value.is_empty())
        };
        let name = language
            .map(str::to_owned)
            .or_else(from_environment)
            .unwrap_or_default();
        if name.starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// `zh` or `en`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.pick("zh", "en")
    }

    #[must_use]
    pub fn pick<'a>(self, chinese: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }
}

/// A sentence with its remedy.
pub fn error(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> UserError {
    UserError::new(code, message).hint(hint)
}

/// An error of ours that no user can mend.
pub fn internal(words: Words, detail: &str) -> UserError {
    error(
        ErrorCode::Internal,
        format!(
            "{}: {detail}",
            words.pick("师弟自己出了错", "Shidi made a mistake")
        ),
        words.pick(
            "重新启动再试；前面的内容都保留着",
            "Start it again and retry: what came before is kept",
        ),
    )
}
