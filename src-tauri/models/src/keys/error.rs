//! Why a key can't be kept or read, with a remedy.

use super::{ENVIRONMENT, PASSPHRASE, file, keychain};
use shidi_locales::Language;

/// Why the keys could not be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence(Language::SOURCE))]
pub enum KeyError {
    Absent { reason: String },
    Locked { reason: String },
    Slow,
    Broken { reason: String },
    FileLocked { path: String },
    NeedsPassphrase { path: String, reason: String },
    WrongPassphrase { path: String },
    ShortPassphrase,
    FileBroken { path: String, reason: String },
    Needless,
    BadName { name: String },
}

impl KeyError {
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.keys();
        match self {
            Self::Absent { reason } => say.absent(reason),
            Self::Locked { reason } => say.locked(reason),
            Self::Slow => say.slow(keychain::ANSWER_MS / 1000),
            Self::Broken { reason } => say.broken(reason),
            Self::FileLocked { path } => say.file_locked(path),
            Self::NeedsPassphrase { path, reason } => say.needs_passphrase(path, reason),
            Self::WrongPassphrase { .. } => say.wrong_passphrase().to_owned(),
            Self::ShortPassphrase => say.short_passphrase(file::PASSPHRASE_CHARS_MIN),
            Self::FileBroken { path, reason } => say.file_broken(path, reason),
            Self::Needless => say.needless().to_owned(),
            Self::BadName { name } => say.bad_name(format_args!("{name:?}")),
        }
    }

    /// The user's remedy.
    #[must_use]
    pub fn remedy(&self, language: Language) -> String {
        let say = language.keys();
        let environment = say.in_environment(ENVIRONMENT);
        match self {
            Self::Absent { .. } if cfg!(target_os = "linux") => say.absent_linux_hint(environment),
            Self::Absent { .. } => say.absent_hint(environment),
            Self::Locked { .. } => say.locked_hint(environment),
            Self::Slow => say.slow_hint(environment),
            Self::Broken { .. } => say.broken_hint(environment),
            Self::FileLocked { .. } => say.file_locked_hint(PASSPHRASE),
            Self::NeedsPassphrase { .. } => say.needs_passphrase_hint(PASSPHRASE),
            Self::WrongPassphrase { path } => say.wrong_passphrase_hint(path),
            Self::ShortPassphrase => say.short_passphrase_hint().to_owned(),
            Self::FileBroken { .. } => say.file_broken_hint().to_owned(),
            Self::Needless => say.needless_hint().to_owned(),
            Self::BadName { .. } => say.bad_name_hint().to_owned(),
        }
    }
}
