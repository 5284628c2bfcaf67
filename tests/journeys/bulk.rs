//! Large imports: a tree of real Markdown pages and a long PDF are read whole, in memory that does not grow with them, and
//! cited by page.
//!
//! 10,000 pages and a PDF of 2,500 in `make soak`, some hundreds here. The pages are sections of the documentation that lies
//! in Cargo's registry; the PDF is made by ReportLab.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::soak;
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

/// Memory that the importing program, and its reader of documents, may take, of a build with checks. Measured: 56 MB and
/// 53 MB, and of small imports not much less.
const ENGINE_MOST_KIB: u64 = 128 << 10;
const READER_MOST_KIB: u64 = 192 << 10;

/// Pauses between two looks at how much memory a program takes: the system keeps the most that it ever was.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Shorter sections are headings without a text.
const SECTION_BYTES_LEAST: usize = 100;

fn sizes() -> (usize, u32) {
    if soak::is_wanted() {
        (10_000, 2_500)
    } else {
        (400, 60)
    }
}

/// Sections of Markdown files of the registry, each as a file; how many there are.
fn tree(folder: &Path, most: usize) -> usize {
    let mut files = Vec::new();
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    if let Some(cargo) = cargo.or_else(home) {
        walk(&cargo.join("registry").join("src"), &mut files);
    }
    files.sort();
    let (mut written, mut known) = (0, HashSet::new());
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        for section in sections(&text) {
            if section.len() < SECTION_BYTES_LEAST || !known.insert(section.to_owned()) {
                continue;
            }
            let part = folder.join(format!("{:03}", written / 200));
            std::fs::create_dir_all(&part).unwrap();
            std::fs::write(part.join(format!("{written:05}.md")), section).unwrap();
            written += 1;
            if written == most {
                return written;
            }
        }
    }
    written
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, files),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|ending| ending == "md") => {
                files.push(path);
            }
            _ => {}
        }
    }
}

/// A text cut before its headings.
fn sections(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    starts.extend(text.match_indices("\n#").map(|(at, _)| at + 1));
    starts.push(text.len());
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// Most memory, in KiB, that a program and its children ever took.
struct Peak {
    engine: u64,
    reader: u64,
}

/// Waits for the end of a program, looking at its memory.
fn watched(mut child: Child) -> (Peak, Value) {
    let mut peak = Peak { engine: 0, reader: 0 };
    let mut stdout = child.stdout.take().unwrap();
    let output = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        text
    });
    let status = loop {
        peak.engine = peak.engine.max(most_kib(child.id()));
        for reader in children(child.id()) {
            peak.reader = peak.reader.max(most_kib(reader));
        }
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(LOOK_EVERY); // between two looks
    };
    let text = output.join().unwrap();
    assert!(status.success(), "{text}");
    (peak, serde_json::from_str(text.trim()).unwrap())
}

fn most_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

fn children(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let listed = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(
            listed
                .split_whitespace()
                .filter_map(|child| child.parse::<u32>().ok()),
        );
    }
    found
}

fn import(desk: &Desk, base: &str, what: &Path) -> Value {
    let created = desk.run(["knowledge", "create", base]);
    assert_eq!(created.code, Some(0), "{}", created.stderr);
    let begun = std::time::Instant::now();
    let child = desk
        .command(["--json", "knowledge", "add", base, what.to_str().unwrap()])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (peak, report) = watched(child);
    println!(
        "{base}: {:.1} s, {} MB, its reader {} MB; {report}",
        begun.elapsed().as_secs_f64(),
        peak.engine >> 10,
        peak.reader >> 10
    );
    assert!(
        peak.engine > 0 && peak.engine < ENGINE_MOST_KIB,
        "{} KiB",
        peak.engine
    );
    assert!(peak.reader < READER_MOST_KIB, "{} KiB", peak.reader);
    report
}

fn first(desk: &Desk, base: &str, question: &str) -> Value {
    let printed = desk.run(["--json", "knowledge", "query", base, question]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    printed.json().into_iter().next().unwrap_or_default()
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_tree_of_markdown_is_imported_in_memory_that_does_not_grow_with_it() {
    let desk = Desk::new();
    let (pages, _) = sizes();
    let folder = desk.path("tree");
    let written = tree(&folder, pages);
    if written < pages {
        println!("NOT RUN: Cargo's registry holds {written} pages of Markdown, {pages} are wanted");
        return;
    }
    std::fs::write(
        folder.join("000").join("zzz.md"),
        "# Keys\nThe quokka key hangs behind the door 找钥匙看门后.\n",
    )
    .unwrap();
    let report = import(&desk, "tree", &folder);
    assert_eq!(
        (&report["read"], &report["failed"]),
        (&(pages + 1).into(), &0.into())
    );
    assert!(report["pieces"].as_u64().unwrap() >= pages as u64 / 2, "{report}");
    assert_eq!(
        first(&desk, "tree", "where is the quokka key")["source"],
        "zzz.md line 2"
    );
    // What did not change is passed by.
    let again = desk.run(["--json", "knowledge", "add", "tree", folder.to_str().unwrap()]);
    assert_eq!(again.json()[0]["unchanged"], pages + 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_pdf_is_imported_in_bounded_memory_and_every_page_is_cited() {
    let desk = Desk::new();
    let (_, pages) = sizes();
    let pdf = desk.path("manual.pdf");
    let made = Command::new("python3")
        .arg(shidi_tests::folder().join("journeys").join("manual.py"))
        .arg(pages.to_string())
        .arg(&pdf)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("NOT RUN: no python3 with reportlab here to make a long PDF");
        return;
    }
    let report = import(&desk, "manual", &pdf);
    assert_eq!((&report["read"], &report["failed"]), (&1.into(), &0.into()));
    for at in 0..10 {
        let page = 1 + at * (pages - 1) / 9;
        let cited = format!("manual.pdf p. {page}");
        for question in [format!("quokka{page:05}"), format!("检验编号是甲{page:05}")] {
            assert_eq!(
                first(&desk, "manual", &question)["source"],
                cited.as_str(),
                "{question}"
            );
        }
    }
}
