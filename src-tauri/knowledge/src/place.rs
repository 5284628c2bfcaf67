//! Which server keeps a base, and how it is reached: its address from the base, its key from the keychain.

use crate::backend::Trouble;
use crate::qdrant::QdrantBackend;
use crate::sentences::of_server;
use crate::server::{self, Failure, Server};
use serde_json::json;
use shidi_models::KeyError;
use shidi_protocol::{ErrorCode, KnowledgeBase, MemoryId, UserError};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors;
use shidi_store::{StoreError, Write};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// Under which name the key of the servers is kept.
pub const KEY: &str = "qdrant";

/// Before the name of a base, so that its collection is told from those of others.
const COLLECTIONS: &str = "shidi-";

/// By whom documents on servers were brought, in the store's settings.
const IMPORTER: &str = "knowledge.importer";

/// How long a thread waits for the keychain.
const KEY_WAIT: Duration = Duration::from_secs(8);

/// The server of a base that is kept by one.
///
/// # Errors
/// An address or a key that can't be used.
pub async fn server(space: &Space, name: &str, at: &str) -> Result<Server, UserError> {
    let key = match space.models().keys().get(KEY).await {
        Ok(key) => key,
        // Many servers want no key: where there can be none, the server decides.
        Err(KeyError::Absent { .. } | KeyError::NeedsPassphrase { .. }) => None,
        Err(cause) => return without_key(space, name, at, &cause).await,
    };
    let opened = Server::new(at, &collection(name), key);
    opened.map_err(|cause| of_server(space, at, &cause))
}

/// Asks every server that keeps a base whether it takes the kept key.
///
/// # Errors
/// No key, no server to ask, or what the first one that fails says.
pub async fn test_key(space: &Space) -> Result<(), UserError> {
    let language = space.language();
    let key = space.models().keys().get(KEY).await;
    if key.map_err(|cause| key_errors::explain(space, &cause))?.is_none() {
        return Err(error(
            ErrorCode::Input,
            language.knowledge().no_qdrant_key(),
            language.knowledge().set_qdrant_key(),
        ));
    }
    let bases = space
        .store
        .bases()
        .map_err(|cause| Trouble::from(cause).explain(space))?;
    let mut asked: Vec<String> = Vec::new();
    for base in bases {
        let Some(at) = base.at.filter(|at| !asked.contains(at)) else {
            continue;
        };
        let greeted = server(space, &base.name, &at).await?.greet().await;
        greeted.map_err(|cause| of_server(space, &at, &cause))?;
        asked.push(at);
    }
    if asked.is_empty() {
        return Err(error(
            ErrorCode::Input,
            language.knowledge().no_base_on_server(),
            language.knowledge().create_base_on_server(),
        ));
    }
    Ok(())
}

/// The server where the keychain does not say whether there is a key. A server that wants no key is there all
/// the same.
async fn without_key(space: &Space, name: &str, at: &str, cause: &KeyError) -> Result<Server, UserError> {
    let opened = Server::new(at, &collection(name), None);
    let server = opened.map_err(|cause| of_server(space, at, &cause))?;
    match server.greet().await {
        Ok(()) => Ok(server),
        Err(Failure::Key) => Err(key_errors::explain(space, cause)),
        Err(cause) => Err(of_server(space, at, &cause)),
    }
}

/// The collection of a base, the same for all of a team.
fn collection(name: &str) -> String {
    format!("{COLLECTIONS}{name}")
}

/// The base as an import or a question sees it; `None` when it is kept here.
///
/// # Errors
/// As [`server`], and storage trouble.
pub async fn there(space: &Space, base: &KnowledgeBase) -> Result<Option<QdrantBackend>, UserError> {
    let Some(at) = &base.at else { return Ok(None) };
    let server = server(space, &base.name, at).await?;
    let importer = importer(space).map_err(|cause| Trouble::from(cause).explain(space))?;
    Ok(Some(QdrantBackend::new(
        server,
        base,
        importer,
        space.tasks.clone(),
    )))
}

/// The same for threads that wait.
///
/// # Errors
/// As [`there`].
pub fn there_now(space: &Space, base: &KnowledgeBase) -> Result<QdrantBackend, Trouble> {
    let at = base.at.clone().unwrap_or_default();
    let keys = space.models();
    let (sender, receiver) = sync_channel(1);
    space.tasks.spawn(async move {
        // The one who waited may have gone on.
        sender.try_send(keys.keys().get(KEY).await.ok().flatten()).ok();
    });
    let key = receiver.recv_timeout(KEY_WAIT).ok().flatten();
    let opened = Server::new(&at, &collection(&base.name), key);
    let server = opened.map_err(|cause| Trouble::Server { at, cause })?;
    Ok(QdrantBackend::new(
        server,
        base,
        importer(space)?,
        space.tasks.clone(),
    ))
}

/// By whom this data folder's documents on servers are known.
pub fn importer(space: &Space) -> Result<String, StoreError> {
    let known = space.store.setting(IMPORTER)?;
    if let Some(known) = known.as_ref().and_then(|known| known.as_str()) {
        return Ok(known.to_owned());
    }
    let minted = MemoryId::mint().to_string();
    space.store.commit(Write::PutSetting {
        key: IMPORTER.to_owned(),
        value: json!(minted),
    })?;
    Ok(minted)
}

/// Whether a server may name a collection so.
pub fn is_fit(name: &str) -> bool {
    !name.contains(['<', '>', '"', '|', '?', '*', '#', '%'])
}

/// The address in one form.
///
/// # Errors
/// What is none.
pub fn address(space: &Space, at: &str) -> Result<String, UserError> {
    server::canonical(at).map_err(|cause: Failure| of_server(space, at, &cause))
}
