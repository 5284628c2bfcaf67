//! Knowledge bases in the user's hands: making one, filling it, asking it, taking things out.
//!
//! A base lies in the store or on a server of the team. The content of an address comes through [`Download`].

mod backend;
mod import;
mod importing;
mod limits;
mod local;
mod place;
mod qdrant;
mod query;
mod recall;
mod sentences;
mod server;

use crate::limits::{BASE_ABOUT_CHARACTERS_MAX, BASE_NAME_CHARACTERS_MAX, BASES_SHOWN, SERVER_COUNTS_WAIT};
use sentences::of_server;
use server::Failure;
use shidi_embedding::Embeddings;
use shidi_protocol::request::knowledge as request;
use shidi_protocol::{ErrorCode, KnowledgeBase, KnowledgeRequest, ToolkitSpec, UserError, reply, reply_to};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::download::Download;
use shidi_space::errors::error;
use shidi_space::limits::LISTED_MAX;
use shidi_space::replies::Answered;
use shidi_space::storage;
use shidi_store::{Base, KnowledgeWrite, StoreError, Write};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

const TOOLKIT: &str = "knowledge";

use importing::add;
pub use place::{KEY, test_key};
pub use query::called;
use query::{Question, query};
pub use recall::for_question;
pub use server::goes_openly;

/// Answers a request about knowledge bases.
///
/// # Errors
/// No such base or document, a name that can't be one, or storage trouble.
pub async fn answer(
    embeddings: &Arc<Embeddings>,
    download: &'static dyn Download,
    request: KnowledgeRequest,
) -> Result<Answered, UserError> {
    let space = embeddings.space();
    let reply = match request {
        KnowledgeRequest::List => reply_to::<request::List>(list(space).await?),
        KnowledgeRequest::Create { name, about, at } => {
            reply_to::<request::Create>(create(space, &name, &about, at.as_deref()).await?)
        }
        KnowledgeRequest::Add { base, sources } => {
            return add(space, download, &base, sources).map(Answered::Stream);
        }
        KnowledgeRequest::Show { base, offset, limit } => {
            reply_to::<request::Show>(documents(space, &base, offset, limit).await?)
        }
        KnowledgeRequest::Query {
            text,
            base,
            field,
            limit,
        } => {
            let question = Question {
                text,
                base,
                field,
                limit: u64::from(limit),
                ..Question::default()
            };
            reply_to::<request::Query>(query(embeddings, question).await?)
        }
        KnowledgeRequest::Delete {
            base,
            place,
            only_here,
        } => {
            let base = existing(space, &base)?;
            delete(space, base, place.as_deref(), only_here).await?;
            reply_to::<request::Delete>(list(space).await?)
        }
    };
    Ok(Answered::One(Box::new(reply)))
}

/// Makes a base, or gives one another description.
///
/// # Errors
/// A name that can't be written in a scope or on a server. Also a server that is not one, and storage
/// trouble.
async fn create(space: &Space, name: &str, about: &str, at: Option<&str>) -> Result<reply::Bases, UserError> {
    let name = name.trim();
    let is_fit = !name.is_empty()
        && name.chars().count() <= BASE_NAME_CHARACTERS_MAX
        && !name
            .chars()
            .any(|character| character.is_control() || matches!(character, ':' | '/' | '\\'));
    let language = space.language();
    if !is_fit || (at.is_some() && !place::is_fit(name)) {
        return Err(error(
            ErrorCode::Input,
            language.knowledge().bad_base_name(),
            language.knowledge().base_name_rule(),
        ));
    }
    let at = at.map(|at| place::address(space, at)).transpose()?;
    if let (Some(at), Ok(known)) = (&at, existing(space, name))
        && known.at.as_ref() != Some(at)
    {
        return Err(error(
            ErrorCode::Input,
            language.knowledge().base_name_taken(),
            language.knowledge().choose_other_base_name(),
        ));
    }
    if let Some(at) = &at {
        let server = place::server(space, name, at).await?;
        server
            .ensure()
            .await
            .map_err(|cause| of_server(space, at, &cause))?;
    }
    let about: String = about.trim().chars().take(BASE_ABOUT_CHARACTERS_MAX).collect();
    let write = Write::Knowledge(KnowledgeWrite::PutBase(Base {
        name: name.to_owned(),
        about,
        created: clock::now(),
        at,
    }));
    space
        .store
        .commit(write)
        .map_err(|cause| explain(space, &cause))?;
    list(space).await
}

/// All bases, with what their servers say that they hold; one that does not answer is named.
async fn list(space: &Space) -> Result<reply::Bases, UserError> {
    let mut bases = space.store.bases().map_err(|cause| explain(space, &cause))?;
    // A server that is away is waited for once, however many bases it keeps.
    let mut away: HashMap<String, UserError> = HashMap::new();
    for base in bases.iter_mut().filter(|base| base.at.is_some()) {
        let at = base.at.clone().unwrap_or_default();
        if let Some(cause) = away.get(&at) {
            base.trouble = Some(cause.message.clone());
            base.remedy.clone_from(&cause.hint);
            continue;
        }
        let counted = match place::server(space, &base.name, &at).await {
            Ok(server) => {
                match tokio::time::timeout(SERVER_COUNTS_WAIT, qdrant::counted(&server, base)).await {
                    Ok(counted) => counted.map_err(|cause| of_server(space, &at, &cause)),
                    Err(_) => Err(of_server(
                        space,
                        &at,
                        &Failure::Away("no answer in time".to_owned()),
                    )),
                }
            }
            Err(cause) => Err(cause),
        };
        if let Err(cause) = counted {
            base.trouble = Some(cause.message.clone());
            base.remedy.clone_from(&cause.hint);
            if cause.code == ErrorCode::System {
                away.insert(at, cause);
            }
        }
    }
    Ok(reply::Bases { bases })
}

/// The documents of a base, by place.
async fn documents(
    space: &Space,
    base: &str,
    offset: u32,
    limit: u32,
) -> Result<reply::Documents, UserError> {
    let base = existing(space, base)?;
    let limit = limit.min(LISTED_MAX);
    let documents = match &base.at {
        None => space
            .store
            .documents(&base.name, offset, limit)
            .map_err(|cause| explain(space, &cause))?,
        Some(at) => {
            let server = place::server(space, &base.name, at).await?;
            let all = qdrant::documents(&server, &base.name, None).await;
            let all = all.map_err(|cause| of_server(space, at, &cause))?;
            all.into_iter()
                .skip(offset as usize)
                .take(limit as usize)
                .collect()
        }
    };
    Ok(reply::Documents { base, documents })
}

/// Erases a document of a base, or all of the base; on a server what this computer put there.
///
/// # Errors
/// No such document, a server that is away, or storage trouble.
async fn delete(
    space: &Space,
    base: KnowledgeBase,
    place: Option<&str>,
    only_here: bool,
) -> Result<(), UserError> {
    let absolute = |place: &str| std::path::absolute(place).unwrap_or_else(|_| Path::new(place).to_owned());
    let write = match (place, &base.at) {
        (None, None) => Write::Knowledge(KnowledgeWrite::DeleteBase { name: base.name }),
        (None, Some(at)) => {
            if !only_here {
                let server = place::server(space, &base.name, at).await?;
                let importer = place::importer(space).map_err(|cause| explain(space, &cause))?;
                match qdrant::erase_own(&server, &importer).await {
                    Ok(()) | Err(Failure::Missing) => {}
                    Err(cause) => return Err(of_server(space, at, &cause)),
                }
            }
            Write::Knowledge(KnowledgeWrite::DeleteBase { name: base.name })
        }
        (Some(place), None) => {
            let at = |place: &str| space.store.document_at(&base.name, place);
            let whole = absolute(place);
            let found = at(place)
                .and_then(|found| found.map_or_else(|| at(&whole.to_string_lossy()), |found| Ok(Some(found))))
                .map_err(|cause| explain(space, &cause))?;
            Write::Knowledge(KnowledgeWrite::DeleteDocument(
                found.ok_or_else(|| not_held(space, place))?.id,
            ))
        }
        (Some(place), Some(at)) => {
            let fail = |cause| of_server(space, at, &cause);
            let server = place::server(space, &base.name, at).await?;
            let whole = absolute(place).to_string_lossy().into_owned();
            let mut documents = qdrant::documents(&server, &base.name, None).await.map_err(fail)?;
            documents.retain(|document| document.place == place || document.place == whole);
            if documents.is_empty() {
                return Err(not_held(space, place));
            }
            for document in documents {
                qdrant::erase(&server, &document.id).await.map_err(fail)?;
            }
            return Ok(());
        }
    };
    space.store.commit(write).map_err(|cause| explain(space, &cause))
}

fn not_held(space: &Space, place: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::NotFound,
        language.knowledge().document_not_held(place),
        language.knowledge().see_base(),
    )
}

/// The base of that name.
///
/// # Errors
/// No such base, with the bases that there are.
fn existing(space: &Space, name: &str) -> Result<KnowledgeBase, UserError> {
    let bases = space.store.bases().map_err(|cause| explain(space, &cause))?;
    let names: Vec<&str> = bases.iter().map(|base| base.name.as_str()).collect();
    let language = space.language();
    let hint = if names.is_empty() {
        language.knowledge().create_base().to_owned()
    } else {
        language.knowledge().bases_there_are(names.join(", "))
    };
    let missing = error(ErrorCode::NotFound, language.knowledge().no_such_base(name), hint);
    bases
        .into_iter()
        .find(|base| base.name == name.trim())
        .ok_or(missing)
}

/// The toolkits of a run: those of a knowledge base only where there is one, with what there is.
pub fn toolkits(space: &Space, assistant: Option<&str>) -> Vec<ToolkitSpec> {
    let mut toolkits = shidi_toolkits::declared();
    let mut bases = space.knowledge().bases().unwrap_or_else(|cause| {
        tracing::warn!(%cause, "the knowledge bases could not be read");
        Vec::new()
    });
    let bounds = space.bounds(assistant);
    bases.retain(|base| bounds.permits_base(&base.name));
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

fn explain(space: &Space, cause: &StoreError) -> UserError {
    storage::explain(cause, space.language())
}
