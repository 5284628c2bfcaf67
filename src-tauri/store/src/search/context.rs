//! The context of a text, which counts for less: its title, its speaker, its topic, and the words before it. The words
//! before come from the same session or document.
//!
//! A question and its answer share few words; each is found by those of the other.

use rusqlite::{Connection, OptionalExtension, params};

/// Bytes of the text before that count: its end, which the next one answers.
const BEFORE_MOST_BYTES: usize = 600;

/// A record as it is indexed.
pub(crate) struct Remembered {
    pub row: i64,
    pub text: String,
    pub title: String,
    pub speaker: Option<String>,
    pub tags: Vec<String>,
    pub entities: Vec<String>,
    pub session: Option<String>,
    pub document: Option<String>,
    pub sort_value: i64,
}

/// The context of a record.
pub(crate) fn around(connection: &Connection, record: &Remembered) -> rusqlite::Result<String> {
    let mut context = String::new();
    let own = [&record.title]
        .into_iter()
        .chain(&record.speaker)
        .chain(&record.tags)
        .chain(&record.entities);
    own.for_each(|text| append(&mut context, text));
    let before = match (&record.session, &record.document) {
        (Some(session), _) => before(connection, "session", session, record.sort_value)?,
        (None, Some(document)) => before(connection, "document", document, record.sort_value)?,
        (None, None) => None,
    };
    before.iter().for_each(|text| append(&mut context, text));
    Ok(context)
}

/// The context of a segment: what was said before it.
pub(crate) fn before_segment(
    connection: &Connection,
    session: &str,
    segment: i64,
) -> rusqlite::Result<String> {
    let found: Option<String> = connection
        .prepare_cached(
            "SELECT text FROM segment
             WHERE session = ?1 AND id < ?2 AND kind IN ('User', 'Express', 'Output') ORDER BY id DESC LIMIT 1",
        )?
        .query_row(params![session, segment], |row| row.get(0))
        .optional()?;
    let mut context = String::new();
    found.iter().for_each(|text| append(&mut context, text));
    Ok(context)
}

/// The row of the indexed record that has this one in its context.
pub(crate) fn after(connection: &Connection, record: &Remembered) -> rusqlite::Result<Option<i64>> {
    let (column, whole) = match (&record.session, &record.document) {
        (Some(session), _) => ("session", session),
        (None, Some(document)) => ("document", document),
        (None, None) => return Ok(None),
    };
    let sql = format!(
        "SELECT row FROM memory WHERE {column} = ?1 AND sort_value > ?2 AND row <= (SELECT memory FROM search_mark)
         ORDER BY sort_value LIMIT 1"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(params![whole, record.sort_value], |row| row.get(0))
        .optional()
}

fn before(
    connection: &Connection,
    column: &str,
    whole: &str,
    sort_value: i64,
) -> rusqlite::Result<Option<String>> {
    let sql = format!(
        "SELECT text FROM remembered WHERE {column} = ?1 AND sort_value < ?2 ORDER BY sort_value DESC LIMIT 1"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(params![whole, sort_value], |row| row.get(0))
        .optional()
}

fn append(context: &mut String, text: &str) {
    let begin = text.ceil_char_boundary(text.len().saturating_sub(BEFORE_MOST_BYTES));
    context.push_str(&text[begin..]);
    context.push('\n');
}
