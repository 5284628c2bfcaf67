//! Who gets as far as the protocol over HTTP: a program of this computer that has the token.
//!
//! A page in a browser reaches ports of this computer, too. Its Host or its Origin tells it apart. This works also
//! where a name was made to point here after the page had been loaded.

use super::PATH;
use super::door::Visitor;
use crate::limits::{SESSIONS_MAX, TOKEN_READ_AGAIN, TOKEN_READ_MIN, TOKEN_READ_WAIT, TOKEN_UNSEEN_MAX};
use async_trait::async_trait;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::json;
use sha2::{Digest, Sha256};
use shidi_locales::{Language, McpServer};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Where the token is kept: it may be renewed while a server runs.
#[async_trait]
pub trait TokenSource: Send + Sync + 'static {
    /// The token as it is now; `None` where it can't be read.
    async fn token(&self) -> Option<String>;
}

/// What requests are judged by.
pub struct Guard {
    tokens: Arc<dyn TokenSource>,
    language: Language,
    port: u16,
    token: Mutex<Token>,
    sessions: Arc<LocalSessionManager>,
}

/// The token as its digest: the process has no use for itself.
struct Token {
    digest: [u8; 32],
    /// When it was last looked for, and when it was last found.
    read: Instant,
    found: Instant,
    /// How long a wrong token leads to no look: longer after each one.
    pause: Duration,
}

/// Why a request gets no further.
struct Refused {
    status: StatusCode,
    said: String,
}

impl Guard {
    pub fn new(
        tokens: Arc<dyn TokenSource>,
        language: Language,
        port: u16,
        token: &str,
        sessions: Arc<LocalSessionManager>,
    ) -> Self {
        let token = Token {
            digest: digest(token),
            read: Instant::now(),
            found: Instant::now(),
            // The first one may be renewed already.
            pause: Duration::ZERO,
        };
        Self {
            tokens,
            language,
            port,
            token: Mutex::new(token),
            sessions,
        }
    }

    fn say(&self) -> McpServer {
        self.language.mcp_server()
    }

    async fn admitted(&self, head: &Parts) -> Result<(), Refused> {
        let (say, headers) = (self.say(), &head.headers);
        if !is_own_host(&head.uri, headers, self.port) {
            return Err(refused(StatusCode::FORBIDDEN, say.http_host()));
        }
        if !is_local_origin(headers) {
            return Err(refused(StatusCode::FORBIDDEN, say.http_origin()));
        }
        if head.uri.path() != PATH {
            return Err(refused(StatusCode::NOT_FOUND, say.http_elsewhere(PATH)));
        }
        if !self.is_token(bearer(headers)).await {
            return Err(refused(StatusCode::UNAUTHORIZED, say.http_token()));
        }
        if begins_session(head) && self.sessions.sessions.read().await.len() >= SESSIONS_MAX {
            let said = say.http_full(SESSIONS_MAX);
            return Err(refused(StatusCode::SERVICE_UNAVAILABLE, said));
        }
        Ok(())
    }

    /// Compares digests, in a time that tells nothing. A token that was renewed meanwhile is read again, by one request
    /// and beside all others.
    async fn is_token(&self, given: Option<&str>) -> bool {
        let Some(given) = given.map(digest) else {
            return false;
        };
        if !self.wants_reading(&given) {
            return self.is_held(&given);
        }
        let now = tokio::time::timeout(TOKEN_READ_WAIT, self.token_now()).await;
        if let Ok(Some(now)) = now {
            let mut token = self.token.lock();
            token.digest = now;
            token.found = Instant::now();
        }
        self.is_held(&given)
    }

    /// Whether the token is to be read for this request. Whoever guesses does not keep the keychain at work.
    fn wants_reading(&self, given: &[u8; 32]) -> bool {
        let mut token = self.token.lock();
        let is_right = is_same(&token.digest, given);
        let wait = if is_right { TOKEN_READ_AGAIN } else { token.pause };
        if token.read.elapsed() < wait {
            return false;
        }
        token.read = Instant::now();
        token.pause = if is_right {
            TOKEN_READ_MIN
        } else {
            (token.pause * 2).clamp(TOKEN_READ_MIN, TOKEN_READ_AGAIN)
        };
        true
    }

    /// Whether a token is the one that was last found. Where the keychain is locked it counts for a while: it may have been
    /// renewed.
    fn is_held(&self, given: &[u8; 32]) -> bool {
        let token = self.token.lock();
        is_same(&token.digest, given) && token.found.elapsed() < TOKEN_UNSEEN_MAX
    }

    async fn token_now(&self) -> Option<[u8; 32]> {
        let now = self.tokens.token().await;
        now.as_deref().map(digest)
    }

    fn refusal(&self, refused: &Refused) -> Response {
        let code = rmcp::model::ErrorCode::INVALID_REQUEST.0;
        let body = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": refused.said}});
        let mut response = (refused.status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            header::HeaderValue::from_static("application/json"),
        );
        if refused.status == StatusCode::UNAUTHORIZED {
            headers.insert(
                header::WWW_AUTHENTICATE,
                header::HeaderValue::from_static("Bearer"),
            );
        }
        response
    }
}

/// Lets a request through to the protocol, or answers it.
pub async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    let visitor = head.extensions.remove::<ConnectInfo<Visitor>>();
    if let Err(refused) = guard.admitted(&head).await {
        return guard.refusal(&refused);
    }
    if let Some(ConnectInfo(visitor)) = visitor {
        visitor.admit();
    }
    let says_json = is_json(&head.headers);
    let response = next.run(Request::from_parts(head, body)).await;
    // The library calls a body that it can't read a wrong type.
    if says_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return guard.refusal(&refused(StatusCode::BAD_REQUEST, guard.say().no_message()));
    }
    response
}

fn refused(status: StatusCode, said: impl Into<String>) -> Refused {
    Refused {
        status,
        said: said.into(),
    }
}

/// Whether the request is addressed to this port of this computer.
fn is_own_host(uri: &Uri, headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let is_own = |host: &str| {
        let host = host.to_ascii_lowercase();
        let named = host.strip_suffix(&format!(":{port}"));
        // A client leaves out the port that is usual.
        let named = named.or_else(|| (port == 80).then_some(host.as_str()));
        named.is_some_and(is_local)
    };
    let in_line = uri.authority().map(|authority| authority.as_str());
    host.to_str().is_ok_and(is_own) && in_line.is_none_or(is_own)
}

/// Whether the request comes from no page, or from a page of this computer.
fn is_local_origin(headers: &HeaderMap) -> bool {
    headers.get_all(header::ORIGIN).iter().all(|origin| {
        let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        origin.is_some_and(|origin| {
            let is_page = matches!(origin.scheme_str(), Some("http" | "https"));
            is_page
                && origin
                    .host()
                    .is_some_and(|host| is_local(&host.to_ascii_lowercase()))
        })
    })
}

fn is_local(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = given.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether a request may begin a session. A greeting begins one whatever revision its header names, and so does one whose
/// session is no text.
fn begins_session(head: &Parts) -> bool {
    let named = head.headers.get("mcp-session-id");
    let named = named.and_then(|named| named.to_str().ok());
    head.method == Method::POST && named.is_none()
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Looks at every byte, whatever the first ones are.
fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    let differing = one
        .iter()
        .zip(other)
        .fold(0, |all, (one, other)| all | (one ^ other));
    differing == 0
}

#[cfg(test)]
mod tests;
