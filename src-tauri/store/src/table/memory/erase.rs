//! Takes records away for good, with what they replaced and with their words in the index.

use crate::search::index;
use crate::table::{erasure, learning, rows, span, write};
use rusqlite::types::ToSql;
use rusqlite::{Connection, params};
use shidi_protocol::{MemoryId, MemoryScope, Moment, SessionId};

/// Records that belong together and can be erased at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryGroup {
    /// About a page, and about all below it when the address is that of a site or folder.
    Site(String),
    /// Pieces of a document.
    Document(String),
    Scope(MemoryScope),
    /// Over at that moment, the first of them; what is pinned stays.
    Over(Moment),
    Everything,
}

/// Records that are erased together because they are over: some tenths of a second, for which writing waits.
const OVER_TOGETHER: u32 = 500;

const OVER: &str = "until <= ?1 AND NOT pinned";

/// Whether something is over at that moment, and not erased yet.
pub(crate) fn is_some_over(connection: &Connection, now: Moment) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(&format!("SELECT EXISTS (SELECT 1 FROM memory WHERE {OVER})"))?
        .query_row([now.0], |row| row.get(0))
}

/// Erases a record and what it replaced. Does nothing if there is no such record.
pub(crate) fn one(connection: &Connection, id: &MemoryId) -> rusqlite::Result<()> {
    erase(connection, "id = ?1", &[&id.as_str()])
}

pub(crate) fn group(connection: &Connection, group: &MemoryGroup) -> rusqlite::Result<()> {
    match group {
        MemoryGroup::Site(address) => erase(
            connection,
            "(site = ?1 OR substr(site, 1, length(?1) + 1) = ?1 || '/')
             OR (scope = 'site:' || ?1 OR substr(scope, 1, length(?1) + 6) = 'site:' || ?1 || '/')",
            &[&address.trim_end_matches('/')],
        ),
        MemoryGroup::Document(document) => erase(connection, "document = ?1", &[document]),
        MemoryGroup::Scope(scope) => erase(connection, "scope = ?1", &[&scope.to_string()]),
        MemoryGroup::Over(now) => over(connection, *now),
        // Learning that still waits would bring it back a moment later.
        MemoryGroup::Everything => {
            learning::clear(connection)?;
            erase(connection, "TRUE", &[])
        }
    }
}

/// Erases what was taken from a session. What the user told stays, without saying where: they asked for it.
pub(crate) fn of_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    let scope = MemoryScope::Session(session.clone()).to_string();
    erase(
        connection,
        "scope = ?2 OR (session = ?1
           AND NOT (origin = 'told' AND kind NOT IN ('conversation', 'entity', 'working', 'summary')))",
        &[&session.as_str(), &scope],
    )?;
    write(
        connection,
        "UPDATE memory SET session = NULL, run = NULL, segments = '[]' WHERE session = ?1",
        params![session.as_str()],
    )
    .map(|_| ())
}

/// Takes records away by policy: overwriting them is enough, nobody asked to have them out of the files at once.
pub(crate) fn evict(connection: &Connection, ids: &[MemoryId]) -> rusqlite::Result<()> {
    for id in ids {
        let found: Vec<i64> = rows(
            connection,
            "SELECT row FROM memory WHERE id = ?1",
            [id.as_str()],
            |row| row.get(0),
        )?;
        take_away(connection, found)?;
    }
    index::lower_marks(connection)
}

/// Drops the steps of runs that recalled one of these: their prompts hold its words.
fn drop_traces(connection: &Connection, ids: &[String]) -> rusqlite::Result<()> {
    const RECALLED: &str =
        "SELECT DISTINCT run, text || coalesce(body, '') FROM segment WHERE kind = 'Recalled'";
    let recalled: Vec<(String, String)> =
        rows(connection, RECALLED, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (run, marks) in recalled {
        if ids.iter().any(|id| marks.contains(id.as_str())) {
            span::drop_of(connection, &run)?;
        }
    }
    Ok(())
}

/// Erases outdated records and nothing else. A record that such a one had replaced was not to be forgotten, and
/// does not hold again either.
fn over(connection: &Connection, now: Moment) -> rusqlite::Result<()> {
    let sql = format!("SELECT row, id FROM memory WHERE {OVER} ORDER BY until LIMIT {OVER_TOGETHER}");
    let gone: Vec<(i64, String)> = rows(connection, &sql, [now.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (_, id) in &gone {
        let linked = "UPDATE memory SET superseded_by = (SELECT superseded_by FROM memory WHERE id = ?1) WHERE superseded_by = ?1";
        write(connection, linked, [id])?;
    }
    erase_these(connection, gone)
}

fn erase(connection: &Connection, which: &str, parameters: &[&dyn ToSql]) -> rusqlite::Result<()> {
    let sql = format!(
        "WITH RECURSIVE gone (row, id) AS (
           SELECT row, id FROM memory WHERE {which}
           UNION SELECT memory.row, memory.id FROM memory JOIN gone ON memory.superseded_by = gone.id
         ) SELECT row, id FROM gone"
    );
    let gone: Vec<(i64, String)> = rows(connection, &sql, parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
    erase_these(connection, gone)
}

fn erase_these(connection: &Connection, gone: Vec<(i64, String)>) -> rusqlite::Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    let (gone, ids): (Vec<i64>, Vec<String>) = gone.into_iter().unzip();
    drop_traces(connection, &ids)?;
    take_away(connection, gone)?;
    index::lower_marks(connection)?;
    erasure::ask(connection)
}

fn take_away(connection: &Connection, gone: Vec<i64>) -> rusqlite::Result<()> {
    let mut erased = Vec::with_capacity(gone.len());
    for row in gone {
        erased.extend(index::one_memory(connection, row)?);
        index::forget_memory(connection, row)?;
        write(connection, "DELETE FROM memory WHERE row = ?1", [row])?;
    }
    for record in &erased {
        index::index_after(connection, record)?;
    }
    Ok(())
}
