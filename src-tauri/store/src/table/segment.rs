//! `segment`: the transcript, append-only. A segment that is written twice is refused, never replaced.
//!
//! `row` orders segments of all sessions by their writing; the search index follows it.
//!
//! A body stands in three columns: its kind, its words in `text`, and its rest as JSON in `body`. Search, erasing and
//! vectors need the words alone. Rows of before bodies had types have no `body`: their text holds all of it.

use super::{erasure, rows, span, write, write_one};
use crate::column::{ERASED, Json};
use crate::search::index;
use crate::{Store, StoreError};
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value};
use shidi_protocol::{
    Body, ExecId, Moment, RunId, Segment, SegmentId, SegmentKind, SessionId, earlier_segments,
};
use std::borrow::Cow;

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

/// Recalled records are looked through when one is erased.
pub(crate) const ADD_RECALLED: &str =
    "CREATE INDEX segment_recalled ON segment (run) WHERE kind = 'Recalled';";

/// Older databases told a failed program by its text alone; none of them was ever released.
pub(crate) const ADD_FAILED: &str = "ALTER TABLE segment ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;";

pub(crate) const ADD_BODY: &str = "ALTER TABLE segment ADD COLUMN body TEXT;";

impl Store {
    /// The transcript, in order.
    pub fn segments(&self, session: &SessionId) -> Result<Vec<Segment>, StoreError> {
        self.read(|connection| of_session(connection, session))
    }

    /// The segments of the run that a segment belongs to, in order; none if there is no such segment.
    pub fn segments_beside(
        &self,
        session: &SessionId,
        segment: SegmentId,
    ) -> Result<Vec<Segment>, StoreError> {
        self.read(|connection| beside(connection, session, segment))
    }
}

pub(crate) fn append(
    connection: &Connection,
    session: &SessionId,
    segment: &Segment,
) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO segment (session, id, run, kind, text, exec, round, tainted, time, failed, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            session.as_str(),
            segment.id.0,
            segment.run.as_str(),
            segment.kind().name(),
            segment.text(),
            segment.exec.map(|exec| exec.0),
            segment.round,
            segment.tainted,
            segment.time.0,
            segment.failed(),
            rest(&segment.body)?,
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
    let erased: Vec<(i64, String, Body)> = rows(
        connection,
        "SELECT row, run, kind, text, failed, body FROM segment WHERE session = ?1 AND id = ?2",
        which,
        |row| Ok((row.get(0)?, row.get(1)?, body(row, 2)?)),
    )?;
    for (row, run, body) in erased {
        write(
            connection,
            "UPDATE segment SET text = ?2, body = ?3 WHERE row = ?1",
            params![row, ERASED, rest(&body.erased(ERASED))?],
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
        "SELECT id, run, kind, text, failed, body, exec, round, tainted, time FROM segment WHERE session = ?1 ORDER BY id",
        [session.as_str()],
        read,
    )
}

fn beside(
    connection: &Connection,
    session: &SessionId,
    segment: SegmentId,
) -> rusqlite::Result<Vec<Segment>> {
    rows(
        connection,
        "SELECT id, run, kind, text, failed, body, exec, round, tainted, time FROM segment
         WHERE session = ?1 AND run = (SELECT run FROM segment WHERE session = ?1 AND id = ?2) ORDER BY id",
        params![session.as_str(), segment.0],
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Segment> {
    Ok(Segment {
        id: SegmentId(row.get(0)?),
        run: RunId::from(row.get::<_, String>(1)?),
        body: body(row, 2)?,
        exec: row.get::<_, Option<u32>>(6)?.map(ExecId),
        round: row.get(7)?,
        tainted: row.get(8)?,
        time: Moment(row.get(9)?),
    })
}

/// What is left of a body that is words alone.
const NOTHING: &str = "{}";

/// A body without its kind and its words, as JSON.
fn rest(body: &Body) -> rusqlite::Result<Cow<'static, str>> {
    // Most are words alone, and somebody waits while they are written.
    if body.is_words() {
        return Ok(NOTHING.into());
    }
    match serde_json::to_value(body) {
        Ok(Value::Object(mut fields)) => {
            fields.remove("kind");
            fields.remove("text");
            Ok(Value::Object(fields).to_string().into())
        }
        Ok(other) => Err(rusqlite::Error::ToSqlConversionFailure(
            format!("{other} is no body").into(),
        )),
        Err(error) => Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error))),
    }
}

/// The body in the columns `kind, text, failed, body` from `at` on.
pub(crate) fn body(row: &Row<'_>, at: usize) -> rusqlite::Result<Body> {
    let kind: String = row.get(at)?;
    let text: String = row.get(at + 1)?;
    let Json(mut fields) = match row.get_ref(at + 3)?.as_str_or_null()? {
        None => return Ok(earlier_segments::body(&kind, &text, row.get(at + 2)?)),
        Some(NOTHING) => return Ok(Body::plain(&SegmentKind::from_name(&kind), text)),
        Some(_) => row.get::<_, Json<Map<String, Value>>>(at + 3)?,
    };
    // Only a body of another kind has a name; its kind's column holds that name.
    let tag = if fields.contains_key("name") {
        "Custom".to_owned()
    } else {
        kind
    };
    fields.insert("kind".to_owned(), Value::String(tag));
    fields.insert("text".to_owned(), Value::String(text));
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at + 3, Type::Text, Box::new(error)))
}
