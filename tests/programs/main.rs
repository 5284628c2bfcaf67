//! Programs as models write them: what CPython prints, `shidi exec` prints. A refused program counts as a failure.
//!
//! `gaps.txt` lists the programs that still differ, each with its reason. The list can only shrink: a program that
//! differs and is not in it fails the test, and so does one that is in it and agrees.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use parking_lot::Mutex;
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs that run side by side, each with a folder of its own.
const SIDE_BY_SIDE: usize = 2;

/// How much of a failure is told: its end holds the reason.
const TOLD_CHARACTERS: usize = 600;

/// A program, and what is wrong with what became of it.
struct Case {
    name: String,
    program: String,
    fault: fn(&Case, &Printed) -> Option<String>,
    expected: String,
}

/// The public problems with their reference solutions and tests; they lie beside the checkout, not in it.
#[test]
fn all_humaneval_reference_solutions_pass_their_tests() {
    let path = shidi_tests::folder().join("../../shared/data/HumanEval.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!("NOT RUN: HumanEval (its data is not beside the checkout)");
        return;
    };
    let cases: Vec<Case> = lines.lines().map(problem).collect();
    assert_eq!(cases.len(), 164);
    let faults = run_all(&cases);
    assert!(
        faults.is_empty(),
        "{} of {} went wrong:\n{}",
        faults.len(),
        cases.len(),
        told(&faults)
    );
}

#[test]
fn programs_that_agents_write_print_what_cpython_prints() {
    let folder = shidi_tests::folder().join("programs/corpus");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    paths.sort();
    let cases: Vec<Case> = paths.iter().map(|path| program(path)).collect();
    assert!(cases.len() >= 150, "{} programs", cases.len());
    let gaps = gaps();
    let (listed, unlisted): (Vec<_>, Vec<_>) = run_all(&cases)
        .into_iter()
        .partition(|(name, _)| gaps.contains(name));
    assert!(
        unlisted.is_empty(),
        "{} programs differ that gaps.txt does not list:\n{}",
        unlisted.len(),
        told(&unlisted)
    );
    let closed: Vec<&String> = gaps
        .iter()
        .filter(|gap| listed.iter().all(|(name, _)| name != *gap))
        .collect();
    assert!(
        closed.is_empty(),
        "these agree; take them off gaps.txt: {closed:?}"
    );
    println!("{} of {} programs agree", cases.len() - listed.len(), cases.len());
}

/// The programs that are known to differ.
fn gaps() -> Vec<String> {
    let path = shidi_tests::folder().join("programs/gaps.txt");
    let lines = std::fs::read_to_string(path).unwrap();
    lines
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (name, reason) = line.split_once(": ").unwrap();
            assert!(!reason.trim().is_empty(), "{name}: why does it differ?");
            format!("{name}.py")
        })
        .collect()
}

/// Faults with the programs that they belong to, one after the other.
fn told(faults: &[(String, String)]) -> String {
    let lines: Vec<String> = faults
        .iter()
        .map(|(name, fault)| format!("{name}: {fault}"))
        .collect();
    lines.join("\n")
}

fn problem(line: &str) -> Case {
    let problem: Value = serde_json::from_str(line).unwrap();
    let part = |name: &str| problem[name].as_str().unwrap().to_owned();
    let (prompt, solution, test, entry) = (
        part("prompt"),
        part("canonical_solution"),
        part("test"),
        part("entry_point"),
    );
    Case {
        name: part("task_id"),
        program: format!("{prompt}{solution}\n{test}\ncheck({entry})\n"),
        fault: |_, printed| (printed.code != Some(0)).then(|| end(printed)),
        expected: String::new(),
    }
}

fn program(path: &Path) -> Case {
    Case {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        program: std::fs::read_to_string(path).unwrap(),
        fault: |case, printed| {
            (printed.code != Some(0) || printed.stdout != case.expected).then(|| {
                format!(
                    "{}\n{}",
                    difference(&case.expected, &printed.stdout),
                    end(printed)
                )
            })
        },
        expected: std::fs::read_to_string(path.with_extension("out")).unwrap(),
    }
}

/// Runs all and gives the names of those that went wrong, with what was wrong.
fn run_all(cases: &[Case]) -> Vec<(String, String)> {
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                let desk = Desk::new();
                let path = desk.path("program.py");
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    std::fs::write(&path, &case.program).unwrap();
                    let printed = desk.run([Path::new("exec"), &path]);
                    if let Some(fault) = (case.fault)(case, &printed) {
                        faults.lock().push((case.name.clone(), fault));
                    }
                }
            });
        }
    });
    let mut faults = faults.into_inner();
    faults.sort();
    faults
}

fn difference(expected: &str, printed: &str) -> String {
    let mut pairs = expected.lines().zip(printed.lines());
    pairs.find(|(expected, printed)| expected != printed).map_or_else(
        || "one of the two has more lines".to_owned(),
        |(expected, printed)| format!("expected {expected:?}, printed {printed:?}"),
    )
}

fn end(printed: &Printed) -> String {
    let text = format!("{}{}", printed.stdout, printed.stderr);
    let skipped = text.chars().count().saturating_sub(TOLD_CHARACTERS);
    text.chars().skip(skipped).collect()
}
