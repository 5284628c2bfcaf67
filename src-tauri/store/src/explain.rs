//! The meaning of a store's failure for the user, in their language: the broken part, and the remedy.

use crate::StoreError;
use shidi_locales::{Language, Store as Sentences};
use shidi_protocol::{ErrorCode, UserError};

impl StoreError {
    /// The failure as it is shown; `language` is a code such as `zh`.
    #[must_use]
    pub fn user_error(&self, language: &str) -> UserError {
        let language = Language::named(language);
        let sentence = self.sentence(language);
        let message = match self.cause(language) {
            Some(cause) => language.store().with_cause(cause, sentence),
            None => sentence,
        };
        UserError::new(self.code(), message).hint(self.hint(language.store()))
    }

    /// What broke, without the cause below it.
    pub(crate) fn sentence(&self, language: Language) -> String {
        let say = language.store();
        match self {
            Self::Newer { found, known } => say.newer(found, known),
            Self::ReadOnly { path } => say.read_only(path.display()),
            Self::Full => say.full().to_owned(),
            Self::Locked { path } => say.locked(path.display()),
            Self::Busy { path } => say.busy(path.display()),
            Self::Damaged { path, detail } => say.damaged(detail, path.display()),
            Self::Refused { detail } => say.refused(detail),
            Self::TooLarge => say.too_large().to_owned(),
            Self::Unreadable { detail } => say.unreadable(detail),
            Self::Earlier { .. } => say.earlier().to_owned(),
            Self::Closed => say.closed().to_owned(),
            Self::Ambiguous { text, matches } => say.ambiguous(matches, text),
            Self::Folder { path, .. } => say.folder(path.display()),
            Self::Sqlite { path, .. } => say.sqlite(path.display()),
        }
    }

    fn cause(&self, language: Language) -> Option<String> {
        match self {
            Self::Earlier { source } => Some(source.sentence(language)),
            Self::Folder { source, .. } => Some(source.to_string()),
            Self::Sqlite { source, .. } => Some(source.to_string()),
            Self::Newer { .. }
            | Self::ReadOnly { .. }
            | Self::Full
            | Self::Locked { .. }
            | Self::Busy { .. }
            | Self::Damaged { .. }
            | Self::Refused { .. }
            | Self::TooLarge
            | Self::Ambiguous { .. }
            | Self::Unreadable { .. }
            | Self::Closed => None,
        }
    }

    fn hint(&self, say: Sentences) -> &'static str {
        match self {
            Self::Earlier { source } => source.hint(say),
            Self::Newer { .. } => say.newer_hint(),
            Self::ReadOnly { .. } => say.read_only_hint(),
            Self::Full => say.full_hint(),
            Self::Locked { .. } => say.locked_hint(),
            Self::Busy { .. } => say.busy_hint(),
            Self::Damaged { .. } | Self::Unreadable { .. } => say.damaged_hint(),
            Self::Ambiguous { .. } => say.ambiguous_hint(),
            Self::Folder { .. } | Self::Sqlite { .. } => say.disk_hint(),
            Self::Refused { .. } | Self::TooLarge | Self::Closed => say.start_again_hint(),
        }
    }

    fn code(&self) -> ErrorCode {
        match self {
            Self::Newer { .. } => ErrorCode::NewerData,
            Self::Ambiguous { .. } => ErrorCode::Input,
            Self::Refused { .. } | Self::TooLarge | Self::Closed => ErrorCode::Internal,
            Self::Earlier { source } => source.code(),
            Self::ReadOnly { .. }
            | Self::Full
            | Self::Locked { .. }
            | Self::Busy { .. }
            | Self::Damaged { .. }
            | Self::Unreadable { .. }
            | Self::Folder { .. }
            | Self::Sqlite { .. } => ErrorCode::Storage,
        }
    }
}
