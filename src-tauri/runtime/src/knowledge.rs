//! Knowledge bases in the user's hands: making one, filling it, asking it, taking things out.

mod import;
mod importing;
mod query;

use crate::clock;
use crate::engine::Engine;
use crate::limits::{BASE_ABOUT_CHARACTERS_MAX, BASE_NAME_CHARACTERS_MAX, BASES_SHOWN, LISTED_MAX};
use crate::serve::Answered;
use crate::storage;
use crate::words::error;
use shidi_protocol::{ErrorCode, KnowledgeBase, KnowledgeRequest, Reply, ToolkitSpec, UserError};
use shidi_store::{StoreError, Write};
use std::path::Path;
use std::sync::Arc;

const TOOLKIT: &str = "knowledge";

use importing::add;
pub use query::called;
use query::{Question, query};

/// Answers a request about knowledge bases.
///
/// # Errors
/// No such base or document, a name that can't be one, or storage trouble.
pub async fn answer(engine: &Arc<Engine>, request: KnowledgeRequest) -> Result<Answered, UserError> {
    let reply = match request {
        KnowledgeRequest::List => list(engine)?,
        KnowledgeRequest::Create { name, about } => create(engine, &name, &about)?,
        KnowledgeRequest::Add { base, sources } => return add(engine, &base, sources).map(Answered::Stream),
        KnowledgeRequest::Show { base, offset, limit } => documents(engine, &base, offset, limit)?,
        KnowledgeRequest::Query {
            text,
            base,
            field,
            limit,
        } => {
            let question = Question {
                text: &text,
                base: base.as_deref(),
                field: field.as_deref(),
                limit: u64::from(limit),
            };
            query(engine, &question).await?
        }
        KnowledgeRequest::Delete { base, place } => delete(engine, &base, place.as_deref())?,
    };
    Ok(Answered::One(Box::new(reply)))
}

/// Makes a base, or gives one another description.
///
/// # Errors
/// A name that can't be written in a scope, or storage trouble.
fn create(engine: &Engine, name: &str, about: &str) -> Result<Reply, UserError> {
    let name = name.trim();
    let is_fit = !name.is_empty()
        && name.chars().count() <= BASE_NAME_CHARACTERS_MAX
        && !name
            .chars()
            .any(|character| character.is_control() || matches!(character, ':' | '/' | '\\'));
    if !is_fit {
        let words = engine.words();
        return Err(error(
            ErrorCode::Input,
            words.pick("知识库的名字不合适", "This can't be the name of a knowledge base"),
            words.pick(
                "用 1 到 60 个字，不含冒号和斜杠，例如 制度",
                "Use 1 to 60 characters without colons and slashes, for example handbook",
            ),
        ));
    }
    let about: String = about.trim().chars().take(BASE_ABOUT_CHARACTERS_MAX).collect();
    let write = Write::PutBase {
        name: name.to_owned(),
        about,
        created: clock::now(),
    };
    engine
        .store
        .commit(write)
        .map_err(|cause| explain(engine, &cause))?;
    // What the toolkit says of itself: the bases that there are.
    engine.toolkits_changed();
    list(engine)
}

fn list(engine: &Engine) -> Result<Reply, UserError> {
    let bases = engine.store.bases().map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Bases { bases })
}

/// The documents of a base, by place.
fn documents(engine: &Engine, base: &str, offset: u32, limit: u32) -> Result<Reply, UserError> {
    let base = existing(engine, base)?;
    let documents = engine
        .store
        .documents(&base.name, offset, limit.min(LISTED_MAX))
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Documents { base, documents })
}

/// Erases a document of a base, or all of the base.
///
/// # Errors
/// No such base or document, or storage trouble.
fn delete(engine: &Engine, base: &str, place: Option<&str>) -> Result<Reply, UserError> {
    let base = existing(engine, base)?.name;
    let write = match place {
        None => Write::DeleteBase { name: base },
        Some(place) => {
            let whole = std::path::absolute(place).unwrap_or_else(|_| Path::new(place).to_owned());
            let at = |place: &str| engine.store.document_at(&base, place);
            let found = at(place)
                .and_then(|found| found.map_or_else(|| at(&whole.to_string_lossy()), |found| Ok(Some(found))))
                .map_err(|cause| explain(engine, &cause))?;
            let words = engine.words();
            let missing = || {
                error(
                    ErrorCode::NotFound,
                    format!(
                        "{} {place}",
                        words.pick("知识库里没有", "The knowledge base does not hold")
                    ),
                    words.pick(
                        "看看有哪些：shidi knowledge list 名字",
                        "See what it holds: shidi knowledge list NAME",
                    ),
                )
            };
            Write::DeleteDocument(found.ok_or_else(missing)?.id)
        }
    };
    engine
        .store
        .commit(write)
        .map_err(|cause| explain(engine, &cause))?;
    // What the toolkit says of itself: the bases that there are.
    engine.toolkits_changed();
    list(engine)
}

/// The base of that name.
///
/// # Errors
/// That there is none, with those that there are.
fn existing(engine: &Engine, name: &str) -> Result<KnowledgeBase, UserError> {
    let bases = engine.store.bases().map_err(|cause| explain(engine, &cause))?;
    let names: Vec<&str> = bases.iter().map(|base| base.name.as_str()).collect();
    let words = engine.words();
    let hint = if names.is_empty() {
        words
            .pick(
                "先建一个：shidi knowledge create 名字",
                "Make one: shidi knowledge create NAME",
            )
            .to_owned()
    } else {
        format!("{}: {}", words.pick("现有的", "There are"), names.join(", "))
    };
    let missing = error(
        ErrorCode::NotFound,
        format!(
            "{} \"{name}\"",
            words.pick("没有知识库", "There is no knowledge base")
        ),
        hint,
    );
    bases
        .into_iter()
        .find(|base| base.name == name.trim())
        .ok_or(missing)
}

/// The toolkits of a run: those of a knowledge base only where there is one, with what there is.
pub fn toolkits(engine: &Engine) -> Vec<ToolkitSpec> {
    let mut toolkits = shidi_toolkits::declared();
    let bases = engine.store.bases().unwrap_or_else(|cause| {
        tracing::warn!(%cause, "the knowledge bases could not be read");
        Vec::new()
    });
    if bases.is_empty() {
        toolkits.retain(|toolkit| toolkit.name != TOOLKIT);
    }
    if let Some(toolkit) = toolkits.iter_mut().find(|toolkit| toolkit.name == TOOLKIT) {
        let shown = bases.iter().take(BASES_SHOWN).map(|base| {
            let about = if base.about.is_empty() {
                String::new()
            } else {
                format!(" ({})", base.about)
            };
            format!("{:?}{about}", base.name)
        });
        let shown: Vec<String> = shown.collect();
        toolkit.doc = format!("{} Bases: {}.", toolkit.doc, shown.join(", "));
    }
    toolkits
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
