//! What the server asks in the middle of a call (`--asks`): folders, a person's answer, a model's; and how far it is.
//!
//! In the older revisions it sends requests of its own; in the newest one it answers the call with what it wants first.
//! `--nags` asks before any call, and `--loops` asks for ever.

use crate::{MODERN_INPUT, Server, note, say, told};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Longest wait for an answer of the client.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// The tools, with their parameters.
pub fn tools() -> Vec<Value> {
    let object = json!({"type": "object"});
    let number = json!({"type": "integer"});
    let tool = |name: &str, properties: Value| {
        json!({"name": name, "description": name,
            "inputSchema": {"type": "object", "properties": properties}})
    };
    let text = json!({"type": "string"});
    vec![
        tool(
            "ask_form",
            json!({"message": text, "schema": object, "times": number}),
        ),
        tool("ask_address", json!({"url": text})),
        tool("ask_model", json!({"params": object, "times": number})),
        tool("list_roots", json!({})),
        tool("work", json!({"steps": number, "pause_ms": number})),
    ]
}

impl Server {
    /// Takes an answer of the client to a request of ours, or its news; whether it was one of these.
    pub fn hear_client(&self, message: &Value) -> bool {
        match message["method"].as_str() {
            Some("notifications/initialized") if self.has("--nags") => {
                note("nagged", &self.request("elicitation/create", form(&json!({}))));
            }
            Some("notifications/initialized" | "notifications/roots/list_changed") if self.has("--asks") => {
                note("roots", &self.request("roots/list", Value::Null)["roots"]);
            }
            Some(_) => return false,
            None => {
                let waits = message["id"].as_str().and_then(|id| self.asked.lock().remove(id));
                let answer = if message["error"].is_null() {
                    &message["result"]
                } else {
                    &message["error"]
                };
                if let Some(waits) = waits {
                    waits.send(answer.clone()).unwrap_or_default(); // whoever waited may be gone
                }
            }
        }
        true
    }

    /// Asks the client, and waits for its answer.
    fn request(&self, method: &str, params: Value) -> Value {
        let id = format!("s{}", self.requests.fetch_add(1, Ordering::SeqCst));
        let (sender, answer) = channel();
        self.asked.lock().insert(id.clone(), sender);
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            request["params"] = params;
        }
        say(&request.to_string());
        answer
            .recv_timeout(ANSWER_WAIT)
            .unwrap_or_else(|_| json!({"error": "no answer came"}))
    }

    /// Performs one of these tools; `None` for any other.
    pub fn asking(&self, name: &str, params: &Value) -> Option<Value> {
        let args = &params["arguments"];
        let (method, asked) = match name {
            "ask_form" => ("elicitation/create", form(args)),
            "ask_address" => {
                let url =
                    json!({"mode": "url", "message": "Sign here", "url": args["url"], "elicitationId": "e1"});
                ("elicitation/create", url)
            }
            "ask_model" => ("sampling/createMessage", model(args)),
            "list_roots" => ("roots/list", Value::Null),
            "work" => return Some(self.whole_text(&work(params))),
            _ => return None,
        };
        if self.has("--modern") {
            let answered = &params["inputResponses"]["q"];
            if !answered.is_null() && !self.has("--loops") {
                return Some(self.whole_text(answered));
            }
            let mut request = json!({"method": method});
            if !asked.is_null() {
                request["params"] = asked;
            }
            return Some(
                json!({"resultType": MODERN_INPUT, "inputRequests": {"q": request}, "requestState": "s"}),
            );
        }
        let times = args["times"].as_u64().unwrap_or(1);
        let answers: Vec<Value> = (0..times).map(|_| self.request(method, asked.clone())).collect();
        Some(match answers.as_slice() {
            [one] => self.whole_text(one),
            all => self.whole_text(&json!(all)),
        })
    }

    fn whole_text(&self, answer: &Value) -> Value {
        self.whole(json!({"content": [{"type": "text", "text": answer.to_string()}]}))
    }
}

fn form(args: &Value) -> Value {
    let usual = json!({"type": "object", "properties": {"guests": {"type": "integer", "title": "Guests", "minimum": 1}},
        "required": ["guests"]});
    let schema = if args["schema"].is_object() {
        args["schema"].clone()
    } else {
        told().map_or(usual, |text| filled_in(&text))
    };
    let message = args["message"].as_str().unwrap_or("How many come?");
    json!({"message": message, "requestedSchema": schema})
}

/// A form that has a line of the text in each field already: whoever sends it sends that.
fn filled_in(text: &str) -> Value {
    let lines = text.lines().filter(|line| !line.is_empty()).zip(1..);
    let fields: serde_json::Map<String, Value> = lines
        .map(|(line, number)| {
            let field = json!({"type": "string", "title": format!("Line {number}"), "default": line});
            (format!("line_{number}"), field)
        })
        .collect();
    json!({"type": "object", "properties": fields})
}

fn model(args: &Value) -> Value {
    if args["params"].is_object() {
        return args["params"].clone();
    }
    let question = told().unwrap_or_else(|| "Which tea is it?".to_owned());
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": question}}],
        "systemPrompt": "You know teas.", "maxTokens": 100})
}

/// Tells how far it is, step by step.
fn work(params: &Value) -> Value {
    let args = &params["arguments"];
    let (steps, pause) = (
        args["steps"].as_u64().unwrap_or(3),
        args["pause_ms"].as_u64().unwrap_or(0),
    );
    for step in 1..=steps {
        let told = json!({"progressToken": params["_meta"]["progressToken"], "progress": step, "total": steps,
            "message": format!("step {step} \u{1b}[2J{}", "x".repeat(400))});
        say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}).to_string());
        std::thread::sleep(Duration::from_millis(pause));
    }
    json!({"steps": steps})
}
