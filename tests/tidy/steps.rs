//! The steps of `make test`: two at once are told apart, none fails unseen, and what no step runs is not written.

use crate::repository::{expect_none, files, root, text};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with the scripts' common part, where steps leave their logs.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tests/make");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(root().join("tests/make/common.sh"), folder.join("common.sh")).unwrap();
    place
}

fn begun(place: &Path, script: &str) -> Child {
    Command::new("bash")
        .args(["-c", &format!("source tests/make/common.sh\n{script}")])
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn ended(child: Child) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn of_two_steps_at_once_the_second_is_shown_behind_the_first_though_it_ended_before() {
    let place = place();
    let script = "one() { echo begins; until [ -e over ]; do sleep 0.01; done; echo ends; echo 'NOT RUN: 1 thing'; }\n\
                  two() { echo beside; echo 'NOT RUN: 2 things'; touch over; }\n\
                  both First one Second two\nsummary all";
    let (code, said, wrong) = ended(begun(place.path(), script));
    assert_eq!((code, wrong.as_str()), (Some(0), ""), "{said}");
    let order = [
        "== First (meanwhile: Second)",
        "begins",
        "ends",
        "   First: ",
        "== Second",
        "beside",
        "   Second: ",
        "== all: all green",
        "NOT RUN: 1 thing\nNOT RUN: 2 things\n",
    ];
    let mut rest = said.as_str();
    for words in order {
        let Some((_, behind)) = rest.split_once(words) else {
            panic!("no {words:?} in its place:\n{said}")
        };
        rest = behind;
    }
    assert_eq!(said.matches("beside").count(), 1, "{said}");
}

#[test]
fn of_two_steps_at_once_one_that_fails_lets_the_other_end_and_each_that_failed_is_named() {
    let steps = "good() { until [ -e failed ]; do sleep 0.01; done; echo ended; touch ended; }\n\
                 bad() { touch failed; false; echo 'it went on'; }\n";
    for (both, is_named) in [
        ("both First good Second bad", [false, true]),
        ("both First bad Second good", [true, false]),
        ("both First bad Second bad", [true, true]),
    ] {
        let place = place();
        let script = format!("{steps}{both}\necho 'everything went on'");
        let (code, said, wrong) = ended(begun(place.path(), &script));
        assert_eq!(code, Some(1), "{both}: {said}{wrong}");
        assert!(!said.contains("went on"), "{both}: {said}");
        let named = ["First", "Second"].map(|name| wrong.contains(&format!("== FAILED: {name}")));
        assert_eq!(named, is_named, "{both}: {wrong}");
        assert_eq!(
            place.path().join("ended").exists(),
            is_named != [true, true],
            "{both}"
        );
    }
}

#[test]
fn an_interruption_ends_both_steps_with_all_that_they_have_started() {
    let place = place();
    let script = "one() { sleep 300 & echo $! >one; wait; }\ntwo() { sleep 300 & echo $! >two; wait; }\n\
                  both First one Second two";
    let child = begun(place.path(), script);
    let started = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap_or_default();
    until("both are at work", || {
        ["one", "two"].iter().all(|name| started(name).ends_with('\n'))
    });
    let ask_to_end = Command::new("kill").arg(child.id().to_string()).status();
    assert!(ask_to_end.unwrap().success());
    let (code, said, wrong) = ended(child);
    assert_eq!(code, Some(130), "{said}{wrong}");
    for name in ["one", "two"] {
        let process = started(name);
        // One that nobody has fetched yet is over, too.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.trim()));
        let is_there = stat.is_ok_and(|stat| !stat.contains(") Z "));
        assert!(!is_there, "{name} left {process} behind");
    }
}

#[test]
fn no_example_in_a_comment_waits_to_be_run() {
    let mut findings = Vec::new();
    for name in files().iter().filter(|name| name.ends_with(".rs")) {
        let Some(text) = text(name) else { continue };
        let mut is_open = false;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let body = ["///", "//!"].iter().find_map(|mark| line.strip_prefix(mark));
            // A line that ends with a backslash stands in a text in quotes.
            let Some(fence) = body.filter(|_| !line.ends_with('\\')) else {
                is_open = false;
                continue;
            };
            let Some(kind) = fence.trim().strip_prefix("```") else {
                continue;
            };
            if !is_open && kind != "text" {
                findings.push(format!("{name}:{}: {line}", index + 1));
            }
            is_open = !is_open;
        }
    }
    expect_none("Examples in comments, which `make test` does not run", &findings);
}
