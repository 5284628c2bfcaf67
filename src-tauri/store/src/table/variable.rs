//! `variable`: what programs of a session left behind, value by value, each at the run that left it.
//!
//! Runs are a tree (`run_state.rs`). A program finds, for each name, the value of the nearest run on its line. A value
//! of no run stands before all of them. A deletion is a row, too: it hides what earlier runs left from its own line
//! alone. A value that nobody can find any more goes (`variable/sweep.rs`). A value that has no JSON form is kept as
//! text only, so that it can be named. Nobody gets the text back as a value.

pub(crate) mod sweep;

use super::{rows, run_state, write, write_one};
use crate::column::Json;
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, params};
use serde_json::Value;
use shidi_protocol::{RunId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE variable (
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  kind    TEXT NOT NULL,
  value   TEXT,
  text    TEXT NOT NULL,
  tainted INTEGER NOT NULL,
  PRIMARY KEY (session, name)
) STRICT;
";

pub(crate) const ADD_RUN: &str = "ALTER TABLE variable ADD COLUMN run TEXT;";

/// Older databases have one value for each name. One whose run is not known stands before all runs.
pub(crate) const KEY_BY_RUN: &str = "
ALTER TABLE variable RENAME TO variable_by_name;
CREATE TABLE variable (
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  run     TEXT,
  kind    TEXT NOT NULL,
  value   TEXT,
  text    TEXT NOT NULL,
  tainted INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT FALSE
) STRICT;
CREATE UNIQUE INDEX variable_by_run ON variable (session, name, ifnull(run, ''));
INSERT INTO variable (session, name, run, kind, value, text, tainted)
  SELECT session, name, (SELECT run FROM run_state WHERE run_state.run = before.run), kind, value, text, tainted
  FROM variable_by_name AS before;
DROP TABLE variable_by_name;
";

/// A variable of a session's programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    /// Python type.
    pub kind: String,
    /// `None` when the value has no JSON form.
    pub value: Option<Value>,
    /// The value as text, as Python shows it.
    pub text: String,
    /// Whether the run that left it had read something untrusted.
    pub tainted: bool,
    /// The run that it was left at; `None` stands before all runs.
    pub run: Option<RunId>,
}

/// The change that a run made to a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum VariableRow {
    Left(Variable),
    /// From that run on the name is not there.
    Deleted {
        name: String,
        run: Option<RunId>,
    },
}

impl Store {
    /// The variables that programs find after the run `last`, by name; without one, before the first run.
    pub fn variables(&self, session: &SessionId, last: Option<&RunId>) -> Result<Vec<Variable>, StoreError> {
        self.read(|connection| after(connection, session, last))
    }

    /// The variables that all runs of a session left and deleted, by name: for a copy of all its versions.
    pub fn variable_rows(&self, session: &SessionId) -> Result<Vec<VariableRow>, StoreError> {
        self.read(|connection| of_session(connection, session))
    }
}

pub(crate) fn put(connection: &Connection, session: &SessionId, variable: &Variable) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO variable (session, name, run, kind, value, text, tainted) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (session, name, ifnull(run, '')) DO UPDATE
           SET kind = ?4, value = ?5, text = ?6, tainted = ?7, deleted = FALSE",
        params![
            session.as_str(),
            variable.name,
            variable.run.as_ref().map(RunId::as_str),
            variable.kind,
            variable.value.as_ref().map(Json),
            variable.text,
            variable.tainted
        ],
    )
}

/// The name is not there from `run` on; does nothing where nobody left it.
pub(crate) fn delete(
    connection: &Connection,
    session: &SessionId,
    name: &str,
    run: Option<&RunId>,
) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO variable (session, name, run, kind, text, tainted, deleted)
         SELECT ?1, ?2, ?3, '', '', FALSE, TRUE
         WHERE EXISTS (SELECT 1 FROM variable WHERE session = ?1 AND name = ?2)
         ON CONFLICT (session, name, ifnull(run, '')) DO UPDATE
           SET kind = '', value = NULL, text = '', tainted = FALSE, deleted = TRUE",
        params![session.as_str(), name, run.map(RunId::as_str)],
    )?;
    Ok(())
}

/// The variables that programs find after the run `last`, by name; before the first run, those of none.
pub(crate) fn after(
    connection: &Connection,
    session: &SessionId,
    last: Option<&RunId>,
) -> rusqlite::Result<Vec<Variable>> {
    let line = match last {
        Some(last) => run_state::line(connection, last)?,
        None => Vec::new(),
    };
    let places: Vec<Option<&str>> = line.iter().map(|run| Some(run.as_str())).chain([None]).collect();
    // The smallest distance brings the other columns of its row along.
    rows(
        connection,
        "WITH place (run, distance) AS MATERIALIZED (SELECT value, key FROM json_each(?2))
         SELECT name, kind, value, text, tainted, run FROM (
           SELECT name, kind, value, text, tainted, variable.run AS run, deleted, min(distance)
           FROM variable JOIN place ON variable.run IS place.run WHERE session = ?1 GROUP BY name)
         WHERE NOT deleted ORDER BY name",
        params![session.as_str(), Json(&places)],
        read,
    )
}

/// The variables of all runs of a session, by name; deleted ones come after those that were left.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<VariableRow>> {
    rows(
        connection,
        "SELECT name, kind, value, text, tainted, run, deleted FROM variable WHERE session = ?1 ORDER BY name, deleted, rowid",
        [session.as_str()],
        |row| {
            let variable = read(row)?;
            Ok(match row.get(6)? {
                true => VariableRow::Deleted {
                    name: variable.name,
                    run: variable.run,
                },
                false => VariableRow::Left(variable),
            })
        },
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Variable> {
    Ok(Variable {
        name: row.get(0)?,
        kind: row.get(1)?,
        value: row.get::<_, Option<Json<_>>>(2)?.map(|json| json.0),
        text: row.get(3)?,
        tainted: row.get(4)?,
        run: row.get::<_, Option<String>>(5)?.map(RunId::from),
    })
}
