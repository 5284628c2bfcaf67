//! The toolkit `schedule`: a task that a program keeps has the permissions that its user approved with the call, and no others.

use crate::schedules::{history, is};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};

const FAMILY: &str = "files.read(path=/etc/*)";

/// A program that keeps a task which may read files below `/etc`.
fn keeps_a_task() -> Answer {
    let program = format!(
        "kept = await schedule.task(\"how long is my host name?\", \"every day at 8, New York time\", approve=[\"{FAMILY}\"])\n\
         shown = (await schedule.list()).data[0]\n\
         await user.say(text=\"kept \" + kept.data[\"id\"] + \": \" + shown[\"next\"])"
    );
    Answer::Text(format!("```python\n{program}\n```"))
}

fn listed(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "schedule", "list"]).json()
}

fn run_and_call(asked: &Printed) -> (String, String) {
    let run = asked.event("run_started")["run"].as_str().unwrap().to_owned();
    (run, asked.event("approval_needed")["call"].to_string())
}

#[test]
fn a_task_of_a_program_has_the_list_that_its_user_approved_and_then_runs_by_itself() {
    let server = ModelServer::start([keeps_a_task()]);
    let mut desk = Desk::with_model(&server.url());
    desk.set("TZ", "Asia/Shanghai");
    let asked = desk.run(["ask", "--json", "look after my host name"]);
    assert_eq!(asked.code, Some(3), "{asked:?}");
    let card = asked.event("approval_needed");
    assert_eq!(
        (&card["tool"], &card["class"]),
        (&json!("schedule.task"), &json!("money"))
    );
    assert_eq!(
        card["args"]["approve"],
        json!([FAMILY]),
        "the list is on the card"
    );
    assert!(listed(&desk).is_empty(), "nothing is kept before it is approved");
    let (run, call) = run_and_call(&asked);
    let approved = desk.run(["approve", "--json", &run, &call]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
    let answer = approved.event("answer")["text"].as_str().unwrap().to_owned();
    assert!(
        answer.starts_with("kept 1: ") && answer.contains("08:00 America/New_York ("),
        "{answer}"
    );
    let kept = &listed(&desk)[0];
    assert_eq!(kept["draft"]["approve"], json!([FAMILY]));
    assert_eq!(kept["zone"], "America/New_York");
    server.add([reply("read_hosts")]);
    let ran = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(ran.code, Some(0), "it asks nobody: {ran:?}");
    assert!(is("done")(&history(&desk)[0]));
    let off = desk.run_with(["exec", "--json", "-"], "await schedule.cancel(\"1\")");
    assert_eq!(off.code, Some(0), "{off:?}");
    assert_eq!(listed(&desk)[0]["on"], false);
}

#[test]
fn no_permission_from_before_covers_a_list_that_a_program_asks_for() {
    let server = ModelServer::start([keeps_a_task(), Answer::Text("I was not allowed to.".into())]);
    let desk = Desk::with_model(&server.url());
    let words = [
        "ask",
        "--json",
        "--mode",
        "trust",
        "--approve",
        "schedule.*",
        "look after my host name",
    ];
    let asked = desk.run(words);
    assert_eq!(asked.code, Some(3), "{asked:?}");
    let card = asked.event("approval_needed");
    assert_eq!(card["family"], "", "and no \"always\" is offered");
    let (run, call) = run_and_call(&asked);
    let refused = desk.run(["refuse", "--json", &run, &call]);
    assert_eq!(refused.event("answer")["text"], "I was not allowed to.");
    assert!(listed(&desk).is_empty());
}

#[test]
fn a_task_without_a_list_is_kept_without_a_card_and_asks_before_all_it_does() {
    let server = ModelServer::start([reply("read_hosts")]);
    let desk = Desk::with_model(&server.url());
    let program = "kept = await schedule.task(\"how long is my host name?\", \"every day at 8\", max_tokens=5000)\n\
                   try:\n    await schedule.task(\"x\", \"every day at 8\", zone=\"America/NewYork\")\n\
                   except ValueError as error:\n    print(error)\n\
                   try:\n    await schedule.task(\"x\", \"every day at 8\", max_tokens=-5)\n\
                   except ValueError as error:\n    print(error)";
    let ran = desk.run_with(["exec", "--json", "-"], program);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("no time zone") && ran.stdout.contains("America/New_York"),
        "it is told which zone was meant: {ran:?}"
    );
    assert!(
        ran.stdout.contains("more than 0"),
        "less than nothing is no bound: {ran:?}"
    );
    let all = listed(&desk);
    assert_eq!((all.len(), &all[0]["draft"]["approve"]), (1, &json!([])));
    assert_eq!(all[0]["draft"]["max_tokens"], 5_000);
    let waits = desk.run(["--json", "schedule", "run", "1"]);
    assert_eq!(waits.code, Some(3), "{waits:?}");
}
