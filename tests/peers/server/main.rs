//! An MCP server written by hand, which does what it is told and, on demand, what none should: for the tests alone.
//!
//! Arguments say how it behaves: `--modern` speaks the revision without a handshake, `--mute` never answers, `--dies`
//! ends at once, `--library` has resources and prompts and no tools, `--slow` reads them for a long time, `--lister` has a
//! tool called `list_resources` beside them, `--touchy` ends when it is asked about a newer revision, `--chatty` writes lines that are no messages, `--many` offers 300 tools in three pages, `--names` names that
//! collide, `--pictures` tools that draw and record, `--cycles` schemas that contain themselves, `--asks` tools that ask in the
//! middle of a call (`asking.rs`), `--logs` writes errors and tells of its calls. What it was called with is added to the file in `SHIDI_TEST_NOTES`; `SHIDI_TEST_TEXT`
//! is what it says wherever it has something to say.

#![expect(clippy::expect_used, reason = "a test stops where it fails")]

mod asking;

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

const MODERN: &str = "2026-07-28";
/// How the newest revision calls a result that wants something first.
const MODERN_INPUT: &str = "input_required";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
/// Bytes of the result that nobody wants.
const LONG_BYTES: usize = 50 << 20;
/// Longer than anybody waits.
const LONG: Duration = Duration::from_secs(30);
/// Tools of one that has too many, and how many of them stand on a page.
const MANY: usize = 300;
const MANY_ON_A_PAGE: usize = 100;

/// The smallest picture, as PNG.
const DRAWN: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

struct Server {
    manners: BTreeSet<String>,
    has_more: AtomicBool,
    subscription: Mutex<Option<Value>>,
    /// Requests of its own that wait for an answer.
    asked: Mutex<BTreeMap<String, Sender<Value>>>,
    requests: AtomicU64,
}

fn main() {
    let server = Arc::new(Server {
        manners: std::env::args().skip(1).collect(),
        has_more: AtomicBool::new(false),
        subscription: Mutex::new(None),
        asked: Mutex::default(),
        requests: AtomicU64::new(0),
    });
    if server.has("--dies") {
        eprintln!("Missing environment variable TEST_TOKEN");
        std::process::exit(3);
    }
    if server.has("--logs") {
        eprintln!("\u{1b}[32mready\u{1b}[0m for \u{7}work");
    }
    if server.has("--chatty") {
        say("Server running on stdio\n\n[info] {\"not\": \"a message\"}");
    }
    for line in std::io::stdin().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line.expect("a line")) else {
            continue;
        };
        let server = Arc::clone(&server);
        // A call that takes its time keeps no other from being answered.
        std::thread::spawn(move || server.hear(&message));
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").expect("somebody listens");
    out.flush().expect("somebody listens");
}

fn text() -> String {
    told().unwrap_or_else(|| "What it does is plain.".to_owned())
}

/// What the test has told it to say.
fn told() -> Option<String> {
    std::env::var("SHIDI_TEST_TEXT").ok()
}

/// What a server without tools has to read, in two pages, and the questions that it has prepared.
fn read(method: &str, params: &Value) -> Result<Value, (i32, String)> {
    let resource = |uri: &str, name: &str| {
        let mut resource = json!({"uri": uri, "name": name, "mimeType": "text/markdown"});
        if let Some(text) = told() {
            resource["description"] = json!(text);
        }
        resource
    };
    let about = told().unwrap_or_else(|| "Reviews a text.".to_owned());
    let answer = told().unwrap_or_else(|| "Gladly.".to_owned());
    match method {
        "resources/list" if params["cursor"].is_null() => {
            Ok(json!({"resources": [resource("notes://one", "One")], "nextCursor": "2"}))
        }
        "resources/list" => Ok(json!({"resources": [resource("notes://two", "Two")]})),
        "resources/templates/list" => {
            Ok(json!({"resourceTemplates": [{"uriTemplate": "notes://{day}", "name": "A day"}]}))
        }
        "resources/read" => match params["uri"].as_str() {
            Some(uri @ ("notes://one" | "notes://two")) => Ok(json!({"contents": [
                {"uri": uri, "mimeType": "text/markdown", "text": text()},
                {"uri": "notes://picture", "mimeType": "image/png", "blob": "aGVsbG8="},
            ]})),
            Some(uri @ "notes://drawn") => Ok(json!({"contents": [{"uri": uri, "blob": DRAWN}]})),
            Some(uri @ "notes://archive") => Ok(json!({"contents": [
                {"uri": uri, "mimeType": "application/zip", "blob": "aGVsbG8="},
            ]})),
            _ => Err((-32002, "Resource not found".to_owned())),
        },
        "prompts/list" => Ok(json!({"prompts": [{"name": "review", "description": about,
            "arguments": [{"name": "of", "required": true}]}]})),
        _ => Ok(json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": format!("Review {}", params["arguments"]["of"])}},
            {"role": "assistant", "content": {"type": "text", "text": answer}},
        ]})),
    }
}

impl Server {
    fn has(&self, manner: &str) -> bool {
        self.manners.contains(manner)
    }

    fn hear(&self, message: &Value) {
        let (id, params) = (&message["id"], &message["params"]);
        let method = message["method"].as_str().unwrap_or_default();
        if self.has("--slow") && method == "notifications/cancelled" {
            note("cancelled", params);
        }
        if self.has("--mute") || self.hear_client(message) || id.is_null() {
            return;
        }
        if self.has("--chatty") {
            say("[debug] heard something");
        }
        if self.has("--logs") && matches!(method, "tools/call" | "prompts/get") {
            self.tell_of_call(params);
        }
        let answered = match method {
            "server/discover" if self.has("--touchy") => std::process::exit(1),
            "server/discover" if self.has("--modern") => Ok(json!({
                "resultType": "complete", "supportedVersions": [MODERN], "capabilities": self.capabilities(),
                "ttlMs": 0, "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "shidi-test", "version": "1"}},
            })),
            "initialize" if !self.has("--modern") => Ok(json!({
                "protocolVersion": params["protocolVersion"], "capabilities": self.capabilities(),
                "serverInfo": {"name": "shidi-test", "version": "1"},
            })),
            "subscriptions/listen" if self.has("--modern") => return self.subscribe(id, params),
            "resources/list"
            | "resources/templates/list"
            | "resources/read"
            | "prompts/list"
            | "prompts/get"
                if self.has("--library") =>
            {
                note(method, params);
                if self.has("--slow") && method == "resources/read" {
                    std::thread::sleep(LONG);
                }
                read(method, params)
            }
            "tools/list" if self.has("--lister") => Ok(self.whole(json!({"tools": [
                {"name": "list_resources", "inputSchema": {"type": "object", "properties": {}}},
            ]}))),
            "tools/list" if self.has("--many") => Ok(self.whole(many(params))),
            "tools/list" if !self.has("--library") => Ok(self.whole(json!({"tools": self.tools()}))),
            "tools/call" => self.call(params),
            other => Err((-32601, format!("Method not found: {other}"))),
        };
        let answer = match answered {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        };
        say(&answer.to_string());
    }

    fn capabilities(&self) -> Value {
        if self.has("--lister") {
            json!({"tools": {}, "resources": {}, "prompts": {}})
        } else if self.has("--library") {
            json!({"resources": {}, "prompts": {}})
        } else if self.has("--logs") {
            json!({"tools": {"listChanged": true}, "logging": {}})
        } else {
            json!({"tools": {"listChanged": true}})
        }
    }

    /// The result with what the newer revision wants in it.
    fn whole(&self, mut result: Value) -> Value {
        if self.has("--modern") {
            result["resultType"] = json!("complete");
            result["ttlMs"] = json!(60_000);
            result["cacheScope"] = json!("private");
        }
        result
    }

    fn subscribe(&self, id: &Value, params: &Value) {
        *self.subscription.lock() = Some(id.clone());
        let wanted = &params["notifications"];
        say(
            &json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": wanted, "_meta": {SUBSCRIPTION: id}}})
            .to_string(),
        );
    }

    fn tools(&self) -> Vec<Value> {
        let tool = |name: &str, doc: &str, properties: Value, required: Value| {
            json!({"name": name, "description": doc,
                "inputSchema": {"type": "object", "properties": properties, "required": required}})
        };
        let plain = text();
        let mut tools = vec![
            tool(
                "add",
                "Adds two numbers.",
                json!({"a": {"type": "number"}, "b": {"type": "number"}}),
                json!(["a", "b"]),
            ),
            tool(
                "send-note",
                &plain,
                json!({"to": {"type": "string", "description": plain}, "note-text": {"type": "string"}}),
                json!(["to", "note-text"]),
            ),
            tool("read_text", "Gives a text.", json!({}), json!([])),
            tool("fail", "Fails and says why.", json!({}), json!([])),
            tool("environment", "Names of its environment.", json!({}), json!([])),
            tool(
                "wait",
                "Takes its time.",
                json!({"seconds": {"type": "number"}}),
                json!(["seconds"]),
            ),
            tool("die", "Ends in the middle.", json!({}), json!([])),
            tool("long", "Answers at great length.", json!({}), json!([])),
            tool("grow", "Offers one tool more.", json!({}), json!([])),
        ];
        if self.has("--asks") {
            tools.extend(asking::tools());
        }
        if self.has("--names") {
            tools.extend(
                ["read.text", "read-text", "class"].map(|name| tool(name, name, json!({}), json!([]))),
            );
        }
        if self.has("--pictures") {
            tools.push(tool("draw", "Draws a chart.", json!({}), json!([])));
            tools.push(tool("record", "Records a sound.", json!({}), json!([])));
        }
        if self.has("--cycles") {
            let node = json!({"type": "object", "properties": {"next": {"$ref": "#/properties/node"},
                "self": {"$ref": "#"}}});
            tools.push(tool(
                "cycle",
                "Walks in circles.",
                json!({"node": node}),
                json!(["node"]),
            ));
        }
        if self.has_more.load(Ordering::SeqCst) {
            tools.push(tool("grown", "Was not there before.", json!({}), json!([])));
        }
        tools
    }

    fn call(&self, params: &Value) -> Result<Value, (i32, String)> {
        let (name, args) = (params["name"].as_str().unwrap_or_default(), &params["arguments"]);
        note(name, args);
        if let Some(asked) = self.asking(name, params) {
            return Ok(asked);
        }
        let plain = |text: String| self.whole(json!({"content": [{"type": "text", "text": text}]}));
        match name {
            "add" => {
                let sum = args["a"].as_f64().unwrap_or_default() + args["b"].as_f64().unwrap_or_default();
                Ok(plain(format!("{sum}")))
            }
            "send-note" => Ok(plain(format!(
                "sent to {}",
                args["to"].as_str().unwrap_or("nobody")
            ))),
            "read_text" => Ok(plain(text())),
            "fail" => {
                let mut result = plain(text());
                result["isError"] = json!(true);
                Ok(result)
            }
            "environment" => {
                let mut names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
                names.sort();
                Ok(plain(names.join(" ")))
            }
            "wait" => {
                std::thread::sleep(Duration::from_secs_f64(args["seconds"].as_f64().unwrap_or(1.0)));
                Ok(plain("waited".to_owned()))
            }
            "die" => {
                eprintln!("Segmentation fault, or so it seems");
                std::process::exit(11)
            }
            "long" => Ok(plain("x".repeat(LONG_BYTES))),
            "draw" => Ok(self.whole(json!({"content": [
                {"type": "text", "text": "A chart"},
                {"type": "image", "data": DRAWN, "mimeType": "text/html"},
                {"type": "image", "data": "IyEvYmluL3NoCg==", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "notes://data", "name": "data"},
            ]}))),
            "record" => Ok(self.whole(json!({"content": [
                {"type": "audio", "data": "UklGRgQAAABXQVZF", "mimeType": "text/html"},
                {"type": "resource", "resource": {"uri": "notes://../../run.sh", "mimeType": "application/pdf",
                    "blob": "IyEvYmluL3NoCg=="}},
            ]}))),
            "grow" => {
                self.has_more.store(true, Ordering::SeqCst);
                self.tell_of_change();
                Ok(plain("grown".to_owned()))
            }
            "read.text" | "read-text" | "class" | "cycle" | "grown" => Ok(plain(name.to_owned())),
            of_many if of_many.starts_with("many_") => Ok(plain(name.to_owned())),
            other => Err((-32602, format!("Unknown tool: {other}"))),
        }
    }

    /// A message for the log; in the newer revision only for a call that asks for it.
    fn tell_of_call(&self, params: &Value) {
        let level = &params["_meta"]["io.modelcontextprotocol/logLevel"];
        if self.has("--modern") && level != "info" {
            return;
        }
        let told =
            json!({"level": "warning", "logger": "calls", "data": format!("{}\nis called", params["name"])});
        say(&json!({"jsonrpc": "2.0", "method": "notifications/message", "params": told}).to_string());
    }

    fn tell_of_change(&self) {
        let mut news = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        if let Some(id) = &*self.subscription.lock() {
            news["params"] = json!({"_meta": {SUBSCRIPTION: id}});
        }
        say(&news.to_string());
    }
}

/// One page of more tools than anybody can choose from: `many_1` and so on.
fn many(params: &Value) -> Value {
    let cursor = params["cursor"].as_str().and_then(|cursor| cursor.parse().ok());
    let first: usize = cursor.unwrap_or(1);
    let after = first + MANY_ON_A_PAGE;
    let tool = |number: usize| {
        json!({"name": format!("many_{number}"), "description": format!("Is number {number}."),
            "inputSchema": {"type": "object", "properties": {}}})
    };
    let mut page = json!({"tools": (first..after).map(tool).collect::<Vec<_>>()});
    if after <= MANY {
        page["nextCursor"] = json!(after.to_string());
    }
    page
}

/// Adds what it was called with to the file of notes.
fn note(name: &str, args: &Value) {
    let Some(path) = std::env::var_os("SHIDI_TEST_NOTES") else {
        return;
    };
    let mut notes = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .expect("a file of notes");
    // One write, so that whoever is killed leaves a whole line or none.
    let line = format!("{}\n", json!({"tool": name, "args": args}));
    notes.write_all(line.as_bytes()).expect("a note");
}
