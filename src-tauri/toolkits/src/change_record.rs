//! The record of a call's change of a file. Where the record lies is for whoever performs the call: this crate knows no
//! store.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_protocol::{ChangeKind, ChangedBytes, Moment};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A change of one file or folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    #[serde(default)]
    pub kind: ChangeKind,
    /// The file, all links followed; of a copy or of what was unpacked, where that came from.
    pub path: PathBuf,
    /// Where it stands since, unless it stayed at its path.
    #[serde(default)]
    pub to: Option<PathBuf>,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: usize,
    pub removed: usize,
    /// Its sizes, where it is no text and so has no lines.
    #[serde(default)]
    pub bytes: Option<ChangedBytes>,
    /// Whether the user took the change back.
    pub undone: bool,
    /// The time of the change.
    pub at: Moment,
    /// The data that the program got about the change.
    pub data: Value,
    /// The state after the change, as SHA-256 in hexadecimal. For a written file, its content. Else the names, sizes
    /// and times of all that a tree holds.
    pub after: String,
}

impl Change {
    /// Where the changed thing stands now.
    #[must_use]
    pub fn place(&self) -> &Path {
        self.to.as_deref().unwrap_or(&self.path)
    }
}

/// The record of one call's change. The record outlives the process: a call that is repeated after a crash finds it.
pub trait ChangeRecord: fmt::Debug + Send + Sync {
    /// The change on record, if there is one.
    ///
    /// # Errors
    /// A record that can't be read.
    fn change(&self) -> io::Result<Option<Change>>;

    /// Puts a change on record, and the file's earlier content where there is some. Both are on the disk when it returns.
    ///
    /// # Errors
    /// A disk that refuses; nothing is on record then.
    fn keep(&self, change: &Change, earlier: Option<&[u8]>) -> io::Result<()>;

    /// The file's earlier content.
    ///
    /// # Errors
    /// A kept file that can't be read.
    fn earlier(&self) -> io::Result<Vec<u8>>;

    /// Where a person finds that content.
    fn earlier_path(&self) -> PathBuf;

    /// Says of the change that the user took it back.
    ///
    /// # Errors
    /// A disk that refuses.
    fn undo(&self) -> io::Result<()>;

    /// Takes the change off the record: it was not made.
    fn forget(&self);
}
