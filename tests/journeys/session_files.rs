//! Sessions as files: whole there and back, under ids of their own beside the original, and a stranger's marks what goes on
//! from it. Titles that the user gives.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};

fn well(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk with a session that ran a program and has a variable.
fn desk(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    well(desk.run(["ask", "--json", "add 12 and 30"]));
    desk
}

fn server(more: impl IntoIterator<Item = Answer>) -> ModelServer {
    ModelServer::start([reply("add"), reply("total")].into_iter().chain(more))
}

fn export(desk: &Desk, session: &str) -> String {
    well(desk.run(["session", "export", session])).stdout
}

fn import(desk: &Desk, text: &str) -> String {
    let path = desk.path("session.jsonl");
    std::fs::write(&path, text).unwrap();
    let imported = well(desk.run(["--json", "session", "import", path.to_str().unwrap()]));
    imported.json()[0]["id"].as_str().unwrap().to_owned()
}

fn sessions(desk: &Desk) -> Vec<Value> {
    well(desk.run(["--json", "session", "list"])).json()
}

fn shown(desk: &Desk, session: &str) -> Value {
    well(desk.run(["--json", "session", "show", session])).json()[0].clone()
}

/// What of a session does not depend on its ids.
fn content(detail: &Value) -> Vec<(Value, Value, Value)> {
    let segments = detail["segments"].as_array().unwrap().iter();
    segments
        .map(|segment| {
            (
                segment["kind"].clone(),
                segment["text"].clone(),
                segment["tainted"].clone(),
            )
        })
        .collect()
}

#[test]
fn a_session_comes_back_from_its_file_as_it_was_and_beside_itself_under_new_ids() {
    let server = server([reply("say_double")]);
    let desk = desk(&server);
    let id = shown(&desk, "last")["summary"]["id"].as_str().unwrap().to_owned();
    let (file, before) = (export(&desk, &id), shown(&desk, &id));
    well(desk.run(["session", "delete", &id, "--yes"]));
    assert!(sessions(&desk).is_empty());
    assert_eq!(import(&desk, &file), id);
    assert_eq!(shown(&desk, &id), before);
    assert_eq!(export(&desk, &id), file, "not one character of it is another");
    let second = import(&desk, &file);
    assert_ne!(second, id);
    assert_eq!(content(&shown(&desk, &second)), content(&before));
    assert_eq!(sessions(&desk).len(), 2);
    assert_eq!(shown(&desk, &second)["variables"]["total"], 42);
    // It goes on with what it had.
    let asked = well(desk.run(["ask", "--json", "--session", &second, "double it"]));
    assert_eq!(asked.event("answer")["text"], "Twice the total is 84");
}

#[test]
fn a_session_of_somebody_else_marks_whatever_goes_on_from_it() {
    let program = "```python\nawait memory.remember(text='the total is 42')\n```";
    let server = server([Answer::Text(program.into()), Answer::Text("Done.".into())]);
    let desk = desk(&server);
    let file = export(&desk, "last");
    let stranger = Desk::with_model(&server.url());
    let id = import(&stranger, &file);
    let detail = shown(&stranger, &id);
    assert!(
        content(&detail)
            .iter()
            .all(|(_, _, tainted)| *tainted == json!(true)),
        "{detail}"
    );
    let asked = stranger.run(["ask", "--json", "--session", &id, "remember the total"]);
    assert_eq!(asked.code, Some(3), "{}{}", asked.stdout, asked.stderr);
    assert_eq!(asked.event("approval_needed")["tool"], "memory.remember");
    // One changed line makes a stranger's of the user's own.
    let changed = file.replace("add 12 and 30", "add 12 and 31");
    let changed = import(&desk, &changed);
    assert!(
        content(&shown(&desk, &changed))
            .iter()
            .all(|(_, _, tainted)| *tainted == json!(true))
    );
}

#[test]
fn of_a_file_that_is_no_session_nothing_is_kept_and_the_line_is_named() {
    let server = server([]);
    let desk = desk(&server);
    let file = export(&desk, "last");
    let lines: Vec<&str> = file.lines().collect();
    let with = |line: &str| format!("{}\n{line}\n", lines[0]);
    let other = Desk::new();
    let broken = [
        (String::new(), "line 1"),
        (format!("{}\n", lines[1]), "line 1"),
        (with("not json"), "line 2"),
        (with(lines[0]), "line 2"),
        (with(r#"{"type":"poem"}"#), "poem"),
        (
            with(lines.iter().find(|line| line.contains("\"segment\"")).unwrap()),
            "no run of this session",
        ),
        (
            file.replace(shown(&desk, "last")["summary"]["id"].as_str().unwrap(), "../../x"),
            "is no id",
        ),
        (
            with(r#"{"type":"result","handle":"r","run":"x","text":"","tainted":false,"colour":"red"}"#),
            "colour",
        ),
    ];
    for (text, why) in broken {
        let path = other.path("broken.jsonl");
        std::fs::write(&path, &text).unwrap();
        let refused = other.run(["--lang", "en", "session", "import", path.to_str().unwrap()]);
        assert_eq!(refused.code, Some(2), "{text}\n{}", refused.stderr);
        assert!(refused.stderr.contains(why), "{why}: {}", refused.stderr);
    }
    assert!(sessions(&other).is_empty());
    let missing = other.run(["--lang", "zh", "session", "import", "/no/such/file"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("无法读取"), "{}", missing.stderr);
}

#[test]
fn a_title_that_the_user_gives_is_listed_found_and_taken_along() {
    let server = server([]);
    let desk = desk(&server);
    let renamed = well(desk.run(["--lang", "zh", "session", "rename", "last", "搬家", " 预算\n表"]));
    assert!(renamed.stdout.contains("已改名"), "{}", renamed.stdout);
    assert_eq!(sessions(&desk)[0]["title"], "搬家 预算 表");
    let found = well(desk.run(["--json", "session", "search", "预算"])).json();
    assert_eq!(found.len(), 1);
    assert_eq!(
        shown(&desk, &import(&desk, &export(&desk, "last")))["summary"]["title"],
        "搬家 预算 表"
    );
    let refused = desk.run(["--lang", "en", "session", "rename", "last", " "]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("no new title"), "{}", refused.stderr);
    assert_eq!(desk.run(["session", "rename", "nowhere", "x"]).code, Some(2));
}
