//! What stands after a kill in the very moment of an end. A called workflow does nothing once its caller is over, and a step
//! that was told to stop ends as its own record says.

use rusqlite::{Connection, params};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::fs;
use std::path::{Path, PathBuf};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

/// A question, and a note that is sent after it.
const ASKED: &str = "version: '1.0'\nname: Asked\nsteps:\n  - {id: sure, type: approval, message: Send it?}\n  - {id: send, type: tool, \
                     tool: peer.send_note, inputs: {to: ann, note_text: hello}}\n";

/// Calls the other one, and permits what that sends.
const OUTER: &str = "version: '1.0'\nname: Outer\npermissions: [peer.send_note]\nsteps:\n  - {id: call, type: tool, tool: workflows.asked}\n";

/// A program with a time limit.
const COUNTING: &str = "version: '1.0'\nname: Counting\nsteps:\n  - {id: count, type: code, timeout: 60s, code: 'total = 7', \
                        output: {name: total, type: int}}\n  - {id: told, type: output, inputs: {total: '{total}'}}\n";

fn keep(desk: &Desk, name: &str, text: &str) {
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

fn run_of(printed: &Printed) -> Value {
    let mut runs = printed.json();
    runs.retain(|line| line["type"] == "workflow_run");
    runs.pop().unwrap_or_else(|| panic!("{printed:?}"))
}

/// The newest run of a workflow.
fn newest(desk: &Desk, name: &str) -> Value {
    let mut runs = desk.run(["--json", "workflow", "runs", "--of", name]).json();
    runs.truncate(1);
    runs.pop().unwrap_or_else(|| panic!("no run of {name}"))
}

fn database(desk: &Desk) -> Connection {
    Connection::open(desk.data().join("shidi.db")).unwrap()
}

fn sent(notes: &Path) -> usize {
    fs::read_to_string(notes).unwrap_or_default().lines().count()
}

/// A server called `peer`, and the file in which it notes its calls.
fn with_peer() -> (Desk, PathBuf) {
    let desk = Desk::new();
    let notes = desk.path("notes");
    let setting = format!("SHIDI_TEST_NOTES={}", notes.display());
    let added = desk.run(["mcp", "add", "peer", "--env", &setting, "--", SERVER]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let allowed = desk.run(["mcp", "allow", "peer", "send-note"]);
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
    (desk, notes)
}

/// A called workflow whose question was answered in a process of its own. Next it would send its note.
fn answered() -> (Desk, PathBuf) {
    let (desk, notes) = with_peer();
    keep(&desk, "asked", ASKED);
    keep(&desk, "outer", OUTER);
    let printed = desk.run(["--json", "workflow", "run", "outer"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let program = run_of(&printed)["waiting"][0]["event"]["run"].clone();
    let answer = desk.run(["answer", program.as_str().unwrap(), "Approve"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    (desk, notes)
}

/// As a kill leaves it: the program that called a run is stopped, and the run was not told.
fn caller_cancelled(desk: &Desk, called: &Value) {
    let changed = database(desk).execute(
        "UPDATE run_state SET status = 'cancelled' WHERE run = ?1",
        [called["by"].as_str().unwrap()],
    );
    assert_eq!(changed.unwrap(), 1);
}

#[test]
fn a_called_run_that_is_taken_up_alone_does_nothing_when_its_caller_was_cancelled() {
    let (desk, notes) = answered();
    let called = newest(&desk, "asked");
    caller_cancelled(&desk, &called);
    let id = called["run"].as_str().unwrap();
    let resumed = desk.run(["--lang", "en", "workflow", "resume", id]);
    assert_eq!(resumed.code, Some(130), "{resumed:?}");
    assert!(
        resumed.stdout.contains("Whoever called this run has ended"),
        "{resumed:?}"
    );
    assert_eq!(sent(&notes), 0);
    let run = newest(&desk, "asked");
    assert_eq!(run["status"], "cancelled", "{run}");
    assert!(
        run["error"]["message"].is_string(),
        "it stays with the run: {run}"
    );
}

#[test]
fn a_late_yes_to_a_step_of_a_called_run_does_nothing_when_its_caller_was_cancelled() {
    let (desk, notes) = with_peer();
    let asked = ASKED.replace("  - {id: sure, type: approval, message: Send it?}\n", "");
    keep(&desk, "asked", &asked);
    keep(
        &desk,
        "outer",
        &OUTER.replace("permissions: [peer.send_note]\n", ""),
    );
    let printed = desk.run(["--json", "workflow", "run", "outer"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let card = run_of(&printed)["waiting"][0]["event"].clone();
    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    caller_cancelled(&desk, &newest(&desk, "asked"));
    let approved = desk.run(["--lang", "en", "approve", program, &call]);
    assert_eq!(approved.code, Some(2), "{approved:?}");
    assert!(
        approved.stderr.contains("Nobody waits for this step any more"),
        "{approved:?}"
    );
    assert_eq!(sent(&notes), 0);
    let ended = desk.run([
        "workflow",
        "cancel",
        newest(&desk, "asked")["run"].as_str().unwrap(),
    ]);
    assert_eq!(ended.code, Some(130), "{ended:?}");
}

#[test]
fn a_called_run_goes_on_alone_as_long_as_its_caller_waits_for_it() {
    let (desk, notes) = answered();
    let called = newest(&desk, "asked");
    let resumed = desk.run(["workflow", "resume", called["run"].as_str().unwrap()]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(sent(&notes), 1);
    let outer = desk.run(["--json", "workflow", "resume", "last"]);
    assert_eq!(outer.code, Some(0), "{outer:?}");
    assert_eq!((&run_of(&outer)["name"], sent(&notes)), (&json!("outer"), 1));
}

/// A run of one counting step as a kill leaves it right after that was told to stop. `status` is that of its program.
fn told_to_stop(desk: &Desk, status: &str) -> String {
    keep(desk, "counting", COUNTING);
    let printed = desk.run(["--json", "workflow", "run", "counting"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let id = run_of(&printed)["run"].as_str().unwrap().to_owned();
    let database = database(desk);
    let read = |query: &str| -> String { database.query_row(query, [&id], |row| row.get(0)).unwrap() };
    let mut state: Value =
        serde_json::from_str(&read("SELECT state FROM workflow_run WHERE run = ?1")).unwrap();
    let attempt = read("SELECT CAST(attempt AS TEXT) FROM workflow_program WHERE run = ?1");
    let number: u64 = attempt.parse().unwrap();
    state["status"] = json!({"status": "running"});
    state["result"] = json!({});
    state["frames"] = json!({"0": {
        "block": 0, "parent": null, "steps": [{"open": number}, "waiting"], "values": {}, "bytes": 0, "halting": null,
    }});
    let stopping = json!({"stopping": {"until_ms": 1, "limit_ms": 60_000}});
    state["attempts"] = json!({attempt: {"frame": 0, "step": 0, "tries": 0, "phase": stopping}});
    let changed = database.execute(
        "UPDATE workflow_run SET state = ?2, ended = NULL WHERE run = ?1",
        params![id, state.to_string()],
    );
    assert_eq!(changed.unwrap(), 1);
    let changed = database.execute(
        "UPDATE run_state SET status = ?2 WHERE session = (SELECT session FROM workflow_program WHERE run = ?1)",
        params![id, status],
    );
    assert_eq!(changed.unwrap(), 1);
    id
}

#[test]
fn a_program_that_was_told_to_stop_and_came_to_its_end_has_its_values_after_a_kill() {
    let desk = Desk::new();
    let id = told_to_stop(&desk, "completed");
    let resumed = desk.run(["--json", "workflow", "resume", &id]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(run_of(&resumed)["result"], json!({"total": 7}));
}

#[test]
fn a_program_that_was_told_to_stop_and_did_nothing_is_out_of_time_after_a_kill() {
    let desk = Desk::new();
    let id = told_to_stop(&desk, "cancelled");
    let resumed = desk.run(["--lang", "en", "--json", "workflow", "resume", &id]);
    assert_eq!(resumed.code, Some(1), "{resumed:?}");
    let error = run_of(&resumed)["error"]["message"].to_string();
    assert!(error.contains("longer than 60 s"), "{error}");
}

#[test]
fn cancelling_what_is_over_says_so_and_how_it_had_ended() {
    let desk = Desk::new();
    let counted = desk.run_with(["--json", "exec", "-"], "print(7)");
    assert_eq!(counted.code, Some(0), "{counted:?}");
    let program = desk.run(["--json", "trace", "list"]).json()[0]["run"].clone();
    let program = program.as_str().unwrap();
    let over = desk.run(["--lang", "en", "cancel", program]);
    assert_eq!(over.code, Some(0), "{over:?}");
    assert!(over.stdout.contains("over already: completed, 20"), "{over:?}");
    let told = &desk.run(["--json", "cancel", program]).json()[0];
    assert_eq!(
        (&told["over"], told["ended"].is_string()),
        (&json!("completed"), true)
    );

    keep(&desk, "counting", COUNTING);
    assert_eq!(desk.run(["workflow", "run", "counting"]).code, Some(0));
    let over = desk.run(["--lang", "en", "workflow", "cancel", "last"]);
    assert_eq!(over.code, Some(0), "{over:?}");
    let says = over.stdout.contains("The run was over already: done, 20");
    assert!(says && over.stdout.contains("total: 7"), "{over:?}");
}

#[test]
fn a_program_that_was_told_to_stop_while_it_sent_waits_for_a_word_after_a_kill() {
    let desk = Desk::new();
    let id = told_to_stop(&desk, "cancelled");
    let changed = database(&desk).execute(
        "INSERT INTO call (run, id, exec, toolkit, method, args, line, class, state, started)
         SELECT run, 99, 1, 'peer', 'send_note', '{}', 1, 'send', 'intended', 1 FROM run_state
         WHERE session = (SELECT session FROM workflow_program WHERE run = ?1)",
        [&id],
    );
    assert_eq!(changed.unwrap(), 1);
    let resumed = desk.run(["--json", "workflow", "resume", &id]);
    assert_eq!(resumed.code, Some(3), "{resumed:?}");
    let run = run_of(&resumed);
    let step = &run["steps"][0];
    assert_eq!(
        (&step["state"], &step["unknown"][0]["tool"]),
        (&json!("uncertain"), &json!("peer.send_note")),
        "{run}"
    );
}

/// Asks a person before it does nothing.
const ASKING: &str =
    "version: '1.0'\nname: Asking\nsteps:\n  - {id: sure, type: approval, message: Go on?}\n";

#[test]
fn going_on_with_what_is_over_says_so_and_cancel_takes_runs_of_workflows_too() {
    let desk = Desk::new();
    keep(&desk, "counting", COUNTING);
    assert_eq!(desk.run(["workflow", "run", "counting"]).code, Some(0));
    let id = newest(&desk, "counting")["run"].as_str().unwrap().to_owned();
    for words in [&["workflow", "resume", "last"][..], &["cancel", id.as_str()][..]] {
        let over = desk.run(["--lang", "en"].iter().chain(words).copied());
        assert_eq!(over.code, Some(0), "{over:?}");
        let says = over.stdout.contains("The run was over already: done, 20");
        assert!(says && over.stdout.contains("total: 7"), "{over:?}");
    }

    keep(&desk, "asking", ASKING);
    for (language, said) in [("en", "The run was stopped"), ("zh", "这次运行已停止")] {
        assert_eq!(desk.run(["workflow", "run", "asking"]).code, Some(3));
        let waiting = newest(&desk, "asking")["run"].as_str().unwrap().to_owned();
        let stopped = desk.run(["--lang", language, "cancel", &waiting]);
        assert_eq!(stopped.code, Some(0), "{stopped:?}");
        assert_eq!(stopped.stdout.matches(said).count(), 1, "{stopped:?}");
        assert_eq!(newest(&desk, "asking")["status"], "cancelled");
    }
    // What is neither is still refused.
    let unknown = desk.run(["cancel", "no-such-run"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

#[test]
fn runs_are_listed_with_the_time_of_other_lists() {
    let mut desk = Desk::new();
    keep(&desk, "counting", COUNTING);
    assert_eq!(desk.run(["workflow", "run", "counting"]).code, Some(0));
    let [here, there] = ["UTC", "Asia/Kathmandu"].map(|zone| {
        desk.set("TZ", zone);
        let listed = desk.run(["workflow", "runs"]).stdout;
        let minute = listed.trim_end().rsplit("  ").next().unwrap().to_owned();
        assert_eq!(minute.len(), "2026-11-30 12:00".len(), "{listed}");
        assert!(!minute.contains(['T', 'Z']), "{listed}");
        minute
    });
    assert_ne!(here, there, "it is the time of this machine");
}
