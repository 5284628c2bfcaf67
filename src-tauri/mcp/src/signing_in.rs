//! Sign-in of the user to a server: begun, waited for, and its tokens in the keychain.

use crate::table::{self, Entry};
use crate::{AUTHORIZATION, McpServer, McpServers, answers, file, secrets, sign_in_name, spec};
use async_trait::async_trait;
use secrecy::SecretString;
use shidi_locales::Language;
use shidi_mcp_client::{
    EndPages, KnownClient, Limits, McpError, Server, SignIn, TokenStore, split_key, split_query,
};
use shidi_protocol::{ErrorCode, NewMcpServer, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tokens of one server in the keychain.
pub struct Tokens {
    space: Arc<Space>,
    name: String,
    /// Whether the user has signed in, as the server's entry says.
    is_signed_in: bool,
    guard: Arc<tokio::sync::Mutex<()>>,
}

impl Tokens {
    pub fn of(servers: &McpServers, mcp_server: &McpServer) -> Arc<Self> {
        Arc::new(Self {
            space: Arc::clone(&servers.space),
            name: sign_in_name(&mcp_server.name),
            is_signed_in: mcp_server.entry.lock().signed_in,
            guard: Arc::clone(&mcp_server.keeping),
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
        match models.keys().get(&self.name).await {
            // Most servers want no sign-in, and are of use where no key can be read.
            Err(cause) if !self.is_signed_in => {
                tracing::debug!(%cause, name = self.name, "a server is asked without a sign-in");
                Ok(None)
            }
            kept => kept.map_err(|cause| key_errors::explain(&self.space, &cause).message),
        }
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

    fn guard(&self) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(&self.guard)
    }
}

/// Begins a sign-in; one that was begun before is given up.
pub async fn begin(servers: &McpServers, name: &str) -> Result<reply::McpSignIn, UserError> {
    let language = servers.space.language();
    let mcp_server = answers::found(servers, name)?;
    let entry = mcp_server.entry.lock().clone();
    let url = entry.url.as_deref();
    let url = url.ok_or_else(|| answers::explain(language, name, &McpError::NoSignIn))?;
    if has_key(&entry) {
        let (what, remedy) = (
            language.mcp().has_key(answers::shown(name)),
            language.mcp().sign_in_in_place_of_key(answers::shown(name)),
        );
        return Err(error(ErrorCode::Input, what, remedy));
    }
    // Whoever signs users in is told the address, and no key of it.
    let (url, _) = split_query(url);
    // A user who has signed in would learn too late that nothing of it is kept.
    let models = servers.space.models();
    let ready = models.keys().ready().await;
    ready.map_err(|cause| key_errors::explain(&servers.space, &cause))?;
    let secrets = secrets(servers, name, &entry).await?;
    let client = client_of(&entry, &secrets);
    let spec = spec(servers, &mcp_server, &entry, secrets);
    let challenge = Server::challenge_of(spec, Limits::default()).await;
    let tokens = Tokens::of(servers, &mcp_server);
    let begun = SignIn::begin(&url, tokens, client, challenge.as_deref()).await;
    let begun = begun.map_err(|cause| answers::explain(language, name, &cause))?;
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
    let endpoint = begun.token_endpoint().map(str::to_owned);
    let pages = EndPages {
        done: page(language.mcp().signed_in_page()),
        refused: page(language.mcp().sign_in_refused_page()),
    };
    tokio::select! {
        ended = begun.finish(pages) => ended.map_err(|cause| answers::explain(language, name, &cause))?,
        () = mcp_server.gone.cancelled() => return Err(answers::explain(language, name, &McpError::Closed)),
    }
    let _one_at_a_time = servers.changing.lock().await;
    // A server of that name may be another one by now.
    if mcp_server.gone.is_cancelled() {
        return Err(answers::explain(language, name, &McpError::Closed));
    }
    record(servers, &mcp_server, endpoint)?;
    mcp_server.stop().await;
    answers::test(servers, name).await
}

/// Whether a key of the user's stands where the token of a sign-in would.
fn has_key(entry: &Entry) -> bool {
    let is_key = |name: &String| name.eq_ignore_ascii_case(AUTHORIZATION);
    entry.secrets.iter().any(is_key) || entry.url.as_deref().is_some_and(|url| split_key(url).is_some())
}

/// Forgets the tokens of a server that is removed.
pub async fn forget(servers: &McpServers, mcp_server: &McpServer) {
    if mcp_server.entry.lock().url.is_none() {
        return;
    }
    let tokens = Tokens::of(servers, mcp_server);
    let _one_at_a_time = mcp_server.keeping.lock().await;
    if let Err(cause) = tokens.clear().await {
        tracing::warn!(cause, "tokens of a server that was removed are still kept");
    }
}

/// The client that the user has with whoever signs them in.
fn client_of(entry: &Entry, secrets: &BTreeMap<String, SecretString>) -> Option<KnownClient> {
    let id = entry.client_id.clone()?;
    Some(KnownClient {
        id,
        secret: secrets.get(NewMcpServer::CLIENT_SECRET).cloned(),
        token_endpoint: entry.token_endpoint.clone(),
    })
}

/// Writes down that the user has signed in. Also where the user's client showed its secret: it is one there from now on.
fn record(servers: &McpServers, mcp_server: &McpServer, endpoint: Option<String>) -> Result<(), UserError> {
    let Some(entry) = signed_in(&mcp_server.entry.lock(), endpoint) else {
        return Ok(());
    };
    let file = file(servers.space.home.folder());
    table::write(&file, &mcp_server.name, Some(&entry), servers.space.language())?;
    *mcp_server.entry.lock() = entry;
    Ok(())
}

/// The entry after a sign-in, with the place of its client if that was not known before. None where it says so already.
fn signed_in(entry: &Entry, endpoint: Option<String>) -> Option<Entry> {
    let mut now = entry.clone();
    now.signed_in = true;
    if now.client_id.is_some() && now.token_endpoint.is_none() {
        now.token_endpoint = endpoint;
    }
    (now != *entry).then_some(now)
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

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    #[test]
    fn the_first_sign_in_binds_the_users_client_to_its_place_and_no_later_one_does() {
        let place = || Some("https://idp.example/token".to_owned());
        let entry = Entry {
            url: Some("https://a.example/mcp".to_owned()),
            client_id: Some("mine".to_owned()),
            ..Entry::default()
        };
        let secret = SecretString::from("s3cret");
        let secrets = BTreeMap::from([(NewMcpServer::CLIENT_SECRET.to_owned(), secret)]);
        let before = client_of(&entry, &secrets).expect("a client");
        assert_eq!(before.token_endpoint, None);
        assert_eq!(before.secret.expect("a secret").expose_secret(), "s3cret");
        let unbound = signed_in(&entry, None).expect("a sign-in");
        assert!(unbound.signed_in && unbound.token_endpoint.is_none());

        let first = signed_in(&entry, place()).expect("a bound client");
        assert!(first.signed_in);
        let after = client_of(&first, &secrets).expect("a client");
        assert_eq!(after.token_endpoint, place());
        assert!(signed_in(&first, Some("https://evil.example/token".to_owned())).is_none());
        let registers = Entry::default();
        assert!(client_of(&registers, &secrets).is_none());
        let registered = signed_in(&registers, place()).expect("a sign-in");
        assert!(registered.signed_in && registered.token_endpoint.is_none());
        assert!(signed_in(&registered, place()).is_none());
    }
}
