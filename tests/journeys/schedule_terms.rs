//! What a schedule may do by itself is what was kept with it; it is checked and changed; and events begin one.

use crate::schedules::{Watching, add, history, is};
use crate::shell::work;
use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::fs;

/// A workflow that reads a file, and is permitted to.
const READING: &str = "version: '1.0'\nname: Read\npermissions: [PERMITTED]\nsteps:\n  - id: read\n    type: tool\n    tool: files.read\n    \
                       inputs: {path: /etc/hostname}\n    output: {name: text, type: str}\n  - {id: told, type: output, inputs: {text: '{text}'}}\n";

fn keep_workflow(desk: &Desk, permitted: &str) {
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("read.yaml"), READING.replace("PERMITTED", permitted)).unwrap();
}

fn run(desk: &Desk, id: &str) -> (Option<i32>, Value) {
    let printed = desk.run(["--json", "schedule", "run", id]);
    (printed.code, printed.json().pop().unwrap_or_default())
}

fn listed(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "schedule", "list"]).json()
}

fn refused(desk: &Desk, words: &[&str]) -> String {
    let all = ["--lang", "en", "schedule", "add"].iter().chain(words);
    let printed = desk.run(all.chain(&["--at", "tomorrow at 8", "--yes"]).copied());
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(listed(desk).is_empty());
    printed.stderr
}

#[test]
fn what_was_allowed_elsewhere_holds_for_no_schedule() {
    let server = ModelServer::start([0; 3].map(|_| reply("read_hosts")));
    let desk = Desk::with_model(&server.url());
    let asked = desk.run(["ask", "--json", "how long is my host name?"]);
    let card = asked.event("approval_needed");
    let (id, call) = (
        asked.event("run_started")["run"].clone(),
        card["call"].to_string(),
    );
    let approved = desk.run(["approve", "--json", id.as_str().unwrap(), &call, "--always"]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
    assert_eq!(desk.run(["ask", "--json", "and once more?"]).code, Some(0));
    add(&desk, &["how long is my host name?", "--every", "day at 8"]);
    let (code, waiting) = run(&desk, "1");
    assert_eq!((code, &waiting["outcome"]), (Some(3), &json!("waiting")));
    let again = desk.run(["resume", "--json", waiting["run"].as_str().unwrap()]);
    let card = again.event("approval_needed");
    assert_eq!(card["family"], "", "no \"always\" would hold in its next run");
}

#[test]
fn a_workflow_has_the_list_that_was_shown_when_it_was_kept_whatever_its_file_says_later() {
    let desk = Desk::new();
    keep_workflow(&desk, "");
    let kept = add(&desk, &["--workflow", "read", "--every", "day at 8"]);
    assert_eq!(kept["draft"]["approve"], json!([]));
    keep_workflow(&desk, "files.read");
    assert_eq!(
        desk.run(["workflow", "run", "read"]).code,
        Some(0),
        "a person's own run"
    );
    let (code, waiting) = run(&desk, "1");
    assert_eq!((code, &waiting["outcome"]), (Some(3), &json!("waiting")));
    let kept = add(&desk, &["--workflow", "read", "--every", "day at 8"]);
    assert_eq!(kept["draft"]["approve"], json!(["files.read"]));
    keep_workflow(&desk, "");
    assert_eq!(run(&desk, "2").0, Some(0));
}

#[test]
fn what_could_not_work_is_refused_when_it_is_kept() {
    let desk = Desk::new();
    let pattern = refused(&desk, &["x", "--approve", "files.read("]);
    assert!(pattern.contains("files.read(path=/srv/*)"), "{pattern}");
    let assistant = refused(&desk, &["x", "--assistant", "nobody"]);
    assert!(assistant.contains("nobody"), "{assistant}");
    let missing = refused(&desk, &["--workflow", "refund-approval"]);
    assert!(missing.contains("'order_id' is missing"), "{missing}");
    let unknown = refused(
        &desk,
        &[
            "--workflow",
            "refund-approval",
            "--set",
            "order_id=1",
            "--set",
            "x=1",
        ],
    );
    assert!(unknown.contains("'x'"), "{unknown}");
}

#[test]
fn a_workflow_that_writes_is_kept_with_a_folder_and_with_none_refused_as_a_run_is() {
    let desk = Desk::new();
    let writing = "version: '1.0'\nname: Write\nsteps:\n  - {id: keep, type: tool, tool: files.write, inputs: {path: out.txt, text: x}}\n";
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("write.yaml"), writing).unwrap();
    let scheduled = refused(&desk, &["--workflow", "write"]);
    assert!(
        scheduled.contains("step 'keep'") && scheduled.contains("--folder"),
        "{scheduled}"
    );
    let run = desk.run(["--lang", "en", "workflow", "run", "write"]);
    assert_eq!((run.code, run.stderr), (Some(2), scheduled), "the same words");
    let folder = desk.path("").display().to_string();
    let words = ["--workflow", "write", "--every", "day at 8"];
    add(&desk, &[&words[..], &["--folder", &folder]].concat());
}

#[test]
fn what_waits_is_listed_with_its_command_and_what_was_decided_is_said_until_it_goes_on() {
    let desk = Desk::new();
    keep_workflow(&desk, "");
    add(&desk, &["--workflow", "read", "--every", "day at 8"]);
    let (code, waiting) = run(&desk, "1");
    assert_eq!(code, Some(3), "{waiting}");
    let id = waiting["run"].as_str().unwrap();
    assert_eq!(listed(&desk)[0]["waiting"]["run"], id);
    let command = format!("shidi workflow resume {id}");
    let shown = desk.run(["--lang", "en", "schedule", "list"]).stdout;
    assert!(
        shown.contains("waits for you since") && shown.contains(&command),
        "{shown}"
    );
    let resting = desk.run(["--json", "workflow", "runs", id]).json().remove(0);
    let card = &resting["waiting"][0]["event"];
    let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    assert_eq!(desk.run(["approve", program, &call]).code, Some(0));
    // Nothing broke off, also for a process that begins now.
    let watching = Watching::start(&desk);
    assert_eq!(listed(&desk)[0]["waiting"]["decided"], true);
    watching.kill();
    let decided = &history(&desk)[0];
    assert_eq!(
        (&decided["outcome"], &decided["decided"]),
        (&json!("waiting"), &json!(true)),
        "{decided}"
    );
    let shown = desk.run(["--lang", "en", "schedule", "history"]).stdout;
    assert!(
        shown.contains("you have decided") && shown.contains(&command) && !shown.contains("waits for you"),
        "{shown}"
    );
    // An earlier version told it as broken off: that stays, and holds up no later time.
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let told = "UPDATE schedule_run SET outcome = 'interrupted'";
    assert_eq!(database.execute(told, []).unwrap(), 1);
    drop(database);
    assert_eq!(history(&desk)[0]["outcome"], "interrupted");
    assert_eq!(listed(&desk)[0]["waiting"], Value::Null);
    assert_eq!(desk.run(["workflow", "resume", id]).code, Some(0));
    assert_eq!(history(&desk)[0]["outcome"], "done");
    assert_eq!(listed(&desk)[0]["waiting"], Value::Null);
}

#[test]
fn it_is_changed_in_what_is_given_and_its_history_stays() {
    let desk = Desk::new();
    let before = add(&desk, &["Stand up", "--remind", "--every", "day at 8"]);
    assert_eq!(run(&desk, "1").0, Some(0));
    let change = |words: &[&str]| {
        let all = ["--json", "schedule", "change", "1"].iter().chain(words);
        desk.run(all.chain(&["--yes"]).copied())
    };
    let text = change(&["Sit down"]).json().pop().unwrap();
    assert_eq!(text["draft"]["task"]["text"], "Sit down");
    assert_eq!(text["next"], before["next"]);
    let time = change(&["--every", "day at 9"]).json().pop().unwrap();
    assert_eq!(time["time"]["expression"], "0 9 * * *");
    assert_eq!(time["draft"]["task"]["text"], "Sit down");
    assert_eq!(history(&desk).len(), 1);
    assert_eq!(change(&["--at", "someday"]).code, Some(2));
    assert_eq!(change(&["  "]).code, Some(2));
    assert_eq!(
        listed(&desk)[0]["draft"],
        time["draft"],
        "what was refused changed nothing"
    );
    let values = change(&["--set", "a=1"]);
    assert!(
        values.code == Some(2) && values.stderr.contains("takes no values"),
        "{values:?}"
    );
    let gone = desk.run(["schedule", "change", "7", "x", "--yes"]);
    assert!(gone.stderr.contains("no schedule 7"), "{gone:?}");
}

#[test]
fn a_file_that_changes_begins_it_and_what_its_own_run_writes_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("report.csv"), folder.path().join("other.csv"));
    let path = file.display().to_string();
    let writes = format!("```python\nawait files.write(\"{path}\", \"1,2,3\")\nprint(\"Seen.\")\n```");
    let server = ModelServer::start([Answer::Text(writes), Answer::Text("Seen.".into())]);
    let desk = Desk::with_model(&server.url());
    fs::write(&file, "1").unwrap();
    let folder = folder.path().display().to_string();
    let may = ["--folder", &folder, "--approve", "files.write"];
    let kept = add(
        &desk,
        &[&["What is new?", "--on-change", &path], &may[..]].concat(),
    );
    assert_eq!(
        (&kept["next"], &kept["time"]["path"]),
        (&Value::Null, &json!(path))
    );
    add(
        &desk,
        &["x", "--remind", "--on-change", &other.display().to_string()],
    );
    let mut watching = Watching::start(&desk);
    fs::write(&file, "1,2").unwrap();
    let done = watching.until(is("done"));
    assert!(done["finished"].is_string(), "{done}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "1,2,3");
    // Both files are looked at in turn, and this one is changed later.
    fs::write(&other, "1").unwrap();
    watching.until(|run| run["schedule"] == "2" && run["outcome"] == "done");
    watching.kill();
    let asked = server.requests()[0].to_string();
    assert!(
        asked.contains("What is new?") && asked.contains("report.csv has changed"),
        "{asked}"
    );
    let own = history(&desk).into_iter().filter(|run| run["schedule"] == "1");
    assert_eq!(own.count(), 1);
    let refused = desk.run([
        "schedule",
        "add",
        "x",
        "--when",
        "when report.csv changes",
        "--yes",
    ]);
    assert!(refused.stderr.contains("whole path"), "{refused:?}");
}

#[test]
fn a_background_job_that_ends_begins_it() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    add(&desk, &["It is built", "--remind", "--on-job", "echo BUILT"]);
    let mut watching = Watching::start(&desk);
    let folder = work(&desk).display().to_string();
    for command in ["echo other", "echo built"] {
        let program =
            format!("job = await shell.background(\"{command}\")\n(await shell.wait(job['id']))['state']");
        let exec = ["exec", "--json", "--session", command, "--folder", &folder, "-"];
        let ended = desk.run_with(exec, &program);
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    watching.until(is("done"));
    watching.kill();
    assert_eq!(history(&desk).len(), 1, "the other job is not meant");
}

#[test]
fn a_program_keeps_a_reminder_and_tells_when_it_comes() {
    let program = "kept = await schedule.remind(\"Tea is ready\", \"in 20 minutes\")\nprint(kept.data['next'])\n\
                   try:\n    await schedule.remind(\"x\", \"someday\")\nexcept ValueError as error:\n    print(error)\n\
                   print([one['text'] for one in (await schedule.list()).data])";
    let desk = Desk::new();
    let ran = desk.run_with(["exec", "--json", "-"], program);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("every workday at 8:30"),
        "it is told how times are said: {ran:?}"
    );
    let once_more = "print((await schedule.remind('Tea is ready', 'in 20 minutes')).data)";
    let again = desk.run_with(["exec", "--json", "-"], once_more);
    assert!(again.stdout.contains("kept already"), "{again:?}");
    assert_eq!(listed(&desk).len(), 1);
    let kept = &listed(&desk)[0];
    assert_eq!(
        kept["draft"]["task"],
        json!({"kind": "reminder", "text": "Tea is ready"})
    );
    assert!(kept["next"].is_string());
    let cancelled = desk.run_with(["exec", "--json", "-"], "await schedule.cancel(\"1\")");
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    let off = &listed(&desk)[0];
    assert_eq!((&off["on"], &off["next"]), (&json!(false), &Value::Null));
}

/// A `systemctl` that notes what it is asked.
fn with_systemctl(desk: &mut Desk) {
    let folder = desk.path("bin");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("systemctl");
    let notes = desk.path("asked").display().to_string();
    fs::write(&program, format!("#!/bin/sh\necho \"$@\" >> '{notes}'\n")).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    desk.set("PATH", &format!("{}:{path}", folder.display()));
    let config = desk.path("config").display().to_string();
    desk.set("XDG_CONFIG_HOME", &config);
}

#[test]
fn a_service_of_systemd_is_written_when_its_user_agrees_and_goes_again() {
    let mut desk = Desk::new();
    with_systemctl(&mut desk);
    let unit = desk.path("config/systemd/user/shidi-schedule.service");
    let unasked = desk.run(["schedule", "service", "install"]);
    assert_eq!(unasked.code, Some(2), "nobody is there to agree");
    assert!(
        unasked.stdout.contains("schedule watch") && !unit.exists(),
        "{unasked:?}"
    );
    let installed = desk.run(["schedule", "service", "install", "--yes"]);
    assert_eq!(installed.code, Some(0), "{installed:?}");
    match std::process::Command::new("systemd-analyze")
        .args(["--user", "verify"])
        .arg(&unit)
        .output()
    {
        Ok(checked) => {
            let said = String::from_utf8_lossy(&checked.stderr).into_owned();
            assert!(!said.contains("shidi-schedule"), "{said}");
        }
        Err(_) => println!("NOT RUN: systemd-analyze is not here to check the unit"),
    }
    assert_eq!(desk.run(["schedule", "service", "remove", "--yes"]).code, Some(0));
    assert!(!unit.exists());
    let asked = fs::read_to_string(desk.path("asked")).unwrap();
    assert_eq!(
        asked.lines().collect::<Vec<_>>(),
        [
            "--user show-environment",
            "--user daemon-reload",
            "--user enable shidi-schedule.service",
            "--user restart shidi-schedule.service",
            "--user disable --now shidi-schedule.service",
            "--user daemon-reload",
        ]
    );
}
