//! `call`: every call from code, as intended, waiting or done.
//!
//! The row of a side effect is written before the effect (`Intended`) and again after it. So after a crash
//! nothing is repeated without the user's knowledge.

use super::{put_row, rows};
use crate::column::{Json, Named};
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, named_params, params};
use shidi_protocol::{Call, CallId, CallRecord, CallState, ExecId, Moment, RunId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE call (
  run      TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  id       INTEGER NOT NULL,
  exec     INTEGER NOT NULL,
  toolkit  TEXT NOT NULL,
  method   TEXT NOT NULL,
  args     TEXT NOT NULL,
  line     INTEGER NOT NULL,
  class    TEXT NOT NULL,
  state    TEXT NOT NULL,
  outcome  TEXT,
  answered INTEGER,
  started  INTEGER NOT NULL,
  ended    INTEGER,
  UNIQUE (run, id)
) STRICT;
";

pub(crate) const ADD_GROUNDS: &str = "ALTER TABLE call ADD COLUMN grounds TEXT NOT NULL DEFAULT '[]';";

pub(crate) const ADD_PLACES: &str = "ALTER TABLE call ADD COLUMN places TEXT NOT NULL DEFAULT '{}';";

const COLUMNS: &str =
    "call.run, call.id, call.exec, call.toolkit, call.method, call.args, call.line, call.class,
  call.state, call.outcome, call.answered, call.started, call.ended, call.grounds, call.places";

/// Calls to some toolkits that are read at once.
const CALLS_TO_MOST: u32 = 256;

impl Store {
    /// A run's calls, in the order in which they were made.
    pub fn calls(&self, run: &RunId) -> Result<Vec<CallRecord>, StoreError> {
        self.read(|connection| of_run(connection, run))
    }

    /// The newest calls of a session's runs to some toolkits, the oldest of them first.
    pub fn calls_to(&self, session: &SessionId, toolkits: &[String]) -> Result<Vec<CallRecord>, StoreError> {
        if toolkits.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|connection| to_toolkits(connection, session, toolkits))
    }

    /// Files that calls of a run have read, in their order: the places to which their paths led.
    pub fn files_read(&self, run: &RunId, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|connection| files_read(connection, run, limit))
    }
}

pub(crate) fn put(connection: &Connection, record: &CallRecord) -> rusqlite::Result<()> {
    let call = &record.call;
    put_row(
        connection,
        "call",
        &["run", "id"],
        named_params! {
            "run": record.run.as_str(),
            "id": call.id.0,
            "exec": call.exec.0,
            "toolkit": call.toolkit,
            "method": call.method,
            "args": Json(&call.args),
            "line": call.line,
            "class": Named(record.class),
            "state": Named(record.state),
            "outcome": record.outcome.as_ref().map(Json),
            "answered": record.answered,
            "started": record.started.0,
            "ended": record.ended.map(|moment| moment.0),
            "grounds": Json(&record.grounds),
            "places": Json(&call.places),
        },
        &[],
    )
}

/// In the order in which they were made.
pub(crate) fn of_run(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<CallRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM call WHERE run = ?1 ORDER BY id");
    rows(connection, &sql, [run.as_str()], read)
}

/// Run after run in the order of their start, each in the order of its calls.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<CallRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM run_state JOIN call ON call.run = run_state.run
         WHERE run_state.session = ?1 ORDER BY run_state.started, call.run, call.id"
    );
    rows(connection, &sql, [session.as_str()], read)
}

fn to_toolkits(
    connection: &Connection,
    session: &SessionId,
    toolkits: &[String],
) -> rusqlite::Result<Vec<CallRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM run_state JOIN call ON call.run = run_state.run
         WHERE run_state.session = ?1 AND call.toolkit IN (SELECT value FROM json_each(?2))
         ORDER BY call.started DESC, call.run DESC, call.id DESC LIMIT {CALLS_TO_MOST}"
    );
    let mut calls = rows(connection, &sql, params![session.as_str(), Json(toolkits)], read)?;
    calls.reverse();
    Ok(calls)
}

fn files_read(connection: &Connection, run: &RunId, limit: u32) -> rusqlite::Result<Vec<String>> {
    rows(
        connection,
        "SELECT json_extract(places, '$.path') FROM call
         WHERE run = ?1 AND toolkit = 'files' AND method = 'read' AND state = ?2
           AND json_extract(places, '$.path') IS NOT NULL AND json_extract(outcome, '$.error') IS NULL
         ORDER BY id LIMIT ?3",
        params![run.as_str(), Named(CallState::Done), limit],
        |row| row.get(0),
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    Ok(CallRecord {
        run: RunId::from(row.get::<_, String>(0)?),
        call: Call {
            id: CallId(row.get(1)?),
            exec: ExecId(row.get(2)?),
            toolkit: row.get(3)?,
            method: row.get(4)?,
            args: row.get::<_, Json<_>>(5)?.0,
            line: row.get(6)?,
            places: row.get::<_, Json<_>>(14)?.0,
        },
        class: row.get::<_, Named<_>>(7)?.0,
        state: row.get::<_, Named<_>>(8)?.0,
        outcome: row.get::<_, Option<Json<_>>>(9)?.map(|json| json.0),
        answered: row.get(10)?,
        started: Moment(row.get(11)?),
        ended: row.get::<_, Option<i64>>(12)?.map(Moment),
        grounds: row.get::<_, Json<_>>(13)?.0,
    })
}
