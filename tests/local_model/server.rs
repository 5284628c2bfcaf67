//! A scripted `llama-server`: it takes the flags of the real one and refuses others, listens as it is told, asks for its
//! key, and behaves as the name of its model file says.
//!
//! `answers`, `slow` (many words, slowly), `dies` (in the middle of every answer), `hangs` (loads for ever), `memory` (there
//! is too little), `strange` (an unknown kind of model), `open` (asks for no key). A copy of the program whose own name
//! ends in `-earlier` is one that knows no sockets and few flags.

#![expect(clippy::unwrap_used, reason = "a scripted program stops where it fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const HELP: &str = "\
-h,    --help, --usage                  print usage and exit
-m,    --model FNAME                    model path to load
-t,    --threads N                      number of CPU threads to use during generation (default: -1)
-c,    --ctx-size N                     size of the prompt context (default: 0, 0 = loaded from model)
--offline                               Offline mode: forces use of cache, prevents network access
-cram, --cache-ram N                    set the maximum cache size in MiB (default: 8192, -1 - no limit, 0 -
-np,   --parallel N                     number of server slots (default: -1, -1 = auto)
-a,    --alias STRING                   set model name aliases, comma-separated (to be used by API)
--host HOST                             ip address to listen, or bind to an UNIX socket if the address ends
                                        with .sock (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--cors-origins ORIGINS                  comma-separated list of allowed origins for CORS (default: *)
--ui,  --webui, --no-ui, --no-webui     whether to enable the Web UI (default: enabled)
--api-key KEY                           API key to use for authentication
                                        (env: LLAMA_API_KEY)
--slots, --no-slots                     expose slots monitoring endpoint (default: enabled)
--jinja, --no-jinja                     whether to use jinja template engine for chat (default: enabled)
";

const EARLIER: &str = "\
-m,    --model FNAME                    model path (default: `models/$filename`)
-c,    --ctx-size N                     size of the prompt context (default: 4096, 0 = loaded from model)
--host HOST                             ip address to listen (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--api-key KEY                           API key to use for authentication (default: none)
                                        (env: LLAMA_API_KEY)
";

/// How long a model is loaded.
const LOADED_AFTER: Duration = Duration::from_millis(200);

trait Connection: Read + Write + Send {}
impl<T: Read + Write + Send> Connection for T {}

struct Scripted {
    manner: String,
    key: String,
    started: Instant,
}

fn main() {
    let mut words = std::env::args();
    let own = words.next().unwrap();
    let help = if own.ends_with("-earlier") { EARLIER } else { HELP };
    let told: Vec<String> = words.collect();
    match told.first().map(String::as_str) {
        Some("--help") => return print!("{help}"),
        Some("--version") => return eprintln!("version: 4711 (scripted)"),
        _ => {}
    }
    let flags = told.iter().filter(|word| word.starts_with('-'));
    for flag in flags {
        if !help.split([' ', ',', '\n']).any(|known| known == flag) {
            eprintln!("error: invalid argument: {flag}");
            std::process::exit(1);
        }
    }
    let of = |flag: &str| {
        let at = told.iter().position(|word| word == flag)?;
        told.get(at + 1).cloned()
    };
    let file = of("--model").unwrap();
    let mut magic = [0; 4];
    std::fs::File::open(&file)
        .unwrap()
        .read_exact(&mut magic)
        .unwrap();
    assert_eq!(&magic, b"GGUF");
    let manner = Path::new(&file)
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    match manner.as_str() {
        "memory" => {
            fails("ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 9663676416")
        }
        "strange" => fails("llama_model_load: error loading model: unknown model architecture: 'qwen9'"),
        _ => {}
    }
    let scripted = Arc::new(Scripted {
        manner,
        key: std::env::var("LLAMA_API_KEY").unwrap(),
        started: Instant::now(),
    });
    let (host, port) = (of("--host").unwrap(), of("--port"));
    if host.ends_with(".sock") {
        let listener = std::os::unix::net::UnixListener::bind(host).unwrap();
        listener
            .incoming()
            .for_each(|stream| scripted.take(stream.unwrap()));
    } else {
        let address = (host, port.unwrap().parse::<u16>().unwrap());
        let listener = std::net::TcpListener::bind(address).unwrap();
        listener
            .incoming()
            .for_each(|stream| scripted.take(stream.unwrap()));
    }
}

fn fails(words: &str) {
    eprintln!("{words}");
    std::process::exit(1);
}

impl Scripted {
    fn take(self: &Arc<Self>, stream: impl Connection + 'static) {
        let own = Arc::clone(self);
        std::thread::spawn(move || own.answer(stream));
    }

    /// Answers one request; who hangs up in its middle is no fault.
    fn answer(&self, stream: impl Connection) {
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() == 0 || line == "\r\n" {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let Some(path) = lines
            .first()
            .and_then(|line| line.split(' ').nth(1).map(str::to_owned))
        else {
            return;
        };
        let header = |name: &str| {
            let mut found = lines.iter().filter_map(|line| line.split_once(':'));
            let (_, value) = found.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
            Some(value.trim().to_owned())
        };
        let length = header("content-length").and_then(|text| text.parse().ok());
        let mut body = vec![0; length.unwrap_or_default()];
        reader.read_exact(&mut body).unwrap_or_default();
        let mut out = reader.into_inner();
        let is_here =
            header("host").is_some_and(|host| host == "localhost" || host.starts_with("127.0.0.1:"));
        let is_public = matches!(path.as_str(), "/health" | "/v1/models");
        let has_key = header("authorization").is_some_and(|key| key == format!("Bearer {}", self.key));
        let is_loaded = self.manner != "hangs" && self.started.elapsed() > LOADED_AFTER;
        let (status, text) = match path.as_str() {
            _ if !is_here => ("403 Forbidden", r#"{"error":{"message":"another host"}}"#),
            _ if !is_public && !has_key && self.manner != "open" => (
                "401 Unauthorized",
                r#"{"error":{"message":"Invalid API Key","type":"authentication_error","code":401}}"#,
            ),
            _ if !is_loaded => (
                "503 Service Unavailable",
                r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
            ),
            "/health" => ("200 OK", r#"{"status":"ok"}"#),
            "/v1/chat/completions" => return self.stream(&mut out),
            _ => (
                "404 Not Found",
                r#"{"error":{"message":"File Not Found","type":"not_found_error","code":404}}"#,
            ),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        out.write_all(answer.as_bytes()).unwrap_or_default();
    }

    fn stream(&self, out: &mut impl Write) {
        let (words, pause) = match self.manner.as_str() {
            "slow" => ((1..=60).map(|number| format!("word{number} ")).collect(), 40),
            "dies" => (vec!["It ".to_owned(), "is ".to_owned(), "not ".to_owned()], 20),
            _ => (vec!["It ".to_owned(), "is ".to_owned(), "42.".to_owned()], 5),
        };
        let mut say = |text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok();
        say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
        for word in words {
            let chunk =
                format!(r#"{{"model":"scripted","choices":[{{"index":0,"delta":{{"content":"{word}"}}}}]}}"#);
            if !say(&format!("data: {chunk}\n\n")) {
                return;
            }
            std::thread::sleep(Duration::from_millis(pause));
        }
        if self.manner == "dies" {
            eprintln!("GGML_ASSERT(n_tokens > 0) failed");
            std::process::abort();
        }
        say(concat!(
            r#"data: {"model":"scripted","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"#,
            r#""usage":{"prompt_tokens":100,"completion_tokens":12},"timings":{"predicted_n":12,"predicted_ms":480.5}}"#,
            "\n\ndata: [DONE]\n\n"
        ));
    }
}
