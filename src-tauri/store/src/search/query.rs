//! Turns what the user typed into an FTS5 expression. No part of the text is ever syntax: each term is cut out, then
//! quoted. Operators, columns and stars are words like others, or nothing.

use crate::column::Json;
use crate::search::words::{self, Term, TermKind};
use crate::statement::rows;
use parking_lot::Mutex;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

/// Terms of a query that are used: the rarest. More cost time and add nothing to the order of the best.
const TERMS_MOST: usize = 24;

/// Characters of a query that are read.
const QUERY_MOST: usize = 2_000;

/// Different terms of a query that are weighed.
const WEIGHED_MOST: usize = 96;

/// Places of terms that one query looks at; each costs about a microsecond. Common terms tell least and have most
/// places: they are the first to be left out. In a large index more are looked at, one of this many texts. Measured
/// (p95 of the slowest shape of query): 9 ms in 100,000 records, 24 ms in a million. With 6,000 and 64 the times were
/// 10 and 40 ms, and the finds had the same order.
const PLACES_MOST: i64 = 5_000;
const PLACES_SHARE: i64 = 80;

/// A term that is in more than one of this many texts tells nothing. There must be enough texts to say so.
const COMMON_SHARE: i64 = 10;
const COMMON_FROM_TEXTS: i64 = 2_000;

/// Counts of terms that are kept, and the count from which on a term's is.
const KEPT_MOST: usize = 16_384;
const KEPT_FROM: i64 = 512;

/// A memory of fewer texts is weighed as one of this many. In a memory of three texts, every word would seem to tell
/// nothing.
const TEXTS_LEAST: i64 = 1_000;

/// A word that stands nowhere may be the beginning of a known word. So many known words are asked for in its place, for
/// so many such words.
const BEGUN_MOST: u32 = 4;
const BEGUN_WORDS_MOST: usize = 4;

/// Characters of such a word, and of the last one, which may still be typed.
const BEGUN_FROM: usize = 5;
const BEGUN_FROM_AT_END: usize = 3;

/// The share of the word's own weight that they have together. The share is enough to be found, and too little to go
/// into a prompt.
const BEGUN: f64 = 0.1;

/// The weight of a word that stands nowhere, as a share of a rare word's weight. A question in words of its own still
/// fits, but one about something else does not (`make bench-memory` shows both).
const MISSING: f64 = 0.25;

/// A query, weighed.
pub(crate) struct WeighedQuery {
    /// The terms that are worth asking for, rarest first.
    pub terms: Vec<String>,
    /// The weight of each term.
    pub weights: Vec<f64>,
    /// The weight of all terms together that stand nowhere in the index.
    pub missing: f64,
    /// Set where even the rarest term is in too many texts. The number in the index from which on the term is looked
    /// for.
    pub newest: Option<i64>,
}

/// How many texts hold a common term, so that they are not counted for every query. Counting costs as much as asking.
#[derive(Default)]
pub(crate) struct Common {
    kept: Mutex<TermCounts>,
}

#[derive(Default)]
struct TermCounts {
    counts: HashMap<String, i64>,
    /// How many texts there were when the counts were taken.
    texts: i64,
}

impl Common {
    /// How many texts hold each of these terms. All unknown terms are asked for at once. A question of its own for each
    /// term would cost more than its answer.
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
        let mut kept = self.kept.lock();
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
        let mut kept = self.kept.lock();
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
pub(crate) fn asked(connection: &Connection, common: &Common, text: &str) -> rusqlite::Result<WeighedQuery> {
    let mut wanted = wanted(text);
    wanted.truncate(WEIGHED_MOST);
    let last = wanted.last().map(|word| word.term.clone());
    if wanted.iter().any(|word| !words::is_stopword(&word.term)) {
        wanted.retain(|word| !words::is_stopword(&word.term));
    }
    let texts: i64 = connection
        .prepare_cached("SELECT segment + memory FROM search_mark")?
        .query_row([], |row| row.get(0))?;
    let counts = common.counts(connection, &with_parts(&wanted), texts)?;
    let known = |term: String| {
        let count = *counts.get(&term)?;
        Some(Counted::of(count, term, texts))
    };
    let mut counted = Vec::with_capacity(wanted.len());
    let (mut missing, mut begun_words) = (0.0, 0);
    for Wanted { term, parts } in wanted {
        if counts.contains_key(&term) {
            counted.extend(known(term));
            continue;
        }
        let before = counted.len();
        counted.extend(parts.into_iter().filter_map(known));
        if counted.len() > before {
            continue;
        }
        missing += MISSING * weight(0, texts);
        let least = if last.as_ref() == Some(&term) {
            BEGUN_FROM_AT_END
        } else {
            BEGUN_FROM
        };
        if term.is_ascii() && term.len() >= least && begun_words < BEGUN_WORDS_MOST {
            begun_words += 1;
            counted.extend(begun(connection, &term, texts)?);
        }
    }
    counted.sort_by_key(|counted| counted.count);
    counted.dedup_by(|left, right| left.term == right.term);
    let most = PLACES_MOST.max(texts / PLACES_SHARE);
    let is_common = |count: i64| texts >= COMMON_FROM_TEXTS && count > texts / COMMON_SHARE;
    let mut places = 0;
    let affordable = counted.iter().take(TERMS_MOST).take_while(|counted| {
        let is_first = places == 0;
        places += counted.count;
        is_first || (places <= most && !is_common(counted.count))
    });
    counted.truncate(affordable.count());
    let newest = match counted.first() {
        Some(Counted { count, .. }) if *count > most => Some(newest_from(connection, most, *count)?),
        _ => None,
    };
    Ok(WeighedQuery {
        weights: counted.iter().map(|counted| counted.weight).collect(),
        missing,
        terms: counted.into_iter().map(|counted| counted.term).collect(),
        newest,
    })
}

/// A term that stands in some texts.
struct Counted {
    count: i64,
    term: String,
    weight: f64,
}

impl Counted {
    fn of(count: i64, term: String, texts: i64) -> Self {
        let weight = weight(count, texts);
        Self { count, term, weight }
    }
}

/// Terms of the index that begin as a word does that stands nowhere.
fn begun(connection: &Connection, word: &str, texts: i64) -> rusqlite::Result<Vec<Counted>> {
    // Terms of the same beginning end before the highest character behind it.
    let end = format!("{word}\u{10FFFF}");
    let mut begun: Vec<Counted> = rows(
        connection,
        "SELECT doc, term FROM search_vocabulary WHERE term > ?1 AND term < ?2 LIMIT ?3",
        params![word, end, BEGUN_MOST],
        |row| Ok(Counted::of(row.get(0)?, row.get(1)?, texts)),
    )?;
    let share = BEGUN / begun.len().max(1) as f64;
    begun.iter_mut().for_each(|one| one.weight *= share);
    Ok(begun)
}

/// All terms whose counts decide what is asked for.
fn with_parts(wanted: &[Wanted]) -> Vec<String> {
    let mut all = Vec::with_capacity(wanted.len());
    for Wanted { term, parts } in wanted {
        all.push(term.clone());
        all.extend(parts.iter().cloned());
    }
    all
}

/// The weight of a term that `count` of `texts` texts hold.
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

/// Whether a text shares more with a question than a single one of its words. With a question of one word, that word is
/// enough.
///
/// Two texts that have one word in common are seldom about the same thing. The word may be rare only because the memory
/// has few texts.
#[must_use]
pub fn holds_more_than_a_word(question: &str, text: &str) -> bool {
    let asked = question_terms(question);
    let held: HashSet<String> = terms(text).into_iter().collect();
    let shared = asked.iter().filter(|term| held.contains(*term)).count();
    shared >= asked.len().min(2)
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

/// A term to ask for, and what its word is put together of.
struct Wanted {
    term: String,
    parts: Vec<String>,
}

/// The different terms to ask for, in order: of a run of several characters its pairs.
pub(crate) fn terms(text: &str) -> Vec<String> {
    wanted(text).into_iter().map(|word| word.term).collect()
}

/// The same with names such as `maxRetries` taken apart.
pub(crate) fn parts(text: &str) -> Vec<String> {
    let mut met = HashSet::new();
    let apart = wanted(text)
        .into_iter()
        .flat_map(|word| match word.parts.is_empty() {
            true => vec![word.term],
            false => word.parts,
        });
    apart.filter(|part| met.insert(part.clone())).collect()
}

fn wanted(text: &str) -> Vec<Wanted> {
    let end = text
        .char_indices()
        .nth(QUERY_MOST)
        .map_or(text.len(), |(end, _)| end);
    let (mut wanted, mut met) = (Vec::<Wanted>::new(), HashSet::new());
    // Whether the word of the parts that follow is a new one.
    let mut is_new = false;
    words::cut(&text[..end], |Term { text, kind, .. }| match kind {
        TermKind::Word | TermKind::Pair | TermKind::Alone => {
            is_new = met.insert(text.clone());
            if is_new {
                let parts = Vec::new();
                wanted.push(Wanted { term: text, parts });
            }
        }
        TermKind::Part => {
            if let Some(word) = wanted.last_mut().filter(|_| is_new) {
                word.parts.push(text);
            }
        }
        TermKind::Character => {}
    });
    wanted
}
