//! Changes that tasks made to files, and undoing them.

use crate::macros::requests;
use crate::{Moment, RunId, SessionId, UserError};
use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

requests! {
    /// A request about changes of files.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    ChangeRequest as changes, through |action| crate::Request::Changes { action };
    /// Lists changes, of one session, of one run with its sub-agents, or of all. Replies: `Changes`, newest first.
    List {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        session: Option<SessionId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        run: Option<RunId>,
        /// The most that are listed. Unless said, all of a run, and some hundred else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        limit: Option<u32>,
    } -> Changes,
    /// Replies: `Changed`, with the difference between before and now.
    Show { change: String } -> Changed,
    /// Restores the file's earlier content. Where it stands there already, the reply says so.
    Undo { change: String } -> Changed,
    /// Undoes every change of a run and its sub-agents that still stands, newest first. One that can't be undone stays, and
    /// the others go on.
    UndoRun { run: RunId } -> ChangesUndone,
}

/// A change that could not be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ChangeLeft {
    pub change: FileChange,
    /// Why, and what is left to do.
    pub error: UserError,
}

/// What a call did to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ChangeKind {
    /// It wrote into a file.
    #[default]
    Write,
    /// It moved a file or folder, or gave it another name.
    Move,
    /// It copied a file or folder.
    Copy,
    /// It put a file or folder into the trash.
    Delete,
    /// It made an empty folder.
    MakeFolder,
    /// It unpacked an archive into a new folder.
    Unpack,
}

/// Sizes of a file that is no text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ChangedBytes {
    #[ts(type = "number")]
    pub before: u64,
    #[ts(type = "number")]
    pub after: u64,
}

/// A file that a call changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FileChange {
    /// `RUN/CALL`; its beginning or end names the change too, and `last` the newest one.
    pub id: String,
    /// The session of the task; `None` where a person's own program made the change outside of any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session: Option<SessionId>,
    #[serde(default)]
    pub kind: ChangeKind,
    /// The file or folder under its earlier name. Of a copy or of unpacked files, their source.
    pub path: String,
    /// Where it stands since; of what was deleted, its place in the trash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub to: Option<String>,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: u32,
    pub removed: u32,
    /// Its sizes, where it is no text and so has no lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bytes: Option<ChangedBytes>,
    /// Whether the change was undone.
    pub undone: bool,
    #[ts(type = "string")]
    pub at: Moment,
}

/// How many lines a call changed in a text file. It stands at the end of the summary beside the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedLines {
    /// All lines of a file that was not there before.
    New {
        lines: u64,
    },
    Changed {
        added: u64,
        removed: u64,
    },
}

impl ChangedLines {
    /// A summary without such an end, and what the end tells; `None` where there is none.
    #[must_use]
    pub fn at_end(summary: &str) -> Option<(&str, Self)> {
        let (before, end) = summary.rsplit_once(" · ")?;
        Some((before, Self::read(end)?))
    }

    fn read(end: &str) -> Option<Self> {
        if let Some(new) = end.strip_prefix("new, ") {
            let lines = lines_of(new)?;
            return Some(Self::New { lines });
        }
        let (added, removed) = end.strip_prefix('+')?.split_once(" −")?;
        Some(Self::Changed {
            added: added.parse().ok()?,
            removed: lines_of(removed)?,
        })
    }
}

impl fmt::Display for ChangedLines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = |count: u64| if count == 1 { "line" } else { "lines" };
        match *self {
            Self::New { lines } => write!(formatter, "new, {lines} {}", unit(lines)),
            Self::Changed { added, removed } => write!(formatter, "+{added} −{removed} {}", unit(removed)),
        }
    }
}

fn lines_of(text: &str) -> Option<u64> {
    let (count, unit) = text.split_once(' ')?;
    let count = count.parse().ok()?;
    ["line", "lines"].contains(&unit).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::ChangedLines;

    #[test]
    fn what_a_summary_says_of_lines_is_read_as_it_was_written() {
        let new = |lines| ChangedLines::New { lines };
        let changed = |added, removed| ChangedLines::Changed { added, removed };
        for told in [
            new(0),
            new(1),
            new(12),
            changed(1, 1),
            changed(0, 3),
            changed(20, 0),
        ] {
            let summary = format!("notes · old.md · {told}");
            assert_eq!(ChangedLines::at_end(&summary), Some(("notes · old.md", told)));
        }
        assert_eq!(changed(2, 1).to_string(), "+2 −1 line");
        for other in [
            "notes.md · 48 lines",
            "notes.md",
            "tmp · in the trash",
            "out · new, 1 file",
            "a · +x −1 line",
        ] {
            assert_eq!(ChangedLines::at_end(other), None, "{other}");
        }
    }
}
