//! `erasure`: whether deleted text may still lie about in the file.
//!
//! `secure_delete` overwrites a deleted row where it lies. The copies stay that SQLite left in unused parts of
//! pages whenever it moved rows between them. Only making the file anew takes those out; until then one row here
//! remembers it, also after a crash.

use super::write_one;
use rusqlite::Connection;

pub(crate) const CREATE: &str = "
CREATE TABLE erasure (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  is_due INTEGER NOT NULL
) STRICT;
INSERT INTO erasure (id, is_due) VALUES (1, 0);
";

/// Remembers that something was deleted; belongs into the deleting transaction.
pub(crate) fn ask(connection: &Connection) -> rusqlite::Result<()> {
    write_one(connection, "UPDATE erasure SET is_due = 1", [])
}

/// Remembers that the file was made anew.
pub(crate) fn done(connection: &Connection) -> rusqlite::Result<()> {
    write_one(connection, "UPDATE erasure SET is_due = 0", [])
}

pub(crate) fn is_due(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT is_due FROM erasure")?
        .query_row([], |row| row.get(0))
}
