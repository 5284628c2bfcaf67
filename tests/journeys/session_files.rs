//! Sessions as files: whole there and back, under ids of their own beside the original, and a stranger's marks what goes on
//! from it. Titles that the user gives.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed, Staying};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::fs::File;
use std::time::{Duration, SystemTime};

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

/// A folder of kept files that nothing belongs to, older than any chip that may still be sent.
fn forgotten(desk: &Desk) -> std::path::PathBuf {
    let folder = desk.data().join("blobs/forgotten");
    std::fs::create_dir_all(&folder).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(72 * 3_600);
    File::open(&folder).unwrap().set_modified(long_ago).unwrap();
    folder
}

#[test]
fn beside_a_session_of_somebody_else_unused_files_go_and_its_question_can_be_asked_again() {
    let server = server([Answer::Text("It is 42.".into())]);
    let file = export(&desk(&server), "last");
    let stranger = Desk::with_model(&server.url());
    let id = import(&stranger, &file);
    let run = shown(&stranger, &id)["segments"][0]["run"]
        .as_str()
        .unwrap()
        .to_owned();
    let answered = stranger.run([
        "ask",
        "--json",
        "--session",
        &id,
        "--again",
        &run,
        "add 12 and 30",
    ]);
    assert_eq!(answered.code, Some(0), "{}{}", answered.stdout, answered.stderr);
    let other = import(&stranger, &file);
    let folder = forgotten(&stranger);
    well(stranger.run(["session", "delete", &other, "--yes"]));
    assert!(
        !folder.exists(),
        "a run without a readable state keeps every file"
    );
}

#[test]
fn a_session_that_was_cut_or_lost_a_line_is_a_strangers_and_nothing_of_it_is_to_come() {
    let server = server([Answer::Text("By Lin.".to_owned())]);
    let desk = desk(&server);
    let file = export(&desk, "last");
    let lines: Vec<&str> = file.lines().collect();
    let cut = lines[..lines.len() - 1].join("\n");
    let dropped = lines.iter().filter(|line| !line.contains("\"Express\""));
    let dropped = dropped.copied().collect::<Vec<_>>().join("\n");
    assert_ne!(dropped.lines().count(), lines.len());
    // Segments of the file are newer than all that will be asked on a page.
    let ahead: Vec<String> = lines
        .iter()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if let Some(segment) = line.get_mut("segment") {
                segment["time"] = json!("2999-01-01T00:00:00Z");
            }
            line.to_string()
        })
        .collect();
    let mut last = String::new();
    for file in [cut, dropped, ahead.join("\n")] {
        let id = import(&desk, &file);
        let detail = shown(&desk, &id);
        for segment in detail["segments"].as_array().unwrap() {
            assert_eq!(segment["tainted"], true, "{segment}");
            assert!(
                !segment["time"].as_str().unwrap().starts_with("2999"),
                "{segment}"
            );
        }
        last = id;
    }
    // What is remembered of a page is what the user asked there, and not what the file says to be asked later.
    let page = desk.path("page.json");
    let context =
        json!({"app": "Firefox", "title": "Quota", "url": "https://wiki.example/quota", "selection": "10"});
    std::fs::write(&page, context.to_string()).unwrap();
    let context = page.to_str().unwrap();
    let own = "who may raise the quota?";
    well(desk.run(["ask", "--session", &last, "--context", context, own]));
    let visits = well(desk.run(["--json", "memory", "visits", "https://wiki.example/quota"]));
    assert_eq!(visits.json()[0]["question"], own, "{}", visits.stdout);
}

#[test]
fn a_session_of_any_length_leaves_through_the_socket_and_comes_back_and_a_file_without_bounds_does_not() {
    let server = server([]);
    let desk = desk(&server);
    let file = export(&desk, "last");
    let lines: Vec<&str> = file.lines().collect();
    let run = shown(&desk, "last")["runs"][0]["id"].as_str().unwrap().to_owned();
    let segment = lines.iter().find(|line| line.contains("\"segment\"")).unwrap();
    let mut long: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for number in 0..12 {
        let mut line: Value = serde_json::from_str(segment).unwrap();
        line["segment"]["text"] = json!(format!("{number} {}", "师弟\"".repeat(60_000)));
        long.push(line.to_string());
    }
    // One line alone is longer than a message of the socket.
    let whole = json!({"type": "result", "handle": "long", "run": run, "text": "师\n".repeat(4 << 20), "tainted": false});
    long.push(whole.to_string());
    let id = import(&desk, &long.join("\n"));
    let staying = Staying::start(&desk);
    let exported = export(&desk, &id);
    assert!(exported.len() > 24 << 20, "{}", exported.len());
    let second = import(&desk, &exported);
    assert_eq!(content(&shown(&desk, &second)), content(&shown(&desk, &id)));
    drop(staying);

    let path = desk.path("endless.jsonl");
    std::fs::File::create(&path).unwrap().set_len(300 << 20).unwrap();
    let refused = desk.run(["--lang", "en", "session", "import", path.to_str().unwrap()]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("too large") && refused.stderr.contains("256"),
        "{}",
        refused.stderr
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
