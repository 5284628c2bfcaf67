//! A call's change of a file. The earlier content is kept durably before the file is touched, so that the user
//! can take the change back.

use crate::change_record::{Change, ChangeRecord};
use crate::error::ToolError;
use crate::safe_path::{Found, SafeWriter};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::Moment;
use std::path::Path;

impl Change {
    /// Takes the change on record back: the file has its earlier content again.
    ///
    /// # Errors
    /// A file that was changed since, a change that was taken back before, trouble with the disk.
    pub fn undo(record: &dyn ChangeRecord) -> Result<Self, ToolError> {
        let unread = |error| ToolError::io(&record.earlier_path(), error);
        let Some(change) = record.change().map_err(unread)? else {
            return Err(ToolError::NothingKept(
                record.earlier_path().display().to_string(),
            ));
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
                earlier: record.earlier_path(),
            });
        }
        match found {
            Some(found) if change.created => target.remove(&found)?,
            found => {
                let earlier = record.earlier();
                let earlier = earlier.map_err(|error| ToolError::unwritten(&shown, error))?;
                target.replace(&earlier, found.as_ref())?;
            }
        }
        record
            .undo()
            .map_err(|error| ToolError::unwritten(&shown, error))?;
        Ok(Self {
            undone: true,
            ..change
        })
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

    /// Writes `bytes` into the file after putting the change, with the file's earlier content, on record.
    ///
    /// # Errors
    /// No record to put it on, a full disk, a file that another program wrote meanwhile.
    pub(super) fn make(
        &self,
        target: &SafeWriter,
        found: Option<&Found>,
        bytes: &[u8],
        record: Option<&dyn ChangeRecord>,
    ) -> Result<(), ToolError> {
        let shown = || self.path.display().to_string();
        match record {
            Some(record) => record
                .keep(self, found.map(|found| found.bytes.as_slice()))
                .map_err(|error| ToolError::NotKept(shown(), error))?,
            // A new file has no earlier content.
            None if found.is_none() => {}
            None => return Err(ToolError::NothingKept(shown())),
        }
        let replaced = target.replace(bytes, found);
        if let (Err(_), Some(record)) = (&replaced, record) {
            // The write failed, so there is no change to take back.
            record.forget();
        }
        replaced
    }

    /// The change that this very call made before a crash; `None` when the call had not got so far.
    ///
    /// # Errors
    /// A file that another program wrote since: its words are not overwritten. A record that can't be read.
    pub(super) fn done_already(
        record: Option<&dyn ChangeRecord>,
        found: Option<&Found>,
        shown: &str,
    ) -> Result<Option<Self>, ToolError> {
        let Some(record) = record else {
            return Ok(None);
        };
        let unread = |error| ToolError::NotKept(shown.to_owned(), error);
        let Some(change) = record.change().map_err(unread)? else {
            return Ok(None);
        };
        if change.undone {
            return Err(ToolError::Undone(shown.to_owned()));
        }
        match found {
            Some(found) if hash(&found.bytes) == change.after => Ok(Some(change)),
            None if change.created => Ok(None),
            Some(found) if record.earlier().is_ok_and(|earlier| earlier == found.bytes) => Ok(None),
            _ => Err(ToolError::Meanwhile(shown.to_owned())),
        }
    }
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The numbers of new lines and of removed lines; what is no text has none.
fn lines_changed(before: &[u8], after: &[u8]) -> (usize, usize) {
    if before.contains(&0) || after.contains(&0) {
        return (0, 0);
    }
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let diff = super::diff::of(&before, &after);
    diff.iter_all_changes()
        .fold((0, 0), |(added, removed), change| match change.tag() {
            similar::ChangeTag::Insert => (added + 1, removed),
            similar::ChangeTag::Delete => (added, removed + 1),
            similar::ChangeTag::Equal => (added, removed),
        })
}
