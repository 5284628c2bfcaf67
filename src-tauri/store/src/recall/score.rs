//! The parts of a candidate's score. The weights were chosen on `tests/memory/corpus/dev`.

use super::{Candidate, tense};
use crate::address;
use crate::search::query::{self, WeighedQuery};
use crate::search::words::{self, TermKind};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{IMPORTANCE_DEFAULT, MemoryKind, MemoryQuery, Moment};
use std::collections::{HashMap, HashSet};

/// The advantage of a record over a sentence that fits as well: somebody found it worth keeping.
const KEPT: f64 = 0.1;

/// The share of the best sentence's score that its record gets.
const EVIDENCE: f64 = 0.5;

/// What nearness in meaning counts, and takes from what words count. Measured with a small English model
/// (`make bench-memory -- --embedding`). R@5 of the English half rose from .790 to .824 at 0.2 as at 0.3. The model
/// does not know Chinese, which lost .012 at 0.2, .024 at 0.3, and .168 at 0.6.
const NEAR: f64 = 0.2;

/// The share of the better neighbour's score that a sentence or a piece of a document gets.
const NEIGHBOUR: f64 = 0.1;

/// The bonus of a record whose subject the question names, as a share of its words' score.
const ENTITY: f64 = 0.3;

/// The gain from the page at hand. The most goes to sentences that were asked on the page when the question points at
/// the page. The next gains are for the page otherwise, and for the same site.
const PAGE_POINTED: f64 = 1.5;
const PAGE: f64 = 0.4;
const SITE: f64 = 0.2;

/// The share of its score that a sentence keeps when its own record comes before it.
const REPEATED: f64 = 0.6;

/// The bonus of newness where the question asks for it, and the age at which half of it is left.
const RECENCY: f64 = 0.15;
const RECENCY_HALF_DAYS: f64 = 30.0;

/// The largest bonus of importance and use: they decide between equals.
const IMPORTANCE: f64 = 0.04;
const USE: f64 = 0.04;

/// Uses that count in full.
const USES_FULL: f64 = 50.0;

const DAY_MS: f64 = 86_400_000.0;

/// Scores of the words, 1 for the best, parted into the text itself and what stands around it.
pub(crate) fn normalised(found: Vec<(f64, Candidate)>, asked: &WeighedQuery) -> Vec<Candidate> {
    let best = found
        .iter()
        .map(|(score, _)| *score)
        .fold(f64::MIN_POSITIVE, f64::max);
    let all: f64 = asked.weights.iter().sum();
    let parted = |(score, mut candidate): (f64, Candidate)| {
        // A piece of a document is understood with its headings.
        let titled = match candidate.record.kind == MemoryKind::Chunk {
            true => held(&candidate.record.title),
            false => HashSet::new(),
        };
        let held = held(&candidate.record.text);
        let own: f64 = weight_of(asked, |term| held.contains(term));
        let covered = weight_of(asked, |term| held.contains(term) || titled.contains(term));
        candidate.coverage = if all > 0.0 {
            covered / (all + asked.missing)
        } else {
            0.0
        };
        let score = (score / best).max(0.0);
        // Terms that the text lacks were found around it, at the weight of the context column.
        let around = super::candidates::CONTEXT_WEIGHT * (all - own);
        let share = if own > 0.0 { own / (own + around) } else { 0.0 };
        candidate.parts.lexical = score * share;
        candidate.parts.context = score - candidate.parts.lexical;
        if !candidate.is_segment() {
            candidate.parts.weight += KEPT * score;
        }
        candidate
    };
    found.into_iter().map(parted).collect()
}

/// Nearness in meaning: what words found is taken at less, what only meaning found is added. Cosines of one model lie
/// close together. So the nearest counts as 1, and the farthest of the compared texts as nothing.
pub(crate) fn near(pool: &mut Vec<Candidate>, nearby: Vec<(f64, Candidate)>) {
    let (Some(most), Some(least)) = (
        nearby.first().map(|(cosine, _)| *cosine),
        nearby.last().map(|(cosine, _)| *cosine),
    ) else {
        return;
    };
    for candidate in pool.iter_mut() {
        candidate.parts.lexical *= 1.0 - NEAR;
        candidate.parts.context *= 1.0 - NEAR;
        candidate.parts.weight *= 1.0 - NEAR;
    }
    for (cosine, mut candidate) in nearby {
        let share = if most > least {
            (cosine - least) / (most - least)
        } else {
            1.0
        };
        let part = NEAR * share;
        match pool.iter_mut().find(|known| known.document == candidate.document) {
            Some(known) => known.parts.vector = Some(part),
            None => {
                candidate.parts.vector = Some(part);
                pool.push(candidate);
            }
        }
    }
}

/// The gain from neighbours. A sentence or piece gains from the better of its two neighbours, a record from its source.
pub(crate) fn beside(connection: &Connection, pool: &mut [Candidate]) -> rusqlite::Result<()> {
    let words = |candidate: &Candidate| candidate.parts.lexical + candidate.parts.context;
    let mut gains = vec![0.0; pool.len()];
    let places: HashMap<i64, usize> = pool
        .iter()
        .enumerate()
        .map(|(at, known)| (known.document, at))
        .collect();
    for (at, candidate) in pool.iter().enumerate() {
        gains[at] = if candidate.is_segment() || is_piece(candidate) {
            let near = neighbours(connection, candidate)?;
            let near = near.iter().filter_map(|document| places.get(document));
            NEIGHBOUR * near.map(|at| words(&pool[*at])).fold(0.0, f64::max)
        } else {
            let said = pool.iter().filter(|other| other.said(candidate));
            EVIDENCE * said.map(words).fold(0.0, f64::max)
        };
    }
    for (candidate, gain) in pool.iter_mut().zip(gains) {
        candidate.parts.neighbour = gain;
    }
    Ok(())
}

/// Raises candidates of the page at hand.
pub(crate) fn of_page(pool: &mut [Candidate], query: &MemoryQuery) {
    let Some(page) = &query.page else { return };
    let page = address::canonical(page);
    let exact = if tense::points_here(&query.text) {
        PAGE_POINTED
    } else {
        PAGE
    };
    for candidate in pool {
        let record = &candidate.record;
        let site = record.source.site.as_deref();
        let (scope_level, owner) = (record.scope.level(), record.scope.owner());
        candidate.parts.page =
            if candidate.on_page || site == Some(&page) || (scope_level == "site" && owner == page) {
                exact
            } else if (scope_level == "site" && address::host(owner) == address::host(&page))
                || site.is_some_and(|site| address::host(site) == address::host(&page))
            {
                SITE
            } else {
                0.0
            };
    }
}

/// Names of the question that a candidate is about.
pub(crate) fn named(pool: &mut [Candidate], question: &str) {
    let asked: HashSet<String> = query::terms(question).into_iter().collect();
    for candidate in pool {
        let record = &candidate.record;
        let names = record.entities.iter().chain(&record.speaker);
        let is_named = names.into_iter().any(|name| {
            let terms = query::terms(name);
            !terms.is_empty() && terms.iter().all(|term| asked.contains(term))
        });
        if is_named {
            candidate.parts.entity = ENTITY * (candidate.parts.lexical + candidate.parts.context);
        }
    }
}

/// Importance and use; a record of which nothing is known gets nothing.
pub(crate) fn weight(pool: &mut [Candidate]) {
    for candidate in pool {
        let record = &candidate.record;
        let uses = (f64::from(record.uses).ln_1p() / USES_FULL.ln_1p()).min(1.0);
        let importance = (record.importance.clamp(0.0, 1.0) - IMPORTANCE_DEFAULT) * 2.0;
        candidate.parts.weight += USE * uses + IMPORTANCE * importance;
    }
}

/// Newness, for a question that asks for it.
pub(crate) fn recency(pool: &mut [Candidate], now: Moment) {
    for candidate in pool {
        let age_days = now.since(candidate.record.time) as f64 / DAY_MS;
        let words = candidate.parts.lexical + candidate.parts.context;
        candidate.parts.recency = RECENCY * words * 0.5_f64.powf(age_days / RECENCY_HALF_DAYS);
    }
}

/// Sentences step back behind the records that were taken from them.
pub(crate) fn repeated(pool: &mut [Candidate]) {
    let scores: Vec<f64> = pool.iter().map(Candidate::score).collect();
    for at in 0..pool.len() {
        let is_repeated =
            (0..pool.len()).any(|other| scores[other] > scores[at] && pool[at].said(&pool[other]));
        if is_repeated {
            pool[at].parts.repeated = -scores[at] * (1.0 - REPEATED);
        }
    }
}

fn weight_of(asked: &WeighedQuery, holds: impl Fn(&str) -> bool) -> f64 {
    let terms = asked.terms.iter().zip(&asked.weights);
    terms
        .filter(|(term, _)| holds(term))
        .map(|(_, weight)| weight)
        .sum()
}

fn held(text: &str) -> HashSet<String> {
    let mut held = HashSet::new();
    words::cut(text, |term| {
        if term.kind != TermKind::Character || text.chars().count() <= 2 {
            held.insert(term.text);
        }
    });
    held
}

fn is_piece(candidate: &Candidate) -> bool {
    matches!(
        candidate.record.kind,
        MemoryKind::Conversation | MemoryKind::Chunk
    )
}

/// Numbers in the index of what stands just before and after.
fn neighbours(connection: &Connection, candidate: &Candidate) -> rusqlite::Result<Vec<i64>> {
    let source = &candidate.record.source;
    let (table, column, whole, order, searched) =
        match (candidate.is_segment(), &source.session, &source.document) {
            (true, Some(session), _) => (
                "segment",
                "session",
                session.as_str(),
                "id",
                "kind IN ('User', 'Express', 'Output')",
            ),
            (false, Some(session), _) => (
                "memory",
                "session",
                session.as_str(),
                "sort_value",
                "kind = 'conversation'",
            ),
            (false, None, Some(document)) => ("memory", "document", document.as_str(), "sort_value", "TRUE"),
            (_, None, _) => return Ok(Vec::new()),
        };
    let mut found = Vec::new();
    for (side, direction) in [("<", "DESC"), (">", "ASC")] {
        let sql = format!(
            "SELECT row FROM {table} WHERE {column} = ?1 AND {order} {side} ?2 AND {searched}
             ORDER BY {order} {direction} LIMIT 1"
        );
        let row: Option<i64> = connection
            .prepare_cached(&sql)?
            .query_row(params![whole, candidate.record.sort_value], |row| row.get(0))
            .optional()?;
        found.extend(row.map(|row| {
            if candidate.is_segment() {
                row * 2
            } else {
                row * 2 + 1
            }
        }));
    }
    Ok(found)
}
