//! Turns what the user typed into an FTS5 expression. Nothing of it is ever syntax: each term is cut out, then
//! quoted; operators, columns and stars are words like others, or nothing.

use crate::search::index;
use crate::search::words::{self, Term, TermKind};
use rusqlite::{Connection, OptionalExtension};

/// Terms of a query that are used: the rarest. More cost time and add nothing to the order of the best.
const TERMS_MOST: usize = 24;

/// Characters of a query that are read.
const QUERY_MOST: usize = 2_000;

/// Below this many documents no term is common enough to cost anything.
const COMMON_FROM_DOCUMENTS: i64 = 2_000;

/// A term in more than one of so many documents costs ten times the rest of the query and tells little.
const COMMON_ONE_IN: i64 = 10;

/// The terms of `text` that are worth asking for, rarest first; a single character is marked by [`is_beginning`].
pub(crate) fn weighed(connection: &Connection, text: &str) -> rusqlite::Result<Vec<String>> {
    let terms = terms(text);
    let telling: Vec<_> = terms
        .iter()
        .filter(|term| !words::is_stopword(term))
        .cloned()
        .collect();
    let asked = if telling.is_empty() { terms } else { telling };
    let documents = index::documents(connection)?;
    let mut counted = Vec::with_capacity(asked.len());
    let mut vocabulary = connection.prepare_cached("SELECT doc FROM search_vocabulary WHERE term = ?1")?;
    for term in asked {
        let count: Option<i64> = vocabulary.query_row([&term], |row| row.get(0)).optional()?;
        counted.push((count.unwrap_or(0), term));
    }
    counted.sort_by_key(|(count, _)| *count);
    counted.retain(|(count, term)| *count > 0 || is_beginning(term));
    let cheap = |count: i64| documents < COMMON_FROM_DOCUMENTS || count <= documents / COMMON_ONE_IN;
    let is_cheap = |(count, term): &(i64, String)| is_beginning(term) || cheap(*count);
    if counted.iter().any(is_cheap) {
        counted.retain(is_cheap);
    } else {
        counted.truncate(1);
    }
    Ok(counted
        .into_iter()
        .take(TERMS_MOST)
        .map(|(_, term)| term)
        .collect())
}

/// Any of the terms, all quoted.
pub(crate) fn expression(terms: &[String]) -> String {
    let quoted = terms.iter().map(|term| {
        let star = if is_beginning(term) { "*" } else { "" };
        format!("\"{}\"{star}", term.replace('"', "\"\""))
    });
    quoted.collect::<Vec<_>>().join(" OR ")
}

/// Whether the term stands for all terms that begin with it: a single character of an unspaced script.
pub(crate) fn is_beginning(term: &str) -> bool {
    let mut characters = term.chars();
    matches!((characters.next(), characters.next()), (Some(only), None) if !only.is_ascii())
}

/// The different terms of a text, in order.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let end = text
        .char_indices()
        .nth(QUERY_MOST)
        .map_or(text.len(), |(end, _)| end);
    let mut terms = Vec::new();
    words::cut(&text[..end], |Term { text, kind, .. }| match kind {
        TermKind::Word | TermKind::Pair | TermKind::Alone => {
            if !terms.contains(&text) {
                terms.push(text);
            }
        }
        TermKind::Last => {}
    });
    terms
}
