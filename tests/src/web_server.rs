//! A web for tests: pages by their addresses over real HTTP, also as a proxy that knows hosts of its own, and a search
//! provider of SearXNG's shape.
//!
//! It keeps the head of every request. It decides nothing: what it does not know is answered with status 404.

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// What an address answers.
#[derive(Debug, Clone)]
pub struct Page {
    status: &'static str,
    headers: String,
    body: Vec<u8>,
}

impl Page {
    /// A page of HTML in UTF-8.
    #[must_use]
    pub fn html(body: &str) -> Self {
        Self::of("text/html; charset=utf-8", body.as_bytes())
    }

    /// Bytes of that type.
    #[must_use]
    pub fn of(kind: &str, body: &[u8]) -> Self {
        Self {
            status: "200 OK",
            headers: format!("Content-Type: {kind}\r\n"),
            body: body.to_vec(),
        }
    }

    /// The same with another header.
    #[must_use]
    pub fn with(mut self, header: &str) -> Self {
        self.headers.push_str(&format!("{header}\r\n"));
        self
    }

    /// Sends whoever asks to another address.
    #[must_use]
    pub fn leads_to(address: &str) -> Self {
        Self {
            status: "302 Found",
            headers: format!("Location: {address}\r\n"),
            body: Vec::new(),
        }
    }

    /// Results as SearXNG writes them: title, address, text.
    #[must_use]
    pub fn results(found: &[(&str, &str, &str)]) -> Self {
        let results: Vec<Value> = found
            .iter()
            .map(|(title, url, text)| json!({"title": title, "url": url, "content": text, "engine": "test"}))
            .collect();
        let answer = json!({"query": "q", "number_of_results": 0, "results": results});
        Self::of("application/json", answer.to_string().as_bytes())
    }
}

/// A running server. Dropping it leaves its thread to end with the test program.
pub struct WebServer {
    address: String,
    pages: Arc<Mutex<BTreeMap<String, Page>>>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl WebServer {
    /// Starts a server on a free port of this machine.
    ///
    /// # Panics
    /// When no port can be opened.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let server = Self {
            address,
            pages: Arc::default(),
            heads: Arc::default(),
        };
        let (pages, heads) = (Arc::clone(&server.pages), Arc::clone(&server.heads));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, heads) = (Arc::clone(&pages), Arc::clone(&heads));
                std::thread::spawn(move || {
                    // A client that has read enough goes away in the middle.
                    drop(converse(stream, &pages, &heads));
                });
            }
        });
        server
    }

    /// Has a path (or, behind a proxy, a whole address) answer `page`. Queries are left out.
    pub fn put(&self, path: &str, page: Page) {
        self.pages.lock().insert(path.to_owned(), page);
    }

    /// The host and port.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.address
    }

    /// The whole address of a path.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What was asked for, in order.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        let heads = self.heads.lock();
        let target = |head: &String| head.split(' ').nth(1).unwrap_or_default().to_owned();
        heads.iter().map(target).collect()
    }
}

fn converse(
    mut stream: TcpStream,
    pages: &Mutex<BTreeMap<String, Page>>,
    heads: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4_096];
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&piece[..read]);
    }
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().to_owned();
    heads.lock().push(head.clone());
    let found = pages.lock().get(&path).cloned();
    let page = found.unwrap_or(Page {
        status: "404 Not Found",
        headers: String::new(),
        body: Vec::new(),
    });
    let length = page.body.len();
    let answer = format!(
        "HTTP/1.1 {}\r\n{}Content-Length: {length}\r\nConnection: close\r\n\r\n",
        page.status, page.headers
    );
    stream.write_all(answer.as_bytes())?;
    stream.write_all(&page.body)
}
