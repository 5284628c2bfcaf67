//! Search providers for tests, each in its own shape on the wire. A shape is a path, a header for the key, parameters,
//! answers with parts that nobody reads, and ways to refuse.
//!
//! A key that is not [`KEY`] is refused as the provider refuses one, and repeated in what is said against it.

use crate::wire::{Request, answer};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// The only key that is taken.
pub const KEY: &str = "right-key-0123456789";

/// Whose shape is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Searxng,
    Brave,
    Tavily,
    Bing,
}

/// What a search with a right key gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Results,
    TooOften,
    UsedUp,
    Trouble,
    /// A page for people, as a proxy in between shows one.
    Page,
    Redirect,
}

struct State {
    turn: Turn,
    /// Title, address and text; an empty part is left out.
    hits: Vec<[String; 3]>,
    requests: Vec<Request>,
}

/// A running provider. Dropping it leaves its thread to end with the test program.
pub struct SearchServer {
    address: String,
    state: Arc<Mutex<State>>,
}

impl SearchServer {
    /// Starts a provider of that shape on a free port, which finds nothing yet.
    ///
    /// # Panics
    /// When no port can be opened.
    #[must_use]
    pub fn start(shape: Shape) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = Arc::new(Mutex::new(State {
            turn: Turn::Results,
            hits: Vec::new(),
            requests: Vec::new(),
        }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away in the middle wants no answer.
                drop(converse(stream, shape, &shared));
            }
        });
        Self { address, state }
    }

    /// The whole address of a path.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Finds these from now on: title, address and text.
    pub fn finds(&self, hits: &[[&str; 3]]) {
        self.state.lock().hits = hits.iter().map(|hit| hit.map(str::to_owned)).collect();
    }

    /// Answers so from now on.
    pub fn turns(&self, turn: Turn) {
        self.state.lock().turn = turn;
    }

    /// What was asked, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().requests.clone()
    }
}

/// Status, headers and body of an answer.
type Told = (&'static str, Vec<(&'static str, &'static str)>, String);

fn converse(mut stream: TcpStream, shape: Shape, state: &Mutex<State>) -> std::io::Result<()> {
    let Some(request) = Request::read(&mut stream)? else {
        return Ok(());
    };
    let (status, mut headers, body) = {
        let mut state = state.lock();
        state.requests.push(request.clone());
        told(shape, &request, &state)
    };
    if !headers.iter().any(|(name, _)| *name == "Content-Type") {
        headers.push(("Content-Type", "application/json; charset=utf-8"));
    }
    stream.write_all(&answer(status, &headers, body.as_bytes()))
}

fn told(shape: Shape, request: &Request, state: &State) -> Told {
    let (method, path) = match shape {
        Shape::Searxng => ("GET", "/search"),
        Shape::Brave => ("GET", "/res/v1/web/search"),
        Shape::Tavily => ("POST", "/search"),
        Shape::Bing => ("GET", "/v7.0/search"),
    };
    if request.path() != path {
        return ("404 Not Found", Vec::new(), "{}".to_owned());
    }
    if request.method != method {
        return ("405 Method Not Allowed", Vec::new(), "{}".to_owned());
    }
    if let Some(refused) = of_key(shape, request).or_else(|| of_query(shape, request)) {
        return refused;
    }
    match state.turn {
        Turn::Results => (
            "200 OK",
            Vec::new(),
            results(shape, request, &state.hits).to_string(),
        ),
        Turn::TooOften => too_often(shape),
        Turn::UsedUp => used_up(shape),
        Turn::Trouble => ("503 Service Unavailable", Vec::new(), "upstream".to_owned()),
        Turn::Page => (
            "200 OK",
            vec![("Content-Type", "text/html")],
            "<p>Sign in".to_owned(),
        ),
        Turn::Redirect => (
            "302 Found",
            vec![("Location", "http://127.0.0.1:9/elsewhere")],
            String::new(),
        ),
    }
}

/// What a provider says against the key, if anything. Each repeats it.
fn of_key(shape: Shape, request: &Request) -> Option<Told> {
    let key = match shape {
        Shape::Searxng => return None,
        Shape::Brave => request.header("x-subscription-token"),
        Shape::Tavily => request.header("authorization").trim_start_matches("Bearer "),
        Shape::Bing => request.header("ocp-apim-subscription-key"),
    };
    if key == KEY {
        return None;
    }
    let said = format!("The key {key} is not recognized");
    Some(match shape {
        Shape::Searxng | Shape::Brave => (
            "422 Unprocessable Entity",
            Vec::new(),
            brave_error(
                422,
                "SUBSCRIPTION_TOKEN_INVALID",
                &said,
                &json!({"component": "authentication"}),
            ),
        ),
        Shape::Tavily => (
            "401 Unauthorized",
            Vec::new(),
            json!({"detail": {"error": said}}).to_string(),
        ),
        Shape::Bing => (
            "401 Unauthorized",
            vec![("WWW-Authenticate", "AzureApiManagementKey")],
            json!({"error": {"code": "401", "message": said}}).to_string(),
        ),
    })
}

/// What a provider says against a query, if anything.
fn of_query(shape: Shape, request: &Request) -> Option<Told> {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let query = match shape {
        Shape::Tavily => body["query"].as_str().map(str::to_owned),
        Shape::Searxng | Shape::Brave | Shape::Bing => request.field("q"),
    };
    let query = query.unwrap_or_default();
    let is_wanted = !query.is_empty() && query.split(' ').count() <= 50;
    match shape {
        Shape::Searxng if request.field("format").as_deref() != Some("json") => Some((
            "200 OK",
            vec![("Content-Type", "text/html")],
            "<p>results".to_owned(),
        )),
        // So it answers where its operator gives pages alone.
        Shape::Searxng if query.contains("unformatted") => Some((
            "403 Forbidden",
            vec![("Content-Type", "text/html")],
            "<h1>Forbidden".to_owned(),
        )),
        Shape::Brave if !is_wanted => {
            let error = brave_error(
                422,
                "VALIDATION",
                "Unable to validate request parameter(s)",
                &json!({}),
            );
            Some(("422 Unprocessable Entity", Vec::new(), error))
        }
        Shape::Tavily if !is_wanted => {
            let error = json!({"detail": {"error": "Query is too long."}});
            Some(("400 Bad Request", Vec::new(), error.to_string()))
        }
        Shape::Searxng | Shape::Brave | Shape::Tavily | Shape::Bing => None,
    }
}

fn too_often(shape: Shape) -> Told {
    let status = "429 Too Many Requests";
    match shape {
        Shape::Searxng => (status, Vec::new(), "Too Many Requests".to_owned()),
        // Free plans of Brave allow one a second, and say when the next one may come in a header of their own.
        Shape::Brave => {
            let meta = json!({"plan": "Free", "rate_limit": 1, "rate_current": 1, "quota_limit": 2000,
                "quota_current": 15, "component": "rate_limiter"});
            let headers = vec![
                ("X-RateLimit-Limit", "1, 2000"),
                ("X-RateLimit-Remaining", "0, 1985"),
                ("X-RateLimit-Reset", "1, 1419704"),
            ];
            let error = brave_error(429, "RATE_LIMITED", "Request rate limit exceeded for plan", &meta);
            (status, headers, error)
        }
        Shape::Tavily => {
            let error = json!({"detail": {"error": "Too many requests in this minute."}});
            (status, vec![("Retry-After", "30")], error.to_string())
        }
        Shape::Bing => {
            let error = json!({"error": {"code": "429", "message": "Rate limit is exceeded. Try again in 5 seconds."}});
            (status, vec![("Retry-After", "5")], error.to_string())
        }
    }
}

fn used_up(shape: Shape) -> Told {
    match shape {
        Shape::Searxng | Shape::Brave => {
            let meta = json!({"plan": "Free", "rate_limit": 1, "rate_current": 0, "quota_limit": 2000,
                "quota_current": 2000, "component": "rate_limiter"});
            let error = brave_error(429, "RATE_LIMITED", "Request quota exceeded for plan", &meta);
            ("429 Too Many Requests", Vec::new(), error)
        }
        // A number of its own for the limit of a plan.
        Shape::Tavily => {
            let error = json!({"detail": {"error": "The usage limit of this plan is reached."}});
            ("432 Usage Limit", Vec::new(), error.to_string())
        }
        Shape::Bing => {
            let error = json!({"_type": "ErrorResponse", "errors": [
                {"code": "RateLimitExceeded", "message": "The quota of this month is reached."}]});
            ("403 Forbidden", Vec::new(), error.to_string())
        }
    }
}

fn brave_error(status: u16, code: &str, detail: &str, meta: &Value) -> String {
    let error = json!({"id": "5f8c", "status": status, "code": code, "detail": detail, "meta": meta});
    json!({"type": "ErrorResponse", "error": error, "time": 1_764_470_000}).to_string()
}

/// An answer with as many of the hits as were asked for.
fn results(shape: Shape, request: &Request, hits: &[[String; 3]]) -> Value {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let count = match shape {
        Shape::Searxng => None,
        Shape::Tavily => body["max_results"].as_u64(),
        Shape::Brave | Shape::Bing => request.field("count").and_then(|count| count.parse().ok()),
    };
    let count = count.map_or(hits.len(), |count| usize::try_from(count).unwrap_or(0));
    let list: Vec<Value> = hits.iter().take(count).map(|hit| item(shape, hit)).collect();
    let is_empty = list.is_empty();
    match shape {
        Shape::Searxng => json!({"query": request.field("q"), "number_of_results": 0, "results": list,
            "answers": [], "suggestions": [], "unresponsive_engines": []}),
        Shape::Tavily => {
            json!({"query": body["query"], "follow_up_questions": null, "answer": null, "images": [],
            "results": list, "response_time": 0.67, "request_id": "1f"})
        }
        // Both leave the list out where nothing was found.
        Shape::Brave if is_empty => json!({"type": "search", "query": {"original": request.field("q")}}),
        Shape::Brave => json!({"type": "search",
            "query": {"original": request.field("q"), "more_results_available": true},
            "mixed": {"type": "mixed", "main": [{"type": "web", "index": 0, "all": false}]},
            "web": {"type": "search", "results": list, "family_friendly": true}}),
        Shape::Bing if is_empty => json!({"_type": "SearchResponse",
            "queryContext": {"originalQuery": request.field("q")}}),
        Shape::Bing => {
            json!({"_type": "SearchResponse", "queryContext": {"originalQuery": request.field("q")},
            "webPages": {"webSearchUrl": "https://bing.example/", "totalEstimatedMatches": 81_300, "value": list},
            "rankingResponse": {"mainline": {"items": []}}})
        }
    }
}

/// A hit with the names that its provider has for its parts, and with others beside them.
fn item(shape: Shape, [title, url, text]: &[String; 3]) -> Value {
    let (mut item, names) = match shape {
        Shape::Searxng => (
            json!({"engine": "test", "score": 1.0, "category": "general"}),
            ["title", "url", "content"],
        ),
        Shape::Brave => (
            json!({"type": "search_result", "subtype": "generic", "language": "en", "family_friendly": true,
                "profile": {"name": "Someone", "url": "https://other.example/"},
                "meta_url": {"scheme": "https", "hostname": "other.example"}, "extra_snippets": ["More"]}),
            ["title", "url", "description"],
        ),
        Shape::Tavily => (
            json!({"score": 0.81, "raw_content": null, "favicon": "https://other.example/favicon.ico"}),
            ["title", "url", "content"],
        ),
        Shape::Bing => (
            json!({"id": "https://bing.example/#1", "isFamilyFriendly": true, "displayUrl": "other.example › x",
                "dateLastCrawled": "2026-11-01T00:00:00.0000000Z", "language": "en"}),
            ["name", "url", "snippet"],
        ),
    };
    for (name, value) in names.into_iter().zip([title, url, text]) {
        if !value.is_empty() {
            item[name] = json!(value);
        }
    }
    item
}
