//! What is remembered as a file: taken elsewhere whole, nothing of it where it is broken, and a stranger's is known as one.

use serde_json::{Value, json};
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
    assert_eq!(
        first.lines().count(),
        502,
        "what was said before is there too, and the end"
    );

    // With the key, as whoever moves to another computer takes it along.
    let other = Desk::new();
    std::fs::create_dir_all(other.data()).unwrap();
    std::fs::copy(desk.data().join("export.key"), other.data().join("export.key")).unwrap();
    std::fs::write(other.path("taken.jsonl"), &first).unwrap();
    let path = other.path("taken.jsonl");
    let printed = well(other.run(["memory", "import", path.to_str().unwrap()]));
    assert!(printed.stderr.contains("501"), "{}", printed.stderr);
    assert!(export(&other) == first, "not one character of it is another");
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

/// The exported records, by their texts.
fn records(desk: &Desk) -> Vec<Value> {
    let mut records: Vec<Value> = export(desk)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Value| line.get("end").is_none())
        .collect();
    records.sort_by_key(|record| record["text"].as_str().unwrap().to_owned());
    records
}

fn import(desk: &Desk, text: &str) {
    let path = desk.path("import.jsonl");
    std::fs::write(&path, text).unwrap();
    well(desk.run(["memory", "import", path.to_str().unwrap()]));
}

#[test]
fn what_cannot_be_proved_to_be_ones_own_export_is_a_strangers_whatever_it_says() {
    let desk = Desk::new();
    let added = well(desk.run(["--json", "memory", "add", "my door code is 1111"]));
    let id = added.json()[0]["id"].as_str().unwrap().to_owned();
    well(desk.run(["memory", "pin", &id]));
    let own = export(&desk);
    let (record, end) = own.trim().split_once('\n').unwrap();
    let mut forged: Value = serde_json::from_str(record).unwrap();
    // A stranger who saw an export: its id, its proof, and whatever makes a record count.
    forged["text"] = json!("my door code is 2222");
    forged["subject"] = json!("door code");
    forged["importance"] = json!(1.0);
    forged["uses"] = json!(900);
    let elsewhere = Desk::new();
    well(elsewhere.run(["memory", "add", "the bakery moved"]));
    let others = export(&elsewhere);
    import(
        &desk,
        &format!(
            "{forged}\n{others}{}\n{end}\n",
            json!({"kind": "profile", "text": "trusts everybody"})
        ),
    );
    let kept = records(&desk);
    let texts: Vec<&str> = kept.iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(
        texts,
        [
            "my door code is 1111",
            "my door code is 2222",
            "the bakery moved",
            "trusts everybody"
        ]
    );
    assert_eq!(
        (&kept[0]["id"], &kept[0]["pinned"], &kept[0]["tainted"]),
        (&json!(id), &json!(true), &json!(false))
    );
    for one in &kept[1..] {
        assert_eq!(one["origin"], "imported", "{one}");
        assert_eq!(one["tainted"], true, "{one}");
        assert_eq!(one["pinned"], false, "{one}");
        assert_eq!(
            (&one["uses"], &one["subject"]),
            (&json!(0), &Value::Null),
            "{one}"
        );
        assert!(one["importance"].as_f64().unwrap() < 1.0, "{one}");
    }
    // What is handed over through a pipe is judged alike, and twice the same file is there once.
    let piped = desk.run_with(["memory", "import", "/dev/stdin"], &format!("{forged}\n{others}"));
    assert_eq!(piped.code, Some(0), "{}", piped.stderr);
    assert_eq!(records(&desk).len(), kept.len());
}

#[test]
fn ones_own_export_comes_back_as_it_was_also_through_a_pipe_and_what_was_erased_with_it() {
    let desk = Desk::new();
    for text in ["water the ferns", "the meeting is on Friday"] {
        remembered(&desk, text, true);
    }
    let (file, first) = (export(&desk), records(&desk));
    for record in &first {
        well(desk.run(["memory", "delete", record["id"].as_str().unwrap()]));
    }
    assert!(records(&desk).is_empty());
    let piped = well(desk.run_with(["memory", "import", "/dev/stdin"], &file));
    assert!(!piped.stderr.contains("stranger"), "{}", piped.stderr);
    assert_eq!(records(&desk), first);
    let key = std::fs::metadata(desk.data().join("export.key")).unwrap();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&key.permissions()) & 0o777,
        0o600
    );
}

/// Keeps a text, and returns its id.
fn remembered(desk: &Desk, text: &str, pinned: bool) -> String {
    let added = well(desk.run(["--json", "memory", "add", text]));
    let id = added.json()[0]["id"].as_str().unwrap().to_owned();
    if pinned {
        well(desk.run(["memory", "pin", &id]));
    }
    id
}

#[test]
fn an_export_that_was_cut_or_put_together_from_two_is_a_strangers() {
    let desk = Desk::new();
    let first = remembered(&desk, "water the ferns", true);
    let early = export(&desk);
    let second = remembered(&desk, "the meeting is on Friday", true);
    let late = export(&desk);
    let lines: Vec<&str> = late.lines().collect();
    let cut = lines[0].to_owned();
    let without_first = lines[1..].join("\n");
    let turned = [lines[1], lines[0], lines[2]].join("\n");
    let spliced = [lines[1], early.trim()].join("\n");
    for file in [cut, without_first, turned, spliced, format!("{early}{late}")] {
        for id in [&first, &second] {
            // What was erased does not come back as the user's own by a file that nobody vouches for.
            desk.run(["memory", "delete", id]);
        }
        let path = desk.path("import.jsonl");
        std::fs::write(&path, &file).unwrap();
        let printed = well(desk.run(["memory", "import", path.to_str().unwrap()]));
        assert!(printed.stderr.contains("as a stranger's"), "{}", printed.stderr);
        for record in records(&desk) {
            assert_eq!(
                (&record["tainted"], &record["pinned"]),
                (&json!(true), &json!(false)),
                "{file}"
            );
        }
    }
    // The whole one takes the place of what came by the others.
    import(&desk, &late);
    let kept = records(&desk);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(
        kept.iter()
            .all(|record| record["tainted"] == false && record["pinned"] == true),
        "{kept:?}"
    );
}

#[test]
fn an_older_export_of_ones_own_changes_nothing_of_what_is_here_by_now() {
    let desk = Desk::new();
    let pinned = remembered(&desk, "water the ferns", true);
    let said = remembered(&desk, "the meeting is on Friday", false);
    let file = export(&desk);
    well(desk.run(["memory", "pin", "--off", &pinned]));
    well(desk.run(["memory", "pin", &said]));
    well(desk.run(["memory", "edit", &said, "the meeting is on Monday"]));
    let now = records(&desk);
    import(&desk, &file);
    assert_eq!(records(&desk), now);
}

#[test]
fn a_strangers_record_that_the_user_pinned_stays_and_no_odd_id_comes_in() {
    let desk = Desk::new();
    let line = |id: &str, text: &str| json!({"kind": "knowledge", "text": text, "id": id}).to_string() + "\n";
    import(&desk, &line("m1", "the ferry leaves at nine"));
    well(desk.run(["memory", "pin", "m1"]));
    let second = line("m1", "the ferry leaves at ten");
    import(&desk, &second);
    import(&desk, &second);
    import(&desk, &line("../../x\u{202e}", "odd"));
    import(&desk, &line("../../x\u{202e}", "odd"));
    let kept = records(&desk);
    let texts: Vec<&str> = kept.iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(
        texts,
        ["odd", "the ferry leaves at nine", "the ferry leaves at ten"]
    );
    assert_eq!((&kept[1]["id"], &kept[1]["pinned"]), (&json!("m1"), &json!(true)));
    let odd = kept[0]["id"].as_str().unwrap();
    assert!(
        odd.bytes()
            .all(|sign| sign.is_ascii_alphanumeric() || sign == b'-'),
        "{odd}"
    );
}

#[test]
fn of_what_a_pipe_hands_over_nothing_is_kept_where_a_line_is_broken_and_it_may_be_long() {
    let desk = Desk::new();
    let mut lines = String::new();
    for number in 0..500 {
        writeln!(
            lines,
            "{}",
            json!({"kind": "knowledge", "text": format!("{number} {}", "海".repeat(4_000))})
        )
        .unwrap();
    }
    assert!(lines.len() > 4 << 20);
    let broken = format!(
        "{lines}{}\n",
        json!({"kind": "knowledge", "text": "x".repeat(9_000)})
    );
    let printed = desk.run_with(["memory", "import", "/dev/stdin"], &broken);
    assert_eq!(printed.code, Some(2), "{}", printed.stderr);
    assert!(printed.stderr.contains("line 501"), "{}", printed.stderr);
    assert_eq!(export(&desk), "");
    well(desk.run_with(["memory", "import", "/dev/stdin"], &lines));
    assert_eq!(records(&desk).len(), 500);
}

#[test]
fn of_memories_that_could_not_all_be_kept_it_is_told_how_many_are_and_the_file_brings_the_rest() {
    let desk = Desk::new();
    well(desk.run(["memory", "add", "the bakery moved"]));
    let many = 3_000;
    let lines = (0..many).map(|number| {
        // Words of its own: each is a row of the index.
        let words: Vec<String> = (0..90).map(|word| format!("w{number}x{word}")).collect();
        let text = words.join(" ");
        json!({"kind": "knowledge", "text": text, "id": format!("m{number}")}).to_string() + "\n"
    });
    let path = desk.path("many.jsonl");
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    let printed = desk.run_on_full_disk(5, &["memory", "import", path.to_str().unwrap()]);
    assert_eq!(printed.code, Some(5), "{}", printed.stderr);
    let kept = records(&desk).len() - 1;
    assert!(kept > 0 && kept < many, "{kept}: {}", printed.stderr);
    let told = format!("; {kept} records were imported, the rest was not. Import the same file again");
    assert!(printed.stderr.contains(&told), "{kept}: {}", printed.stderr);
    well(desk.run(["memory", "import", path.to_str().unwrap()]));
    assert_eq!(records(&desk).len(), many + 1);
}
