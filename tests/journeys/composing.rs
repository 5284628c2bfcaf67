//! Prompts that are composed from what their parts brought: counted when tasks end, shortened or left out where that is on,
//! told in the trace, given back to a task that asks, and forgotten with what they name.

use rusqlite::Connection;
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};

/// A question that speaks of no toolkit.
const QUESTION: &str = "6 * 7?";

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

const COOK: &str = "version: '1'
name: cook
title: Cook
prompt: You only speak of soup.
toolkits: [memory.search]
skills: []
memory: alone
permissions:
  mode: ask
";

fn words(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

fn ask(desk: &Desk, more: &[&str]) -> Printed {
    let asked = desk.run([&["ask", "--json"][..], more, &[QUESTION]].concat());
    assert_eq!(asked.code, Some(0), "{}{}", asked.stdout, asked.stderr);
    asked
}

/// How the memory's text fared.
fn memory(desk: &Desk) -> Value {
    let parts = desk.run(["--json", "trace", "stats", "--parts"]).json();
    let mut found = parts.iter().filter(|part| part["counts"]["part"] == "memory");
    let toolkit = found.find(|part| part["counts"]["what"] == "toolkit");
    toolkit
        .unwrap_or_else(|| panic!("no memory in {parts:#?}"))
        .clone()
}

/// The system prompt of the last request.
fn system(server: &ModelServer) -> String {
    let request = server.requests().pop().unwrap();
    request["messages"][0]["content"].as_str().unwrap().to_owned()
}

/// As if many tasks of the kind had been done, and none had used any toolkit.
fn many_tasks(desk: &Desk) {
    let database = Connection::open(desk.data().join("shidi.db")).unwrap();
    database
        .execute_batch(
            "UPDATE prompt_kind SET tasks = 120, done = 120;
             UPDATE prompt_part SET whole = 120, done = 120, used = 0;",
        )
        .unwrap();
}

#[test]
fn a_toolkit_that_no_task_uses_stands_as_a_line_until_one_asks_for_it() {
    let server = ModelServer::start([
        words("42."),
        words("42."),
        words("```python\nprint(await toolkits.describe('memory'))\n```"),
        words("42."),
        words("42."),
    ]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, &[]);
    assert!(system(&server).contains("class memory"));
    let first = memory(&desk);
    let counts = &first["counts"];
    assert_eq!(
        (&counts["kind"], &first["standing"]),
        (&"plain".into(), &"unmeasured".into())
    );
    for (name, number) in [("whole", 1), ("used", 0), ("done", 1), ("short", 0), ("tasks", 1)] {
        assert_eq!(counts[name], number, "{name} in {first:#}");
    }
    many_tasks(&desk);
    desk.run(["config", "set", "compose_prompts", "on"]);
    ask(&desk, &[]);
    let composed = system(&server);
    assert!(
        composed.contains("\n# memory [") && !composed.contains("class memory"),
        "{composed}"
    );
    assert!(composed.contains("class user"), "how a program speaks stays");
    let shown = desk.run(["trace", "show", "last"]).stdout;
    let why = "memory as one line: 0 of 120 tasks of this kind used it";
    assert!(shown.contains(why), "{shown}");
    let table = desk.run(["trace", "stats", "--parts"]).stdout;
    assert!(
        table.contains("plain questions") && table.contains("a line is enough"),
        "{table}"
    );

    ask(&desk, &[]);
    let third = memory(&desk);
    assert_eq!(third["standing"], "asked_back", "{third:#}");
    assert_eq!(
        (&third["counts"]["short"], &third["counts"]["asked"]),
        (&2.into(), &1.into())
    );
    ask(&desk, &[]);
    assert!(system(&server).contains("class memory"), "it is whole again");
}

#[test]
fn prompts_stay_whole_unless_that_is_on_and_incognito_is_never_counted() {
    let server = ModelServer::start([words("42."), words("42."), words("42.")]);
    let desk = Desk::with_model(&server.url());
    ask(&desk, &[]);
    many_tasks(&desk);
    ask(&desk, &[]);
    assert!(system(&server).contains("class memory"), "it is off at first");
    assert_eq!(memory(&desk)["counts"]["whole"], 121, "and counted all the same");
    ask(&desk, &["--incognito"]);
    assert_eq!(memory(&desk)["counts"]["tasks"], 121);
}

#[test]
fn counts_go_with_the_assistant_and_the_server_that_they_name() {
    let server = ModelServer::repeating(words("42."));
    let desk = Desk::with_model(&server.url());
    let done = |arguments: &[&str]| {
        let printed = desk.run(arguments);
        assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    };
    done(&["mcp", "add", "peer", "--", SERVER]);
    done(&["mcp", "allow", "peer", "send-note"]);
    let file = desk.path("cook.yaml");
    std::fs::write(&file, COOK).unwrap();
    done(&["assistant", "--json", "import", file.to_str().unwrap(), "--yes"]);
    ask(&desk, &["--assistant", "cook"]);
    ask(&desk, &[]);
    let counted = |key: &str, name: &str| {
        let parts = desk.run(["--json", "trace", "stats", "--parts"]).json();
        parts.iter().any(|part| part["counts"][key] == name)
    };
    assert!(counted("assistant", "cook") && counted("part", "peer"));
    done(&["assistant", "--json", "remove", "cook", "--yes"]);
    assert!(!counted("assistant", "cook") && counted("part", "peer"));
    done(&["mcp", "remove", "peer"]);
    assert!(!counted("part", "peer") && counted("assistant", "shidi"));
}

/// As if many tasks with a part had been done and none had used it, and all tasks without it had been done, too.
fn compared(desk: &Desk, part: &str) {
    let database = Connection::open(desk.data().join("shidi.db")).unwrap();
    let changed = database
        .execute(
            "UPDATE prompt_part SET whole = 120, done = 120, used = 0, short = 40, short_done = 40, asked = 0
             WHERE part = ?1 AND what <> 'toolkit'",
            [part],
        )
        .unwrap();
    assert_eq!(changed, 1, "{part} was counted");
}

/// How a part fared that is no toolkit.
fn fared(desk: &Desk, part: &str) -> Value {
    let parts = desk.run(["--json", "trace", "stats", "--parts"]).json();
    let mut found = parts.iter().filter(|one| one["counts"]["part"] == part);
    let found = found.find(|one| one["counts"]["what"] != "toolkit");
    found.unwrap_or_else(|| panic!("no {part} in {parts:#?}")).clone()
}

#[test]
fn lessons_that_no_task_used_are_left_out_and_told_and_come_back_once_one_would_have_used_them() {
    const ORDERS: &str = "Add up the order counts of lanterns and lamps";
    let program = || words("```python\nprint(12 + 7)\n```");
    let server = ModelServer::start((0..3).flat_map(|_| [program(), words("19.")]));
    let desk = Desk::with_model(&server.url());
    let hand = ["--goal", ORDERS, "--lesson", "Take the unit off first"];
    let added = desk.run(["experience", "add"].iter().chain(&hand));
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let asked = || {
        let asked = desk.run(["ask", "--json", ORDERS]);
        assert_eq!(asked.code, Some(0), "{}{}", asked.stdout, asked.stderr);
        server.last_prompt().contains("Take the unit off first")
    };
    let wins = || {
        let known = desk.run(["experience", "list", "--json"]).json();
        let mut known = known.iter();
        let lesson = known.find(|one| one["goal"] == ORDERS);
        lesson.unwrap()["wins"].clone()
    };
    assert!(asked());
    assert_eq!(wins(), 1);
    compared(&desk, "experience");
    desk.run(["config", "set", "compose_prompts", "on"]);
    let table = desk.run(["trace", "stats", "--parts"]).stdout;
    assert!(table.contains("left out: no worse without it"), "{table}");
    assert!(!asked());
    let shown = desk.run(["trace", "show", "last"]).stdout;
    let why = "experience left out: 0 of 120 tasks of this kind used it, 40 without it came out no worse";
    assert!(shown.contains(why), "{shown}");
    assert_eq!(wins(), 1, "a task that went without it says nothing of it");
    assert_eq!(fared(&desk, "experience")["standing"], "asked_back");
    assert!(
        asked(),
        "whether a lesson without tools is used nobody can tell, so it is back"
    );
    assert_eq!(wins(), 2);
}

#[test]
fn a_small_models_example_that_no_task_follows_is_left_out_until_one_does() {
    let program = words("```python\nprint(6 * 7)\n```");
    let server = ModelServer::start([words("42."), words("42."), program, words("42."), words("42.")]);
    let desk = Desk::with_model(&server.url());
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"tiny-3b\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    let work = work.display().to_string();
    let has_examples = || {
        ask(&desk, &["--folder", &work]);
        let prompt = server.last_prompt();
        (prompt.contains("A jacket costs"), prompt.contains("guests.txt"))
    };
    assert_eq!(has_examples(), (true, true));
    let first = fared(&desk, "examples.count");
    assert_eq!(first["counts"]["kind"], "folder");
    assert_eq!(first["counts"]["used"], 0);
    compared(&desk, "examples.count");
    desk.run(["config", "set", "compose_prompts", "on"]);
    assert_eq!(has_examples(), (false, true), "the nearer one stays");
    let shown = desk.run(["trace", "show", "last"]).stdout;
    let why = "examples.count left out: 0 of 120 tasks of this kind used it, 40 without it came out no worse";
    assert!(shown.contains(why), "{shown}");
    let table = desk.run(["trace", "stats", "--parts"]).stdout;
    assert!(
        table.contains("worked examples for small models") && table.contains("left out: no worse without it"),
        "{table}"
    );
    assert_eq!(
        has_examples(),
        (false, true),
        "its task goes the way of the example"
    );
    assert_eq!(fared(&desk, "examples.count")["standing"], "asked_back");
    assert_eq!(has_examples(), (true, true));
}
