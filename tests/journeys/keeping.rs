//! Files that sessions keep: what came with a question, pictures of the screen that were sent, what stood in files before.
//! They go with their session, and those of a data folder of before are what they were.

use crate::attaching::served;
use rusqlite::Connection;
use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::{Path, PathBuf};

/// What each of the three kinds holds, and a file of another session.
const PAGE: &str = "<h1>Rates</h1><p>The secret rate is 4.2 percent.</p>";
const OTHER_PAGE: &str = "<h1>Rates</h1><p>The open rate is 7.1 percent.</p>";
const PIXELS: &str = "secret pixels of a window";
const BEFORE: &str = "a secret of the old text\n";
/// What stood in a file whose change can't be read any more.
const TORN: &str = "a secret of a torn change";
const JPEG: &[u8] = include_bytes!("../attachments/files/pictures/照片.jpg");
const LOOK: &str = "0192aaaa";

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk with two sessions: of the first, each kind of file; of the second, a page. Returns their ids.
fn filled(server: &ModelServer) -> (Desk, String, String) {
    let desk = Desk::with_model(&server.url());
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"gpt-4o\"\nformat = \"fenced\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let folder = work(&desk);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("notes.txt"), BEFORE).unwrap();
    let page = |text: &'static str| {
        let head = format!(
            "200 OK\r\nContent-Type: text/html\r\nContent-Length: {}",
            text.len()
        );
        let address = format!("{}/rates", served(vec![("/rates", head, text)]));
        let chip = done(desk.run(["--json", "inspect", &address])).json().remove(0);
        chip["path"].as_str().unwrap().to_owned()
    };
    let folder = folder.display().to_string();
    let asked = |file: String| {
        let asked = done(desk.run([
            "ask",
            "--json",
            "--folder",
            &folder,
            "--file",
            &file,
            "Which rate?",
        ]));
        asked.event("run_started")["session"].as_str().unwrap().to_owned()
    };
    let first = asked(page(PAGE));
    let second = asked(page(OTHER_PAGE));
    see(&desk, &first);
    (desk, first, second)
}

fn work(desk: &Desk) -> PathBuf {
    desk.path("work")
}

/// The model changes a file in the first session, and answers from then on.
fn model() -> ModelServer {
    let program = "```python\nawait files.edit(path='notes.txt', old='old', new='new')\n```";
    ModelServer::start(
        [Answer::Text(program.to_owned())]
            .into_iter()
            .chain((0..9).map(|_| Answer::Text("4.2 percent.".to_owned()))),
    )
}

fn database(desk: &Desk) -> Connection {
    Connection::open(desk.data().join("shidi.db")).unwrap()
}

/// A picture of the screen that was sent in the session, as there would be one on a desktop.
fn see(desk: &Desk, session: &str) {
    let place = format!("blobs/{LOOK}");
    let folder = desk.data().join(&place);
    fs::create_dir_all(&folder).unwrap();
    let picture = [JPEG, PIXELS.as_bytes()].concat();
    fs::write(folder.join(format!("{LOOK}.jpg")), picture).unwrap();
    let database = database(desk);
    database
        .execute(
            "INSERT INTO look (id, time, what, app, title, width, height, blacked_out, outcome, session)
             VALUES (?1, 1, '\"monitor\"', 'Mousepad', 'secret title', 400, 300, 0, 'sent', ?2)",
            [LOOK, session],
        )
        .unwrap();
    database
        .execute("INSERT INTO blob (place) VALUES (?1)", [&place])
        .unwrap();
    database
        .execute(
            "INSERT INTO blob_reference (place, name, session, run, purpose, owner)
             VALUES (?1, ?2 || '.jpg', ?3, '', 'capture', ?2)",
            [&place, LOOK, session],
        )
        .unwrap();
}

/// Whether any file of the data folder holds these words.
fn holds(desk: &Desk, words: &str) -> bool {
    fn any(folder: &Path, words: &[u8]) -> bool {
        fs::read_dir(folder)
            .unwrap()
            .flatten()
            .any(|entry| match entry.path() {
                path if path.is_dir() => any(&path, words),
                path => {
                    let bytes = fs::read(&path).unwrap();
                    bytes.windows(words.len()).any(|some| some == words)
                }
            })
    }
    any(&desk.data(), words.as_bytes())
}

/// The first session goes on with its picture, and its change is shown and taken back.
fn is_whole(desk: &Desk, server: &ModelServer, session: &str) {
    let found = done(desk.run(["session", "search", "secret rate", "--json"])).json();
    assert!(found.iter().any(|one| one["id"] == session), "{found:?}");
    done(desk.run(["ask", "--session", session, "And in its corner?"]));
    let request = server.requests().pop().unwrap().to_string();
    assert!(request.contains("data:image/jpeg;base64,"), "{request}");
    let listed = done(desk.run(["--json", "changes"])).json();
    assert_eq!((listed.len(), &listed[0]["session"]), (1, &json!(session)));
    let shown = done(desk.run(["changes", "show", "last"])).stdout;
    assert!(
        shown.contains("-a secret of the old text\n+a secret of the new text\n"),
        "{shown}"
    );
}

fn goes_alone(desk: &Desk, first: &str, second: &str) {
    done(desk.run(["session", "delete", first, "--yes"]));
    for words in [
        "secret rate",
        PIXELS,
        "secret title",
        "secret of the old text",
        "notes.txt",
        TORN,
    ] {
        assert!(!holds(desk, words), "{words}");
    }
    assert!(holds(desk, "The open rate is 7.1 percent."));
    assert!(done(desk.run(["--json", "changes"])).json().is_empty());
    // What is asked again finds the page of its question.
    let asked = done(desk.run(["session", "show", second, "--json"]))
        .json()
        .remove(0);
    let run = asked["runs"][0]["id"].as_str().unwrap();
    done(desk.run(["ask", "--session", second, "--again", run, "Which rate, again?"]));
    done(desk.run(["session", "delete", second, "--yes"]));
    assert!(!holds(desk, "The open rate"));
}

#[test]
fn deleting_a_session_leaves_no_byte_of_its_attachments_captures_and_earlier_contents() {
    let server = model();
    let (desk, first, second) = filled(&server);
    is_whole(&desk, &server, &first);
    goes_alone(&desk, &first, &second);
    assert!(!desk.data().join("blobs").exists());
}

#[test]
fn what_is_copied_with_a_branch_outlives_the_session_that_it_is_of() {
    let server = model();
    let (desk, first, _) = filled(&server);
    let branch = done(desk.run(["session", "branch", &first]))
        .stdout
        .trim()
        .to_owned();
    done(desk.run(["session", "delete", &first, "--yes"]));
    assert!(holds(&desk, "The secret rate"));
    assert!(!holds(&desk, PIXELS) && !holds(&desk, BEFORE.trim()));
    done(desk.run(["session", "delete", &branch, "--yes"]));
    assert!(!holds(&desk, "The secret rate"));
}

/// Lays the files out as the program did before they had rows, in a database of that time.
fn as_before(desk: &Desk) {
    let (data, database) = (desk.data(), database(desk));
    let rows = |sql: &str| -> Vec<[String; 3]> {
        let mut statement = database.prepare(sql).unwrap();
        let read = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]));
        read.unwrap().map(Result::unwrap).collect()
    };
    for [place, _, _] in rows("SELECT place, name, run FROM blob_reference WHERE purpose = 'attachment'") {
        let earlier = place.replace("blobs/", "attachments/");
        fs::create_dir_all(data.join("attachments")).unwrap();
        fs::rename(data.join(&place), data.join(&earlier)).unwrap();
        for (table, column) in [("run_state", "state"), ("segment", "text"), ("segment", "body")] {
            let sql = format!("UPDATE {table} SET {column} = replace({column}, ?1, ?2)");
            database.execute(&sql, [&place, &earlier]).unwrap();
        }
    }
    fs::create_dir_all(data.join("captures")).unwrap();
    let picture = data.join(format!("blobs/{LOOK}/{LOOK}.jpg"));
    fs::rename(picture, data.join(format!("captures/{LOOK}.jpg"))).unwrap();
    let changes = rows(
        "SELECT change.session || '/' || change.run || '/' || call, place || '/' || name,
           json_object('path', path, 'created', json(iif(created, 'true', 'false')), 'added', added, 'removed', removed,
             'undone', json('false'), 'at', strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch'), 'data', json(data), 'after', after)
         FROM change JOIN blob_reference ON purpose = 'earlier' AND owner = change.run || '/' || call",
    );
    assert_eq!(changes.len(), 1);
    for [folder, file, facts] in changes {
        let folder = data.join("earlier").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::rename(data.join(file), folder.join("earlier")).unwrap();
        fs::write(folder.join("change.json"), facts).unwrap();
        let torn = folder.with_file_name("99");
        fs::create_dir_all(&torn).unwrap();
        fs::write(torn.join("change.json"), "{").unwrap();
        fs::write(torn.join("earlier"), TORN).unwrap();
    }
    fs::remove_dir_all(data.join("blobs")).unwrap();
    database
        .execute_batch(
            "DROP TABLE guess; DROP TABLE correction; DROP TABLE experience_link; DROP TABLE prompt_part; DROP TABLE prompt_kind; DROP TABLE form_answer; DROP TABLE form_use; DROP TABLE schedule_run; DROP TABLE schedule; DROP TABLE workflow_program; DROP TABLE workflow_step; DROP TABLE workflow_run;
             DROP TABLE change; DROP TABLE blob_reference; DROP TABLE blob;
             DELETE FROM setting WHERE key LIKE 'taken_over.%';
             PRAGMA user_version = 39;",
        )
        .unwrap();
}

#[test]
fn a_data_folder_of_before_is_found_shown_undone_and_deleted_as_it_was() {
    let server = model();
    let (desk, first, second) = filled(&server);
    as_before(&desk);
    is_whole(&desk, &server, &first);
    assert!(holds(&desk, TORN), "somebody may look for it by hand");
    done(desk.run(["changes", "undo", "last"]));
    assert_eq!(fs::read_to_string(work(&desk).join("notes.txt")).unwrap(), BEFORE);
    // Once more, as after a rescue: what is known stays known.
    database(&desk)
        .execute("DELETE FROM setting WHERE key LIKE 'taken_over.%'", [])
        .unwrap();
    let again = desk.run(["changes", "undo", "last"]);
    assert!(again.stderr.contains("Taken back before"), "{}", again.stderr);
    goes_alone(&desk, &first, &second);
    for folder in ["attachments", "captures", "earlier"] {
        assert!(!desk.data().join(folder).exists(), "{folder}");
    }
}

#[test]
fn the_first_command_after_an_update_may_be_the_one_that_deletes() {
    let server = model();
    let (desk, first, second) = filled(&server);
    as_before(&desk);
    goes_alone(&desk, &first, &second);
}
