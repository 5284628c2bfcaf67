//! `setting`: what the program remembers for itself, such as the ball's place. No secret and no configuration:
//! those are in the keychain and in `config.toml`.

use super::{rows, write_one};
use crate::column::Json;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

pub(crate) const CREATE: &str = "
CREATE TABLE setting (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

impl Store {
    pub fn setting(&self, key: &str) -> Result<Option<Value>, StoreError> {
        self.read(|connection| one(connection, key))
    }

    /// By key.
    pub fn settings(&self) -> Result<Vec<(String, Value)>, StoreError> {
        self.read(all)
    }
}

pub(crate) fn put(connection: &Connection, key: &str, value: &Value) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
        params![key, Json(value)],
    )
}

pub(crate) fn one(connection: &Connection, key: &str) -> rusqlite::Result<Option<Value>> {
    connection
        .prepare_cached("SELECT value FROM setting WHERE key = ?1")?
        .query_row([key], |row| Ok(row.get::<_, Json<_>>(0)?.0))
        .optional()
}

/// By key.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<(String, Value)>> {
    rows(
        connection,
        "SELECT key, value FROM setting ORDER BY key",
        [],
        |row| Ok((row.get(0)?, row.get::<_, Json<_>>(1)?.0)),
    )
}
