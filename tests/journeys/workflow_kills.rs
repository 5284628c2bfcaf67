//! kill -9 at any moment of a workflow's run: what was begun and not confirmed is shown and never done again in silence, and
//! with a person's word the run ends as one that nobody killed.

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::soak;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

/// Kills in `make test`, and in `make soak`.
const KILLS: usize = 6;
const KILLS_SOAKED: usize = 200;

/// Times that a run is taken up again before it counts as one without an end.
const RESUMES_MAX: usize = 60;

/// A loop of calls that take their time, with code between them, and two sends beside each other.
const WORKFLOW: &str = "version: '1.0'
name: Notes
permissions: [peer.send_note, peer.wait]
steps:
  - id: each
    type: loop
    each: [1, 2, 3]
    as: n
    steps:
      - {id: pause, type: code, inputs: {n: '{n}'}, code: 'pause = n / 10', output: {name: pause, type: float}}
      - {id: slow, type: tool, tool: peer.wait, inputs: {seconds: '{pause}'}, output: {name: waited, type: str}}
    outputs: {name: all, type: list, value: '{waited}'}
  - id: beside
    type: parallel
    branches:
      - [{id: left, type: tool, tool: peer.send_note, inputs: {to: left, note_text: x}, output: {name: l, type: str}}]
      - [{id: right, type: tool, tool: peer.send_note, inputs: {to: right, note_text: x}, output: {name: r, type: str}}]
  - {id: told, type: output, inputs: {all: '{all}', l: '{l}', r: '{r}'}}
";

fn expected() -> Value {
    json!({"all": ["waited", "waited", "waited"], "l": "sent to left", "r": "sent to right"})
}

/// What tells a call to the server apart: whom it sends to, or how long it takes.
pub fn named(args: &Value) -> String {
    let to = args["to"].as_str();
    to.map_or_else(|| args["seconds"].to_string(), str::to_owned)
}

/// How often each call came, by what tells it apart.
pub fn came(notes: &Path) -> BTreeMap<String, usize> {
    let mut came = BTreeMap::new();
    for line in fs::read_to_string(notes).unwrap_or_default().lines() {
        let note: Value = serde_json::from_str(line).unwrap();
        *came.entry(named(&note["args"])).or_default() += 1;
    }
    came
}

pub fn run_of(printed: &Printed) -> Value {
    let mut runs = printed.json();
    runs.retain(|line| line["type"] == "workflow_run");
    runs.pop().unwrap_or_else(|| panic!("{printed:?}"))
}

fn desk(notes: &Path, desk: Desk) -> Desk {
    let setting = format!("SHIDI_TEST_NOTES={}", notes.display());
    assert_eq!(
        desk.run(["mcp", "add", "peer", "--env", &setting, "--", SERVER])
            .code,
        Some(0)
    );
    assert_eq!(
        desk.run(["mcp", "allow", "peer", "send-note", "wait"]).code,
        Some(0)
    );
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("notes.yaml"), WORKFLOW).unwrap();
    desk
}

/// What tells a step's call apart, and its result.
fn call_of(step: &Value) -> (String, String) {
    match step["id"].as_str().unwrap() {
        "slow" => (
            format!("0.{}", step["rounds"][0].as_u64().unwrap() + 1),
            "waited".to_owned(),
        ),
        other => (other.to_owned(), format!("sent to {other}")),
    }
}

/// Says of each step whose end is unknown what the notes say.
fn settle(desk: &Desk, run: &Value, notes: &Path) -> usize {
    let id = run["run"].as_str().unwrap();
    let uncertain = run["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["state"] == "uncertain");
    let mut settled_steps = 0;
    for step in uncertain {
        let (call, result) = call_of(step);
        // Whoever has to say what came of it sees which call it was.
        let told = &step["unknown"][0];
        assert!(
            matches!(told["tool"].as_str(), Some("peer.wait" | "peer.send_note")),
            "{step}"
        );
        assert_eq!(named(&told["args"]), call, "{step}");
        let attempt = step["attempt"].to_string();
        let happened = format!("--happened=\"{result}\"");
        let verdict = match came(notes).contains_key(&call) {
            true => happened.as_str(),
            false => "--not-happened",
        };
        let settled = desk.run(["--json", "workflow", "settle", id, &attempt, verdict]);
        assert!(matches!(settled.code, Some(0 | 3)), "{settled:?}");
        settled_steps += 1;
    }
    settled_steps
}

/// Whether the run is on record.
fn is_begun(desk: &Desk) -> bool {
    let count = || -> rusqlite::Result<u32> {
        let connection =
            Connection::open_with_flags(desk.data().join("shidi.db"), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.query_row("SELECT count(*) FROM workflow_run", [], |row| row.get(0))
    };
    count().is_ok_and(|runs| runs > 0)
}

/// A whole run that is killed once, as soon as that holds; whether the kill came before its end, and steps that needed a word.
fn killed_when(is_time: impl Fn(&Desk, Duration) -> bool) -> (bool, usize) {
    let own = Desk::new();
    let notes = own.path("notes");
    let desk = desk(&notes, own);
    let mut child = desk.spawn(["--json", "workflow", "run", "notes"], Stdio::null());
    let begun = Instant::now();
    while !is_time(&desk, begun.elapsed()) && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let pause = begun.elapsed();
    let was_at_work = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = desk.run(["--json", "workflow", "runs"]).json();
    let Some(run) = listed.first() else {
        // It was not acknowledged yet.
        assert_eq!(came(&notes), BTreeMap::new());
        return (was_at_work, 0);
    };
    let id = run["run"].as_str().unwrap().to_owned();
    let mut settled = 0;
    for _ in 0..RESUMES_MAX {
        let run = run_of(&desk.run(["--json", "workflow", "resume", &id]));
        match run["status"].as_str().unwrap() {
            "done" => {
                assert_eq!(run["result"], expected(), "{pause:?}");
                let each_once = ["0.1", "0.2", "0.3", "left", "right"].map(|to| (to.to_owned(), 1));
                assert_eq!(came(&notes), BTreeMap::from(each_once), "{pause:?}");
                return (was_at_work, settled);
            }
            "waiting" => settled += settle(&desk, &run, &notes),
            other => panic!("{other} after {pause:?}: {run}"),
        }
    }
    panic!("it does not end after {pause:?}")
}

#[test]
fn a_run_that_is_killed_as_soon_as_it_is_on_record_begins_when_it_is_taken_up() {
    let (was_at_work, _) = killed_when(|desk, _| is_begun(desk));
    assert!(was_at_work, "it was killed before its end");
}

#[test]
fn no_effect_happens_twice_and_a_killed_run_ends_as_one_that_nobody_killed() {
    let own = Desk::new();
    let notes = own.path("notes");
    let whole = desk(&notes, own);
    let begun = Instant::now();
    let printed = whole.run(["--json", "workflow", "run", "notes"]);
    let takes = begun.elapsed();
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert_eq!(run_of(&printed)["result"], expected());
    let kills = if soak::is_wanted() { KILLS_SOAKED } else { KILLS };
    let (mut at_work, mut words) = (0, 0);
    for kill in soak::part_of(kills) {
        // The moments are spread over a whole run.
        let part = (kill as f64 + 0.5) / kills as f64;
        let (was_at_work, settled) = killed_when(|_, passed| passed >= takes.mul_f64(part));
        at_work += usize::from(was_at_work);
        words += settled;
    }
    println!(
        "{at_work} of {kills} runs were killed at work, {words} steps needed a word; one takes {takes:?}"
    );
}
