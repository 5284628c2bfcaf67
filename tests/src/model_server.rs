//! A language model for tests: speaks the wire formats of OpenAI, Anthropic and Gemini over real HTTP, whichever it is
//! asked in, and answers what a script says.
//!
//! It keeps every request it got. It decides nothing: a request beyond the script is answered with status 500.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// One scripted answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Streamed word by word, ended properly.
    Text(String),
    /// A native tool call of `python` with this program.
    Tool(String),
    /// Native tool calls, each with its name and arguments.
    Calls(Vec<(&'static str, Value)>),
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
    /// Tells how much of the prompt it has read, tokens of all, where it is asked to; then streams the text.
    Read { progress: Vec<(u32, u32)>, text: String },
    /// Streams the text with a pause before each word.
    Slow { text: String, pause: Duration },
    /// Streams the first text, and the second one once somebody else has come to the gate.
    Gated {
        before: String,
        gate: Arc<Barrier>,
        after: String,
    },
}

/// A running server. Dropping it leaves its thread to end with the test program.
pub struct ModelServer {
    address: String,
    state: Arc<Mutex<State>>,
}

/// What gives a text its vector; `None` refuses it.
type Embedding = Box<dyn FnMut(&str) -> Option<Vec<f32>> + Send>;

/// What answers in place of a script: it is given the body of the request.
type Thinking = Box<dyn FnMut(&Value) -> Answer + Send>;

#[derive(Default)]
struct State {
    thinking: Option<Thinking>,
    embedding: Option<Embedding>,
    /// Texts that vectors were asked for.
    embedded: Vec<String>,
    script: VecDeque<Answer>,
    /// What to say when a summary of earlier work is asked for, whatever the script has next.
    summary: Option<String>,
    /// What to say when the script is over; `None` answers 500.
    forever: Option<Answer>,
    requests: Vec<Value>,
    bytes: Vec<usize>,
    authorizations: Vec<String>,
    targets: Vec<String>,
    arrivals: Vec<Instant>,
}

impl State {
    /// The status and body of an answer in OpenAI's format.
    fn embed(&mut self, request: &Value) -> (u16, Value) {
        let Some(embed) = &mut self.embedding else {
            return (404, json!({"error": {"message": "no such model"}}));
        };
        let texts = request["input"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
        self.embedded.extend(texts.iter().map(|text| (*text).to_owned()));
        let vectors: Option<Vec<Value>> = texts
            .iter()
            .zip(0_u64..)
            .map(|(text, index)| Some(json!({"index": index, "embedding": embed(text)?})))
            .collect();
        match vectors {
            Some(data) => (
                200,
                json!({"data": data, "usage": {"prompt_tokens": 7, "total_tokens": 7}}),
            ),
            None => (
                400,
                json!({"error": {"message": "the input is too long", "type": "invalid_request_error"}}),
            ),
        }
    }

    fn next(&mut self) -> Option<Answer> {
        if let (Some(think), Some(request)) = (&mut self.thinking, self.requests.last()) {
            return Some(think(request));
        }
        self.script.pop_front().or_else(|| self.forever.clone())
    }
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

    /// A server whose answers depend on what it is asked.
    #[must_use]
    pub fn thinking(think: impl FnMut(&Value) -> Answer + Send + 'static) -> Self {
        let server = Self::start([]);
        held(&server.state).thinking = Some(Box::new(think));
        server
    }

    /// Gives vectors to texts, beside everything else.
    #[must_use]
    pub fn embedding(self, embed: impl FnMut(&str) -> Option<Vec<f32>> + Send + 'static) -> Self {
        held(&self.state).embedding = Some(Box::new(embed));
        self
    }

    /// Texts that vectors were asked for so far.
    #[must_use]
    pub fn embedded(&self) -> Vec<String> {
        held(&self.state).embedded.clone()
    }

    /// Answers questions for a summary of earlier work beside the script.
    pub fn summarise(&self, text: &str) {
        held(&self.state).summary = Some(text.to_owned());
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

    /// The headers with the key of those requests.
    #[must_use]
    pub fn authorizations(&self) -> Vec<String> {
        held(&self.state).authorizations.clone()
    }

    /// The paths of those requests.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        held(&self.state).targets.clone()
    }

    /// When the chat requests had arrived in full.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Instant> {
        held(&self.state).arrivals.clone()
    }

    /// The text of all messages of the last request.
    #[must_use]
    pub fn last_prompt(&self) -> String {
        self.requests().last().map(prompt_of).unwrap_or_default()
    }
}

/// The text of all messages of a request.
#[must_use]
pub fn prompt_of(request: &Value) -> String {
    let messages = request["messages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if messages.is_empty() || request.get("system").is_some() {
        return request.to_string();
    }
    let texts = messages.iter().map(|message| match &message["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// A reply kept as a readable file in `tests/replies/`.
///
/// # Panics
/// When there is no such file.
#[must_use]
pub fn reply(name: &str) -> Answer {
    let path = crate::folder().join(format!("replies/{name}.md"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Answer::Text(text.trim_end().to_owned())
}

fn held(state: &Mutex<State>) -> parking_lot::MutexGuard<'_, State> {
    state.lock()
}

fn converse(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    loop {
        let Some((target, authorization, body)) = read_request(&mut reader)? else {
            return Ok(());
        };
        let path = target.split('?').next().unwrap_or_default();
        if path.ends_with("/models") {
            let models = if path.starts_with("/v1beta") {
                json!({"models": [{"name": "models/scripted", "supportedGenerationMethods": ["generateContent"]}]})
            } else {
                json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
            };
            write_status(&mut writer, 200, &[], &models.to_string())?;
            continue;
        }
        if path.ends_with("/embeddings") {
            let (code, vectors) = held(state).embed(&serde_json::from_slice(&body).unwrap_or_default());
            write_status(&mut writer, code, &[], &vectors.to_string())?;
            continue;
        }
        let format = Format::of(path);
        let answer = {
            let mut state = held(state);
            state.arrivals.push(Instant::now());
            state.bytes.push(body.len());
            state
                .requests
                .push(serde_json::from_slice(&body).unwrap_or(Value::Null));
            state.authorizations.push(authorization);
            state.targets.push(target.clone());
            let asks_summary = body.windows(6).any(|bytes| bytes == b"<work>");
            match state.summary.clone().filter(|_| asks_summary) {
                Some(text) => Some(Answer::Text(text)),
                None => state.next(),
            }
        };
        if let Some(field) = unknown_field(format, &body) {
            let refusal =
                format!("{{\"detail\":[{{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"{field}\"]}}]}}");
            write_status(&mut writer, 422, &[], &refusal)?;
            continue;
        }
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
            Some(answer) => return stream_answer(&mut writer, &answer, format),
        }
    }
}

/// A field that Mistral's endpoint for holes does not take.
fn unknown_field(format: Format, body: &[u8]) -> Option<String> {
    const TAKEN: [&str; 10] = [
        "model",
        "temperature",
        "top_p",
        "max_tokens",
        "min_tokens",
        "stream",
        "stop",
        "random_seed",
        "prompt",
        "suffix",
    ];
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let fields = body.as_object().filter(|_| format == Format::Fim)?;
    fields
        .keys()
        .find(|field| !TAKEN.contains(&field.as_str()))
        .cloned()
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
            "authorization" | "x-api-key" | "x-goog-api-key" => authorization = value.trim().to_owned(),
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

/// The wire format that a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    OpenAi,
    /// OpenAI's older format, which fills a hole in a text; DeepSeek's beside its other ones too.
    Completions,
    /// Mistral's `/fim/completions`: asked as above, answered as a chat; fields that it does not know are refused.
    Fim,
    Anthropic,
    Gemini,
}

impl Format {
    fn of(path: &str) -> Self {
        if path.ends_with("/messages") {
            Self::Anthropic
        } else if path.ends_with("/fim/completions") {
            Self::Fim
        } else if path.ends_with("/completions") && !path.ends_with("/chat/completions") {
            Self::Completions
        } else if path.ends_with(":streamGenerateContent") {
            Self::Gemini
        } else {
            Self::OpenAi
        }
    }

    fn begin(self) -> Vec<Value> {
        match self {
            Self::OpenAi | Self::Completions | Self::Fim | Self::Gemini => Vec::new(),
            Self::Anthropic => vec![
                json!({"type": "message_start", "message": {"model": "scripted", "usage": {"input_tokens": 40, "cache_read_input_tokens": 60, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            ],
        }
    }

    fn word(self, word: &str) -> Value {
        match self {
            Self::OpenAi | Self::Fim => open_ai(&json!({"content": word})),
            Self::Completions => {
                dressed(json!({"choices": [{"index": 0, "text": word, "finish_reason": null}]}))
            }
            Self::Anthropic => {
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}})
            }
            Self::Gemini => {
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": word}]}}], "modelVersion": "scripted"})
            }
        }
    }

    fn tool(self, place: usize, name: &str, arguments: &Value) -> Vec<Value> {
        let text = arguments.to_string();
        let (first, second) = halves(&text);
        match self {
            Self::OpenAi | Self::Completions | Self::Fim => vec![
                open_ai(
                    &json!({"role": "assistant", "tool_calls": [{"index": place, "id": format!("call_{place}"), "type": "function", "function": {"name": name, "arguments": first}}]}),
                ),
                open_ai(&json!({"tool_calls": [{"index": place, "function": {"arguments": second}}]})),
            ],
            Self::Anthropic => {
                let part = |text: &str| json!({"type": "content_block_delta", "index": place + 1, "delta": {"type": "input_json_delta", "partial_json": text}});
                let block =
                    json!({"type": "tool_use", "id": format!("toolu_{place}"), "name": name, "input": {}});
                vec![
                    json!({"type": "content_block_start", "index": place + 1, "content_block": block}),
                    part(first),
                    part(second),
                ]
            }
            Self::Gemini => {
                let call =
                    json!({"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "c2ln"});
                vec![json!({"candidates": [{"content": {"role": "model", "parts": [call]}}]})]
            }
        }
    }

    fn end(self, is_tool: bool) -> Vec<Value> {
        match self {
            Self::OpenAi | Self::Completions | Self::Fim => {
                let finish = if is_tool { "tool_calls" } else { "stop" };
                let usage = json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120});
                let chunk = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
                vec![dressed(chunk), dressed(json!({"choices": [], "usage": usage}))]
            }
            Self::Anthropic => {
                let reason = if is_tool { "tool_use" } else { "end_turn" };
                vec![
                    json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 20}}),
                    json!({"type": "message_stop"}),
                ]
            }
            Self::Gemini => vec![
                json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 20}}),
            ],
        }
    }
}

fn open_ai(delta: &Value) -> Value {
    dressed(json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

fn dressed(mut chunk: Value) -> Value {
    chunk["id"] = json!("chatcmpl-1");
    chunk["object"] = json!("chat.completion.chunk");
    chunk["model"] = json!("scripted");
    chunk
}

fn halves(text: &str) -> (&str, &str) {
    let middle = text.char_indices().nth(text.chars().count() / 2);
    text.split_at(middle.map_or(0, |(at, _)| at))
}

fn stream_answer(writer: &mut TcpStream, answer: &Answer, format: Format) -> std::io::Result<()> {
    write!(
        writer,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    let words =
        |text: &str| -> Vec<Value> { text.split_inclusive(' ').map(|word| format.word(word)).collect() };
    let (events, end, pause) = match answer {
        Answer::Tool(program) => (
            format.tool(0, "python", &json!({ "code": program })),
            format.end(true),
            None,
        ),
        Answer::Calls(calls) => {
            let events = calls.iter().enumerate();
            let events = events.flat_map(|(place, (name, arguments))| format.tool(place, name, arguments));
            (events.collect(), format.end(true), None)
        }
        Answer::Text(text) => (words(text), format.end(false), None),
        Answer::Read { progress, text } => {
            let read = progress.iter().map(|(read, total)| {
                let mut chunk = open_ai(&json!({"role": "assistant", "content": null}));
                chunk["prompt_progress"] =
                    json!({"total": total, "cache": 0, "processed": read, "time_ms": 1});
                chunk
            });
            (read.chain(words(text)).collect(), format.end(false), None)
        }
        Answer::Slow { text, pause } => (words(text), format.end(false), Some(*pause)),
        Answer::Gated { after, .. } => (words(after), format.end(false), None),
        Answer::Cut(text) => (words(text), Vec::new(), None),
        Answer::Status { .. } | Answer::Silence => return Ok(()),
    };
    for event in format.begin() {
        write_event(writer, &event)?;
    }
    if let Answer::Gated { before, gate, .. } = answer {
        for event in words(before) {
            write_event(writer, &event)?;
        }
        gate.wait();
    }
    for event in events {
        if let Some(pause) = pause {
            std::thread::sleep(pause); // the script's own pace, nothing waits for it
        }
        write_event(writer, &event)?;
    }
    if end.is_empty() {
        return Ok(());
    }
    for event in end {
        write_event(writer, &event)?;
    }
    if matches!(format, Format::OpenAi | Format::Completions) {
        write!(writer, "data: [DONE]\n\n")?;
    }
    Ok(())
}

fn write_event(writer: &mut TcpStream, event: &Value) -> std::io::Result<()> {
    if let Some(name) = event["type"].as_str() {
        writeln!(writer, "event: {name}")?;
    }
    write!(writer, "data: {event}\n\n")?;
    writer.flush()
}
