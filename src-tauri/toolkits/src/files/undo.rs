//! Taking a change back. A file has its earlier content again, moved or deleted things are back, and made things are
//! gone. A file that anybody changed since is left alone.

use super::change::hash;
use super::relocation::is_as;
use crate::change_record::{Change, ChangeRecord};
use crate::error::ToolError;
use crate::safe_path::{EntryKind, SafeWriter};
use crate::trash;
use shidi_protocol::ChangeKind;
use std::path::Path;

impl Change {
    /// Takes the change on record back.
    ///
    /// # Errors
    /// A thing that was changed since, a change that was taken back before, trouble with the disk.
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
        match change.kind {
            ChangeKind::Write => unwrite(&change, record)?,
            ChangeKind::Move | ChangeKind::Delete => move_back(&change)?,
            ChangeKind::Copy | ChangeKind::Unpack => remove_made(&change)?,
            ChangeKind::MakeFolder => remove_folder(&change)?,
        }
        record
            .undo()
            .map_err(|error| ToolError::unwritten(&shown, error))?;
        Ok(Self {
            undone: true,
            ..change
        })
    }

    /// Whether a file that holds `now` (`None`: there is none) stands as this write left it.
    #[must_use]
    pub fn left(&self, now: Option<&[u8]>) -> bool {
        now.is_some_and(|now| hash(now) == self.after)
    }
}

fn unwrite(change: &Change, record: &dyn ChangeRecord) -> Result<(), ToolError> {
    let shown = &change.path;
    let target = SafeWriter::at(&change.path, shown)?;
    let found = target.found()?;
    if found.as_ref().map(|found| hash(&found.bytes)).as_ref() != Some(&change.after) {
        return Err(ToolError::ChangedSince {
            path: shown.display().to_string(),
            earlier: (!change.created).then(|| record.earlier_path()),
        });
    }
    match found {
        Some(found) if change.created => target.remove(&found),
        found => {
            let earlier = record.earlier();
            let earlier = earlier.map_err(|error| ToolError::unwritten(shown, error))?;
            target.replace(&earlier, found.as_ref())
        }
    }
}

/// Brings a thing back from where it went, to where nothing stands now.
fn move_back(change: &Change) -> Result<(), ToolError> {
    let moved = checked(change)?;
    let home = SafeWriter::at(&change.path, &change.path)?;
    SafeWriter::at(moved, moved)?.rename_to(&home)?;
    if change.kind == ChangeKind::Delete {
        trash::leave(moved);
    }
    Ok(())
}

fn remove_made(change: &Change) -> Result<(), ToolError> {
    let made = checked(change)?;
    SafeWriter::at(made, made)?.remove_tree()
}

/// Where the changed thing stands, still as the change left it.
fn checked(change: &Change) -> Result<&Path, ToolError> {
    let place = change.place();
    if place.symlink_metadata().is_err() {
        return Err(ToolError::NothingKept(change.path.display().to_string()));
    }
    match is_as(place, &change.after) {
        true => Ok(place),
        false => Err(ToolError::Altered(place.display().to_string())),
    }
}

fn remove_folder(change: &Change) -> Result<(), ToolError> {
    let target = SafeWriter::at(&change.path, &change.path)?;
    match target.kind()? {
        Some(EntryKind::Folder) => target
            .remove_folder()
            .map_err(|_| ToolError::Altered(change.path.display().to_string())),
        Some(EntryKind::File | EntryKind::Other) | None => {
            Err(ToolError::NothingKept(change.path.display().to_string()))
        }
    }
}
