//! One search for everything remembered and everything said (F6.4).
//!
//! FTS5 finds candidates within the scope of the query (`candidates.rs`). Their normalised scores get additions for
//! their neighbours (`score.rs`), and corrections are settled (`correction.rs`). A statement that ended lends its fit
//! to its successor. Nothing decays with age; what is new comes first only where the question asks for it, or between
//! equals. Every hit says what its score is made of.

mod candidates;
mod correction;
mod cosine;
mod score;
mod tense;

use crate::search::excerpt;
use crate::search::query::{self, Common};
use crate::table::memory::contradiction;
pub use cosine::QueryVector;
use rusqlite::Connection;
use shidi_protocol::{Contrary, MemoryHit, MemoryQuery, MemoryRecord, ScoreParts};
use tense::Tense;

/// Hits of one search at most.
pub const RECALL_MOST: u32 = 100;

/// Something that may be what was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// Its number in the index: even for a segment.
    pub document: i64,
    /// A segment stands in the form of a record.
    pub record: MemoryRecord,
    pub parts: ScoreParts,
    pub coverage: f64,
    /// Whether it was said about the page at hand.
    pub on_page: bool,
}

impl Candidate {
    pub fn new(document: i64, record: MemoryRecord) -> Self {
        Self {
            document,
            record,
            parts: ScoreParts::default(),
            coverage: 0.0,
            on_page: false,
        }
    }

    pub fn is_segment(&self) -> bool {
        self.document % 2 == 0
    }

    pub fn score(&self) -> f64 {
        self.parts.sum()
    }

    /// Whether it is a sentence that `other`, a record, was taken from.
    pub fn said(&self, other: &Candidate) -> bool {
        let (own, theirs) = (&self.record.source, &other.record.source);
        self.is_segment()
            && !other.is_segment()
            && own.session == theirs.session
            && own
                .segments
                .iter()
                .any(|segment| theirs.segments.contains(segment))
    }
}

/// The hits for a query, best first.
pub(crate) fn recall(
    connection: &Connection,
    common: &Common,
    query: &MemoryQuery,
    near: Option<&QueryVector>,
) -> rusqlite::Result<Vec<MemoryHit>> {
    let asked = query::asked(connection, common, &query.text)?;
    let found = match asked.terms.is_empty() || query.scopes.is_empty() {
        true => Vec::new(),
        false => candidates::fitting(connection, &asked, query)?,
    };
    let mut pool = score::normalised(found, &asked);
    if let Some(near) = near.filter(|_| !query.scopes.is_empty()) {
        let nearby = candidates::nearby(connection, near, query)?;
        score::near(&mut pool, nearby);
    }
    for mut candidate in candidates::of_page(connection, query)? {
        match pool.iter_mut().find(|known| known.document == candidate.document) {
            Some(known) => known.on_page = candidate.is_segment(),
            None => {
                candidate.on_page = candidate.is_segment();
                pool.push(candidate);
            }
        }
    }
    score::beside(connection, &mut pool)?;
    score::of_page(&mut pool, query);
    score::named(&mut pool, &query.text);
    score::weight(&mut pool);
    let tense = tense::of(&query.text);
    if tense == Tense::Latest {
        score::recency(&mut pool, query.now);
    }
    if tense != Tense::Past {
        correction::settle(connection, &mut pool, query)?;
    }
    score::repeated(&mut pool);
    pool.retain(|candidate| candidate.score() > 0.0);
    pool.sort_by(|left, right| {
        right
            .score()
            .total_cmp(&left.score())
            .then(right.record.time.cmp(&left.record.time))
            .then(left.document.cmp(&right.document))
    });
    pool.truncate(query.limit.min(RECALL_MOST) as usize);
    let are_contradictions = contradiction::exist(connection)?;
    let mut hits = Vec::with_capacity(pool.len());
    for candidate in pool {
        let id = (are_contradictions && !candidate.is_segment()).then(|| candidate.record.id.clone());
        let mut hit = hit(candidate, &asked.terms);
        if let Some(id) = id {
            let against = contradiction::of(connection, &id)?;
            hit.contradicted = against
                .into_iter()
                .filter(|other| query.scopes.show(&other.scope))
                .map(contrary)
                .collect();
        }
        hits.push(hit);
    }
    Ok(hits)
}

/// A record as a hit of no search.
#[must_use]
pub fn listed(record: MemoryRecord) -> MemoryHit {
    hit(Candidate::new(1, record), &[])
}

fn contrary(record: MemoryRecord) -> Contrary {
    Contrary {
        text: excerpt::around(&record.text, &[]),
        time: record.time,
        untrusted: record.tainted,
        id: record.id,
    }
}

fn hit(candidate: Candidate, terms: &[String]) -> MemoryHit {
    let record = candidate.record;
    MemoryHit {
        id: record.id.as_str().to_owned(),
        kind: record.kind,
        scope: record.scope,
        text: excerpt::around(&record.text, terms),
        title: record.title,
        time: record.time,
        session: record.source.session.clone(),
        source: record.source,
        ended: record.valid_to,
        pinned: record.pinned,
        untrusted: record.tainted,
        score: candidate.parts.sum(),
        parts: candidate.parts,
        coverage: candidate.coverage,
        contradicted: Vec::new(),
    }
}
