//! `switch`: tools that the user has switched off, for everyone or for one assistant. A tool that is not here
//! is on.

use super::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
CREATE TABLE switch (
  assistant TEXT NOT NULL,
  tool      TEXT NOT NULL,
  PRIMARY KEY (assistant, tool)
) STRICT, WITHOUT ROWID;
";

/// A toolkit or a tool that is switched off.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SwitchedOff {
    /// `None` for whoever asks.
    pub assistant: Option<String>,
    /// `toolkit` or `toolkit.method`.
    pub tool: String,
}

impl Store {
    /// The toolkits and tools that are switched off, by assistant and name.
    pub fn switched_off(&self) -> Result<Vec<SwitchedOff>, StoreError> {
        self.read(all)
    }
}

/// Switches off, or on again; whatever it is already stays so.
pub(crate) fn put(connection: &Connection, switch: &SwitchedOff, on: bool) -> rusqlite::Result<()> {
    let assistant = switch.assistant.as_deref().unwrap_or_default();
    let sql = match on {
        true => "DELETE FROM switch WHERE assistant = ?1 AND tool = ?2",
        false => "INSERT INTO switch (assistant, tool) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    };
    write(connection, sql, params![assistant, switch.tool]).map(|_| ())
}

pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<SwitchedOff>> {
    rows(
        connection,
        "SELECT assistant, tool FROM switch ORDER BY assistant, tool",
        [],
        |row| {
            let assistant: String = row.get(0)?;
            Ok(SwitchedOff {
                assistant: (!assistant.is_empty()).then_some(assistant),
                tool: row.get(1)?,
            })
        },
    )
}
