//! Looks into the panel's page through WebKit's own driver, which starts the program for it.
//!
//! Only what the tests need, over plain HTTP; every request has a time limit, since a driver that hangs would
//! hang everything after it.

use serde_json::{Value, json};
use shidi_tests::program::Program;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Longest wait for one answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);
/// Longest wait for anything on the page.
const PAGE_LIMIT: Duration = Duration::from_secs(60);

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A program with its page, driven.
pub struct Driven {
    port: u16,
    session: String,
    /// The driver, and the program below it.
    _driver: Program,
}

impl Driven {
    /// Starts a program and takes hold of its panel.
    pub fn start(program: &Path, arguments: &[&str], folder: &Path) -> Outcome<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("WebKitWebDriver");
        command
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("SHIDI_DATA_DIR", folder);
        let driver = Program::spawn(command)?;
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > PAGE_LIMIT {
                return Err("WebKitWebDriver does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let options = json!({ "binary": program, "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "webkitgtk:browserOptions": options } } });
        let answer = ask(port, "POST", "/session", &wanted)?;
        let session = answer["sessionId"]
            .as_str()
            .ok_or_else(|| format!("no session: {answer}"))?
            .to_owned();
        Ok(Self {
            port,
            session,
            _driver: driver,
        })
    }

    /// Waits for the window with that page, and speaks to it from now on.
    pub fn turn_to(&self, page: &str) -> Outcome<()> {
        let begun = Instant::now();
        let handles = format!("/session/{}/window/handles", self.session);
        let window = format!("/session/{}/window", self.session);
        while begun.elapsed() < PAGE_LIMIT {
            let known = ask(self.port, "GET", &handles, &json!({}))?;
            for handle in known.as_array().into_iter().flatten() {
                ask(self.port, "POST", &window, &json!({ "handle": handle }))?;
                let address = self.run("return location.href")?;
                if address.as_str().is_some_and(|address| address.contains(page)) {
                    return Ok(());
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(format!("no window has the page {page}").into())
    }

    /// Runs a script in the page.
    pub fn run(&self, script: &str) -> Outcome<Value> {
        let path = format!("/session/{}/execute/sync", self.session);
        ask(self.port, "POST", &path, &json!({ "script": script, "args": [] }))
    }

    /// Waits until a script returns something that is true.
    pub fn await_true(&self, what: &str, script: &str) -> Outcome<()> {
        let begun = Instant::now();
        let mut last = Value::Null;
        while begun.elapsed() < PAGE_LIMIT {
            last = match self.run(script) {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(other) => other,
                // What it speaks of may not be there yet.
                Err(error) if error.to_string().contains("javascript error") => json!(error.to_string()),
                Err(error) => return Err(error),
            };
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(format!("waited in vain until {what}: {last}").into())
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        if let Err(error) = ask(
            self.port,
            "DELETE",
            &format!("/session/{}", self.session),
            &json!({}),
        ) {
            eprintln!("The driver did not end its session: {error}");
        }
    }
}

fn ask(port: u16, method: &str, path: &str, body: &Value) -> Outcome<Value> {
    let mut wire = TcpStream::connect(("127.0.0.1", port))?;
    wire.set_read_timeout(Some(ANSWER_LIMIT))?;
    let body = body.to_string();
    write!(
        wire,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let answer = read_answer(&mut wire)?;
    let value: Value = serde_json::from_slice(&answer)?;
    match value["value"]["error"].as_str() {
        Some(error) => Err(format!("{method} {path}: {error}: {}", value["value"]["message"]).into()),
        None => Ok(value["value"].clone()),
    }
}

/// The body, by its length: the driver keeps the connection open whatever it is asked.
fn read_answer(wire: &mut TcpStream) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = wire.read(&mut piece)?;
        bytes.extend_from_slice(&piece[..read]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.ok_or("an answer without a length")?.trim().parse()?;
            let body = end + 4;
            if bytes.len() >= body + length {
                return Ok(bytes[body..body + length].to_vec());
            }
        }
        if read == 0 {
            return Err("the driver hung up".into());
        }
    }
}
