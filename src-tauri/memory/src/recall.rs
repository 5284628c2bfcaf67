//! The memories that come into a run without being asked for: one local search, no model call (F6.4, F2.4).
//!
//! The mind decides which hits are good enough (`agent/src/memory_injection.rs`). This file finds the hits, and writes
//! down which page a session is about. Trouble with either is logged and never keeps a question from its answer.

use shidi_agent::memory_injection;
use shidi_embedding::Embeddings;
use shidi_models::Model;
use shidi_protocol::{
    Ask, Body, ContextPiece, MemoryHit, MemoryId, MemoryKind, MemoryQuery, MemoryScope, MemoryScopes,
    MemorySource, PageVisit, RunId, ScoreParts, Segment, SessionId,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::config::Config;
use shidi_store::{
    MemoryWrite, QueryVector, StoreError, Visit, Write, canonical, holds_more_than_a_word, listed,
};
use std::sync::Arc;

/// Hits that are looked through for some that are good enough.
const LOOKED_THROUGH: u32 = 20;

/// Earlier sessions about a page that are looked through for those of others.
const VISITS_LOOKED_THROUGH: u32 = 8;

/// What is worth having at hand, told or learned. Sentences of conversations are left to programs that search for
/// them. Pieces of documents come by their own way (`knowledge/src/recall.rs`).
const RECALLED_KINDS: [MemoryKind; 5] = [
    MemoryKind::Knowledge,
    MemoryKind::Profile,
    MemoryKind::Preference,
    MemoryKind::Entity,
    MemoryKind::Summary,
];

/// What memory is asked for.
pub enum Recall {
    /// What fits the question, on the page at hand if there is one.
    Search {
        page: Option<String>,
        /// The question as an embedding model sees it.
        near: Option<QueryVector>,
    },
    /// What the run had before it was interrupted.
    Recorded,
    Nothing,
}

impl Recall {
    /// The offline planner searches by itself, and a replay repeats its earlier run. Where nothing is left, nothing is
    /// read.
    pub async fn for_question(
        embeddings: &Arc<Embeddings>,
        ask: &Ask,
        config: &Config,
        model: &dyn Model,
        page: Option<String>,
    ) -> Self {
        let is_of_use = !model.is_offline()
            && ask.replay.is_none()
            && ask.under.is_none()
            && embeddings.space().remembers(ask.assistant.as_deref())
            && !embeddings.space().is_incognito();
        if !is_of_use || !config.memory.recall {
            return Self::Nothing;
        }
        let near = embeddings.near(ask.question()).await;
        Self::Search { page, near }
    }

    /// What memory brings, best first.
    pub fn perform(&self, space: &Space, about: &About<'_>, segments: &[Segment]) -> Vec<MemoryHit> {
        match self {
            Self::Search { page, near } => recalled(space, about, page.as_deref(), near.as_ref()),
            Self::Recorded => recorded(space, about.run, segments),
            Self::Nothing => Vec::new(),
        }
    }
}

/// Whose question it is.
pub struct About<'a> {
    question: &'a str,
    assistant: Option<&'a str>,
    session: &'a SessionId,
    run: &'a RunId,
}

impl<'a> About<'a> {
    pub fn of(ask: &'a Ask, session: &'a SessionId, run: &'a RunId) -> Self {
        Self {
            question: ask.question(),
            assistant: ask.assistant.as_deref(),
            session,
            run,
        }
    }
}

/// What memory brings to a question, best first; the records of it are counted as used.
fn recalled(
    space: &Space,
    about: &About<'_>,
    page: Option<&str>,
    near: Option<&QueryVector>,
) -> Vec<MemoryHit> {
    let found = search(space, about, page, near).and_then(|hits| Ok((hits, earlier(space, about, page)?)));
    let (hits, earlier) = match found {
        Ok(found) => found,
        Err(cause) => {
            tracing::warn!(%cause, "nothing is recalled");
            return Vec::new();
        }
    };
    let recalled = memory_injection::chosen(about.session, hits, earlier);
    let records = recalled.iter().filter(|hit| hit.kind != MemoryKind::Conversation);
    let memories: Vec<MemoryId> = records.map(|hit| MemoryId::from(hit.id.as_str())).collect();
    if !memories.is_empty() {
        let at = clock::now();
        if let Err(cause) = space
            .store
            .buffer(Write::Memory(MemoryWrite::Use { memories, at }))
        {
            tracing::warn!(%cause, "a use of memory was not counted");
        }
    }
    recalled
}

/// The records that a run had recalled when it was interrupted, by its own record. Records that were erased or
/// replaced since then are gone.
pub(crate) fn recorded(space: &Space, run: &RunId, segments: &[Segment]) -> Vec<MemoryHit> {
    let own = segments.iter().filter(|segment| segment.run == *run);
    let marks = own.flat_map(|segment| match &segment.body {
        Body::Recalled { marks } => marks.as_slice(),
        _ => &[],
    });
    let found = marks.filter_map(|mark| {
        let record = space.store.memory(&MemoryId::from(mark.id.as_str())).ok()??;
        let hit = MemoryHit {
            score: mark.score,
            coverage: mark.coverage,
            parts: mark.parts,
            ..listed(record)
        };
        hit.ended.is_none().then_some(hit)
    });
    found.collect()
}

fn search(
    space: &Space,
    about: &About<'_>,
    page: Option<&str>,
    near: Option<&QueryVector>,
) -> Result<Vec<MemoryHit>, StoreError> {
    if !memory_injection::is_worth_searching(about.question) {
        return Ok(Vec::new());
    }
    let query = MemoryQuery {
        text: about.question.to_owned(),
        kinds: RECALLED_KINDS.to_vec(),
        scopes: MemoryScopes::These(space.scopes_of(about.assistant, Some(about.session))),
        page: page.map(str::to_owned),
        except: Some(about.session.clone()),
        now: clock::now(),
        limit: LOOKED_THROUGH,
    };
    let mut hits = space.store.recall_near(&query, near)?;
    hits.retain(|hit| hit.parts.page > 0.0 || holds_more_than_a_word(about.question, &hit.text));
    Ok(hits)
}

/// What was asked on the page in other sessions, newest first. The user's own words: they taint nothing.
fn earlier(space: &Space, about: &About<'_>, page: Option<&str>) -> Result<Vec<MemoryHit>, StoreError> {
    let sees_user = space
        .scopes_of(about.assistant, None)
        .contains(&MemoryScope::User);
    let Some(page) = page.filter(|_| sees_user) else {
        return Ok(Vec::new());
    };
    let visits = space.store.page_visits(page, VISITS_LOOKED_THROUGH)?;
    let others = visits.into_iter().filter(|visit| visit.session != *about.session);
    Ok(others.map(asked_there).collect())
}

fn asked_there(visit: PageVisit) -> MemoryHit {
    MemoryHit {
        id: format!("{}/{}", visit.session, visit.segment),
        kind: MemoryKind::Conversation,
        scope: MemoryScope::User,
        text: visit.question,
        title: visit.title,
        time: visit.time,
        session: Some(visit.session.clone()),
        source: MemorySource {
            session: Some(visit.session),
            segments: vec![visit.segment],
            site: Some(visit.url),
            ..MemorySource::default()
        },
        ended: None,
        pinned: false,
        untrusted: false,
        score: 0.0,
        parts: ScoreParts::default(),
        coverage: 0.0,
        contradicted: Vec::new(),
    }
}

/// Canonical address of the page that a question is about. The page is the page in front, or the first address that is
/// attached.
pub fn page(surroundings: &[ContextPiece]) -> Option<String> {
    pages(surroundings)
        .next()
        .map(|piece| canonical(piece.url.as_deref().unwrap_or_default()))
}

/// Notes which pages a session is about, so that it is found again from there. Durable with the question itself.
pub fn visited(space: &Space, session: &SessionId, surroundings: &[ContextPiece]) {
    for piece in pages(surroundings) {
        let visit = Visit {
            session: session.clone(),
            site: canonical(piece.url.as_deref().unwrap_or_default()),
            title: piece.title.clone(),
            time: clock::now(),
        };
        if let Err(cause) = space.store.buffer(Write::PutVisit(visit)) {
            tracing::warn!(%cause, "the page of a session was not noted");
        }
    }
}

fn pages(surroundings: &[ContextPiece]) -> impl Iterator<Item = &ContextPiece> {
    let is_web = |address: &str| address.starts_with("https://") || address.starts_with("http://");
    surroundings
        .iter()
        .filter(move |piece| piece.url.as_deref().is_some_and(is_web))
}
