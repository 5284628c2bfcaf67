//! `visit`, `attribution`: the pages that a session was about, and the assistant that the session was held with. The
//! usual assistant has no row. The rows of both tables go with their session.

use super::write;
use crate::address::canonical;
use crate::column::ERASED;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{Moment, PageVisit, SegmentId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE visit (
  session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  site    TEXT NOT NULL,
  title   TEXT NOT NULL,
  time    INTEGER NOT NULL,
  PRIMARY KEY (session, site)
) STRICT, WITHOUT ROWID;
CREATE INDEX visit_by_site ON visit (site, time);
CREATE TABLE attribution (
  session   TEXT PRIMARY KEY NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  assistant TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// The latest sessions about a site by which it is known what is asked there: the summon waits for them.
const HABITS_LOOKED_THROUGH: u32 = 300;
/// Characters of a question that comes again; a longer one is about something of its own.
const HABIT_CHARACTERS_MAX: u32 = 200;

/// A page that a session was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    pub session: SessionId,
    /// Its address as [`crate::canonical`] writes it.
    pub site: String,
    pub title: String,
    /// When it was last asked about.
    pub time: Moment,
}

impl Store {
    /// The questions that were asked about that very page, newest first.
    pub fn page_visits(&self, address: &str, limit: u32) -> Result<Vec<PageVisit>, StoreError> {
        self.read(|connection| asked(connection, &canonical(address), limit))
    }

    /// Sessions about a page, or about any page of a site, newest first.
    pub fn visits(&self, address: &str, limit: u32) -> Result<Vec<Visit>, StoreError> {
        self.read(|connection| sessions(connection, &canonical(address), limit))
    }

    /// Questions that were asked in several sessions about pages of that page's site, the most frequent first.
    pub fn habits(&self, address: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|connection| habits(connection, site_of(&canonical(address)), limit))
    }

    /// The assistant that a session was held with, unless it is the usual one.
    pub fn attribution(&self, session: &SessionId) -> Result<Option<String>, StoreError> {
        self.read(|connection| attribution(connection, session))
    }
}

pub(crate) fn put(connection: &Connection, visit: &Visit) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO visit (session, site, title, time) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (session, site) DO UPDATE SET title = ?3, time = max(time, ?4)",
        params![visit.session.as_str(), visit.site, visit.title, visit.time.0],
    )
    .map(|_| ())
}

pub(crate) fn attribute(
    connection: &Connection,
    session: &SessionId,
    assistant: &str,
) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT INTO attribution (session, assistant) VALUES (?1, ?2)
         ON CONFLICT (session) DO UPDATE SET assistant = ?2",
        params![session.as_str(), assistant],
    )
    .map(|_| ())
}

/// The assistant that a session was held with, unless it is the usual one.
pub(crate) fn attribution(connection: &Connection, session: &SessionId) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT assistant FROM attribution WHERE session = ?1")?
        .query_row([session.as_str()], |row| row.get(0))
        .optional()
}

/// Scheme and host of an address.
fn site_of(address: &str) -> &str {
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..]
        .find(['/', '?'])
        .map_or(address.len(), |at| host + at);
    &address[..end]
}

/// Questions of several sessions of the usual assistant about pages of a site. Of a question that was written in
/// several ways, the latest.
fn habits(connection: &Connection, site: &str, limit: u32) -> rusqlite::Result<Vec<String>> {
    let sql = format!(
        "SELECT question, count(DISTINCT session) AS times, max(time) AS latest FROM (
           SELECT visit.session AS session, visit.time AS time, trim(segment.text) AS question
           FROM visit JOIN segment ON segment.row = (
             SELECT row FROM segment WHERE session = visit.session AND kind = 'User' AND time >= visit.time
               AND text <> '{ERASED}' ORDER BY row LIMIT 1)
           WHERE (visit.site = ?1 OR (visit.site > ?1 || '/' AND visit.site < ?1 || '0'))
             AND NOT EXISTS (SELECT 1 FROM attribution WHERE attribution.session = visit.session)
           ORDER BY visit.time DESC LIMIT {HABITS_LOOKED_THROUGH})
         WHERE length(question) BETWEEN 1 AND {HABIT_CHARACTERS_MAX}
         GROUP BY lower(question) HAVING times > 1 ORDER BY times DESC, latest DESC LIMIT ?2"
    );
    super::rows(connection, &sql, params![site, limit], |row| row.get(0))
}

/// Sessions of the usual assistant about that very page, newest first, each with what was asked there last.
pub(crate) fn asked(connection: &Connection, site: &str, limit: u32) -> rusqlite::Result<Vec<PageVisit>> {
    let sql = format!(
        "SELECT visit.session, visit.title, visit.site, visit.time, segment.id, segment.text
         FROM visit JOIN segment ON segment.row = (
           SELECT row FROM segment WHERE session = visit.session AND kind = 'User' AND time >= visit.time
             AND text <> '{ERASED}' ORDER BY row LIMIT 1)
         WHERE visit.site = ?1 AND NOT EXISTS (SELECT 1 FROM attribution WHERE attribution.session = visit.session)
         ORDER BY visit.time DESC LIMIT ?2"
    );
    super::rows(connection, &sql, params![site, limit], |row| {
        Ok(PageVisit {
            session: SessionId::from(row.get::<_, String>(0)?),
            title: row.get(1)?,
            url: row.get(2)?,
            time: Moment(row.get(3)?),
            segment: SegmentId(row.get(4)?),
            question: row.get(5)?,
            answer: String::new(),
            files: Vec::new(),
            facts: Vec::new(),
        })
    })
}

/// Sessions about a page, or about any page of a site or folder, newest first.
pub(crate) fn sessions(connection: &Connection, site: &str, limit: u32) -> rusqlite::Result<Vec<Visit>> {
    super::rows(
        connection,
        "SELECT session, site, title, time FROM visit
         WHERE site = ?1 OR substr(site, 1, length(?1) + 1) = ?1 || '/' ORDER BY time DESC LIMIT ?2",
        params![site, limit],
        |row| {
            Ok(Visit {
                session: SessionId::from(row.get::<_, String>(0)?),
                site: row.get(1)?,
                title: row.get(2)?,
                time: Moment(row.get(3)?),
            })
        },
    )
}
