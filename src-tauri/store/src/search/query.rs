//! Turns what the user typed into an FTS5 expression. Nothing of it is ever syntax: each term is cut out, then
//! quoted; operators, columns and stars are words like others, or nothing.

use crate::column::Json;
use crate::search::words::{self, Term, TermKind};
use crate::table::rows;
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// Terms of a query that are used: the rarest. More cost time and add nothing to the order of the best.
const TERMS_MOST: usize = 24;

/// Characters of a query that are read.
const QUERY_MOST: usize = 2_000;

/// Different terms of a query that are weighed.
const WEIGHED_MOST: usize = 96;

/// Places of terms that one query looks at; each costs about a microsecond. Common terms tell least and have most places:
/// they are the first to be left out. In a large index more are looked at, one of this many texts. Measured: a search
/// takes 8 ms (p95) in 100,000 records, 30 ms in a million.
const PLACES_MOST: i64 = 6_000;
const PLACES_SHARE: i64 = 64;

/// A term that is in more than one of this many texts tells nothing, once there are enough texts to say so.
const COMMON_SHARE: i64 = 10;
const COMMON_FROM_TEXTS: i64 = 2_000;

/// Counts of terms that are kept, and the count from which on a term's is.
const KEPT_MOST: usize = 16_384;
const KEPT_FROM: i64 = 512;

/// A memory of fewer texts is weighed as one of this many: in one of three, every word would seem to tell nothing.
const TEXTS_LEAST: i64 = 1_000;

/// What a word that stands nowhere counts of what a rare one does: a question in words of its own still fits, one about
/// something else does not (`make bench-memory` shows both).
const MISSING: f64 = 0.25;

/// A query, weighed.
pub(crate) struct Asked {
    /// The terms that are worth asking for, rarest first.
    pub terms: Vec<String>,
    /// What each tells.
    pub weights: Vec<f64>,
    /// What the terms tell together that were asked for and stand nowhere.
    pub missing: f64,
    /// Where even the rarest term is in too many texts: the number from which on, in the index, it is looked for.
    pub newest: Option<i64>,
}

/// How many texts hold a common term, so that they are not counted for every query. Counting costs as much as asking.
#[derive(Default)]
pub(crate) struct Common {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    counts: HashMap<String, i64>,
    /// How many texts there were when the counts were taken.
    texts: i64,
}

impl Common {
    /// How many texts hold each of these terms. What is not known is asked for at once: a question of its own for each term
    /// would cost more than its answer.
    fn counts(
        &self,
        connection: &Connection,
        terms: &[String],
        texts: i64,
    ) -> rusqlite::Result<HashMap<String, i64>> {
        let mut counts = self.known(terms, texts);
        let unknown: Vec<&String> = terms.iter().filter(|term| !counts.contains_key(*term)).collect();
        let found: Vec<(String, i64)> = rows(
            connection,
            "SELECT asked.value, vocabulary.doc FROM json_each(?1) AS asked
             CROSS JOIN search_vocabulary AS vocabulary ON vocabulary.term = asked.value",
            [Json(&unknown)],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for (term, count) in &found {
            if *count >= KEPT_FROM && kept.counts.len() < KEPT_MOST {
                kept.counts.insert(term.clone(), *count);
            }
        }
        counts.extend(found);
        Ok(counts)
    }

    /// What is kept of these. All is dropped when the index grew or shrank by a tenth.
    fn known(&self, terms: &[String], texts: i64) -> HashMap<String, i64> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if (kept.texts - texts).abs() > texts / 10 {
            kept.counts.clear();
            kept.texts = texts;
        }
        let known = terms.iter().filter_map(|term| {
            let count = kept.counts.get(term)?;
            Some((term.clone(), *count))
        });
        known.collect()
    }
}

/// The terms of `text` that are worth asking for. At least one, if any occurs at all.
pub(crate) fn asked(connection: &Connection, common: &Common, text: &str) -> rusqlite::Result<Asked> {
    let mut terms = terms(text);
    terms.truncate(WEIGHED_MOST);
    let telling: Vec<_> = terms
        .iter()
        .filter(|term| !words::is_stopword(term))
        .cloned()
        .collect();
    let telling = if telling.is_empty() { terms } else { telling };
    let texts: i64 = connection
        .prepare_cached("SELECT segment + memory FROM search_mark")?
        .query_row([], |row| row.get(0))?;
    let counts = common.counts(connection, &telling, texts)?;
    let mut counted = Vec::with_capacity(telling.len());
    let mut missing = 0.0;
    for term in telling {
        match counts.get(&term) {
            Some(count) => counted.push((*count, term)),
            None => missing += MISSING * weight(0, texts),
        }
    }
    counted.sort_by_key(|(count, _)| *count);
    let most = PLACES_MOST.max(texts / PLACES_SHARE);
    let is_common = |count: i64| texts >= COMMON_FROM_TEXTS && count > texts / COMMON_SHARE;
    let mut places = 0;
    let affordable = counted.iter().take(TERMS_MOST).take_while(|(count, _)| {
        let is_first = places == 0;
        places += count;
        is_first || (places <= most && !is_common(*count))
    });
    counted.truncate(affordable.count());
    let newest = match counted.first() {
        Some((count, _)) if *count > most => Some(newest_from(connection, most, *count)?),
        _ => None,
    };
    Ok(Asked {
        weights: counted.iter().map(|(count, _)| weight(*count, texts)).collect(),
        missing,
        terms: counted.into_iter().map(|(_, term)| term).collect(),
        newest,
    })
}

/// What a term tells that `count` of so many texts hold.
fn weight(count: i64, texts: i64) -> f64 {
    let (all, held) = (texts.max(count).max(TEXTS_LEAST) as f64, count as f64);
    (1.0 + (all - held + 0.5) / (held + 0.5)).ln()
}

/// The terms of a question that tell something, as the index has them; all when none does.
#[must_use]
pub fn question_terms(text: &str) -> Vec<String> {
    let terms = terms(text);
    let telling: Vec<_> = terms
        .iter()
        .filter(|term| !words::is_stopword(term))
        .cloned()
        .collect();
    if telling.is_empty() { terms } else { telling }
}

/// The number in the index from which on a term that is held by `count` texts has about `most` places.
fn newest_from(connection: &Connection, most: i64, count: i64) -> rusqlite::Result<i64> {
    let last: i64 = connection
        .prepare_cached("SELECT 2 * max(segment, memory) + 1 FROM search_mark")?
        .query_row([], |row| row.get(0))?;
    Ok(last - last / count.max(1) * most)
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
    let (mut terms, mut met) = (Vec::new(), HashSet::new());
    words::cut(&text[..end], |Term { text, kind, .. }| match kind {
        TermKind::Word | TermKind::Pair | TermKind::Alone => {
            if met.insert(text.clone()) {
                terms.push(text);
            }
        }
        TermKind::Character => {}
    });
    terms
}
