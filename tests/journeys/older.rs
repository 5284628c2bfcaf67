//! A database of before bodies had types, made by that program: two versions, a branch, a card, a file, a refusal,
//! recalled memories and summaries.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::Read;

const DATABASE: &[u8] = include_bytes!("../older/format-37.zip");

fn older(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(DATABASE)).unwrap();
    let mut database = Vec::new();
    archive
        .by_name("shidi.db")
        .unwrap()
        .read_to_end(&mut database)
        .unwrap();
    std::fs::write(desk.data().join("shidi.db"), database).unwrap();
    desk
}

/// The sessions about cities: the branch, then the one that it is of.
fn sessions(desk: &Desk) -> Vec<String> {
    let listed = desk.run(["session", "list", "--json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let about_cities = listed
        .json()
        .into_iter()
        .filter(|one| one["title"] == "which cities are there?");
    about_cities
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

fn shown(desk: &Desk, session: &str) -> Value {
    desk.run(["session", "show", session, "--json"]).json().remove(0)
}

fn of_kind<'a>(detail: &'a Value, kind: &str) -> Vec<&'a Value> {
    let segments = detail["segments"].as_array().unwrap().iter();
    segments.filter(|segment| segment["kind"] == kind).collect()
}

/// What the segments hold, without what an import gives anew.
fn bodies(detail: &Value) -> Vec<Value> {
    let mut segments = detail["segments"].as_array().unwrap().clone();
    for segment in &mut segments {
        for name in ["run", "time", "tainted"] {
            segment.as_object_mut().unwrap().remove(name);
        }
    }
    segments
}

#[test]
fn what_it_holds_is_read_as_what_it_says() {
    let server = ModelServer::start([]);
    let desk = older(&server);
    for session in sessions(&desk) {
        let detail = shown(&desk, &session);
        let file = of_kind(&detail, "Context")[0];
        assert_eq!(
            (&file["source"], &file["title"]),
            (&"file".into(), &"a.csv".into())
        );
        assert!(!file["text"].as_str().unwrap().contains('<'), "{file}");
        let card = of_kind(&detail, "Card")[0];
        assert_eq!(
            (&card["card"], &card["data"]["rows"][0][0]),
            (&"table".into(), &"上海".into())
        );
        let summary = of_kind(&detail, "Summary")[0];
        assert!(summary["through"].as_u64() > Some(0), "{summary}");
        let recalled = of_kind(&detail, "Recalled")[0];
        assert_eq!(recalled["marks"].as_array().unwrap().len(), 1, "{recalled}");
        let silent = of_kind(&detail, "Output")
            .into_iter()
            .filter(|output| output["text"] == "");
        assert!(silent.count() > 0, "a program that printed nothing");
        let read = desk.run(["session", "show", &session]);
        assert!(read.stdout.contains("All cities"), "{}", read.stdout);
    }
    let found = desk.run(["session", "search", "Berlin", "--json"]);
    assert!(found.json().len() >= 2, "{}", found.stdout);
}

#[test]
fn it_is_exported_and_imported_with_all_that_it_held() {
    let server = ModelServer::start([]);
    let desk = older(&server);
    let [_, session] = &sessions(&desk)[..] else {
        panic!("two sessions")
    };
    let exported = desk.run(["session", "export", session]);
    let file = desk.path("session.jsonl");
    std::fs::write(&file, &exported.stdout).unwrap();
    let imported = desk.run(["session", "import", file.to_str().unwrap()]);
    assert_eq!(imported.code, Some(0), "{}", imported.stderr);
    let again = shown(&desk, imported.stdout.trim());
    assert_eq!(bodies(&again), bodies(&shown(&desk, session)));
}

/// A run of the session failed, and its error was kept with a detail in English and one in Chinese beside it.
fn failed_before(desk: &Desk, session: &str) {
    let error = serde_json::json!({
        "code": "model", "message": "Ollama can't be reached (no server listens there)", "hint": null,
        "model": {
            "kind": "unreachable", "provider": "ollama", "title": "Ollama",
            "detail": "no server listens there", "detail_zh": "那里没有服务在听",
        },
    });
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let changed = database.execute(
        "UPDATE run_state SET status = 'failed', error = ?1 WHERE session = ?2",
        [&error.to_string(), session],
    );
    assert!(changed.unwrap() > 0);
}

#[test]
fn why_a_model_failed_is_read_in_every_language_it_was_kept_in_and_so_are_its_files() {
    let server = ModelServer::start([]);
    let desk = older(&server);
    let [_, session] = &sessions(&desk)[..] else {
        panic!("two sessions")
    };
    failed_before(&desk, session);
    let today = serde_json::json!({"en": "no server listens there", "zh": "那里没有服务在听"});
    let detail = |session: &str| shown(&desk, session)["runs"][0]["error"]["model"]["detail"].clone();
    assert_eq!(detail(session), today);
    let exported = desk.run(["session", "export", session]).stdout;
    let before = exported.replace(
        &format!(r#""detail":{today}"#),
        r#""detail":"no server listens there","detail_zh":"那里没有服务在听""#,
    );
    assert_ne!(exported, before);
    for text in [exported, before] {
        let file = desk.path("session.jsonl");
        std::fs::write(&file, text).unwrap();
        let imported = desk.run(["session", "import", file.to_str().unwrap()]);
        assert_eq!(imported.code, Some(0), "{}", imported.stderr);
        assert_eq!(detail(imported.stdout.trim()), today);
    }
}

#[test]
fn its_sessions_go_on_from_their_summaries_and_its_versions_are_switched() {
    let server = ModelServer::start([Answer::Text("Two, as before.".into())]);
    let desk = older(&server);
    let [_, session] = &sessions(&desk)[..] else {
        panic!("two sessions")
    };
    let asked = desk.run(["ask", "--json", "--session", session, "how many cities?"]);
    assert_eq!(asked.event("answer")["text"], "Two, as before.");
    let prompt = server.last_prompt();
    for part in ["<summary through=", "The office is in Berlin", "how many cities?"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    let detail = shown(&desk, session);
    let runs = detail["runs"].as_array().unwrap();
    let versions = runs.iter().find_map(|run| run["versions"].as_array()).unwrap();
    assert_eq!(versions.len(), 2);
    let switched = desk.run(["session", "switch", session, versions[0].as_str().unwrap()]);
    assert_eq!(switched.code, Some(0), "{}", switched.stderr);
}
