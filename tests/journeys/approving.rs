//! Calls that wait for a person: the run rests, survives its process, and goes on where it stood.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};

fn waiting(server: &ModelServer) -> (Desk, Printed) {
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "how long is my host name?"]);
    (desk, printed)
}

fn run_of(printed: &Printed) -> String {
    printed.event("run_started")["run"].as_str().unwrap().to_owned()
}

fn call_of(printed: &Printed) -> String {
    printed.event("approval_needed")["call"].to_string()
}

#[test]
fn a_read_outside_granted_folders_ends_suspended_with_the_exact_call() {
    let server = ModelServer::start([reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    assert_eq!(printed.code, Some(3), "{}", printed.stderr);
    let card = printed.event("approval_needed");
    assert_eq!(card["tool"], "files.read");
    assert_eq!(card["args"]["path"], "/etc/hostname");
    assert_eq!(card["class"], "read_outside");
    assert_eq!(card["family"], "files.read(path=/etc/*)");
    assert_eq!(printed.event("run_ended")["status"], "suspended");
    let (run, call) = (run_of(&printed), call_of(&printed));
    let answered = desk.run(["answer", &run, "banana"]);
    let possible = format!("shidi approve {run} {call}, or shidi refuse {run} {call}");
    assert!(
        answered.code != Some(0) && answered.stderr.contains(&possible),
        "{}",
        answered.stderr
    );
}

#[test]
fn an_approved_call_goes_on_in_another_process_without_asking_the_model_again() {
    let server = ModelServer::start([reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    let continued = desk.run(["approve", "--json", &run_of(&printed), &call_of(&printed)]);
    assert_eq!(
        continued.code,
        Some(0),
        "{}\n{}",
        continued.stdout,
        continued.stderr
    );
    let answer = continued.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(
        answer.starts_with("read ") && answer.ends_with(" characters"),
        "{answer}"
    );
    assert_eq!(server.requests().len(), 1);
    let first = printed.json().len() as u64;
    assert!(
        continued.json()[0]["seq"].as_u64().unwrap() >= first,
        "numbers go on over the restart"
    );
}

#[test]
fn a_replayed_program_sees_the_clock_it_saw_before() {
    let server = ModelServer::start([reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    let done = |event: &serde_json::Value| event["type"] == "call_done";
    assert!(
        printed.json().iter().any(done),
        "the clock was read before the wait"
    );
    let continued = desk.run(["approve", "--json", &run_of(&printed), &call_of(&printed)]);
    let calls = |event: &&serde_json::Value| event["type"] == "call" && event["method"] == "time";
    assert_eq!(
        continued.json().iter().filter(calls).count(),
        0,
        "it is answered from the record"
    );
}

#[test]
fn a_refusal_reaches_the_program_and_the_model_with_its_reason() {
    let server = ModelServer::start([
        reply("read_hosts"),
        Answer::Text("I was not allowed to read it.".into()),
    ]);
    let (desk, printed) = waiting(&server);
    let arguments = [
        "refuse",
        "--json",
        &run_of(&printed),
        &call_of(&printed),
        "--reason",
        "not that one",
    ];
    let continued = desk.run(arguments);
    assert_eq!(continued.event("answer")["text"], "I was not allowed to read it.");
    assert!(server.last_prompt().contains("not that one"));
}

#[test]
fn always_holds_for_the_family_in_later_sessions() {
    let server = ModelServer::start([reply("read_hosts"), reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    desk.run([
        "approve",
        "--json",
        &run_of(&printed),
        &call_of(&printed),
        "--always",
    ]);
    let again = desk.run(["ask", "--json", "and once more?"]);
    assert_eq!(again.code, Some(0), "{}\n{}", again.stdout, again.stderr);
}

#[test]
fn a_remembered_decision_is_listed_and_asks_again_once_revoked() {
    let server = ModelServer::start([reply("read_hosts"), reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    desk.run([
        "approve",
        "--json",
        &run_of(&printed),
        &call_of(&printed),
        "--always",
    ]);
    let rules = desk.run(["config", "rules", "--json"]).json();
    let pattern = rules[0]["pattern"].as_str().unwrap().to_owned();
    assert!(pattern.starts_with("files.read("), "{pattern}");
    assert_eq!(desk.run(["config", "revoke", &pattern]).code, Some(0));
    assert!(desk.run(["config", "rules", "--json"]).stdout.trim().is_empty());
    assert_eq!(desk.run(["ask", "--json", "and once more?"]).code, Some(3));
    assert_eq!(
        desk.run(["config", "revoke", &pattern]).code,
        Some(2),
        "it is gone already"
    );
}

#[test]
fn what_is_approved_with_the_question_is_not_asked() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run([
        "ask",
        "--json",
        "--approve",
        "files.read(path=/etc/*)",
        "how long?",
    ]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

#[test]
fn a_granted_folder_is_read_without_asking() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "--folder", "/etc", "how long?"]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

#[test]
fn a_question_of_the_program_is_answered_from_another_process() {
    let server = ModelServer::start([reply("ask_back")]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "book a table"]);
    assert_eq!(printed.code, Some(3));
    assert_eq!(printed.event("question")["text"], "For how many people?");
    let continued = desk.run(["answer", "--json", &run_of(&printed), "four"]);
    assert_eq!(
        continued.event("answer")["text"],
        "A table for four",
        "{}",
        continued.stderr
    );
}

#[test]
fn a_suspended_run_can_be_cancelled_and_then_not_resumed() {
    let server = ModelServer::start([reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    let run = run_of(&printed);
    assert_eq!(desk.run(["cancel", &run]).code, Some(0));
    let refused = desk.run(["approve", &run, &call_of(&printed)]);
    assert_eq!(refused.code, Some(2));
    let listed = desk.run(["session", "list", "--json"]).json().remove(0);
    let session = listed["id"].as_str().unwrap_or_else(|| panic!("{listed}"));
    let told = format!("shidi ask --session {session} ");
    assert!(refused.stderr.contains(&told), "{}", refused.stderr);
}

#[test]
fn resuming_shows_again_what_waits() {
    let server = ModelServer::start([reply("read_hosts")]);
    let (desk, printed) = waiting(&server);
    let resumed = desk.run(["resume", "--json"]);
    assert_eq!(resumed.code, Some(3), "{}\n{}", resumed.stdout, resumed.stderr);
    assert_eq!(
        resumed.event("approval_needed")["args"],
        printed.event("approval_needed")["args"]
    );
}

#[test]
fn a_rule_is_set_by_hand_and_every_call_tells_why_it_was_allowed_or_not() {
    let server = ModelServer::start([
        reply("read_hosts"),
        Answer::Text("I was not allowed to read it.".into()),
        reply("read_hosts"),
    ]);
    let desk = Desk::with_model(&server.url());
    let rule = |verdict: &str| desk.run(["config", "rule", verdict, "files.*(path=/etc/*)"]).code;
    assert_eq!(rule("deny"), Some(0));
    let printed = desk.run(["ask", "--json", "how long is my host name?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let why = desk.run(["session", "show", "last", "--calls"]).stdout;
    assert!(why.contains("refused by your rule files.*(path=/etc/*)"), "{why}");
    assert!(why.contains("allowed by default: read in mode risky"), "{why}");
    let chinese = desk
        .run(["session", "show", "last", "--calls", "--lang", "zh"])
        .stdout;
    assert!(chinese.contains("按你的规则拒绝"), "{chinese}");

    assert_eq!(rule("allow"), Some(0));
    assert_eq!(
        desk.run(["config", "rules", "--json"]).json().len(),
        1,
        "one rule for one family"
    );
    let printed = desk.run(["ask", "--json", "and now?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let why = desk.run(["session", "show", "last", "--calls", "--json"]).stdout;
    assert!(
        why.contains("\"by\":\"rule\"") && why.contains("\"verdict\":\"allow\""),
        "{why}"
    );
    assert_eq!(
        desk.run(["config", "rule", "deny", "files"]).code,
        Some(2),
        "no pattern"
    );
}

#[test]
fn of_two_calls_at_once_the_second_is_withdrawn_when_the_first_is_refused() {
    let program = "import asyncio\nawait asyncio.gather(\n    files.read(path='/etc/hostname'),\n    files.read(path='/etc/os-release'),\n)";
    let server = ModelServer::start([
        Answer::Text(format!("```python\n{program}\n```")),
        Answer::Text("As you wish.".into()),
    ]);
    let (desk, printed) = waiting(&server);
    assert_eq!(printed.code, Some(3), "{}", printed.stderr);
    let run = run_of(&printed);
    let events = printed.json();
    let cards = events.iter().filter(|event| event["type"] == "approval_needed");
    let calls: Vec<String> = cards.map(|card| card["call"].to_string()).collect();
    assert_eq!(calls.len(), 2, "{}", printed.stdout);
    let refused = desk.run(["refuse", "--json", &run, &calls[0]]);
    assert_eq!(refused.code, Some(0), "{}{}", refused.stdout, refused.stderr);
    assert_eq!(refused.event("answer")["text"], "As you wish.");
    let second: u64 = calls[1].parse().unwrap();
    let withdrawn = refused
        .json()
        .into_iter()
        .find(|event| event["type"] == "call_done" && event["call"] == second && event["ok"] == false);
    assert!(withdrawn.is_some(), "{}", refused.stdout);
    let late = desk.run(["approve", "--json", &run, &calls[1]]);
    assert_eq!(late.code, Some(2), "{}{}", late.stdout, late.stderr);
    assert!(!server.last_prompt().contains("PRETTY_NAME"), "nothing was read");
}
