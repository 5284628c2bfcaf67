//! Takes deleted text out of every file of the store, not only out of reach.
//!
//! Four places hold the text after the rows are gone. They are the search index, unused parts of pages, the
//! write-ahead log, and the copies of earlier formats. A file that a user set aside as damaged is theirs to
//! delete.

use crate::StoreError;
use crate::connection::BUSY_MOST;
use crate::recovery;
use crate::schema::KNOWN_VERSION;
use crate::search::index;
use crate::table::erasure;
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// Up to this size the file is made anew while the deleting caller waits (about a quarter of a second). Larger
/// files are made anew when the store has been quiet. Bytes.
const AT_ONCE_MOST_BYTES: u64 = 32 * 1024 * 1024;

/// How long an erasure waits for readings that still see the erased, before it is put off.
const READINGS_WAIT: Duration = Duration::from_millis(200);

/// When to do the long part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// A caller waits.
    CallerWaits,
    /// Nobody does.
    Quiet,
}

/// How far an erasure came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Erased {
    Whole,
    /// Readings are in the way, or the file is too large for now.
    Partly,
}

/// Finishes the erasure that a deletion asked for, as far as that is possible now.
pub(crate) fn erase(connection: &Connection, path: &Path, patience: Patience) -> Result<Erased, StoreError> {
    recovery::remove_backups(path, KNOWN_VERSION)?;
    let erase = || {
        if !erasure::is_due(connection)? {
            return Ok(Erased::Whole);
        }
        let is_new = make_anew(connection, patience)?;
        if !empty_log(connection)? || !is_new {
            return Ok(Erased::Partly);
        }
        erasure::done(connection)?;
        Ok(Erased::Whole)
    };
    erase().map_err(|error| StoreError::of_sqlite(error, path))
}

/// Writes index and file anew; `false` when that must wait for a quiet time.
fn make_anew(connection: &Connection, patience: Patience) -> rusqlite::Result<bool> {
    match patience {
        Patience::CallerWaits if size_bytes(connection)? > AT_ONCE_MOST_BYTES => return Ok(false),
        Patience::CallerWaits | Patience::Quiet => {}
    }
    index::make_anew(connection)?;
    connection.execute_batch("VACUUM")?;
    Ok(true)
}

/// Writes the log back and cuts it to nothing, so that no earlier state of a page is left there. `false` when a
/// reading still needs the log.
fn empty_log(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(READINGS_WAIT)?;
    let is_blocked = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    connection.busy_timeout(BUSY_MOST)?;
    Ok(!is_blocked?)
}

fn size_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |pragma| {
        connection
            .query_row(pragma, [], |row| row.get::<_, u32>(0))
            .map(u64::from)
    };
    Ok(number("PRAGMA page_count")? * number("PRAGMA page_size")?)
}
