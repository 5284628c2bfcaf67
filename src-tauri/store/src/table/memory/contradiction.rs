//! `contradiction`: statements that can't both be so, where nobody said which of them is. Both are kept and shown beside
//! each other until one of them ends.

use super::{COLUMNS, read};
use crate::table::{rows, write};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{MemoryId, MemoryRecord};

pub(crate) const CREATE: &str = "
CREATE TABLE contradiction (
  memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  other  TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  PRIMARY KEY (memory, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX contradiction_by_other ON contradiction (other);
";

/// Statements of one that are shown.
const SHOWN_MOST: u32 = 8;

impl Store {
    /// The records that contradict a statement, as far as both hold; newest first.
    pub fn contradictions(&self, memory: &MemoryId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| of(connection, memory))
    }
}

/// Both must be there; said twice, it is kept once.
pub(crate) fn put(connection: &Connection, memory: &MemoryId, other: &MemoryId) -> rusqlite::Result<()> {
    let (first, second) = if memory < other {
        (memory, other)
    } else {
        (other, memory)
    };
    write(
        connection,
        "INSERT INTO contradiction (memory, other) SELECT ?1, ?2 WHERE ?1 <> ?2 ON CONFLICT DO NOTHING",
        params![first.as_str(), second.as_str()],
    )
    .map(|_| ())
}

/// The records that contradict a statement, as far as both hold; newest first.
pub(crate) fn of(connection: &Connection, memory: &MemoryId) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "WITH beside (id) AS (
           SELECT other FROM contradiction WHERE memory = ?1 UNION SELECT memory FROM contradiction WHERE other = ?1)
         SELECT {COLUMNS} FROM remembered WHERE id IN (SELECT id FROM beside) AND valid_to IS NULL
           AND EXISTS (SELECT 1 FROM remembered WHERE id = ?1 AND valid_to IS NULL)
         ORDER BY time DESC, row DESC LIMIT {SHOWN_MOST}"
    );
    rows(connection, &sql, [memory.as_str()], read)
}

/// Whether there are any at all.
pub(crate) fn exist(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM contradiction)")?
        .query_row([], |row| row.get(0))
}
