//! Measures a command of the shell toolkit from the call to its result, beside bare bubblewrap with the same mounts in the
//! same run.
//!
//! The product's limit is 1.2 times the bare one. What bubblewrap is told is read from a command of the product's at work.
//! The filter of system calls and the way to the network are left out: they are the product's own. A second peer runs the
//! product's first script, too, which checks folders and sets limits.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use serde_json::Value;
use shidi_tests::command::Desk;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Turns of the product and its peers.
const TURNS: usize = 8;
/// Batches in a turn, and commands in a batch: a program's clock counts milliseconds.
const BATCHES: usize = 2;
const COMMANDS: u32 = 10;
/// How many times the time of bare bubblewrap a start may take.
const TIMES_MAX: f64 = 1.2;
/// How long a command of the product's own is looked for.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is only the product's, each with a number after it.
const OWN: [&str; 3] = ["--info-fd", "--block-fd", "--seccomp"];

/// What bubblewrap is told, and what it starts.
struct Told {
    builder: String,
    walls: Vec<String>,
    started: Vec<String>,
}

fn main() {
    let desk = Desk::new();
    if !desk.can_confine() {
        return;
    }
    let folder = desk.path("work");
    std::fs::create_dir_all(&folder).expect("a folder");
    let Some(told) = told(&desk, &folder) else {
        println!("NOT RUN: no command of the product was seen at work");
        return;
    };
    let bare = ["bash", "-c", "true"].map(str::to_owned);
    let mut script = told.started.clone();
    if let Some(text) = script.get_mut(3) {
        "true".clone_into(text);
    }
    let (mut own, mut alone, mut checked) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        own.extend(run(&desk, &folder));
        alone.extend((0..BATCHES).map(|_| beside(&told, &bare)));
        checked.extend((0..BATCHES).map(|_| beside(&told, &script)));
    }
    println!(
        "{} batches of {COMMANDS} commands, each                p50        p95",
        TURNS * BATCHES
    );
    let taken = row("shell.run of `true`", &mut own);
    let least = row("beside it: bare bubblewrap", &mut alone);
    row("beside it: with the first script", &mut checked);
    let times = taken / least;
    let kept = if times <= TIMES_MAX { "kept" } else { "MISSED" };
    println!("{times:.2} times bare bubblewrap; the limit of {TIMES_MAX} is {kept}");
}

fn arguments(folder: &Path) -> [String; 7] {
    let folder = folder.display().to_string();
    ["exec", "--json", "--allow", "shell.*", "--folder", &folder, "-"].map(str::to_owned)
}

/// Reads what bubblewrap is told from a command at work.
fn told(desk: &Desk, folder: &Path) -> Option<Told> {
    let mark = format!("shidi-bench-{}", std::process::id());
    let mut child = desk.spawn(arguments(folder), Stdio::piped());
    let program = format!("await shell.run('sleep 2; : {mark}')");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(program.as_bytes()).expect("it reads");
    drop(input);
    let began = Instant::now();
    let mut found = None;
    while found.is_none() && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        found = processes
            .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
            .find_map(|line| read(&line, &mark));
    }
    child.wait_with_output().expect("it ends");
    found
}

fn read(line: &[u8], mark: &str) -> Option<Told> {
    let line = String::from_utf8_lossy(line.strip_suffix(b"\0")?).into_owned();
    let mut words = line.split('\0').map(str::to_owned);
    let builder = words.next().filter(|name| name.ends_with("bwrap"))?;
    let mut walls = Vec::new();
    while let Some(word) = words.next().filter(|word| word != "--") {
        match OWN.contains(&word.as_str()) {
            true => drop(words.next()),
            false => walls.push(word),
        }
    }
    let started: Vec<String> = words.collect();
    let is_ours = started.get(3).is_some_and(|text| text.contains(mark));
    is_ours.then_some(Told {
        builder,
        walls,
        started,
    })
}

/// Milliseconds of a command in each batch, after one that is not counted.
fn run(desk: &Desk, folder: &Path) -> Vec<f64> {
    let program = format!(
        "times = []\nawait shell.run('true')\nfor batch in range({BATCHES}):\n    began = (await \
         system.time()).data['unix_ms']\n    for number in range({COMMANDS}):\n        ran = await shell.run('true')\n        \
         assert ran.data['exit_code'] == 0, ran.data\n    times.append((await system.time()).data['unix_ms'] - \
         began)\ntimes"
    );
    let printed = desk.run_with(arguments(folder), &program);
    let told = printed.json().pop().expect("a result");
    let times = told["value"].as_array().expect("times");
    let each = |time: &Value| Some(time.as_f64()? / f64::from(COMMANDS));
    times.iter().filter_map(each).collect()
}

/// Milliseconds of a command in a batch of the peer's.
fn beside(told: &Told, started: &[String]) -> f64 {
    let began = Instant::now();
    for _ in 0..COMMANDS {
        let ended = Command::new(&told.builder)
            .args(&told.walls)
            .arg("--")
            .args(started)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .output()
            .expect("bubblewrap");
        assert!(ended.status.success(), "{ended:?}");
    }
    began.elapsed().as_secs_f64() * 1e3 / f64::from(COMMANDS)
}

/// Prints a row, and returns its middle.
fn row(name: &str, times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    };
    let middle = at(50);
    println!("{name:<40} {middle:>7.1} ms {:>7.1} ms", at(95));
    middle
}
