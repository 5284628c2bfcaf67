//! `correction`: which tool failed in a run, in what way, before something else worked there. Names alone, no text. A row
//! goes with its run.
//!
//! What comes back in several sessions is a common mistake, which becomes a candidate of experience.

use super::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, Params, params};
use shidi_protocol::{Moment, RunId};

pub(crate) const CREATE: &str = "
CREATE TABLE correction (
  tool    TEXT NOT NULL,
  class   TEXT NOT NULL,
  run     TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  time    INTEGER NOT NULL,
  PRIMARY KEY (tool, class, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX correction_by_run ON correction (run);
";

impl Store {
    /// The first run of each session in which that tool failed so and was then corrected, oldest first.
    pub fn corrected_runs(&self, tool: &str, class: &str) -> Result<Vec<RunId>, StoreError> {
        self.read(|connection| of(connection, tool, class))
    }
}

/// Notes that a run corrected a failure of that class. A run that is gone, or has said so before, counts for nothing.
pub(crate) fn note(
    connection: &Connection,
    run: &RunId,
    tool: &str,
    class: &str,
    at: Moment,
) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT OR IGNORE INTO correction (tool, class, run, time)
         SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM run_state WHERE run = ?3)",
        params![tool, class, run.as_str(), at.0],
    )
    .map(|_| ())
}

/// Forgets how often common mistakes were made that are about to go. They come back only when made anew. `which` is
/// their condition in SQL. The key of such a mistake is its tool and class.
pub(crate) fn forget(connection: &Connection, which: &str, parameters: impl Params) -> rusqlite::Result<()> {
    let sql = format!(
        "DELETE FROM correction WHERE tool || '|' || class IN (
           SELECT goal_key FROM experience WHERE kind = 'mistake' AND goal_key <> '' AND {which})"
    );
    write(connection, &sql, parameters).map(|_| ())
}

fn of(connection: &Connection, tool: &str, class: &str) -> rusqlite::Result<Vec<RunId>> {
    rows(
        connection,
        "SELECT run, min(time) AS first FROM correction JOIN run_state USING (run)
         WHERE tool = ?1 AND class = ?2 GROUP BY session ORDER BY first, run",
        params![tool, class],
        |row| Ok(RunId::from(row.get::<_, String>(0)?)),
    )
}
