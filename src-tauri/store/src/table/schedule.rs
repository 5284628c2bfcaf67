//! `schedule`, `schedule_run`: what happens at a time by itself, and what became of each time.
//!
//! The next time is overwritten in the transaction that takes a time up. So no time is taken up twice.

use super::{rows, write, write_one};
use crate::column::{Json, Named, signed};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use shidi_protocol::{Moment, RunId, ScheduleDraft, ScheduleOutcome, ScheduleTime, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE schedule (
  id      TEXT PRIMARY KEY NOT NULL,
  draft   TEXT NOT NULL,
  time    TEXT NOT NULL,
  paused  INTEGER NOT NULL,
  next    INTEGER,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE schedule_run (
  schedule   TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  due        INTEGER NOT NULL,
  dispatched INTEGER,
  started    INTEGER,
  finished   INTEGER,
  outcome    TEXT,
  reason     TEXT,
  run        TEXT,
  missed     INTEGER NOT NULL,
  PRIMARY KEY (schedule, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_run_by_time ON schedule_run (due DESC);
";

/// What happens at a time by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleRow {
    pub id: String,
    pub draft: ScheduleDraft,
    pub time: ScheduleTime,
    pub paused: bool,
    /// `None` when nothing comes any more.
    pub next: Option<Moment>,
    pub created: Moment,
}

/// What became of a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRunRow {
    pub schedule: String,
    /// Counted within the schedule, in the order in which they came.
    pub number: u64,
    pub due: Moment,
    pub dispatched: Option<Moment>,
    pub started: Option<Moment>,
    pub finished: Option<Moment>,
    pub outcome: Option<ScheduleOutcome>,
    /// Why it failed; of a time that was skipped, the name of the reason.
    pub reason: Option<String>,
    pub run: Option<RunId>,
    /// How many times directly before it the record stands for, too.
    pub missed: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ScheduleWrite {
    Put(Box<ScheduleRow>),
    PutRun(Box<ScheduleRunRow>),
    /// How its file was seen; nothing where it is gone, or has another time than `before` meanwhile.
    Seen {
        id: String,
        before: ScheduleTime,
        time: ScheduleTime,
    },
    /// With all that became of its times.
    Delete(String),
}

impl ScheduleWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Put(row) => put(connection, row),
            Self::PutRun(row) => put_run(connection, row),
            Self::Seen { id, before, time } => {
                let sql = "UPDATE schedule SET time = ?3 WHERE id = ?1 AND time = ?2";
                write(connection, sql, params![id, Json(before), Json(time)]).map(|_| ())
            }
            Self::Delete(id) => write(connection, "DELETE FROM schedule WHERE id = ?1", [id]).map(|_| ()),
        }
    }
}

const SELECT: &str = "SELECT id, draft, time, paused, next, created FROM schedule";
const SELECT_RUN: &str = "SELECT schedule, number, due, dispatched, started, finished, outcome, reason, run, missed FROM schedule_run";

/// A workflow's run has no session of its own.
const OF_SCHEDULE: &str = "
WITH RECURSIVE above (run, session) AS (
  VALUES (?1, ?2)
  UNION
  SELECT run_state.run, run_state.session FROM above JOIN run_state
    ON run_state.run BETWEEN substr(above.session, 1, 26) AND substr(above.session, 1, 26) || '~'
    WHERE length(above.session) >= 26
  UNION
  SELECT workflow_run.run, '' FROM above JOIN workflow_run
    ON workflow_run.run BETWEEN substr(above.session, 1, 26) AND substr(above.session, 1, 26) || '~'
    WHERE length(above.session) >= 26
  UNION
  SELECT run_state.run, run_state.session FROM above JOIN workflow_run USING (run)
    JOIN run_state ON run_state.run = workflow_run.facts ->> '$.by.run'
)
SELECT EXISTS (SELECT 1 FROM above JOIN schedule_run USING (run))";

impl Store {
    /// The schedules that come next stand first, and the ones that don't come any more last.
    pub fn schedules(&self) -> Result<Vec<ScheduleRow>, StoreError> {
        let sql = format!("{SELECT} ORDER BY next IS NULL, next, created, id");
        self.read(|connection| rows(connection, &sql, [], read))
    }

    pub fn schedule(&self, id: &str) -> Result<Option<ScheduleRow>, StoreError> {
        let sql = format!("{SELECT} WHERE id = ?1");
        self.read(|connection| connection.query_row(&sql, [id], read).optional())
    }

    /// What became of times of one, or of all, newest first.
    pub fn schedule_runs(&self, id: Option<&str>, limit: u32) -> Result<Vec<ScheduleRunRow>, StoreError> {
        let sql =
            format!("{SELECT_RUN} WHERE ?1 IS NULL OR schedule = ?1 ORDER BY due DESC, number DESC LIMIT ?2");
        self.read(|connection| rows(connection, &sql, params![id, limit], read_run))
    }

    /// The runs that were taken up and have no end on record.
    pub fn open_schedule_runs(&self) -> Result<Vec<ScheduleRunRow>, StoreError> {
        let sql = format!("{SELECT_RUN} WHERE finished IS NULL AND dispatched IS NOT NULL ORDER BY due");
        self.read(|connection| rows(connection, &sql, [], read_run))
    }

    /// Whether a schedule has begun that run, or a run that it works for, however far above. Sessions of sub-agents and
    /// of a workflow's steps begin with the id of their run. A workflow's run names the run that called it.
    pub fn is_of_schedule(&self, run: &RunId, session: &SessionId) -> Result<bool, StoreError> {
        self.read(|connection| {
            connection.query_row(OF_SCHEDULE, [run.as_str(), session.as_str()], |row| row.get(0))
        })
    }

    /// The number that the next record of a schedule has.
    pub fn next_schedule_run(&self, id: &str) -> Result<u64, StoreError> {
        self.read(|connection| {
            let sql = "SELECT coalesce(max(number) + 1, 0) FROM schedule_run WHERE schedule = ?1";
            connection.query_row(sql, [id], |row| row.get(0).map(crate::column::unsigned))
        })
    }

    /// When one was last finished.
    pub fn last_schedule_run(&self, id: &str) -> Result<Option<Moment>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT max(finished) FROM schedule_run WHERE schedule = ?1 AND dispatched IS NOT NULL";
            connection.query_row(sql, [id], |row| {
                row.get::<_, Option<i64>>(0).map(|last| last.map(Moment))
            })
        })
    }
}

fn put(connection: &Connection, row: &ScheduleRow) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO schedule (id, draft, time, paused, next, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET draft = ?2, time = ?3, paused = ?4, next = ?5",
        params![
            row.id,
            Json(&row.draft),
            Json(&row.time),
            row.paused,
            row.next.map(|next| next.0),
            row.created.0
        ],
    )
}

/// Records that are kept of a schedule: of one of every minute, most of a day.
const KEPT_MOST: u64 = 1_000;

/// Nothing when its schedule is gone, or when it has ended: who looked before that knows less. The oldest ones go.
fn put_run(connection: &Connection, row: &ScheduleRunRow) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM schedule_run WHERE schedule = ?1 AND number < ?2",
        params![row.schedule, signed(row.number.saturating_sub(KEPT_MOST))],
    )?;
    write(
        connection,
        "INSERT INTO schedule_run (schedule, number, due, dispatched, started, finished, outcome, reason, run, missed)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE EXISTS (SELECT 1 FROM schedule WHERE id = ?1)
         ON CONFLICT (schedule, number) DO UPDATE SET
           dispatched = ?4, started = ?5, finished = ?6, outcome = ?7, reason = ?8, run = ?9
         WHERE schedule_run.finished IS NULL",
        params![
            row.schedule,
            signed(row.number),
            row.due.0,
            row.dispatched.map(|time| time.0),
            row.started.map(|time| time.0),
            row.finished.map(|time| time.0),
            row.outcome.map(Named),
            row.reason,
            row.run.as_ref().map(RunId::as_str),
            row.missed,
        ],
    )
    .map(|_| ())
}

fn read(row: &Row<'_>) -> rusqlite::Result<ScheduleRow> {
    Ok(ScheduleRow {
        id: row.get(0)?,
        draft: row.get::<_, Json<_>>(1)?.0,
        time: row.get::<_, Json<_>>(2)?.0,
        paused: row.get(3)?,
        next: row.get::<_, Option<i64>>(4)?.map(Moment),
        created: Moment(row.get(5)?),
    })
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<ScheduleRunRow> {
    let moment = |index: usize| row.get::<_, Option<i64>>(index).map(|time| time.map(Moment));
    Ok(ScheduleRunRow {
        schedule: row.get(0)?,
        number: crate::column::unsigned(row.get(1)?),
        due: Moment(row.get(2)?),
        dispatched: moment(3)?,
        started: moment(4)?,
        finished: moment(5)?,
        outcome: row.get::<_, Option<Named<_>>>(6)?.map(|outcome| outcome.0),
        reason: row.get(7)?,
        run: row.get::<_, Option<String>>(8)?.map(RunId::from),
        missed: row.get(9)?,
    })
}
