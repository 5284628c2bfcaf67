//! What knowledge bases hold for a question without being asked: one local search by its words, no model call.
//!
//! The mind decides what of it fits well enough (`agent/src/passages.rs`). Bases on servers are left to programs, for a
//! question waits for no network. Trouble is logged and never keeps a question from its answer.

use crate::limits::{PASSAGES_LOOKED_THROUGH, PASSAGES_WAIT};
use crate::query::{permitted, piece, search};
use shidi_agent::passages::FoundPassage;
use shidi_embedding::Embeddings;
use shidi_models::Model;
use shidi_protocol::{Ask, MemoryId};
use shidi_space::Space;
use shidi_space::assistant_bounds::Bounds;
use shidi_space::config::Config;
use shidi_space::storage;
use shidi_store::{StoreError, holds_more_than_a_word, question_terms};
use std::sync::Arc;

/// Words that a question must have: a greeting or a single word is about nothing in particular.
const WORDS_LEAST: usize = 2;

/// What the bases hold that the question's assistant may ask, best first. A replay repeats its earlier run. What
/// sub-agents and workflows do is written down beforehand, and stays the same.
pub async fn for_question(
    embeddings: &Arc<Embeddings>,
    ask: &Ask,
    config: &Config,
    model: &dyn Model,
) -> Vec<FoundPassage> {
    let space = embeddings.space();
    let is_of_use = config.knowledge.recall
        && !model.is_offline()
        && ask.replay.is_none()
        && ask.under.is_none()
        && ask.task.is_none()
        && space.is_equipped();
    if !is_of_use {
        return Vec::new();
    }
    let (question, bounds) = (ask.question().to_owned(), space.bounds(ask.assistant.as_deref()));
    let searched = space.aside(move |space| {
        found(space, &question, &bounds).map_err(|cause| storage::explain(&cause, space.language()))
    });
    match tokio::time::timeout(PASSAGES_WAIT, searched).await {
        Ok(Ok(found)) => found,
        Ok(Err(cause)) => {
            tracing::warn!(%cause, "knowledge bases bring nothing");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!("knowledge bases took too long and bring nothing");
            Vec::new()
        }
    }
}

fn found(space: &Space, question: &str, bounds: &Bounds) -> Result<Vec<FoundPassage>, StoreError> {
    if question_terms(question).len() < WORDS_LEAST {
        return Ok(Vec::new());
    }
    let bases = permitted(space, bounds)?.into_iter();
    let bases: Vec<String> = bases
        .filter(|base| base.at.is_none())
        .map(|base| base.name)
        .collect();
    if bases.is_empty() {
        return Ok(Vec::new());
    }
    let query = search(question, bases, PASSAGES_LOOKED_THROUGH);
    let (store, mut found) = (space.knowledge(), Vec::new());
    for hit in store.recall_near(&query, None)? {
        let Some(record) = store.memory(&MemoryId::from(hit.id.as_str()))? else {
            continue;
        };
        let piece = piece(space, record, hit.score)?;
        if !holds_more_than_a_word(question, &format!("{}\n{}", piece.heading, piece.text)) {
            continue;
        }
        found.push(FoundPassage {
            base: piece.base,
            cited: piece.source,
            heading: piece.heading,
            text: piece.text,
            score: piece.score,
            coverage: hit.coverage,
        });
    }
    Ok(found)
}
