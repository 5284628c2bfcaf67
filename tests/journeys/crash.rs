//! kill -9 at random moments: every acknowledged segment is there, no side effect is repeated in silence, the run
//! can be continued.
//!
//! 20 kills here, 300 in `make soak`, which sets `SHIDI_SOAK`.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

/// Kills of one test run.
fn kills() -> u64 {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        300
    } else {
        20
    }
}

/// Numbers that look random and are the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Asks, and kills the process after `events` events and a moment more. Returns what it had acknowledged.
fn killed(desk: &Desk, events: u64, more: Duration) -> Vec<Value> {
    let mut child = desk.spawn(
        ["ask", "--json", "remember where the spare key is"],
        Stdio::null(),
    );
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    let mut lines = stdout.lines();
    while let Some(Ok(line)) = lines.next() {
        seen.push(serde_json::from_str(&line).unwrap());
        if seen.len() as u64 >= events {
            std::thread::sleep(more); // the random moment itself
            child.kill().unwrap();
            break;
        }
    }
    seen.extend(
        lines
            .map_while(Result::ok)
            .filter_map(|line| serde_json::from_str(&line).ok()),
    );
    child.wait().unwrap();
    seen
}

fn of_type<'a>(events: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    events.iter().filter(move |event| event["type"] == kind)
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_repeated_in_silence() {
    let mut dice = Dice(42);
    for kill in 0..kills() {
        let slow = |answer| match answer {
            Answer::Text(text) => Answer::Slow {
                text,
                pause: Duration::from_millis(2),
            },
            other => other,
        };
        let server = ModelServer::repeating(slow(reply("remember")));
        let desk = Desk::with_model(&server.url());
        let events = 1 + dice.below(24);
        let seen = killed(&desk, events, Duration::from_micros(dice.below(4_000)));
        let place = format!("kill {kill} after {events} events");
        acknowledged_is_there(&desk, &seen, &place);
        continues(&desk, &seen, &place);
    }
}

fn acknowledged_is_there(desk: &Desk, seen: &[Value], place: &str) {
    let Some(session) = of_type(seen, "run_started")
        .next()
        .map(|event| event["session"].clone())
    else {
        return;
    };
    // A segment is acknowledged once the event after its commit was seen: the model's words, the code, the answer.
    let acknowledged = of_type(seen, "code").count();
    if acknowledged == 0 && of_type(seen, "delta").count() == 0 {
        return;
    }
    let shown = desk.run(["session", "show", "--json", session.as_str().unwrap()]);
    assert_eq!(shown.code, Some(0), "{place}: {}", shown.stderr);
    assert!(
        shown.stdout.contains("remember where the spare key is"),
        "{place}: the question is lost"
    );
    for code in of_type(seen, "code") {
        let program = serde_json::to_string(&code["program"]).unwrap();
        assert!(
            shown.stdout.contains(&program),
            "{place}: an acknowledged program is lost"
        );
    }
    for answer in of_type(seen, "answer") {
        let text = serde_json::to_string(&answer["text"]).unwrap();
        assert!(
            shown.stdout.contains(&text),
            "{place}: an acknowledged answer is lost"
        );
    }
}

/// Resumes until the run is over, approving what it asks to do again; the note is there once or was asked about.
fn continues(desk: &Desk, seen: &[Value], place: &str) {
    if of_type(seen, "delta").count() == 0 && of_type(seen, "code").count() == 0 {
        return; // the question may not have been durable yet: nothing was promised
    }
    if of_type(seen, "run_ended").count() > 0 {
        assert_eq!(notes(desk), 1, "{place}");
        return;
    }
    let mut asked_again = false;
    for _ in 0..4 {
        let resumed = desk.run(["resume", "--json"]);
        let last = resumed.json().last().cloned().unwrap_or_default();
        match resumed.code {
            Some(0) => break,
            // The answer was durable and only its event was not seen.
            Some(2) => break,
            Some(3) => {
                asked_again = true;
                approve(desk, &resumed);
            }
            code => panic!("{place}: resume ended with {code:?}: {last} {}", resumed.stderr),
        }
    }
    let notes = notes(desk);
    if of_type(seen, "call_done").any(|done| done["call"] == 1) {
        assert_eq!((notes, asked_again), (1, false), "{place}: it was shown as done");
    }
    assert!(
        notes == 1 || (asked_again && notes == 2),
        "{place}: {notes} notes, asked again: {asked_again}"
    );
}

fn approve(desk: &Desk, resumed: &Printed) {
    let card = resumed.event("approval_needed");
    let run = card["run"].as_str().unwrap().to_owned();
    let approved = desk.run(["approve", "--json", &run, &card["call"].to_string()]);
    assert!(matches!(approved.code, Some(0 | 3)), "{}", approved.stderr);
}

fn notes(desk: &Desk) -> usize {
    let found = desk.run_with(
        ["exec", "--json", "-"],
        "[hit for hit in await memory.search(text='spare key blue pot') if hit['source'] == 'note']",
    );
    found.json()[0]["value"].as_array().map_or(0, Vec::len)
}

#[test]
fn a_killed_program_with_a_side_effect_under_way_is_shown_and_not_repeated() {
    let server = ModelServer::repeating(reply("remember"));
    let desk = Desk::with_model(&server.url());
    let seen = killed(&desk, 1_000, Duration::ZERO);
    assert_eq!(of_type(&seen, "run_ended").count(), 1);
    assert_eq!(notes(&desk), 1);
}
