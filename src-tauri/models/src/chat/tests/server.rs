//! A server that sends exactly the scripted bytes, one script per request, and records the requests.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// One thing that the server does while it answers.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Send(Vec<u8>),
    /// Waits, in milliseconds.
    Pause(u64),
    /// Keeps the connection open until the client closes it.
    Hang,
}

#[derive(Debug, Clone)]
pub(crate) struct RecordedRequest {
    pub line: String,
    pub headers: String,
    pub body: String,
}

pub(crate) struct Server {
    pub base_url: String,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
    hung_up: Arc<Notify>,
}

impl Server {
    /// Answers each request with its script; a request without a script gets no answer.
    pub(crate) async fn answering(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let hung_up = Arc::new(Notify::new());
        let server = Self {
            base_url,
            asked: Arc::clone(&asked),
            hung_up: Arc::clone(&hung_up),
        };
        tokio::spawn(async move {
            for script in scripts {
                let (mut stream, _) = listener.accept().await.expect("a connection");
                let request = read(&mut stream).await;
                asked.lock().push(request);
                if perform(&mut stream, script).await == Hung::Up {
                    hung_up.notify_one();
                }
            }
        });
        server
    }

    pub(crate) fn asked(&self) -> Vec<RecordedRequest> {
        self.asked.lock().clone()
    }

    /// Waits until the client has closed a connection on which the server hangs.
    pub(crate) async fn hung_up(&self) {
        self.hung_up.notified().await;
    }
}

#[derive(PartialEq, Eq)]
enum Hung {
    Up,
    No,
}

async fn perform(stream: &mut TcpStream, script: Vec<Act>) -> Hung {
    for act in script {
        match act {
            Act::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return Hung::Up;
                }
                stream.flush().await.expect("sent");
            }
            Act::Pause(pause_ms) => tokio::time::sleep(Duration::from_millis(pause_ms)).await,
            Act::Hang => {
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
                return Hung::Up;
            }
        }
    }
    Hung::No
}

async fn read(stream: &mut TcpStream) -> RecordedRequest {
    let mut bytes = Vec::new();
    let head = loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.expect("a request");
        bytes.extend_from_slice(&piece[..read]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        assert!(read > 0, "the request ended early");
    };
    let headers = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let length = headers
        .lines()
        .find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length:")
                .map(|value| value.trim().to_owned())
        })
        .map_or(0, |value| value.parse().expect("a length"));
    let mut body = bytes.split_off(head + 4);
    while body.len() < length {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.expect("a body");
        assert!(read > 0, "the body ended early");
        body.extend_from_slice(&piece[..read]);
    }
    let line = headers.lines().next().unwrap_or_default().to_owned();
    RecordedRequest {
        line,
        headers: headers.to_lowercase(),
        body: String::from_utf8(body).expect("UTF-8"),
    }
}

/// A head after which the body lasts until the connection closes.
pub(crate) fn head(status: &str, headers: &str) -> Act {
    Act::Send(format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n").into_bytes())
}

/// A whole answer with a status.
pub(crate) fn whole(status: &str, headers: &str, body: &str) -> Vec<Act> {
    vec![
        head(status, &format!("content-length: {}\r\n{headers}", body.len())),
        Act::Send(body.as_bytes().to_vec()),
    ]
}

/// A stream of events, each given as its data.
pub(crate) fn events(data: &[&str]) -> Vec<Act> {
    let body: String = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    vec![
        head("200 OK", "content-type: text/event-stream\r\n"),
        Act::Send(body.into_bytes()),
    ]
}

/// The data of a piece of text.
pub(crate) fn text(text: &str) -> String {
    serde_json::json!({"id": "1", "model": "m-1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string()
}

pub(crate) const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
pub(crate) const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#;
pub(crate) const DONE: &str = "[DONE]";
