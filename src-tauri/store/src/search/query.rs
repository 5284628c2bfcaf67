//! Turns what the user typed into an FTS5 expression. Nothing of it is ever syntax: each term is cut out, then
//! quoted; operators, columns and stars are words like others, or nothing.

use crate::search::words::{self, Term, TermKind};
use rusqlite::{Connection, OptionalExtension};

/// Terms of a query that are used: the rarest. More cost time and add nothing to the order of the best.
const TERMS_MOST: usize = 24;

/// Characters of a query that are read.
const QUERY_MOST: usize = 2_000;

/// Places of terms that one query looks at; each costs about half a microsecond. Common terms tell least and have
/// most places: they are the first to be left out.
const PLACES_MOST: i64 = 8_000;

/// The terms of `text` that are worth asking for, rarest first. At least one, if any occurs at all.
pub(crate) fn weighed(connection: &Connection, text: &str) -> rusqlite::Result<Vec<String>> {
    let terms = terms(text);
    let telling: Vec<_> = terms
        .iter()
        .filter(|term| !words::is_stopword(term))
        .cloned()
        .collect();
    let asked = if telling.is_empty() { terms } else { telling };
    let mut counted = Vec::with_capacity(asked.len());
    let mut vocabulary = connection.prepare_cached("SELECT doc FROM search_vocabulary WHERE term = ?1")?;
    for term in asked {
        let documents: Option<i64> = vocabulary.query_row([&term], |row| row.get(0)).optional()?;
        counted.extend(documents.map(|documents| (documents, term)));
    }
    counted.sort_by_key(|(documents, _)| *documents);
    let mut places = 0;
    let affordable = counted.iter().take(TERMS_MOST).take_while(|(documents, _)| {
        let is_first = places == 0;
        places += documents;
        is_first || places <= PLACES_MOST
    });
    let count = affordable.count();
    Ok(counted.into_iter().take(count).map(|(_, term)| term).collect())
}

/// Any of the terms, all quoted.
pub(crate) fn expression(terms: &[String]) -> String {
    let quoted = terms
        .iter()
        .map(|term| format!("\"{}\"", term.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(" OR ")
}

/// The different terms to ask for, in order: of a run of several characters its pairs.
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
        TermKind::Character => {}
    });
    terms
}
