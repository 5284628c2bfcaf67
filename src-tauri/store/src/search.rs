//! Full text search over what was said and what was asked to be remembered, Chinese and English alike.
//!
//! Text is cut into words and character pairs in Rust (`words.rs`) and indexed behind the writer's back
//! (`index.rs`). Queries hold quoted terms only (`query.rs`), and finds are shown as excerpts (`excerpt.rs`).
//! There is no ranking by meaning here, and no decay by age: history questions are about old things.

pub(crate) mod context;
pub(crate) mod excerpt;
pub(crate) mod index;
pub(crate) mod passages;
pub(crate) mod query;
pub(crate) mod terms;
pub(crate) mod words;

use crate::column::Named;
use excerpt::Excerpt;
use passages::Breadth;
use query::Common;
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{MemoryId, MemoryKind, Moment, RunId, SegmentId, SegmentKind, SessionId};

/// Most hits of one search; a screen shows ten.
pub const HITS_MOST: u32 = 200;

/// Excerpts of one look-up in a tool's result at most.
const EXCERPTS_MOST: usize = 100;

/// Where to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchScope {
    Everything,
    /// Transcripts of all sessions.
    Sessions,
    /// The transcript of one session.
    Session(SessionId),
    /// Memory records that hold.
    Memory,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub source: HitSource,
    /// The text around the match, cut at word borders where it is long.
    pub excerpt: String,
    pub time: Moment,
    /// bm25, higher is better; comparable within one search only.
    pub score: f64,
    /// Whether it derives from something untrusted.
    pub tainted: bool,
}

/// Where a hit comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HitSource {
    Segment {
        session: SessionId,
        run: RunId,
        segment: SegmentId,
        kind: SegmentKind,
    },
    Memory {
        memory: MemoryId,
        kind: MemoryKind,
        session: Option<SessionId>,
    },
}

/// Passages of `text` that answer `words`, best first.
#[must_use]
pub fn find_in(text: &str, words: &str, limit: usize, breadth: Breadth) -> Vec<Excerpt> {
    passages::passages(text, words, limit.min(EXCERPTS_MOST), breadth)
}

/// The hits for `text`, best first, at most `limit` and [`HITS_MOST`].
pub(crate) fn search(
    connection: &Connection,
    common: &Common,
    text: &str,
    scope: &SearchScope,
    limit: u32,
) -> rusqlite::Result<Vec<Hit>> {
    let terms = query::asked(connection, common, text)?.terms;
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let found = places(
        connection,
        // In what was said itself, not only around it.
        &format!("{{words pairs}} : ({})", query::expression(&terms)),
        scope,
        limit.min(HITS_MOST),
    )?;
    let mut hits = Vec::with_capacity(found.len());
    for (document, score) in found {
        if let Some(hit) = hit(connection, document, score, &terms)? {
            hits.push(hit);
        }
    }
    Ok(hits)
}

const OPEN: &str = " AND (search.rowid % 2 = 0
  OR EXISTS (SELECT 1 FROM remembered WHERE remembered.row = search.rowid / 2 AND valid_to IS NULL))";

const OPEN_MEMORY: &str = " AND search.rowid % 2 = 1
  AND EXISTS (SELECT 1 FROM remembered WHERE remembered.row = search.rowid / 2 AND valid_to IS NULL)";

fn places(
    connection: &Connection,
    expression: &str,
    scope: &SearchScope,
    limit: u32,
) -> rusqlite::Result<Vec<(i64, f64)>> {
    let (filter, session) = match scope {
        SearchScope::Everything => (OPEN, ""),
        SearchScope::Sessions => (" AND search.rowid % 2 = 0", ""),
        SearchScope::Memory => (OPEN_MEMORY, ""),
        SearchScope::Session(session) => (
            " AND search.rowid % 2 = 0
              AND (SELECT session FROM segment WHERE segment.row = search.rowid / 2) = ?3",
            session.as_str(),
        ),
    };
    let sql = format!(
        "SELECT rowid, -bm25(search) AS score FROM search WHERE search MATCH ?1 {filter}
         ORDER BY score DESC LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    match scope {
        SearchScope::Session(_) => statement
            .query_map(params![expression, limit, session], read)?
            .collect(),
        SearchScope::Everything | SearchScope::Sessions | SearchScope::Memory => {
            statement.query_map(params![expression, limit], read)?.collect()
        }
    }
}

fn hit(
    connection: &Connection,
    document: i64,
    score: f64,
    terms: &[String],
) -> rusqlite::Result<Option<Hit>> {
    let row = document / 2;
    if document % 2 == 1 {
        return connection
            .prepare_cached("SELECT id, session, text, time, tainted, kind FROM remembered WHERE row = ?1")?
            .query_row([row], |row| {
                Ok(Hit {
                    source: HitSource::Memory {
                        memory: MemoryId::from(row.get::<_, String>(0)?),
                        kind: row.get::<_, Named<_>>(5)?.0,
                        session: row.get::<_, Option<String>>(1)?.map(SessionId::from),
                    },
                    excerpt: excerpt::around(row.get_ref(2)?.as_str()?, terms),
                    time: Moment(row.get(3)?),
                    score,
                    tainted: row.get(4)?,
                })
            })
            .optional();
    }
    connection
        .prepare_cached("SELECT session, run, id, kind, text, time, tainted FROM segment WHERE row = ?1")?
        .query_row([row], |row| {
            Ok(Hit {
                source: HitSource::Segment {
                    session: SessionId::from(row.get::<_, String>(0)?),
                    run: RunId::from(row.get::<_, String>(1)?),
                    segment: SegmentId(row.get(2)?),
                    kind: SegmentKind::from_name(row.get_ref(3)?.as_str()?),
                },
                excerpt: excerpt::around(row.get_ref(4)?.as_str()?, terms),
                time: Moment(row.get(5)?),
                score,
                tainted: row.get(6)?,
            })
        })
        .optional()
}

#[cfg(test)]
mod tests;
