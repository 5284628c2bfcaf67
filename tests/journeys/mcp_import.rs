//! `shidi mcp import`: every server of a file that can be added is, and every other one is told with its reason.

use crate::mcp_address::{all, done, serve, table};
use serde_json::{Value, json};
use shidi_tests::command::Desk;

#[test]
fn an_import_adds_what_it_can_and_names_every_other_server_with_its_reason() {
    let (url, _) = serve();
    let desk = Desk::new();
    let servers = json!({"mcpServers": {
        "gone": {"url": url.replace("/mcp", "/gone")},
        "far": {"url": url},
        "lacking": {"command": "shidi-no-such-program"},
        "nobody": {"url": "http://127.0.0.1:9/mcp"},
        "old": {"type": "sse", "url": "https://old.example/sse"},
        "wide": {"url": format!("{url}?wide")},
    }});
    let imported = desk.run_with(["mcp", "import", "-"], &servers.to_string());
    assert_eq!(imported.code, Some(1), "{}", all(&imported));
    for (name, why) in [
        ("gone", "HTTP 404"),
        ("lacking", "could not be started"),
        ("nobody", "nobody listens"),
    ] {
        // One line each, with the reason and the remedy.
        let of_it: Vec<&str> = imported
            .stderr
            .lines()
            .filter(|line| line.starts_with(name))
            .collect();
        let begin = format!("{name} was not added: ");
        assert!(
            of_it.len() == 1 && of_it[0].starts_with(&begin) && of_it[0].contains(why),
            "{name}: {}",
            imported.stderr
        );
        assert!(of_it[0].contains("Check"), "{name}: {}", imported.stderr);
        assert!(!of_it[0][begin.len()..].starts_with(name), "{name} is named once");
    }
    assert!(
        imported.stderr.contains("old: It speaks an old form"),
        "{}",
        imported.stderr
    );
    let table = table(&desk);
    for (name, is_there) in [
        ("far", true),
        ("wide", true),
        ("gone", false),
        ("lacking", false),
        ("nobody", false),
        ("old", false),
    ] {
        assert_eq!(table.contains(&format!("[{name}]")), is_there, "{name}: {table}");
    }
}

#[test]
fn an_import_knows_servers_by_their_names_in_the_file_and_tells_of_no_others() {
    let (url, _) = serve();
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "far", "--url", &url]));
    let servers = json!({"mcpServers": {
        "Good One": {"url": url},
        "old": {"type": "sse", "url": "https://old.example/sse"},
    }});
    let import = |text: &Value, only: &str| {
        let words = ["--lang", "en", "mcp", "import", "-", "--only", only];
        desk.run_with(words, &text.to_string())
    };
    for name in ["Good One", "good_one", "far"] {
        let here = done(import(&servers, name));
        assert!(
            here.stdout.starts_with("Good One  ") && here.stdout.contains("is here already, as far"),
            "{name}: {}",
            here.stdout
        );
        assert!(!here.stderr.contains("It speaks"), "{name}: {}", here.stderr);
    }
    let same = json!({"mcpServers": {"far": {"url": url}}});
    let here = done(import(&same, "far"));
    assert!(here.stdout.starts_with("far  "), "{}", here.stdout);
    assert!(
        here.stdout.trim_end().ends_with("is here already"),
        "{}",
        here.stdout
    );

    let old = import(&servers, "old");
    assert_eq!(old.code, Some(2), "{}", all(&old));
    assert!(
        old.stderr.contains("old: It speaks an old form"),
        "{}",
        old.stderr
    );
    let lost = import(&servers, "nothing");
    assert_eq!(lost.code, Some(2), "{}", all(&lost));
    assert!(lost.stderr.contains("Found: Good One, old"), "{}", lost.stderr);
    let none = desk.run_with(["--lang", "en", "mcp", "import", "-"], r#"{"mcpServers": {}}"#);
    assert_eq!(none.code, Some(2), "{}", all(&none));
    assert!(none.stderr.contains("names no server"), "{}", none.stderr);
}

#[test]
fn json_that_is_no_table_of_servers_is_refused_and_runs_nothing() {
    let desk = Desk::new();
    for (language, said) in [("en", "no table of servers"), ("zh", "不是服务器的列表")] {
        for text in ["[1,2]", "42", "null", "[]"] {
            let refused = desk.run_with(["--lang", language, "mcp", "import", "-"], text);
            assert_eq!(refused.code, Some(2), "{text}: {}", all(&refused));
            assert!(
                refused.stderr.contains(said) && refused.stderr.contains("mcpServers"),
                "{text}: {}",
                refused.stderr
            );
        }
    }
    assert_eq!(table(&desk), "");
}
