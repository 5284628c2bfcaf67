//! The program as a shell sees it, where no run is needed: codes, streams, languages.
#![cfg(test)]

use std::fs;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

struct Shidi {
    data: TempDir,
}

impl Shidi {
    fn new() -> Self {
        Self {
            data: TempDir::new().unwrap(),
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shidi"));
        command
            .args(words)
            .env("SHIDI_DATA_DIR", self.data.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn wrong_usage_says_so_on_stderr_and_ends_with_two() {
    let output = Shidi::new().run(&["aks", "hello"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(
        stderr(&output).starts_with("Unrecognized subcommand 'aks'"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("\nhint: "));
}

#[test]
fn hints_of_a_chinese_terminal_are_chinese_whoever_gives_them() {
    let shidi = Shidi::new();
    for words in [
        &["aks", "hello"][..],
        &["ask", "x", "--file", "/nowhere/a.md"],
        &["session", "show", "none"],
    ] {
        let output = shidi
            .command(words)
            .env("LC_ALL", "zh_CN.UTF-8")
            .output()
            .unwrap();
        let told = stderr(&output);
        assert!(told.contains("\n提示：") && !told.contains("hint"), "{told}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named_before_anything_starts() {
    let shidi = Shidi::new();
    let output = shidi.run(&["ask", "x", "--file", "/nowhere/a.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).starts_with("'/nowhere/a.md' can't be read"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_dir(shidi.data.path()).unwrap().count(), 0);
}

#[test]
fn a_broken_snapshot_is_refused_with_its_line_in_the_users_language() {
    let shidi = Shidi::new();
    let snapshot = shidi.data.path().join("s.json");
    fs::write(&snapshot, "{\n\"a\" 1}").unwrap();
    let output = shidi.run(&[
        "--lang",
        "zh",
        "ask",
        "x",
        "--context",
        snapshot.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("第 2 行不是正确的 JSON"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn help_is_in_both_languages_and_has_examples() {
    let shidi = Shidi::new();
    let english = shidi.run(&["help", "ask"]);
    let chinese = shidi.run(&["--lang", "zh", "ask", "--help"]);
    assert_eq!((english.status.code(), chinese.status.code()), (Some(0), Some(0)));
    let english = String::from_utf8_lossy(&english.stdout).into_owned();
    let chinese = String::from_utf8_lossy(&chinese.stdout).into_owned();
    assert!(
        english.contains("Examples:") && english.contains("--role-model"),
        "{english}"
    );
    assert!(chinese.contains("提一个问题"), "{chinese}");
}

#[test]
fn nothing_to_ask_is_wrong_usage() {
    let output = Shidi::new().run(&["ask", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).starts_with("There is nothing to ask"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_closed_stdout_is_a_quiet_end() {
    let shidi = Shidi::new();
    let mut child = shidi
        .command(&["help"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn a_program_that_is_not_utf_8_is_refused_with_its_line() {
    let shidi = Shidi::new();
    let program = shidi.data.path().join("p.py");
    fs::write(&program, b"x = 1\ny = '\xff'\n").unwrap();
    let output = shidi.run(&["exec", program.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("is not UTF-8 in line 2"),
        "{}",
        stderr(&output)
    );
}
