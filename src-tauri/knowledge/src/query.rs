//! Asks a base, or all of them: the pieces that fit best, each with the place that an answer cites.

use crate::backend::{Trouble, cited};
use crate::{existing, place};
use serde_json::{Map, Value, json};
use shidi_embedding::Embeddings;
use shidi_protocol::{
    Call, CallOutcome, DocumentId, ErrorCode, KnowledgeBase, KnowledgePiece, MemoryData, MemoryId,
    MemoryKind, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, UserError, reply,
};
use shidi_space::Space;
use shidi_space::assistant_bounds::Bounds;
use shidi_space::clock;
use shidi_space::errors::error;
use shidi_store::{QueryVector, RECALL_MOST, StoreError, asked_terms, terms};
use shidi_toolkits::limits::{KNOWLEDGE_PIECES_DEFAULT, KNOWLEDGE_PIECES_MAX};
use std::collections::HashSet;
use std::sync::Arc;

/// What is asked of which base.
#[derive(Debug, Clone, Default)]
pub struct Question {
    pub text: String,
    /// All bases when absent.
    pub base: Option<String>,
    /// Only pieces that have a value of that name.
    pub field: Option<String>,
    pub limit: u64,
    /// What the assistant's file leaves, whose program asks.
    pub bounds: Arc<Bounds>,
}

/// What was found, and which bases could not be asked.
#[derive(Default)]
struct QueryResult {
    pieces: Vec<KnowledgePiece>,
    troubles: Vec<String>,
}

/// Answers a request.
///
/// # Errors
/// No such base, or storage trouble.
pub async fn query(embeddings: &Arc<Embeddings>, question: Question) -> Result<reply::Pieces, UserError> {
    let space = embeddings.space();
    if let Some(base) = &question.base {
        existing(space, base)?;
    }
    if question.text.trim().is_empty() {
        let language = space.language();
        return Err(error(
            ErrorCode::Input,
            language.knowledge().nothing_to_look_for(),
            language.knowledge().query_example(),
        ));
    }
    let near = embeddings.near(&question.text).await;
    space
        .aside(move |space| {
            let answer = answered(space, &question, near.as_ref()).map_err(|cause| cause.explain(space))?;
            Ok(reply::Pieces {
                pieces: answer.pieces,
                troubles: answer.troubles,
            })
        })
        .await
}

/// Performs a call of the toolkit `knowledge`; `None` for any other.
pub fn called(embeddings: &Arc<Embeddings>, call: &Call, assistant: Option<&str>) -> Option<CallOutcome> {
    if call.toolkit != "knowledge" {
        return None;
    }
    let space = embeddings.space();
    let bounds = space.bounds(assistant);
    let performed = match call.method.as_str() {
        "query" => queried(embeddings, call, bounds),
        "bases" => bases(space, &bounds),
        _ => return None,
    };
    Some(performed.unwrap_or_else(|cause| CallOutcome::failure("OSError", cause.explain(space).message)))
}

fn queried(embeddings: &Arc<Embeddings>, call: &Call, bounds: Arc<Bounds>) -> Result<CallOutcome, Trouble> {
    let space = embeddings.space();
    let text = |name: &str| {
        call.args
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let limit = call
        .args
        .get("limit")
        .and_then(Value::as_u64)
        .unwrap_or(KNOWLEDGE_PIECES_DEFAULT);
    let question = Question {
        text: text("query").unwrap_or_default(),
        base: text("base"),
        field: text("field"),
        limit,
        bounds,
    };
    let known = permitted(space, &question.bounds)?;
    if let Some(base) = &question.base
        && known.iter().all(|known| known.name != *base)
    {
        let names: Vec<String> = known.iter().map(|base| format!("{:?}", base.name)).collect();
        let message = format!(
            "There is no knowledge base {base:?}; there are: {}",
            names.join(", ")
        );
        return Ok(CallOutcome::failure("KeyError", message));
    }
    let near = embeddings.near_now(&question.text);
    let QueryResult { pieces, troubles } = answered(space, &question, near.as_ref())?;
    let mut preview = format!("{} pieces", pieces.len());
    for trouble in troubles {
        preview.push_str("; ");
        preview.push_str(&trouble);
    }
    let shown = |piece: KnowledgePiece| match &question.field {
        Some(field) => json!({"value": piece.fields.get(field), "source": piece.source, "base": piece.base}),
        None => json!({
            "text": piece.text,
            "heading": piece.heading,
            "source": piece.source,
            "base": piece.base,
            "fields": piece.fields,
        }),
    };
    let pieces: Vec<Value> = pieces.into_iter().map(shown).collect();
    Ok(CallOutcome::success(Value::Array(pieces), preview))
}

fn bases(space: &Space, bounds: &Bounds) -> Result<CallOutcome, Trouble> {
    let bases = permitted(space, bounds)?;
    let preview = format!("{} knowledge bases", bases.len());
    let shown = |base: &shidi_protocol::KnowledgeBase| json!({"name": base.name, "about": base.about, "documents": base.documents, "pieces": base.pieces});
    Ok(CallOutcome::success(bases.iter().map(shown).collect(), preview))
}

/// The bases that may be asked.
///
/// # Errors
/// The bases can't be read.
pub fn permitted(space: &Space, bounds: &Bounds) -> Result<Vec<KnowledgeBase>, StoreError> {
    let mut bases = space.knowledge().bases()?;
    bases.retain(|base| bounds.permits_base(&base.name));
    Ok(bases)
}

/// Asks every base where it is kept. A server that is away fails a question to its base. A question to all bases says
/// so beside the answers of the others.
fn answered(space: &Space, question: &Question, near: Option<&QueryVector>) -> Result<QueryResult, Trouble> {
    let mut asked = permitted(space, &question.bounds)?;
    asked.retain(|base| question.base.as_ref().is_none_or(|name| base.name == *name));
    let (there, here): (Vec<KnowledgeBase>, Vec<KnowledgeBase>) =
        asked.into_iter().partition(|base| base.at.is_some());
    let mut answer = QueryResult::default();
    let names: Vec<String> = here.into_iter().map(|base| base.name).collect();
    let mut lists = vec![kept_here(space, question, names, near)?];
    for base in there {
        let found = place::there_now(space, &base).and_then(|there| there.query(&question.text));
        match found {
            Ok(pieces) => lists.push(pieces),
            Err(cause) if question.base.is_some() => return Err(cause),
            Err(cause) => answer
                .troubles
                .push(format!("{}: {}", base.name, cause.explain(space).message)),
        }
    }
    for list in &mut lists {
        list.retain(|piece| {
            question
                .field
                .as_ref()
                .is_none_or(|field| piece.fields.contains_key(field))
        });
    }
    let most = question.limit.clamp(1, KNOWLEDGE_PIECES_MAX);
    answer.pieces = merged(lists, &question.text, usize::try_from(most).unwrap_or(usize::MAX));
    Ok(answer)
}

/// Lists in one, each in its own order. Scores of different places can't be compared. Of their next pieces, the one
/// that holds more of the question goes first.
fn merged(lists: Vec<Vec<KnowledgePiece>>, question: &str, most: usize) -> Vec<KnowledgePiece> {
    let asked = asked_terms(question);
    let share = |piece: &KnowledgePiece| {
        let held: HashSet<String> = terms(&format!("{}\n{}", piece.heading, piece.text))
            .into_iter()
            .collect();
        asked.iter().filter(|term| held.contains(*term)).count()
    };
    let mut lists: Vec<_> = lists
        .into_iter()
        .map(|list| {
            list.into_iter()
                .take(most)
                .map(|piece| (share(&piece), piece))
                .peekable()
        })
        .collect();
    let mut merged = Vec::new();
    while merged.len() < most {
        let heads = lists.iter_mut().enumerate();
        // Of equal ones the first list's.
        let next = heads
            .filter_map(|(at, list)| list.peek().map(|(share, _)| (*share, std::cmp::Reverse(at))))
            .max();
        let Some((_, std::cmp::Reverse(at))) = next else {
            break;
        };
        merged.extend(lists[at].next().map(|(_, piece)| piece));
    }
    merged
}

/// Pieces of the bases that the store keeps, best first.
fn kept_here(
    space: &Space,
    question: &Question,
    bases: Vec<String>,
    near: Option<&QueryVector>,
) -> Result<Vec<KnowledgePiece>, StoreError> {
    found(space, question, bases, near)?
        .into_iter()
        .map(|(record, score)| piece(space, record, score))
        .collect()
}

/// A record as a piece that can be cited.
///
/// # Errors
/// Its document can't be read.
pub fn piece(space: &Space, record: MemoryRecord, score: f64) -> Result<KnowledgePiece, StoreError> {
    let document = match &record.source.document {
        Some(id) => space
            .knowledge()
            .document(&DocumentId::from(id.as_str()))?
            .map(|document| document.place),
        None => None,
    };
    let document = document.unwrap_or_default();
    let (place, fields) = match record.data {
        Some(MemoryData::Chunk { place, fields }) => (place, fields),
        _ => (String::new(), Map::new()),
    };
    let base = match record.scope {
        MemoryScope::Base(base) => base,
        _ => String::new(),
    };
    Ok(KnowledgePiece {
        id: record.id,
        base,
        source: cited(&document, &place),
        document,
        heading: record.title,
        text: record.text,
        fields,
        score,
    })
}

/// The search for pieces of the bases that are kept here.
pub fn search(text: &str, bases: Vec<String>, limit: u32) -> MemoryQuery {
    MemoryQuery {
        text: text.to_owned(),
        kinds: vec![MemoryKind::Chunk],
        scopes: MemoryScopes::These(bases.into_iter().map(MemoryScope::Base).collect()),
        page: None,
        except: None,
        now: clock::now(),
        limit,
    }
}

/// Records of the asked bases that fit, best first, with their scores.
fn found(
    space: &Space,
    question: &Question,
    bases: Vec<String>,
    near: Option<&QueryVector>,
) -> Result<Vec<(MemoryRecord, f64)>, StoreError> {
    if bases.is_empty() {
        return Ok(Vec::new());
    }
    // Records without the asked column are left out afterwards.
    let query = search(&question.text, bases, RECALL_MOST);
    let (store, mut found) = (space.knowledge(), Vec::new());
    for hit in store.recall_near(&query, near)? {
        if let Some(record) = store.memory(&MemoryId::from(hit.id.as_str()))? {
            found.push((record, hit.score));
        }
    }
    Ok(found)
}
