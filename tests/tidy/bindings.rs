//! The TypeScript bindings of the protocol, written anew and compared.

use crate::repository::{cargo, expect_none, files, root, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const BINDINGS: &str = "ui/src/bindings";

#[test]
fn the_bindings_are_those_of_the_protocol() {
    let fresh = tempfile::TempDir::new().unwrap();
    let written = Command::new(cargo())
        .args([
            "test",
            "--quiet",
            "--package=shidi-protocol",
            "--lib",
            "export_bindings",
        ])
        .env("TS_RS_EXPORT_DIR", fresh.path())
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        written.status.success(),
        "{}",
        String::from_utf8_lossy(&written.stderr)
    );
    let (kept, fresh) = (contents(&root().join(BINDINGS)), contents(fresh.path()));
    assert!(fresh.len() > 20, "only {} bindings were written", fresh.len());
    let missing = fresh
        .keys()
        .filter(|name| !kept.contains_key(*name))
        .map(|name| format!("{name} is missing"));
    let extra = kept
        .keys()
        .filter(|name| !fresh.contains_key(*name))
        .map(|name| format!("{name} is left over"));
    let differs = |name: &&String| kept.get(*name).is_some_and(|text| fresh.get(*name) != Some(text));
    let changed = fresh
        .keys()
        .filter(differs)
        .map(|name| format!("{name} is out of date"));
    let findings: Vec<String> = missing.chain(extra).chain(changed).collect();
    expect_none(
        "Bindings to be written by `cargo test -p shidi-protocol`",
        &findings,
    );
}

#[test]
fn what_is_optional_is_left_out_where_it_is_absent() {
    // The windows compare with `undefined`, and `null` is something else.
    let mut findings = Vec::new();
    let mut seen = 0;
    let ours = |name: &&String| name.starts_with("src-tauri/protocol/src/") && name.ends_with(".rs");
    for name in files().iter().filter(ours) {
        let text = text(name).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let optional = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.starts_with("#[ts(optional"));
        for (at, _) in optional {
            seen += 1;
            let about = |line: &&&str| line.starts_with("#[") || line.starts_with("///");
            let before = lines[..at].iter().rev().take_while(about);
            let after = lines[at..].iter().take_while(about);
            // What has a default is read, and never written by the program.
            let is_told =
                |line: &&str| line.contains("skip_serializing_if") || line.contains("serde(default");
            if !before.chain(after).any(is_told) {
                findings.push(format!("{name}:{}", at + 1));
            }
        }
    }
    assert!(seen > 20, "only {seen} were found");
    expect_none("Optional fields that would be `null`", &findings);
}

/// Every file below a folder by its name there.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}
