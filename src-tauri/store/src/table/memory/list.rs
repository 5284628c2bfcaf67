//! Lists and counts of records, without a search.

use super::{COLUMNS, read, read_from};
use crate::column::{Json, Named};
use crate::table::{FITTING_MOST, only, rows};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use shidi_protocol::{MemoryId, MemoryKind, MemoryRecord, MemoryScope, RunId, SessionId};

/// Versions of one statement that are shown.
const VERSIONS_MOST: u32 = 100;

/// Which records to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFilter {
    /// Of these kinds; all when empty.
    pub kinds: Vec<MemoryKind>,
    /// Of these scopes; all when empty.
    pub scopes: Vec<MemoryScope>,
    /// Whether records that ended are listed, too.
    pub ended: Ended,
}

/// The treatment of records that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    #[default]
    LeftOut,
    Included,
}

const FITTING: &str = "(?1 = '[]' OR kind IN (SELECT value FROM json_each(?1)))
  AND (?2 = '[]' OR scope IN (SELECT value FROM json_each(?2))) AND (?3 OR valid_to IS NULL)";

impl Store {
    /// Memory records: pinned first, then newest first, from the `offset`th on.
    pub fn memories(
        &self,
        filter: &MemoryFilter,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| newest(connection, filter, offset, limit))
    }

    /// Records of these kinds that hold and came of a session about that very page, pinned first, then newest first.
    pub fn memories_of_visit(
        &self,
        session: &SessionId,
        page: &str,
        kinds: &[MemoryKind],
        limit: u32,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        let which = "session = ?1 AND (site IS NULL OR site = ?2)";
        let of = (session.as_str(), page);
        self.read(|connection| of_page(connection, which, of, kinds, limit))
    }

    /// Records of these kinds that hold and are about that very page, wherever they came from, in the same order.
    pub fn memories_of_page(
        &self,
        page: &str,
        kinds: &[MemoryKind],
        limit: u32,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        let scope = MemoryScope::Site(page.to_owned()).to_string();
        let of = (scope.as_str(), page);
        self.read(|connection| of_page(connection, "(site = ?2 OR scope = ?1)", of, kinds, limit))
    }

    /// How many records there are of each kind; kinds without any are left out.
    pub fn memory_counts(&self, filter: &MemoryFilter) -> Result<Vec<(MemoryKind, u64)>, StoreError> {
        self.read(|connection| counts(connection, filter))
    }

    /// The assistants, and then the sites, that something is remembered for, at most `limit` of each.
    pub fn memory_owners(&self, limit: u32) -> Result<Vec<MemoryScope>, StoreError> {
        self.read(|connection| {
            let mut found = owners(connection, "assistant", limit)?;
            found.extend(owners(connection, "site", limit)?);
            Ok(found)
        })
    }

    /// Everything remembered but pieces of documents, in the order of writing, each with its place in that order. The
    /// list begins after the place `after`.
    pub fn memories_written(&self, after: i64, limit: u32) -> Result<Vec<(i64, MemoryRecord)>, StoreError> {
        self.read(|connection| written(connection, after, limit))
    }

    /// All versions of a memory record, oldest first, itself among them.
    pub fn memory_versions(&self, memory: &MemoryId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| versions(connection, memory, VERSIONS_MOST))
    }

    /// The record whose id is `text`, else the one whose id begins or ends with it; [`StoreError::Ambiguous`] when several
    /// do.
    pub fn find_memory(&self, text: &str) -> Result<Option<MemoryId>, StoreError> {
        let whole = MemoryId::from(text);
        if self.memory(&whole)?.is_some() {
            return Ok(Some(whole));
        }
        only(
            text,
            self.read(|connection| fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// The records of a subject within a scope that hold, newest first.
    pub fn memories_about(
        &self,
        scope: &MemoryScope,
        subject: &str,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| about(connection, scope, subject))
    }

    /// The memory records that a run left, oldest first.
    pub fn memories_of_run(&self, session: &SessionId, run: &RunId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| of_run(connection, session, run))
    }
}

/// Pinned ones first, then newest first, from the `offset`th on.
pub(crate) fn newest(
    connection: &Connection,
    filter: &MemoryFilter,
    offset: u32,
    limit: u32,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM remembered WHERE {FITTING} ORDER BY pinned DESC, time DESC, row DESC LIMIT ?5 OFFSET ?4"
    );
    let (kinds, scopes, ended) = filter.parameters();
    rows(
        connection,
        &sql,
        params![Json(kinds), Json(scopes), ended, offset, limit],
        read,
    )
}

/// Records of a page by a condition on its two parameters.
fn of_page(
    connection: &Connection,
    which: &str,
    (first, page): (&str, &str),
    kinds: &[MemoryKind],
    limit: u32,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM remembered
         WHERE {which} AND valid_to IS NULL AND kind IN (SELECT value FROM json_each(?3))
         ORDER BY pinned DESC, time DESC, row DESC LIMIT ?4"
    );
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    rows(connection, &sql, params![first, page, Json(kinds), limit], read)
}

/// Kinds with how many records there are of each.
pub(crate) fn counts(
    connection: &Connection,
    filter: &MemoryFilter,
) -> rusqlite::Result<Vec<(MemoryKind, u64)>> {
    let sql = format!("SELECT kind, count(*) FROM remembered WHERE {FITTING} GROUP BY kind ORDER BY kind");
    let (kinds, scopes, ended) = filter.parameters();
    rows(
        connection,
        &sql,
        params![Json(kinds), Json(scopes), ended],
        |row| {
            let kind = row.get::<_, Named<MemoryKind>>(0)?.0;
            Ok((kind, crate::column::unsigned(row.get(1)?)))
        },
    )
}

/// Scopes of this level that a record has, in their order, at most `limit`.
pub(crate) fn owners(connection: &Connection, level: &str, limit: u32) -> rusqlite::Result<Vec<MemoryScope>> {
    // From each scope to the next in the index. A look at every record would take as long as there are records.
    let sql = "WITH RECURSIVE found (scope) AS (
           SELECT (SELECT min(scope) FROM remembered WHERE scope > ?1 || ':' AND scope < ?1 || ';')
           UNION ALL
           SELECT (SELECT min(scope) FROM remembered WHERE scope > found.scope AND scope < ?1 || ';')
             FROM found WHERE found.scope IS NOT NULL)
         SELECT scope FROM found WHERE scope IS NOT NULL LIMIT ?2";
    rows(connection, sql, params![level, limit], |row| {
        Ok(row.get::<_, Named<MemoryScope>>(0)?.0)
    })
}

/// Everything but pieces of documents, in the order in which it was written, from after the row `after` on.
pub(crate) fn written(
    connection: &Connection,
    after: i64,
    limit: u32,
) -> rusqlite::Result<Vec<(i64, MemoryRecord)>> {
    let sql =
        format!("SELECT row, {COLUMNS} FROM remembered WHERE row > ?1 AND kind <> ?3 ORDER BY row LIMIT ?2");
    rows(
        connection,
        &sql,
        params![after, limit, MemoryKind::Chunk.name()],
        |row| Ok((row.get(0)?, read_from(row, 1)?)),
    )
}

/// The statements that led to a record and followed it, oldest first, itself among them.
pub(crate) fn versions(
    connection: &Connection,
    id: &MemoryId,
    limit: u32,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "WITH RECURSIVE later (id) AS (
           SELECT ?1 UNION SELECT superseded_by FROM remembered JOIN later USING (id) WHERE superseded_by IS NOT NULL),
         line (id) AS (
           SELECT id FROM later
           UNION SELECT remembered.id FROM remembered JOIN line ON remembered.superseded_by = line.id)
         SELECT {COLUMNS} FROM remembered WHERE id IN (SELECT id FROM line) ORDER BY valid_from, row LIMIT ?2"
    );
    rows(connection, &sql, params![id.as_str(), limit], read)
}

/// Statements of one subject that are looked at.
const ABOUT_MOST: u32 = 16;

/// The records of a subject within a scope that hold, newest first.
pub(crate) fn about(
    connection: &Connection,
    scope: &MemoryScope,
    subject: &str,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM remembered WHERE scope = ?1 AND subject = ?2 AND valid_to IS NULL
         ORDER BY valid_from DESC, row DESC LIMIT {ABOUT_MOST}"
    );
    rows(connection, &sql, params![scope.to_string(), subject], read)
}

/// The memory records that a run left, oldest first.
pub(crate) fn of_run(
    connection: &Connection,
    session: &SessionId,
    run: &RunId,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql =
        format!("SELECT {COLUMNS} FROM remembered WHERE session = ?1 AND run = ?2 ORDER BY row LIMIT 100");
    rows(connection, &sql, params![session.as_str(), run.as_str()], read)
}

/// Ids that begin or end with `text`, at most `limit`.
pub(crate) fn fitting(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<MemoryId>> {
    rows(
        connection,
        "SELECT id FROM remembered WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1 LIMIT ?2",
        params![text, limit],
        |row| Ok(MemoryId::from(row.get::<_, String>(0)?)),
    )
}

impl MemoryFilter {
    fn parameters(&self) -> (Vec<&'static str>, Vec<String>, bool) {
        (
            self.kinds.iter().map(|kind| kind.name()).collect(),
            self.scopes.iter().map(ToString::to_string).collect(),
            self.ended == Ended::Included,
        )
    }
}
