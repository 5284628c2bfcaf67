//! Why a tool could not do what a program asked: each with the Python exception that the program can catch.

use shidi_protocol::Unreadable;
use std::path::{Path, PathBuf};

/// One reason per variant; the text is what the model reads and names the way out.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("{tool}() is missing the argument '{name}'")]
    MissingArgument { tool: String, name: String },
    #[error("{tool}() has no parameter '{name}'; it takes {known}")]
    UnknownArgument {
        tool: String,
        name: String,
        known: String,
    },
    #[error("{tool}(): '{name}' must be {expected}, not {found}")]
    WrongArgument {
        tool: String,
        name: String,
        expected: &'static str,
        found: &'static str,
    },
    #[error("{tool}(): '{name}' must be from {least} to {most}, not {found}")]
    OutOfRange {
        tool: String,
        name: String,
        least: u64,
        most: u64,
        found: String,
    },
    #[error("'{0}' is no path: {1}")]
    BadPath(String, &'static str),
    #[error(
        "No work folder is granted, so '{0}' leads nowhere; use an absolute path or ask the user for a folder"
    )]
    NoFolder(String),
    #[error("'{0}' does not exist; files.list and files.glob show what is there")]
    Missing(String),
    #[error("'{0}' may not be read by this user account; ask the user to allow it or to give another file")]
    Forbidden(String),
    #[error("'{0}' is a folder; files.list shows what is in it")]
    Folder(String),
    #[error("'{0}' is no folder; files.read reads a file, files.info tells what it is")]
    NotFolder(String),
    #[error("'{0}' is a {1}, which has no content to read")]
    Special(String, &'static str),
    #[error("'{0}' is not text ({1}); files.info tells its size and kind")]
    Binary(String, &'static str),
    #[error("'{path}' can't be read: {}", explained(*reason, detail))]
    Unread {
        path: String,
        reason: Unreadable,
        detail: String,
    },
    #[error("'{path}' has no {wanted}; files.outline lists what it has")]
    NoPart { path: String, wanted: String },
    #[error("'{0}' now leads to '{1}', outside the granted folders; it was permitted as a file inside them")]
    Escaped(String, PathBuf),
    #[error("Line {line} of '{path}' lies more than {bytes} bytes into the file; search it with files.grep")]
    TooFar { path: String, line: u64, bytes: u64 },
    #[error("The pattern '{0}' can't be used: {1}")]
    Pattern(String, String),
    #[error("'{0}' could not be read: {1}")]
    Io(String, std::io::Error),
}

impl ToolError {
    /// Why a file gives nothing, among the reasons that people are told.
    #[must_use]
    pub fn reason(&self) -> Unreadable {
        match self {
            Self::Unread { reason, .. } => *reason,
            Self::Missing(_) | Self::NotFolder(_) => Unreadable::Missing,
            Self::Forbidden(_) => Unreadable::Forbidden,
            Self::Special(..) => Unreadable::Special,
            Self::Binary(..) => Unreadable::Binary,
            Self::Folder(_)
            | Self::Escaped(..)
            | Self::Io(..)
            | Self::TooFar { .. }
            | Self::NoPart { .. }
            | Self::Pattern(..)
            | Self::MissingArgument { .. }
            | Self::UnknownArgument { .. }
            | Self::WrongArgument { .. }
            | Self::OutOfRange { .. }
            | Self::BadPath(..)
            | Self::NoFolder(_) => Unreadable::Failed,
        }
    }

    /// What is known beyond that reason.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Unread { detail, .. } if !detail.is_empty() => Some(detail.clone()),
            Self::Binary(_, found) => Some((*found).to_owned()),
            Self::Io(_, cause) => Some(cause.to_string()),
            _ => None,
        }
    }

    /// Names the Python exception that the program sees.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MissingArgument { .. } | Self::UnknownArgument { .. } | Self::WrongArgument { .. } => {
                "TypeError"
            }
            Self::OutOfRange { .. }
            | Self::BadPath(..)
            | Self::NoFolder(_)
            | Self::Binary(..)
            | Self::TooFar { .. }
            | Self::NoPart { .. }
            | Self::Pattern(..) => "ValueError",
            Self::Missing(_) => "FileNotFoundError",
            Self::Forbidden(_) | Self::Escaped(..) => "PermissionError",
            Self::Folder(_) => "IsADirectoryError",
            Self::NotFolder(_) => "NotADirectoryError",
            Self::Special(..) | Self::Io(..) | Self::Unread { .. } => "OSError",
        }
    }

    /// Words a system error about `path` as the program named it.
    pub(crate) fn io(path: &Path, error: std::io::Error) -> Self {
        let path = path.display().to_string();
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::Missing(path),
            std::io::ErrorKind::PermissionDenied => Self::Forbidden(path),
            std::io::ErrorKind::NotADirectory => Self::NotFolder(path),
            std::io::ErrorKind::IsADirectory => Self::Folder(path),
            _ => Self::Io(path, error),
        }
    }
}

/// Words for a program; people get theirs from whoever shows the reason.
fn explained(reason: Unreadable, detail: &str) -> String {
    let words = match reason {
        Unreadable::Missing => "there is no such file",
        Unreadable::Forbidden => "its permissions forbid it",
        Unreadable::Special => "it is a pipe, socket or device",
        Unreadable::Binary => "it is neither text, nor a picture, nor a document that can be read",
        Unreadable::Empty => "there is nothing in it",
        Unreadable::Locked => "it is protected by a password; ask the user for an unlocked copy",
        Unreadable::Broken => "it is damaged",
        Unreadable::Huge => "it is too large to be read",
        Unreadable::NoText => "its pages hold pictures, but no text",
        Unreadable::TimedOut => "reading it took too long",
        Unreadable::Unreachable => "its address did not answer with anything to read",
        Unreadable::Failed => "the system failed",
    };
    if detail.is_empty() {
        words.to_owned()
    } else {
        format!("{words} ({detail})")
    }
}
