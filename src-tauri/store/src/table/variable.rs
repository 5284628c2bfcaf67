//! `variable`: what programs of a session left behind, value by value.
//!
//! A value that has no JSON form is kept as text only, so that it can be named; nobody gets it back as a value.

use super::{rows, write, write_one};
use crate::column::Json;
use rusqlite::{Connection, params};
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
    /// The run that left it as it is; `None` when it was set by hand.
    pub run: Option<RunId>,
}

pub(crate) fn put(connection: &Connection, session: &SessionId, variable: &Variable) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO variable (session, name, kind, value, text, tainted, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (session, name) DO UPDATE SET kind = ?3, value = ?4, text = ?5, tainted = ?6, run = ?7",
        params![
            session.as_str(),
            variable.name,
            variable.kind,
            variable.value.as_ref().map(Json),
            variable.text,
            variable.tainted,
            variable.run.as_ref().map(RunId::as_str)
        ],
    )
}

pub(crate) fn delete(connection: &Connection, session: &SessionId, name: &str) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM variable WHERE session = ?1 AND name = ?2",
        [session.as_str(), name],
    )?;
    Ok(())
}

/// By name.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<Variable>> {
    rows(
        connection,
        "SELECT name, kind, value, text, tainted, run FROM variable WHERE session = ?1 ORDER BY name",
        [session.as_str()],
        |row| {
            Ok(Variable {
                name: row.get(0)?,
                kind: row.get(1)?,
                value: row.get::<_, Option<Json<_>>>(2)?.map(|json| json.0),
                text: row.get(3)?,
                tainted: row.get(4)?,
                run: row.get::<_, Option<String>>(5)?.map(RunId::from),
            })
        },
    )
}
