//! The program with its real runtime and no model: what a new user meets first.
#![cfg(test)]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A data folder and a work folder.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shidi"));
        command
            .args(words)
            .env("LC_ALL", "C")
            .env("SHIDI_DATA_DIR", self.folder.path().join("data"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn exec(&self, program: &str, words: &[&str]) -> Output {
        let mut child = self
            .command(&[&["exec", "-"], words].concat())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_answer_alone_goes_to_stdout_and_its_steps_to_stderr() {
    let output = Desk::new().run(&["ask", "17 * 23"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("391"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("Python"), "{}", stdout(&output));
    assert!(stderr(&output).contains("Offline planner"), "{}", stderr(&output));
}

#[test]
fn json_events_count_from_one_and_end_with_the_run() {
    let output = Desk::new().run(&["--json", "ask", "17 * 23"]);
    let events = json_lines(&output);
    assert_eq!(events.first().unwrap()["type"], "run_started");
    assert_eq!(events.last().unwrap()["type"], "run_ended");
    assert_eq!(events.last().unwrap()["status"], "completed");
    let counted: Vec<u64> = events
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(counted, (1..=events.len() as u64).collect::<Vec<_>>());
}

#[test]
fn a_suspended_run_ends_with_three_and_says_how_to_go_on() {
    let desk = Desk::new();
    let asked = desk.run(&["ask", "a = await user.ask(text=\"Which one?\")\nprint(a)"]);
    assert_eq!(asked.status.code(), Some(3), "{}", stderr(&asked));
    let hint = stderr(&asked)
        .lines()
        .find_map(|line| line.strip_prefix("hint: shidi answer ").map(str::to_owned));
    let run = hint.unwrap().split(' ').next().unwrap().to_owned();
    let answered = desk.run(&["answer", &run, "the", "second"]);
    assert_eq!(answered.status.code(), Some(0), "{}", stderr(&answered));
    assert!(stdout(&answered).contains("the second"), "{}", stdout(&answered));
}

#[test]
fn a_program_prints_then_shows_its_value_and_keeps_its_variables() {
    let desk = Desk::new();
    fs::write(desk.work().join("a.md"), "hello\n").unwrap();
    let program = "text = (await files.read(path='a.md')).data\nprint(text.strip())\n[len(text), None]";
    let output = desk.exec(program, &["--folder", desk.work().to_str().unwrap()]);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "hello\n[6, None]\n"),
        "{}",
        stderr(&output)
    );
    let result = desk.exec(program, &["--json", "--folder", desk.work().to_str().unwrap()]);
    let result = &json_lines(&result)[0];
    assert_eq!(
        (&result["ok"], &result["variables"]["text"]),
        (&Value::Bool(true), &Value::from("hello\n"))
    );
    assert_eq!(result["calls"][0]["method"], "read");
}

#[test]
fn a_failing_program_ends_with_one_and_shows_the_line() {
    let output = Desk::new().exec("x = 1\nx / 0\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("File \"<stdin>\", line 2\n    x / 0\nZeroDivisionError: "),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).is_empty());
}

#[test]
fn a_read_outside_the_granted_folders_waits_for_approval_unless_it_was_allowed() {
    let desk = Desk::new();
    let secret = desk.folder.path().join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    let program = format!("(await files.read(path={:?})).data", secret.display().to_string());
    let waits = desk.exec(&program, &["--folder", desk.work().to_str().unwrap()]);
    assert_eq!((waits.status.code(), stdout(&waits)), (Some(3), String::new()));
    assert!(stderr(&waits).contains("shidi approve "), "{}", stderr(&waits));
    let allowed = desk.exec(&program, &["--allow", "files.read"]);
    assert_eq!(stdout(&allowed), "'secret'\n", "{}", stderr(&allowed));
}

#[test]
fn a_reader_that_has_seen_enough_ends_an_answer_quietly() {
    let desk = Desk::new();
    let mut child = desk.command(&["ask", "--json", "17 * 23"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn a_setting_that_is_not_there_is_refused_with_its_neighbour() {
    let desk = Desk::new();
    let output = desk.run(&["config", "get", "modle"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("Did you mean 'model'?"),
        "{}",
        stderr(&output)
    );
    let path = stdout(&desk.run(&["config", "path"]));
    assert!(path.trim_end().ends_with("data/config.toml"), "{path}");
}

#[test]
fn without_a_display_toggle_says_so_and_quit_has_nothing_to_do() {
    let desk = Desk::new();
    let toggled = desk.run(&["toggle"]);
    assert_eq!(toggled.status.code(), Some(1));
    assert!(
        stderr(&toggled).starts_with("There is no display here"),
        "{}",
        stderr(&toggled)
    );
    assert_eq!(desk.run(&["quit"]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn one_interrupt_cancels_the_run_and_ends_with_130() {
    let desk = Desk::new();
    let mut child = desk
        .command(&["--json", "ask", "```python\nwhile True:\n    pass\n```"])
        .spawn()
        .unwrap();
    let mut events = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(events.any(|line| line.unwrap().contains("\"type\":\"code\"")));
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(interrupted.success());
    let rest: Vec<String> = events.map(Result::unwrap).collect();
    assert!(
        rest.last().unwrap().contains("\"status\":\"cancelled\""),
        "{rest:?}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
