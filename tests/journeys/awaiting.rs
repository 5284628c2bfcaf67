//! What a model is waited for is said while it lasts: a provider that asks for time, a server that reads a long prompt.

use serde_json::Value;
use shidi_protocol::Moment;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

fn later(seconds: u32) -> Answer {
    Answer::Status {
        code: 429,
        headers: vec![("Retry-After", seconds.to_string())],
        body: r#"{"error":{"message":"slow down"}}"#.to_owned(),
    }
}

fn waits(printed: &Printed) -> Vec<Value> {
    let events = printed.json().into_iter();
    let waits = events.filter(|event| event["type"] == "awaiting");
    waits.map(|mut event| event["wait"].take()).collect()
}

/// A desk whose model is a server at an address of the user's own.
fn own_server(url: &str) -> Desk {
    let desk = Desk::new();
    desk.write_config(&format!("model = \"scripted\"\nmodel_url = \"{url}\"\n"));
    desk
}

/// Reads the events of a command at work until one of them is a wait.
fn until_it_waits(child: &mut Child) -> Value {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let events = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let mut waits = events.filter(|event| event["type"] == "awaiting");
    waits.next().unwrap()["wait"].take()
}

#[test]
fn a_provider_that_lets_wait_is_told_with_its_reason_until_it_is_asked_again() {
    let server = ModelServer::start([later(1), Answer::Text("Here.".into())]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "hello?"]);
    let waits = waits(&printed);
    assert_eq!(waits.len(), 2, "{}", printed.stdout);
    assert_eq!(waits[0]["on"], "provider");
    assert_eq!(waits[0]["reason"], "rate_limited");
    assert_eq!(waits[0]["provider"], "OpenAI");
    assert!(
        waits[0]["detail"].as_str().unwrap().contains("slow down"),
        "{waits:?}"
    );
    assert_eq!(waits[1], Value::Null, "over before the answer");
    let moment = |text: &Value| serde_json::from_value::<Moment>(text.clone()).unwrap();
    let until = moment(&waits[0]["until"]);
    let since = |event: &str| until.since(moment(&printed.event(event)["time"]));
    // The second begins before it is told: on a busy machine less of it is left, though never less than one since the
    // question.
    assert!(since("run_started") >= 1_000, "{}", since("run_started"));
    assert!((1..1_200).contains(&since("awaiting")), "{}", since("awaiting"));
}

#[test]
fn the_terminal_says_why_it_waits_and_for_how_long() {
    let server = ModelServer::start([later(1), Answer::Text("Here.".into())]);
    let printed = Desk::with_model(&server.url()).run(["ask", "hello?"]);
    assert_eq!(printed.stdout.trim(), "Here.");
    let told = "OpenAI limits how often it is asked (429: slow down); asking again in 1 s";
    assert!(printed.stderr.contains(told), "{}", printed.stderr);
}

#[test]
fn a_session_that_is_opened_meanwhile_says_it_as_well() {
    let server = ModelServer::start([later(50)]);
    let desk = Desk::with_model(&server.url());
    let mut asking = desk.spawn(["ask", "--json", "hello?"], Stdio::null());
    let told = until_it_waits(&mut asking);
    let shown = desk.run(["session", "show", "last", "--json"]).json().remove(0);
    assert_eq!(shown["runs"][0]["awaiting"], told, "{shown}");
    asking.kill().unwrap();
    asking.wait().unwrap();
    let shown = desk.run(["session", "show", "last", "--json"]).json().remove(0);
    assert_eq!(shown["runs"][0].get("awaiting"), None, "it was never on record");
}

#[test]
fn how_much_of_the_prompt_an_own_server_has_read_is_told() {
    let answer = Answer::Read {
        progress: vec![(0, 4096), (2048, 4096)],
        text: "Here.".to_owned(),
    };
    let server = ModelServer::start([answer]);
    let printed = own_server(&server.url()).run(["ask", "--json", "hello?"]);
    assert_eq!(printed.event("answer")["text"], "Here.", "{}", printed.stderr);
    assert_eq!(server.requests()[0]["return_progress"], true);
    let waits = waits(&printed);
    assert_eq!(waits.first().unwrap()["on"], "prompt");
    assert_eq!(waits.first().unwrap()["total"], 4096);
    assert_eq!(*waits.last().unwrap(), Value::Null, "over with its first word");
}

#[test]
fn a_provider_elsewhere_is_not_asked_for_what_only_llama_cpp_can_tell() {
    let server = ModelServer::start([Answer::Text("Here.".into())]);
    let printed = Desk::with_model(&server.url()).run(["ask", "--json", "hello?"]);
    assert_eq!(printed.event("answer")["text"], "Here.");
    assert_eq!(server.requests()[0].get("return_progress"), None);
}

#[test]
fn a_server_that_refuses_to_tell_is_asked_without() {
    let refusal = Answer::Status {
        code: 422,
        headers: vec![],
        body: r#"{"detail":[{"type":"extra_forbidden","loc":["body","return_progress"]}]}"#.to_owned(),
    };
    let server = ModelServer::start([refusal, Answer::Text("Here.".into())]);
    let printed = own_server(&server.url()).run(["ask", "--json", "hello?"]);
    assert_eq!(printed.event("answer")["text"], "Here.", "{}", printed.stderr);
    assert_eq!(server.requests()[1].get("return_progress"), None);
}
