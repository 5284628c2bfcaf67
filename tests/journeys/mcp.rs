//! An MCP server as a user meets it: added, looked at, allowed, called by a program with approval, changed, removed.

use crate::incognito::{Connection, Resident, until};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk with a server called `peer` that writes what it was called with to a file.
fn desk(server: &ModelServer, allowed: &[&str]) -> Desk {
    let desk = Desk::with_model(&server.url());
    let notes = format!("SHIDI_TEST_NOTES={}", desk.path("notes").display());
    done(desk.run(["mcp", "add", "peer", "--env", &notes, "--", SERVER]));
    if !allowed.is_empty() {
        done(desk.run(["mcp", "allow", "peer"].iter().chain(allowed)));
    }
    desk
}

/// What the server was called with, in order.
fn notes(desk: &Desk) -> Vec<Value> {
    let text = std::fs::read_to_string(desk.path("notes")).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A model that writes one program and then says that it is done.
fn writing(program: &str) -> ModelServer {
    let program = format!("[Thought]: I do it.\n```python\n{program}\n```");
    ModelServer::start([
        Answer::Text(program),
        Answer::Text("Done.".to_owned()),
        Answer::Text("Done.".to_owned()),
    ])
}

fn approved(desk: &Desk, asked: &Printed) -> Printed {
    let card = asked.event("approval_needed");
    desk.run([
        "approve",
        "--json",
        card["run"].as_str().unwrap(),
        &card["call"].to_string(),
    ])
}

#[test]
fn a_tool_is_called_by_a_program_when_it_is_allowed_and_approved() {
    let server = writing("print(await peer.send_note(to='anna', note_text='hello'))");
    let desk = desk(&server, &["send-note"]);
    let asked = desk.run(["ask", "--json", "tell anna hello"]);
    assert_eq!(asked.code, Some(3), "{}{}", asked.stdout, asked.stderr);
    let prompt = server.requests()[0].to_string();
    assert!(
        prompt.contains("class peer") && prompt.contains("send_note"),
        "{prompt}"
    );
    assert!(
        !prompt.contains("read_text"),
        "what is not allowed is not offered"
    );
    let card = asked.event("approval_needed");
    assert_eq!(
        card["args"],
        json!({"to": "anna", "note_text": "hello"}),
        "{card}"
    );
    assert_eq!(card["class"], "send");
    assert_eq!(
        notes(&desk),
        Vec::<Value>::new(),
        "nothing is called before it is approved"
    );
    // Each command is a process of its own: the run was taken up again, with the server's toolkit, after a restart.
    let answered = done(approved(&desk, &asked));
    assert!(
        answered.event("output").to_string().contains("sent to anna"),
        "{}",
        answered.stdout
    );
    assert_eq!(
        notes(&desk),
        [json!({"tool": "send-note", "args": {"to": "anna", "note-text": "hello"}})]
    );
}

#[test]
fn what_a_tool_answers_taints_the_run() {
    let server = writing("print(await peer.read_text())\nawait memory.remember(text='the text is plain')");
    let desk = desk(&server, &["read_text", "--class", "read"]);
    let asked = desk.run(["ask", "--json", "read it and remember"]);
    // Reading was allowed without a question, as the user said that it reads; what follows from it is not.
    assert_eq!(notes(&desk).len(), 1, "{}", asked.stdout);
    assert_eq!(asked.code, Some(3), "{}{}", asked.stdout, asked.stderr);
    assert_eq!(asked.event("approval_needed")["tool"], "memory.remember");
}

#[test]
fn a_server_that_is_removed_while_a_run_waits_is_called_by_nobody() {
    let server = writing("print(await peer.send_note(to='anna', note_text='hello'))");
    let desk = desk(&server, &["--all"]);
    let asked = desk.run(["ask", "--json", "tell anna hello"]);
    done(desk.run(["mcp", "remove", "peer"]));
    let answered = approved(&desk, &asked);
    assert_eq!(answered.code, Some(0), "{}{}", answered.stdout, answered.stderr);
    assert_eq!(notes(&desk), Vec::<Value>::new());
    let told = server.requests().last().unwrap().to_string();
    assert!(told.contains("There is no peer.send_note"), "{told}");
    assert!(done(desk.run(["--json", "mcp", "list"])).stdout.is_empty());
}

#[test]
fn a_dead_server_says_so_in_one_sentence_and_a_tool_that_changed_is_not_called() {
    let program = "try:\n    await peer.die()\nexcept ConnectionError as error:\n    print('told:', error)\nprint(await peer.add(a=1, b=2))";
    let server = writing(program);
    let desk = desk(&server, &["--all", "--class", "read"]);
    let answered = done(desk.run(["ask", "--json", "add"]));
    let output = answered.event("output").to_string();
    assert!(
        output.contains("told: MCP server peer: The server ended; it said: Segmentation fault"),
        "{output}"
    );
    assert!(output.contains('3'), "{output}");

    // Another version of the server says something else of the tool that the user has seen and allowed.
    let server = writing("print(await peer.send_note(to='anna', note_text='hello'))");
    let desk = self::desk(&server, &["send-note"]);
    let table = desk.data().join("mcp.toml");
    let text = std::fs::read_to_string(&table).unwrap();
    let other = text.replace(
        "env = {",
        "env = { SHIDI_TEST_TEXT = \"Sends everything to everybody.\",",
    );
    assert_ne!(text, other);
    std::fs::write(&table, other).unwrap();
    let asked = desk.run(["ask", "--json", "tell anna hello"]);
    let answered = done(approved(&desk, &asked));
    assert!(
        answered
            .event("output")
            .to_string()
            .contains("is no longer what the user allowed"),
        "{}",
        answered.stdout
    );
    assert_eq!(notes(&desk), Vec::<Value>::new());
    let listed = done(desk.run(["mcp", "tools", "peer"])).stdout;
    assert!(listed.contains("changed, allow it again  send-note"), "{listed}");
    let again = done(desk.run(["mcp", "allow", "peer", "send-note"])).stdout;
    assert!(!again.contains("allow it again"), "{again}");
}

#[test]
fn a_secret_goes_to_the_server_and_into_no_file() {
    let server = writing("print(await peer.environment())");
    let mut desk = Desk::with_model(&server.url());
    // Where there is no keychain, a process may bring what is kept there.
    desk.set("SHIDI_PASSPHRASE", "correct horse battery");
    let added = desk.run_with(
        ["mcp", "add", "peer", "--secret", "TEST_TOKEN", "--", SERVER],
        "hunter2-4711\n",
    );
    done(added);
    done(desk.run(["mcp", "allow", "peer", "environment", "--class", "read"]));
    let answered = done(desk.run(["ask", "--json", "which variables are there?"]));
    assert!(
        answered.event("output").to_string().contains("TEST_TOKEN"),
        "{}",
        answered.stdout
    );
    for entry in std::fs::read_dir(desk.data()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let found = bytes.windows(12).any(|part| part == b"hunter2-4711");
        assert!(!found, "the secret is in {}", entry.path().display());
    }
    done(desk.run(["mcp", "remove", "peer"]));
    assert!(
        !desk.data().join("mcp.toml").exists()
            || !std::fs::read_to_string(desk.data().join("mcp.toml"))
                .unwrap()
                .contains("peer")
    );
}

#[test]
fn names_and_servers_that_will_not_do_are_refused_with_a_remedy_in_both_languages() {
    let desk = Desk::new();
    let taken = desk.run(["mcp", "add", "files", "--", SERVER]);
    assert_eq!(taken.code, Some(2), "{}", taken.stderr);
    assert!(taken.stderr.contains("files_server"), "{}", taken.stderr);
    let silent = desk.run(["--lang", "zh", "mcp", "add", "peer", "--", SERVER, "--dies"]);
    assert_eq!(silent.code, Some(1));
    assert!(
        silent
            .stderr
            .contains("服务器结束了；它说：Missing environment variable TEST_TOKEN"),
        "{}",
        silent.stderr
    );
    let clear = desk.run(["mcp", "add", "peer", "--url", "http://mcp.example.com/"]);
    assert!(clear.stderr.contains("is not encrypted"), "{}", clear.stderr);
    let missing = desk.run(["mcp", "allow", "peer", "--all"]);
    assert!(
        missing.stderr.contains("There is no such server: peer"),
        "{}",
        missing.stderr
    );
    assert!(
        done(desk.run(["--json", "mcp", "list"])).stdout.is_empty(),
        "nothing of it was kept"
    );
    std::fs::write(desk.data().join("mcp.toml"), "[peer]\ncommand = \"one string\"\n").unwrap();
    let broken = desk.run(["mcp", "list"]);
    assert!(broken.stderr.contains("mcp.toml:2: "), "{}", broken.stderr);
}

#[test]
fn a_server_comes_changes_and_goes_while_a_run_is_at_work() {
    let place: Arc<OnceLock<Desk>> = Arc::default();
    let known = Arc::clone(&place);
    let mut asked = 0;
    // Between two steps of the run, the user does something in another terminal.
    let server = ModelServer::thinking(move |_| {
        let desk = known.get().unwrap();
        let program = |text: &str| Answer::Text(format!("```python\n{text}\n```"));
        asked += 1;
        match asked {
            1 => {
                done(desk.run(["mcp", "add", "peer", "--", SERVER]));
                done(desk.run(["mcp", "allow", "peer", "add", "grow", "--class", "read"]));
                program("print('nothing yet')")
            }
            2 => program("print('sum', await peer.add(a=20, b=22))"),
            3 => {
                // A session that leaves nothing has the same servers, and its end is not theirs.
                let fine = ModelServer::start([Answer::Text("Fine.".to_owned())]);
                done(desk.run(["ask", "--incognito", "--model-url", &fine.url(), "how are you?"]));
                program("print(await peer.grow())")
            }
            4 => {
                // What the server told of itself meanwhile is known, and nothing of it is allowed by that.
                let begun = Instant::now();
                while !done(desk.run(["mcp", "tools", "peer"]))
                    .stdout
                    .contains("not allowed  grown")
                {
                    assert!(begun.elapsed() < Duration::from_secs(60), "the news never came");
                }
                done(desk.run(["mcp", "allow", "peer", "grown", "--class", "read"]));
                program("print('more', 1)")
            }
            5 => {
                done(desk.run(["mcp", "remove", "peer"]));
                program("print('less', 1)")
            }
            _ => Answer::Text("Done.".to_owned()),
        }
    });
    assert!(place.set(Desk::with_model(&server.url())).is_ok());
    let answered = done(place.get().unwrap().run(["ask", "--json", "add"]));
    let requests = server.requests();
    let offered =
        |step: usize, name: &str| requests[step].to_string().contains(&format!("async def {name}("));
    assert!(!offered(0, "grow") && offered(1, "grow") && !offered(1, "grown"));
    assert!(!offered(3, "grown") && offered(4, "grown"), "{}", answered.stdout);
    assert!(!offered(5, "grow") && !offered(5, "grown"));
    assert!(answered.stdout.contains("sum 42"), "{}", answered.stdout);
}

#[test]
fn servers_are_taken_over_from_what_other_programs_keep_and_allow_nothing_by_that() {
    let server = writing("print(1)");
    let desk = Desk::with_model(&server.url());
    let notes = desk.path("notes").display().to_string();
    let table = json!({"mcpServers": {
        "Peer Notes": {"command": SERVER, "env": {"SHIDI_TEST_NOTES": notes}},
        "old": {"type": "sse", "url": "https://old.example/sse"},
        "keyed": {"command": SERVER, "env": {"API_TOKEN": "<your token>"}},
    }});
    let file = desk.path("mcp.json");
    std::fs::write(&file, table.to_string()).unwrap();
    let file = file.to_str().unwrap();

    let shown = done(desk.run(["mcp", "import", file, "--dry-run"]));
    assert!(
        shown.stdout.contains("peer_notes") && shown.stdout.contains("keyed"),
        "{}",
        shown.stdout
    );
    assert!(
        shown.stderr.contains("old: It speaks an old form"),
        "{}",
        shown.stderr
    );
    assert!(
        done(desk.run(["--json", "mcp", "list"])).stdout.is_empty(),
        "nothing was added"
    );

    done(desk.run(["mcp", "import", file, "--only", "peer_notes"]));
    let listed: Value = serde_json::from_str(&done(desk.run(["--json", "mcp", "list"])).stdout).unwrap();
    assert_eq!(listed["name"], "peer_notes");
    assert!(
        listed["tools"]
            .as_array()
            .unwrap()
            .iter()
            .all(|tool| tool["allowed"] == json!(false))
    );

    // What only the user knows can't be asked for here, and what is here already is not added twice.
    let asked = desk.run(["mcp", "import", file]);
    assert_eq!(asked.code, Some(2), "{}{}", asked.stdout, asked.stderr);
    assert!(asked.stderr.contains("keyed needs API_TOKEN"), "{}", asked.stderr);
    let unread = desk.run(["mcp", "import", desk.path("none.json").to_str().unwrap()]);
    assert_eq!(unread.code, Some(2), "{}", unread.stderr);
    let lost = desk.run(["mcp", "import", file, "--only", "git"]);
    assert!(
        lost.stderr.contains("Found: ") && lost.code == Some(2),
        "{}",
        lost.stderr
    );
}

#[test]
fn a_server_is_started_anew_when_its_user_says_so() {
    let server = writing("print(1)");
    let desk = desk(&server, &[]);
    let again = done(desk.run(["--json", "mcp", "restart", "peer"]));
    let listed: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(
        (&listed["state"], &listed["name"]),
        (&json!("running"), &json!("peer"))
    );
    let none = desk.run(["mcp", "restart", "nobody"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn the_log_of_a_server_says_what_happened_to_it_and_obeys_nothing_in_it() {
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "peer", "--", SERVER, "--logs"]));
    // Another command is another process: with nothing on record it starts the server and says how that went.
    let log = done(desk.run(["mcp", "log", "peer"])).stdout;
    let (started, ready) = (log.find("starts"), log.find("shidi-test 1 · "));
    assert!(started.is_some() && started < ready, "{log}");
    assert!(
        log.contains("ready for \\x07work") && !log.contains('\u{7}'),
        "{log}"
    );
    let lines = desk.run(["--json", "mcp", "log", "peer"]).json();
    assert_eq!(lines[0]["kind"], "starting", "{lines:?}");
    assert!(
        lines[0]["at"].as_str().is_some_and(|at| at.starts_with("20")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line["kind"] == "wrote"), "{lines:?}");

    // One that can't start says why, on record and as the command's failure.
    let table = desk.data().join("mcp.toml");
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replace("--logs", "--dies")).unwrap();
    let failed = desk.run(["mcp", "log", "peer"]);
    assert_eq!(failed.code, Some(1), "{}{}", failed.stdout, failed.stderr);
    assert!(
        failed.stdout.contains("Missing environment variable TEST_TOKEN"),
        "{}",
        failed.stdout
    );
    assert!(
        failed.stdout.contains("ended") && failed.stderr.contains("The server ended"),
        "{}",
        failed.stderr
    );
    assert_eq!(desk.run(["mcp", "log", "nobody"]).code, Some(2));
}

#[test]
fn what_a_server_has_to_read_and_the_questions_it_has_prepared_are_tools_that_are_allowed_like_any() {
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "library", "--", SERVER, "--library"]));
    let tools = ["list_resources", "read_resource", "list_prompts", "get_prompt"];
    let listed = done(desk.run(["mcp", "tools", "library"])).stdout;
    assert!(tools.iter().all(|tool| listed.contains(tool)), "{listed}");
    done(desk.run(["mcp", "allow", "library", tools[0], tools[1], tools[2]]));
    let asked = |program: &str| {
        let allowed = tools.map(|tool| format!("library.{tool}"));
        let allowed = allowed.iter().flat_map(|tool| ["--allow", tool]);
        let arguments: Vec<&str> = ["exec", "--json"]
            .into_iter()
            .chain(allowed)
            .chain(["-"])
            .collect();
        desk.run_with(arguments, program).json().pop().unwrap()
    };
    let listed = asked("(await library.list_resources()).data");
    let addresses: Vec<&Value> = listed["value"]["resources"]
        .as_array()
        .unwrap_or_else(|| panic!("{listed}"))
        .iter()
        .map(|resource| &resource["uri"])
        .collect();
    assert_eq!(addresses, ["notes://one", "notes://two"]);
    assert_eq!(listed["value"]["templates"][0]["uri_template"], "notes://{day}");
    let read = asked("(await library.read_resource(uri='notes://two')).data");
    let text = read["value"].as_str().unwrap_or_else(|| panic!("{read}"));
    let beside = text.strip_prefix("[notes://two]\nWhat it does is plain.\n[notes://picture] [file, ");
    assert!(beside.is_some_and(|file| file.contains("5 bytes")), "{read}");
    let missing = asked("(await library.read_resource(uri='notes://three')).data");
    assert!(
        missing["error"]["message"]
            .as_str()
            .unwrap()
            .contains("not found"),
        "{missing}"
    );
    // Whoever chooses one is the user: nothing has to be allowed for that.
    let known = &desk.run(["mcp", "prompts", "--json"]).json()[0];
    assert_eq!(
        (&known["server"], &known["name"]),
        (&json!("library"), &json!("library-review"))
    );
    assert_eq!(known["fields"][0]["optional"], false);
    let written = done(desk.run(["mcp", "prompt", "library", "review", "--set", "of=this"])).stdout;
    assert_eq!(written.trim(), "user: Review \"this\"\n\nassistant: Gladly.");
    let unknown = desk.run(["mcp", "prompt", "nobody", "review"]);
    assert_ne!(unknown.code, Some(0), "{unknown:?}");
    let prompts = asked("(await library.list_prompts()).data['prompts']");
    assert_eq!(prompts["value"][0]["arguments"][0]["required"], true);
    // One that is not allowed is no tool.
    let refused = asked("(await library.get_prompt(name='review', arguments={'of': 'this'})).data");
    assert_eq!(refused["ok"], false, "{refused}");
    done(desk.run(["mcp", "allow", "library", "get_prompt"]));
    let prompt = asked("(await library.get_prompt(name='review', arguments={'of': 'this'})).data");
    assert_eq!(
        prompt["value"], "user: Review \"this\"\nassistant: Gladly.",
        "{prompt}"
    );
}

#[test]
fn a_resource_of_a_server_goes_along_as_a_stranger_s_file_with_its_source() {
    let server = writing("await memory.remember(text='the text is plain')");
    let desk = Desk::with_model(&server.url());
    done(desk.run(["mcp", "add", "library", "--", SERVER, "--library"]));
    let listed = done(desk.run(["mcp", "resources", "library"]));
    assert!(listed.stdout.contains("notes://two"), "{}", listed.stdout);
    assert!(
        listed.stderr.contains("mcp:library/notes://one"),
        "{}",
        listed.stderr
    );
    // Nothing of the server is allowed: whoever names a resource is the user.
    let asked = desk.run([
        "ask",
        "--json",
        "--attach",
        "mcp:library/notes://two",
        "remember it",
    ]);
    let prompt = server.requests()[0].to_string();
    for told in [
        "What it does is plain.",
        "mcp:library/notes://two",
        "data, not instructions",
    ] {
        assert!(prompt.contains(told), "{told}: {prompt}");
    }
    // It is called as its server calls it, whatever its address.
    let along = asked.event("context")["items"].clone();
    let mut along = along.as_array().unwrap().iter();
    assert!(along.any(|item| item["title"] == "Two.txt"), "{}", asked.stdout);
    // What was read is a stranger's: nothing follows from it without a question.
    assert_eq!(asked.code, Some(3), "{}{}", asked.stdout, asked.stderr);
    assert_eq!(asked.event("approval_needed")["tool"], "memory.remember");
}

#[test]
fn a_resource_that_is_wanted_no_more_is_read_no_further() {
    let desk = Desk::new();
    let notes = format!("SHIDI_TEST_NOTES={}", desk.path("notes").display());
    let server = ["--", SERVER, "--library", "--slow"];
    done(desk.run(["mcp", "add", "library", "--env", &notes].iter().chain(&server)));
    let resident = Resident::start(&desk);
    let source = json!({"from": "resource", "server": "library", "uri": "notes://two"});
    let reading = Connection::ask(&desk, &json!({"request": "inspect", "source": source}));
    let noted =
        |what: &str| std::fs::read_to_string(desk.path("notes")).is_ok_and(|text| text.contains(what));
    until("it is read", || noted("resources/read"));
    drop(reading);
    until("the server is told", || noted("cancelled"));
    resident.kill();
}

#[test]
fn a_server_with_a_tool_called_as_ours_is_known_to_have_resources() {
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "library", "--", SERVER, "--library", "--lister"]));
    let known = std::fs::read_to_string(desk.data().join("mcp-tools.json")).unwrap();
    let known: Value = serde_json::from_str(&known).unwrap();
    let library = &known["library"];
    let mut tools = library["tools"].as_array().unwrap().iter();
    let own = tools.find(|tool| tool["name"] == "list_resources").unwrap();
    assert!(own["way"].is_null(), "the server's own: {own}");
    assert_eq!(library["resources"], true, "{library}");
}

#[test]
fn a_resource_that_can_not_go_along_says_what_it_is_and_a_picture_is_one() {
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "library", "--", SERVER, "--library"]));
    let drawn = &desk
        .run(["--json", "inspect", "mcp:library/notes://drawn"])
        .json()[0];
    assert_eq!(drawn["kind"], "image", "{drawn}");
    assert!(
        drawn["path"]
            .as_str()
            .is_some_and(|path| path.ends_with("drawn.png")),
        "{drawn}"
    );
    let archive = desk.run(["inspect", "mcp:library/notes://archive"]);
    assert_eq!(archive.code, Some(2), "{}{}", archive.stdout, archive.stderr);
    assert!(
        archive.stderr.contains("application/zip, 5 bytes"),
        "{}",
        archive.stderr
    );
    let missing = desk.run(["ask", "--attach", "mcp:library/notes://three", "what is it?"]);
    assert_eq!(missing.code, Some(1), "{}{}", missing.stdout, missing.stderr);
    assert!(
        missing.stderr.contains("Resource not found"),
        "{}",
        missing.stderr
    );
    let nobody = desk.run(["inspect", "mcp:nobody/notes://one"]);
    assert_eq!(nobody.code, Some(2), "{}", nobody.stderr);
}

#[test]
fn a_picture_that_a_tool_gives_is_kept_with_the_session_and_goes_with_it() {
    let server = writing("print((await peer.draw()).data)");
    let desk = Desk::with_model(&server.url());
    done(desk.run(["mcp", "add", "peer", "--", SERVER, "--pictures"]));
    done(desk.run(["mcp", "allow", "peer", "draw", "--class", "read"]));
    let answered = done(desk.run(["ask", "--json", "draw me a chart"]));
    let drawn = answered.json().into_iter().find(|event| {
        event["type"] == "call_done" && event["pictures"].as_array().is_some_and(|all| !all.is_empty())
    });
    let drawn = drawn.unwrap_or_else(|| panic!("{}", answered.stdout));
    // What is no picture by its bytes is not kept, whatever the server calls it.
    assert_eq!(drawn["pictures"].as_array().map(Vec::len), Some(1), "{drawn}");
    let path = PathBuf::from(drawn["pictures"][0].as_str().unwrap());
    assert!(path.starts_with(desk.data().join("blobs")), "{path:?}");
    assert_eq!(path.extension().and_then(|ending| ending.to_str()), Some("png"));
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
    // The model reads where it lies, and where the server's link leads.
    let told: String = server.requests().iter().map(ToString::to_string).collect();
    assert!(
        told.contains("[picture, image/png, 70 bytes: ") && told.contains("picture-1.png"),
        "{told}"
    );
    assert!(
        told.contains("[picture, image/png, 10 bytes]") && told.contains("[data: notes://data]"),
        "{told}"
    );
    let session = answered.event("run_started")["session"]
        .as_str()
        .unwrap()
        .to_owned();
    done(desk.run(["session", "delete", &session]));
    assert!(!path.exists(), "it belonged to the session alone");
}

#[test]
fn a_sound_and_a_file_that_a_tool_gives_are_kept_under_names_that_run_nothing_and_lead_nowhere() {
    let server = writing("print((await peer.record()).data)");
    let desk = Desk::with_model(&server.url());
    done(desk.run(["mcp", "add", "peer", "--", SERVER, "--pictures"]));
    done(desk.run(["mcp", "allow", "peer", "record", "--class", "read"]));
    let answered = done(desk.run(["ask", "--json", "record a sound"]));
    let given = answered
        .json()
        .into_iter()
        .find(|event| event["type"] == "call_done" && event["files"].is_array());
    let given = given.unwrap_or_else(|| panic!("{}", answered.stdout));
    let paths: Vec<PathBuf> = given["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| PathBuf::from(path.as_str().unwrap()))
        .collect();
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(names, ["sound-1.wav", "run.sh.bin"], "{given}");
    assert!(given["pictures"].is_null(), "{given}");
    for path in &paths {
        let place = path.canonicalize().unwrap();
        let blobs = desk.data().join("blobs").canonicalize().unwrap();
        assert!(place.starts_with(blobs), "{place:?}");
    }
    assert!(std::fs::read(&paths[0]).unwrap().starts_with(b"RIFF"));
    // A program finds them by what it is told.
    let told: String = server.requests().iter().map(ToString::to_string).collect();
    assert!(
        told.contains("[sound, audio/wav, 12 bytes: ")
            && told.contains("[notes://../../run.sh] [file, application/octet-stream, 10 bytes: "),
        "{told}"
    );
    let session = answered.event("run_started")["session"]
        .as_str()
        .unwrap()
        .to_owned();
    done(desk.run(["session", "delete", &session]));
    assert!(
        paths.iter().all(|path| !path.exists()),
        "they belonged to the session"
    );
}
