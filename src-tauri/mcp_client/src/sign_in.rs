//! Sign-in in the user's browser: OAuth 2.1 with PKCE, our registration with the server, and tokens that are renewed.
//!
//! The browser comes back to a port of this computer that is open for this one sign-in. The protocol library checks the
//! browser's answer against the sign-in that was begun. Tokens go to the caller that keeps them, and nowhere else.

use crate::error::McpError;
use crate::http;
use crate::limits::{PAGE_WAIT, SAID_CHARACTERS, SIGNED_IN_WAIT};
use crate::text::paragraph;
use async_trait::async_trait;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession, CredentialStore,
    StoredCredentials,
};
use secrecy::{ExposeSecret, SecretString};
use std::future::IntoFuture;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// Where the browser comes back to.
const CALLBACK: &str = "/callback";

/// Where a server's tokens are kept.
#[async_trait]
pub trait TokenStore: Send + Sync + std::fmt::Debug {
    /// # Errors
    /// Why the tokens can't be read, in a sentence.
    async fn load(&self) -> Result<Option<SecretString>, String>;
    /// # Errors
    /// Why the tokens can't be kept.
    async fn save(&self, tokens: SecretString) -> Result<(), String>;
    /// # Errors
    /// Why the tokens can't be deleted.
    async fn clear(&self) -> Result<(), String>;
}

/// A sign-in that was begun and waits for the browser.
pub struct SignIn {
    session: AuthorizationSession,
    listener: TcpListener,
}

/// The pages that the browser shows at its end.
#[derive(Debug, Clone)]
pub struct EndPages {
    pub done: String,
    pub refused: String,
}

impl SignIn {
    /// Asks the server who signs its users in, and registers there.
    ///
    /// # Errors
    /// A server that has no sign-in, or one that can't be reached or will not have us.
    pub async fn begin(url: &str, tokens: Arc<dyn TokenStore>) -> Result<Self, McpError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(|cause| McpError::SignInFailed(cause.to_string()))?;
        let port = listener.local_addr().map(|address| address.port());
        let port = port.map_err(|cause| McpError::SignInFailed(cause.to_string()))?;
        let mut manager = new_manager(url, tokens).await?;
        let found = manager.resolve_metadata().await.map_err(|cause| failed(&cause))?;
        manager.set_metadata(found.metadata);
        let request = AuthorizationRequest::new(format!("http://127.0.0.1:{port}{CALLBACK}"))
            .with_client_name("Shidi")
            .with_initial_scope_selection();
        let session = AuthorizationSession::new(manager, request).await;
        let session = session.map_err(|(_, cause)| failed(&cause))?;
        // The server says where; a browser is opened at nothing but a page.
        http::checked(session.get_authorization_url())?;
        Ok(Self { session, listener })
    }

    /// The address to open in the browser.
    #[must_use]
    pub fn address(&self) -> &str {
        self.session.get_authorization_url()
    }

    /// Waits until the user has signed in, and keeps the tokens.
    ///
    /// # Errors
    /// A refusal, tokens that were not given, or a browser that does not come back within [`SIGNED_IN_WAIT`].
    pub async fn finish(self, pages: EndPages) -> Result<(), McpError> {
        let Self { session, listener } = self;
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

/// The manager of a server's tokens, with those that are kept.
///
/// # Errors
/// An address that is none.
pub async fn manager(url: &str, tokens: Arc<dyn TokenStore>) -> Result<AuthorizationManager, McpError> {
    let mut manager = new_manager(url, tokens).await?;
    if let Err(cause) = manager.initialize_from_store().await {
        // The request goes out without a token, and the server says what it wants.
        tracing::info!(%cause, "tokens of a server are not used");
    }
    Ok(manager)
}

async fn new_manager(url: &str, tokens: Arc<dyn TokenStore>) -> Result<AuthorizationManager, McpError> {
    let url = http::checked(url)?;
    http::provide_encryption();
    let manager = AuthorizationManager::new(url.as_str()).await;
    let mut manager = manager.map_err(|cause| failed(&cause))?;
    manager.set_credential_store(CredentialAdapter(tokens));
    Ok(manager)
}

fn failed(cause: &AuthError) -> McpError {
    match cause {
        AuthError::NoAuthorizationSupport => McpError::NoSignIn,
        other => McpError::SignInFailed(paragraph(&other.to_string(), SAID_CHARACTERS)),
    }
}

/// The library's store of tokens, as one text in ours.
struct CredentialAdapter(Arc<dyn TokenStore>);

#[async_trait]
impl CredentialStore for CredentialAdapter {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let text = self.0.load().await.map_err(AuthError::CredentialStoreError)?;
        // What can't be read is as good as gone: the user signs in again.
        Ok(text.and_then(|text| serde_json::from_str(text.expose_secret()).ok()))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let text = serde_json::to_string(&credentials)
            .map_err(|cause| AuthError::CredentialStoreError(cause.to_string()))?;
        self.0
            .save(text.into())
            .await
            .map_err(AuthError::CredentialStoreError)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.0.clear().await.map_err(AuthError::CredentialStoreError)
    }
}
