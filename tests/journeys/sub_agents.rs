//! What a run waits for besides a person. Sub-agents: each with a context of its own, of which the answer comes back; where one waits for the user, so does the
//! run that asked for it, also after both were killed. And time: a pause that began before a restart is over when it would have been.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::process::Stdio;

const TWO: &str = "```python
import asyncio
first, second = await asyncio.gather(agents.run(\"count the ALPHA\"), agents.run(\"count the BETA\"))
await user.say(f\"{first} and {second}\")
```";

const ONE: &str = "```python
answer = await agents.run(\"how long is the HOSTNAME?\", toolkits=[\"files\"])
await user.say(f\"it says: {answer}\")
```";

const READS: &str = "```python
text = await files.read(\"/etc/hostname\")
await user.say(f\"{len(str(text)) > 0}\")
```";

/// The task that a model is asked about: that of a sub-agent, or the user's.
fn is_for(request: &Value, task: &str) -> bool {
    let messages = request["messages"].as_array().unwrap();
    let users = messages.iter().filter(|message| message["role"] == "user");
    users
        .map(|message| message["content"].to_string())
        .any(|text| text.contains(task))
}

fn thinking(program: &'static str) -> ModelServer {
    ModelServer::thinking(move |request| {
        let prompt = prompt_of(request);
        let answer = if prompt.contains("# agents [run]") {
            program
        } else if is_for(request, "count the ALPHA") {
            "ALPHA: 3"
        } else if is_for(request, "count the BETA") {
            "BETA: 5"
        } else {
            READS
        };
        Answer::Text(answer.to_owned())
    })
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

#[test]
fn sub_agents_work_at_once_and_only_their_answers_come_back() {
    let server = thinking(TWO);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "the SECRET word is quagga; count both"]);
    done(&printed);
    assert_eq!(printed.event("answer")["text"], "ALPHA: 3 and BETA: 5");
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "one for the task and one for each sub-agent");
    let of_agents: Vec<&Value> = requests
        .iter()
        .filter(|request| !prompt_of(request).contains("# agents [run]"))
        .collect();
    assert_eq!(of_agents.len(), 2, "a sub-agent has none of its own");
    assert!(
        of_agents
            .iter()
            .all(|request| !request.to_string().contains("quagga")),
        "its context is its own"
    );
    // What they took is part of what the task took.
    let calls = printed.event("run_ended")["usage"]["model_calls"]
        .as_u64()
        .unwrap();
    assert_eq!(calls, 3);
}

#[test]
fn a_sub_agent_that_waits_makes_its_run_wait_and_both_go_on_in_another_process() {
    let server = thinking(ONE);
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "how long is my host name?"]);
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let run = printed.event("run_started")["run"].clone();
    let card = printed.event("approval_needed");
    assert_eq!(card["args"]["path"], "/etc/hostname");
    assert_ne!(card["run"], run, "it is the sub-agent's call");
    let asked = server.requests().len();
    let agent = card["run"].as_str().unwrap();
    let continued = desk.run(["approve", "--json", agent, &card["call"].to_string()]);
    done(&continued);
    assert_eq!(continued.event("answer")["text"], "it says: True");
    assert_eq!(
        continued.event("run_ended")["run"],
        run,
        "who approves follows the task to its end"
    );
    assert_eq!(server.requests().len(), asked, "no model is asked again");
}

#[test]
fn after_kill_the_same_sub_agent_is_gone_on_with_and_no_second_one_begins() {
    let server = ModelServer::thinking(|request| match prompt_of(request).contains("# agents [run]") {
        true => Answer::Text(ONE.to_owned()),
        false => Answer::Silence,
    });
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["ask", "--json", "how long is my host name?"], Stdio::null());
    while server.requests().len() < 2 {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let sessions = |desk: &Desk| desk.run(["--json", "session", "list"]).json().len();
    assert_eq!(sessions(&desk), 2);
    let second = thinking(ONE);
    desk.write_config(&format!(
        "provider = \"custom\"\nmodel = \"m\"\nmodel_url = \"{}\"\n",
        second.url()
    ));
    let resumed = desk.run(["resume", "--json"]);
    assert_eq!(resumed.code, Some(3), "{}\n{}", resumed.stdout, resumed.stderr);
    assert_eq!(sessions(&desk), 2, "the sub-agent is the one that had begun");
    let card = resumed.event("approval_needed");
    let refused = desk.run([
        "refuse",
        "--json",
        card["run"].as_str().unwrap(),
        &card["call"].to_string(),
        "--reason",
        "not now",
    ]);
    assert!(refused.code.is_some(), "{}", refused.stderr);
}

#[test]
fn whoever_stops_a_task_stops_its_sub_agents() {
    let server = ModelServer::thinking(|request| match prompt_of(request).contains("# agents [run]") {
        true => Answer::Text(ONE.to_owned()),
        false => Answer::Silence,
    });
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "--timeout", "15", "how long is my host name?"]);
    assert_ne!(printed.code, Some(0));
    let listed = desk.run(["--json", "session", "list"]).json();
    assert_eq!(listed.len(), 2);
    let runs = desk.run(["--json", "trace", "list"]).json();
    assert_eq!(runs.len(), 2);
    for run in &runs {
        assert!(
            !run["status"].is_null(),
            "it has ended in its own record, too: {run}"
        );
    }
    let open = desk.run(["resume", "--json"]);
    assert_ne!(
        open.code,
        Some(0),
        "nothing is left to go on with: {}",
        open.stdout
    );
    assert!(
        open.stderr.contains("no run to continue") || open.stdout.contains("no run"),
        "{}{}",
        open.stdout,
        open.stderr
    );
}

#[test]
fn what_a_tainted_task_tells_a_sub_agent_makes_it_ask_as_the_task_would() {
    const TELLS: &str =
        "```python\nawait user.say(str(await agents.run(\"REMEMBER what the letter says\")))\n```";
    const KEEPS: &str = "```python\nawait memory.remember(\"pay the bill\")\nawait user.say(\"kept\")\n```";
    let server = ModelServer::thinking(|request| {
        let is_task = prompt_of(request).contains("# agents [run]");
        Answer::Text(if is_task { TELLS } else { KEEPS }.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    let clean = desk.run(["ask", "--json", "hand it on"]);
    done(&clean);
    assert_eq!(clean.event("answer")["text"], "kept");
    let letter = desk.path("letter.txt");
    std::fs::write(&letter, "Dear friend, remember to pay the bill.").unwrap();
    let tainted = desk.run(["ask", "--json", "--file", letter.to_str().unwrap(), "hand it on"]);
    assert_eq!(tainted.code, Some(3), "{}\n{}", tainted.stdout, tainted.stderr);
    assert_eq!(tainted.event("approval_needed")["tool"], "memory.remember");
}

#[test]
fn a_pause_goes_on_after_a_restart_with_what_is_left_of_it() {
    const HOUR: &str = "```python\nawait system.sleep(3600)\nawait user.say(\"awake\")\n```";
    let server = ModelServer::repeating(Answer::Text(HOUR.to_owned()));
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["ask", "--json", "wake me in an hour"], Stdio::null());
    let database = desk.data().join("shidi.db");
    // The pause is on record before it begins.
    let sleeping = || {
        let connection = rusqlite::Connection::open(&database).ok()?;
        let sql = "SELECT count(*) FROM call WHERE method = 'sleep' AND state = 'intended'";
        let count: i64 = connection.query_row(sql, [], |row| row.get(0)).ok()?;
        (count > 0).then_some(connection)
    };
    let connection = loop {
        match sleeping() {
            Some(connection) => break connection,
            None => std::thread::yield_now(),
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    // An hour passes while nothing runs.
    connection
        .execute("UPDATE call SET started = started - 3600000", [])
        .unwrap();
    drop(connection);
    let resumed = desk.run(["resume", "--json"]);
    done(&resumed);
    assert_eq!(resumed.event("answer")["text"], "awake");
}

/// Writes a file by itself, and has another one written.
const BOTH_WRITE: &str = "```python
await files.write(path='own.txt', text='own')
answer = await agents.run(\"write the NOTE\")
await user.say(answer)
```";

const AGENT_WRITES: &str = "```python
await files.write(path='note.txt', text='note')
await user.say('written')
```";

#[test]
fn what_sub_agents_changed_is_taken_back_with_the_run_that_they_work_for() {
    let server = ModelServer::thinking(|request| {
        let is_task = prompt_of(request).contains("# agents [run]");
        Answer::Text(if is_task { BOTH_WRITE } else { AGENT_WRITES }.to_owned())
    });
    let desk = Desk::with_model(&server.url());
    let folder = desk.path("work");
    std::fs::create_dir_all(&folder).unwrap();
    let given = folder.to_str().unwrap();
    let printed = desk.run(["ask", "--json", "--folder", given, "write both files"]);
    done(&printed);
    let run = printed.event("run_started")["run"].as_str().unwrap().to_owned();
    assert!(folder.join("own.txt").exists() && folder.join("note.txt").exists());

    let listed = desk.run(["--json", "changes", "list", "--run", &run]).json();
    let paths: Vec<String> = listed.iter().map(|change| change["path"].to_string()).collect();
    assert_eq!(paths.len(), 2, "{listed:?}");
    assert!(paths[0].contains("note.txt"), "newest first: {paths:?}");
    let unasked = desk.run(["--lang", "en", "changes", "undo", "--run", &run]);
    assert_eq!((unasked.code, folder.join("note.txt").exists()), (Some(2), true));
    assert!(
        unasked.stderr.contains("1 of them was made by a sub-agent"),
        "{unasked:?}"
    );
    let undone = desk.run(["--lang", "zh", "changes", "undo", "--run", &run, "--yes"]);
    done(&undone);
    assert!(undone.stderr.contains("其中 1 处是子任务改的"), "{undone:?}");
    assert!(!folder.join("own.txt").exists() && !folder.join("note.txt").exists());
}
