//! Shidi as its users have it, as the client of the official conformance suite's servers.

use super::served::{installed, node};
use shidi_tests::command::{Desk, shidi};
use std::path::Path;
use std::process::Command;

/// Time of one scenario, in milliseconds. Most of it is the wait for its turn: the suite starts all at once.
const SCENARIO_MS: &str = "900000";

/// The words of a command as the suite hands them to a shell.
fn quoted(word: &Path) -> String {
    format!("'{}'", word.display())
}

/// What the suite says of its required scenarios, each played by `conformance/client.py` with `shidi`.
fn ran(suite: &Path, node: &Path, python: &Path, revision: &str) -> (bool, String) {
    let (desk, peers) = (Desk::new(), shidi_tests::folder().join("peers/conformance"));
    let turns = desk.path("turns");
    std::fs::create_dir_all(&turns).unwrap();
    let (user, program) = (peers.join("client.py"), shidi().to_path_buf());
    let words = [python, Path::new("-B"), &user, &program, &turns].map(quoted);
    // One that fails and is not named there, and one that is named there and passes, end it with 1.
    let failing = peers.join(format!("failing-client-{revision}.yaml"));
    let output = Command::new(node)
        .arg(suite)
        .args(["client", "--command", &words.join(" ")])
        .args(["--requirements", revision, "--timeout", SCENARIO_MS, "--verbose"])
        .arg("--expected-failures")
        .arg(failing)
        .arg("-o")
        .arg(desk.path("results"))
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    (output.status.success(), format!("{printed}{told}"))
}

#[test]
fn servers_of_the_official_conformance_suite_are_used_by_the_rules_but_for_what_is_named_with_its_reason() {
    let suite = installed("conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let python = installed("conformance/.python/bin/python");
    let (Some(suite), Some(python)) = (suite, python) else {
        return;
    };
    let Some(node) = node() else {
        println!("NOT RUN: the conformance suite wants Node 22 (make setup)");
        return;
    };
    for revision in ["2025-11-25", "2026-07-28"] {
        let (is_right, said) = ran(&suite, &node, &python, revision);
        assert!(is_right, "{revision}:\n{said}");
        let passed = said.lines().filter(|line| line.starts_with("✓ "));
        passed.for_each(|line| println!("{revision} {line}"));
    }
}
