//! Servers at an address: one of others, and one written here that checks what it is sent and misbehaves on demand.

use super::asking::{accepted, answering};
use super::others_asking::called;
use super::signing_server::Tokens;
use super::{limits, tool};
use secrecy::SecretString;
use serde_json::{Value, json};
use shidi_mcp_client::{Era, Launch, McpError, Server, ServerSpec, TokenStore};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const SECRET: &str = "Bearer s3cret";

fn spec(url: &str, secret: Option<&str>) -> ServerSpec {
    let header = |secret: &str| ("Authorization".to_owned(), SecretString::from(secret));
    ServerSpec {
        name: "peer".to_owned(),
        launch: Launch::Url {
            url: url.to_owned(),
            headers: secret.map(header).into_iter().collect(),
            tokens: None,
        },
        era: Era::Auto,
    }
}

/// A server that wants the secret with every request; answers in plain JSON.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_ascii_lowercase());
    }
    let header = |name: &str| {
        head.iter()
            .find_map(|line| line.strip_prefix(name).map(str::trim))
    };
    let length = header("content-length:")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (status, said) = if header("authorization:") != Some("bearer s3cret") {
        ("401 Unauthorized", String::new())
    } else if head[0].starts_with("post /elsewhere") {
        (
            "307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/",
            String::new(),
        )
    } else if head[0].starts_with("post") {
        said(&serde_json::from_slice(&body).unwrap())
    } else {
        ("405 Method Not Allowed", String::new())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        said.len()
    );
    drop(stream.write_all(head.as_bytes()));
    drop(stream.write_all(said.as_bytes()));
}

/// What the server says to a message: status and body.
pub fn said(message: &Value) -> (&'static str, String) {
    let id = &message["id"];
    if id.is_null() {
        return ("202 Accepted", String::new());
    }
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "far", "version": "2"}}),
        "tools/list" => json!({"tools": [
            {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}},
            {"name": "long", "inputSchema": {"type": "object"}},
        ]}),
        "tools/call" => {
            let text = match message["params"]["name"].as_str() {
                Some("long") => "x".repeat(20 << 20),
                _ => message["params"]["arguments"]["text"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
            };
            json!({"content": [{"type": "text", "text": text}]})
        }
        other => {
            let error = json!({"code": -32601, "message": format!("Method not found: {other}")});
            return (
                "200 OK",
                json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string(),
            );
        }
    };
    (
        "200 OK",
        json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string(),
    )
}

#[tokio::test]
async fn the_secret_goes_with_every_request_and_answers_come_back_bounded() {
    let server = Server::connect(spec(&serve(), Some(SECRET)), limits())
        .await
        .unwrap();
    assert_eq!(
        server.about().await.unwrap(),
        ("far 2".to_owned(), "2025-11-25".to_owned())
    );
    let echo = tool(&server, "echo").await;
    let args = json!({"text": "你好"});
    let never = CancellationToken::new();
    let answered = server
        .call(&echo, args.as_object().unwrap().clone(), &never)
        .await;
    assert_eq!(answered.data, json!("你好"));
    let long = tool(&server, "long").await;
    let refused = server.call(&long, serde_json::Map::new(), &never).await;
    assert!(refused.error.unwrap().message.contains("longer than 8 MB"));
    let again = server.call(&echo, serde_json::Map::new(), &never).await;
    assert!(again.ok(), "{again:?}");
    server.close().await;
}

#[tokio::test]
async fn without_the_secret_it_is_a_sign_in_and_elsewhere_is_not_followed() {
    let url = serve();
    let refused = Server::connect(spec(&url, None), limits()).await.err().unwrap();
    assert_eq!(refused, McpError::SignIn);
    // Nobody is sent to sign in where a key was given: it is the key that is not taken.
    let wrong = Server::connect(spec(&url, Some("Bearer other")), limits()).await;
    let key = "Authorization".to_owned();
    assert_eq!(wrong.err(), Some(McpError::KeyRefused(key)));
    let moved = url.replace("/mcp", "/elsewhere");
    let moved = Server::connect(spec(&moved, Some(SECRET)), limits())
        .await
        .err()
        .unwrap();
    assert_eq!(moved, McpError::Status(307));
    let nobody = Server::connect(spec("http://127.0.0.1:9/mcp", None), limits())
        .await
        .err()
        .unwrap();
    assert!(matches!(nobody, McpError::Unreachable(_)), "{nobody}");
}

#[tokio::test]
async fn a_key_of_any_header_or_parameter_that_is_not_taken_is_told_as_that_and_wants_no_sign_in() {
    let url = serve();
    let keyed = |url: &str, header: &str| {
        let tokens = Arc::new(Tokens::default()) as Arc<dyn TokenStore>;
        ServerSpec {
            launch: Launch::Url {
                url: url.to_owned(),
                headers: [(header.to_owned(), SecretString::from("s3cret"))].into(),
                tokens: Some(tokens),
            },
            ..spec(url, None)
        }
    };
    let with_key = format!("{url}?api_key=s3cret");
    for (spec, wanted) in [
        (
            keyed(&url, "X-Api-Key"),
            McpError::KeyRefused("X-Api-Key".to_owned()),
        ),
        (
            keyed(&with_key, "X-Region"),
            McpError::KeyRefused("?api_key".to_owned()),
        ),
        // What is no key says nothing of who asks.
        (keyed(&url, "X-Region"), McpError::SignIn),
    ] {
        assert_eq!(Server::connect(spec, limits()).await.err(), Some(wanted));
    }
}

#[tokio::test]
async fn a_server_of_others_is_spoken_to_over_http() {
    let program = shidi_tests::folder().join("peers/mcp/node_modules/.bin/mcp-server-everything");
    if !program.exists() {
        println!("NOT RUN: mcp-server-everything is not installed (make setup)");
        return;
    }
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut running = std::process::Command::new(program)
        .arg("streamableHttp")
        .env("PORT", port.to_string())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let spec = spec(&format!("http://127.0.0.1:{port}/mcp"), None);
    let connected = async {
        loop {
            match Server::connect(spec.clone(), limits()).await {
                Ok(server) => break server,
                Err(McpError::Unreachable(_)) => tokio::time::sleep(Duration::from_millis(100)).await,
                Err(other) => panic!("{other}"),
            }
        }
    };
    let server = tokio::time::timeout(Duration::from_secs(30), connected)
        .await
        .unwrap();
    let echo = tool(&server, "echo").await;
    let args: BTreeMap<&str, &str> = [("message", "hello")].into();
    let args = json!(args).as_object().unwrap().clone();
    let answered = server.call(&echo, args, &CancellationToken::new()).await;
    assert_eq!(answered.data, json!("Echo: hello"));
    asks_over_http(&server).await;
    server.close().await;
    running.kill().unwrap();
    running.wait().unwrap();
}

/// What a server asks comes with the answer to the call that it is for; paths of this computer do not go to it.
async fn asks_over_http(server: &Server) {
    let task = answering(accepted(json!({"name": "Ada"})));
    let told = called(server, &task, "trigger-elicitation-request", json!({})).await;
    assert!(told.contains("Ada"), "{told}");
    let steps = json!({"duration": 1, "steps": 2});
    called(server, &task, "trigger-long-running-operation", steps).await;
    assert_eq!(task.told.lock().last().map(|last| last.done), Some(2.0));
    let tools = server.tools().await.unwrap();
    assert!(tools.iter().all(|tool| tool.name != "get-roots-list"));
}
