//! What lives inside a session: variables that are listed and really deleted, jobs that are listed and stopped.

use crate::shell::work;
use serde_json::Value;
use shidi_tests::command::{Desk, Staying};
use shidi_tests::model_server::{Answer, ModelServer};

fn program(text: &str) -> Answer {
    Answer::Text(format!("```python\n{text}\n```"))
}

fn says(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

/// The values of a field of what a list of a session holds.
fn listed(desk: &Desk, what: &str, more: &[&str], field: &str) -> Vec<Value> {
    let begins = ["session", what, "last", "--json"];
    let printed = desk.run(begins.iter().chain(more));
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    let mut list = printed.json().remove(0);
    let rows = list[what].as_array_mut().unwrap().iter_mut();
    rows.map(|row| row[field].take()).collect()
}

#[test]
fn a_variable_that_is_deleted_is_gone_from_the_record_and_from_the_live_worker() {
    let server = ModelServer::start([
        program("x = 41\ny = [1, 2]\ndef helper():\n    return 1\nprint(x)"),
        says("It is 41."),
        program("print('helper' in dir(), 'x' in dir(), 'y' in dir())"),
        says("Looked."),
    ]);
    let desk = Desk::with_model(&server.url());
    let _staying = Staying::start(&desk);
    desk.run(["ask", "count"]);
    assert_eq!(listed(&desk, "variables", &[], "name"), ["helper", "x", "y"]);
    assert_eq!(
        listed(&desk, "variables", &[], "type"),
        ["function", "int", "list"]
    );
    for name in ["helper", "x"] {
        listed(&desk, "variables", &["--delete", name], "name");
    }
    assert_eq!(listed(&desk, "variables", &[], "name"), ["y"]);
    let printed = desk.run(["ask", "--json", "--session", "last", "what is there?"]);
    let stdout = printed.event("output")["stdout"].clone();
    assert_eq!(stdout, "False False True\n", "{}", printed.stdout);
    let absent = desk.run(["session", "variables", "last", "--delete", "x"]);
    assert_eq!(absent.code, Some(2), "{}", absent.stderr);
}

#[test]
fn the_whole_value_of_a_variable_is_shown_where_lists_show_its_beginning() {
    let server = ModelServer::start([program("text = 'long words ' * 200\nprint(1)"), says("Done.")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "write"]);
    let preview = listed(&desk, "variables", &[], "preview").remove(0);
    assert!(preview.as_str().unwrap().chars().count() < 400, "{preview}");
    let shown = desk.run(["session", "variables", "last", "--show", "text"]);
    assert_eq!(
        shown.stdout,
        format!("{}\n", "long words ".repeat(200)),
        "{}",
        shown.stderr
    );
    let none = desk.run(["session", "variables", "last", "--show", "other"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn a_background_job_is_listed_with_its_last_lines_and_stopped() {
    let server = ModelServer::start([
        program(
            "await shell.background(\"echo one; echo two; until [ -e go ]; do sleep 0.05; done\")\nprint(1)",
        ),
        says("It runs."),
    ]);
    let desk = Desk::with_model(&server.url());
    if !desk.can_confine() {
        return;
    }
    let _staying = Staying::start(&desk);
    let folder = work(&desk).display().to_string();
    desk.run(["ask", "--folder", &folder, "build it"]);
    assert_eq!(listed(&desk, "jobs", &[], "state"), ["running"]);
    while listed(&desk, "jobs", &[], "lines") != ["one\ntwo"] {
        std::thread::yield_now(); // each look is a process of its own
    }
    let id = listed(&desk, "jobs", &[], "id").remove(0);
    let id = id.as_str().unwrap();
    assert_eq!(listed(&desk, "jobs", &["--stop", id], "state"), ["ended"]);
    assert_eq!(listed(&desk, "jobs", &[], "how"), ["stopped"]);
}
