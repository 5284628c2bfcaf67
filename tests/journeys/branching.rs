//! Branches: a session that begins with what came before a run, and goes on its own way.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};

fn shown(desk: &Desk, session: &str) -> Value {
    desk.run(["session", "show", session, "--json"]).json()[0].clone()
}

fn id_of(printed: &Printed) -> String {
    let id = printed.json()[0]["id"].as_str().unwrap_or_default().to_owned();
    assert!(!id.is_empty(), "{}\n{}", printed.stdout, printed.stderr);
    id
}

fn texts(detail: &Value, kind: &str) -> Vec<Value> {
    let segments = detail["segments"].as_array().unwrap();
    let of_kind = segments.iter().filter(|segment| segment["kind"] == kind);
    of_kind.map(|segment| segment["text"].clone()).collect()
}

#[test]
fn a_branch_holds_what_came_before_the_run_and_goes_on_with_its_variables() {
    let server = ModelServer::start([
        reply("add"),
        reply("total"),
        Answer::Text("A second answer.".into()),
        reply("say_double"),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "add 12 and 30"]);
    let second = desk.run(["ask", "--json", "--session", "last", "and now?"]);
    let run = second.event("run_started")["run"].as_str().unwrap().to_owned();
    let origin = shown(&desk, "last");
    let printed = desk.run(["session", "branch", "last", "--before", &run, "--json"]);
    let branch = id_of(&printed);
    let detail = shown(&desk, &branch);
    assert_eq!(detail["summary"]["title"], "add 12 and 30");
    assert_eq!(texts(&detail, "User"), [json!("add 12 and 30")]);
    assert_eq!(detail["variables"]["total"], 42);
    let ids: Vec<_> = detail["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(
        ids,
        (1..=ids.len())
            .map(|id| json!(id))
            .collect::<Vec<_>>()
            .iter()
            .collect::<Vec<_>>()
    );
    let asked = desk.run(["ask", "--json", "--session", &branch, "double it"]);
    assert_eq!(
        asked.event("answer")["text"],
        "Twice the total is 84",
        "{}",
        asked.stderr
    );
    let origin_id = origin["summary"]["id"].as_str().unwrap();
    assert_eq!(shown(&desk, origin_id), origin, "the original is as it was");
    assert_eq!(desk.run(["session", "delete", origin_id, "--yes"]).code, Some(0));
    assert_eq!(
        texts(&shown(&desk, &branch), "User").len(),
        2,
        "the branch outlives it"
    );
}

#[test]
fn a_variable_that_a_later_run_wrote_is_not_in_the_branch() {
    let server = ModelServer::start([Answer::Text("Hello.".into()), reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "hello"]);
    let second = desk.run(["ask", "--json", "--session", "last", "add 12 and 30"]);
    let run = second.event("run_started")["run"].as_str().unwrap().to_owned();
    let branch = id_of(&desk.run(["session", "branch", "last", "--before", &run, "--json"]));
    assert_eq!(shown(&desk, &branch)["variables"], json!({}));
}

#[test]
fn a_run_that_waits_is_stopped_in_the_branch_and_waits_on_in_the_original() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "how long is my host name?"]);
    let origin = shown(&desk, "last");
    let branch = id_of(&desk.run(["session", "branch", "last", "--json"]));
    let copied = shown(&desk, &branch);
    assert_eq!(copied["runs"][0]["status"], "cancelled");
    assert_eq!(copied["runs"][0]["waiting"], json!([]));
    let waits = shown(&desk, origin["summary"]["id"].as_str().unwrap());
    assert_eq!(waits["runs"][0]["status"], "suspended");
    assert_eq!(waits["runs"][0]["waiting"].as_array().unwrap().len(), 1);
}

#[test]
fn a_run_of_another_session_is_refused_with_a_remedy() {
    let server = ModelServer::repeating(Answer::Text("Hello.".into()));
    let desk = Desk::with_model(&server.url());
    let elsewhere = desk.run(["ask", "--json", "hello"]);
    let run = elsewhere.event("run_started")["run"].as_str().unwrap().to_owned();
    desk.run(["ask", "--json", "hello again"]);
    let refused = desk.run(["session", "branch", "last", "--before", &run]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("no such run in this session"),
        "{}",
        refused.stderr
    );
    assert_eq!(
        desk.run(["session", "list", "--json"]).json().len(),
        2,
        "nothing was made"
    );
}

#[test]
fn a_failed_run_read_back_still_says_what_to_do() {
    let rejected = Answer::Status {
        code: 401,
        headers: vec![],
        body: r#"{"error":{"code":"invalid_api_key","message":"no"}}"#.to_owned(),
    };
    let server = ModelServer::start([rejected]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "hello?"]);
    let run = &shown(&desk, "last")["runs"][0];
    assert_eq!(run["status"], "failed");
    assert_eq!(run["error"]["code"], "key");
    assert!(
        run["error"]["hint"].as_str().unwrap().contains("shidi key set"),
        "{run}"
    );
}

#[test]
fn an_output_read_back_says_whether_its_program_failed() {
    let failing = Answer::Text("```python\nprint('ValueError: only a text')\n```".into());
    let refused = Answer::Text("```python\nprint(1 / 0)\n```".into());
    let server = ModelServer::start([
        failing,
        refused,
        Answer::Text("It failed: a division by zero.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "divide"]);
    let detail = shown(&desk, "last");
    let outputs: Vec<_> = detail["segments"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|segment| segment["kind"] == "Output")
        .map(|segment| segment["failed"].clone())
        .collect();
    assert_eq!(outputs, [json!(false), json!(true)], "{detail}");
}

#[test]
fn a_question_asked_again_takes_its_files_along() {
    let server = ModelServer::repeating(Answer::Text("Read.".into()));
    let desk = Desk::with_model(&server.url());
    let note = desk.path("测试 note.txt");
    std::fs::write(&note, "the spare key lies under the blue pot").unwrap();
    let first = desk.run([
        "ask",
        "--json",
        "--file",
        note.to_str().unwrap(),
        "where is the key?",
    ]);
    let run = first.event("run_started")["run"].as_str().unwrap().to_owned();
    let branch = id_of(&desk.run(["session", "branch", "last", "--before", &run, "--json"]));
    let again = desk.run([
        "ask",
        "--json",
        "--session",
        &branch,
        "--again",
        &run,
        "where exactly?",
    ]);
    assert_eq!(
        again.event("context")["items"][0]["title"],
        "测试 note.txt",
        "{}",
        again.stderr
    );
    let sent = server.requests().last().unwrap().to_string();
    assert!(
        sent.contains("blue pot") && sent.contains("where exactly?"),
        "{sent}"
    );
    let gone = desk.run(["ask", "--json", "--again", "nosuchrun", "where?"]);
    assert_eq!(gone.code, Some(2), "{}", gone.stdout);
}
