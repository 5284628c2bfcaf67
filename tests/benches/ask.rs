//! Measures `shidi ask`: process start to the request on the wire, peak memory, size of a plain question's body.
//!
//! Budgets (DESIGN §10): ≤ 30 ms, ≤ 40 MB, ≤ 12 kB. A bare process start stands beside it, from the same run.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use shidi_tests::command::{Desk, shidi};
use shidi_tests::model_server::{Answer, ModelServer};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Questions measured; the first ones warm the disk's cache.
const ROUNDS: usize = 40;
const WARM_UP: usize = 5;

fn main() {
    let server = ModelServer::repeating(Answer::Text("Paris.".into()));
    let desk = Desk::with_model(&server.url());
    let (mut wire, mut bare, mut memory) = (Vec::new(), Vec::new(), 0);
    for round in 0..ROUNDS + WARM_UP {
        let started = Instant::now();
        let mut child = desk.spawn(["ask", "--json", "What is the capital of France?"], Stdio::null());
        let pid = child.id();
        while server.arrivals().len() <= round {
            std::hint::spin_loop();
        }
        let arrived = server.arrivals()[round] - started;
        memory = memory.max(peak_memory_kb(pid));
        child.wait().expect("it ends");
        let started = Instant::now();
        let version = Command::new(shidi())
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        assert!(version.expect("it starts").success());
        if round >= WARM_UP {
            wire.push(arrived);
            bare.push(started.elapsed());
        }
    }
    println!("shidi ask, {ROUNDS} rounds                     p50        p95     budget");
    row("process start → request on the wire", &mut wire, "30 ms");
    row("beside it: process start and --version", &mut bare, "");
    println!(
        "{:<40} {:>8.1} MB            40 MB",
        "peak memory (VmHWM) when asking",
        memory as f64 / 1024.0
    );
    println!(
        "{:<40} {:>8} B             12 kB",
        "body of a plain question",
        server.request_bytes()[0]
    );
}

fn row(name: &str, times: &mut [Duration], budget: &str) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1_000.0;
    println!("{name:<40} {:>7.2} ms {:>7.2} ms  {budget}", at(0.5), at(0.95));
}

fn peak_memory_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
