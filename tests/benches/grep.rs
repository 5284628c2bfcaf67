//! Measures `files.grep` and `files.glob` in a tree of 100,000 files as a program waits for them, beside ripgrep in the
//! same run.
//!
//! The product's limit is 1.3 times the time of `rg`, which starts a process and works on all processors. Its row with
//! one thread tells the work from the number of processors. Where `rg` is missing, GNU `grep` is the peer: it has one
//! thread, and the limit is not judged by it.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use serde_json::Value;
use shidi_tests::command::Desk;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const ROUNDS: usize = 7;
const FOLDERS: usize = 1_000;
const FILES_IN_EACH: usize = 100;
/// Lines of each file, and the number of files of which one has the line that is looked for.
const LINES: usize = 12;
const FILES_PER_MATCH: usize = 250;
/// How many times the time of `rg` a search may take.
const TIMES_MAX: f64 = 1.3;
const PATTERN: &str = "needle-[0-9]+";
/// A file of each folder has this name.
const NAME: &str = "077.txt";

fn main() {
    let desk = Desk::new();
    let tree = desk.path("tree");
    let matches = plant(&tree);
    println!(
        "{} files, {matches} matches, {ROUNDS} rounds               p50        p95",
        FOLDERS * FILES_IN_EACH
    );
    let mut own = searched(&desk, &tree, &format!("files.grep(pattern='{PATTERN}')"), matches);
    row("files.grep", &mut own);
    // Both read what the system has in memory by now.
    let (Some(mut all), Some(mut one)) = (beside(&tree, "0", matches), beside(&tree, "1", matches)) else {
        println!("NOT RUN: the limit, as rg is not installed (package ripgrep)");
        beside_grep(&tree, matches, &own);
        return;
    };
    row("beside it: rg", &mut all);
    row("beside it: rg with one thread", &mut one);
    judge(&own, &all);
    names(&desk, &tree);
}

/// Finds files by their name, beside `rg --files`.
fn names(desk: &Desk, tree: &Path) {
    let mut own = searched(desk, tree, &format!("files.glob(pattern='**/{NAME}')"), FOLDERS);
    row("files.glob", &mut own);
    let mut command = Command::new("rg");
    command.args(["--no-config", "--no-ignore", "--files", "--glob", NAME]);
    command.arg(tree);
    if let Some(mut all) = timed(command, FOLDERS) {
        row("beside it: rg --files", &mut all);
        judge(&own, &all);
    }
}

fn judge(own: &[f64], peer: &[f64]) {
    let times = middle(own) / middle(peer);
    let kept = if times <= TIMES_MAX { "kept" } else { "MISSED" };
    println!("{times:.2} times rg; the limit of {TIMES_MAX} is {kept}");
}

/// Writes the tree, and returns how many lines match.
fn plant(tree: &Path) -> usize {
    let mut number = 0;
    let mut matches = 0;
    for folder in 0..FOLDERS {
        let folder = tree.join(format!("{:02}/{folder:04}", folder % 50));
        std::fs::create_dir_all(&folder).expect("a folder");
        for file in 0..FILES_IN_EACH {
            number += 1;
            let mut text = String::new();
            for line in 0..LINES {
                writeln!(
                    text,
                    "line {line} of file {number}: 付款期限为三十天, and so it goes on"
                )
                .expect("a line");
            }
            if number % FILES_PER_MATCH == 0 {
                matches += 1;
                writeln!(text, "here is needle-{number}").expect("a line");
            }
            std::fs::write(folder.join(format!("{file:03}.txt")), text).expect("a file");
        }
    }
    matches
}

/// Milliseconds of each search by a program, which makes that call.
fn searched(desk: &Desk, tree: &Path, call: &str, matches: usize) -> Vec<f64> {
    let program = format!(
        "times = []\nfor number in range({ROUNDS} + 1):\n    began = (await system.time()).data['unix_ms']\n    found = \
         await {call}\n    times.append((await system.time()).data['unix_ms'] - began)\n    \
         assert len(found.data) == {matches}, len(found.data)\ntimes[1:]"
    );
    let folder = tree.to_str().expect("a path");
    let printed = desk.run_with(
        ["exec", "--json", "--folder", folder, "--limit-time", "600", "-"],
        &program,
    );
    let told = printed.json().pop().expect("a result");
    let times = told["value"].as_array().expect("times");
    times.iter().filter_map(Value::as_f64).collect()
}

/// Milliseconds of each search by ripgrep, which looks at the same files; `None` where it is not installed.
fn beside(tree: &Path, threads: &str, matches: usize) -> Option<Vec<f64>> {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--no-ignore", "--line-number"]);
    command
        .args(["--threads", threads, "--regexp", PATTERN])
        .arg(tree);
    timed(command, matches)
}

/// Says how many times the time of GNU `grep` a search takes, which reads bytes as they are.
fn beside_grep(tree: &Path, matches: usize, own: &[f64]) {
    let mut command = Command::new("grep");
    command.args(["-rnaE", PATTERN]).arg(tree).env("LC_ALL", "C");
    let Some(mut times) = timed(command, matches) else {
        println!("NOT RUN: grep is not installed either");
        return;
    };
    row("beside it: GNU grep", &mut times);
    println!("{:.2} times grep", middle(own) / middle(&times));
}

/// Milliseconds of each run of a peer, after one that is not counted; `None` where it is not installed.
fn timed(mut command: Command, matches: usize) -> Option<Vec<f64>> {
    let mut search = || {
        let found = command.output().ok()?;
        let lines = String::from_utf8_lossy(&found.stdout).lines().count();
        assert_eq!(lines, matches, "the peer finds the same");
        Some(())
    };
    search()?;
    let once = |_| {
        let began = Instant::now();
        search().map(|()| began.elapsed().as_secs_f64() * 1e3)
    };
    (0..ROUNDS).map(once).collect()
}

fn middle(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn row(name: &str, times: &mut [f64]) {
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| {
        times
            .get((times.len() * part / 100).min(times.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    println!("{name:<40} {:>7.1} ms {:>7.1} ms", at(50), at(95));
}
