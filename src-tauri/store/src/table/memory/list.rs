//! Lists and counts of records, without a search.

use super::{COLUMNS, read};
use crate::column::Json;
use crate::table::rows;
use rusqlite::{Connection, params};
use shidi_protocol::{MemoryId, MemoryKind, MemoryRecord, MemoryScope};

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

/// What to do with records that are no longer so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    #[default]
    LeftOut,
    Included,
}

const FITTING: &str = "(?1 = '[]' OR kind IN (SELECT value FROM json_each(?1)))
  AND (?2 = '[]' OR scope IN (SELECT value FROM json_each(?2))) AND (?3 OR valid_to IS NULL)";

/// Pinned ones first, then newest first, from the `offset`th on.
pub(crate) fn newest(
    connection: &Connection,
    filter: &MemoryFilter,
    offset: u32,
    limit: u32,
) -> rusqlite::Result<Vec<MemoryRecord>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM memory WHERE {FITTING} ORDER BY pinned DESC, time DESC, row DESC LIMIT ?5 OFFSET ?4"
    );
    let (kinds, scopes, ended) = filter.parameters();
    rows(
        connection,
        &sql,
        params![Json(kinds), Json(scopes), ended, offset, limit],
        read,
    )
}

/// Kinds with how many records there are of each.
pub(crate) fn counts(
    connection: &Connection,
    filter: &MemoryFilter,
) -> rusqlite::Result<Vec<(MemoryKind, u64)>> {
    let sql = format!("SELECT kind, count(*) FROM memory WHERE {FITTING} GROUP BY kind ORDER BY kind");
    let (kinds, scopes, ended) = filter.parameters();
    rows(
        connection,
        &sql,
        params![Json(kinds), Json(scopes), ended],
        |row| {
            let kind = row.get::<_, crate::column::Named<MemoryKind>>(0)?.0;
            Ok((kind, crate::column::unsigned(row.get(1)?)))
        },
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
           SELECT ?1 UNION SELECT superseded_by FROM memory JOIN later USING (id) WHERE superseded_by IS NOT NULL),
         line (id) AS (
           SELECT id FROM later
           UNION SELECT memory.id FROM memory JOIN line ON memory.superseded_by = line.id)
         SELECT {COLUMNS} FROM memory WHERE id IN (SELECT id FROM line) ORDER BY valid_from, row LIMIT ?2"
    );
    rows(connection, &sql, params![id.as_str(), limit], read)
}

/// Ids that begin or end with `text`, at most `limit`.
pub(crate) fn fitting(connection: &Connection, text: &str, limit: u32) -> rusqlite::Result<Vec<MemoryId>> {
    rows(
        connection,
        "SELECT id FROM memory WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1 LIMIT ?2",
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
