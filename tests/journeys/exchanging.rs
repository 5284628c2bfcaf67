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
