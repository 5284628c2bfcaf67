//! `workflow_run`, `workflow_step`, `workflow_program`: runs of workflows, what became of their steps, and the sessions in which
//! programs of steps run.
//!
//! A run's state is overwritten as it goes on, its steps are appended, in one transaction. The meaning of the state is
//! the engine's business; the store does not look. Sessions of steps are listed nowhere: they go with their run.

use super::{FITTING_MOST, only, rows, session, write, write_one};
use crate::column::{Json, signed, unsigned};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;
use shidi_protocol::{Moment, RunId, SessionId, Usage};

pub(crate) const CREATE: &str = "
CREATE TABLE workflow_run (
  run     TEXT PRIMARY KEY NOT NULL,
  name    TEXT NOT NULL,
  facts   TEXT NOT NULL,
  state   TEXT NOT NULL,
  usage   TEXT NOT NULL,
  tainted INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER
) STRICT;
CREATE INDEX workflow_run_by_time ON workflow_run (started DESC);
CREATE TABLE workflow_step (
  run     TEXT NOT NULL REFERENCES workflow_run (run) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  time    INTEGER NOT NULL,
  record  TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE workflow_program (
  session TEXT PRIMARY KEY NOT NULL,
  run     TEXT NOT NULL REFERENCES workflow_run (run) ON DELETE CASCADE,
  attempt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX workflow_program_by_run ON workflow_program (run);
";

/// Leaves the sessions of steps out of a list.
pub(crate) const NO_STEP: &str =
    "NOT EXISTS (SELECT 1 FROM workflow_program WHERE workflow_program.session = session.id)";

/// Leaves out runs that a step of another run has called: that one shows what becomes of them. Once it has ended, nobody
/// shows a called run that is still open, so that one is listed.
const NOT_CALLED_BY_A_STEP: &str = "NOT EXISTS (SELECT 1 FROM run_state JOIN workflow_program USING (session)
   JOIN workflow_run AS caller ON caller.run = workflow_program.run
   WHERE run_state.run = workflow_run.facts ->> '$.by.run'
     AND (caller.ended IS NULL OR workflow_run.ended IS NOT NULL))";

/// Runs that have ended and that a step of that run has called. Each run is looked at once, however many programs there are.
const CALLED_BY_STEPS: &str = "SELECT called.run FROM workflow_run AS called
   CROSS JOIN run_state ON run_state.run = called.facts ->> '$.by.run'
   CROSS JOIN workflow_program ON workflow_program.session = run_state.session
   WHERE workflow_program.run = ?1 AND called.ended IS NOT NULL";

/// A run of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowRow {
    pub run: RunId,
    /// The workflow's name.
    pub name: String,
    /// What stays as it was when the run began: the file, the inputs, what it may do.
    pub facts: Value,
    pub state: WorkflowState,
    pub started: Moment,
}

/// The part of a run that is overwritten.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowState {
    /// The engine's.
    pub engine: Value,
    pub usage: Usage,
    /// Whether a step has read something that the user did not write.
    pub tainted: bool,
    pub ended: Option<Moment>,
}

/// A record of a step, in the order in which they came.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowStepRow {
    pub number: u64,
    pub time: Moment,
    pub record: Value,
}

/// A session in which the program of a step runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkflowProgram {
    pub session: SessionId,
    pub attempt: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum WorkflowWrite {
    Begin(Box<WorkflowRow>),
    /// The run goes on: its state, what became of steps, and the sessions of programs that are about to begin.
    Advance {
        run: RunId,
        state: Box<WorkflowState>,
        steps: Vec<WorkflowStepRow>,
        programs: Vec<WorkflowProgram>,
    },
    /// Deletes a run with the sessions of its steps, and the runs that these have called.
    Delete(RunId),
}

impl WorkflowWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Begin(row) => begin(connection, row),
            Self::Advance {
                run,
                state,
                steps,
                programs,
            } => advance(connection, run, state, steps, programs),
            Self::Delete(run) => delete(connection, run),
        }
    }
}

const SELECT: &str = "SELECT run, name, facts, state, usage, tainted, started, ended FROM workflow_run";

impl Store {
    pub fn workflow_run(&self, run: &RunId) -> Result<Option<WorkflowRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(&format!("{SELECT} WHERE run = ?1"))?
                .query_row([run.as_str()], read)
                .optional()
        })
    }

    /// Runs of one workflow, or of all those that no step has called; newest first.
    pub fn workflow_runs(&self, name: Option<&str>, limit: u32) -> Result<Vec<WorkflowRow>, StoreError> {
        self.read(|connection| {
            rows(
                connection,
                &format!(
                    "{SELECT} WHERE CASE WHEN ?1 IS NULL THEN {NOT_CALLED_BY_A_STEP} ELSE name = ?1 END
                     ORDER BY started DESC, run DESC LIMIT ?2"
                ),
                params![name, limit],
                read,
            )
        })
    }

    /// Runs that have not ended, newest first.
    pub fn open_workflow_runs(&self, limit: u32) -> Result<Vec<WorkflowRow>, StoreError> {
        self.read(|connection| {
            rows(
                connection,
                &format!("{SELECT} WHERE ended IS NULL ORDER BY started DESC, run DESC LIMIT ?1"),
                params![limit],
                read,
            )
        })
    }

    /// The run whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_workflow_run(&self, text: &str) -> Result<Option<RunId>, StoreError> {
        let fitting = |connection: &Connection| {
            rows(
                connection,
                "SELECT run FROM workflow_run
                 WHERE substr(run, 1, length(?1)) = ?1 OR substr(run, -length(?1)) = ?1 LIMIT ?2",
                params![text, FITTING_MOST],
                |row| Ok(RunId::from(row.get::<_, String>(0)?)),
            )
        };
        only(text, self.read(fitting)?)
    }

    /// The last `limit` records of a run's steps, in their order.
    pub fn workflow_steps(&self, run: &RunId, limit: u32) -> Result<Vec<WorkflowStepRow>, StoreError> {
        self.read(|connection| {
            rows(
                connection,
                "SELECT number, time, record FROM (
                   SELECT number, time, record FROM workflow_step WHERE run = ?1 ORDER BY number DESC LIMIT ?2)
                 ORDER BY number",
                params![run.as_str(), limit],
                |row| {
                    Ok(WorkflowStepRow {
                        number: unsigned(row.get(0)?),
                        time: Moment(row.get(1)?),
                        record: row.get::<_, Json<_>>(2)?.0,
                    })
                },
            )
        })
    }

    /// The sessions of a run's programs, by attempt.
    pub fn workflow_programs(&self, run: &RunId) -> Result<Vec<WorkflowProgram>, StoreError> {
        self.read(|connection| programs_of(connection, run))
    }
}

fn begin(connection: &Connection, row: &WorkflowRow) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO workflow_run (run, name, facts, state, usage, tainted, started, ended)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            row.run.as_str(),
            row.name,
            Json(&row.facts),
            Json(&row.state.engine),
            Json(&row.state.usage),
            row.state.tainted,
            row.started.0,
            row.state.ended.map(|moment| moment.0),
        ],
    )
}

fn advance(
    connection: &Connection,
    run: &RunId,
    state: &WorkflowState,
    steps: &[WorkflowStepRow],
    programs: &[WorkflowProgram],
) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE workflow_run SET state = ?2, usage = ?3, tainted = ?4, ended = ?5 WHERE run = ?1",
        params![
            run.as_str(),
            Json(&state.engine),
            Json(&state.usage),
            state.tainted,
            state.ended.map(|moment| moment.0),
        ],
    )?;
    for step in steps {
        write_one(
            connection,
            "INSERT INTO workflow_step (run, number, time, record) VALUES (?1, ?2, ?3, ?4)",
            params![run.as_str(), signed(step.number), step.time.0, Json(&step.record)],
        )?;
    }
    for program in programs {
        write(
            connection,
            "INSERT INTO workflow_program (session, run, attempt) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![program.session.as_str(), run.as_str(), signed(program.attempt)],
        )?;
    }
    Ok(())
}

fn delete(connection: &Connection, run: &RunId) -> rusqlite::Result<()> {
    let called = rows(connection, CALLED_BY_STEPS, [run.as_str()], |row| {
        Ok(RunId::from(row.get::<_, String>(0)?))
    });
    for called in called? {
        delete(connection, &called)?;
    }
    for program in programs_of(connection, run)? {
        session::delete(connection, &program.session)?;
    }
    write(
        connection,
        "DELETE FROM workflow_run WHERE run = ?1",
        [run.as_str()],
    )
    .map(|_| ())
}

fn programs_of(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<WorkflowProgram>> {
    rows(
        connection,
        "SELECT session, attempt FROM workflow_program WHERE run = ?1 ORDER BY attempt",
        [run.as_str()],
        |row| {
            Ok(WorkflowProgram {
                session: SessionId::from(row.get::<_, String>(0)?),
                attempt: unsigned(row.get(1)?),
            })
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<WorkflowRow> {
    Ok(WorkflowRow {
        run: RunId::from(row.get::<_, String>(0)?),
        name: row.get(1)?,
        facts: row.get::<_, Json<_>>(2)?.0,
        state: WorkflowState {
            engine: row.get::<_, Json<_>>(3)?.0,
            usage: row.get::<_, Json<_>>(4)?.0,
            tainted: row.get(5)?,
            ended: row.get::<_, Option<i64>>(7)?.map(Moment),
        },
        started: Moment(row.get(6)?),
    })
}
