//! `note`: what the user asked to remember. A note outlives the session in which it was made; only the user
//! deletes it.

use super::{erasure, rows, write, write_one};
use crate::search::index;
use rusqlite::{Connection, params};
use shidi_protocol::{Moment, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE note (
  row     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  text    TEXT NOT NULL,
  session TEXT REFERENCES session (id) ON DELETE SET NULL,
  time    INTEGER NOT NULL,
  tainted INTEGER NOT NULL
) STRICT;
CREATE INDEX note_by_session ON note (session);
";

/// Names a note; minted by the caller.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(String);

impl NoteId {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for NoteId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for NoteId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// Something that the user asked to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub text: String,
    /// Where it was said; `None` once that session is deleted.
    pub session: Option<SessionId>,
    pub time: Moment,
    /// Whether the run that wrote it had read something untrusted.
    pub tainted: bool,
}

pub(crate) fn add(connection: &Connection, note: &Note) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO note (id, text, session, time, tainted) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            note.id.as_str(),
            note.text,
            note.session.as_ref().map(SessionId::as_str),
            note.time.0,
            note.tainted
        ],
    )
}

/// Does nothing if there is no such note.
pub(crate) fn delete(connection: &Connection, note: &NoteId) -> rusqlite::Result<()> {
    index::forget_note(connection, note)?;
    match write(connection, "DELETE FROM note WHERE id = ?1", [note.as_str()])? {
        0 => Ok(()),
        _ => {
            index::lower_marks(connection)?;
            erasure::ask(connection)
        }
    }
}

/// Newest first.
pub(crate) fn newest(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<Note>> {
    rows(
        connection,
        "SELECT id, text, session, time, tainted FROM note ORDER BY time DESC, row DESC LIMIT ?1",
        [limit],
        |row| {
            Ok(Note {
                id: NoteId(row.get(0)?),
                text: row.get(1)?,
                session: row.get::<_, Option<String>>(2)?.map(SessionId::from),
                time: Moment(row.get(3)?),
                tainted: row.get(4)?,
            })
        },
    )
}
