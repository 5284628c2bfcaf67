//! `span`: the steps of a run with their times, for its trace. A span that is written again replaces itself.

use super::{rows, write_one};
use crate::column::{Json, signed, unsigned};
use rusqlite::{Connection, params};
use shidi_protocol::{Moment, RunId, Span};

pub(crate) const CREATE: &str = "
CREATE TABLE span (
  run        TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  id         INTEGER NOT NULL,
  parent     INTEGER,
  operation  TEXT NOT NULL,
  name       TEXT NOT NULL,
  started    INTEGER NOT NULL,
  ms         INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  PRIMARY KEY (run, id)
) STRICT;
";

pub(crate) fn put(connection: &Connection, run: &RunId, span: &Span) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO span (run, id, parent, operation, name, started, ms, attributes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (run, id) DO UPDATE SET parent = ?3, operation = ?4, name = ?5, started = ?6, ms = ?7,
           attributes = ?8",
        params![
            run.as_str(),
            span.id,
            span.parent,
            span.operation,
            span.name,
            span.started.0,
            signed(span.ms),
            Json(&span.attributes)
        ],
    )
}

/// In the order of their ids.
pub(crate) fn of_run(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<Span>> {
    rows(
        connection,
        "SELECT id, parent, operation, name, started, ms, attributes FROM span WHERE run = ?1 ORDER BY id",
        [run.as_str()],
        |row| {
            Ok(Span {
                id: row.get(0)?,
                parent: row.get(1)?,
                operation: row.get(2)?,
                name: row.get(3)?,
                started: Moment(row.get(4)?),
                ms: unsigned(row.get(5)?),
                attributes: row.get::<_, Json<_>>(6)?.0,
            })
        },
    )
}
