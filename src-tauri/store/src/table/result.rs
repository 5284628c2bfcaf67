//! `result`: results of tools that are too long for a prompt, kept whole under a handle of their session.
//!
//! A handle says nothing outside its session, so that no program reads what another session fetched.

use super::{rows, write_one};
use crate::search::excerpt::Excerpt;
use crate::search::find_in;
use crate::search::passages::Breadth;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{RunId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE result (
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  handle  TEXT NOT NULL,
  run     TEXT NOT NULL,
  text    TEXT NOT NULL,
  tainted INTEGER NOT NULL,
  PRIMARY KEY (session, handle)
) STRICT;
";

/// The whole text of a tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    pub session: SessionId,
    /// Unique in its session; chosen by the caller.
    pub handle: String,
    pub run: RunId,
    pub text: String,
    /// Whether it holds text that the user did not write.
    pub tainted: bool,
}

impl Store {
    /// Whole results of a session's tools, by handle.
    pub fn results(&self, session: &SessionId) -> Result<Vec<ToolResult>, StoreError> {
        self.read(|connection| of_session(connection, session))
    }

    /// The whole of a tool's result.
    pub fn result(&self, session: &SessionId, handle: &str) -> Result<Option<ToolResult>, StoreError> {
        self.read(|connection| one(connection, session, handle))
    }

    /// Passages of a tool's result that answer `words`, best first; `None` when there is no such result.
    pub fn find(
        &self,
        session: &SessionId,
        handle: &str,
        words: &str,
        limit: usize,
    ) -> Result<Option<Vec<Excerpt>>, StoreError> {
        let result = self.result(session, handle)?;
        Ok(result.map(|result| find_in(&result.text, words, limit, Breadth::Narrow)))
    }
}

pub(crate) fn put(connection: &Connection, result: &ToolResult) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO result (session, handle, run, text, tainted) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (session, handle) DO UPDATE SET run = ?3, text = ?4, tainted = ?5",
        params![
            result.session.as_str(),
            result.handle,
            result.run.as_str(),
            result.text,
            result.tainted
        ],
    )
}

/// By handle.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<ToolResult>> {
    rows(
        connection,
        "SELECT handle, run, text, tainted FROM result WHERE session = ?1 ORDER BY handle",
        [session.as_str()],
        |row| {
            Ok(ToolResult {
                session: session.clone(),
                handle: row.get(0)?,
                run: RunId::from(row.get::<_, String>(1)?),
                text: row.get(2)?,
                tainted: row.get(3)?,
            })
        },
    )
}

pub(crate) fn one(
    connection: &Connection,
    session: &SessionId,
    handle: &str,
) -> rusqlite::Result<Option<ToolResult>> {
    connection
        .prepare_cached("SELECT run, text, tainted FROM result WHERE session = ?1 AND handle = ?2")?
        .query_row([session.as_str(), handle], |row| {
            Ok(ToolResult {
                session: session.clone(),
                handle: handle.to_owned(),
                run: RunId::from(row.get::<_, String>(0)?),
                text: row.get(1)?,
                tainted: row.get(2)?,
            })
        })
        .optional()
}
