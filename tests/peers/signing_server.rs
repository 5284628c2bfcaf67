//! A server that signs its users in, and the browser of a user who does: for tests of what our client sends to whom.

use super::address::said;
use super::{limits, tool};
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use shidi_mcp_client::{
    EndPages, Era, KnownClient, Launch, McpError, Server, ServerSpec, SignIn, TokenStore,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A place of metadata of which nobody can tell the authority that it is of.
pub const LENT: &str = "/lent/.well-known/metadata";

type Fields = HashMap<String, String>;

/// What the server has seen, and how it behaves.
#[derive(Default)]
pub struct Seen {
    pub base: String,
    /// Codes with the challenge that each was asked for with.
    pub challenges: BTreeMap<String, String>,
    pub valid: Vec<String>,
    pub given: usize,
    pub refuses: bool,
    /// Seconds for which a token is good.
    pub good_for: u64,
    /// The right that the challenge names, and the one that a call wants beside it.
    pub wants: &'static str,
    pub call_wants: &'static str,
    /// The secret of a client, which its requests for tokens have to carry.
    pub secret: Option<&'static str>,
    /// Whether nobody registers here: the client is the one that is called `mine`.
    pub is_closed: bool,
    /// Whether only the challenge tells where the sign-in is, and its authority is a part of the host.
    pub is_elsewhere: bool,
    /// What sign-ins asked for, and the rights of the last one.
    pub asked: Vec<Fields>,
    pub rights: String,
    /// Another authority that the server names as the one of its users.
    pub names: Option<String>,
    /// Whether nothing is told of the sign-in, as servers of the first revision did.
    pub is_silent: bool,
    /// A name that the authority takes where it is asked at [`LENT`].
    pub lent: Option<String>,
    /// What came to the authority beside questions about it: the path of each request.
    pub received: Vec<&'static str>,
}

impl Seen {
    /// Where the server says who signs its users in.
    fn place(&self) -> &'static str {
        match self.is_elsewhere {
            true => "/about/sign-in.json",
            false => "/.well-known/oauth-protected-resource",
        }
    }

    /// The path of whoever signs them in.
    fn authority(&self) -> &'static str {
        if self.is_elsewhere { "/tenant" } else { "" }
    }
}

pub type Shared = Arc<Mutex<Seen>>;

/// Starts the server: its address, and what it sees.
pub async fn serve(seen: Seen) -> (String, Shared) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let shared = Arc::new(Mutex::new(Seen {
        base: base.clone(),
        ..seen
    }));
    let (place, authority) = {
        let seen = shared.lock();
        (seen.place(), seen.authority())
    };
    let app = Router::new()
        .route("/mcp", post(spoken_to))
        .route(LENT, get(lent))
        .route(place, get(resource))
        .route(
            &format!("/.well-known/oauth-authorization-server{authority}"),
            get(metadata),
        )
        .route(&format!("{authority}/register"), post(register))
        .route(&format!("{authority}/authorize"), get(authorize))
        .route(&format!("{authority}/token"), post(token))
        .with_state(Arc::clone(&shared));
    tokio::spawn(async move { axum::serve(listener, app).await });
    (format!("{base}/mcp"), shared)
}

async fn spoken_to(State(seen): State<Shared>, headers: HeaderMap, Json(message): Json<Value>) -> Response {
    let token = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let token = token
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    if let Some(refused) = refused(&seen.lock(), token, &message) {
        return refused;
    }
    let (status, text) = said(&message);
    let status = if status.starts_with("202") {
        StatusCode::ACCEPTED
    } else {
        StatusCode::OK
    };
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The challenge to a message without the token or the right that it needs.
fn refused(seen: &Seen, token: &str, message: &Value) -> Option<Response> {
    let place = format!("resource_metadata=\"{}{}\"", seen.base, seen.place());
    let (status, challenge) = if !seen.valid.iter().any(|known| known == token) {
        let scope = match seen.wants {
            "" => String::new(),
            wants => format!(", scope=\"{wants}\""),
        };
        (StatusCode::UNAUTHORIZED, format!("Bearer {place}{scope}"))
    } else if message["method"] == "tools/call"
        && !seen.call_wants.is_empty()
        && !seen.rights.split(' ').any(|right| right == seen.call_wants)
    {
        let wants = seen.call_wants;
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{wants}\", {place}");
        (StatusCode::FORBIDDEN, challenge)
    } else {
        return None;
    };
    Some((status, [(header::WWW_AUTHENTICATE, challenge)]).into_response())
}

async fn resource(State(seen): State<Shared>) -> Response {
    let seen = seen.lock();
    if seen.is_silent {
        return StatusCode::NOT_FOUND.into_response();
    }
    let own = || format!("{}{}", seen.base, seen.authority());
    let authority = seen.names.clone().unwrap_or_else(own);
    Json(json!({"resource": format!("{}/mcp", seen.base), "authorization_servers": [authority]}))
        .into_response()
}

async fn metadata(State(seen): State<Shared>) -> Response {
    let seen = seen.lock();
    match seen.is_silent {
        true => StatusCode::NOT_FOUND.into_response(),
        false => Json(about(&seen)).into_response(),
    }
}

/// The same under the name of another authority.
async fn lent(State(seen): State<Shared>) -> Json<Value> {
    let seen = seen.lock();
    let mut told = about(&seen);
    told["issuer"] = json!(seen.lent);
    Json(told)
}

/// What an authority says of itself.
fn about(seen: &Seen) -> Value {
    let base = format!("{}{}", seen.base, seen.authority());
    let method = seen.secret.map_or("none", |_| "client_secret_basic");
    let mut told = json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": format!("{base}/token"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": [method],
    });
    if !seen.is_closed {
        told["registration_endpoint"] = json!(format!("{base}/register"));
    }
    told
}

async fn register(State(seen): State<Shared>, Json(asked): Json<Value>) -> (StatusCode, Json<Value>) {
    let mut given = asked.as_object().cloned().unwrap_or_default();
    given.insert("client_id".to_owned(), json!("shidi-1"));
    let mut seen = seen.lock();
    seen.received.push("register");
    if let Some(secret) = seen.secret {
        given.insert("client_secret".to_owned(), json!(secret));
    }
    (StatusCode::CREATED, Json(Value::Object(given)))
}

async fn authorize(State(seen): State<Shared>, Query(asked): Query<Fields>) -> Redirect {
    let mut seen = seen.lock();
    seen.received.push("authorize");
    let client = if seen.is_closed { "mine" } else { "shidi-1" };
    assert_eq!(
        (
            asked["code_challenge_method"].as_str(),
            asked["client_id"].as_str()
        ),
        ("S256", client)
    );
    seen.rights = asked.get("scope").cloned().unwrap_or_default();
    seen.asked.push(asked.clone());
    let back = asked["redirect_uri"].clone();
    let state = &asked["state"];
    if seen.refuses {
        return Redirect::to(&format!(
            "{back}?error=access_denied&error_description=Not+today&state={state}"
        ));
    }
    let code = format!("code-{}", seen.challenges.len());
    seen.challenges
        .insert(code.clone(), asked["code_challenge"].clone());
    Redirect::to(&format!("{back}?code={code}&state={state}"))
}

async fn token(State(seen): State<Shared>, headers: HeaderMap, Form(asked): Form<Fields>) -> Response {
    let mut seen = seen.lock();
    seen.received.push("token");
    let client = if seen.is_closed { "mine" } else { "shidi-1" };
    let basic = seen.secret.map(|secret| {
        let pair = base64::engine::general_purpose::STANDARD.encode(format!("{client}:{secret}"));
        format!("Basic {pair}")
    });
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    if given != basic.as_deref() {
        return (StatusCode::UNAUTHORIZED, Json(json!({"error": "invalid_client"}))).into_response();
    }
    let is_right = match asked["grant_type"].as_str() {
        "authorization_code" => {
            let hash = Sha256::digest(asked["code_verifier"].as_bytes());
            let challenge = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(hash);
            seen.challenges.remove(&asked["code"]) == Some(challenge)
        }
        _ => asked
            .get("refresh_token")
            .is_some_and(|token| *token == format!("again-{}", seen.given)),
    };
    if !is_right {
        return (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response();
    }
    seen.given += 1;
    let given = format!("token-{}", seen.given);
    seen.valid = vec![given.clone()];
    let (again, good_for) = (format!("again-{}", seen.given), seen.good_for);
    Json(json!({"access_token": given, "token_type": "Bearer", "refresh_token": again, "expires_in": good_for}))
        .into_response()
}

/// Tokens in memory.
#[derive(Debug, Default)]
pub struct Tokens {
    pub text: Mutex<Option<String>>,
    guard: Arc<tokio::sync::Mutex<()>>,
}

#[async_trait::async_trait]
impl TokenStore for Tokens {
    async fn load(&self) -> Result<Option<SecretString>, String> {
        Ok(self.text.lock().clone().map(SecretString::from))
    }

    async fn save(&self, tokens: SecretString) -> Result<(), String> {
        *self.text.lock() = Some(tokens.expose_secret().to_owned());
        Ok(())
    }

    async fn clear(&self) -> Result<(), String> {
        *self.text.lock() = None;
        Ok(())
    }

    fn guard(&self) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(&self.guard)
    }
}

/// How to reach the server with those tokens.
pub fn spec(url: &str, tokens: &Arc<Tokens>) -> ServerSpec {
    ServerSpec {
        name: "peer".to_owned(),
        launch: Launch::Url {
            url: url.to_owned(),
            headers: BTreeMap::new(),
            tokens: Some(Arc::clone(tokens) as Arc<dyn TokenStore>),
        },
        era: Era::Auto,
    }
}

pub fn pages() -> EndPages {
    EndPages {
        done: "You are in".to_owned(),
        refused: "You are not".to_owned(),
    }
}

/// Signs in as a browser would, which follows redirects; tells how it ended and what the browser shows.
pub async fn signed_in(url: &str, tokens: &Arc<Tokens>) -> (Result<(), McpError>, String) {
    signed_in_as(url, tokens, None).await
}

/// The same for a client that the user has there.
pub async fn signed_in_as(
    url: &str,
    tokens: &Arc<Tokens>,
    client: Option<KnownClient>,
) -> (Result<(), McpError>, String) {
    let challenge = Server::challenge_of(spec(url, tokens), limits()).await;
    let store = Arc::clone(tokens) as Arc<dyn TokenStore>;
    let begun = SignIn::begin(url, store, client, challenge.as_deref())
        .await
        .unwrap();
    let address = begun.address().to_owned();
    let browser = tokio::spawn(async move { reqwest::get(address).await.unwrap().text().await.unwrap() });
    let ended = begun.finish(pages()).await;
    (ended, browser.await.unwrap())
}

/// What the server says after us.
pub async fn echoed(server: &Server, text: &str) -> Value {
    let echo = tool(server, "echo").await;
    let args: Map<String, Value> = json!({"text": text}).as_object().unwrap().clone();
    server.call(&echo, args, &CancellationToken::new()).await.data
}
