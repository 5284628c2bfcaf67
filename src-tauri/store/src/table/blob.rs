//! `blob`, `blob_reference`: files that are kept in the data folder, and what they belong to. Their bytes are not here.
//!
//! A blob is a folder of the data folder, or one file of an earlier layout. Its place is the path below the data
//! folder. The keeper of the files keeps a file with a row, and removes a file without. So rows come after their bytes
//! and go before them. A reference goes with its session. The last one takes the blob's row along, unless somebody
//! still means to send it.

use super::{rows, write, write_one};
use crate::column::Named;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use shidi_protocol::{Moment, RunId, SessionId};

pub(crate) const CREATE: &str = "
CREATE TABLE blob (
  place  TEXT PRIMARY KEY NOT NULL,
  unsent INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE blob_reference (
  place   TEXT NOT NULL,
  name    TEXT NOT NULL,
  session TEXT REFERENCES session (id) ON DELETE CASCADE,
  run     TEXT NOT NULL,
  purpose TEXT NOT NULL,
  owner   TEXT NOT NULL,
  PRIMARY KEY (purpose, owner, place, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_reference_by_place ON blob_reference (place);
CREATE INDEX blob_reference_by_session ON blob_reference (session);
CREATE INDEX blob_reference_by_run ON blob_reference (run);
";

/// How settings begin that say how far files of an earlier layout are taken over.
pub const TAKEN_OVER: &str = "taken_over.";

/// For a database that lost rows. Blobs get a row for each reference, and rows that name files are looked through anew.
pub(crate) const FIND_LOST: &str = "
INSERT OR IGNORE INTO blob (place) SELECT DISTINCT place FROM blob_reference;
DELETE FROM setting WHERE key LIKE 'taken_over.%';
";

/// A file of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobFile {
    /// The blob's path below the data folder, with `/` between its parts.
    pub place: String,
    /// The file's name in that folder; empty where the place is the file itself.
    pub name: String,
}

/// What a file is kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlobPurpose {
    /// It went with a question; its owner is the run.
    Attachment,
    /// A picture of the screen that was sent; its owner is the look.
    Capture,
    /// What stood in a file before a call changed it; its owner is the change.
    Earlier,
}

/// That a file belongs to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobReference {
    pub file: BlobFile,
    /// `None` for a program of an earlier version, which ran in no session.
    pub session: Option<SessionId>,
    pub run: RunId,
    pub purpose: BlobPurpose,
    pub owner: String,
}

/// Which files of a blob are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlobKept {
    /// The blob is no more.
    Nothing,
    /// Those of these names.
    These(Vec<String>),
    /// All of them: the blob waits to be sent, and nobody knows yet by which name.
    Everything,
}

/// What is written of blobs.
#[derive(Debug, Clone, PartialEq)]
pub enum BlobWrite {
    /// A blob is there and waits to be sent, from that moment on.
    Keep { place: String, since: Moment },
    /// The same for one that was found; what is known of it already stays.
    Find { place: String, since: Moment },
    /// A file of a blob that is there belongs to something.
    Refer(Box<BlobReference>),
    /// What went with a run went with its copy in another session, too.
    CopyAttachments {
        of: RunId,
        session: SessionId,
        run: RunId,
    },
    /// What was kept for an owner is not, any more.
    TakeBack { purpose: BlobPurpose, owner: String },
    /// Drops blobs that nothing refers to; of those that wait to be sent, those that wait since before that moment.
    DropUnused { unsent_before: Moment },
}

impl BlobWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Keep { place, since } => keep(connection, place, *since),
            Self::Find { place, since } => find(connection, place, *since),
            Self::Refer(reference) => refer(connection, reference),
            Self::CopyAttachments { of, session, run } => copy_attachments(connection, of, session, run),
            Self::TakeBack { purpose, owner } => take_back(connection, *purpose, owner),
            Self::DropUnused { unsent_before } => drop_unused(connection, *unsent_before),
        }
    }
}

impl Store {
    /// The places of all blobs.
    pub fn blobs(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| rows(connection, "SELECT place FROM blob", [], |row| row.get(0)))
    }

    /// The blobs that a session refers to.
    pub fn blobs_of(&self, session: &SessionId) -> Result<Vec<String>, StoreError> {
        self.read(|connection| of_session(connection, session))
    }

    /// Which files of a blob are kept.
    pub fn blob_kept(&self, place: &str) -> Result<BlobKept, StoreError> {
        self.read(|connection| kept(connection, place))
    }

    /// The file that is kept for an owner.
    pub fn blob_file(&self, purpose: BlobPurpose, owner: &str) -> Result<Option<BlobFile>, StoreError> {
        self.read(|connection| of_owner(connection, purpose, owner))
    }
}

fn keep(connection: &Connection, place: &str, since: Moment) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO blob (place, unsent) VALUES (?1, ?2) ON CONFLICT (place) DO UPDATE SET unsent = ?2",
        params![place, since.0],
    )
}

fn find(connection: &Connection, place: &str, since: Moment) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT OR IGNORE INTO blob (place, unsent) VALUES (?1, ?2)",
        params![place, since.0],
    )
    .map(|_| ())
}

fn refer(connection: &Connection, reference: &BlobReference) -> rusqlite::Result<()> {
    let BlobFile { place, name } = &reference.file;
    write_one(
        connection,
        "INSERT INTO blob (place) VALUES (?1) ON CONFLICT (place) DO UPDATE SET unsent = NULL",
        [place],
    )?;
    write(
        connection,
        "INSERT OR IGNORE INTO blob_reference (place, name, session, run, purpose, owner) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            place,
            name,
            reference.session.as_ref().map(SessionId::as_str),
            reference.run.as_str(),
            Named(reference.purpose),
            reference.owner
        ],
    )
    .map(|_| ())
}

fn copy_attachments(
    connection: &Connection,
    of: &RunId,
    session: &SessionId,
    run: &RunId,
) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT OR IGNORE INTO blob_reference (place, name, session, run, purpose, owner)
         SELECT place, name, ?2, ?3, purpose, ?3 FROM blob_reference WHERE run = ?1 AND purpose = ?4",
        params![
            of.as_str(),
            session.as_str(),
            run.as_str(),
            Named(BlobPurpose::Attachment)
        ],
    )
    .map(|_| ())
}

fn drop_unused(connection: &Connection, unsent_before: Moment) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM blob WHERE coalesce(unsent < ?1, TRUE)
           AND NOT EXISTS (SELECT 1 FROM blob_reference WHERE blob_reference.place = blob.place)",
        [unsent_before.0],
    )
    .map(|_| ())
}

/// Drops the blobs that this session alone refers to; comes before the session's own row goes.
pub(crate) fn leave(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM blob WHERE unsent IS NULL AND place IN (SELECT place FROM blob_reference WHERE session = ?1)
           AND NOT EXISTS (SELECT 1 FROM blob_reference AS other
             WHERE other.place = blob.place AND other.session IS NOT ?1)",
        [session.as_str()],
    )
    .map(|_| ())
}

/// Takes back what was kept for an owner, and the blobs that nothing else refers to.
pub(crate) fn take_back(connection: &Connection, purpose: BlobPurpose, owner: &str) -> rusqlite::Result<()> {
    write(
        connection,
        "DELETE FROM blob WHERE unsent IS NULL
           AND place IN (SELECT place FROM blob_reference WHERE purpose = ?1 AND owner = ?2)
           AND NOT EXISTS (SELECT 1 FROM blob_reference AS other
             WHERE other.place = blob.place AND (other.purpose, other.owner) <> (?1, ?2))",
        params![Named(purpose), owner],
    )?;
    write(
        connection,
        "DELETE FROM blob_reference WHERE purpose = ?1 AND owner = ?2",
        params![Named(purpose), owner],
    )
    .map(|_| ())
}

fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<String>> {
    rows(
        connection,
        "SELECT DISTINCT place FROM blob_reference WHERE session = ?1",
        [session.as_str()],
        |row| row.get(0),
    )
}

fn kept(connection: &Connection, place: &str) -> rusqlite::Result<BlobKept> {
    let found: Option<Option<i64>> = connection
        .prepare_cached("SELECT unsent FROM blob WHERE place = ?1")?
        .query_row([place], |row| row.get(0))
        .optional()?;
    match found {
        None => Ok(BlobKept::Nothing),
        Some(Some(_)) => Ok(BlobKept::Everything),
        Some(None) => rows(
            connection,
            "SELECT DISTINCT name FROM blob_reference WHERE place = ?1",
            [place],
            |row| row.get(0),
        )
        .map(BlobKept::These),
    }
}

fn of_owner(
    connection: &Connection,
    purpose: BlobPurpose,
    owner: &str,
) -> rusqlite::Result<Option<BlobFile>> {
    connection
        .prepare_cached("SELECT place, name FROM blob_reference WHERE purpose = ?1 AND owner = ?2 LIMIT 1")?
        .query_row(params![Named(purpose), owner], |row| {
            Ok(BlobFile {
                place: row.get(0)?,
                name: row.get(1)?,
            })
        })
        .optional()
}
