//! Shidi as an MCP server over HTTP: for programs of this computer that have its token and are allowed, and for nobody else.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(120);
const TOKEN: &str = "4711-4711-4711";
const OLDER: &str = "MCP-Protocol-Version: 2025-11-25\r\n";

/// `shidi mcp serve --http` on a free port; dropping it kills it.
struct Served {
    server: Child,
    port: u16,
    /// Everything that it said as it began.
    said: String,
}

/// An answer with its head as it came.
struct Answered {
    status: u16,
    head: String,
    body: String,
}

impl Served {
    fn start(desk: &Desk) -> Self {
        let mut server = desk.spawn(["--json", "mcp", "serve", "--http", "--port", "0"], Stdio::null());
        let mut line = String::new();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("told: {line}"));
        let address = told["address"].as_str().unwrap();
        let port = address.trim_end_matches("/mcp").rsplit(':').next().unwrap();
        Self {
            server,
            port: port.parse().unwrap(),
            said: line,
        }
    }

    fn write(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Sends exactly this, and reads to the end. A server that refuses a long body may not read all of it.
    fn raw(&self, request: &str) -> Answered {
        let mut bytes = Vec::new();
        let mut stream = self.write(request);
        stream.read_to_end(&mut bytes).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answered {
            status: status.unwrap_or_default(),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    fn request(&self, method: &str, headers: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "{method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}",
            self.port
        )
    }

    fn post(&self, headers: &str, message: &Value) -> Answered {
        let headers = format!("Authorization: Bearer {TOKEN}\r\n{headers}");
        self.raw(&self.request("POST", &headers, &message.to_string()))
    }

    /// Greets, and returns the header of the session.
    fn session(&self, name: &str) -> String {
        let greeted = self.post("", &greeting(name));
        assert_eq!(greeted.status, 200, "{}", greeted.body);
        assert_eq!(greeted.message()["result"]["serverInfo"]["name"], "shidi");
        let id = greeted.header("mcp-session-id");
        let session = format!("{OLDER}Mcp-Session-Id: {id}\r\n");
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&session, &begun).status, 202);
        session
    }

    fn call(&self, session: &str, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        self.post(session, &call).message()["result"].clone()
    }

    fn end(mut self, signal: &str) -> Option<i32> {
        let id = self.server.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let begun = Instant::now();
        while begun.elapsed() < WAIT {
            if let Some(status) = self.server.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server goes on although it was ended");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.server.kill().unwrap_or_default();
        self.server.wait().ok();
    }
}

impl Answered {
    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines();
        let mut found = lines.filter_map(|line| line.strip_prefix(&format!("{name}: ")));
        found
            .next()
            .unwrap_or_else(|| panic!("no {name} in {}", self.head))
    }

    /// The answer itself, alone or as an event of a stream.
    fn message(&self) -> Value {
        let lines = self.body.lines();
        let datas = lines.map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let mut messages = datas.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        messages
            .find(|message| message["jsonrpc"] == "2.0" && message.get("id").is_some())
            .unwrap_or_else(|| panic!("no answer in {} {}", self.status, self.body))
    }
}

fn greeting(name: &str) -> Value {
    let own = json!({"name": name, "version": "1"});
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": own});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about})
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk that serves, and brings its token as a process may.
fn serving() -> Desk {
    let mut desk = Desk::new();
    desk.set("SHIDI_KEY_MCP_SERVE_TOKEN", TOKEN);
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    desk
}

#[test]
fn nothing_gets_as_far_as_the_protocol_without_the_token_of_this_computer() {
    let desk = serving();
    let served = Served::start(&desk);
    let body = greeting("Zed").to_string();
    let none = served.raw(&served.request("POST", "", &body));
    assert_eq!(none.status, 401, "{}", none.body);
    assert_eq!(none.header("www-authenticate"), "bearer");
    assert!(none.body.contains("shidi mcp token"), "{}", none.body);
    let wrong = served.request("POST", "Authorization: Bearer 4711\r\n", &body);
    assert_eq!(served.raw(&wrong).status, 401);
    let own = format!("Authorization: Bearer {TOKEN}\r\n");
    let right = served.request("POST", &own, &body);
    assert_eq!(served.raw(&right).status, 200);
    let host = format!("Host: 127.0.0.1:{}", served.port);
    for other in [
        "Host: evil.example",
        "Host: 127.0.0.1:1",
        &format!("Host: evil.example:{}", served.port),
    ] {
        assert_eq!(served.raw(&right.replace(&host, other)).status, 403, "{other}");
    }
    let named = format!("Host: localhost:{}", served.port);
    assert_eq!(served.raw(&right.replace(&host, &named)).status, 200);
    let page = |origin: &str| served.request("POST", &format!("{own}Origin: {origin}\r\n"), &body);
    assert_eq!(served.raw(&page("http://evil.example")).status, 403);
    assert_eq!(served.raw(&page("null")).status, 403);
    assert_eq!(served.raw(&page("http://localhost:6274")).status, 200);
}

#[test]
fn a_connection_that_shows_no_token_is_closed_and_one_that_did_stays() {
    let desk = serving();
    let served = Served::start(&desk);
    let own = format!("Authorization: Bearer {TOKEN}\r\n");
    let greets = served.request("POST", &own, &greeting("Zed").to_string());
    let greets = greets.replace("Connection: close\r\n", "");
    let mut known = served.write(&greets);
    let mut begun = [0_u8; 15];
    known.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
    // One begins a request and never ends it; the other was refused, and stays.
    let mut slow = served.write("POST /mcp HTTP/1.1\r\n");
    let refused = served
        .request("POST", "", "{}")
        .replace("Connection: close\r\n", "");
    let mut stranger = served.write(&refused);
    let since = Instant::now();
    for stream in [&mut slow, &mut stranger] {
        let mut said = Vec::new();
        stream.read_to_end(&mut said).unwrap_or_default();
        assert!(since.elapsed() < WAIT, "it is still open");
        assert!(
            since.elapsed() > Duration::from_secs(8),
            "it was closed before its time"
        );
    }
    known.write_all(greets.as_bytes()).unwrap();
    let (mut said, mut piece) = (String::new(), [0_u8; 4_096]);
    while !said.contains("HTTP/1.1 200 OK") {
        let read = known.read(&mut piece).unwrap();
        assert_ne!(read, 0, "a known program lost its connection: {said}");
        said.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
}

#[test]
fn what_is_no_request_is_refused_with_the_status_that_says_why() {
    let desk = serving();
    let served = Served::start(&desk);
    let own = format!("Authorization: Bearer {TOKEN}\r\n");
    let body = greeting("Zed").to_string();
    let right = served.request("POST", &own, &body);
    let status = |request: String| served.raw(&request).status;
    assert_eq!(status(right.replace("POST /mcp", "POST /other")), 404);
    assert_eq!(status(served.request("PUT", &own, &body)), 405);
    assert_eq!(status(right.replace("text/event-stream", "text/html")), 406);
    assert_eq!(
        status(right.replace("Content-Type: application/json", "Content-Type: text/plain")),
        415
    );
    let broken = served.raw(&served.request("POST", &own, "{\"jsonrpc\": "));
    assert_eq!(broken.status, 400);
    assert!(broken.body.contains("JSON-RPC"), "{}", broken.body);
    assert_eq!(status(served.request("POST", &own, &"x".repeat(3 << 20))), 413);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let sessionless = served.post(OLDER, &list);
    assert!(
        (400..=422).contains(&sessionless.status),
        "{}",
        sessionless.status
    );
    let unknown = served.post(&format!("{OLDER}Mcp-Session-Id: 4711\r\n"), &list);
    assert_eq!(unknown.status, 404);
    // It still serves.
    assert_eq!(status(right), 200);
}

#[test]
fn a_program_over_http_is_allowed_by_name_and_its_session_ends_when_it_says_so() {
    let desk = serving();
    done(desk.run(["memory", "add", "The kitchen tea is sencha"]));
    let served = Served::start(&desk);
    let session = served.session("Zed");
    let query = json!({"query": "tea"});
    let refused = served.call(&session, "search_memory", &query);
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(refused.to_string().contains("shidi mcp clients allow Zed"));
    let listed = done(desk.run(["--json", "mcp", "clients"])).json();
    assert_eq!(listed, [json!({"name": "Zed", "state": "asking"})]);
    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    let found = served.call(&session, "search_memory", &query);
    assert_eq!(
        found["structuredContent"]["memories"][0]["text"],
        "The kitchen tea is sencha"
    );
    // Another program with the same token is another program.
    let other = served.session("Other");
    assert_eq!(served.call(&other, "search_memory", &query)["isError"], true);

    let headers = format!("Authorization: Bearer {TOKEN}\r\n{session}");
    let mut stream = served.write(&served.request("GET", &headers, ""));
    let mut begun = [0_u8; 15];
    stream.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200 OK");
    let ended = served.raw(&served.request("DELETE", &headers, ""));
    assert!((200..=204).contains(&ended.status), "{}", ended.status);
    let list = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"});
    assert_eq!(served.post(&session, &list).status, 404);
}

#[test]
fn a_program_of_the_newer_era_needs_no_session() {
    let desk = serving();
    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    let served = Served::start(&desk);
    let about = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "Zed", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "search_memory", "arguments": {"query": "tea"}, "_meta": about});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: search_memory\r\n";
    let found = served.post(headers, &call);
    assert_eq!(
        found.message()["result"]["structuredContent"]["memories"],
        json!([])
    );
    assert!(!found.head.contains("mcp-session-id"), "{}", found.head);
}

#[test]
fn what_keeps_it_from_serving_is_said_with_a_remedy() {
    let desk = Desk::new();
    let off = desk.run(["mcp", "serve", "--http", "--port", "0"]);
    assert_eq!(off.code, Some(2), "{}", off.stderr);
    assert!(
        off.stderr.contains("shidi config set mcp.serve on"),
        "{}",
        off.stderr
    );
    assert_eq!(desk.run(["mcp", "token"]).code, Some(2));
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    let locked = desk.run(["mcp", "serve", "--http", "--port", "0"]);
    assert_eq!(locked.code, Some(4), "{}{}", locked.stdout, locked.stderr);
    assert!(locked.stderr.contains("SHIDI_PASSPHRASE"), "{}", locked.stderr);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = serving().run(["--lang", "zh", "mcp", "serve", "--http", "--port", &port]);
    assert_ne!(refused.code, Some(0));
    assert!(
        refused.stderr.contains(&port) && refused.stderr.contains("--port"),
        "{}",
        refused.stderr
    );
    assert_eq!(desk.run(["mcp", "serve", "--port", "1"]).code, Some(2));
}

#[test]
fn the_token_is_made_once_stands_in_no_file_and_is_another_one_when_renewed() {
    let mut desk = Desk::new();
    // Where there is no keychain, the file of keys is opened with it.
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    let first = Served::start(&desk);
    let said = first.said.clone();
    drop(first);
    let shown = || done(desk.run(["mcp", "token"])).stdout.trim().to_owned();
    let made = shown();
    assert_eq!(made.len(), 64, "{made}");
    assert!(!said.contains(&made), "a service's words may be kept: {said}");
    for entry in std::fs::read_dir(desk.data()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let found = bytes.windows(64).any(|part| part == made.as_bytes());
        assert!(!found, "the token is in {}", entry.path().display());
    }
    let again = Served::start(&desk);
    drop(again);
    assert_eq!(shown(), made, "a start makes no other one");
    let renewed = done(desk.run(["mcp", "token", "--renew"])).stdout;
    assert_ne!(renewed.trim(), made);
    assert_eq!(shown(), renewed.trim());
}

#[test]
fn a_signal_ends_it_in_order_and_kill_leaves_the_folder_to_the_next_one() {
    let model = ModelServer::repeating(Answer::Silence);
    let mut desk = Desk::with_model(&model.url());
    desk.set("SHIDI_KEY_MCP_SERVE_TOKEN", TOKEN);
    done(desk.run(["config", "set", "mcp.serve", "on"]));
    done(desk.run(["mcp", "clients", "allow", "Zed"]));
    let ask = json!({"name": "ask", "arguments": {"question": "Which tea?"}, "_meta": {"progressToken": 1}});
    let ask = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ask});
    for (signal, code) in [("-TERM", Some(0)), ("-KILL", None)] {
        let served = Served::start(&desk);
        let session = served.session("Zed");
        let headers = format!("Authorization: Bearer {TOKEN}\r\n{session}");
        let stream = served.write(&served.request("POST", &headers, &ask.to_string()));
        let mut lines = BufReader::new(stream).lines();
        let news = lines.find(|line| line.as_ref().unwrap().contains("notifications/progress"));
        assert!(news.is_some(), "the question is at work");
        assert_eq!(served.end(signal), code, "{signal}");
        let shown = done(desk.run(["--json", "session", "show", "last"])).json();
        let runs = shown[0]["runs"].as_array().unwrap().clone();
        if signal == "-TERM" {
            assert_eq!(runs.last().unwrap()["status"], "cancelled");
        }
        done(desk.run(["memory", "search", "tea"]));
    }
}
