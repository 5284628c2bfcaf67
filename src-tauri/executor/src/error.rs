//! Failures outside the program. A failure of the program itself is a [`ProgramError`](crate::ProgramError).

use shidi_locales::Language;
use std::path::PathBuf;

/// Why a session could not do its work.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.sentence(Language::SOURCE))]
pub enum ExecutorError {
    WorkerMissing { path: PathBuf },
    WorkerNotStarted { path: PathBuf, source: std::io::Error },
    WorkerNotReady { why: String },
    WorkerOfAnotherVersion { found: u32, needed: u32 },
    WorkerLost { why: String },
    Busy,
    NotRunning,
    NotAwaited { number: u32 },
    NoSuchCall { number: u32 },
    TooLarge { why: String },
}

impl ExecutorError {
    /// What broke, in the user's language.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.executor();
        match self {
            Self::WorkerMissing { path } => say.worker_missing(path.display()),
            Self::WorkerNotStarted { path, source } => say.worker_not_started(source, path.display()),
            Self::WorkerNotReady { why } => say.worker_not_ready(why),
            Self::WorkerOfAnotherVersion { found, needed } => say.worker_of_another_version(found, needed),
            Self::WorkerLost { why } => say.worker_lost(why),
            Self::Busy => say.busy().to_owned(),
            Self::NotRunning => say.not_running().to_owned(),
            Self::NotAwaited { number } => say.not_awaited(number),
            Self::NoSuchCall { number } => say.no_such_call(number),
            Self::TooLarge { why } => say.too_large(why),
        }
    }
}
