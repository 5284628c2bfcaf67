//! Measures attaching a PDF of 100 pages, Chinese and Latin: the whole command, against poppler's `pdftotext` in the
//! same run, and once more when it was read before.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use shidi_tests::command::Desk;
use shidi_tests::papers::pdf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;

fn main() {
    let pages: Vec<Vec<String>> = (1..=100)
        .map(|page| {
            let line = |line| {
                format!("第 {page} 页第 {line} 行：付款期限为三十天。The quick brown fox, again, {line}.")
            };
            (1..=45).map(line).collect()
        })
        .collect();
    let desk = Desk::new();
    let file = desk.path("hundred pages.pdf");
    std::fs::write(&file, pdf(&pages)).expect("the document");
    let path = file.to_str().expect("a path").to_owned();
    let (mut fresh, mut again, mut peer) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let known = desk.data().join("documents");
        if known.exists() {
            std::fs::remove_dir_all(&known).expect("what was read is forgotten");
        }
        fresh.push(inspected(&desk, &path));
        again.push(inspected(&desk, &path));
        let started = Instant::now();
        let read = Command::new("pdftotext")
            .args([path.as_str(), "-"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if read.is_ok_and(|status| status.success()) {
            peer.push(started.elapsed());
        }
    }
    println!("attach a PDF of 100 pages, {ROUNDS} rounds          p50        p95");
    row("shidi inspect, never read before", &mut fresh);
    row("shidi inspect, read before", &mut again);
    if peer.is_empty() {
        println!("NOT RUN: pdftotext is not installed (package poppler-utils)");
    } else {
        row("beside it: pdftotext", &mut peer);
    }
}

fn inspected(desk: &Desk, path: &str) -> Duration {
    let started = Instant::now();
    let printed = desk.run(["--json", "inspect", path]);
    let took = started.elapsed();
    assert!(printed.stdout.contains("\"parts\":100"), "{}", printed.stdout);
    took
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |part: usize| {
        times
            .get((times.len() * part / 100).min(times.len() - 1))
            .copied()
            .unwrap_or_default()
    };
    println!(
        "{name:<40} {:>7.1} ms {:>7.1} ms",
        at(50).as_secs_f64() * 1e3,
        at(95).as_secs_f64() * 1e3
    );
}
