//! Schedules: kept after their dates were shown, done once whatever happens, and never more than they may.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// News that do not come within that time never come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that does what is due, and tells of it.
pub struct Watching {
    child: Child,
    news: Receiver<Value>,
}

impl Watching {
    /// Returns when it does what is due, or waits for the process that has the data folder.
    pub fn start(desk: &Desk) -> Self {
        let mut child = desk.spawn(["schedule", "watch", "--json"], Stdio::null());
        let mut said = String::new();
        let notes = child.stderr.as_mut().unwrap();
        BufReader::new(notes).read_line(&mut said).unwrap();
        assert!(said.contains("Ctrl-C"), "{said}");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, news) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if sender.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, news }
    }

    /// The first news of which that holds.
    pub fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let run = self.news.recv_timeout(PATIENCE).unwrap();
            if holds(&run) {
                return run;
            }
        }
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub fn is(outcome: &str) -> impl Fn(&Value) -> bool {
    move |run| run["outcome"] == outcome
}

pub fn history(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "schedule", "history"]).json()
}

pub fn add(desk: &Desk, words: &[&str]) -> Value {
    let mut command = vec!["--json", "schedule", "add"];
    command.extend(words);
    command.push("--yes");
    let printed = desk.run(command);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    printed.json().pop().unwrap()
}

#[test]
fn a_reminder_is_told_at_its_time_once_with_its_four_records() {
    let desk = Desk::new();
    add(&desk, &["Tea is ready", "--remind", "--at", "in 2 seconds"]);
    let mut watching = Watching::start(&desk);
    let done = watching.until(is("done"));
    for record in ["due", "dispatched", "started", "finished"] {
        assert!(done[record].is_string(), "{done}");
    }
    watching.kill();
    assert_eq!(history(&desk).len(), 1);
    let listed = desk.run(["--json", "schedule", "list"]).json();
    assert_eq!(listed[0]["next"], Value::Null);
    assert_eq!(listed[0]["last"], done["finished"]);
    let again = Watching::start(&desk);
    let removed = desk.run(["schedule", "remove", "1", "--yes"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    again.kill();
    assert!(history(&desk).is_empty(), "nothing of it is left");
}

#[test]
fn somebody_who_watches_holds_up_no_other_command_and_takes_over_when_it_ends() {
    let slow = Answer::Slow {
        text: "word ".repeat(40),
        pause: Duration::from_millis(50),
    };
    let server = ModelServer::start([slow]);
    let desk = Desk::with_model(&server.url());
    add(&desk, &["Tea is ready", "--remind", "--at", "in 1 second"]);
    let mut asking = desk.spawn(["ask", "--json", "Tell me a story"], Stdio::null());
    let end = Instant::now() + PATIENCE;
    while server.requests().is_empty() {
        assert!(Instant::now() < end, "the model is asked");
        std::thread::yield_now();
    }
    let mut watching = Watching::start(&desk);
    let mut told = String::new();
    std::io::Read::read_to_string(&mut asking.stdout.take().unwrap(), &mut told).unwrap();
    assert!(asking.wait().unwrap().success(), "{told}");
    watching.until(is("done"));
    watching.kill();
}

/// As if an interval had been kept two hours ago.
fn keep_two_hours_ago(desk: &Desk) {
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let earlier = "UPDATE schedule SET next = next - 7200000,
                   time = json_set(time, '$.from', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-2 hours'))";
    assert_eq!(database.execute(earlier, []).unwrap(), 1);
}

#[test]
fn what_nobody_was_there_for_is_made_up_for_once() {
    let desk = Desk::new();
    add(&desk, &["Stand up", "--remind", "--every", "minute"]);
    keep_two_hours_ago(&desk);
    let mut watching = Watching::start(&desk);
    let done = watching.until(is("done"));
    assert!((118..=121).contains(&done["missed"].as_u64().unwrap()), "{done}");
    watching.kill();
    assert_eq!(history(&desk).len(), 1, "no burst");
}

#[test]
fn a_question_asks_before_anything_that_its_list_does_not_name() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    add(&desk, &["how long is my host name?", "--every", "day at 8"]);
    let run = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    let waiting = run.json().pop().unwrap();
    assert_eq!(waiting["outcome"], "waiting");
    assert_eq!(waiting["finished"], Value::Null);
    let listed = desk.run(["--json", "schedule", "list"]).json();
    assert_eq!(listed[0]["last"], Value::Null, "it is not finished");
    let id = waiting["run"].as_str().unwrap();
    let approved = desk.run(["resume", "--json", id]);
    let call = approved.event("approval_needed")["call"].to_string();
    assert_eq!(desk.run(["approve", "--json", id, &call]).code, Some(0));
    let settled = &history(&desk)[0];
    assert_eq!(settled["outcome"], "done", "{settled}");
    assert!(settled["finished"].is_string());
    assert_eq!(settled["session"], waiting["session"]);
}

#[test]
fn a_question_does_what_its_list_names_without_asking() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let family = "files.read(path=/etc/*)";
    add(
        &desk,
        &[
            "how long is my host name?",
            "--at",
            "tomorrow at 8",
            "--approve",
            family,
        ],
    );
    let run = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let listed = desk.run(["--json", "schedule", "list"]).json();
    assert!(
        listed[0]["next"].is_string(),
        "running it now leaves its own time alone"
    );
}

#[test]
fn what_was_begun_when_the_program_was_killed_is_shown_and_not_begun_again() {
    let story = Answer::Slow {
        text: "word ".repeat(400),
        pause: Duration::from_millis(50),
    };
    let server = ModelServer::start([story, Answer::Text("The end.".into())]);
    let desk = Desk::with_model(&server.url());
    add(&desk, &["Tell me a story", "--at", "in 1 second"]);
    let mut watching = Watching::start(&desk);
    let started = watching.until(|run| run["started"].is_string());
    let end = Instant::now() + PATIENCE;
    while server.requests().is_empty() {
        assert!(Instant::now() < end, "the model is asked");
        std::thread::yield_now();
    }
    watching.kill();
    let mut watching = Watching::start(&desk);
    watching.until(is("interrupted"));
    watching.kill();
    let broken_off = history(&desk);
    assert_eq!(broken_off.len(), 1, "{broken_off:?}");
    assert_eq!(broken_off[0]["finished"], Value::Null);
    assert_eq!(server.requests().len(), 1, "nobody asked again");
    let resumed = desk.run(["resume", "--json", started["run"].as_str().unwrap()]);
    assert_eq!(resumed.event("answer")["text"], "The end.");
    assert_eq!(history(&desk)[0]["outcome"], "done");
}

#[test]
fn a_pause_lets_times_go_by_and_going_on_makes_up_for_none() {
    let desk = Desk::new();
    add(&desk, &["Stand up", "--remind", "--every", "20 minutes"]);
    let paused = desk
        .run(["--json", "schedule", "pause", "1"])
        .json()
        .pop()
        .unwrap();
    assert_eq!(
        (&paused["on"], &paused["next"]),
        (&Value::Bool(false), &Value::Null)
    );
    let on = desk
        .run(["--json", "schedule", "resume", "1"])
        .json()
        .pop()
        .unwrap();
    assert!(on["next"].is_string());
    assert!(history(&desk).is_empty());
}

#[test]
fn what_is_no_time_is_refused_with_an_example_in_the_users_language() {
    let mut desk = Desk::new();
    let refused = desk.run(["schedule", "add", "x", "--when", "whenever", "--yes"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("every workday at 8:30"), "{refused:?}");
    let past = desk.run(["schedule", "add", "x", "--at", "today at 0:00", "--yes"]);
    assert!(past.stderr.contains("has passed"), "{past:?}");
    let empty = desk.run(["schedule", "add", " ", "--at", "in 1 hour", "--yes"]);
    assert_eq!(empty.code, Some(2), "{empty:?}");
    let none = desk.run([
        "schedule",
        "add",
        "--workflow",
        "nosuch",
        "--at",
        "in 1 hour",
        "--yes",
    ]);
    assert_ne!(none.code, Some(0), "{none:?}");
    let missing = desk.run(["schedule", "pause", "7"]);
    assert!(missing.stderr.contains("no schedule 7"), "{missing:?}");
    desk.set("LANG", "zh_CN.UTF-8");
    let chinese = desk.run(["schedule", "add", "x", "--when", "随便", "--yes"]);
    assert!(chinese.stderr.contains("每个工作日 8:30"), "{chinese:?}");
    let dated = desk.run([
        "schedule",
        "add",
        "开会",
        "--remind",
        "--every",
        "工作日九点半",
        "--yes",
    ]);
    assert!(dated.stdout.contains("09:30"), "{dated:?}");
}

/// The reasons of skipped times as they are kept.
fn kept_reasons(desk: &Desk) -> Vec<Option<String>> {
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    let sql = "SELECT reason FROM schedule_run WHERE outcome = 'missed' ORDER BY number";
    let mut rows = database.prepare(sql).unwrap();
    let reasons = rows.query_map([], |row| row.get(0)).unwrap();
    reasons.map(Result::unwrap).collect()
}

#[test]
fn no_time_piles_up_behind_one_that_waits_for_its_user_and_each_says_why() {
    let server = ModelServer::start([reply("read_hosts")]);
    let mut desk = Desk::with_model(&server.url());
    add(&desk, &["how long is my host name?", "--every", "minute"]);
    assert_eq!(desk.run(["schedule", "run", "1"]).code, Some(3));
    keep_two_hours_ago(&desk);
    let mut watching = Watching::start(&desk);
    let missed = watching.until(is("missed"));
    watching.kill();
    assert_eq!(server.requests().len(), 1, "it is not asked behind its own card");
    assert_eq!(
        missed["reason"], "The run before it was waiting for you",
        "{missed}"
    );
    assert_eq!(missed["dispatched"], Value::Null);
    assert_eq!(kept_reasons(&desk), [Some("waiting".to_owned())]);
    let shown = desk.run(["schedule", "history"]);
    assert!(
        shown.stdout.contains("skipped") && shown.stdout.contains("shidi resume "),
        "what waits names its next step: {shown:?}"
    );
    assert!(
        shown.stdout.contains("was waiting for you") && !shown.stdout.contains("makes up"),
        "{shown:?}"
    );
    desk.set("LANG", "zh_CN.UTF-8");
    let chinese = desk.run(["schedule", "history"]);
    assert!(chinese.stdout.contains("上一次还在等你决定"), "{chinese:?}");
    // An earlier version kept no reason.
    let database = rusqlite::Connection::open(desk.data().join("shidi.db")).unwrap();
    database
        .execute(
            "UPDATE schedule_run SET reason = NULL WHERE outcome = 'missed'",
            [],
        )
        .unwrap();
    drop(database);
    let old = history(&desk).into_iter().find(is("missed")).unwrap();
    assert_eq!(old["reason"], Value::Null);
}

#[test]
fn no_time_begins_while_the_one_before_it_is_at_work_and_it_says_so() {
    let story = Answer::Slow {
        text: "word ".repeat(1_200),
        pause: Duration::from_millis(50),
    };
    let server = ModelServer::start([story]);
    let desk = Desk::with_model(&server.url());
    add(&desk, &["Tell me a story", "--every", "minute"]);
    keep_two_hours_ago(&desk);
    let mut watching = Watching::start(&desk);
    watching.until(|run| run["started"].is_string());
    keep_two_hours_ago(&desk);
    let missed = watching.until(is("missed"));
    watching.kill();
    assert_eq!(
        missed["reason"], "The run before it was still at work",
        "{missed}"
    );
    let kept = kept_reasons(&desk);
    assert!(
        kept.iter().all(|reason| reason.as_deref() == Some("at_work")),
        "{kept:?}"
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn what_is_not_made_up_for_has_a_record_of_its_own_beside_the_one_that_is_kept() {
    let desk = Desk::new();
    add(
        &desk,
        &["Stand up", "--remind", "--every", "minute", "--skip-missed"],
    );
    keep_two_hours_ago(&desk);
    let mut watching = Watching::start(&desk);
    let missed = watching.until(is("missed"));
    let done = watching.until(is("done"));
    watching.kill();
    let reason = missed["reason"].as_str().unwrap();
    assert!(reason.contains("more than 5 minutes late"), "{missed}");
    let times = |run: &Value| run["missed"].as_u64().unwrap() + 1;
    assert!(times(&done) <= 6, "no more than five minutes: {done}");
    assert!(
        (118..=122).contains(&(times(&missed) + times(&done))),
        "{missed} {done}"
    );
    assert_eq!(kept_reasons(&desk), [Some("not_made_up".to_owned())]);
    assert_eq!(history(&desk).len(), 2);
}

#[test]
fn a_question_that_needs_a_model_fails_where_there_is_none_and_says_how_to_set_one_up() {
    let desk = Desk::new();
    add(&desk, &["write me a poem about autumn", "--every", "day at 8"]);
    add(&desk, &["12*37+5", "--every", "day at 8"]);
    let run = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let failed = run.json().pop().unwrap();
    assert_eq!(failed["outcome"], "failed", "{failed}");
    assert!(failed["finished"].is_string() && failed["session"].is_string());
    let reason = failed["reason"].as_str().unwrap();
    assert!(
        reason.contains("needs a language model") && reason.contains("shidi config set provider"),
        "{reason}"
    );
    let run = desk.run(["--json", "schedule", "run", "2"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let done = run.json().pop().unwrap();
    assert_eq!(
        (&done["outcome"], &done["reason"]),
        (&"done".into(), &Value::Null)
    );
    let outcomes: Vec<Value> = history(&desk).iter().map(|run| run["outcome"].clone()).collect();
    assert_eq!(outcomes, ["done", "failed"]);
}

#[test]
fn a_workflow_runs_at_its_time_and_its_number_never_comes_again() {
    let desk = Desk::new();
    let workflow = [
        "--workflow",
        "refund-approval",
        "--set",
        "order_id=1",
        "--cron",
        "0 9 * * 1",
    ];
    add(&desk, &workflow);
    let run = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let done = run.json().pop().unwrap();
    let id = done["run"].as_str().unwrap();
    let shown = desk.run(["--json", "workflow", "runs", id]).json().pop().unwrap();
    assert_eq!(
        (&shown["name"], &shown["status"]),
        (&"refund-approval".into(), &"done".into()),
        "{shown}"
    );
    assert_eq!(desk.run(["schedule", "remove", "1", "--yes"]).code, Some(0));
    assert_eq!(add(&desk, &workflow)["id"], "2");
}
