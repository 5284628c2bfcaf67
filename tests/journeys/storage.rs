//! What is remembered, learned and imported when the storage is at its worst: a damaged page, a full disk, a newer format,
//! two programs at once. Each is told in a sentence with its remedy, in Chinese and English, and the remedy works.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const PAGE_BYTES: usize = 4_096;

/// Facts that a filled desk remembers.
const FACTS: usize = 40;

fn fact(number: usize) -> String {
    format!("the lantern number {number} hangs in room {}", 1_000 + number)
}

fn done(desk: &Desk, arguments: &[&str]) -> Printed {
    let printed = desk.run(arguments);
    assert_eq!(printed.code, Some(0), "{arguments:?}\n{}", printed.stderr);
    printed
}

/// A desk that remembers facts, one experience and one base of knowledge.
fn filled() -> Desk {
    let desk = Desk::new();
    let lines: String = (0..FACTS)
        .map(|number| {
            format!(
                "{}\n",
                serde_json::json!({"text": fact(number), "kind": "knowledge"})
            )
        })
        .collect();
    let facts = desk.path("facts.jsonl");
    std::fs::write(&facts, lines).unwrap();
    done(&desk, &["memory", "import", facts.to_str().unwrap()]);
    done(
        &desk,
        &[
            "experience",
            "add",
            "--goal",
            "hang lanterns",
            "--lesson",
            "count the rooms first",
        ],
    );
    done(&desk, &["knowledge", "create", "house"]);
    let manual = desk.path("manual.md");
    std::fs::write(&manual, "# Oil\nA lantern burns two spoons of oil a night.\n").unwrap();
    done(&desk, &["knowledge", "add", "house", manual.to_str().unwrap()]);
    desk
}

/// Facts that are listed.
fn remembered(desk: &Desk) -> BTreeSet<String> {
    let listed = done(
        desk,
        &[
            "--json",
            "memory",
            "list",
            "--kind",
            "knowledge",
            "--limit",
            "1000",
        ],
    );
    let texts = listed.json().into_iter();
    texts
        .map(|record| record["text"].as_str().unwrap().to_owned())
        .collect()
}

fn is_whole(desk: &Desk) {
    assert_eq!(remembered(desk), (0..FACTS).map(fact).collect());
    let found = done(
        desk,
        &["--json", "memory", "search", "lantern number 7", "--limit", "1"],
    );
    assert_eq!(found.json()[0]["text"], fact(7));
    let pieces = done(desk, &["--json", "knowledge", "query", "house", "oil a night"]);
    assert!(pieces.stdout.contains("two spoons"), "{}", pieces.stdout);
    let experiences = done(desk, &["--json", "experience", "list"]);
    assert!(experiences.stdout.contains("count the rooms first"));
}

fn database(desk: &Desk) -> PathBuf {
    desk.data().join("shidi.db")
}

/// Fills the pages of a table or an index with nonsense, as many as there are rows or words on.
fn damage(path: &Path, owner: &str) {
    let pages: Vec<i64> = {
        let connection = rusqlite::Connection::open(path).unwrap();
        let mut statement = connection
            .prepare("SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY pageno")
            .unwrap();
        let found = statement.query_map([owner], |row| row.get(0)).unwrap();
        found.collect::<rusqlite::Result<_>>().unwrap()
    };
    let mut bytes = std::fs::read(path).unwrap();
    let page = usize::try_from(pages[pages.len() / 2]).unwrap();
    bytes[(page - 1) * PAGE_BYTES..page * PAGE_BYTES].fill(0x5a);
    std::fs::write(path, bytes).unwrap();
}

/// One sentence and its remedy, in both languages.
fn is_told(desk: &Desk, data: &Path, arguments: &[&str], words: [&str; 2], remedies: [&str; 2]) {
    for (at, language) in ["zh", "en"].into_iter().enumerate() {
        let mut command = desk.command(arguments.iter().copied().chain(["--lang", language]));
        let printed = Printed::of(command.env("SHIDI_DATA_DIR", data).output().unwrap());
        let said = format!("{arguments:?}: {}{}", printed.stdout, printed.stderr);
        assert_eq!(printed.code, Some(5), "{said}");
        assert!(said.contains(words[at]) && said.contains(remedies[at]), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_damaged_search_index_is_told_and_the_rescue_loses_nothing() {
    let desk = filled();
    damage(&database(&desk), "search_data");
    let damaged = std::fs::read(database(&desk)).unwrap();
    is_told(
        &desk,
        &desk.data(),
        &["memory", "search", "lantern"],
        ["已损坏", "is damaged"],
        ["shidi doctor --rescue", "shidi doctor --rescue"],
    );
    let rescued = done(&desk, &["--json", "doctor", "--rescue"]).json().remove(0);
    assert_eq!(
        (&rescued["lost"], &rescued["torn"]),
        (&0.into(), &serde_json::json!([]))
    );
    let aside = rescued["aside"].as_str().unwrap();
    assert_eq!(std::fs::read(aside).unwrap(), damaged);
    is_whole(&desk);
    let again = done(&desk, &["--lang", "zh", "doctor", "--rescue"]);
    assert!(again.stdout.contains("数据库完好"), "{}", again.stdout);
}

#[test]
fn of_damaged_records_those_on_other_pages_are_rescued_and_it_is_said_what_is_not() {
    let desk = filled();
    damage(&database(&desk), "memory");
    let told = done(&desk, &["--lang", "zh", "doctor", "--rescue"]).stdout;
    assert!(
        told.contains("读不全的表：memory") && told.contains("damaged-"),
        "{told}"
    );
    let left = remembered(&desk);
    assert!(left.len() >= FACTS / 4 && left.len() < FACTS, "{}", left.len());
    // It goes on from there.
    done(&desk, &["memory", "add", "the cellar has no lantern"]);
    let found = done(&desk, &["--json", "memory", "search", "cellar", "--limit", "1"]);
    assert_eq!(found.json()[0]["text"], "the cellar has no lantern");
    let experiences = done(&desk, &["--json", "experience", "list"]);
    assert!(experiences.stdout.contains("count the rooms first"));
}

#[test]
fn a_running_shidi_is_not_rescued_under_its_feet() {
    let server = ModelServer::repeating(Answer::Silence);
    let desk = Desk::with_model(&server.url());
    let mut first = desk.spawn(["ask", "--json", "hello?"], Stdio::null());
    while server.requests().is_empty() {
        std::thread::yield_now();
    }
    is_told(
        &desk,
        &desk.data(),
        &["doctor", "--rescue"],
        ["师弟正在运行", "Shidi is running"],
        ["shidi quit", "shidi quit"],
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn what_a_newer_version_wrote_is_left_alone_by_every_command_of_memory() {
    let desk = filled();
    let connection = rusqlite::Connection::open(database(&desk)).unwrap();
    connection.pragma_update(None, "user_version", 9_999).unwrap();
    connection.close().unwrap();
    let before = std::fs::read(database(&desk)).unwrap();
    let commands: &[&[&str]] = &[
        &["memory", "search", "lantern"],
        &["memory", "add", "another"],
        &["experience", "list"],
        &["knowledge", "list"],
        &["doctor", "--rescue"],
    ];
    for command in commands {
        is_told(
            &desk,
            &desk.data(),
            command,
            ["数据由更新的版本写入（格式 9999", "have format 9999"],
            ["升级师弟", "Update Shidi"],
        );
    }
    assert_eq!(std::fs::read(database(&desk)).unwrap(), before);
}

#[test]
fn a_full_disk_is_told_by_memory_and_knowledge_and_both_go_on_when_there_is_space() {
    let desk = Desk::new();
    let Some(small) = SmallDisk::mount(&desk.path("small")) else {
        println!("NOT RUN: no file system of a fixed size can be mounted here");
        return;
    };
    let run = |arguments: &[&str]| {
        let mut command = desk.command(arguments.iter().copied());
        Printed::of(command.env("SHIDI_DATA_DIR", &small.0).output().unwrap())
    };
    let manual = desk.path("manual.md");
    let chapters = (0..3_000).map(|number| format!("# Chapter {number}\n{}\n", fact(number).repeat(8)));
    std::fs::write(&manual, chapters.collect::<String>()).unwrap();
    let manual = manual.to_str().unwrap().to_owned();
    for number in 0..5 {
        assert_eq!(run(&["memory", "add", &fact(number)]).code, Some(0));
    }
    assert_eq!(run(&["knowledge", "create", "house"]).code, Some(0));
    let filler = small.0.join("filler");
    std::fs::write(&filler, vec![0; 64 << 20]).unwrap_err();
    let full = (
        ["磁盘空间已满", "no space left"],
        ["腾出一些磁盘空间", "Free some disk space"],
    );
    is_told(
        &desk,
        &small.0,
        &["memory", "add", &"long ".repeat(20_000)],
        full.0,
        full.1,
    );
    is_told(
        &desk,
        &small.0,
        &["knowledge", "add", "house", &manual],
        full.0,
        full.1,
    );
    std::fs::remove_file(&filler).unwrap();
    let listed = run(&["--json", "memory", "list"]);
    assert_eq!(listed.json().len(), 5, "{}", listed.stdout);
    let added = run(&["--json", "knowledge", "add", "house", &manual]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert_eq!(added.json()[0]["pieces"], 3_000);
    let found = run(&["--json", "knowledge", "query", "house", "lantern number 2999"]);
    assert!(found.stdout.contains("room 3999"), "{}", found.stdout);
}

/// A tmpfs of 16 MB, unmounted at the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where this user may not mount.
    fn mount(folder: &Path) -> Option<Self> {
        std::fs::create_dir_all(folder).ok()?;
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
            .arg(folder)
            .stderr(Stdio::null())
            .status();
        mounted.ok().filter(std::process::ExitStatus::success)?;
        Some(Self(folder.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(std::process::Command::new("umount").arg(&self.0).status()); // a folder of the test, gone with it
    }
}

/// The first program is the runtime, as the desktop program is; the others reach the same tables through it, until it is
/// killed in the middle of their work.
#[test]
fn several_programs_at_once_lose_nothing_acknowledged_also_when_the_first_is_killed() {
    let server = ModelServer::repeating(Answer::Silence);
    let desk = Desk::with_model(&server.url());
    done(&desk, &["knowledge", "create", "house"]);
    let mut first = desk.spawn(["ask", "--json", "hello?"], Stdio::null());
    while server.requests().is_empty() {
        std::thread::yield_now();
    }
    let manual = desk.path("manual.md");
    let chapters = (0..400).map(|number| format!("# Chapter {number}\n{}\n", fact(number)));
    std::fs::write(&manual, chapters.collect::<String>()).unwrap();
    let written = parking_lot::Mutex::new(BTreeSet::new());
    let write = |from: usize, until: usize| {
        for number in from..until {
            let printed = desk.run(["memory", "add", &fact(number)]);
            match printed.code {
                Some(0) => drop(written.lock().insert(fact(number))),
                // The runtime went away under it: said, and not acknowledged.
                Some(_) => assert!(printed.stderr.contains("hint"), "{}", printed.stderr),
                None => panic!("{}", printed.stderr),
            }
        }
    };
    let pieces = std::thread::scope(|scope| {
        scope.spawn(|| write(0, 12));
        scope.spawn(|| write(100, 112));
        let reads = scope.spawn(|| {
            for _ in 0..12 {
                let printed = desk.run(["--json", "memory", "search", "lantern"]);
                assert!(matches!(printed.code, Some(0 | 1 | 5)), "{}", printed.stderr);
            }
        });
        let add = scope.spawn(|| desk.run(["--json", "knowledge", "add", "house", manual.to_str().unwrap()]));
        while written.lock().len() < 8 {
            std::thread::yield_now();
        }
        first.kill().unwrap();
        first.wait().unwrap();
        reads.join().unwrap();
        add.join().unwrap()
    });
    let written = written.into_inner();
    let there = remembered(&desk);
    assert!(written.is_subset(&there), "{:?}", written.difference(&there));
    assert!(written.len() >= 12, "only {} were written", written.len());
    if pieces.code == Some(0) {
        assert_eq!(pieces.json()[0]["pieces"], 400);
    }
    // Once more: what is there already is found as it is.
    let again = done(
        &desk,
        &["--json", "knowledge", "add", "house", manual.to_str().unwrap()],
    );
    let counts = again.json().remove(0);
    assert!(counts["unchanged"] == 1 || counts["pieces"] == 400, "{counts}");
    let found = done(
        &desk,
        &["--json", "knowledge", "query", "house", "lantern number 399"],
    );
    assert!(found.stdout.contains("room 1399"), "{}", found.stdout);
}
