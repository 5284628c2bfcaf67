//! `learning`: finished runs that nothing was learned from yet. So neither a crash nor a closed program loses their
//! lessons, nor writes them twice.
//!
//! A row comes with the end of its run and goes with what was learned, each in one transaction. The row goes with its
//! run, too: what was deleted meanwhile leaves nothing.

use super::{rows, write};
use crate::column::Named;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use shidi_protocol::{Moment, RunId};

pub(crate) const CREATE: &str = "
CREATE TABLE learning (
  run      TEXT PRIMARY KEY NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  step     TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  since    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX learning_by_time ON learning (since);
";

/// The next learning step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LearningStep {
    /// Local rules look for statements.
    Rules,
    /// A model looks for statements.
    Model,
}

/// A run that something is to be learned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    pub run: RunId,
    pub step: LearningStep,
    /// Times that this step was begun.
    pub attempts: u32,
    /// When the run ended.
    pub since: Moment,
}

impl Store {
    /// Runs that are over and that something is still to be learned from, oldest first.
    pub fn learnings(&self, limit: u32) -> Result<Vec<Learning>, StoreError> {
        self.read(|connection| waiting(connection, limit))
    }

    /// The learning that a run still waits for.
    pub fn learning(&self, run: &RunId) -> Result<Option<Learning>, StoreError> {
        self.read(|connection| of_run(connection, run))
    }
}

/// Does nothing if the run waits already.
pub(crate) fn begin(connection: &Connection, run: &RunId, since: Moment) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO learning (run, step, attempts, since) VALUES (?1, ?2, 0, ?3) ON CONFLICT (run) DO NOTHING",
        params![run.as_str(), Named(LearningStep::Rules), since.0],
    )
    .map(|_| ())
}

/// Counts an attempt at the step that the run waits for.
pub(crate) fn attempt(connection: &Connection, run: &RunId) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE learning SET attempts = attempts + 1 WHERE run = ?1",
        [run.as_str()],
    )
    .map(|_| ())
}

/// Ends a step: what comes next is waited for. False when the run does not wait for that step.
pub(crate) fn end(
    connection: &Connection,
    run: &RunId,
    step: LearningStep,
    next: Option<LearningStep>,
) -> rusqlite::Result<bool> {
    let changed = match next {
        Some(next) => write(
            connection,
            "UPDATE learning SET step = ?3, attempts = 0 WHERE run = ?1 AND step = ?2",
            params![run.as_str(), Named(step), Named(next)],
        )?,
        None => write(
            connection,
            "DELETE FROM learning WHERE run = ?1 AND step = ?2",
            params![run.as_str(), Named(step)],
        )?,
    };
    Ok(changed > 0)
}

/// Nothing is learned from what waits any more.
pub(crate) fn clear(connection: &Connection) -> rusqlite::Result<()> {
    write(connection, "DELETE FROM learning", []).map(|_| ())
}

/// Oldest first.
pub(crate) fn waiting(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<Learning>> {
    rows(
        connection,
        "SELECT run, step, attempts, since FROM learning ORDER BY since, run LIMIT ?1",
        [limit],
        read,
    )
}

pub(crate) fn of_run(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<Learning>> {
    connection
        .prepare_cached("SELECT run, step, attempts, since FROM learning WHERE run = ?1")?
        .query_row([run.as_str()], read)
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Learning> {
    Ok(Learning {
        run: RunId::from(row.get::<_, String>(0)?),
        step: row.get::<_, Named<_>>(1)?.0,
        attempts: row.get(2)?,
        since: Moment(row.get(3)?),
    })
}
