//! Files of hundreds of megabytes: memory and time stay bounded, and the answer is still there.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::papers::{pdf, write_long_docx};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Peak memory of the program that is asked; a debug build alone takes some 40 MB.
const MEMORY_KB_MAX: u64 = 120 << 10;

/// 500 MB with `make soak`, a tenth of it otherwise.
fn large() -> usize {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        500 << 20
    } else {
        50 << 20
    }
}

fn write_text(desk: &Desk, name: &str, bytes: usize) -> String {
    let path = desk.path(name);
    let mut file = BufWriter::new(File::create(&path).unwrap());
    let mut written = 0;
    let mut number = 0;
    while written < bytes {
        let line = format!("{number} 一行普通的文字，with words in it\n");
        file.write_all(line.as_bytes()).unwrap();
        written += line.len();
        number += 1;
    }
    file.write_all("the last line holds needle-4711\n".as_bytes())
        .unwrap();
    file.flush().unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs `shidi`, and tells what it printed and how much memory it had at most.
fn measured(desk: &Desk, arguments: &[&str], input: &str) -> (Value, u64) {
    let mut child = desk.spawn(arguments, Stdio::piped());
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let status = format!("/proc/{}/status", child.id());
    let (mut peak, started) = (0, Instant::now());
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(600), "it hangs");
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().unwrap_or_default();
    (serde_json::from_str(last).unwrap(), peak)
}

#[test]
fn a_text_of_hundreds_of_megabytes_is_indexed_and_searched_in_bounded_memory() {
    let desk = Desk::new();
    let path = write_text(&desk, "large 大.log", large());
    let (chip, peak) = measured(&desk, &["--json", "inspect", &path], "");
    assert_eq!((&chip["kind"], &chip["how"]), (&"text".into(), &"indexed".into()));
    println!("inspect {} MB: {} MB of memory", large() >> 20, peak >> 10);
    assert!(peak < MEMORY_KB_MAX, "{peak} kB");
    let folder = desk.path("");
    let program = format!(
        "(await files.grep(pattern=\"needle-[0-9]+\", path={0}))[0][\"text\"] + \"|\" + (await files.find(text=\"needle 4711\", path={0}))[0][\"text\"]",
        Value::from(path.as_str())
    );
    let (result, peak) = measured(
        &desk,
        &["--json", "exec", "--folder", folder.to_str().unwrap(), "-"],
        &program,
    );
    println!("search {} MB twice: {} MB of memory", large() >> 20, peak >> 10);
    let found = result["value"].as_str().unwrap_or_default();
    assert_eq!(found.matches("needle-4711").count(), 2, "{result}");
    assert!(peak < MEMORY_KB_MAX, "{peak} kB");
}

#[test]
fn a_document_of_five_hundred_megabytes_is_refused_without_being_read() {
    let desk = Desk::new();
    let path = desk.path("sparse.pdf");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"%PDF-1.7\n").unwrap();
    file.set_len(500 << 20).unwrap();
    let (chip, peak) = measured(&desk, &["--json", "inspect", path.to_str().unwrap()], "");
    assert_eq!(chip["reason"], "huge", "{chip}");
    assert!(peak < MEMORY_KB_MAX, "{peak} kB");
}

#[test]
fn an_archive_that_unpacks_to_far_more_is_read_as_far_as_the_bound() {
    let desk = Desk::new();
    let path = desk.path("bomb.docx");
    let unpacked = if std::env::var_os("SHIDI_SOAK").is_some() {
        1 << 30
    } else {
        64 << 20
    };
    write_long_docx(BufWriter::new(File::create(&path).unwrap()), unpacked);
    let (chip, peak) = measured(&desk, &["--json", "inspect", path.to_str().unwrap()], "");
    let readable = chip["kind"] == "document" && chip["how"] == "indexed";
    assert!(
        readable || chip["reason"] == "huge" || chip["reason"] == "timed_out",
        "{chip}"
    );
    println!(
        "{} MB unpacked from {} kB: {} MB of memory",
        unpacked >> 20,
        path.metadata().unwrap().len() >> 10,
        peak >> 10
    );
    assert!(peak < MEMORY_KB_MAX, "{peak} kB");
}

#[test]
fn a_long_document_is_sent_as_its_beginning_and_read_by_its_pages() {
    let desk = Desk::new();
    let pages: Vec<Vec<String>> = (1..=300)
        .map(|page| {
            (1..=40)
                .map(|line| format!("第 {page} 页第 {line} 行，一些普通的文字"))
                .collect()
        })
        .collect();
    let path = desk.path("手册 长.pdf");
    std::fs::write(&path, pdf(&pages)).unwrap();
    let path = Value::from(path.to_str().unwrap());
    let (chip, _) = measured(&desk, &["--json", "inspect", path.as_str().unwrap()], "");
    assert_eq!(
        (&chip["parts"], &chip["how"]),
        (&300.into(), &"indexed".into()),
        "{chip}"
    );
    assert!(chip["tokens"].as_u64().unwrap() < 4_000, "{}", chip["tokens"]);
    let folder = desk.path("");
    let program = format!(
        "page = await files.read(path={path}, part=217)\nplace = (await files.find(text=\"第 217 页第 3 行\", path={path}, limit=1))[0][\"place\"]\n[page, place]"
    );
    let (result, _) = measured(
        &desk,
        &["--json", "exec", "--folder", folder.to_str().unwrap(), "-"],
        &program,
    );
    let (page, place) = (result["value"][0].as_str().unwrap(), &result["value"][1]);
    assert!(page.starts_with("[p. 217]\n第 217 页第 1 行"), "{page}");
    assert!(!page.contains("218 页"), "{page}");
    assert_eq!(place, "p. 217");
}
