//! The order of replacing. The records of one subject in one scope form a line in the order of `valid_from`. In the
//! line each record ends where the next begins. In whatever order they are written, the same line comes out.

use crate::table::write_one;
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{MemoryId, MemoryRecord, Moment};

/// Puts a written record into the line of its subject.
pub(crate) fn arrange(connection: &Connection, record: &MemoryRecord) -> rusqlite::Result<()> {
    // Of records that begin at the same moment, the one that is written last is the newest.
    let next = neighbour(connection, record, "valid_from > ?4 ORDER BY valid_from, row")?;
    let before = neighbour(
        connection,
        record,
        "valid_from <= ?4 ORDER BY valid_from DESC, row DESC",
    )?;
    if let Some((next, begins)) = next {
        end(connection, &record.id, begins, Some(&next))?;
    }
    if let Some((before, _)) = before {
        end(connection, &before, record.valid_from, Some(&record.id))?;
    }
    Ok(())
}

/// Ends a record: from `at` on it is no longer so, and `successor` says what is.
pub(crate) fn end(
    connection: &Connection,
    id: &MemoryId,
    at: Moment,
    successor: Option<&MemoryId>,
) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE memory SET valid_to = max(valid_from, min(coalesce(valid_to, ?2), ?2)),
           superseded_by = coalesce(?3, superseded_by) WHERE id = ?1",
        params![id.as_str(), at.0, successor.map(MemoryId::as_str)],
    )
}

fn neighbour(
    connection: &Connection,
    record: &MemoryRecord,
    place: &str,
) -> rusqlite::Result<Option<(MemoryId, Moment)>> {
    let sql = format!(
        "SELECT id, valid_from FROM memory WHERE scope = ?1 AND subject = ?2 AND id <> ?3 AND {place} LIMIT 1"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(
            params![
                record.scope.to_string(),
                record.subject,
                record.id.as_str(),
                record.valid_from.0
            ],
            |row| Ok((MemoryId::from(row.get::<_, String>(0)?), Moment(row.get(1)?))),
        )
        .optional()
}
