//! What is kept: sessions, their export and deletion, traces, configuration; and two programs on one data folder.

use serde_json::json;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_session_is_listed_shown_exported_searched_and_deleted() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "add 12 and 30"]);
    let listed = desk.run(["session", "list", "--json"]).json();
    assert_eq!(listed[0]["title"], "add 12 and 30");
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    let shown = desk.run(["session", "show", &id, "--segments"]);
    assert!(shown.stdout.contains("sum([12, 30])"), "{}", shown.stdout);
    let found = desk.run(["session", "search", "--json", "add"]).json();
    assert_eq!(found[0]["id"], json!(id));
    let exported = desk.run(["session", "export", &id]);
    assert!(
        exported.stdout.contains("The total is **42**."),
        "{}",
        exported.stderr
    );
    assert_eq!(desk.run(["session", "delete", &id]).code, Some(0));
    assert!(desk.run(["session", "list", "--json"]).json().is_empty());
}

#[test]
fn a_deleted_session_leaves_no_text_in_the_database_file() {
    let server = ModelServer::start([Answer::Text("The secret word is zyxwvutsrq.".into())]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "what is the word?"]);
    assert!(raw(&desk).windows(10).any(|window| window == b"zyxwvutsrq"));
    desk.run(["session", "delete", "last"]);
    assert!(!raw(&desk).windows(10).any(|window| window == b"zyxwvutsrq"));
}

fn raw(desk: &Desk) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(desk.data()).unwrap().flatten() {
        if entry.path().is_file() {
            std::fs::File::open(entry.path())
                .unwrap()
                .read_to_end(&mut bytes)
                .unwrap();
        }
    }
    bytes
}

#[test]
fn a_trace_holds_the_prompt_as_sent_and_never_a_key() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["ask", "--json", "add 12 and 30"]);
    let traces = desk.run(["trace", "list", "--json"]).json();
    let run = traces[0]["run"].as_str().unwrap().to_owned();
    let shown = desk.run(["trace", "show", &run, "--json"]);
    assert!(
        shown.stdout.contains("add 12 and 30") && shown.stdout.contains("\"chat\""),
        "{}",
        shown.stdout
    );
    let bytes = raw(&desk);
    assert!(
        !bytes.windows(12).any(|window| window == b"000000001234"),
        "no key in any file"
    );
}

#[test]
fn settings_are_read_and_written_with_their_comments_kept() {
    let desk = Desk::new();
    desk.write_config("# mine\nmode = \"ask\"\n");
    assert_eq!(desk.run(["config", "get", "mode"]).stdout.trim(), "ask");
    assert_eq!(desk.run(["config", "set", "max_rounds", "5"]).code, Some(0));
    let text = std::fs::read_to_string(desk.data().join("config.toml")).unwrap();
    assert!(
        text.contains("# mine") && text.contains("max_rounds = 5"),
        "{text}"
    );
}

#[test]
fn every_setting_tells_a_page_what_it_holds_and_where_it_belongs() {
    let desk = Desk::new();
    for entry in desk.run(["config", "list", "--json"]).json() {
        for field in ["title", "about"] {
            for language in ["zh", "en"] {
                assert_ne!(entry[field][language], "", "{entry}");
            }
        }
        assert!(
            entry["kind"]["is"].is_string() && entry["group"].is_string(),
            "{entry}"
        );
    }
    let refused = desk.run(["config", "set", "hotkey", "Space"]);
    assert_eq!(
        refused.code,
        Some(2),
        "a bare key would be taken from every program"
    );
}

#[test]
fn a_second_program_becomes_a_client_of_the_first_and_both_get_their_answers() {
    let slow = Answer::Slow {
        text: "one two three four".into(),
        pause: Duration::from_millis(200),
    };
    let server = ModelServer::start([slow, Answer::Text("quick".into())]);
    let desk = Desk::with_model(&server.url());
    let mut first = desk.spawn(["ask", "--json", "slowly"], Stdio::null());
    while server.requests().is_empty() {
        std::thread::yield_now();
    }
    let second = desk.run(["ask", "--json", "quickly"]);
    assert_eq!(second.event("answer")["text"], "quick", "{}", second.stderr);
    let mut stdout = String::new();
    first.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert!(stdout.contains("one two three four"), "{stdout}");
}

#[test]
fn a_program_run_by_hand_keeps_its_variables_in_its_session() {
    let desk = Desk::new();
    let first = desk.run_with(
        ["exec", "--json", "--session", "mine", "-"],
        "x = {'a': [1, 2]}\nf = lambda: 1\nx",
    );
    let result = &first.json()[0];
    assert_eq!(
        (&result["ok"], &result["value"]),
        (&json!(true), &json!({"a": [1, 2]})),
        "{result}"
    );
    assert_eq!(result["unstorable"], json!(["f"]));
    let second = desk.run_with(["exec", "--json", "--session", "mine", "-"], "x['a'][1]");
    assert_eq!(second.json()[0]["value"], 2);
}

#[test]
fn prelude_modules_are_there() {
    let program = "import heapq, statistics, string, operator, textwrap\n\
                   h = [3, 1, 2]\nheapq.heapify(h)\n\
                   [heapq.heappop(h), statistics.mean([1, 2, 3]), string.digits, operator.add(1, 2), textwrap.dedent('  a')]";
    let printed = Desk::new().run_with(["exec", "--json", "-"], program);
    assert_eq!(
        printed.json()[0]["value"],
        json!([1, 2, "0123456789", 3, "a"]),
        "{}",
        printed.stdout
    );
}

#[test]
fn variables_of_every_kind_are_what_they_were_after_the_process_is_gone() {
    let server = ModelServer::start([]);
    let desk = Desk::with_model(&server.url());
    let made = "import datetime, decimal\nwhen = datetime.datetime(2026, 11, 22, 8, 30, tzinfo=datetime.timezone.utc)\n\
        price = decimal.Decimal('0.10')\nseen = {('a', 1), frozenset({2})}\nraw = b'\\x00\\xff'\nwide = 10 ** 40\nodd = {'$shidi': 'set', 'of': [float('inf')]}";
    let first = desk.run_with(["exec", "--json", "--session", "kinds", "-"], made);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let variables = &first.json()[0]["variables"];
    assert_eq!(
        variables["when"], "2026-11-22T08:30:00+00:00",
        "scripts read plain values: {variables}"
    );
    assert_eq!(
        (&variables["price"], &variables["raw"]),
        (&"0.10".into(), &"00ff".into())
    );
    assert_eq!(first.json()[0]["unstorable"], serde_json::json!([]));
    let used = "print(when.year, price + 1, ('a', 1) in seen, frozenset({2}) in seen, raw[1], wide + 1 - 10 ** 40, odd['of'][0])";
    let second = desk.run_with(["exec", "--json", "--session", "kinds", "-"], used);
    assert_eq!(
        second.json()[0]["stdout"],
        "2026 1.10 True True 255 1 inf\n",
        "{}",
        second.stdout
    );
}

#[test]
fn an_answer_that_was_sent_back_is_shown_as_taken_back() {
    let says = |text: &str| Answer::Text(text.to_owned());
    let server = ModelServer::start([
        says("```python\n1/0\n```"),
        says("It is 7."),
        says("The division failed."),
    ]);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "what is it?"]);
    assert_eq!(
        printed.stdout.trim(),
        "The division failed.",
        "{}",
        printed.stderr
    );
    let shown = desk.run(["session", "show", "last"]).stdout;
    assert!(
        shown.contains("(taken back: It is 7.)\nThe division failed."),
        "{shown}"
    );
}
