//! Traces that are sent to a receiver: only when the user named one, without what was said unless that is wanted too,
//! and never at a run's expense.

use parking_lot::Mutex;
use serde_json::Value;
use shidi_protocol::Moment;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// All attempts to reach a receiver that is silent take longer than that, so whoever waits for them is found out.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(28);

/// What a receiver got: the paths with their headers, and the bodies.
type Got = Arc<Mutex<Vec<(String, Value)>>>;

/// What a receiver says that has taken a request.
const TAKEN: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

/// A receiver of OTLP over HTTP that takes everything.
fn receiver() -> (String, Got) {
    receiver_that_says(TAKEN)
}

/// The same with another answer, or none.
fn receiver_that_says(answer: &'static str) -> (String, Got) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let got = Got::default();
    let kept = Arc::clone(&got);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                while let Some(request) = read(&stream) {
                    kept.lock().push(request);
                    (&stream).write_all(answer.as_bytes()).unwrap();
                }
            });
        }
    });
    (address, got)
}

fn read(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let length = head.to_ascii_lowercase();
    let length = length
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).unwrap()))
}

fn spans(got: &Got) -> Vec<Value> {
    let got = got.lock();
    let all = got.iter().flat_map(|(_, body)| {
        body["resourceSpans"][0]["scopeSpans"][0]["spans"]
            .as_array()
            .unwrap()
            .clone()
    });
    all.collect()
}

const SECRET: &str = "ghp_abcdefghijklmnopqrstuvwxyz012345";

#[test]
fn a_receiver_that_the_user_named_gets_every_step_without_what_was_said() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let (address, got) = receiver();
    let mut desk = Desk::with_model(&server.url());
    desk.set("OTEL_EXPORTER_OTLP_HEADERS", "x-team=shidi");
    desk.run(["config", "set", "otlp.endpoint", &address]);
    let printed = desk.run(["ask", "--json", "add 12 and 30"]);
    let run = printed.event("run_started")["run"].as_str().unwrap().to_owned();
    let spans = spans(&got);
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    for name in [
        "invoke_agent shidi",
        "chat scripted",
        "run_program",
        "cognition round 1",
        "evaluation",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(spans.iter().all(|span| span["traceId"] == run.as_str()));
    let text = Value::from(spans).to_string();
    assert!(!text.contains("12 and 30") && !text.contains("sum("), "{text}");
    let head = got.lock()[0].0.clone();
    assert!(
        head.starts_with("POST /v1/traces") && head.contains("x-team: shidi"),
        "{head}"
    );
}

#[test]
fn what_was_said_goes_along_when_that_is_wanted_and_secrets_never_do() {
    let server = ModelServer::start([Answer::Text("It is yours.".into())]);
    let (address, got) = receiver();
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "otlp.endpoint", &address]);
    desk.run(["config", "set", "otlp.content", "on"]);
    desk.run(["ask", "--json", &format!("whose key is {SECRET}?")]);
    let text = Value::from(spans(&got)).to_string();
    assert!(text.contains("whose key is [redacted:key]"), "{text}");
    assert!(text.contains("It is yours.") && !text.contains(SECRET), "{text}");
}

#[test]
fn nothing_is_sent_unless_an_address_is_set_and_an_odd_one_is_refused() {
    let desk = Desk::new();
    let refused = desk.run(["config", "set", "otlp.endpoint", "ftp://nowhere"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("http://localhost:4318"),
        "{}",
        refused.stderr
    );
    assert_eq!(desk.run(["config", "get", "otlp.endpoint"]).stdout.trim(), "");
}

#[test]
fn a_receiver_that_is_away_or_silent_breaks_no_run_and_costs_a_moment_at_its_end() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    for address in ["http://127.0.0.1:9", silent.as_str()] {
        let (desk, took) = asked_with(address);
        assert!(took < GIVEN_UP_AFTER, "{address}: {took:?}");
        assert!(
            !desk.run(["trace", "show", "last", "--json"]).json().is_empty(),
            "it is kept all the same"
        );
    }
}

/// A program that cannot reach a receiver waits longer than that for it.
const HELD: Duration = Duration::from_millis(2_500);
/// A busy machine ends a program slowly, too: one quick end of several shows that nothing waits.
const ENDS_TRIED: usize = 8;

#[test]
fn a_receiver_that_is_silent_has_every_step_and_does_not_hold_the_end() {
    let (address, got) = receiver_that_says("");
    let is_quick = (0..ENDS_TRIED).any(|_| asked_with(&address).1 < HELD);
    assert!(is_quick, "each end waited for an answer");
    let names: Vec<Value> = spans(&got).iter().map(|span| span["name"].clone()).collect();
    assert!(names.contains(&Value::from("invoke_agent shidi")), "{names:?}");
}

/// A task whose steps go to that address, and how long its program lasts after the run.
fn asked_with(address: &str) -> (Desk, Duration) {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "otlp.endpoint", address]);
    let printed = desk.run(["ask", "--json", "add 12 and 30"]);
    let left = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let ended = printed.event("run_ended");
    assert_eq!(ended["status"], "completed");
    let over: Moment = serde_json::from_value(ended["time"].clone()).unwrap();
    (
        desk,
        left.saturating_sub(Duration::from_millis(over.since(Moment(0)))),
    )
}
