//! `look`: the ledger of what was seen of the screen, and what became of it. No pixels, and a title only of what was
//! sent.
//!
//! A row outlives the session that it was sent in, without its content. The fact and the time of the sending stay.

use super::{put_row, rows, write};
use crate::column::{Json, Named};
use crate::{Store, StoreError};
use rusqlite::{Connection, named_params, params};
use shidi_protocol::{LookOutcome, LookRecord, Moment, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE look (
  row         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  time        INTEGER NOT NULL,
  what        TEXT NOT NULL,
  app         TEXT NOT NULL,
  title       TEXT NOT NULL,
  width       INTEGER NOT NULL,
  height      INTEGER NOT NULL,
  blacked_out INTEGER NOT NULL,
  outcome     TEXT NOT NULL,
  session     TEXT REFERENCES session (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX look_by_session ON look (session);
";

/// Rows of looks that were not sent: enough for weeks of use. What was sent goes with nothing but the user's wish.
const UNSENT_MOST: u32 = 1_000;

impl Store {
    /// The ledger of looks, newest first.
    pub fn looks(&self, limit: u32) -> Result<Vec<LookRecord>, StoreError> {
        self.read(|connection| newest(connection, limit))
    }

    /// Looks that were sent and are kept, in one session or in all, oldest first.
    pub fn looks_sent(&self, session: Option<&SessionId>) -> Result<Vec<LookRecord>, StoreError> {
        self.read(|connection| sent(connection, session))
    }
}

pub(crate) fn put(connection: &Connection, look: &LookRecord) -> rusqlite::Result<()> {
    put_row(
        connection,
        "look",
        &["id"],
        named_params! {
            "id": look.id,
            "time": look.time.0,
            "what": Json(look.what),
            "app": look.app,
            "title": look.title,
            "width": look.width,
            "height": look.height,
            "blacked_out": look.blacked_out,
            "outcome": Named(look.outcome),
            "session": look.session.as_ref().map(SessionId::as_str),
        },
        &["time", "what", "blacked_out"],
    )?;
    let sent = [Named(LookOutcome::Sent), Named(LookOutcome::Erased)];
    let [sent, erased] = &sent;
    write(
        connection,
        "DELETE FROM look WHERE row IN (
           SELECT row FROM look WHERE outcome NOT IN (?1, ?2) ORDER BY row DESC LIMIT -1 OFFSET ?3)",
        params![sent, erased, UNSENT_MOST],
    )?;
    Ok(())
}

/// Takes out what was seen, before the session goes.
pub(crate) fn erase(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE look SET app = '', title = '', outcome = ?2 WHERE session = ?1",
        params![session.as_str(), Named(LookOutcome::Erased)],
    )?;
    Ok(())
}

/// Newest first.
pub(crate) fn newest(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<LookRecord>> {
    let read = format!("{SELECT} ORDER BY row DESC LIMIT ?1");
    rows(connection, &read, [limit], read_row)
}

/// Captures that were sent, in one session or in all, oldest first.
pub(crate) fn sent(
    connection: &Connection,
    session: Option<&SessionId>,
) -> rusqlite::Result<Vec<LookRecord>> {
    let read = format!("{SELECT} WHERE outcome = ?1 AND (?2 IS NULL OR session = ?2) ORDER BY row");
    rows(
        connection,
        &read,
        params![Named(LookOutcome::Sent), session.map(SessionId::as_str)],
        read_row,
    )
}

const SELECT: &str = "
SELECT id, time, what, app, title, width, height, blacked_out, outcome, session FROM look";

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<LookRecord> {
    Ok(LookRecord {
        id: row.get(0)?,
        time: Moment(row.get(1)?),
        what: row.get::<_, Json<_>>(2)?.0,
        app: row.get(3)?,
        title: row.get(4)?,
        width: row.get(5)?,
        height: row.get(6)?,
        blacked_out: row.get(7)?,
        outcome: row.get::<_, Named<_>>(8)?.0,
        session: row.get::<_, Option<String>>(9)?.map(SessionId::from),
    })
}
