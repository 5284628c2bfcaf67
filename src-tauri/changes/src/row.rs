//! Between a change as a toolkit makes it and its row.

use shidi_protocol::{CallId, RunId};
use shidi_store::ChangeRow;
use shidi_toolkits::Change;
use std::io;
use std::path::Path;

/// The row of a change in no session.
///
/// # Errors
/// A path that is no text.
pub(crate) fn row_of(change: &Change, run: &RunId, call: CallId) -> io::Result<ChangeRow> {
    let count = |lines: usize| u32::try_from(lines).unwrap_or(u32::MAX);
    let path = change.path.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
    Ok(ChangeRow {
        session: None,
        run: run.clone(),
        call,
        path: path.to_owned(),
        created: change.created,
        added: count(change.added),
        removed: count(change.removed),
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
        path: Path::new(&row.path).to_owned(),
        created: row.created,
        added: count(row.added),
        removed: count(row.removed),
        undone: row.undone,
        at: row.time,
        data: row.data,
        after: row.after,
    }
}
