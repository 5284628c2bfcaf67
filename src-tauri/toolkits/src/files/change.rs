//! What a call changed in a file, and what stood there before: kept, durably, before the file is touched, so that the user
//! can take it back.

use crate::error::ToolError;
use crate::place::{Found, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::Moment;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// In the folder of a change: what it was, and the bytes that stood there before.
const FACTS: &str = "change.json";
const EARLIER: &str = "earlier";

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file, all links followed.
    pub path: PathBuf,
    /// Whether there was no such file before.
    pub created: bool,
    /// Lines that are new and lines that are gone.
    pub added: usize,
    pub removed: usize,
    /// Whether the user took it back.
    pub undone: bool,
    /// When it was made.
    pub at: Moment,
    /// What the program was told of it.
    pub(super) data: Value,
    /// What the file held afterwards, as SHA-256 in hexadecimal.
    after: String,
}

impl Change {
    /// Reads what a folder says of a change; `None` when there is none in it.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read(folder.join(FACTS)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// What stood in the file before, where there was one.
    ///
    /// # Errors
    /// A file that can't be read.
    pub fn earlier(folder: &Path) -> io::Result<Vec<u8>> {
        fs::read(folder.join(EARLIER))
    }

    /// Takes the change back: what stood there before stands there again.
    ///
    /// # Errors
    /// A file that was changed by somebody since, a change that was taken back before, trouble with the disk.
    pub fn undo(folder: &Path) -> Result<Self, ToolError> {
        let Some(change) = Self::read(folder) else {
            return Err(ToolError::NothingKept(folder.display().to_string()));
        };
        let shown = change.path.clone();
        if change.undone {
            return Err(ToolError::Undone(shown.display().to_string()));
        }
        let target = Target::at(&change.path, &shown)?;
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

    /// Puts `bytes` into the file, with what stood there before kept in `folder`.
    ///
    /// # Errors
    /// Nowhere to keep it, a full disk, a file that somebody else wrote meanwhile.
    pub(super) fn make(
        &self,
        target: &Target,
        found: Option<&Found>,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<(), ToolError> {
        let shown = || self.path.display().to_string();
        match folder {
            Some(folder) => self
                .keep(folder, found.map(|found| found.bytes.as_slice()))
                .map_err(|error| ToolError::NotKept(shown(), error))?,
            // A new file takes nothing away.
            None if found.is_none() => {}
            None => return Err(ToolError::NothingKept(shown())),
        }
        let replaced = target.replace(bytes, found);
        if let (Err(_), Some(folder)) = (&replaced, folder) {
            // Nothing was changed; what stands there is no change to be taken back.
            fs::remove_dir_all(folder).unwrap_or_default();
        }
        replaced
    }

    /// What this very call did already, before a crash: `None` when it did not come to it.
    ///
    /// # Errors
    /// A file that somebody else wrote since: nothing is done over their words.
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
            put(folder, EARLIER, earlier)?;
        }
        put(folder, FACTS, &serde_json::to_vec(self)?)?;
        File::open(folder)?.sync_all()
    }
}

fn put(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name))?;
    Ok(())
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
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Lines that are new and lines that are gone.
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
