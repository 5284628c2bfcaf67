//! A server that signs its users in: discovery, our registration, PKCE, the browser's return, tokens that run out, and refusals.

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
use shidi_mcp_client::{EndPages, Era, Launch, McpError, Server, ServerSpec, SignIn, TokenStore};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

type Fields = HashMap<String, String>;

/// What the server has seen, and how it behaves.
#[derive(Default)]
struct Seen {
    base: String,
    /// Codes with the challenge that each was asked for with.
    challenges: BTreeMap<String, String>,
    valid: Vec<String>,
    given: usize,
    refuses: bool,
    /// Seconds for which a token is good.
    good_for: u64,
}

type Shared = Arc<Mutex<Seen>>;

async fn serve(seen: Seen) -> (String, Shared) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let shared = Arc::new(Mutex::new(Seen {
        base: base.clone(),
        ..seen
    }));
    let app = Router::new()
        .route("/mcp", post(spoken_to))
        .route("/.well-known/oauth-protected-resource/mcp", get(resource))
        .route("/.well-known/oauth-protected-resource", get(resource))
        .route("/.well-known/oauth-authorization-server", get(metadata))
        .route("/register", post(register))
        .route("/authorize", get(authorize))
        .route("/token", post(token))
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
    let (is_valid, base) = {
        let seen = seen.lock();
        (seen.valid.iter().any(|known| known == token), seen.base.clone())
    };
    if !is_valid {
        let challenge = format!("Bearer resource_metadata=\"{base}/.well-known/oauth-protected-resource\"");
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response();
    }
    let (status, text) = said(&message);
    let status = if status.starts_with("202") {
        StatusCode::ACCEPTED
    } else {
        StatusCode::OK
    };
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn resource(State(seen): State<Shared>) -> Json<Value> {
    let base = seen.lock().base.clone();
    Json(json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]}))
}

async fn metadata(State(seen): State<Shared>) -> Json<Value> {
    let base = seen.lock().base.clone();
    Json(json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": format!("{base}/token"),
        "registration_endpoint": format!("{base}/register"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
    }))
}

async fn register(Json(asked): Json<Value>) -> (StatusCode, Json<Value>) {
    let mut given = asked.as_object().cloned().unwrap_or_default();
    given.insert("client_id".to_owned(), json!("shidi-1"));
    (StatusCode::CREATED, Json(Value::Object(given)))
}

async fn authorize(State(seen): State<Shared>, Query(asked): Query<Fields>) -> Redirect {
    assert_eq!(
        (
            asked["code_challenge_method"].as_str(),
            asked["client_id"].as_str()
        ),
        ("S256", "shidi-1")
    );
    let mut seen = seen.lock();
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

async fn token(State(seen): State<Shared>, Form(asked): Form<Fields>) -> Response {
    let mut seen = seen.lock();
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
struct Tokens(Mutex<Option<String>>);

#[async_trait::async_trait]
impl TokenStore for Tokens {
    async fn load(&self) -> Result<Option<SecretString>, String> {
        Ok(self.0.lock().clone().map(SecretString::from))
    }

    async fn save(&self, tokens: SecretString) -> Result<(), String> {
        *self.0.lock() = Some(tokens.expose_secret().to_owned());
        Ok(())
    }

    async fn clear(&self) -> Result<(), String> {
        *self.0.lock() = None;
        Ok(())
    }
}

fn spec(url: &str, tokens: &Arc<Tokens>) -> ServerSpec {
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

fn pages() -> EndPages {
    EndPages {
        done: "You are in".to_owned(),
        refused: "You are not".to_owned(),
    }
}

/// Signs in as a browser would, which follows redirects; tells how it ended and what the browser shows.
async fn signed_in(url: &str, tokens: &Arc<Tokens>) -> (Result<(), McpError>, String) {
    let begun = SignIn::begin(url, Arc::clone(tokens) as Arc<dyn TokenStore>)
        .await
        .unwrap();
    let address = begun.address().to_owned();
    let browser = tokio::spawn(async move { reqwest::get(address).await.unwrap().text().await.unwrap() });
    let ended = begun.finish(pages()).await;
    (ended, browser.await.unwrap())
}

async fn echoed(server: &Server, text: &str) -> Value {
    let echo = tool(server, "echo").await;
    let args: Map<String, Value> = json!({"text": text}).as_object().unwrap().clone();
    server.call(&echo, args, &CancellationToken::new()).await.data
}

#[tokio::test]
async fn a_user_signs_in_once_and_tokens_that_ran_out_are_renewed() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let refused = Server::connect(spec(&url, &tokens), limits())
        .await
        .err()
        .unwrap();
    assert_eq!(refused, McpError::SignIn);

    let (ended, shown) = signed_in(&url, &tokens).await;
    assert_eq!((ended, shown.as_str()), (Ok(()), "You are in"));
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&server, "hello").await, json!("hello"));

    // The server takes its token back: it is renewed without the user, and kept.
    seen.lock().valid.clear();
    assert_eq!(echoed(&server, "again").await, json!("again"));
    assert_eq!(seen.lock().given, 2);
    server.close().await;
    let later = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&later, "later").await, json!("later"));
    assert_eq!(seen.lock().given, 2, "what was renewed was kept");

    // And when it will not renew it either, the user has to sign in again.
    later.close().await;
    {
        let mut seen = seen.lock();
        seen.valid.clear();
        seen.given = 90;
    }
    let gone = Server::connect(spec(&url, &tokens), limits())
        .await
        .err()
        .unwrap();
    assert_eq!(gone, McpError::SignIn);
}

#[tokio::test]
async fn a_refusal_is_told_in_the_browser_and_in_its_words_here() {
    let (url, _seen) = serve(Seen {
        refuses: true,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let (ended, shown) = signed_in(&url, &tokens).await;
    assert_eq!(ended, Err(McpError::SignInFailed("Not today".to_owned())));
    assert_eq!(shown, "You are not");
    assert!(tokens.0.lock().is_none());
}

#[tokio::test]
async fn nobody_else_ends_a_sign_in() {
    let (url, _seen) = serve(Seen {
        good_for: 3_600,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let begun = SignIn::begin(&url, Arc::clone(&tokens) as Arc<dyn TokenStore>)
        .await
        .unwrap();
    let address = begun.address().to_owned();
    let asked = reqwest::Url::parse(&address).unwrap();
    let back = asked
        .query_pairs()
        .find(|(name, _)| name == "redirect_uri")
        .unwrap()
        .1
        .into_owned();
    let waiting = tokio::spawn(begun.finish(pages()));

    // Without a state, without a code, elsewhere, or by another name: not the browser that we sent.
    let client = reqwest::Client::new();
    let guesses = [
        format!("{back}?code=x"),
        format!("{back}?state=x"),
        format!("{back}?code=x&state=y"),
        back.replace("/callback", "/"),
    ];
    for guess in guesses {
        assert_eq!(client.get(guess).send().await.unwrap().status(), 404);
    }
    let state = asked
        .query_pairs()
        .find(|(name, _)| name == "state")
        .unwrap()
        .1
        .into_owned();
    let named = client
        .get(format!("{back}?code=x&state={state}"))
        .header("Host", "evil.example");
    assert_eq!(named.send().await.unwrap().status(), 404);
    assert!(!waiting.is_finished());

    // A code that the server never gave ends it without tokens.
    client
        .get(format!("{back}?code=x&state={state}"))
        .send()
        .await
        .unwrap();
    assert!(matches!(waiting.await.unwrap(), Err(McpError::SignInFailed(_))));
    assert!(tokens.0.lock().is_none());
}

#[tokio::test]
async fn a_server_without_a_sign_in_says_so() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new()).await });
    let refused = SignIn::begin(&url, Arc::new(Tokens::default()))
        .await
        .err()
        .unwrap();
    assert!(
        matches!(refused, McpError::NoSignIn | McpError::SignInFailed(_)),
        "{refused}"
    );
}
