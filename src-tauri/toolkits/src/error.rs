//! Why a tool could not do its work: each reason with the Python exception that a program can catch.

use shidi_protocol::{CallOutcome, Unreadable};
use std::path::{Path, PathBuf};

/// How the reason of [`ToolError::NoFolder`] begins, by which it is known within other words.
const NO_FOLDER: &str = "No work folder is granted";

/// One reason per variant; the model reads its text, which names the way out.
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
        "'{0}' is no name for anything new: it holds a line end or another control character; name it without"
    )]
    BadName(String),
    #[error(
        "No work folder is granted, so '{0}' leads nowhere; use an absolute path or ask the user for a folder"
    )]
    NoFolder(String),
    #[error("'{path}': the name must end with {known}")]
    NoForm { path: String, known: &'static str },
    #[error("The rows can't be written: {0}")]
    NoTable(String),
    #[error("'{path}' can't be written: {cause}")]
    NotTypeset {
        path: String,
        cause: shidi_pdf::PdfError,
    },
    #[error("'{0}' does not exist; files.list and files.glob show what is there")]
    Missing(String),
    #[error("'{path}' does not exist; nearest: {near}")]
    MissingBeside { path: String, near: String },
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
    #[error("'{path}' is not text ({kind}, {bytes} bytes)")]
    NotText {
        path: String,
        kind: &'static str,
        bytes: u64,
    },
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
    #[error("'{0}' now leads to '{1}', elsewhere than when the call was decided on")]
    Elsewhere(String, PathBuf),
    #[error("Line {line} of '{path}' lies more than {bytes} bytes into the file; search it with files.grep")]
    TooFar { path: String, line: u64, bytes: u64 },
    #[error("The pattern '{0}' can't be used: {1}")]
    Pattern(String, String),
    #[error("'{0}' could not be read: {1}")]
    Io(String, std::io::Error),
    #[error("'{0}' could not be written: {1}")]
    Unwritten(String, std::io::Error),
    #[error("'{0}' is write-protected; ask the user to allow it or to name another file")]
    Protected(String),
    #[error(
        "'{0}' is too large to be written or compared here (the limits are 16 MB of text, 64 MB of what is replaced, 4 MB to compare)"
    )]
    TooLarge(String),
    #[error("'{0}' was changed by somebody else at this very moment; read it again and repeat the change")]
    Meanwhile(String),
    #[error("'{0}' belongs to Shidi's own data, which only the user changes")]
    Own(String),
    #[error("'{0}' was not changed: what stands there could not be kept for an undo ({1})")]
    NotKept(String, std::io::Error),
    #[error("Nothing is kept of what stood in '{0}' before")]
    NothingKept(String),
    #[error("The change of '{0}' was taken back before")]
    Undone(String),
    /// `earlier` holds what stood there before; a file that was made new has nothing of the kind.
    #[error("'{path}' was changed again since, so it was left alone")]
    ChangedSince { path: String, earlier: Option<PathBuf> },
    #[error("'{0}' exists already; name another place, or delete what is there first")]
    Exists(String),
    #[error("'{0}' is a granted folder or holds one, or holds Shidi's own data: it stays where it is")]
    Root(String),
    #[error("'{0}' holds files that the user's rules keep back, so it stays as it is")]
    HoldsDenied(String),
    #[error("'{0}' holds more than {1}, which is too much at once; take its parts one by one")]
    TooMuch(String, String),
    #[error("'{0}' lies on another disk; files.copy it, then files.delete it")]
    OtherDisk(String),
    #[error("'{0}' can't be moved into itself")]
    IntoItself(String),
    #[error("'{0}' can't be put into the trash ({1}); ask the user to delete it")]
    NoTrash(String, String),
    #[error("'{0}' can't be unpacked: {1}")]
    Archive(String, String),
    #[error("'{0}' stays as it is: nothing is on record here, so it could not be taken back")]
    NoRecord(String),
    #[error("'{0}' was changed since, so it was left where it is")]
    Altered(String),
    #[error("'old' is empty; name what stands in '{0}' now, or use files.write for a whole file")]
    NothingToReplace(String),
    #[error("'old' does not stand in '{path}'{near}; files.read shows what does")]
    NotThere { path: String, near: String },
    #[error(
        "'old' stands in '{path}' {count} times, in lines {lines}; name more of what is around it, or pass all=True"
    )]
    Ambiguous {
        path: String,
        count: usize,
        lines: String,
    },
    #[error(
        "'{character}' has no place in the encoding of '{path}' ({encoding}); files.write makes it UTF-8"
    )]
    NoPlace {
        path: String,
        character: char,
        encoding: &'static str,
    },
}

/// The author of the words that an error repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// Words of a file, a name or the system.
    WhatWasFound,
    /// Words that the program itself passed.
    WhatWasPassed,
}

impl ToolError {
    /// The reason in the form that people are told, for a file that can't be read.
    #[must_use]
    pub fn reason(&self) -> Unreadable {
        match self {
            Self::Unread { reason, .. } => *reason,
            Self::Missing(_) | Self::MissingBeside { .. } | Self::NotFolder(_) => Unreadable::Missing,
            Self::Forbidden(_) => Unreadable::Forbidden,
            Self::Special(..) => Unreadable::Special,
            Self::Binary(..) | Self::NotText { .. } => Unreadable::Binary,
            _ => Unreadable::Failed,
        }
    }

    /// The detail beyond that reason.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Unread { detail, .. } if !detail.is_empty() => Some(detail.clone()),
            Self::Binary(_, found) | Self::NotText { kind: found, .. } => Some((*found).to_owned()),
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
            | Self::BadName(_)
            | Self::NoFolder(_)
            | Self::Binary(..)
            | Self::NotText { .. }
            | Self::TooFar { .. }
            | Self::NoPart { .. }
            | Self::TooLarge(_)
            | Self::NoForm { .. }
            | Self::NoTable(_)
            | Self::NotTypeset { .. }
            | Self::NothingKept(_)
            | Self::Undone(_)
            | Self::ChangedSince { .. }
            | Self::NothingToReplace(_)
            | Self::NotThere { .. }
            | Self::Ambiguous { .. }
            | Self::NoPlace { .. }
            | Self::TooMuch(..)
            | Self::IntoItself(_)
            | Self::Archive(..)
            | Self::Altered(_)
            | Self::NoRecord(_)
            | Self::Pattern(..) => "ValueError",
            Self::Exists(_) => "FileExistsError",
            Self::Missing(_) | Self::MissingBeside { .. } => "FileNotFoundError",
            Self::Forbidden(_)
            | Self::Escaped(..)
            | Self::Elsewhere(..)
            | Self::Protected(_)
            | Self::Root(_)
            | Self::HoldsDenied(_)
            | Self::Own(_) => "PermissionError",
            Self::Folder(_) => "IsADirectoryError",
            Self::NotFolder(_) => "NotADirectoryError",
            Self::Special(..)
            | Self::Io(..)
            | Self::Unwritten(..)
            | Self::NotKept(..)
            | Self::Meanwhile(_)
            | Self::OtherDisk(_)
            | Self::NoTrash(..)
            | Self::Unread { .. } => "OSError",
        }
    }

    /// The outcome for the program: our own words, with words of the program itself, unless a stranger is quoted.
    #[must_use]
    pub fn outcome(&self) -> CallOutcome {
        let outcome = CallOutcome::failure(self.kind(), self.to_string());
        match self.quotes() {
            Quotes::WhatWasFound => outcome,
            Quotes::WhatWasPassed => outcome.own(),
        }
    }

    /// The author of the words in the message besides ours. Parsers quote their input, and a link's maker chose
    /// its target.
    fn quotes(&self) -> Quotes {
        match self {
            Self::Unread { .. }
            | Self::MissingBeside { .. }
            | Self::Escaped(..)
            | Self::Elsewhere(..)
            | Self::Io(..)
            | Self::Unwritten(..)
            | Self::NotKept(..)
            | Self::NoTrash(..)
            | Self::Archive(..)
            | Self::NoPlace { .. } => Quotes::WhatWasFound,
            Self::MissingArgument { .. }
            | Self::UnknownArgument { .. }
            | Self::WrongArgument { .. }
            | Self::OutOfRange { .. }
            | Self::BadPath(..)
            | Self::BadName(_)
            | Self::NoFolder(_)
            | Self::Missing(_)
            | Self::Forbidden(_)
            | Self::Folder(_)
            | Self::NotFolder(_)
            | Self::Special(..)
            | Self::Binary(..)
            | Self::NotText { .. }
            | Self::NoPart { .. }
            | Self::TooFar { .. }
            | Self::Pattern(..)
            | Self::Protected(_)
            | Self::TooLarge(_)
            | Self::NoForm { .. }
            | Self::NoTable(_)
            | Self::NotTypeset { .. }
            | Self::Meanwhile(_)
            | Self::Own(_)
            | Self::NothingKept(_)
            | Self::Undone(_)
            | Self::ChangedSince { .. }
            | Self::NothingToReplace(_)
            | Self::NotThere { .. }
            | Self::Exists(_)
            | Self::Root(_)
            | Self::HoldsDenied(_)
            | Self::TooMuch(..)
            | Self::OtherDisk(_)
            | Self::IntoItself(_)
            | Self::Altered(_)
            | Self::NoRecord(_)
            | Self::Ambiguous { .. } => Quotes::WhatWasPassed,
        }
    }

    /// Whether words tell of a path that needs a work folder, where none is granted.
    #[must_use]
    pub fn tells_of_no_folder(words: &str) -> bool {
        words.contains(NO_FOLDER)
    }

    /// The error of a failed write.
    pub(crate) fn unwritten(path: &Path, error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                Self::Protected(path.display().to_string())
            }
            std::io::ErrorKind::IsADirectory => Self::Folder(path.display().to_string()),
            _ => Self::Unwritten(path.display().to_string(), error),
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

/// A sentence for a program; people get theirs from the surface that shows the reason.
pub(crate) fn explained(reason: Unreadable, detail: &str) -> String {
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
        Unreadable::NoReader => {
            "the program that reads documents is missing or of another version; the user installs Shidi again"
        }
        Unreadable::Failed => "the system failed",
    };
    if detail.is_empty() {
        words.to_owned()
    } else {
        format!("{words} ({detail})")
    }
}
