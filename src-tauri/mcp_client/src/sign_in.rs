//! Sign-in in the user's browser: OAuth 2.1 with PKCE, our registration with the server, and tokens that are renewed.
//!
//! The server's challenge says where its sign-in is and which rights it wants. Those that were given before, and those
//! that a call lacked, are asked for beside them. No sign-in begins by itself.
//!
//! The browser comes back to a port of this computer that is open for this one sign-in. The protocol library checks the
//! browser's answer against the sign-in that was begun. Tokens go to the caller that keeps them, and nowhere else.
//!
//! A server may name another authority every day. What one authority gave or knows goes to no other one.

use crate::error::McpError;
use crate::http;
use crate::limits::{PAGE_WAIT, SAID_CHARACTERS, SIGNED_IN_WAIT};
use crate::text::paragraph;
use crate::tokens::{self, Authority, Credentials, Saves, StoredSignIn, TokenStore};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, AuthorizationRequest, AuthorizationSession,
    OAuthClientConfig,
};
use secrecy::{ExposeSecret, SecretString};
use std::future::IntoFuture;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// Where the browser comes back to.
const CALLBACK: &str = "/callback";

/// The name of the registration that we ask for.
const CLIENT: &str = "Shidi";

/// A client that the user has with whoever signs them in.
#[derive(Debug, Clone)]
pub struct KnownClient {
    /// Its id there, or the https address of a document that says what it is.
    pub id: String,
    pub secret: Option<SecretString>,
    /// Where it shows its secret, as the first sign-in told; before that nobody knows.
    pub token_endpoint: Option<String>,
}

/// A sign-in that was begun and waits for the browser.
pub struct SignIn {
    session: AuthorizationSession,
    listener: TcpListener,
    /// Where the user's own client shows its secret, if that client is the one that asks.
    token_endpoint: Option<String>,
}

/// The pages that the browser shows at its end.
#[derive(Debug, Clone)]
pub struct EndPages {
    pub done: String,
    pub refused: String,
}

impl SignIn {
    /// Asks the server who signs its users in, and registers there unless `client` is known. `challenge` is what the
    /// server answers somebody without a token.
    ///
    /// # Errors
    /// A server that has no sign-in, or one that can't be reached or will not have us.
    pub async fn begin(
        url: &str,
        tokens: Arc<dyn TokenStore>,
        client: Option<KnownClient>,
        challenge: Option<&str>,
    ) -> Result<Self, McpError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(|cause| McpError::SignInFailed(cause.to_string()))?;
        let port = listener.local_addr().map(|address| address.port());
        let port = port.map_err(|cause| McpError::SignInFailed(cause.to_string()))?;
        let mut manager = new_manager(url).await?;
        let found = manager.resolve_metadata_from_challenge(challenge).await;
        let metadata = found.map_err(|cause| failed(&cause))?.metadata;
        manager.set_metadata(metadata.clone());
        let client = client.filter(|client| is_known_to(&metadata, client));
        let token_endpoint = bound(&metadata, client.as_ref())?;
        let authority = Authority::of(&metadata);
        let rights = rights(&manager, &*tokens, &authority).await;
        let request = AuthorizationRequest::new(format!("http://127.0.0.1:{port}{CALLBACK}"))
            .with_scopes(rights)
            .with_initial_scope_selection();
        let request = identified(&mut manager, request, client, &metadata).await?;
        manager.set_credential_store(Credentials {
            store: tokens,
            authority,
            client_secret: request.client_secret.clone(),
            challenge: challenge.map(str::to_owned),
            saves: Saves::SignIn,
        });
        let session = AuthorizationSession::new(manager, request).await;
        let session = session.map_err(|(_, cause)| failed(&cause))?;
        // The server says where; a browser is opened at nothing but a page.
        http::checked(session.get_authorization_url())?;
        Ok(Self {
            session,
            listener,
            token_endpoint,
        })
    }

    /// The address to open in the browser.
    #[must_use]
    pub fn address(&self) -> &str {
        self.session.get_authorization_url()
    }

    /// Where the user's own client shows its secret: it is a client there, and nowhere else. None of a client that was
    /// registered for this sign-in, or that a document tells of.
    #[must_use]
    pub fn token_endpoint(&self) -> Option<&str> {
        self.token_endpoint.as_deref()
    }

    /// Waits until the user has signed in, and keeps the tokens.
    ///
    /// # Errors
    /// A refusal, tokens that were not given, or a browser that does not come back within [`SIGNED_IN_WAIT`].
    pub async fn finish(self, pages: EndPages) -> Result<(), McpError> {
        let Self {
            session, listener, ..
        } = self;
        let (came, mut coming) = mpsc::channel(1);
        let host = listener
            .local_addr()
            .map(|address| address.to_string())
            .unwrap_or_default();
        let asked = http::checked(session.get_authorization_url())?;
        let state = asked.query_pairs().find(|(name, _)| name == "state");
        let state = state.map(|(_, value)| value.into_owned()).unwrap_or_default();
        let door = Door {
            came,
            host,
            state,
            pages,
        };
        let app = axum::Router::new()
            .route(CALLBACK, axum::routing::get(called_back))
            .with_state(Arc::new(door));
        let (end, ending) = oneshot::channel::<()>();
        let server = axum::serve(listener, app).with_graceful_shutdown(async move {
            ending.await.unwrap_or_default();
        });
        let serving = tokio::spawn(server.into_future());
        let came = tokio::time::timeout(SIGNED_IN_WAIT, coming.recv()).await;
        let ended = match came {
            Ok(Some(query)) => exchanged(&session, &query).await,
            Ok(None) | Err(_) => Err(McpError::SignInLate),
        };
        // The browser gets its page before its connection ends, unless it will not take it.
        drop(end);
        let stop = serving.abort_handle();
        if tokio::time::timeout(PAGE_WAIT, serving).await.is_err() {
            stop.abort();
        }
        ended
    }
}

struct Door {
    came: mpsc::Sender<String>,
    host: String,
    /// What this sign-in sent along, and nobody else knows.
    state: String,
    pages: EndPages,
}

/// The browser comes back. Only what we sent it with counts: others may be a page that guesses ports.
async fn called_back(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let query = query.unwrap_or_default();
    let names = |name: &str| url_pairs(&query).any(|(known, _)| known == name);
    let is_ours = url_pairs(&query).any(|(name, value)| name == "state" && value == door.state);
    if host != Some(door.host.as_str()) || !is_ours || !(names("code") || names("error")) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let page = if names("code") {
        &door.pages.done
    } else {
        &door.pages.refused
    };
    let page = Html(page.clone());
    if door.came.try_send(query.clone()).is_err() {
        tracing::debug!("a browser came back a second time");
    }
    page.into_response()
}

async fn exchanged(session: &AuthorizationSession, query: &str) -> Result<(), McpError> {
    let said = |name: &str| {
        url_pairs(query)
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    };
    if let Some(error) = said("error") {
        let why = said("error_description").unwrap_or(error);
        return Err(McpError::SignInFailed(paragraph(&why, SAID_CHARACTERS)));
    }
    let address = format!("{}?{query}", session.redirect_uri);
    let tokens = session.handle_callback_url(&address).await;
    tokens.map(|_| ()).map_err(|cause| failed(&cause))
}

fn url_pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// The rights to ask for. The server wants some now, its authority gave some before, and a call lacked some since.
/// Empty where nobody names any.
async fn rights(
    manager: &AuthorizationManager,
    store: &dyn TokenStore,
    authority: &Authority,
) -> Vec<String> {
    let mut rights = manager.select_initial_scopes(&[]).await;
    let kept = tokens::kept(store).await.unwrap_or_else(|cause| {
        tracing::info!(cause, "what was given before is not known");
        None
    });
    if let Some(kept) = kept.filter(|kept| kept.is_of(authority)) {
        for right in kept.credentials.granted_scopes.into_iter().chain(kept.lacked) {
            if !rights.contains(&right) {
                rights.push(right);
            }
        }
    }
    rights
}

/// Where the user's client shows its secret. It shows that to no other authority than the first.
fn bound(metadata: &AuthorizationMetadata, client: Option<&KnownClient>) -> Result<Option<String>, McpError> {
    // A document tells everybody who we are.
    let Some(client) = client.filter(|client| !is_document(client)) else {
        return Ok(None);
    };
    let named = &metadata.token_endpoint;
    match &client.token_endpoint {
        Some(known) if known != named => Err(McpError::OtherAuthority {
            known: paragraph(known, SAID_CHARACTERS),
            named: paragraph(named, SAID_CHARACTERS),
        }),
        Some(_) | None => Ok(Some(named.clone())),
    }
}

/// Says in the request who asks: the client that the user has there, or one that is registered now.
async fn identified(
    manager: &mut AuthorizationManager,
    request: AuthorizationRequest,
    client: Option<KnownClient>,
    metadata: &AuthorizationMetadata,
) -> Result<AuthorizationRequest, McpError> {
    if let Some(client) = client {
        let request = request.with_preregistered_client(client.id);
        return Ok(match client.secret {
            Some(secret) => request.with_client_secret(secret.expose_secret()),
            None => request,
        });
    }
    if metadata.registration_endpoint.is_none() {
        return Err(McpError::UnknownClient);
    }
    let rights: Vec<&str> = request.scopes.iter().map(String::as_str).collect();
    let registered = manager
        .register_client(CLIENT, &request.redirect_uri, &rights)
        .await
        .map_err(|cause| failed(&cause))?;
    let request = request.with_preregistered_client(registered.client_id);
    Ok(match registered.client_secret {
        Some(secret) => request.with_client_secret(secret),
        None => request,
    })
}

/// Whether the client is one there. A document says so itself, to servers that read such documents.
fn is_known_to(metadata: &AuthorizationMetadata, client: &KnownClient) -> bool {
    let reads = metadata
        .additional_fields
        .get("client_id_metadata_document_supported");
    !is_document(client) || reads.and_then(serde_json::Value::as_bool) == Some(true)
}

/// Whether the id is the address of a document. A client with a secret was registered, however its id looks.
fn is_document(client: &KnownClient) -> bool {
    client.secret.is_none() && client.id.starts_with("https://")
}

/// The manager of a server's tokens, with those that are kept.
///
/// # Errors
/// An address that is none.
pub async fn manager(url: &str, store: Arc<dyn TokenStore>) -> Result<AuthorizationManager, McpError> {
    let mut manager = new_manager(url).await?;
    // The first request tells what is wrong with the store.
    let kept = tokens::kept(&*store).await.ok().flatten();
    let authority = match &kept {
        Some(kept) => used(&mut manager, kept, url).await.unwrap_or_else(|cause| {
            // A token that is good goes on to its server; none is renewed.
            tracing::info!(%cause, "tokens of a server are not renewed");
            kept.authority()
        }),
        None => Authority::default(),
    };
    manager.set_credential_store(Credentials {
        store,
        authority,
        client_secret: kept.as_ref().and_then(|kept| kept.client_secret.clone()),
        challenge: kept.and_then(|kept| kept.challenge),
        saves: Saves::Renewal,
    });
    Ok(manager)
}

/// Takes up what is kept of the last sign-in, and tells who signs in now. Where that is somebody else, nothing of it
/// counts. No token is renewed there, and the client's secret is not shown.
async fn used(
    manager: &mut AuthorizationManager,
    kept: &StoredSignIn,
    url: &str,
) -> Result<Authority, AuthError> {
    let challenge = kept.challenge.as_deref();
    let metadata = manager.resolve_metadata_from_challenge(challenge).await?.metadata;
    let authority = Authority::of(&metadata);
    manager.set_metadata(metadata);
    if kept.is_of(&authority) {
        let client = OAuthClientConfig::new(kept.credentials.client_id.clone(), url);
        manager.configure_client(match &kept.client_secret {
            Some(secret) => client.with_client_secret(secret.clone()),
            None => client,
        })?;
    }
    Ok(authority)
}

async fn new_manager(url: &str) -> Result<AuthorizationManager, McpError> {
    let url = http::checked(url)?;
    http::provide_encryption();
    let manager = AuthorizationManager::new(url.as_str()).await;
    manager.map_err(|cause| failed(&cause))
}

fn failed(cause: &AuthError) -> McpError {
    match cause {
        AuthError::NoAuthorizationSupport => McpError::NoSignIn,
        other => McpError::SignInFailed(paragraph(&other.to_string(), SAID_CHARACTERS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(id: &str, secret: Option<&str>) -> KnownClient {
        KnownClient {
            id: id.to_owned(),
            secret: secret.map(SecretString::from),
            token_endpoint: None,
        }
    }

    #[test]
    fn an_id_that_looks_like_an_address_is_a_document_only_without_a_secret() {
        let mut metadata = AuthorizationMetadata::default();
        let id = "https://idp.example/clients/7";
        assert!(is_known_to(&metadata, &client(id, Some("s3cret"))));
        assert!(is_known_to(&metadata, &client("shidi-1", None)));
        assert!(!is_known_to(&metadata, &client(id, None)));
        let reads = "client_id_metadata_document_supported".to_owned();
        metadata.additional_fields.insert(reads, true.into());
        assert!(is_known_to(&metadata, &client(id, None)));
    }

    #[test]
    fn a_client_is_for_the_authority_of_its_first_sign_in() {
        let mut metadata = AuthorizationMetadata::default();
        metadata.token_endpoint = "https://idp.example/token".to_owned();
        let mut mine = client("mine", Some("s3cret"));
        assert_eq!(bound(&metadata, None), Ok(None));
        let first = bound(&metadata, Some(&mine)).expect("the first sign-in");
        assert_eq!(first.as_deref(), Some("https://idp.example/token"));
        mine.token_endpoint = first.clone();
        assert_eq!(bound(&metadata, Some(&mine)), Ok(first));
        metadata.token_endpoint = "https://evil.example/token".to_owned();
        let refused = bound(&metadata, Some(&mine)).expect_err("another authority");
        assert!(refused.to_string().contains("evil.example"), "{refused}");
        let document = client("https://me.example/shidi.json", None);
        assert_eq!(bound(&metadata, Some(&document)), Ok(None));
    }
}
