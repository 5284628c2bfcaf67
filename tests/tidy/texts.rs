//! Headers, lengths, and words that have no business in a product.

use crate::repository::{expect_none, files, text};

/// Lines of a source file, tests apart.
const LINES_MAX: usize = 600;

/// Written by a program, so that nobody reads them from the top.
const GENERATED: &[&str] = &["ui/src/bindings/", "Cargo.lock", "package-lock.json"];

/// Lines that a kind of file must have before its header.
const FOREWORDS: &[&str] = &["#!/"];

/// The one list of characters that the eye can't see; approvals are guarded by it.
const THE_UNSEEN: &str = "src-tauri/protocol/src/unseen.rs";

/// Where npm locks may point to; anything else is a mirror of one machine.
const REGISTRY: &str = "https://registry.npmjs.org/";

#[test]
fn every_source_file_opens_with_why_it_exists() {
    let mut findings = Vec::new();
    for name in files().iter().filter(|name| !is_generated(name)) {
        let Some((openings, text)) = openings(name).zip(text(name)) else {
            continue;
        };
        let head = text
            .lines()
            .filter(|line| !FOREWORDS.iter().any(|foreword| line.starts_with(foreword)));
        let first = head.map(str::trim_start).next().unwrap_or_default();
        if !openings.iter().any(|opening| first.starts_with(opening)) {
            findings.push(format!("{name}: {first}"));
        }
    }
    expect_none("Files without a header", &findings);
}

#[test]
fn no_source_file_is_longer_than_the_house_allows() {
    let mut findings = Vec::new();
    for name in files()
        .iter()
        .filter(|name| !is_generated(name) && !is_test(name))
    {
        let lines = openings(name)
            .and_then(|_| text(name))
            .map_or(0, |text| text.lines().count());
        if lines > LINES_MAX {
            findings.push(format!("{name}: {lines} lines"));
        }
    }
    expect_none("Files of more than 600 lines", &findings);
}

#[test]
fn nothing_tracked_speaks_of_the_machine_or_the_hour_it_was_written() {
    // Put together here, so that this file does not speak of them itself.
    let forbidden: Vec<String> = [
        ["/ro", "ot/"],
        ["/wo", "rk/"],
        ["/ho", "me/runner"],
        ["brief", ".md"],
        ["as reque", "sted"],
        ["sub-ag", "ent said"],
        ["my ", "previous"],
        ["TO", "DO:"],
        ["FIX", "ME"],
    ]
    .iter()
    .map(|parts| parts.concat())
    .collect();
    let mut findings = Vec::new();
    for name in files() {
        let Some(text) = text(&name) else { continue };
        for (index, line) in text.lines().enumerate() {
            findings.extend(
                forbidden
                    .iter()
                    .filter(|words| speaks_of(line, words))
                    .map(|words| format!("{name}:{}: {words}", index + 1)),
            );
        }
    }
    expect_none("Words that belong to a machine or an hour", &findings);
}

#[test]
fn characters_that_the_eye_cannot_see_stand_in_one_list() {
    // Joiners and the mark at the head of a file are left out: they are also written, not only looked for.
    let listed = [
        "ad", "200b", "200e", "200f", "2028", "202a", "202e", "2060", "2066", "2069", "3164",
    ];
    let escapes = listed.map(|code| {
        [
            format!("\\u{{{code}}}"),
            format!("\\u{code:0>4}"),
            format!("0x{code}"),
        ]
    });
    let mut findings = Vec::new();
    for name in files()
        .iter()
        .filter(|name| !is_generated(name) && !is_test(name))
    {
        let is_source = [".rs", ".ts", ".js", ".svelte"]
            .iter()
            .any(|ending| name.ends_with(ending));
        let Some(text) = text(name).filter(|_| is_source && name != THE_UNSEEN) else {
            continue;
        };
        let code = text
            .split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .to_lowercase();
        for (index, line) in code.lines().enumerate() {
            let looks_for = |escape: &String| {
                line.contains(&format!("{escape}'")) || line.contains(&format!("{escape},"))
            };
            if escapes.as_flattened().iter().any(looks_for) {
                findings.push(format!("{name}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    expect_none("Other lists of characters that the eye can't see", &findings);
}

#[test]
fn locks_point_to_the_public_registries_only() {
    let mut findings = Vec::new();
    for name in files() {
        let Some(text) = text(&name) else { continue };
        let foreign: fn(&str) -> bool = match name.rsplit('/').next() {
            Some("package-lock.json") => {
                |line| line.contains("\"resolved\": \"http") && !line.contains(REGISTRY)
            }
            Some("Cargo.lock") => |line| {
                line.starts_with("source = ")
                    && !line.contains("registry+https://github.com/rust-lang/crates.io-index")
            },
            _ => continue,
        };
        findings.extend(
            text.lines()
                .filter(|line| foreign(line))
                .map(|line| format!("{name}: {}", line.trim())),
        );
    }
    expect_none("Locks that point elsewhere", &findings);
}

/// Whether `words` stand in `line` on their own: `~/x/` is no `/x/`.
fn speaks_of(line: &str, words: &str) -> bool {
    let joins = |character: char| character.is_alphanumeric() || "~._-$}".contains(character);
    line.match_indices(words)
        .any(|(index, _)| !line[..index].ends_with(joins))
}

/// How a file of this kind opens; `None` for kinds without a header.
fn openings(name: &str) -> Option<&'static [&'static str]> {
    let file = name.rsplit('/').next().unwrap_or(name);
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => Some(&["//!"]),
        Some("ts" | "js" | "mjs") => Some(&["//", "/*"]),
        Some("svelte") => Some(&["<!--"]),
        Some("css") => Some(&["/*"]),
        Some("py") => Some(&["#", "\"\"\""]),
        Some("sh") => Some(&["#"]),
        Some(_) | None if file == "Makefile" => Some(&["#"]),
        Some(_) | None => None,
    }
}

fn is_generated(name: &str) -> bool {
    GENERATED
        .iter()
        .any(|generated| name.starts_with(generated) || name.ends_with(generated))
}

pub fn is_test(name: &str) -> bool {
    name.contains("tests/")
        || name.ends_with("tests.rs")
        || name.contains("/benches/")
        || name.contains(".test.")
}
