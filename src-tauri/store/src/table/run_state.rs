//! `run_state`: how each run stands; one small row that is overwritten as the run goes on.
//!
//! The row holds ids and counters, not texts. Words are in `segment`, calls are in `call`, and from the three together
//! the mind is rebuilt. The meaning of `state` is the mind's business; the store does not look.

use super::{FITTING_MOST, only, partial_answer, rows, write, write_one};
use crate::column::{Json, Named};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;
use shidi_protocol::{Moment, RunId, RunStatus, RunSummary, SessionId, Usage, UserError, WaitingCard};

pub(crate) const CREATE: &str = "
CREATE TABLE run_state (
  run      TEXT PRIMARY KEY NOT NULL,
  session  TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  status   TEXT,
  state    TEXT NOT NULL,
  question TEXT NOT NULL,
  usage    TEXT NOT NULL,
  offline  INTEGER NOT NULL,
  waiting  TEXT NOT NULL,
  started  INTEGER NOT NULL,
  ended    INTEGER,
  reason   TEXT,
  seq      INTEGER NOT NULL,
  build    TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_session ON run_state (session, status);
CREATE INDEX run_by_time ON run_state (started DESC);
CREATE INDEX run_open ON run_state (started) WHERE status IS NULL OR status = 'suspended';
";

pub(crate) const ADD_ERROR: &str = "ALTER TABLE run_state ADD COLUMN error TEXT;";

/// No row changes. Errors hold their detail in every language from here on, and a program of before can't read such a
/// row.
pub(crate) const WORD_ERRORS: &str = "";

/// Older databases have no versions: each run follows the one before it.
pub(crate) const ADD_PARENT: &str = "
ALTER TABLE run_state ADD COLUMN parent TEXT;
UPDATE run_state SET parent = (
  SELECT before.run FROM run_state AS before
  WHERE before.session = run_state.session AND (before.started, before.run) < (run_state.started, run_state.run)
  ORDER BY before.started DESC, before.run DESC LIMIT 1);
";

/// How a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct RunState {
    pub run: RunId,
    pub session: SessionId,
    /// The run that it follows; `None` for the first of its session. Runs that follow the same one are versions.
    pub parent: Option<RunId>,
    /// `None` while it is at work.
    pub status: Option<RunStatus>,
    /// Ids and counters of the mind.
    pub state: Value,
    pub question: String,
    pub usage: Usage,
    /// Whether the answers come from the offline planner.
    pub offline: bool,
    /// The cards that the run waits for, as shown to the user.
    pub waiting: Vec<WaitingCard>,
    pub started: Moment,
    pub ended: Option<Moment>,
    pub reason: Option<String>,
    /// For a failed one: what to show, with its remedy.
    pub error: Option<UserError>,
    /// Number of the last event that was sent.
    pub seq: u32,
    /// Which program and worker made the record; a replay by another build may diverge.
    pub build: String,
}

impl RunState {
    /// The part that is drawn.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        RunSummary {
            id: self.run.clone(),
            parent: self.parent.clone(),
            versions: Vec::new(),
            status: self.status,
            reason: self.reason.clone(),
            error: self.error.clone(),
            usage: self.usage,
            offline: self.offline,
            waiting: self.waiting.clone(),
            awaiting: None,
            seq: self.seq,
        }
    }
}

const SELECT: &str =
    "SELECT run, session, status, state, question, usage, offline, waiting, started, ended, reason,
  seq, build, error, parent FROM run_state";

impl Store {
    /// How a run stands.
    pub fn run(&self, run: &RunId) -> Result<Option<RunState>, StoreError> {
        self.read(|connection| one(connection, run))
    }

    /// A session's runs, oldest first.
    pub fn runs(&self, session: &SessionId) -> Result<Vec<RunState>, StoreError> {
        self.read(|connection| of_session(connection, session))
    }

    /// Runs of all sessions in the order of their ids, from after the run `after` on.
    pub fn runs_after(&self, after: Option<&RunId>, limit: u32) -> Result<Vec<RunState>, StoreError> {
        self.read(|connection| following(connection, after, limit))
    }

    /// Runs that are at work or suspended, oldest first. At a start, those at work were interrupted.
    pub fn open_runs(&self) -> Result<Vec<RunState>, StoreError> {
        self.read(open)
    }

    /// The run whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_run(&self, text: &str) -> Result<Option<RunId>, StoreError> {
        only(
            text,
            self.read(|connection| fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// A run with those that it follows, the first of its session last; empty when there is no such run.
    pub fn line(&self, run: &RunId) -> Result<Vec<RunId>, StoreError> {
        self.read(|connection| line(connection, run))
    }
}

/// Writes the state over the earlier one; a run never moves to another session, nor behind another run. A new one is what
/// its session shows from then on. What is not at work has no answer under way.
pub(crate) fn put(connection: &Connection, state: &RunState) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE session SET head = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM run_state WHERE run = ?1)",
        [state.run.as_str(), state.session.as_str()],
    )?;
    write_one(
        connection,
        "INSERT INTO run_state (run, session, status, state, question, usage, offline, waiting, started, ended, reason,
           seq, build, error, parent) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         ON CONFLICT (run) DO UPDATE SET status = ?3, state = ?4, question = ?5, usage = ?6, offline = ?7, waiting = ?8,
           started = ?9, ended = ?10, reason = ?11, seq = ?12, build = ?13, error = ?14 WHERE session = ?2",
        params![
            state.run.as_str(),
            state.session.as_str(),
            state.status.map(Named),
            Json(&state.state),
            state.question,
            Json(&state.usage),
            state.offline,
            Json(&state.waiting),
            state.started.0,
            state.ended.map(|moment| moment.0),
            state.reason,
            state.seq,
            state.build,
            state.error.as_ref().map(Json),
            state.parent.as_ref().map(RunId::as_str)
        ],
    )?;
    match state.status {
        Some(_) => partial_answer::delete(connection, &state.run),
        None => Ok(()),
    }
}

/// Adds to what a run took; does nothing if there is no such run.
pub(crate) fn add_usage(connection: &Connection, run: &RunId, usage: &Usage) -> rusqlite::Result<()> {
    let Some(mut state) = one(connection, run)? else {
        return Ok(());
    };
    state.usage.add(usage);
    write_one(
        connection,
        "UPDATE run_state SET usage = ?2 WHERE run = ?1",
        params![run.as_str(), Json(&state.usage)],
    )
}

pub(crate) fn one(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<RunState>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE run = ?1"))?
        .query_row([run.as_str()], read)
        .optional()
}

/// In the order in which they were started.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<RunState>> {
    rows(
        connection,
        &format!("{SELECT} WHERE session = ?1 ORDER BY started, run"),
        [session.as_str()],
        read,
    )
}

fn following(connection: &Connection, after: Option<&RunId>, limit: u32) -> rusqlite::Result<Vec<RunState>> {
    rows(
        connection,
        &format!("{SELECT} WHERE run > ?1 ORDER BY run LIMIT ?2"),
        params![after.map_or("", RunId::as_str), limit],
        read,
    )
}

/// The run and those that it follows, to the first of its session. Whatever a row says, each is met once.
pub(crate) fn line(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<RunId>> {
    rows(
        connection,
        "WITH RECURSIVE line (run, parent, session) AS (
           SELECT run, parent, session FROM run_state WHERE run = ?1
           UNION
           SELECT before.run, before.parent, before.session FROM run_state AS before
           JOIN line ON before.run = line.parent AND before.session = line.session)
         SELECT run FROM line",
        [run.as_str()],
        |row| Ok(RunId::from(row.get::<_, String>(0)?)),
    )
}

/// Runs at work and suspended ones, oldest first.
pub(crate) fn open(connection: &Connection) -> rusqlite::Result<Vec<RunState>> {
    let sql = format!("{SELECT} WHERE status IS NULL OR status = 'suspended' ORDER BY started, run");
    rows(connection, &sql, [], read)
}

/// Ids that begin or end with `text`, at most `limit`.
pub(crate) fn fitting(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<RunId>> {
    rows(
        connection,
        "SELECT run FROM run_state
         WHERE substr(run, 1, length(?1)) = ?1 OR substr(run, -length(?1)) = ?1 LIMIT ?2",
        params![text, limit],
        |row| Ok(RunId::from(row.get::<_, String>(0)?)),
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<RunState> {
    Ok(RunState {
        run: RunId::from(row.get::<_, String>(0)?),
        session: SessionId::from(row.get::<_, String>(1)?),
        status: row.get::<_, Option<Named<_>>>(2)?.map(|named| named.0),
        state: row.get::<_, Json<_>>(3)?.0,
        question: row.get(4)?,
        usage: row.get::<_, Json<_>>(5)?.0,
        offline: row.get(6)?,
        waiting: row.get::<_, Json<_>>(7)?.0,
        started: Moment(row.get(8)?),
        ended: row.get::<_, Option<i64>>(9)?.map(Moment),
        reason: row.get(10)?,
        seq: row.get(11)?,
        build: row.get(12)?,
        error: row.get::<_, Option<Json<_>>>(13)?.map(|json| json.0),
        parent: row.get::<_, Option<String>>(14)?.map(RunId::from),
    })
}
