//! Failures outside the program. A failure of the program itself is a [`ProgramError`](crate::ProgramError).

use std::path::PathBuf;

/// Why a session could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ExecutorError {
    #[error("The worker program is missing at {path}")]
    WorkerMissing { path: PathBuf },
    #[error("The worker at {path} could not be started: {source}")]
    WorkerNotStarted { path: PathBuf, source: std::io::Error },
    #[error("The worker did not get ready: {why}")]
    WorkerNotReady { why: String },
    #[error("The worker is of version {found}, this program needs {needed}")]
    WorkerOfAnotherVersion { found: u32, needed: u32 },
    #[error("The worker was lost: {why}")]
    WorkerLost { why: String },
    #[error("A program is still running in this session; answer its calls or stop it first")]
    Busy,
    #[error("No program is running in this session")]
    NotRunning,
    #[error("The program does not wait for call {number}")]
    NotAwaited { number: u32 },
    #[error("A result came for call {number}, which the program has not made")]
    NoSuchCall { number: u32 },
    #[error("The program with its variables is too large to be handed to the worker: {why}")]
    TooLarge { why: String },
}
