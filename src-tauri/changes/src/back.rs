//! Whether a file stands already as it did before a change. The undo of an earlier change of the same file has brought it
//! back. Or its own undo did so, and was killed before that was written down.
//!
//! What another change or a person put there is not meant: that is for the person to look at.

use crate::limits::CHANGES_OF_FILE_MAX;
use crate::record::RecordOfCall;
use crate::row::change_of;
use shidi_protocol::{ChangeKind, UserError};
use shidi_space::Space;
use shidi_store::ChangeRow;
use shidi_toolkits::ChangeRecord;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Whether the file of a change stands as before it, by an undo.
///
/// # Errors
/// Storage trouble.
pub(crate) fn is_back(space: &Arc<Space>, row: &ChangeRow) -> Result<bool, UserError> {
    let Some(now) = content(Path::new(&row.path))
        .ok()
        .filter(|_| row.kind == ChangeKind::Write)
    else {
        return Ok(false);
    };
    let now = now.as_deref();
    let changes = space.stored(space.store.changes_of_file(&row.path, CHANGES_OF_FILE_MAX))?;
    let is_own = |other: &ChangeRow| (&other.run, other.call) == (&row.run, row.call);
    let Some(at) = changes.iter().position(is_own) else {
        return Ok(false);
    };
    let (newer, older) = changes.split_at(at);
    let mut standing = newer.iter().filter(|other| !other.undone);
    // What was moved away or deleted comes back with the undo of that.
    if standing.any(|other| other.kind != ChangeKind::Write || change_of(other.clone()).left(now)) {
        return Ok(false);
    }
    // Where the earlier content can't be read, nothing is known of it.
    Ok(leads_to(space, older, now).unwrap_or(false))
}

/// Whether `now` stood there before the first of these changes, or before an undone one that left just that. Each is older
/// than the one before it.
fn leads_to(space: &Arc<Space>, changes: &[ChangeRow], now: Option<&[u8]>) -> io::Result<bool> {
    let Some((own, older)) = changes.split_first() else {
        return Ok(false);
    };
    let mut stood = before(space, own)?;
    for other in older {
        if stood.as_deref() == now {
            return Ok(true);
        }
        if change_of(other.clone()).left(stood.as_deref()) {
            if !other.undone {
                return Ok(false);
            }
            stood = before(space, other)?;
        }
    }
    Ok(stood.as_deref() == now)
}

/// What a file held before a change; `None` where there was none.
fn before(space: &Arc<Space>, row: &ChangeRow) -> io::Result<Option<Vec<u8>>> {
    match row.created {
        true => Ok(None),
        false => RecordOfCall::of(space, row).earlier().map(Some),
    }
}

/// What a file holds; `None` where there is none.
fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match path.symlink_metadata() {
        Ok(facts) if facts.is_file() => fs::read(path).map(Some),
        Ok(_) => Err(io::ErrorKind::InvalidInput.into()),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}
