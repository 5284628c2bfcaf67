//! kill -9 in the middle of writing and reading: what was acknowledged is there, nothing is there in part, no reading ever
//! saw anything else, and the database is sound.
//!
//! The writing process is this test program again, started with an environment variable.

use crate::fixture::Folder;
use crate::operations;
use shidi_store::{OpenOptions, Store};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PATH_VARIABLE: &str = "SHIDI_TEST_KILLED_STORE";

/// Kills that one store goes through.
const KILLS: u32 = 20;

/// Threads that read while one writes.
const READERS: u32 = 2;

/// Stores of one test run: 20 kills, or 500 in `make soak`, which sets `SHIDI_SOAK`.
fn stores() -> u32 {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        25
    } else {
        1
    }
}

/// Reads until the process is killed. What is read never goes back, and is never anything but whole.
fn read_for_ever(store: &Store) {
    let mut last = 0;
    loop {
        match operations::reading(store) {
            Ok(count) if count >= last => last = count,
            Ok(count) => fail(&format!("{last} operations were seen, then {count}")),
            Err(torn) => fail(&torn.to_string()),
        }
    }
}

/// Ends the process, which its parent takes for a failure.
fn fail(reason: &str) {
    eprintln!("{reason}");
    std::process::exit(1);
}

/// Not a test of its own: what the killed process does.
#[test]
fn the_killed_process() {
    let Some(path) = std::env::var_os(PATH_VARIABLE) else {
        return;
    };
    let store = Store::open(&PathBuf::from(path), OpenOptions::default()).unwrap();
    for _ in 0..READERS {
        let reader = store.clone();
        std::thread::spawn(move || read_for_ever(&reader));
    }
    let mut stdout = std::io::stdout();
    for number in operations::done(&store) + 1..1_000_000 {
        operations::perform(&store, number).unwrap();
        writeln!(stdout, "acknowledged {number}").unwrap();
    }
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_there_in_part_after_kill_9() {
    for _ in 0..stores() {
        let folder = Folder::new();
        drop(operations::begin(&folder));
        let mut acknowledged = 0;
        for kill in 0..KILLS {
            // Operations that end with an erasure are among those that are killed, and long and short lives.
            acknowledged = killed(&folder.path(), acknowledged, 1 + kill % 10 * 3);
            let store = folder.open();
            acknowledged = operations::check(store, acknowledged);
        }
    }
}

/// Kills a process after it acknowledged `more` operations, and returns how many it had acknowledged when it was gone.
fn killed(path: &Path, before: u32, more: u32) -> u32 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "killing::the_killed_process",
            "--nocapture",
            "--test-threads",
            "1",
        ])
        .env(PATH_VARIABLE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = before;
    while acknowledged < before + more {
        let Some(line) = lines.next() else {
            panic!("the child ended by itself");
        };
        acknowledged = number(&line.unwrap()).unwrap_or(acknowledged);
    }
    child.kill().unwrap();
    acknowledged = lines
        .map_while(Result::ok)
        .filter_map(|line| number(&line))
        .last()
        .unwrap_or(acknowledged);
    child.wait().unwrap();
    acknowledged
}

/// The last line may be cut.
fn number(line: &str) -> Option<u32> {
    line.split_once("acknowledged ")?.1.parse().ok()
}
