//! Sign-in of the user to a server: begun, waited for, and its tokens in the keychain.

use crate::{McpServer, McpServers, answers};
use async_trait::async_trait;
use secrecy::SecretString;
use shidi_locales::Language;
use shidi_mcp_client::{EndPages, McpError, SignIn, TokenStore};
use shidi_protocol::{ErrorCode, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors;
use std::sync::Arc;

/// Tokens of one server in the keychain.
pub struct Tokens {
    space: Arc<Space>,
    name: String,
}

impl Tokens {
    pub fn of(servers: &McpServers, name: &str) -> Arc<Self> {
        Arc::new(Self {
            space: Arc::clone(&servers.space),
            name: format!("mcp-{name}-sign-in"),
        })
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Tokens")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl TokenStore for Tokens {
    async fn load(&self) -> Result<Option<SecretString>, String> {
        let models = self.space.models();
        let kept = models.keys().get(&self.name).await;
        kept.map_err(|cause| key_errors::explain(&self.space, &cause).message)
    }

    async fn save(&self, tokens: SecretString) -> Result<(), String> {
        let models = self.space.models();
        let kept = models.keys().set(&self.name, &tokens).await;
        kept.map(|_| ())
            .map_err(|cause| key_errors::explain(&self.space, &cause).message)
    }

    async fn clear(&self) -> Result<(), String> {
        let models = self.space.models();
        let gone = models.keys().delete(&self.name).await;
        gone.map(|_| ())
            .map_err(|cause| key_errors::explain(&self.space, &cause).message)
    }
}

/// Begins a sign-in; one that was begun before is given up.
pub async fn begin(servers: &McpServers, name: &str) -> Result<reply::McpSignIn, UserError> {
    let language = servers.space.language();
    let mcp_server = answers::found(servers, name)?;
    let url = mcp_server.entry.lock().url.clone();
    let url = url.ok_or_else(|| answers::explain(language, &McpError::NoSignIn))?;
    let begun = SignIn::begin(&url, Tokens::of(servers, name)).await;
    let begun = begun.map_err(|cause| answers::explain(language, &cause))?;
    let address = begun.address().to_owned();
    *mcp_server.signing_in.lock() = Some(begun);
    Ok(reply::McpSignIn { address })
}

/// Waits for the user, then connects anew and shows what the server offers.
pub async fn finish(servers: &Arc<McpServers>, name: &str) -> Result<reply::McpServers, UserError> {
    let language = servers.space.language();
    let mcp_server = answers::found(servers, name)?;
    let begun = mcp_server.signing_in.lock().take();
    let begun = begun.ok_or_else(|| not_begun(language, name))?;
    let pages = EndPages {
        done: page(language.mcp().signed_in_page()),
        refused: page(language.mcp().sign_in_refused_page()),
    };
    tokio::select! {
        ended = begun.finish(pages) => ended.map_err(|cause| answers::explain(language, &cause))?,
        () = mcp_server.gone.cancelled() => return Err(answers::explain(language, &McpError::Closed)),
    }
    let _one_at_a_time = servers.changing.lock().await;
    mcp_server.stop().await;
    answers::test(servers, name).await
}

/// Forgets the tokens of a server that is removed.
pub async fn forget(servers: &McpServers, mcp_server: &McpServer) {
    if mcp_server.entry.lock().url.is_none() {
        return;
    }
    if let Err(cause) = Tokens::of(servers, &mcp_server.name).clear().await {
        tracing::warn!(cause, "tokens of a server that was removed are still kept");
    }
}

fn page(sentence: &str) -> String {
    format!(
        "<!doctype html><meta charset=utf-8><title>Shidi</title><body style='font:16px system-ui;margin:4em'>{sentence}"
    )
}

fn not_begun(language: Language, name: &str) -> UserError {
    error(
        ErrorCode::Input,
        language.mcp().no_sign_in_begun(name),
        language.mcp().begin_sign_in(name),
    )
}
