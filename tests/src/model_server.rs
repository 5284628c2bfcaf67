//! A language model for tests: speaks OpenAI's wire format over real HTTP and answers what a script says.
//!
//! It keeps every request it got. It decides nothing: a request beyond the script is answered with status 500.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One scripted answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Streamed word by word, ended properly.
    Text(String),
    /// A native tool call of `python` with this program.
    Tool(String),
    /// A plain HTTP status with headers and a body.
    Status {
        code: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// Streams the text, then closes the connection without an end.
    Cut(String),
    /// Accepts and says nothing until the client goes away.
    Silence,
    /// Streams the text with a pause before each word.
    Slow { text: String, pause: Duration },
}

/// A running server. Dropping it leaves its thread to end with the test program.
pub struct ModelServer {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Answer>,
    /// What to say when the script is over; `None` answers 500.
    forever: Option<Answer>,
    requests: Vec<Value>,
    bytes: Vec<usize>,
    authorizations: Vec<String>,
    arrivals: Vec<Instant>,
}

impl ModelServer {
    /// Starts a server on a free port of this machine.
    ///
    /// # Panics
    /// When no port can be opened.
    #[must_use]
    pub fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = Arc::new(Mutex::new(State {
            script: script.into_iter().collect(),
            ..State::default()
        }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || {
                    // A client that goes away in the middle is what many tests are about.
                    drop(converse(stream, &shared));
                });
            }
        });
        Self { address, state }
    }

    /// A server that says the same for ever.
    #[must_use]
    pub fn repeating(answer: Answer) -> Self {
        let server = Self::start([]);
        held(&server.state).forever = Some(answer);
        server
    }

    /// Adds answers to the script.
    pub fn add(&self, answers: impl IntoIterator<Item = Answer>) {
        held(&self.state).script.extend(answers);
    }

    /// The base address to configure.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Bodies of the chat requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Value> {
        held(&self.state).requests.clone()
    }

    /// Sizes in bytes of those bodies.
    #[must_use]
    pub fn request_bytes(&self) -> Vec<usize> {
        held(&self.state).bytes.clone()
    }

    /// `Authorization` headers of those requests.
    #[must_use]
    pub fn authorizations(&self) -> Vec<String> {
        held(&self.state).authorizations.clone()
    }

    /// When the chat requests had arrived in full.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Instant> {
        held(&self.state).arrivals.clone()
    }

    /// The text of all messages of the last request.
    #[must_use]
    pub fn last_prompt(&self) -> String {
        let requests = self.requests();
        let messages = requests
            .last()
            .and_then(|body| body["messages"].as_array().cloned())
            .unwrap_or_default();
        let texts = messages.iter().map(|message| match &message["content"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A reply kept as a readable file in `tests/replies/`.
///
/// # Panics
/// When there is no such file.
#[must_use]
pub fn reply(name: &str) -> Answer {
    let path = format!("{}/replies/{name}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Answer::Text(text.trim_end().to_owned())
}

fn held(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn converse(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    loop {
        let Some((target, authorization, body)) = read_request(&mut reader)? else {
            return Ok(());
        };
        if target.ends_with("/models") {
            let models =
                json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).to_string();
            write_status(&mut writer, 200, &[], &models)?;
            continue;
        }
        let answer = {
            let mut state = held(state);
            state.arrivals.push(Instant::now());
            state.bytes.push(body.len());
            state
                .requests
                .push(serde_json::from_slice(&body).unwrap_or(Value::Null));
            state.authorizations.push(authorization);
            state.script.pop_front().or_else(|| state.forever.clone())
        };
        match answer {
            None => write_status(
                &mut writer,
                500,
                &[],
                "{\"error\":{\"message\":\"the script is over\"}}",
            )?,
            Some(Answer::Status { code, headers, body }) => write_status(&mut writer, code, &headers, &body)?,
            Some(Answer::Silence) => {
                let mut rest = Vec::new();
                reader.read_to_end(&mut rest)?;
                return Ok(());
            }
            Some(answer) => return stream_answer(&mut writer, &answer),
        }
    }
}

type Received = (String, String, Vec<u8>);

fn read_request(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Received>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let target = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => authorization = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((target, authorization, body)))
}

fn write_status(
    writer: &mut TcpStream,
    code: u16,
    headers: &[(&str, String)],
    body: &str,
) -> std::io::Result<()> {
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    write!(
        writer,
        "HTTP/1.1 {code} Status\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

fn stream_answer(writer: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    write!(
        writer,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    let (deltas, finish, pause) = match answer {
        Answer::Tool(program) => (tool_deltas(program), Some("tool_calls"), None),
        Answer::Text(text) => (text_deltas(text), Some("stop"), None),
        Answer::Slow { text, pause } => (text_deltas(text), Some("stop"), Some(*pause)),
        Answer::Cut(text) => (text_deltas(text), None, None),
        Answer::Status { .. } | Answer::Silence => return Ok(()),
    };
    for delta in deltas {
        if let Some(pause) = pause {
            std::thread::sleep(pause); // the script's own pace, nothing waits for it
        }
        write_event(
            writer,
            &json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}),
        )?;
    }
    let Some(finish) = finish else { return Ok(()) };
    write_event(
        writer,
        &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}),
    )?;
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120});
    write_event(writer, &json!({"choices": [], "usage": usage}))?;
    write!(writer, "data: [DONE]\n\n")
}

fn write_event(writer: &mut TcpStream, chunk: &Value) -> std::io::Result<()> {
    let mut chunk = chunk.clone();
    chunk["id"] = json!("chatcmpl-1");
    chunk["object"] = json!("chat.completion.chunk");
    chunk["model"] = json!("scripted");
    write!(writer, "data: {chunk}\n\n")?;
    writer.flush()
}

fn text_deltas(text: &str) -> Vec<Value> {
    text.split_inclusive(' ')
        .map(|word| json!({"content": word}))
        .collect()
}

fn tool_deltas(program: &str) -> Vec<Value> {
    let arguments = json!({ "code": program }).to_string();
    let middle = arguments
        .char_indices()
        .nth(arguments.chars().count() / 2)
        .map_or(0, |(at, _)| at);
    let (first, second) = arguments.split_at(middle);
    let function = json!({"name": "python", "arguments": first});
    vec![
        json!({"role": "assistant", "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}),
        json!({"tool_calls": [{"index": 0, "function": {"arguments": second}}]}),
    ]
}
