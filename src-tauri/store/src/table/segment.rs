//! `segment`: the transcript, append-only. A segment that is written twice is refused, never replaced.
//!
//! `row` orders segments of all sessions by their writing; the search index follows it.

use super::{erasure, rows, span, write, write_one};
use crate::column::ERASED;
use crate::search::index;
use rusqlite::{Connection, Row, params};
use shidi_protocol::{ExecId, Moment, RunId, Segment, SegmentId, SegmentKind, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE segment (
  row     INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  id      INTEGER NOT NULL,
  run     TEXT NOT NULL,
  kind    TEXT NOT NULL,
  text    TEXT NOT NULL,
  exec    INTEGER,
  round   INTEGER NOT NULL,
  tainted INTEGER NOT NULL,
  time    INTEGER NOT NULL,
  UNIQUE (session, id)
) STRICT;
CREATE INDEX segment_question ON segment (session) WHERE kind = 'User';
";

/// What was recalled is looked through when a record is erased.
pub(crate) const ADD_RECALLED: &str =
    "CREATE INDEX segment_recalled ON segment (run) WHERE kind = 'Recalled';";

/// Older databases told a failed program by its text alone; none of them was ever released.
pub(crate) const ADD_FAILED: &str = "ALTER TABLE segment ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;";

pub(crate) fn append(
    connection: &Connection,
    session: &SessionId,
    segment: &Segment,
) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO segment (session, id, run, kind, text, exec, round, tainted, time, failed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            session.as_str(),
            segment.id.0,
            segment.run.as_str(),
            segment.kind.name(),
            segment.text,
            segment.exec.map(|exec| exec.0),
            segment.round,
            segment.tainted,
            segment.time.0,
            segment.failed
        ],
    )
}

/// Does nothing if there is no such segment.
pub(crate) fn erase(
    connection: &Connection,
    session: &SessionId,
    segment: SegmentId,
) -> rusqlite::Result<()> {
    let which = params![session.as_str(), segment.0];
    let erased: Vec<(i64, String)> = rows(
        connection,
        "SELECT row, run FROM segment WHERE session = ?1 AND id = ?2",
        which,
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    for (row, run) in erased {
        write(
            connection,
            "UPDATE segment SET text = ?2 WHERE row = ?1",
            params![row, ERASED],
        )?;
        index::forget_segment(connection, row)?;
        span::drop_of(connection, &run)?;
        erasure::ask(connection)?;
    }
    Ok(())
}

/// In the order of their ids.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<Segment>> {
    rows(
        connection,
        "SELECT id, run, kind, text, exec, round, tainted, time, failed FROM segment WHERE session = ?1 ORDER BY id",
        [session.as_str()],
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Segment> {
    Ok(Segment {
        id: SegmentId(row.get(0)?),
        run: RunId::from(row.get::<_, String>(1)?),
        kind: SegmentKind::from_name(row.get_ref(2)?.as_str()?),
        text: row.get(3)?,
        exec: row.get::<_, Option<u32>>(4)?.map(ExecId),
        round: row.get(5)?,
        tainted: row.get(6)?,
        time: Moment(row.get(7)?),
        failed: row.get(8)?,
    })
}
