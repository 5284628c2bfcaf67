//! A call's change of a file. The earlier content is kept durably before the file is touched, so that the user
//! can take the change back.

use crate::change_record::{Change, ChangeRecord};
use crate::error::ToolError;
use crate::safe_path::{Found, SafeWriter};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::{ChangeKind, ChangedBytes, Moment};
use std::path::Path;

impl Change {
    /// The change that puts `bytes` into a file.
    pub(super) fn new(path: &Path, found: Option<&Found>, bytes: &[u8], at: Moment, data: Value) -> Self {
        let before = found.map_or(&[][..], |found| &found.bytes);
        let lines = lines_changed(before, bytes);
        let (added, removed) = lines.unwrap_or_default();
        let sizes = || ChangedBytes {
            before: before.len() as u64,
            after: bytes.len() as u64,
        };
        Self {
            created: found.is_none(),
            added,
            removed,
            bytes: lines.is_none().then(sizes),
            data,
            after: hash(bytes),
            ..Self::placing(ChangeKind::Write, path, at)
        }
    }

    /// A change that no line tells of; what it is about is added by whoever makes it.
    pub(super) fn placing(kind: ChangeKind, path: &Path, at: Moment) -> Self {
        Self {
            kind,
            path: path.to_path_buf(),
            to: None,
            created: false,
            added: 0,
            removed: 0,
            bytes: None,
            undone: false,
            at,
            data: Value::Null,
            after: String::new(),
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

pub(super) fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The numbers of new lines and of removed lines; `None` for what is no text.
fn lines_changed(before: &[u8], after: &[u8]) -> Option<(usize, usize)> {
    let (before, after) = (super::diff::text_of(before)?, super::diff::text_of(after)?);
    let diff = super::diff::of(&before, &after);
    let counted = diff
        .iter_all_changes()
        .fold((0, 0), |(added, removed), change| match change.tag() {
            similar::ChangeTag::Insert => (added + 1, removed),
            similar::ChangeTag::Delete => (added, removed + 1),
            similar::ChangeTag::Equal => (added, removed),
        });
    Some(counted)
}
