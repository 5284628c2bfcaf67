//! `memory`: everything that is remembered, short-term and long-term, one row per statement.
//!
//! A row is indexed in the transaction that writes it. A replaced statement stays as a row that ended and names its
//! successor. Only erasing takes rows away, and it takes the rows that they replaced with them.

pub(crate) mod contradiction;
pub(crate) mod erase;
pub(crate) mod history;
pub(crate) mod list;

use super::{put_row, write, write_one};
use crate::column::{Json, Named};
use crate::search::index;
use crate::{Store, StoreError};
use erase::MemoryGroup;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use shidi_protocol::{MemoryId, MemoryKind, MemoryRecord, MemoryScope, MemorySource, Moment};

/// Notes of earlier formats become knowledge points that the user told.
pub(crate) const CREATE: &str = "
CREATE TABLE memory (
  row           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL,
  scope         TEXT NOT NULL,
  text          TEXT NOT NULL,
  title         TEXT NOT NULL,
  speaker       TEXT,
  tags          TEXT NOT NULL,
  entities      TEXT NOT NULL,
  subject       TEXT,
  data          TEXT,
  origin        TEXT NOT NULL,
  session       TEXT,
  run           TEXT,
  segments      TEXT NOT NULL,
  site          TEXT,
  document      TEXT,
  time          INTEGER NOT NULL,
  sort_value    INTEGER NOT NULL,
  valid_from    INTEGER NOT NULL,
  valid_to      INTEGER,
  superseded_by TEXT,
  importance    REAL NOT NULL,
  uses          INTEGER NOT NULL,
  last_used     INTEGER,
  pinned        INTEGER NOT NULL,
  tainted       INTEGER NOT NULL
) STRICT;
INSERT INTO memory (id, kind, scope, text, title, tags, entities, origin, session, segments, time, sort_value,
                    valid_from, importance, uses, pinned, tainted)
  SELECT id, 'knowledge', 'user', text, '', '[]', '[]', 'told', session, '[]', time, 0, time, 0.5, 0, 0, tainted
  FROM note ORDER BY row;
DROP TABLE note;
CREATE INDEX memory_by_session ON memory (session, sort_value) WHERE session IS NOT NULL;
CREATE INDEX memory_ended ON memory (session) WHERE valid_to IS NOT NULL;
CREATE INDEX memory_by_site ON memory (site) WHERE site IS NOT NULL;
CREATE INDEX memory_by_document ON memory (document, sort_value) WHERE document IS NOT NULL;
CREATE INDEX memory_by_subject ON memory (scope, subject, valid_from) WHERE subject IS NOT NULL;
CREATE INDEX memory_by_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_by_kind ON memory (kind, time);
CREATE INDEX memory_by_scope ON memory (scope, time);
";

/// A record may be remembered for a time only. All readers of records read them here, so nothing finds an outdated
/// record, even before it is erased. A pinned record stays.
pub(crate) const ADD_UNTIL: &str = "
ALTER TABLE memory ADD COLUMN until INTEGER;
CREATE INDEX memory_by_until ON memory (until) WHERE until IS NOT NULL;
CREATE VIEW remembered AS SELECT * FROM memory
  WHERE until IS NULL OR pinned OR until > unixepoch('subsec') * 1000;
";

/// The columns in the order in which [`read`] takes them.
pub(crate) const COLUMNS: &str = "id, kind, scope, text, title, speaker, tags, entities, subject, data, origin, session, run, segments, site, \
     document, time, sort_value, valid_from, valid_to, superseded_by, importance, uses, last_used, pinned, tainted, until";

/// What is written of records.
#[derive(Debug, Clone, PartialEq)]
pub enum MemoryWrite {
    /// Something to remember, over an earlier form of it. A record with a subject takes its place in the history of
    /// that subject. The record replaces the statement before, and is replaced by the statement that is known to
    /// come later.
    Put(Box<MemoryRecord>),
    /// Something to remember in place of another record, which ends and is kept.
    Supersede {
        old: MemoryId,
        new: Box<MemoryRecord>,
    },
    /// From then on it is no longer so.
    End {
        memory: MemoryId,
        at: Moment,
    },
    Pin {
        memory: MemoryId,
        pinned: bool,
    },
    /// The record expires at that moment, or never.
    Limit {
        memory: MemoryId,
        until: Option<Moment>,
    },
    /// They were of use.
    Use {
        memories: Vec<MemoryId>,
        at: Moment,
    },
    /// Two records state what can't both be so.
    Contradict {
        memory: MemoryId,
        other: MemoryId,
    },
    /// Erases a record and what it replaced.
    Delete(MemoryId),
    DeleteGroup(MemoryGroup),
    /// Takes records away that there is no room for; those that are gone are left out.
    Evict(Vec<MemoryId>),
}

impl MemoryWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Put(record) => put(connection, record),
            Self::Supersede { old, new } => supersede(connection, old, new),
            Self::End { memory, at } => history::end(connection, memory, *at, None),
            Self::Pin { memory, pinned } => pin(connection, memory, *pinned),
            Self::Limit { memory, until } => limit(connection, memory, *until),
            Self::Use { memories, at } => used(connection, memories, *at),
            Self::Contradict { memory, other } => contradiction::put(connection, memory, other),
            Self::Delete(memory) => erase::one(connection, memory),
            Self::DeleteGroup(group) => erase::group(connection, group),
            Self::Evict(memories) => erase::evict(connection, memories),
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::Delete(_) | Self::DeleteGroup(_) => true,
            Self::Put(_)
            | Self::Supersede { .. }
            | Self::End { .. }
            | Self::Pin { .. }
            | Self::Limit { .. }
            | Self::Use { .. }
            | Self::Contradict { .. }
            | Self::Evict(_) => false,
        }
    }
}

impl Store {
    pub fn memory(&self, memory: &MemoryId) -> Result<Option<MemoryRecord>, StoreError> {
        self.read(|connection| one(connection, memory))
    }
}

/// Writes a record, in place of an earlier form of it, into the history of its subject, and indexes it.
pub(crate) fn put(connection: &Connection, record: &MemoryRecord) -> rusqlite::Result<()> {
    upsert(connection, record)?;
    if record.subject.is_some() {
        history::arrange(connection, record)?;
    }
    index::put_memory(connection, row_of(connection, &record.id)?)
}

/// Writes a record that replaces another.
pub(crate) fn supersede(
    connection: &Connection,
    old: &MemoryId,
    record: &MemoryRecord,
) -> rusqlite::Result<()> {
    put(connection, record)?;
    history::end(connection, old, record.valid_from, Some(&record.id))
}

pub(crate) fn pin(connection: &Connection, id: &MemoryId, pinned: bool) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE memory SET pinned = ?2 WHERE id = ?1",
        params![id.as_str(), pinned],
    )
}

/// From then on it is over; `None` takes its limit away.
pub(crate) fn limit(connection: &Connection, id: &MemoryId, until: Option<Moment>) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE memory SET until = ?2 WHERE id = ?1",
        params![id.as_str(), until.map(|moment| moment.0)],
    )
}

/// Counts a use of each that is still there.
pub(crate) fn used(connection: &Connection, ids: &[MemoryId], at: Moment) -> rusqlite::Result<()> {
    for id in ids {
        write(
            connection,
            "UPDATE memory SET uses = uses + 1, last_used = max(coalesce(last_used, 0), ?2) WHERE id = ?1",
            params![id.as_str(), at.0],
        )?;
    }
    Ok(())
}

pub(crate) fn one(connection: &Connection, id: &MemoryId) -> rusqlite::Result<Option<MemoryRecord>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM remembered WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()
}

fn row_of(connection: &Connection, id: &MemoryId) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("SELECT row FROM memory WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
}

fn upsert(connection: &Connection, record: &MemoryRecord) -> rusqlite::Result<()> {
    let source = &record.source;
    put_row(
        connection,
        "memory",
        &["id"],
        named_params! {
            "id": record.id.as_str(),
            "kind": record.kind.name(),
            "scope": record.scope.to_string(),
            "text": record.text,
            "title": record.title,
            "speaker": record.speaker,
            "tags": Json(&record.tags),
            "entities": Json(&record.entities),
            "subject": record.subject,
            "data": record.data.as_ref().map(Json),
            "origin": Named(record.origin),
            "session": source.session.as_ref().map(|session| session.as_str()),
            "run": source.run.as_ref().map(|run| run.as_str()),
            "segments": Json(&source.segments),
            "site": source.site,
            "document": source.document,
            "time": record.time.0,
            "sort_value": record.sort_value,
            "valid_from": record.valid_from.0,
            "valid_to": record.valid_to.map(|moment| moment.0),
            "superseded_by": record.superseded_by.as_ref().map(MemoryId::as_str),
            "importance": record.importance,
            "uses": record.uses,
            "last_used": record.last_used.map(|moment| moment.0),
            "pinned": record.pinned,
            "tainted": record.tainted,
            "until": record.until.map(|moment| moment.0),
        },
        &[],
    )
}

/// Reads a row of [`COLUMNS`].
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<MemoryRecord> {
    read_from(row, 0)
}

/// Reads [`COLUMNS`] from the `first`th column on.
pub(crate) fn read_from(row: &Row<'_>, first: usize) -> rusqlite::Result<MemoryRecord> {
    Ok(MemoryRecord {
        id: MemoryId::from(row.get::<_, String>(first)?),
        kind: row.get::<_, Named<MemoryKind>>(first + 1)?.0,
        scope: row.get::<_, Named<MemoryScope>>(first + 2)?.0,
        text: row.get(first + 3)?,
        title: row.get(first + 4)?,
        speaker: row.get(first + 5)?,
        tags: row.get::<_, Json<_>>(first + 6)?.0,
        entities: row.get::<_, Json<_>>(first + 7)?.0,
        subject: row.get(first + 8)?,
        data: row.get::<_, Option<Json<_>>>(first + 9)?.map(|data| data.0),
        origin: row.get::<_, Named<_>>(first + 10)?.0,
        source: MemorySource {
            session: row.get::<_, Option<String>>(first + 11)?.map(Into::into),
            run: row.get::<_, Option<String>>(first + 12)?.map(Into::into),
            segments: row.get::<_, Json<_>>(first + 13)?.0,
            site: row.get(first + 14)?,
            document: row.get(first + 15)?,
        },
        time: Moment(row.get(first + 16)?),
        sort_value: row.get(first + 17)?,
        valid_from: Moment(row.get(first + 18)?),
        valid_to: row.get::<_, Option<i64>>(first + 19)?.map(Moment),
        superseded_by: row.get::<_, Option<String>>(first + 20)?.map(MemoryId::from),
        importance: row.get(first + 21)?,
        uses: row.get(first + 22)?,
        last_used: row.get::<_, Option<i64>>(first + 23)?.map(Moment),
        pinned: row.get(first + 24)?,
        tainted: row.get(first + 25)?,
        until: row.get::<_, Option<i64>>(first + 26)?.map(Moment),
    })
}
