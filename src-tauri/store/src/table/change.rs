//! `change`: what calls changed in files. The file's earlier content is a blob, which the change refers
//! to.

use super::{blob, put_row, rows, write};
use crate::column::{Json, Named};
use crate::table::blob::BlobPurpose;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde_json::Value;
use shidi_protocol::{CallId, ChangeKind, ChangedBytes, Moment, RunId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE change (
  run     TEXT NOT NULL,
  call    INTEGER NOT NULL,
  session TEXT REFERENCES session (id) ON DELETE CASCADE,
  path    TEXT NOT NULL,
  created INTEGER NOT NULL,
  added   INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  undone  INTEGER NOT NULL,
  time    INTEGER NOT NULL,
  data    TEXT NOT NULL,
  after   TEXT NOT NULL,
  PRIMARY KEY (run, call)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_by_session ON change (session);
CREATE INDEX change_by_time ON change (time DESC);
";

/// Changes that move, copy and delete; the earlier ones all wrote.
pub(crate) const ADD_KIND: &str = "
ALTER TABLE change ADD COLUMN kind TEXT NOT NULL DEFAULT 'write';
ALTER TABLE change ADD COLUMN target TEXT;
ALTER TABLE change ADD COLUMN bytes TEXT;
";

/// A call's change of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeRow {
    /// `None` for a program of an earlier version, which ran in no session.
    pub session: Option<SessionId>,
    pub run: RunId,
    pub call: CallId,
    pub kind: ChangeKind,
    /// The file, all links followed.
    pub path: String,
    /// Where it stands since, unless it stayed at its path.
    pub target: Option<String>,
    /// Whether the change created the file.
    pub created: bool,
    /// Numbers of new lines and of removed lines.
    pub added: u32,
    pub removed: u32,
    /// Its sizes, where it is no text.
    pub bytes: Option<ChangedBytes>,
    /// Whether the user took the change back.
    pub undone: bool,
    pub time: Moment,
    /// The data that the program got about the change.
    pub data: Value,
    /// What stands there after the change, as SHA-256 in hexadecimal.
    pub after: String,
}

impl ChangeRow {
    /// The name of the change among all, by which its earlier content is referred to.
    #[must_use]
    pub fn owner(run: &RunId, call: CallId) -> String {
        format!("{run}/{call}")
    }
}

/// What is written of changes.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangeWrite {
    /// A change, before it is made; over an earlier form of it, of which the earlier content goes.
    Put(Box<ChangeRow>),
    /// One that was found; what is known of it already stays.
    Find(Box<ChangeRow>),
    /// The file has its earlier content again.
    Undo { run: RunId, call: CallId },
    /// The change was not made.
    TakeBack { run: RunId, call: CallId },
    /// Drops changes from before that moment.
    DropOlder { before: Moment },
}

impl ChangeWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Put(change) => {
                take_back(connection, &change.run, change.call)?;
                put(connection, change)
            }
            Self::Find(change) if is_there(connection, change)? => Ok(()),
            Self::Find(change) => put(connection, change),
            Self::Undo { run, call } => write(
                connection,
                "UPDATE change SET undone = TRUE WHERE run = ?1 AND call = ?2",
                params![run.as_str(), call.0],
            )
            .map(|_| ()),
            Self::TakeBack { run, call } => take_back(connection, run, *call),
            Self::DropOlder { before } => drop_older(connection, *before),
        }
    }
}

impl Store {
    /// The change that a call made, or was about to make.
    pub fn change(&self, run: &RunId, call: CallId) -> Result<Option<ChangeRow>, StoreError> {
        self.read(|connection| one(connection, run, call))
    }

    /// Changes in one session or in all, newest first; of the same moment, those of later calls.
    pub fn changes(&self, session: Option<&SessionId>, limit: u32) -> Result<Vec<ChangeRow>, StoreError> {
        self.read(|connection| newest(connection, session, None, limit))
    }

    /// Changes of one run and its sub-agents, newest first; of the same moment, those of later calls.
    pub fn changes_of_run(&self, run: &RunId, limit: u32) -> Result<Vec<ChangeRow>, StoreError> {
        self.read(|connection| newest(connection, None, Some(run), limit))
    }

    /// Changes by which a file was written, moved away or deleted. The newest is the first; of the same moment, that of
    /// a later call.
    pub fn changes_of_file(&self, path: &str, limit: u32) -> Result<Vec<ChangeRow>, StoreError> {
        self.read(|connection| of_file(connection, path, limit))
    }

    /// How many changes there are: of one session, of one run with its sub-agents, or all.
    pub fn count_changes(&self, session: Option<&SessionId>, run: Option<&RunId>) -> Result<u32, StoreError> {
        self.read(|connection| counted(connection, session, run))
    }

    /// Files that a run wrote, moved or copied, where they stand since, newest first. What was taken back is none.
    pub fn files_made(&self, run: &RunId, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|connection| made(connection, run, limit))
    }

    /// Changes whose run and call, with a slash between them, begin or end with `text`, at most `limit`.
    pub fn find_changes(&self, text: &str, limit: u32) -> Result<Vec<ChangeRow>, StoreError> {
        self.read(|connection| fitting(connection, text, limit))
    }
}

fn put(connection: &Connection, change: &ChangeRow) -> rusqlite::Result<()> {
    put_row(
        connection,
        "change",
        &["run", "call"],
        named_params! {
            "run": change.run.as_str(),
            "call": change.call.0,
            "session": change.session.as_ref().map(SessionId::as_str),
            "kind": Named(change.kind),
            "path": change.path,
            "target": change.target,
            "created": change.created,
            "added": change.added,
            "removed": change.removed,
            "bytes": change.bytes.as_ref().map(Json),
            "undone": change.undone,
            "time": change.time.0,
            "data": Json(&change.data),
            "after": change.after,
        },
        &[],
    )
}

fn is_there(connection: &Connection, change: &ChangeRow) -> rusqlite::Result<bool> {
    Ok(one(connection, &change.run, change.call)?.is_some())
}

fn take_back(connection: &Connection, run: &RunId, call: CallId) -> rusqlite::Result<()> {
    blob::take_back(connection, BlobPurpose::Earlier, &ChangeRow::owner(run, call))?;
    write(
        connection,
        "DELETE FROM change WHERE run = ?1 AND call = ?2",
        params![run.as_str(), call.0],
    )
    .map(|_| ())
}

fn drop_older(connection: &Connection, before: Moment) -> rusqlite::Result<()> {
    let older = rows(
        connection,
        "SELECT run, call FROM change WHERE time < ?1",
        [before.0],
        |row| Ok((RunId::from(row.get::<_, String>(0)?), CallId(row.get(1)?))),
    )?;
    older
        .iter()
        .try_for_each(|(run, call)| take_back(connection, run, *call))
}

const SELECT: &str = "
SELECT run, call, session, path, created, added, removed, undone, time, data, after, kind, target, bytes
FROM change";

fn one(connection: &Connection, run: &RunId, call: CallId) -> rusqlite::Result<Option<ChangeRow>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE run = ?1 AND call = ?2"))?
        .query_row(params![run.as_str(), call.0], read)
        .optional()
}

/// A run with its sub-agents. Their sessions begin with the id of the run that they work for.
const TEAM: &str = "
WITH RECURSIVE team (run) AS (
  SELECT ?2
  UNION
  SELECT run_state.run FROM team JOIN run_state
    ON run_state.session BETWEEN substr(team.run, 1, 26) AND substr(team.run, 1, 26) || '~'
   AND run_state.state ->> '$.ask.under.run' = team.run)";

/// Those of one session, of one run with its sub-agents, or all.
const CHOSEN: &str =
    "WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR run IN (SELECT team.run FROM team))";

fn newest(
    connection: &Connection,
    session: Option<&SessionId>,
    run: Option<&RunId>,
    limit: u32,
) -> rusqlite::Result<Vec<ChangeRow>> {
    let sql = format!("{TEAM} {SELECT} {CHOSEN} ORDER BY time DESC, call DESC, run DESC LIMIT ?3");
    let (session, run) = (session.map(SessionId::as_str), run.map(RunId::as_str));
    rows(connection, &sql, params![session, run, limit], read)
}

fn counted(
    connection: &Connection,
    session: Option<&SessionId>,
    run: Option<&RunId>,
) -> rusqlite::Result<u32> {
    let (session, run) = (session.map(SessionId::as_str), run.map(RunId::as_str));
    connection
        .prepare_cached(&format!("{TEAM} SELECT count(*) FROM change {CHOSEN}"))?
        .query_row(params![session, run], |row| row.get(0))
}

fn of_file(connection: &Connection, path: &str, limit: u32) -> rusqlite::Result<Vec<ChangeRow>> {
    let sql = format!(
        "{SELECT} WHERE path = ?1 AND kind IN (?2, ?3, ?4) ORDER BY time DESC, call DESC, run DESC LIMIT ?5"
    );
    let [write, moved, delete] = [ChangeKind::Write, ChangeKind::Move, ChangeKind::Delete].map(Named);
    rows(connection, &sql, params![path, write, moved, delete, limit], read)
}

fn made(connection: &Connection, run: &RunId, limit: u32) -> rusqlite::Result<Vec<String>> {
    rows(
        connection,
        "SELECT coalesce(target, path) FROM change WHERE run = ?1 AND kind <> ?2 AND NOT undone
         ORDER BY time DESC, call DESC LIMIT ?3",
        params![run.as_str(), Named(ChangeKind::Delete), limit],
        |row| row.get(0),
    )
}

fn fitting(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<ChangeRow>> {
    let sql = format!(
        "{SELECT} WHERE substr(run || '/' || call, 1, length(?1)) = ?1 OR substr(run || '/' || call, -length(?1)) = ?1
         ORDER BY run || '/' || call = ?1 DESC LIMIT ?2"
    );
    rows(connection, &sql, params![text, limit], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<ChangeRow> {
    Ok(ChangeRow {
        run: RunId::from(row.get::<_, String>(0)?),
        call: CallId(row.get(1)?),
        session: row.get::<_, Option<String>>(2)?.map(SessionId::from),
        path: row.get(3)?,
        created: row.get(4)?,
        added: row.get(5)?,
        removed: row.get(6)?,
        undone: row.get(7)?,
        time: Moment(row.get(8)?),
        data: row.get::<_, Json<_>>(9)?.0,
        after: row.get(10)?,
        kind: row.get::<_, Named<_>>(11)?.0,
        target: row.get(12)?,
        bytes: row.get::<_, Option<Json<_>>>(13)?.map(|bytes| bytes.0),
    })
}
