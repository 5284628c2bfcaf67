//! Versions: what is asked again stands beside the first answer, in the same session.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed, Staying};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Wait for what those who watch are told, before the same is done once more: nobody says when the watch has begun.
const TOLD_WITHIN: Duration = Duration::from_secs(2);

fn said(text: &str) -> Answer {
    Answer::Text(text.into())
}

fn program(text: &str) -> Answer {
    said(&format!("```python\n{text}\n```"))
}

/// What the inspector lists: each variable as it is shown.
fn variables(desk: &Desk) -> Value {
    let printed = desk.run(["session", "variables", "last", "--json"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let listed = printed.json().remove(0);
    let rows = listed["variables"].as_array().unwrap().iter();
    let named = rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["preview"].clone()));
    named.collect::<serde_json::Map<_, _>>().into()
}

fn switch(desk: &Desk, run: &Printed) {
    let switched = desk.run(["session", "switch", "last", &run_of(run)]);
    assert_eq!(switched.code, Some(0), "{}", switched.stderr);
}

fn stdout(printed: &Printed) -> Value {
    printed.event("output")["stdout"].clone()
}

fn run_of(printed: &Printed) -> String {
    printed.event("run_started")["run"].as_str().unwrap().to_owned()
}

fn shown(desk: &Desk) -> Value {
    desk.run(["session", "show", "last", "--json"]).json()[0].clone()
}

fn texts(detail: &Value, kind: &str) -> Vec<String> {
    let segments = detail["segments"].as_array().unwrap();
    let of_kind = segments.iter().filter(|segment| segment["kind"] == kind);
    of_kind
        .map(|segment| segment["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_asked_again_takes_the_place_of_the_first_and_each_version_keeps_what_followed_it() {
    let server = ModelServer::start([
        said("Blue."),
        said("Because of the air."),
        said("Red."),
        said("At dusk."),
    ]);
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "which colour has the sky?"]);
    desk.run(["ask", "--json", "--session", "last", "why?"]);
    let again = desk.run([
        "ask",
        "--json",
        "--instead",
        &run_of(&first),
        "which colour has the evening sky?",
    ]);
    assert_eq!(again.event("answer")["text"], "Red.", "{}", again.stderr);
    let prompt = server.requests().pop().unwrap().to_string();
    assert!(
        !prompt.contains("Blue.") && !prompt.contains("Because"),
        "{prompt}"
    );
    let detail = shown(&desk);
    assert_eq!(texts(&detail, "Express"), ["Red."]);
    assert_eq!(
        detail["runs"][0]["versions"],
        json!([run_of(&first), run_of(&again)])
    );
    assert_eq!(desk.run(["session", "list", "--json"]).json().len(), 1);
    desk.run(["ask", "--json", "--session", "last", "when?"]);
    let prompt = server.requests().pop().unwrap().to_string();
    assert!(prompt.contains("Red.") && !prompt.contains("Blue."), "{prompt}");

    let switched = desk
        .run(["session", "switch", "last", &run_of(&first), "--json"])
        .json();
    assert_eq!(texts(&switched[0], "Express"), ["Blue.", "Because of the air."]);
    let back = desk
        .run(["session", "switch", "last", &run_of(&again), "--json"])
        .json();
    assert_eq!(texts(&back[0], "Express"), ["Red.", "At dusk."]);
    let printed = desk.run(["session", "show", "last"]);
    assert!(printed.stdout.contains("(version 2 of 2)"), "{}", printed.stdout);
}

#[test]
fn a_version_finds_no_variables_of_another_one() {
    let server = ModelServer::start([
        said("Hello."),
        reply("add"),
        reply("total"),
        said("Nothing is left."),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "hello"]);
    let second = desk.run(["ask", "--json", "--session", "last", "add 12 and 30"]);
    let names = |desk: &Desk| desk.run(["session", "variables", "last", "--json"]).stdout;
    assert!(names(&desk).contains("total"));
    desk.run(["ask", "--json", "--instead", &run_of(&second), "never mind"]);
    assert!(!names(&desk).contains("total"), "{}", names(&desk));
    desk.run(["session", "switch", "last", &run_of(&second)]);
    assert!(names(&desk).contains("total"));
}

#[test]
fn of_what_was_asked_twice_memory_finds_the_last_answer_alone() {
    let answer = |way: &str| said(&format!("The invoice of November goes to the office by {way}."));
    let server = ModelServer::start([answer("post"), answer("courier")]);
    let desk = Desk::with_model(&server.url());
    let question = "how does the invoice of November reach the accounting office?";
    let first = desk.run(["ask", "--json", question]);
    let search = [
        "memory",
        "search",
        "invoice November office",
        "--kind",
        "summary",
        "--json",
    ];
    let found = |desk: &Desk| desk.run(search).stdout;
    assert!(found(&desk).contains("by post"), "{}", found(&desk));
    desk.run(["ask", "--json", "--instead", &run_of(&first), question]);
    let found = found(&desk);
    assert!(
        found.contains("by courier") && !found.contains("by post"),
        "{found}"
    );
}

#[test]
fn a_run_of_another_session_is_no_version() {
    let server = ModelServer::start([said("Hello."), said("Nine letters.")]);
    let desk = Desk::with_model(&server.url());
    let hello = desk.run(["ask", "--json", "hello"]);
    desk.run(["ask", "--json", "how long is my host name?"]);
    let refused = desk.run(["session", "switch", "last", &run_of(&hello)]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("no such run in this session"),
        "{}",
        refused.stderr
    );
    let unknown = desk.run(["ask", "--instead", "run-nowhere", "again"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.stderr);
}

#[test]
fn what_is_run_by_hand_leaves_the_variables_of_a_version_where_they_are() {
    let server = ModelServer::start([
        said("Hello."),
        reply("add"),
        reply("total"),
        said("Nothing is left."),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "hello"]);
    let second = desk.run(["ask", "--json", "--session", "last", "add 12 and 30"]);
    let program = desk.path("program.py");
    std::fs::write(&program, "fresh = 1").unwrap();
    desk.run(["exec", "--session", "last", program.to_str().unwrap()]);
    let names = |desk: &Desk| desk.run(["session", "variables", "last", "--json"]).stdout;
    assert!(names(&desk).contains("total") && names(&desk).contains("fresh"));
    desk.run(["ask", "--json", "--instead", &run_of(&second), "never mind"]);
    assert!(
        !names(&desk).contains("total") && !names(&desk).contains("fresh"),
        "{}",
        names(&desk)
    );
}

#[test]
fn a_task_of_another_version_that_goes_on_is_shown_again() {
    let server = ModelServer::start([reply("read_hosts"), said("Never mind.")]);
    let desk = Desk::with_model(&server.url());
    let waits = desk.run(["ask", "--json", "how long is my host name?"]);
    assert_eq!(
        waits.event("run_ended")["status"],
        "suspended",
        "{}",
        waits.stderr
    );
    desk.run(["ask", "--json", "--instead", &run_of(&waits), "forget it"]);
    assert_eq!(texts(&shown(&desk), "User"), ["forget it"]);
    let call = waits.event("approval_needed")["call"].to_string();
    let approved = desk.run(["approve", "--json", &run_of(&waits), &call]);
    assert_eq!(approved.code, Some(0), "{}", approved.stderr);
    assert_eq!(texts(&shown(&desk), "User"), ["how long is my host name?"]);
}

#[test]
fn all_versions_are_exported_and_come_back_with_the_one_that_is_shown() {
    let server = ModelServer::start([said("Blue."), said("Red.")]);
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "which colour?"]);
    desk.run(["ask", "--json", "--instead", &run_of(&first), "which colour?"]);
    desk.run(["session", "switch", "last", &run_of(&first)]);
    let file = desk.path("session.jsonl");
    std::fs::write(&file, desk.run(["session", "export", "last"]).stdout).unwrap();
    let other = Desk::with_model(&server.url());
    let imported = other
        .command(["session", "import", "--json"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        imported.status.success(),
        "{}",
        String::from_utf8_lossy(&imported.stderr)
    );
    let detail = shown(&other);
    assert_eq!(texts(&detail, "Express"), ["Blue."]);
    let versions = detail["runs"][0]["versions"].as_array().unwrap().clone();
    assert_eq!(versions.len(), 2);
    let switched = other.run([
        "session",
        "switch",
        "last",
        versions[1].as_str().unwrap(),
        "--json",
    ]);
    assert_eq!(texts(&switched.json()[0], "Express"), ["Red."]);
}

#[test]
fn each_version_finds_what_it_left_itself_also_after_a_restart_of_everything() {
    let server = ModelServer::start([
        program("x = 1\nprint(x)"),
        said("One."),
        program("print('x' in globals())\nx = 2"),
        said("Two."),
        program("print(x)"),
        said("Still one."),
        program("print(x)"),
        said("Still two."),
    ]);
    let desk = Desk::with_model(&server.url());
    let staying = Staying::start(&desk);
    let first = desk.run(["ask", "--json", "set it"]);
    let second = desk.run(["ask", "--json", "--instead", &run_of(&first), "set it otherwise"]);
    assert_eq!(stdout(&second), "False\n", "{}", second.stdout);
    assert_eq!(variables(&desk), json!({"x": "2"}));
    switch(&desk, &first);
    assert_eq!(variables(&desk), json!({"x": "1"}));
    assert_eq!(shown(&desk)["variables"], json!({"x": 1}));
    let asked = desk.run(["ask", "--json", "--session", "last", "what is it?"]);
    assert_eq!(stdout(&asked), "1\n", "{}", asked.stdout);
    drop(staying);
    assert_eq!(variables(&desk), json!({"x": "1"}));
    switch(&desk, &second);
    assert_eq!(variables(&desk), json!({"x": "2"}));
    let asked = desk.run(["ask", "--json", "--session", "last", "what is it?"]);
    assert_eq!(stdout(&asked), "2\n", "{}", asked.stdout);
}

#[test]
fn a_question_that_is_asked_again_finds_the_values_that_it_found_the_first_time() {
    let more = || program("rows = rows + [len(rows)]\nprint(rows)");
    let server = ModelServer::start([
        program("rows = [7]"),
        said("Set."),
        more(),
        said("More."),
        more(),
        said("More again."),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "set rows"]);
    let second = desk.run(["ask", "--json", "--session", "last", "add one"]);
    assert_eq!(stdout(&second), "[7, 1]\n", "{}", second.stdout);
    let again = desk.run(["ask", "--json", "--instead", &run_of(&second), "add one"]);
    assert_eq!(stdout(&again), "[7, 1]\n", "{}", again.stdout);
    let branch = desk.run(["session", "branch", "last", "--before", &run_of(&again)]);
    assert_eq!(branch.code, Some(0), "{}", branch.stderr);
    assert_eq!(shown(&desk)["variables"], json!({"rows": [7]}));
}

#[test]
fn what_is_deleted_in_one_version_stays_in_the_others() {
    let server = ModelServer::start([
        program("x = 1\ny = 1"),
        said("Set."),
        program("del y"),
        said("Deleted."),
        said("Nothing to do."),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "set both"]);
    let second = desk.run(["ask", "--json", "--session", "last", "delete one"]);
    assert_eq!(variables(&desk), json!({"x": "1"}));
    let other = desk.run(["ask", "--json", "--instead", &run_of(&second), "leave them"]);
    assert_eq!(variables(&desk), json!({"x": "1", "y": "1"}));
    let deleted = desk.run(["session", "variables", "last", "--delete", "x"]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert_eq!(variables(&desk), json!({"y": "1"}));
    switch(&desk, &second);
    assert_eq!(variables(&desk), json!({"x": "1"}));
    switch(&desk, &other);
    assert_eq!(variables(&desk), json!({"y": "1"}));
}

#[test]
fn what_is_run_by_hand_belongs_to_the_version_that_is_shown() {
    let server = ModelServer::start([program("x = 1"), said("Set."), said("Nothing to do.")]);
    let desk = Desk::with_model(&server.url());
    let exec = |program: &str| {
        let printed = desk.run_with(["exec", "--session", "last", "-"], program);
        assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    };
    let first = desk.run(["ask", "--json", "set it"]);
    let second = desk.run(["ask", "--json", "--instead", &run_of(&first), "leave it"]);
    exec("x = 'by hand'\ny = 2");
    assert_eq!(variables(&desk), json!({"x": "'by hand'", "y": "2"}));
    switch(&desk, &first);
    assert_eq!(variables(&desk), json!({"x": "1"}));
    exec("x += 10\nz = 3");
    assert_eq!(variables(&desk), json!({"x": "11", "z": "3"}));
    switch(&desk, &second);
    assert_eq!(variables(&desk), json!({"x": "'by hand'", "y": "2"}));
}

#[test]
fn variables_of_all_versions_are_exported_and_come_back() {
    let server = ModelServer::start([
        program("x = 1\ny = (1, 2)"),
        said("Set."),
        program("del x"),
        said("Deleted."),
        program("x = 3"),
        said("Set."),
    ]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "set it"]);
    let second = desk.run(["ask", "--json", "--session", "last", "delete it"]);
    desk.run(["ask", "--json", "--instead", &run_of(&second), "set it otherwise"]);
    let file = desk.path("session.jsonl");
    std::fs::write(&file, desk.run(["session", "export", "last"]).stdout).unwrap();
    let other = Desk::with_model(&server.url());
    let imported = other.run(["session", "import", "--json", file.to_str().unwrap()]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    assert_eq!(variables(&other), json!({"x": "3", "y": "(1, 2)"}));
    let versions = shown(&other)["runs"][1]["versions"].clone();
    let first = versions[0].as_str().unwrap();
    assert_eq!(other.run(["session", "switch", "last", first]).code, Some(0));
    assert_eq!(variables(&other), json!({"y": "(1, 2)"}));
}

#[test]
fn a_session_is_called_by_the_first_question_that_it_shows_until_the_user_names_it() {
    let server = ModelServer::repeating(said("Hello."));
    let desk = Desk::with_model(&server.url());
    let title = || shown(&desk)["summary"]["title"].clone();
    let first = desk.run(["ask", "--json", "good morning"]);
    let second = desk.run(["ask", "--json", "--instead", &run_of(&first), "good evening"]);
    assert_eq!(title(), "good evening");
    switch(&desk, &first);
    assert_eq!(title(), "good morning");
    desk.run(["session", "rename", "last", "greetings"]);
    switch(&desk, &second);
    assert_eq!(title(), "greetings");
    desk.run(["ask", "--json", "--instead", &run_of(&first), "good night"]);
    assert_eq!(title(), "greetings");
    desk.run(["session", "branch", "last"]);
    assert_eq!(desk.run(["session", "list", "--json"]).json().len(), 2);
    assert_eq!(title(), "greetings");
}

#[test]
fn a_decision_that_nothing_waits_for_shows_no_other_version() {
    let server = ModelServer::start([reply("read_hosts"), said("Never mind.")]);
    let desk = Desk::with_model(&server.url());
    let waits = desk.run(["ask", "--json", "how long is my host name?"]);
    desk.run(["ask", "--json", "--instead", &run_of(&waits), "forget it"]);
    let refused = desk.run(["approve", "--json", &run_of(&waits), "99"]);
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
    assert_eq!(texts(&shown(&desk), "User"), ["forget it"]);
}

#[test]
fn whoever_watches_is_told_that_another_version_is_shown() {
    let server = ModelServer::start([said("Blue."), said("Red.")]);
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "which colour?"]);
    desk.run(["ask", "--json", "--instead", &run_of(&first), "which colour?"]);
    let _staying = Staying::start(&desk);
    let socket = std::fs::read_to_string(desk.data().join("lock")).unwrap();
    let mut watching = UnixStream::connect(socket.trim()).unwrap();
    watching.set_read_timeout(Some(TOLD_WITHIN)).unwrap();
    writeln!(watching, "{}", json!({"request": "watch"})).unwrap();
    let mut told = BufReader::new(watching).lines();
    // What changes from here on is told: whoever asks for the state now misses nothing.
    assert_eq!(told.next().unwrap().unwrap(), r#"{"reply":"watching"}"#);
    let session = first.event("run_started")["session"].clone();
    let changed = json!({"reply": "session_changed", "session": session});
    let is_told = |line: std::io::Result<String>| {
        let line = line.unwrap_or_default();
        serde_json::from_str::<Value>(&line).is_ok_and(|reply| reply == changed)
    };
    let mut tries = 0..30;
    assert!(tries.any(|_| {
        desk.run(["session", "switch", "last", &run_of(&first)]);
        told.next().is_some_and(is_told)
    }));
}

#[test]
fn a_list_of_traces_names_the_version_of_a_run_that_its_session_does_not_show() {
    let server = ModelServer::start(["Blue.", "Since ever.", "Red.", "Green."].map(said));
    let desk = Desk::with_model(&server.url());
    let first = desk.run(["ask", "--json", "which colour?"]);
    desk.run(["ask", "--json", "--session", "last", "since when?"]);
    for _ in 0..2 {
        desk.run(["ask", "--json", "--instead", &run_of(&first), "which colour?"]);
    }
    let listed = |language: &str| {
        let stdout = desk.run(["trace", "list", "--lang", language]).stdout;
        let questions = stdout.lines().filter(|line| line.contains('?'));
        let marks = questions.map(|line| line.split('?').nth(1).unwrap().trim().to_owned());
        marks.collect::<Vec<String>>()
    };
    assert_eq!(
        listed("en"),
        ["", "(version 2/3)", "(follows another version)", "(version 1/3)"]
    );
    assert_eq!(
        listed("zh"),
        ["", "（第 2/3 版）", "（接在另一版后面）", "（第 1/3 版）"]
    );
    desk.run(["session", "switch", "last", &run_of(&first)]);
    assert_eq!(listed("en"), ["(version 3/3)", "(version 2/3)", "", ""]);
}
