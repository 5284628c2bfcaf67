//! A call's change of a file. The earlier content is kept durably before the file is touched, so that the user
//! can take the change back.

use crate::error::ToolError;
use crate::safe_path::{Found, SafeWriter};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::Moment;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Files in the folder of a change: its facts, and the file's earlier bytes.
const FACTS: &str = "change.json";
const EARLIER: &str = "earlier";

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file, all links followed.
    pub path: PathBuf,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: usize,
    pub removed: usize,
    /// Whether the user took the change back.
    pub undone: bool,
    /// The time of the change.
    pub at: Moment,
    /// The data that the program got about the change.
    pub(super) data: Value,
    /// The file's content after the change, as SHA-256 in hexadecimal.
    after: String,
}

impl Change {
    /// Reads the change that a folder holds; `None` when it holds none.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read(folder.join(FACTS)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// The file's earlier content, where there was a file.
    ///
    /// # Errors
    /// A kept file that can't be read.
    pub fn earlier(folder: &Path) -> io::Result<Vec<u8>> {
        fs::read(folder.join(EARLIER))
    }

    /// Takes the change back: the file has its earlier content again.
    ///
    /// # Errors
    /// A file that was changed since, a change that was taken back before, trouble with the disk.
    pub fn undo(folder: &Path) -> Result<Self, ToolError> {
        let Some(change) = Self::read(folder) else {
            return Err(ToolError::NothingKept(folder.display().to_string()));
        };
        let shown = change.path.clone();
        if change.undone {
            return Err(ToolError::Undone(shown.display().to_string()));
        }
        let target = SafeWriter::at(&change.path, &shown)?;
        let found = target.found()?;
        if found.as_ref().map(|found| hash(&found.bytes)).as_ref() != Some(&change.after) {
            return Err(ToolError::ChangedSince {
                path: shown.display().to_string(),
                earlier: folder.join(EARLIER),
            });
        }
        match found {
            Some(found) if change.created => target.remove(&found)?,
            found => {
                let earlier = Self::earlier(folder).map_err(|error| ToolError::unwritten(&shown, error))?;
                target.replace(&earlier, found.as_ref())?;
            }
        }
        let undone = Self {
            undone: true,
            ..change
        };
        undone
            .keep(folder, None)
            .map_err(|error| ToolError::unwritten(&shown, error))?;
        Ok(undone)
    }

    /// The change that puts `bytes` into a file.
    pub(super) fn new(path: &Path, found: Option<&Found>, bytes: &[u8], at: Moment, data: Value) -> Self {
        let (added, removed) = lines_changed(found.map_or(&[][..], |found| &found.bytes), bytes);
        Self {
            path: path.to_path_buf(),
            created: found.is_none(),
            added,
            removed,
            undone: false,
            at,
            data,
            after: hash(bytes),
        }
    }

    /// Writes `bytes` into the file after keeping its earlier content in `folder`.
    ///
    /// # Errors
    /// No folder to keep it in, a full disk, a file that another program wrote meanwhile.
    pub(super) fn make(
        &self,
        target: &SafeWriter,
        found: Option<&Found>,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<(), ToolError> {
        let shown = || self.path.display().to_string();
        match folder {
            Some(folder) => self
                .keep(folder, found.map(|found| found.bytes.as_slice()))
                .map_err(|error| ToolError::NotKept(shown(), error))?,
            // A new file has no earlier content.
            None if found.is_none() => {}
            None => return Err(ToolError::NothingKept(shown())),
        }
        let replaced = target.replace(bytes, found);
        if let (Err(_), Some(folder)) = (&replaced, folder) {
            // The write failed, so there is no change to take back.
            fs::remove_dir_all(folder).unwrap_or_default();
        }
        replaced
    }

    /// The change that this very call made before a crash; `None` when the call had not got so far.
    ///
    /// # Errors
    /// A file that another program wrote since: its words are not overwritten.
    pub(super) fn done_already(
        folder: Option<&Path>,
        found: Option<&Found>,
        shown: &str,
    ) -> Result<Option<Self>, ToolError> {
        let Some((folder, change)) = folder.and_then(|folder| Some((folder, Self::read(folder)?))) else {
            return Ok(None);
        };
        if change.undone {
            return Err(ToolError::Undone(shown.to_owned()));
        }
        match found {
            Some(found) if hash(&found.bytes) == change.after => Ok(Some(change)),
            None if change.created => Ok(None),
            Some(found) if Self::earlier(folder).is_ok_and(|earlier| earlier == found.bytes) => Ok(None),
            _ => Err(ToolError::Meanwhile(shown.to_owned())),
        }
    }

    fn keep(&self, folder: &Path, earlier: Option<&[u8]>) -> io::Result<()> {
        private_folder(folder)?;
        if let Some(earlier) = earlier {
            shidi_atomic_write::write(&folder.join(EARLIER), earlier)?;
        }
        shidi_atomic_write::write(&folder.join(FACTS), &serde_json::to_vec(self)?)?;
        File::open(folder)?.sync_all()
    }
}

#[cfg(unix)]
fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The numbers of new lines and of removed lines.
fn lines_changed(before: &[u8], after: &[u8]) -> (usize, usize) {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = super::diff::of(&before, &after);
    diff.iter_all_changes()
        .fold((0, 0), |(added, removed), change| match change.tag() {
            similar::ChangeTag::Insert => (added + 1, removed),
            similar::ChangeTag::Delete => (added, removed + 1),
            similar::ChangeTag::Equal => (added, removed),
        })
}
