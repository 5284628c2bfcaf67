//! Servers at an address where no keychain is: those that want no sign-in are of use, and a client's secret goes nowhere else.

use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

type Heads = Arc<Mutex<Vec<String>>>;

/// A server of the older era that wants no sign-in: its address, and the heads of what it was sent.
fn serve() -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let heads = Heads::default();
    let kept = Arc::clone(&heads);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let heads = Arc::clone(&kept);
            // A client that goes away ends its connection.
            std::thread::spawn(move || answered(stream, &heads).unwrap_or_default());
        }
    });
    (url, heads)
}

fn answered(mut stream: TcpStream, heads: &Heads) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok()).flatten()
    });
    let mut body = vec![0; lengths.max().unwrap_or_default()];
    reader.read_exact(&mut body)?;
    let (status, said) = match head.starts_with("POST") {
        true => said(&serde_json::from_slice(&body).unwrap_or_default()),
        false => ("405 Method Not Allowed", String::new()),
    };
    heads.lock().push(head);
    let length = said.len();
    let kind = "Content-Type: application/json\r\nConnection: close";
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{kind}\r\nContent-Length: {length}\r\n\r\n{said}"
    )
}

fn said(message: &Value) -> (&'static str, String) {
    let id = &message["id"];
    if id.is_null() {
        return ("202 Accepted", String::new());
    }
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "far", "version": "2"}}),
        "tools/list" => json!({"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]}),
        "tools/call" => json!({"content": [{"type": "text", "text": "hello from afar"}]}),
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

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

#[test]
fn a_server_at_an_address_is_of_use_where_nothing_can_be_kept() {
    let (url, _) = serve();
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "far", "--url", &url]));
    done(desk.run(["mcp", "allow", "far", "--all", "--class", "read"]));
    let printed = done(desk.run_with(["--json", "exec", "-"], "print(await far.greet())"));
    assert_eq!(printed.json()[0]["stdout"], "hello from afar\n", "{printed:?}");
}

#[test]
fn the_secret_of_a_client_is_kept_for_the_sign_in_alone() {
    let (url, heads) = serve();
    let mut desk = Desk::new();
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let words = ["mcp", "add", "far", "--url", &url, "--client-id", "mine"];
    let added = desk.run_with(words.iter().chain(&["--client-secret"]), "s3cret-4711\n");
    done(added);
    let table = std::fs::read_to_string(desk.data().join("mcp.toml")).unwrap();
    assert!(table.contains("client_id = \"mine\""), "{table}");
    assert!(table.contains("client secret"), "{table}");
    assert!(!table.contains("s3cret-4711"), "{table}");
    done(desk.run(["mcp", "test", "far"]));
    let heads = heads.lock();
    assert!(!heads.is_empty() && heads.iter().all(|head| !head.contains("s3cret-4711")));
}

#[test]
fn a_client_of_ones_own_is_for_an_address() {
    let desk = Desk::new();
    for (words, said) in [
        (
            &["mcp", "add", "far", "--client-id", "mine", "--", "true"][..],
            "cannot be used with",
        ),
        (
            &[
                "mcp",
                "add",
                "far",
                "--url",
                "https://a.example/mcp",
                "--client-secret",
            ],
            "required arguments were not provided",
        ),
    ] {
        let refused = desk.run(words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
        let fault = refused.stderr.split("Usage:").next().unwrap_or_default();
        assert!(
            fault.contains(said) && fault.contains("--client-id"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn nobody_signs_in_where_nothing_of_it_would_be_kept() {
    let (url, heads) = serve();
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "far", "--url", &url]));
    let before = heads.lock().len();
    let refused = desk.run(["mcp", "sign-in", "far"]);
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert!(refused.stderr.contains("passphrase"), "{}", refused.stderr);
    assert!(refused.stderr.contains("SHIDI_PASSPHRASE"), "{}", refused.stderr);
    assert_eq!(heads.lock().len(), before, "nobody is asked anything before");
}
