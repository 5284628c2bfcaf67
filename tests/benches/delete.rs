//! Measures deleting one session among 1,000 others of five runs each, as a command to a process that stays; beside another
//! build of the program where `SHIDI_BESIDE` names one.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use rusqlite::Connection;
use shidi_tests::command::{Desk, shidi};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The first is the one that a program made; the rest are its copies.
const SESSIONS: u32 = 1_001;
const RUNS: u32 = 5;
const ROUNDS: u32 = 15;

fn main() {
    println!("{SESSIONS} sessions of {RUNS} runs, {ROUNDS} rounds                 p50        p95");
    measure("this build", shidi());
    match std::env::var_os("SHIDI_BESIDE").map(PathBuf::from) {
        Some(other) => measure("beside it", &other),
        None => println!("NOT RUN: SHIDI_BESIDE names no other build"),
    }
}

fn measure(name: &str, program: &Path) {
    let desk = filled(program);
    let mut staying = stay(&desk, program);
    let (mut listing, mut deleting) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        listing.push(took(&desk, program, &["session", "list", "--limit", "1"]));
        let session = session(round);
        deleting.push(took(&desk, program, &["session", "delete", &session, "--yes"]));
    }
    staying.kill().expect("it was at work");
    staying.wait().expect("it ends");
    row(
        &format!("{name}, a command that does next to nothing"),
        &mut listing,
    );
    row(&format!("{name}, deleting a session"), &mut deleting);
}

/// A data folder with one real session, and copies of it under other ids.
fn filled(program: &Path) -> Desk {
    let desk = Desk::new();
    took(&desk, program, &["ask", "1 + 1 = ?"]);
    let mut database = Connection::open(desk.data().join("shidi.db")).expect("the database");
    let transaction = database.transaction().expect("a transaction");
    let [of_session, of_run, of_segment] = ["session", "run_state", "segment"].map(|table| {
        let sql =
            format!("SELECT group_concat(name) FROM pragma_table_info('{table}') WHERE name NOT IN ('row')");
        let columns: String = transaction
            .query_row(&sql, [], |row| row.get(0))
            .expect("columns");
        let copy = |ids: &[(&str, &str)]| {
            let column = |column: &str| {
                let id = ids.iter().find(|(name, _)| *name == column);
                id.map_or(column.to_owned(), |(_, value)| (*value).to_owned())
            };
            let values: Vec<String> = columns.split(',').map(column).collect();
            format!(
                "INSERT INTO {table} ({columns}) SELECT {} FROM {table} WHERE ",
                values.join(",")
            )
        };
        match table {
            "session" => copy(&[("id", "?1"), ("head", "NULL")]) + "id = ?2",
            "run_state" => copy(&[("session", "?1"), ("run", "?3"), ("parent", "NULL")]) + "session = ?2",
            _ => copy(&[("session", "?1"), ("run", "?3"), ("id", "id + 1000 * ?4")]) + "session = ?2",
        }
    });
    let real: String = transaction
        .query_row("SELECT id FROM session", [], |row| row.get(0))
        .expect("the session");
    for number in 1..SESSIONS {
        let id = session(number);
        transaction.execute(&of_session, [&id, &real]).expect("a session");
        for run in 0..RUNS {
            let run_id = format!("{id}-{run}");
            transaction
                .execute(&of_run, rusqlite::params![id, real, run_id])
                .expect("a run");
            transaction
                .execute(&of_segment, rusqlite::params![id, real, run_id, run])
                .expect("its segments");
        }
    }
    transaction.commit().expect("the rows");
    // The index is made before anything is measured.
    took(&desk, program, &["session", "search", "nothing of the kind"]);
    desk
}

fn session(number: u32) -> String {
    format!("session-{number:05}-of-the-bench")
}

fn stay(desk: &Desk, program: &Path) -> Child {
    let mut child = desk
        .command_of(program, ["companion", "pair"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let said = child.stderr.as_mut().expect("what it says");
    BufReader::new(said).read_line(&mut line).expect("a line");
    child
}

fn took(desk: &Desk, program: &Path, words: &[&str]) -> Duration {
    let started = Instant::now();
    let output = desk.command_of(program, words).output().expect("it starts");
    let took = started.elapsed();
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    took
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len() - 1);
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    println!("{name:<52} {:>7.1} ms {:>7.1} ms", at(50), at(95));
}
