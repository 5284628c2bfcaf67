//! Between a change as a toolkit makes it and its row.

use shidi_protocol::{CallId, RunId};
use shidi_store::ChangeRow;
use shidi_toolkits::Change;
use std::io;
use std::path::{Path, PathBuf};

/// The row of a change in no session.
///
/// # Errors
/// A path that is no text.
pub(crate) fn row_of(change: &Change, run: &RunId, call: CallId) -> io::Result<ChangeRow> {
    let count = |lines: usize| u32::try_from(lines).unwrap_or(u32::MAX);
    let path = change.path.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
    let target = change.to.as_ref().map(|to| to.to_str().map(str::to_owned));
    let target = target
        .map(|target| target.ok_or(io::ErrorKind::InvalidFilename))
        .transpose()?;
    Ok(ChangeRow {
        session: None,
        run: run.clone(),
        call,
        kind: change.kind,
        path: path.to_owned(),
        target,
        created: change.created,
        added: count(change.added),
        removed: count(change.removed),
        bytes: change.bytes,
        undone: change.undone,
        time: change.at,
        data: change.data.clone(),
        after: change.after.clone(),
    })
}

/// The change that a row is of.
pub(crate) fn change_of(row: ChangeRow) -> Change {
    let count = |lines: u32| usize::try_from(lines).unwrap_or(usize::MAX);
    Change {
        kind: row.kind,
        path: Path::new(&row.path).to_owned(),
        to: row.target.map(PathBuf::from),
        created: row.created,
        added: count(row.added),
        removed: count(row.removed),
        bytes: row.bytes,
        undone: row.undone,
        at: row.time,
        data: row.data,
        after: row.after,
    }
}
