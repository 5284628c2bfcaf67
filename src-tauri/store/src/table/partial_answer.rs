//! `partial_answer`: what the model of a run has said so far, while it speaks. One row for each run, replaced as it goes on.
//!
//! The row is there for a process that is killed. The row goes with the answer, in one transaction, and with the run
//! when that ends. A run that is over gets no row. The caller decides about a row that a dead process left.

use super::{rows, write};
use crate::column::{Json, Named};
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, params};
use shidi_protocol::{ModelRole, Moment, PartialReply, RunId};

pub(crate) const CREATE: &str = "
CREATE TABLE partial_answer (
  run    TEXT PRIMARY KEY NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  time   INTEGER NOT NULL,
  role   TEXT NOT NULL,
  format TEXT NOT NULL,
  reply  TEXT NOT NULL
) STRICT;
";

/// The answer of a model as far as it had come at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialAnswer {
    pub run: RunId,
    pub time: Moment,
    /// For whom it was asked.
    pub role: ModelRole,
    /// The format in which it writes, by name.
    pub format: String,
    pub reply: PartialReply,
}

impl Store {
    /// The partial answers of runs whose process ended without a word, or that are at work; oldest first.
    pub fn partial_answers(&self) -> Result<Vec<PartialAnswer>, StoreError> {
        self.read(all)
    }
}

/// Writes it over the earlier one; does nothing for a run that is over or gone.
pub(crate) fn put(connection: &Connection, answer: &PartialAnswer) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO partial_answer (run, time, role, format, reply) SELECT ?1, ?2, ?3, ?4, ?5
         WHERE EXISTS (SELECT 1 FROM run_state WHERE run = ?1 AND status IS NULL)
         ON CONFLICT (run) DO UPDATE SET time = ?2, role = ?3, format = ?4, reply = ?5",
        params![
            answer.run.as_str(),
            answer.time.0,
            Named(answer.role),
            answer.format,
            Json(&answer.reply)
        ],
    )
    .map(|_| ())
}

/// Does nothing if there is none.
pub(crate) fn delete(connection: &Connection, run: &RunId) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM partial_answer WHERE run = ?1",
        [run.as_str()],
    )
    .map(|_| ())
}

/// Oldest first.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<PartialAnswer>> {
    rows(
        connection,
        "SELECT run, time, role, format, reply FROM partial_answer ORDER BY time, run",
        [],
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<PartialAnswer> {
    Ok(PartialAnswer {
        run: RunId::from(row.get::<_, String>(0)?),
        time: Moment(row.get(1)?),
        role: row.get::<_, Named<_>>(2)?.0,
        format: row.get(3)?,
        reply: row.get::<_, Json<_>>(4)?.0,
    })
}
