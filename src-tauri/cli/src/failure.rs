//! How a command ends: the exit codes of the contract, and what is printed when it failed.

use shidi_protocol::{ErrorCode, RunStatus, UserError};
use std::io;
use std::process::ExitCode;

/// The end of a command that could be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// The task was tried and failed; the reason was printed.
    TaskFailed,
    /// The run waits for an approval, an answer or another party.
    Suspended,
    Cancelled,
    /// For a reason that has a code of its own.
    Because(ErrorCode),
}

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    User(#[from] UserError),
    /// Whoever read our output has seen enough.
    #[error("The reader of the output went away")]
    OutputClosed,
    #[error("The output could not be written: {0}")]
    Output(io::Error),
    #[error("The threads of the program could not be started: {0}")]
    Threads(io::Error),
    #[error("The runtime ended the conversation before its answer was complete")]
    Unanswered,
}

impl Exit {
    /// The exit of a run that ended with `status`.
    #[must_use]
    pub fn of_run(status: RunStatus) -> Self {
        match status {
            RunStatus::Completed => Self::Done,
            RunStatus::Failed | RunStatus::GaveUp => Self::TaskFailed,
            RunStatus::Suspended => Self::Suspended,
            RunStatus::Cancelled => Self::Cancelled,
        }
    }

    /// The number that a shell sees.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::TaskFailed => 1,
            Self::Suspended => 3,
            Self::Cancelled => 130,
            Self::Because(code) => code.exit_code(),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl Failure {
    /// Wrong usage or bad input, with what to do about it.
    #[must_use]
    pub fn input(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::User(UserError::new(ErrorCode::Input, message).hint(hint))
    }
}

impl From<io::Error> for Failure {
    /// Errors of writing to stdout; other errors are worded where they happen.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else {
            Self::Output(error)
        }
    }
}
