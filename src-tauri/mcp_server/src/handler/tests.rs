//! Both eras of the protocol over lines, with something to serve that is not Shidi's.

use super::*;
use crate::changes::Change;
use crate::lines::Lines;
use crate::questions::{Question, QuestionKind, Questions};
use async_trait::async_trait;
use rmcp::ServiceExt;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, Resource, ResourceContents};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio_util::sync::CancellationToken;

/// Longest wait for a message that comes at once.
const WAIT: Duration = Duration::from_secs(20);

/// Tools that use each way back to the client, and more of them than a page holds.
struct Stage;

fn tool(name: String) -> Tool {
    Tool::new(name, "A tool of the tests", Arc::new(JsonObject::new()))
}

fn name() -> Questions {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let params = json!({"message": "Your name?", "requestedSchema": schema});
    let question = Question::new(QuestionKind::Elicitation, params);
    [("name".to_owned(), question)].into()
}

fn colour() -> Questions {
    let params = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "A colour?"}}],
        "maxTokens": 10});
    let question = Question::new(QuestionKind::Sampling, params);
    [("colour".to_owned(), question)].into()
}

#[async_trait]
impl Offer for Stage {
    fn config(&self) -> ServerConfig {
        let can = json!({"tools": {"listChanged": true}, "logging": {},
            "resources": {"subscribe": true}});
        ServerConfig::new(serde_json::from_value(can).unwrap())
            .with_server_info(Implementation::new("stage", "1"))
    }

    fn tool(&self, _name: &str) -> Option<Tool> {
        None
    }

    async fn tools(&self, _exchange: &Exchange) -> Result<Vec<Tool>, ErrorData> {
        Ok((0..150).map(|number| tool(format!("tool{number}"))).collect())
    }

    async fn call(
        &self,
        called: &str,
        _arguments: JsonObject,
        exchange: &Exchange,
    ) -> Result<CallToolResult, Halt> {
        let said = match called {
            "greet" => {
                let name = exchange.ask(name()).await?["name"]["content"]["name"].clone();
                let colour = exchange.ask(colour()).await?["colour"]["content"]["text"].clone();
                format!("{} likes {}", name.as_str().unwrap(), colour.as_str().unwrap())
            }
            "talk" => {
                exchange.log(Severity::Debug, "stage", json!("low")).await;
                exchange.log(Severity::Error, "stage", json!("high")).await;
                "said".to_owned()
            }
            "change" => {
                exchange.announce(Change::Tools);
                exchange.announce(Change::Resource("stage:one".to_owned()));
                "changed".to_owned()
            }
            other => return Err(ErrorData::invalid_params(format!("No {other}"), None).into()),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(said)]))
    }

    async fn resources(&self, _exchange: &Exchange) -> Result<Vec<Resource>, ErrorData> {
        Ok(vec![Resource::new("stage:one", "One")])
    }

    async fn resource(
        &self,
        address: &str,
        _exchange: &Exchange,
    ) -> Result<Option<Vec<ResourceContents>>, Halt> {
        Ok((address == "stage:one").then(|| vec![ResourceContents::text("one", address)]))
    }
}

/// A client that reads and writes messages as they are.
struct Client {
    lines: BufReader<DuplexStream>,
    number: u64,
}

impl Client {
    fn start() -> Self {
        let (near, far) = duplex(1 << 20);
        let (reader, writer) = tokio::io::split(far);
        let handler = Handler::new(Arc::new(Stage), Language::En);
        let lines = Lines::new(reader, writer, CancellationToken::new(), Language::En);
        tokio::spawn(async move {
            if let Ok(running) = handler.serve(lines).await {
                running.waiting().await.ok();
            }
        });
        Self {
            lines: BufReader::new(near),
            number: 0,
        }
    }

    /// One of the older era, after its greeting.
    async fn greeted(declared: Value) -> Self {
        let mut client = Self::start();
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": declared,
            "clientInfo": {"name": "Zed", "version": "1"}});
        let greeted = client.request("initialize", about).await;
        assert_eq!(greeted["result"]["serverInfo"]["name"], "stage", "{greeted}");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        client.write(&ready).await;
        client
    }

    async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.lines.get_mut().write_all(line.as_bytes()).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let mut line = String::new();
        let read = tokio::time::timeout(WAIT, self.lines.read_line(&mut line)).await;
        assert!(read.unwrap().unwrap() > 0, "the server is gone");
        serde_json::from_str(&line).unwrap()
    }

    async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.number += 1;
        let number = self.number;
        let request = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        self.write(&request).await;
        number
    }

    /// The answer; nothing else may come before it.
    async fn request(&mut self, method: &str, params: Value) -> Value {
        let number = self.send(method, params).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], number, "{answer}");
        answer
    }

    /// The same in the newer era, where each request says all of itself.
    async fn newer(&mut self, method: &str, mut params: Value, declared: Value) -> Value {
        params["_meta"] = meta(declared);
        self.request(method, params).await
    }
}

fn meta(declared: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "Zed", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": declared,
    })
}

fn both() -> Value {
    json!({"elicitation": {}, "sampling": {}})
}

fn form() -> Value {
    json!({"action": "accept", "content": {"name": "Ann"}})
}

fn blue() -> Value {
    json!({"role": "assistant", "content": {"type": "text", "text": "blue"}, "model": "m"})
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| unreachable!("{answer}"))
}

#[tokio::test]
async fn lists_come_in_pages_and_a_cursor_of_nobody_is_refused() {
    let mut client = Client::greeted(json!({})).await;
    let first = client.request("tools/list", json!({})).await;
    assert_eq!(first["result"]["tools"].as_array().unwrap().len(), 100);
    let cursor = first["result"]["nextCursor"].clone();
    let second = client.request("tools/list", json!({"cursor": cursor})).await;
    assert_eq!(second["result"]["tools"].as_array().unwrap().len(), 50);
    assert_eq!(second["result"]["nextCursor"], Value::Null);
    let refused = client.request("tools/list", json!({"cursor": "x"})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn what_is_not_declared_is_no_method_and_what_can_t_be_read_is_named() {
    let mut client = Client::greeted(json!({})).await;
    for method in ["prompts/list", "completion/complete", "burn"] {
        let refused = client.request(method, json!({})).await;
        assert_eq!(refused["error"]["code"], -32601, "{method}: {refused}");
    }
    let refused = client.request("resources/read", json!({"uri": 1})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let missing = client
        .request("resources/read", json!({"uri": "stage:two"}))
        .await;
    assert_eq!(missing["error"]["data"]["uri"], "stage:two", "{missing}");
    let read = client
        .request("resources/read", json!({"uri": "stage:one"}))
        .await;
    assert_eq!(read["result"]["contents"][0]["text"], "one", "{read}");
}

#[tokio::test]
async fn in_the_older_era_a_question_goes_to_the_client_and_is_waited_for() {
    let mut client = Client::greeted(both()).await;
    let number = client.send("tools/call", json!({"name": "greet"})).await;
    for (method, answer) in [("elicitation/create", form()), ("sampling/createMessage", blue())] {
        let asked = client.next().await;
        assert_eq!(asked["method"], method, "{asked}");
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer});
        client.write(&answer).await;
    }
    let done = client.next().await;
    assert_eq!((&done["id"], text(&done)), (&json!(number), "Ann likes blue"));
}

#[tokio::test]
async fn a_client_is_asked_nothing_that_it_has_not_declared() {
    let mut client = Client::greeted(json!({"sampling": {}})).await;
    let refused = client.request("tools/call", json!({"name": "greet"})).await;
    let required = &refused["error"]["data"]["requiredCapabilities"];
    assert_eq!(*required, json!({"elicitation": {}}), "{refused}");
    let mut newer = Client::start();
    let refused = newer
        .newer("tools/call", json!({"name": "greet"}), json!({"sampling": {}}))
        .await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
}

#[tokio::test]
async fn in_the_newer_era_a_question_is_a_result_and_each_answer_is_given_once() {
    let mut client = Client::start();
    let call = json!({"name": "greet", "arguments": {}});
    let first = client.newer("tools/call", call.clone(), both()).await["result"].clone();
    assert_eq!(first["resultType"], "input_required", "{first}");
    assert_eq!(
        first["inputRequests"]["name"]["method"], "elicitation/create",
        "{first}"
    );
    let mut again = call.clone();
    again["inputResponses"] = json!({"name": form(), "other": 1});
    again["requestState"] = first["requestState"].clone();
    let second = client.newer("tools/call", again, both()).await["result"].clone();
    assert_eq!(
        second["inputRequests"]["colour"]["method"], "sampling/createMessage",
        "{second}"
    );
    assert_ne!(second["requestState"], first["requestState"]);
    let mut last = call;
    last["inputResponses"] = json!({"colour": blue()});
    last["requestState"] = second["requestState"].clone();
    let done = client.newer("tools/call", last.clone(), both()).await;
    assert_eq!(text(&done), "Ann likes blue");

    last["arguments"] = json!({"else": 1});
    let refused = client.newer("tools/call", last, both()).await;
    assert_eq!(refused["error"]["code"], -32602, "another request: {refused}");
}

#[tokio::test]
async fn an_answer_that_is_none_is_asked_for_again() {
    let mut client = Client::start();
    for answer in [json!({"name": 12345}), json!({"wrong": form()}), Value::Null] {
        let call = json!({"name": "greet", "inputResponses": answer});
        let again = client.newer("tools/call", call, both()).await;
        assert!(again["result"]["inputRequests"]["name"].is_object(), "{again}");
    }
    let call = json!({"name": "greet", "requestState": "made.up"});
    let refused = client.newer("tools/call", call, both()).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn the_log_is_said_from_the_level_that_was_wished_for() {
    let mut client = Client::greeted(json!({})).await;
    for (level, heard) in [("debug", 2), ("error", 1), ("emergency", 0)] {
        let set = client.request("logging/setLevel", json!({"level": level})).await;
        assert_eq!(set["result"], json!({}), "{set}");
        let number = client.send("tools/call", json!({"name": "talk"})).await;
        let mut messages = Vec::new();
        let mut message = client.next().await;
        while message["id"] != number {
            assert_eq!(message["method"], "notifications/message", "{message}");
            messages.push(message["params"]["data"].clone());
            message = client.next().await;
        }
        assert_eq!(messages.len(), heard, "{level}: {messages:?}");
    }
    let mut newer = Client::start();
    let quiet = newer
        .newer("tools/call", json!({"name": "talk"}), json!({}))
        .await;
    assert_eq!(text(&quiet), "said");
    let refused = newer
        .newer("logging/setLevel", json!({"level": "info"}), json!({}))
        .await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
}

#[tokio::test]
async fn a_client_of_the_older_era_hears_of_changes_and_of_resources_that_it_follows() {
    let mut client = Client::greeted(json!({})).await;
    for method in [
        "resources/subscribe",
        "resources/unsubscribe",
        "resources/subscribe",
    ] {
        let done = client.request(method, json!({"uri": "stage:one"})).await;
        assert_eq!(done["result"], json!({}), "{done}");
    }
    let number = client.send("tools/call", json!({"name": "change"})).await;
    let mut methods = Vec::new();
    for _ in 0..3 {
        let message = client.next().await;
        if message["id"] != number {
            methods.push(message["method"].as_str().unwrap().to_owned());
        }
    }
    let expected = [
        "notifications/tools/list_changed",
        "notifications/resources/updated",
    ];
    assert_eq!(methods, expected);
}

#[tokio::test]
async fn a_client_of_the_newer_era_hears_only_of_what_it_subscribed_to() {
    let mut client = Client::start();
    let wished = json!({"notifications": {"toolsListChanged": true}, "_meta": meta(json!({}))});
    let listening = client.send("subscriptions/listen", wished).await;
    let begun = client.next().await;
    assert_eq!(
        begun["method"], "notifications/subscriptions/acknowledged",
        "{begun}"
    );
    let call = json!({"name": "change", "_meta": meta(json!({}))});
    let number = client.send("tools/call", call).await;
    let mut changes = Vec::new();
    for _ in 0..2 {
        let message = client.next().await;
        if message["id"] != number {
            changes.push(message);
        }
    }
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["method"], "notifications/tools/list_changed");
    let id = &changes[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*id, json!(listening));
}
