//! Programs of one session take turns in its worker. Whoever stops one, or no longer waits for it, ends that one alone.

use serde_json::Value;
use shidi_tests::command::{Desk, Staying};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything here takes that is not waited for in vain.
const SOON: Duration = Duration::from_secs(40);
const LOOK_EVERY: Duration = Duration::from_millis(20);
const SESSION: &str = "turns";

/// A program of `shidi exec` that has the session's worker.
struct Executing(Child);

impl Executing {
    /// Returns when its first line has run.
    fn begun(desk: &Desk, rest: &str) -> Self {
        let folder = desk.path("work");
        std::fs::create_dir_all(&folder).unwrap();
        let mark: PathBuf = folder.join("begun");
        let work = folder.to_str().unwrap();
        let arguments = [
            "exec",
            "--json",
            "--session",
            SESSION,
            "--folder",
            work,
            "--allow",
            "files.write",
            "--limit-time",
            "300",
            "-",
        ];
        let mut child = desk.spawn(arguments, Stdio::piped());
        let program = format!(
            "await files.write(path={:?}, text='x')\n{rest}",
            mark.to_str().unwrap()
        );
        let mut input = child.stdin.take().unwrap();
        input.write_all(program.as_bytes()).unwrap();
        drop(input);
        let end = Instant::now() + SOON;
        while !mark.exists() {
            assert!(Instant::now() < end, "the program does not begin");
            std::thread::sleep(LOOK_EVERY);
        }
        std::fs::remove_file(mark).unwrap();
        Self(child)
    }

    fn result(self) -> Value {
        let output = self.0.wait_with_output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Asks something whose program waits behind the one at work; returns the run.
fn waiting(desk: &Desk) -> (Child, String) {
    let mut asked = desk.spawn(["ask", "--json", "--session", SESSION, "Count"], Stdio::null());
    let mut lines = BufReader::new(asked.stdout.take().unwrap()).lines();
    let run = loop {
        let line = lines.next().unwrap().unwrap();
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["type"] == "code" {
            break event["run"].as_str().unwrap().to_owned();
        }
    };
    std::thread::spawn(move || lines.for_each(drop));
    (asked, run)
}

fn a_program() -> Answer {
    Answer::Text("```python\nprint('one')\n```".into())
}

#[test]
fn stopping_a_task_whose_program_waits_for_its_turn_leaves_the_program_at_work_alone() {
    let server = ModelServer::start([a_program()]);
    let desk = Desk::with_model(&server.url());
    let _runtime = Staying::start(&desk);
    let executing = Executing::begun(&desk, "import time\ntime.sleep(15)\n40 + 2");
    let (mut asked, run) = waiting(&desk);
    let stopped = desk.run(["cancel", &run]);
    assert_eq!(stopped.code, Some(0), "{}", stopped.stderr);
    asked.wait().unwrap();
    let result = executing.result();
    assert_eq!(
        (&result["ok"], &result["value"]),
        (&true.into(), &42.into()),
        "{result}"
    );
}

#[test]
fn a_question_while_a_task_is_being_stopped_waits_for_its_end_and_is_answered() {
    let server = ModelServer::start([a_program(), Answer::Text("Here I am.".into())]);
    let desk = Desk::with_model(&server.url());
    let _runtime = Staying::start(&desk);
    let executing = Executing::begun(&desk, "import time\ntime.sleep(20)");
    let (mut first, run) = waiting(&desk);
    let mut stopping = desk.spawn(["cancel", &run], Stdio::null());
    // It takes two seconds, since the program that it waits for does not come to its turn.
    std::thread::sleep(Duration::from_millis(700));
    assert!(stopping.try_wait().unwrap().is_none(), "it is being stopped");
    let second = desk.run(["ask", "--json", "--session", SESSION, "Are you there?"]);
    assert_eq!(second.code, Some(0), "{}\n{}", second.stdout, second.stderr);
    assert_eq!(second.event("answer")["text"], "Here I am.");
    stopping.wait().unwrap();
    first.wait().unwrap();
    let mut executing = executing.0;
    executing.kill().unwrap();
    executing.wait().unwrap();
}

#[test]
fn a_program_that_nobody_waits_for_any_more_gives_its_place_to_the_next() {
    let desk = Desk::new();
    let _runtime = Staying::start(&desk);
    let mut executing = Executing::begun(&desk, "while True:\n    pass").0;
    executing.kill().unwrap();
    executing.wait().unwrap();
    let began = Instant::now();
    let next = desk.run_with(["exec", "--json", "--session", SESSION, "-"], "6 * 7");
    assert_eq!(next.json()[0]["value"], 42, "{}", next.stderr);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[test]
fn a_variable_that_can_not_be_deleted_yet_is_not_waited_for_without_end() {
    let desk = Desk::new();
    let _runtime = Staying::start(&desk);
    let made = desk.run_with(["exec", "--json", "--session", SESSION, "-"], "kept = 1");
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let mut executing = Executing::begun(&desk, "import time\ntime.sleep(100)").0;
    let began = Instant::now();
    let delete = || {
        desk.run([
            "--lang",
            "en",
            "session",
            "variables",
            SESSION,
            "--delete",
            "kept",
        ])
    };
    let busy = delete();
    assert_eq!(busy.code, Some(2), "{}{}", busy.stdout, busy.stderr);
    assert!(busy.stderr.contains("A program is running"), "{}", busy.stderr);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    executing.kill().unwrap();
    executing.wait().unwrap();
    let deleted = delete();
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert!(!deleted.stdout.contains("kept"), "{}", deleted.stdout);
}
