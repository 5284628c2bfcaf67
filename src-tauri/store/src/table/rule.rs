//! `rule`: decisions about calls that the user wants remembered. The matches of a pattern are decided by
//! permissions, not here.

use super::{rows, write, write_one};
use crate::column::Named;
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{Moment, Verdict};

pub(crate) const CREATE: &str = "
CREATE TABLE rule (
  pattern TEXT PRIMARY KEY NOT NULL,
  verdict TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// A remembered decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// `toolkit.method(arg=glob, …)`.
    pub pattern: String,
    pub verdict: Verdict,
    pub created: Moment,
}

impl Store {
    /// Oldest first.
    pub fn rules(&self) -> Result<Vec<Rule>, StoreError> {
        self.read(all)
    }
}

pub(crate) fn put(connection: &Connection, rule: &Rule) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO rule (pattern, verdict, created) VALUES (?1, ?2, ?3)
         ON CONFLICT (pattern) DO UPDATE SET verdict = ?2, created = ?3",
        params![rule.pattern, Named(rule.verdict), rule.created.0],
    )
}

pub(crate) fn delete(connection: &Connection, pattern: &str) -> rusqlite::Result<()> {
    write(connection, "DELETE FROM rule WHERE pattern = ?1", [pattern])?;
    Ok(())
}

/// Oldest first.
pub(crate) fn all(connection: &Connection) -> rusqlite::Result<Vec<Rule>> {
    rows(
        connection,
        "SELECT pattern, verdict, created FROM rule ORDER BY created, pattern",
        [],
        |row| {
            Ok(Rule {
                pattern: row.get(0)?,
                verdict: row.get::<_, Named<_>>(1)?.0,
                created: Moment(row.get(2)?),
            })
        },
    )
}
