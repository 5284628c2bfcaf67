//! Finds candidates for a question: records and sentences of conversations, by their words and by the page at hand.
//!
//! Who may see what is decided here, in the search itself: what is not in scope never becomes a candidate. Statements
//! that ended do, for they lead to what replaced them.

use super::Candidate;
use super::cosine::{QueryVector, nearest};
use crate::address;
use crate::column::ERASED;
use crate::search::query::{self, WeighedQuery};
use crate::table::memory::{self, COLUMNS};
use crate::table::rows;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use shidi_protocol::{
    MemoryId, MemoryKind, MemoryOrigin, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment, RunId,
    SegmentId,
};

/// The weight of the context column beside the text's own.
pub(crate) const CONTEXT_WEIGHT: f64 = 0.3;

/// Candidates that are looked at closely: far more than are shown, so that a correction can lift one.
const CANDIDATES_MOST: usize = 128;

/// Candidates that a page brings by itself.
const OF_PAGE_MOST: u32 = 48;

/// The records that a scope shows, as SQL with its parameters.
struct Sight {
    memory: String,
    segment: String,
    parameters: Vec<Value>,
}

impl Sight {
    /// Whether the text with that number in the index is shown.
    fn of(&self, document: &str) -> String {
        format!(
            "CASE {document} % 2
               WHEN 1 THEN EXISTS (SELECT 1 FROM remembered WHERE row = {document} / 2 AND {})
               ELSE EXISTS (SELECT 1 FROM segment WHERE row = {document} / 2 AND {}) END",
            self.memory, self.segment
        )
    }
}

/// Texts that fit best and are looked at before it is known who may see them. To ask that of every text that fits costs
/// more than to find it, and most may be seen.
const AHEAD_MOST: usize = 1_024;

/// Candidates by words, best first, each with what FTS5 gives it.
pub(crate) fn fitting(
    connection: &Connection,
    asked: &WeighedQuery,
    query: &MemoryQuery,
) -> rusqlite::Result<Vec<(f64, Candidate)>> {
    let sight = sight(query, 2);
    let mut found = Vec::new();
    // Of one kind among many few are seen: they are not looked for ahead.
    let ahead = match query.kinds.is_empty() {
        true => ranked(connection, asked, None)?,
        false => Vec::new(),
    };
    for (document, score) in &ahead {
        if found.len() < CANDIDATES_MOST && is_seen(connection, *document, &sight)? {
            found.push((*document, *score));
        }
    }
    let is_all = !ahead.is_empty() && ahead.len() < AHEAD_MOST;
    if !is_all && found.len() < CANDIDATES_MOST {
        found = ranked(connection, asked, Some(&sight))?;
    }
    let mut candidates = Vec::with_capacity(found.len());
    for (document, score) in found {
        if let Some(candidate) = one(connection, document)? {
            candidates.push((score, candidate));
        }
    }
    Ok(candidates)
}

/// Numbers and scores of what fits best: of everything, or of what a scope shows.
fn ranked(
    connection: &Connection,
    asked: &WeighedQuery,
    sight: Option<&Sight>,
) -> rusqlite::Result<Vec<(i64, f64)>> {
    let newest = match asked.newest {
        Some(from) => format!("AND search.rowid >= {from}"),
        None => String::new(),
    };
    let (seen, most) = match sight {
        Some(sight) => (format!("AND {}", sight.of("search.rowid")), CANDIDATES_MOST),
        None => (String::new(), AHEAD_MOST),
    };
    let sql = format!(
        "SELECT rowid, -bm25(search, 1.0, 1.0, {CONTEXT_WEIGHT}) AS score FROM search WHERE search MATCH ?1 {newest} {seen}
         ORDER BY score DESC LIMIT {most}"
    );
    let mut parameters = vec![Value::from(query::expression(&asked.terms))];
    parameters.extend(sight.iter().flat_map(|sight| sight.parameters.clone()));
    rows(connection, &sql, params_from_iter(parameters), |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Candidates by meaning, nearest first, with their cosines.
pub(crate) fn nearby(
    connection: &Connection,
    near: &QueryVector,
    query: &MemoryQuery,
) -> rusqlite::Result<Vec<(f64, Candidate)>> {
    let sight = sight(query, 2);
    let mut candidates = Vec::new();
    for nearby in nearest(connection, near, AHEAD_MOST)? {
        if candidates.len() < CANDIDATES_MOST
            && is_seen(connection, nearby.document, &sight)?
            && let Some(candidate) = one(connection, nearby.document)?
        {
            candidates.push((f64::from(nearby.cosine), candidate));
        }
    }
    Ok(candidates)
}

fn is_seen(connection: &Connection, document: i64, sight: &Sight) -> rusqlite::Result<bool> {
    let sql = format!("SELECT {}", sight.of("?1"));
    let mut parameters = vec![Value::from(document)];
    parameters.extend(sight.parameters.clone());
    connection
        .prepare_cached(&sql)?
        .query_row(params_from_iter(parameters), |row| row.get(0))
}

/// Candidates of the page at hand, newest first.
pub(crate) fn of_page(connection: &Connection, query: &MemoryQuery) -> rusqlite::Result<Vec<Candidate>> {
    let Some(page) = &query.page else {
        return Ok(Vec::new());
    };
    let sight = sight(query, 3);
    let with = |first: String| {
        let mut parameters = vec![Value::from(address::canonical(page)), Value::from(first)];
        parameters.extend(sight.parameters.clone());
        params_from_iter(parameters)
    };
    let sql = format!(
        "SELECT row, {COLUMNS} FROM remembered WHERE (site = ?1 OR scope = ?2) AND {} ORDER BY time DESC LIMIT {OF_PAGE_MOST}",
        sight.memory
    );
    let host = address::host(page).to_owned();
    let scope = MemoryScope::Site(host).to_string();
    let mut candidates = rows(connection, &sql, with(scope), |row| {
        Ok(Candidate::new(row.get::<_, i64>(0)? * 2 + 1, after_row(row)?))
    })?;
    let sql = format!(
        "{SEGMENTS} WHERE session IN (SELECT session FROM visit WHERE site = ?1) AND kind IN (?2, 'Express')
           AND text <> '{ERASED}' AND {}
         ORDER BY row DESC LIMIT {OF_PAGE_MOST}",
        sight.segment
    );
    candidates.extend(rows(connection, &sql, with("User".to_owned()), read_segment)?);
    Ok(candidates)
}

/// The candidate with that number in the index; `None` when its row is gone.
pub(crate) fn one(connection: &Connection, document: i64) -> rusqlite::Result<Option<Candidate>> {
    let row = [document / 2];
    let found = if document % 2 == 1 {
        let sql = format!("SELECT row, {COLUMNS} FROM remembered WHERE row = ?1");
        rows(connection, &sql, row, |row| {
            Ok(Candidate::new(document, after_row(row)?))
        })?
    } else {
        rows(
            connection,
            &format!("{SEGMENTS} WHERE row = ?1"),
            row,
            read_segment,
        )?
    };
    Ok(found.into_iter().next())
}

/// A record by its id, if it may be seen.
pub(crate) fn by_id(
    connection: &Connection,
    id: &MemoryId,
    query: &MemoryQuery,
) -> rusqlite::Result<Option<Candidate>> {
    let sight = sight(query, 2);
    let sql = format!(
        "SELECT row, {COLUMNS} FROM remembered WHERE id = ?1 AND {}",
        sight.memory
    );
    let mut parameters = vec![Value::from(id.as_str().to_owned())];
    parameters.extend(sight.parameters);
    let found = rows(connection, &sql, params_from_iter(parameters), |row| {
        Ok(Candidate::new(row.get::<_, i64>(0)? * 2 + 1, after_row(row)?))
    })?;
    Ok(found.into_iter().next())
}

/// Records that the user may look at, whoever they are for: all but the pieces of documents.
const OF_ANY_SCOPE: &str = "(scope < 'base:' OR scope >= 'base;')";

/// The conditions under which a query sees a row. Its parameters are numbered from `first` on, and all are named in
/// both conditions, so that one list serves either.
fn sight(query: &MemoryQuery, first: usize) -> Sight {
    let mut parameters: Vec<Value> = Vec::new();
    let mut place = |text: String| {
        parameters.push(Value::from(text));
        format!("?{}", first + parameters.len() - 1)
    };
    let except = place(query.except.as_ref().map(ToString::to_string).unwrap_or_default());
    let of_scope = match &query.scopes {
        MemoryScopes::Everything => OF_ANY_SCOPE.to_owned(),
        MemoryScopes::These(scopes) => {
            let places: Vec<String> = scopes.iter().map(|scope| place(scope.to_string())).collect();
            let sites = match scopes.contains(&MemoryScope::User) {
                true => "OR (scope >= 'site:' AND scope < 'site;')",
                false => "",
            };
            format!("(scope IN ({}) {sites})", places.join(", "))
        }
    };
    let kinds: Vec<String> = query
        .kinds
        .iter()
        .map(|kind| place(kind.name().to_owned()))
        .collect();
    let of_assistant = match &query.scopes {
        MemoryScopes::Everything => "TRUE".to_owned(),
        MemoryScopes::These(scopes) => {
            let assistants = scopes.iter().filter_map(|scope| match scope {
                MemoryScope::User => Some("''".to_owned()),
                MemoryScope::Assistant(name) => Some(place(name.clone())),
                MemoryScope::Site(_) | MemoryScope::Session(_) | MemoryScope::Base(_) => None,
            });
            let assistants: Vec<String> = assistants.collect();
            format!(
                "coalesce((SELECT assistant FROM attribution WHERE attribution.session = segment.session), '') IN ({})",
                assistants.join(", ")
            )
        }
    };
    let of_kind = match kinds.is_empty() {
        true => String::new(),
        false => format!("AND kind IN ({})", kinds.join(", ")),
    };
    // What was said in the session at hand stands in its transcript; what was learned from it is news.
    let memory = format!(
        "{of_scope} {of_kind} AND NOT (kind = 'conversation' AND session IS {except} AND {except} <> '')"
    );
    let segment = if !query.kinds.is_empty() && !query.kinds.contains(&MemoryKind::Conversation) {
        "FALSE".to_owned()
    } else {
        format!("session <> {except} AND {of_assistant}")
    };
    // Names the last parameter, so that SQLite counts all of them in a statement that needs only some.
    let counted = format!("AND ?{} IS NOT NULL", first + parameters.len() - 1);
    Sight {
        memory: format!("({memory} {counted})"),
        segment: format!("({segment} {counted})"),
        parameters,
    }
}

/// A row of `row` and [`COLUMNS`].
fn after_row(row: &Row<'_>) -> rusqlite::Result<MemoryRecord> {
    memory::read_from(row, 1)
}

const SEGMENTS: &str = "SELECT row, session, run, id, text, tainted, time FROM segment";

/// A segment in the form of a record.
fn read_segment(row: &Row<'_>) -> rusqlite::Result<Candidate> {
    let session: String = row.get(1)?;
    let segment: u32 = row.get(3)?;
    let id = MemoryId::from(format!("{session}/{segment}"));
    let mut record = MemoryRecord::new(
        id,
        MemoryKind::Conversation,
        row.get::<_, String>(4)?,
        Moment(row.get(6)?),
    );
    record.origin = MemoryOrigin::Learned;
    record.source.session = Some(session.into());
    record.source.run = Some(RunId::from(row.get::<_, String>(2)?));
    record.source.segments = vec![SegmentId(segment)];
    record.sort_value = segment.into();
    record.tainted = row.get(5)?;
    Ok(Candidate::new(row.get::<_, i64>(0)? * 2, record))
}
