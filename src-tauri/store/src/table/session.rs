//! `session`: one row per conversation. The words of the session are in `segment`.
//!
//! Deleting a session deletes everything that belongs to it through the foreign keys of the other tables. Its words
//! leave the search index here, because the index has no foreign keys.

use super::workflow::NO_STEP;
use super::{FITTING_MOST, blob, erasure, experience, look, memory, only, put_row, rows, write, write_one};
use crate::column::{Json, Named};
use crate::search::index;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use shidi_protocol::{Mode, Moment, RunId, SessionId, SessionSummary};

pub(crate) const CREATE: &str = "
CREATE TABLE session (
  id      TEXT PRIMARY KEY NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  title   TEXT NOT NULL,
  folders TEXT NOT NULL,
  mode    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_time ON session (updated DESC);
";

/// The run at the end of what is shown; those before it follow from it. Older databases show everything.
pub(crate) const ADD_HEAD: &str = "
ALTER TABLE session ADD COLUMN head TEXT;
UPDATE session SET head = (
  SELECT run FROM run_state WHERE run_state.session = session.id ORDER BY started DESC, run DESC LIMIT 1);
";

/// Whether the user gave it its title. Of an older session that is so where none of its first questions holds the title.
pub(crate) const ADD_NAMED: &str = "ALTER TABLE session ADD COLUMN named INTEGER NOT NULL DEFAULT FALSE;";

/// Finds out what [`ADD_NAMED`] says of sessions that were made before it.
pub(crate) const FIND_NAMED: &str = "
UPDATE session SET named = TRUE
WHERE EXISTS (SELECT 1 FROM run_state WHERE run_state.session = session.id AND parent IS NULL)
  AND NOT EXISTS (SELECT 1 FROM run_state WHERE run_state.session = session.id AND parent IS NULL
    AND instr(question, rtrim(title, '…')) > 0);
";

/// A conversation: its name, what it may reach and how much it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub created: Moment,
    pub updated: Moment,
    /// The first question of what is shown, shortened, or what the user calls it.
    pub title: String,
    /// Whether the user gave it the title.
    pub is_named: bool,
    /// Absolute paths of granted work folders.
    pub folders: Vec<String>,
    pub mode: Mode,
}

/// Another version that is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadMove {
    /// The run that the session showed when it was chosen.
    pub from: Option<RunId>,
    pub run: RunId,
    /// Its first question, shortened.
    pub title: String,
}

const SUMMARY: &str = "
SELECT id, title, created, updated,
  (SELECT count(DISTINCT ifnull(parent, '')) FROM run_state WHERE run_state.session = session.id),
  (SELECT count(*) FROM run_state WHERE run_state.session = session.id AND status = 'suspended'),
  (SELECT assistant FROM attribution WHERE attribution.session = session.id)
FROM session";

impl Store {
    /// Sessions, newest first.
    pub fn sessions(&self, limit: u32) -> Result<Vec<SessionSummary>, StoreError> {
        self.read(|connection| newest(connection, limit))
    }

    /// A session's own row: what it may reach and how much it asks.
    pub fn session(&self, session: &SessionId) -> Result<Option<Session>, StoreError> {
        self.read(|connection| one(connection, session))
    }

    /// The session whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_session(&self, text: &str) -> Result<Option<SessionId>, StoreError> {
        only(
            text,
            self.read(|connection| fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// The run at the end of what a session shows.
    pub fn head(&self, session: &SessionId) -> Result<Option<RunId>, StoreError> {
        self.read(|connection| head(connection, session))
    }
}

pub(crate) fn put(connection: &Connection, session: &Session) -> rusqlite::Result<()> {
    put_row(
        connection,
        "session",
        &["id"],
        named_params! {
            "id": session.id.as_str(),
            "created": session.created.0,
            "updated": session.updated.0,
            "title": session.title,
            "folders": Json(&session.folders),
            "mode": Named(session.mode),
            "named": session.is_named,
        },
        &["created"],
    )
}

pub(crate) fn touch(connection: &Connection, session: &SessionId, updated: Moment) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE session SET updated = max(updated, ?2) WHERE id = ?1",
        params![session.as_str(), updated.0],
    )
}

/// The user calls it so.
pub(crate) fn rename(connection: &Connection, session: &SessionId, title: &str) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE session SET title = ?2, named = TRUE WHERE id = ?1",
        params![session.as_str(), title],
    )
}

/// Its programs may work in these folders from now on.
pub(crate) fn set_folders(
    connection: &Connection,
    session: &SessionId,
    folders: &Vec<String>,
) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE session SET folders = ?2 WHERE id = ?1",
        params![session.as_str(), Json(folders)],
    )
}

/// The session is called so until the user gives it a title.
pub(crate) fn entitle(connection: &Connection, session: &SessionId, title: &str) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE session SET title = CASE WHEN named THEN title ELSE ?2 END WHERE id = ?1",
        params![session.as_str(), title],
    )
}

/// Shows the session up to that run of it; does nothing if it has no such run.
pub(crate) fn set_head(connection: &Connection, session: &SessionId, run: &RunId) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE session SET head = ?2 WHERE id = ?1
           AND EXISTS (SELECT 1 FROM run_state WHERE run = ?2 AND run_state.session = ?1)",
        [session.as_str(), run.as_str()],
    )?;
    Ok(())
}

/// The same, where what is shown still ends with `from`; it then has that title.
pub(crate) fn move_head(connection: &Connection, session: &SessionId, to: &HeadMove) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE session SET head = ?3, title = CASE WHEN named THEN title ELSE ?4 END
         WHERE id = ?1 AND head IS ?2
           AND EXISTS (SELECT 1 FROM run_state WHERE run = ?3 AND run_state.session = ?1)",
        params![
            session.as_str(),
            to.from.as_ref().map(RunId::as_str),
            to.run.as_str(),
            to.title
        ],
    )?;
    Ok(())
}

/// The run at the end of what is shown.
pub(crate) fn head(connection: &Connection, session: &SessionId) -> rusqlite::Result<Option<RunId>> {
    let found = connection
        .prepare_cached("SELECT head FROM session WHERE id = ?1")?
        .query_row([session.as_str()], |row| row.get::<_, Option<String>>(0))
        .optional()?;
    Ok(found.flatten().map(RunId::from))
}

/// Does nothing if there is no such session.
pub(crate) fn delete(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    index::forget_session(connection, session)?;
    look::erase(connection, session)?;
    blob::leave(connection, session)?;
    memory::erase::of_session(connection, session)?;
    experience::of_session(connection, session)?;
    match write(
        connection,
        "DELETE FROM session WHERE id = ?1",
        [session.as_str()],
    )? {
        0 => Ok(()),
        _ => {
            index::lower_marks(connection)?;
            erasure::ask(connection)
        }
    }
}

pub(crate) fn one(connection: &Connection, session: &SessionId) -> rusqlite::Result<Option<Session>> {
    connection
        .prepare_cached(
            "SELECT id, created, updated, title, folders, mode, named FROM session WHERE id = ?1",
        )?
        .query_row([session.as_str()], |row| {
            Ok(Session {
                id: SessionId::from(row.get::<_, String>(0)?),
                created: Moment(row.get(1)?),
                updated: Moment(row.get(2)?),
                title: row.get(3)?,
                folders: row.get::<_, Json<_>>(4)?.0,
                mode: row.get::<_, Named<_>>(5)?.0,
                is_named: row.get(6)?,
            })
        })
        .optional()
}

/// Newest first.
pub(crate) fn newest(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<SessionSummary>> {
    rows(
        connection,
        &format!("{SUMMARY} WHERE {NO_STEP} ORDER BY updated DESC, id DESC LIMIT ?1"),
        [limit],
        read_summary,
    )
}

/// Sessions whose title holds a text, newest first.
pub(crate) fn titled(
    connection: &Connection,
    text: &str,
    limit: u32,
) -> rusqlite::Result<Vec<SessionSummary>> {
    rows(
        connection,
        &format!(
            "{SUMMARY} WHERE instr(lower(title), lower(?1)) > 0 AND {NO_STEP} ORDER BY updated DESC, id DESC LIMIT ?2"
        ),
        params![text.trim(), limit],
        read_summary,
    )
}

pub(crate) fn summary(
    connection: &Connection,
    session: &SessionId,
) -> rusqlite::Result<Option<SessionSummary>> {
    connection
        .prepare_cached(&format!("{SUMMARY} WHERE id = ?1"))?
        .query_row([session.as_str()], read_summary)
        .optional()
}

/// Ids that begin or end with `text`, at most `limit`.
pub(crate) fn fitting(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<SessionId>> {
    rows(
        connection,
        "SELECT id FROM session
         WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1 LIMIT ?2",
        params![text, limit],
        |row| Ok(SessionId::from(row.get::<_, String>(0)?)),
    )
}

fn read_summary(row: &Row<'_>) -> rusqlite::Result<SessionSummary> {
    Ok(SessionSummary {
        id: SessionId::from(row.get::<_, String>(0)?),
        title: row.get(1)?,
        created: Moment(row.get(2)?),
        updated: Moment(row.get(3)?),
        questions: row.get(4)?,
        excerpt: None,
        waiting: row.get(5)?,
        assistant: row.get(6)?,
    })
}
