//! Measures what "where is it defined, and what calls it" costs by `code.callers` and by `files.grep`, on the repositories that
//! `SHIDI_CODE_REPOSITORIES` holds; and how long and in how much memory a large folder is indexed.
//!
//! The questions with their checked answers stand in `tests/code/questions.json`. An answer is right when it names the
//! definition and every caller by file and line. Tokens are bytes through four, of what a program would print.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use serde_json::Value;
use shidi_tests::command::Desk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

const QUESTIONS: &str = include_str!("../code/questions.json");

/// Sums of one repository.
#[derive(Default)]
struct Sums {
    questions: usize,
    right: usize,
    by_grep: usize,
    tokens: usize,
    of_lines: usize,
    of_grep: usize,
}

fn main() {
    let Some(folder) = std::env::var_os("SHIDI_CODE_REPOSITORIES").map(PathBuf::from) else {
        println!(
            "NOT RUN: SHIDI_CODE_REPOSITORIES names no folder with the repositories of tests/code/questions.json"
        );
        return;
    };
    let questions: Vec<Value> = serde_json::from_str(QUESTIONS).expect("questions");
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    println!(
        "{:<34} {:>6} {:>9} {:>9} {:>9}",
        "question", "right", "callers", "grep -n", "files.grep"
    );
    for question in &questions {
        let of = |name: &str| question[name].as_str().unwrap_or_default().to_owned();
        let repository = folder.join(of("repository"));
        if !repository.is_dir() {
            println!("{:<34} NOT RUN: no {}", of("asked"), repository.display());
            continue;
        }
        ask(question, &repository, sums.entry(of("repository")).or_default());
    }
    for (name, sum) in &sums {
        println!(
            "{name}: {} of {} right ({} by grep), tokens: callers {}, lines of grep {}, files.grep {}",
            sum.right, sum.questions, sum.by_grep, sum.tokens, sum.of_lines, sum.of_grep
        );
    }
    index(&folder);
}

fn ask(question: &Value, repository: &Path, sums: &mut Sums) {
    let desk = Desk::new();
    let asked = question["asked"].as_str().unwrap_or_default();
    let name = asked.rsplit('.').next().unwrap_or(asked);
    let program = format!(
        "told = (await code.callers('{asked}')).data\nfound = (await files.grep(r'\\b{name}\\b')).data\n\
         [told, '\\n'.join(f\"{{one['path']}}:{{one['line']}}:{{one['text'].strip()}}\" for one in found), len(str(found).encode())]"
    );
    let value = executed(&desk, repository, &program);
    let text = |place: usize| value[place].as_str().unwrap_or_default().to_owned();
    let (told, lines) = (text(0), text(1));
    let of_grep = usize::try_from(value[2].as_u64().unwrap_or_default()).unwrap_or_default() / 4;
    let missing = missing(question, &places_of(&told));
    let (is_right, is_right_by_grep) = (
        missing.is_empty(),
        self::missing(question, &lines_of(&lines)).is_empty(),
    );
    sums.questions += 1;
    sums.right += usize::from(is_right);
    sums.by_grep += usize::from(is_right_by_grep);
    sums.tokens += told.len() / 4;
    sums.of_lines += lines.len() / 4;
    sums.of_grep += of_grep;
    println!(
        "{asked:<34} {is_right:>6} {:>9} {:>9} {of_grep:>9}",
        told.len() / 4,
        lines.len() / 4
    );
    if !is_right {
        println!("  missing {missing:?} in\n{told}");
    }
}

/// The wanted places that an answer does not name.
fn missing(question: &Value, places: &[(String, String)]) -> Vec<String> {
    let callers = question["callers"].as_array().into_iter().flatten();
    let wanted = std::iter::once(&question["defined"])
        .chain(callers)
        .filter_map(Value::as_str);
    let is_named = |wanted: &&str| {
        let (file, line) = wanted.split_once(':').unwrap_or((wanted, ""));
        places
            .iter()
            .any(|(other, known)| other == file && (line.is_empty() || known == line))
    };
    wanted
        .filter(|wanted| !is_named(wanted))
        .map(str::to_owned)
        .collect()
}

/// Files and lines of an answer: those of definitions, and those of callers below their file.
fn places_of(told: &str) -> Vec<(String, String)> {
    let mut places = Vec::new();
    let mut file = "";
    for line in told.lines() {
        if let Some(defined) = line.strip_prefix("defined: ") {
            let place = defined.split_whitespace().next().unwrap_or_default();
            let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
            places.push((file.to_owned(), line.to_owned()));
        } else if let Some((_, lines)) = line.strip_prefix("  ").and_then(|line| line.rsplit_once(" :")) {
            places.extend(lines.split(',').map(|line| (file.to_owned(), line.to_owned())));
        } else {
            file = line;
        }
    }
    places
}

fn lines_of(found: &str) -> Vec<(String, String)> {
    let placed = found.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
    });
    placed.collect()
}

/// How long a folder is indexed that nobody asked about before, by calls that follow one another, and how long a call takes
/// after that.
fn index(folder: &Path) {
    let large = folder.join("large");
    if !large.is_dir() {
        println!("NOT RUN: no folder {} to be indexed", large.display());
        return;
    }
    let desk = Desk::new();
    let program = "import time\nbegan = (await system.time()).data['unix_ms']\ncalls = []\nwhile True:\n    before = (await \
                   system.time()).data['unix_ms']\n    told = (await code.digest()).data\n    now = (await \
                   system.time()).data['unix_ms']\n    calls.append(now - before)\n    if 'not indexed yet' not in told or \
                   len(calls) > 100:\n        break\nbefore = now\nfound = (await code.callers('new')).data\nwarm = (await \
                   system.time()).data['unix_ms'] - before\n[calls, now - began, warm, len(told), told]";
    let value = executed(&desk, &large, program);
    println!(
        "indexed: calls took {} ms, {} ms in all; a call then {} ms; a digest has {} bytes",
        value[0], value[1], value[2], value[3]
    );
    let began = Instant::now();
    let again = executed(&desk, &large, "(await code.find('Parser')).data");
    println!(
        "the next process: {} ms with its start, {} bytes",
        began.elapsed().as_millis(),
        again.to_string().len()
    );
    let kept = std::fs::read_dir(desk.data().join("code"))
        .into_iter()
        .flatten()
        .flatten();
    let bytes: u64 = kept
        .filter_map(|entry| entry.metadata().ok())
        .map(|facts| facts.len())
        .sum();
    println!("on the disk: {} KB", bytes >> 10);
}

fn executed(desk: &Desk, folder: &Path, program: &str) -> Value {
    let folder = folder.display().to_string();
    let printed = desk.run_with(
        ["exec", "--json", "--folder", &folder, "--limit-time", "300", "-"],
        program,
    );
    let told = printed.json().into_iter().next().unwrap_or_default();
    assert_eq!(told["ok"], true, "{told} {}", printed.stderr);
    told["value"].clone()
}
