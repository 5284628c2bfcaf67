//! Asks a base, or all of them: the pieces that fit best, each with the place that an answer cites.

use super::{existing, explain};
use crate::clock;
use crate::engine::Engine;
use crate::memory::meaning;
use crate::storage;
use crate::words::error;
use serde_json::{Map, Value, json};
use shidi_protocol::{
    Call, CallOutcome, DocumentId, ErrorCode, KnowledgePiece, MemoryData, MemoryId, MemoryKind, MemoryQuery,
    MemoryRecord, MemoryScope, MemoryScopes, Reply, UserError,
};
use shidi_store::{Near, RECALL_MOST, StoreError};
use shidi_toolkits::limits::{KNOWLEDGE_PIECES_DEFAULT, KNOWLEDGE_PIECES_MAX};
use std::path::Path;

/// What is asked of which base.
#[derive(Debug, Clone, Default)]
pub struct Question<'a> {
    pub text: &'a str,
    /// All bases when absent.
    pub base: Option<&'a str>,
    /// Only pieces that have a value of that name.
    pub field: Option<&'a str>,
    pub limit: u64,
}

/// Answers a request.
///
/// # Errors
/// No such base, or storage trouble.
pub async fn query(engine: &Engine, question: &Question<'_>) -> Result<Reply, UserError> {
    if let Some(base) = question.base {
        existing(engine, base)?;
    }
    if question.text.trim().is_empty() {
        let words = engine.words();
        return Err(error(
            ErrorCode::Input,
            words.pick("没有说要找什么", "It does not say what to look for"),
            words.pick(
                "例如 shidi knowledge query 手册 \"怎么退货\"",
                "For example shidi knowledge query handbook \"how to return goods\"",
            ),
        ));
    }
    let near = meaning::near(engine, question.text).await;
    let pieces = fitting(engine, question, near.as_ref()).map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Pieces { pieces })
}

/// Performs a call of the toolkit `knowledge`; `None` for any other.
pub fn called(engine: &Engine, call: &Call) -> Option<CallOutcome> {
    if call.toolkit != "knowledge" {
        return None;
    }
    let performed = match call.method.as_str() {
        "query" => queried(engine, call),
        "bases" => bases(engine),
        _ => return None,
    };
    Some(performed.unwrap_or_else(|cause| {
        CallOutcome::failure("OSError", storage::explain(&cause, engine.words()).message)
    }))
}

fn queried(engine: &Engine, call: &Call) -> Result<CallOutcome, StoreError> {
    let text = |name: &str| {
        call.args
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
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
    };
    let known = engine.store.bases()?;
    if let Some(base) = question.base
        && known.iter().all(|known| known.name != base)
    {
        let names: Vec<String> = known.iter().map(|base| format!("{:?}", base.name)).collect();
        let message = format!(
            "There is no knowledge base {base:?}; there are: {}",
            names.join(", ")
        );
        return Ok(CallOutcome::failure("KeyError", message));
    }
    let near = meaning::near_now(engine, question.text);
    let pieces = fitting(engine, &question, near.as_ref())?;
    let preview = format!("{} pieces", pieces.len());
    let shown = |piece: KnowledgePiece| match question.field {
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

fn bases(engine: &Engine) -> Result<CallOutcome, StoreError> {
    let bases = engine.store.bases()?;
    let preview = format!("{} knowledge bases", bases.len());
    let shown = |base: &shidi_protocol::KnowledgeBase| json!({"name": base.name, "about": base.about, "documents": base.documents, "pieces": base.pieces});
    Ok(CallOutcome::success(bases.iter().map(shown).collect(), preview))
}

fn fitting(
    engine: &Engine,
    question: &Question<'_>,
    near: Option<&Near>,
) -> Result<Vec<KnowledgePiece>, StoreError> {
    let limit = question.limit.clamp(1, KNOWLEDGE_PIECES_MAX);
    let mut pieces = Vec::new();
    for (record, score) in found(engine, question, near)? {
        let piece = piece(engine, record, score)?;
        let is_wanted = question
            .field
            .is_none_or(|field| piece.fields.contains_key(field));
        if is_wanted {
            pieces.push(piece);
        }
        if pieces.len() as u64 >= limit {
            break;
        }
    }
    Ok(pieces)
}

fn piece(engine: &Engine, record: MemoryRecord, score: f64) -> Result<KnowledgePiece, StoreError> {
    let document = match &record.source.document {
        Some(id) => engine
            .store
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
    let name = if document.contains("://") {
        document.clone()
    } else {
        Path::new(&document)
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    Ok(KnowledgePiece {
        id: record.id,
        base,
        source: format!("{name} {place}").trim().to_owned(),
        document,
        heading: record.title,
        text: record.text,
        fields,
        score,
    })
}

/// Records of the asked bases that fit, best first, with their scores.
fn found(
    engine: &Engine,
    question: &Question<'_>,
    near: Option<&Near>,
) -> Result<Vec<(MemoryRecord, f64)>, StoreError> {
    let bases = match question.base {
        Some(base) => vec![base.to_owned()],
        None => engine.store.bases()?.into_iter().map(|base| base.name).collect(),
    };
    if bases.is_empty() {
        return Ok(Vec::new());
    }
    let query = MemoryQuery {
        text: question.text.to_owned(),
        kinds: vec![MemoryKind::Chunk],
        scopes: MemoryScopes::These(bases.into_iter().map(MemoryScope::Base).collect()),
        page: None,
        except: None,
        now: clock::now(),
        // Records without the asked column are left out afterwards.
        limit: RECALL_MOST,
    };
    let mut found = Vec::new();
    for hit in engine.store.recall_near(&query, near)? {
        if let Some(record) = engine.store.memory(&MemoryId::from(hit.id.as_str()))? {
            found.push((record, hit.score));
        }
    }
    Ok(found)
}
