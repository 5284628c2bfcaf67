//! Background jobs from their beginning to whoever is told of their end: with real processes, kills and restarts.

use crate::shell::{ask, programs, work};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Works until it is told to end, and leaves a mark for each time it was begun.
const UNTIL_GO: &str = "echo x >> starts; until [ -e go ]; do sleep 0.05; done; echo went; exit 3";

/// Longest wait for what other processes do, and how often it is looked for.
const WAITED_MOST: Duration = Duration::from_secs(60);
const LOOKED_EVERY: Duration = Duration::from_millis(10);

const WAITS: &str = "job = await shell.background(\"COMMAND\")
r = await shell.wait(job[\"id\"])
await user.say(f\"{r['state']} {r['exit_code']} {r['output'].strip()}\")";

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

fn waits() -> ModelServer {
    programs(&[&WAITS.replace("COMMAND", UNTIL_GO)])
}

fn begun(desk: &Desk) -> Child {
    let folder = work(desk).display().to_string();
    let child = desk.spawn(["ask", "--json", "--folder", &folder, "build it"], Stdio::null());
    until(|| waiting(desk));
    child
}

/// A desk whose program waits for a job; `None` where commands can't be confined.
fn waiting_desk() -> Option<(Desk, ModelServer, Child)> {
    let server = waits();
    let desk = Desk::with_model(&server.url());
    desk.can_confine().then(|| {
        let child = begun(&desk);
        (desk, server, child)
    })
}

/// The same after kill -9 of the program.
fn killed_desk() -> Option<(Desk, ModelServer)> {
    let (desk, server, mut child) = waiting_desk()?;
    child.kill().unwrap();
    child.wait().unwrap();
    Some((desk, server))
}

/// Whether a call is on record that waits for a job.
fn waiting(desk: &Desk) -> bool {
    let count = || {
        let connection = rusqlite::Connection::open(desk.data().join("shidi.db")).ok()?;
        let sql = "SELECT count(*) FROM call WHERE method = 'wait' AND state = 'intended'";
        connection.query_row(sql, [], |row| row.get::<_, i64>(0)).ok()
    };
    count().is_some_and(|count| count > 0)
}

pub fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < WAITED_MOST, "it never came to it");
        std::thread::sleep(LOOKED_EVERY);
    }
}

fn go(desk: &Desk) {
    std::fs::write(work(desk).join("go"), "").unwrap();
}

fn jobs(desk: &Desk) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(desk.data().join("jobs"));
    entries.map_or_else(
        |_| Vec::new(),
        |entries| entries.flatten().map(|entry| entry.path()).collect(),
    )
}

fn ended(desk: &Desk) -> String {
    let jobs = jobs(desk);
    std::fs::read_to_string(jobs[0].join("ended.json")).unwrap_or_default()
}

fn has_ended(desk: &Desk) -> bool {
    !ended(desk).is_empty()
}

fn starts(desk: &Desk) -> usize {
    std::fs::read_to_string(work(desk).join("starts"))
        .unwrap_or_default()
        .lines()
        .count()
}

/// The process that supervises this desk's job.
pub fn supervisor(desk: &Desk) -> Option<u32> {
    let mark = desk.data().join("jobs").display().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let mut found = entries.filter_map(|entry| {
        let told = std::fs::read(entry.path().join("cmdline")).ok()?;
        let told = String::from_utf8_lossy(&told).into_owned();
        let is_it = told.contains("--supervise-job") && told.contains(&mark);
        is_it.then(|| entry.file_name().to_str()?.parse().ok()).flatten()
    });
    found.next()
}

#[test]
fn several_jobs_are_waited_for_at_once_and_their_outcomes_come_back() {
    let server = programs(&[
        "import asyncio
one, two = await asyncio.gather(shell.background(\"echo one; exit 2\"), shell.background(\"echo two >&2\"))
one, two = await asyncio.gather(shell.wait(one[\"id\"]), shell.wait(two[\"id\"], timeout=60))
await user.say(f\"{one['exit_code']} {one['output'].strip()}, {two['exit_code']} {two['output'].strip()}\")",
    ]);
    let desk = Desk::with_model(&server.url());
    if !desk.can_confine() {
        return;
    }
    let printed = ask(&desk, &["build both"]);
    done(&printed);
    assert_eq!(printed.event("answer")["text"], "2 one, 0 two");
    let news = printed
        .json()
        .into_iter()
        .filter(|event| event["type"] == "notification");
    assert_eq!(news.count(), 0, "whoever waited knows");
}

#[test]
fn after_kill_the_same_job_is_waited_for_and_gives_its_own_outcome() {
    let Some((desk, _server)) = killed_desk() else {
        return;
    };
    assert!(
        !has_ended(&desk) && supervisor(&desk).is_some(),
        "it goes on without the program"
    );
    go(&desk);
    until(|| has_ended(&desk));
    let resumed = desk.run(["resume", "--json"]);
    done(&resumed);
    assert_eq!(resumed.event("answer")["text"], "ended 3 went");
    assert_eq!((starts(&desk), jobs(&desk).len()), (1, 1), "it was begun once");
}

#[test]
fn a_job_that_is_still_at_work_after_a_restart_is_waited_for_there() {
    let Some((desk, _server)) = killed_desk() else {
        return;
    };
    let resumed = desk.spawn(["resume", "--json"], Stdio::null());
    go(&desk);
    let resumed = Printed::of(resumed.wait_with_output().unwrap());
    done(&resumed);
    assert_eq!(resumed.event("answer")["text"], "ended 3 went");
}

#[test]
fn a_job_outlives_its_question_and_the_next_one_is_told_once_that_it_has_ended() {
    let begins = format!("job = await shell.background(\"{UNTIL_GO}\")\nawait user.say(job[\"id\"])");
    let server = programs(&[&begins]);
    let desk = Desk::with_model(&server.url());
    if !desk.can_confine() {
        return;
    }
    let first = ask(&desk, &["build it"]);
    done(&first);
    let id = first.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(
        supervisor(&desk).is_some(),
        "the end of the program is not its end"
    );
    go(&desk);
    until(|| has_ended(&desk) && supervisor(&desk).is_none());
    let second = ask(&desk, &["--session", "last", "and now?"]);
    done(&second);
    let told = second.event("notification");
    assert_eq!(told["source"], "job");
    let text = told["text"].as_str().unwrap();
    assert!(text.contains(&id) && text.contains("exit code 3"), "{text}");
    assert!(server.last_prompt().contains(&id), "the model reads it, too");
    server.add([Answer::Text("Yes.".to_owned())]);
    let third = ask(&desk, &["--session", "last", "sure?"]);
    done(&third);
    assert!(
        third.json().iter().all(|event| event["type"] != "notification"),
        "{}",
        third.stdout
    );
}

#[test]
fn a_task_at_work_is_told_before_its_next_step_that_a_job_has_ended() {
    let desk_data = std::sync::Arc::new(parking_lot::Mutex::new(None::<PathBuf>));
    let known = std::sync::Arc::clone(&desk_data);
    let mut asked = 0;
    let server = ModelServer::thinking(move |_| {
        asked += 1;
        let ended = || {
            let data = known.lock().clone().unwrap();
            let mut jobs = std::fs::read_dir(data.join("jobs")).unwrap().flatten();
            jobs.any(|job| job.path().join("ended.json").exists())
        };
        let program = match asked {
            1 => "print(await shell.background(\"echo built\"))",
            2 => {
                until(ended);
                "print(1)"
            }
            _ => return Answer::Text("Done.".to_owned()),
        };
        Answer::Text(format!("```python\n{program}\n```"))
    });
    let desk = Desk::with_model(&server.url());
    *desk_data.lock() = Some(desk.data());
    if !desk.can_confine() {
        return;
    }
    let printed = ask(&desk, &["build it"]);
    done(&printed);
    let news = printed
        .json()
        .into_iter()
        .filter(|event| event["type"] == "notification");
    assert_eq!(news.count(), 1, "{}", printed.stdout);
    assert!(
        server.last_prompt().contains("exit code 0"),
        "{}",
        server.last_prompt()
    );
}

#[test]
fn whoever_stops_a_task_ends_its_jobs() {
    let Some((desk, _server, child)) = waiting_desk() else {
        return;
    };
    let open = desk.run(["--json", "trace", "list"]).json();
    let run = open[0]["run"].as_str().unwrap().to_owned();
    done(&desk.run(["cancel", &run]));
    let printed = Printed::of(child.wait_with_output().unwrap());
    assert_eq!(printed.code, Some(130), "{}\n{}", printed.stdout, printed.stderr);
    until(|| has_ended(&desk));
    assert!(ended(&desk).contains("stopped"), "{}", ended(&desk));
}

#[test]
fn a_job_is_ended_by_its_session_alone_and_erased_with_it() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    let folder = work(&desk).display().to_string();
    let exec = |session: &str, program: &str| {
        let printed = desk.run_with(
            ["exec", "--json", "--session", session, "--folder", &folder, "-"],
            program,
        );
        printed.json()[0].clone()
    };
    let id = exec("one", &format!("(await shell.background(\"{UNTIL_GO}\"))['id']"))["value"].clone();
    let id = id.as_str().unwrap();
    let of = |method: &str| format!("(await shell.{method}('{id}'))['state']");
    assert_eq!(exec("one", &of("status"))["value"], "running");
    assert_eq!(exec("two", &of("kill"))["error"]["type"], "KeyError");
    assert_eq!(
        exec("two", "await shell.status('../one')")["error"]["type"],
        "KeyError"
    );
    // Nothing of it is kept in a variable: what is told of a job is a stranger's text, and would mark the session.
    assert_eq!(
        exec("one", &format!("(await shell.kill('{id}'))['ended']"))["value"],
        "stopped"
    );
    exec("one", &format!("await shell.background(\"{UNTIL_GO}\")"));
    assert!(supervisor(&desk).is_some() && jobs(&desk).len() == 2);
    done(&desk.run(["session", "delete", "one"]));
    assert_eq!(jobs(&desk), Vec::<PathBuf>::new(), "nothing is left of it");
    until(|| supervisor(&desk).is_none());
}

#[test]
fn a_job_whose_supervisor_was_killed_is_lost_and_ends_with_it() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    let folder = work(&desk).display().to_string();
    let exec = |program: &str| {
        let printed = desk.run_with(
            ["exec", "--json", "--session", "one", "--folder", &folder, "-"],
            program,
        );
        printed.json()[0]["value"].clone()
    };
    let id = exec(&format!(
        "(await shell.background(\"echo begun; {UNTIL_GO}\"))['id']"
    ));
    let id = id.as_str().unwrap();
    until(|| starts(&desk) == 1);
    let process = supervisor(&desk).unwrap().to_string();
    assert!(
        Command::new("kill")
            .args(["-9", &process])
            .status()
            .unwrap()
            .success()
    );
    until(|| supervisor(&desk).is_none());
    let told = exec(&format!(
        "r = await shell.wait('{id}')\n[r['state'], r['exit_code'], r['output'].strip()]"
    ));
    assert_eq!(told, serde_json::json!(["lost", null, "begun"]));
}

#[test]
fn too_many_jobs_are_refused_in_one_sentence() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    let folder = work(&desk).display().to_string();
    let begin = format!("await shell.background(\"{UNTIL_GO}\")");
    let many = format!("for one in range(5):\n    {begin}");
    let many = desk.run_with(
        ["exec", "--json", "--session", "one", "--folder", &folder, "-"],
        &many,
    );
    let told = many.json()[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("at most 4") && jobs(&desk).len() == 4, "{told}");
    go(&desk);
    until(|| supervisor(&desk).is_none());
}

#[test]
fn a_job_of_a_program_that_names_no_session_belongs_to_the_one_that_the_program_began() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    let folder = work(&desk).display().to_string();
    let begin = format!("(await shell.background(\"{UNTIL_GO}\"))['id']");
    let begun = desk
        .run_with(["exec", "--json", "--folder", &folder, "-"], &begin)
        .json()[0]
        .clone();
    let (job, session) = (
        begun["value"].as_str().unwrap(),
        begun["session"].as_str().unwrap(),
    );
    let status = format!("(await shell.status('{job}'))['state']");
    let told = desk.run_with(["exec", "--json", "--session", session, "-"], &status);
    assert_eq!(told.json()[0]["value"], "running", "{}", told.stdout);
    go(&desk);
    until(|| supervisor(&desk).is_none());
}
