//! What is remembered as a file: taken elsewhere whole, and nothing of it where it is broken.

use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use std::fmt::Write;

fn well(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed
}

fn export(desk: &Desk) -> String {
    well(desk.run(["memory", "export"])).stdout
}

#[test]
fn what_is_exported_is_there_elsewhere_with_its_history_and_beyond_four_megabytes() {
    let desk = Desk::new();
    let text = "海".repeat(4_000);
    let mut lines = String::new();
    for number in 0..500 {
        let line =
            json!({"kind": "knowledge", "text": format!("{number} {text}"), "id": format!("m{number}")});
        writeln!(lines, "{line}").unwrap();
    }
    assert!(lines.len() > 4 << 20);
    std::fs::write(desk.path("many.jsonl"), lines).unwrap();
    let path = desk.path("many.jsonl");
    well(desk.run(["memory", "import", path.to_str().unwrap()]));
    well(desk.run(["memory", "edit", "m7", "seven is another number now"]));
    let first = export(&desk);
    assert_eq!(first.lines().count(), 501, "what was said before is there too");

    let other = Desk::new();
    std::fs::write(other.path("taken.jsonl"), &first).unwrap();
    let path = other.path("taken.jsonl");
    let printed = well(other.run(["memory", "import", path.to_str().unwrap()]));
    assert!(printed.stderr.contains("501"), "{}", printed.stderr);
    let mut before: Vec<&str> = first.lines().collect();
    let second = export(&other);
    let mut after: Vec<&str> = second.lines().collect();
    before.sort_unstable();
    after.sort_unstable();
    assert!(before == after, "not one character of it is another");
}

#[test]
fn what_is_kept_for_a_time_says_so_is_taken_along_and_gone_when_it_is_over() {
    let desk = Desk::new();
    let of = |printed: Printed| -> serde_json::Value { serde_json::from_str(printed.stdout.trim()).unwrap() };
    let lift = "the lift is out of order";
    let kept = of(well(desk.run(["--json", "memory", "add", "--until", "7d", lift])));
    let id = kept["id"].as_str().unwrap().to_owned();
    assert!(kept["until"].is_string(), "{kept}");
    let shown = well(desk.run(["--lang", "en", "memory", "show", &id]));
    assert!(shown.stdout.contains("until 20"), "{}", shown.stdout);
    assert!(export(&desk).contains("\"until\":\"20"), "{}", export(&desk));

    std::fs::write(
        desk.path("note.py"),
        "r = await memory.remember(\"the bakery is closed\", until=\"2999-12-31\")\nr.data",
    )
    .unwrap();
    let path = desk.path("note.py");
    well(desk.run(["exec", path.to_str().unwrap()]));
    let bakery = of(well(
        desk.run(["--json", "memory", "search", "bakery", "--limit", "1"]),
    ));
    let versions = of(well(desk.run([
        "--json",
        "memory",
        "show",
        bakery["id"].as_str().unwrap(),
    ])));
    assert!(
        versions["until"].as_str().unwrap().starts_with("2999-12-31"),
        "{versions}"
    );

    let refused = desk.run(["--lang", "en", "memory", "edit", &id, "--until", "2020-01-01"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("over already"), "{}", refused.stderr);
    let refused = desk.run(["--lang", "zh", "memory", "add", "--until", "soon", lift]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("不是时间"), "{}", refused.stderr);
    let renewed = of(well(
        desk.run(["--json", "memory", "edit", &id, "--until", "for-good"]),
    ));
    assert!(renewed["until"].is_null(), "{renewed}");
    let again = of(well(desk.run([
        "--json",
        "memory",
        "edit",
        &id,
        "the lift works",
        "--until",
        "4w",
    ])));
    assert!(
        again["until"].is_string() && again["text"] == "the lift works",
        "{again}"
    );

    // A file may hold what is over meanwhile.
    let line = json!({"kind": "knowledge", "text": "xylophagousquagga", "until": "2020-01-01T00:00:00Z"});
    std::fs::write(desk.path("old.jsonl"), line.to_string()).unwrap();
    let path = desk.path("old.jsonl");
    well(desk.run(["memory", "import", path.to_str().unwrap()]));
    assert!(!export(&desk).contains("xylophagousquagga"));
    let found = well(desk.run(["--json", "memory", "search", "xylophagousquagga"]));
    assert_eq!(found.stdout, "");
}

#[test]
fn of_a_file_with_a_broken_line_nothing_is_kept_and_the_line_is_named() {
    let desk = Desk::new();
    let good = r#"{"kind":"profile","text":"plays chess"}"#;
    let broken = [
        ("{\"kind\":\"poem\",\"text\":\"x\"}", "poem"),
        ("{\"kind\":\"profile\",\"text\":\"  \"}", "nothing to remember"),
        ("not json", "expected"),
    ];
    for (line, why) in broken {
        std::fs::write(desk.path("broken.jsonl"), format!("{good}\n\n{line}\n")).unwrap();
        let path = desk.path("broken.jsonl");
        let printed = desk.run(["memory", "import", path.to_str().unwrap()]);
        assert_eq!(printed.code, Some(2), "{}", printed.stderr);
        assert!(printed.stderr.contains("line 3"), "{}", printed.stderr);
        assert!(printed.stderr.contains(why), "{}", printed.stderr);
    }
    assert_eq!(export(&desk), "");
}
