//! Whatever ends an answer in the middle: what had been said by then is kept, counted, and told as broken off.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A long answer that takes its time.
fn story() -> Answer {
    let words: Vec<String> = (1..400).map(|number| format!("word{number}")).collect();
    Answer::Slow {
        text: words.join(" "),
        pause: Duration::from_millis(30),
    }
}

/// A run whose events are read while it works.
struct Followed {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    events: Vec<Value>,
}

impl Followed {
    fn asked(desk: &Desk, arguments: &[&str]) -> Self {
        let mut child = desk.spawn(["ask", "--json"].iter().chain(arguments), Stdio::null());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            lines,
            events: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<&Value> {
        let line = self.lines.next()?.ok()?;
        self.events.push(serde_json::from_str(&line).ok()?);
        self.events.last()
    }

    /// Reads until `count` events of a type have come.
    fn until(&mut self, kind: &str, count: usize) {
        for _ in 0..count {
            while self.next().unwrap()["type"] != kind {}
        }
    }

    fn interrupt(&self) {
        press_ctrl_c(&self.child);
    }

    fn end(mut self) -> Vec<Value> {
        while self.next().is_some() {}
        self.child.wait().unwrap();
        self.events
    }
}

fn press_ctrl_c(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

fn said(events: &[Value]) -> String {
    let deltas = events
        .iter()
        .filter(|event| event["type"] == "delta" && event["kind"] == "Express");
    deltas.map(|event| event["text"].as_str().unwrap()).collect()
}

fn last<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    let found = events.iter().rev().find(|event| event["type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {events:?}"))
}

/// That what was said stands in the session, in its day and in the trace, and that the next question knows of it.
fn is_kept(desk: &Desk, server: &ModelServer, events: &[Value]) {
    let said = said(events);
    assert!(said.contains("word3"), "{said}");
    let shown = desk.run(["session", "show", "last"]).stdout;
    assert!(shown.contains(said.trim()), "{shown}\n--\n{said}");
    assert!(shown.contains("broke off here"), "{shown}");
    let usage = &last(events, "run_ended")["usage"];
    assert!(usage["output"].as_u64() > Some(2), "{usage}");
    assert_eq!(
        (&usage["model_calls"], &usage["estimated"]),
        (&1.into(), &true.into())
    );
    let day = &desk.run(["--json", "model", "spent"]).json()[0]["spent"][0]["usage"];
    assert_eq!(day, usage);
    let trace = desk.run(["--json", "trace", "show", "last"]).stdout;
    assert!(trace.contains("\"gen_ai.usage.output_tokens\""), "{trace}");
    server.add([Answer::Text("It was word1.".into())]);
    let printed = desk.run(["ask", "--json", "--session", "last", "Which was the first?"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let prompt = server.last_prompt();
    let place = |text: &str| {
        prompt
            .find(text)
            .unwrap_or_else(|| panic!("no {text} in {prompt}"))
    };
    assert!(place(said.trim()) < place("[Stopped]: The answer broke off here"));
    assert!(place("[Stopped]: The answer broke off here") < place("Which was the first?"));
}

#[test]
fn ctrl_c_keeps_what_was_said() {
    let server = ModelServer::start([story()]);
    let desk = Desk::with_model(&server.url());
    let mut run = Followed::asked(&desk, &["Tell me a story"]);
    run.until("delta", 5);
    run.interrupt();
    let events = run.end();
    assert_eq!(last(&events, "run_ended")["status"], "cancelled");
    is_kept(&desk, &server, &events);
}

#[test]
fn cancelling_from_elsewhere_keeps_what_was_said() {
    let server = ModelServer::start([story()]);
    let desk = Desk::with_model(&server.url());
    let mut run = Followed::asked(&desk, &["Tell me a story"]);
    run.until("delta", 5);
    let id = run.events[0]["run"].as_str().unwrap().to_owned();
    let cancelled = desk.run(["cancel", &id]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    is_kept(&desk, &server, &run.end());
}

#[test]
fn the_end_of_the_time_keeps_what_was_said() {
    let server = ModelServer::start([story()]);
    let desk = Desk::with_model(&server.url());
    let events = Followed::asked(&desk, &["--timeout", "5", "Tell me a story"]).end();
    assert_eq!(last(&events, "run_ended")["status"], "gave_up");
    is_kept(&desk, &server, &events);
}

#[test]
fn a_stream_that_breaks_off_for_good_leaves_its_last_words() {
    let server = ModelServer::repeating(Answer::Cut("There was a little".into()));
    let desk = Desk::with_model(&server.url());
    let printed = desk.run(["ask", "--json", "Tell me a story"]);
    let ended = printed.event("run_ended");
    assert_eq!(ended["status"], "failed", "{}", printed.stderr);
    assert_eq!(ended["usage"]["model_calls"], server.requests().len());
    let shown = desk.run(["session", "show", "last"]).stdout;
    assert_eq!(shown.matches("There was a little").count(), 1, "{shown}");
    assert!(shown.contains("broke off here"), "{shown}");
}

#[test]
fn words_that_a_stand_in_takes_the_place_of_are_not_kept() {
    let broken = ModelServer::repeating(Answer::Cut("There was a little".into()));
    let other = ModelServer::start([Answer::Text("Once upon a time.".into())]);
    let mut desk = Desk::with_model(&broken.url());
    desk.set("SHIDI_KEY_MOONSHOT", "sk-test-other");
    let stand_in = format!("moonshot:kimi@{}", other.url());
    desk.run(["config", "set", "fallback", &stand_in]);
    let printed = desk.run(["ask", "--json", "Tell me a story"]);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    let shown = desk.run(["session", "show", "last"]).stdout;
    assert!(
        shown.contains("Once upon a time.") && !shown.contains("little"),
        "{shown}"
    );
    let usage = &printed.event("run_ended")["usage"];
    assert!(usage["model_calls"].as_u64() > Some(1), "{usage}");
}

fn stopped_after(program: &str, printed: &str) -> (Desk, ModelServer, Printed) {
    let server = ModelServer::start([Answer::Text(format!("```python\n{program}\n```"))]);
    let desk = Desk::with_model(&server.url());
    let mut run = Followed::asked(&desk, &["Count"]);
    while run.next().unwrap()["text"] != "Printed." {}
    run.interrupt();
    let events = run.end();
    assert_eq!(last(&events, "run_ended")["status"], "cancelled");
    assert_eq!(last(&events, "output")["stdout"], printed, "{events:?}");
    let shown = desk.run(["session", "show", "--segments", "last"]);
    (desk, server, shown)
}

#[test]
fn a_program_that_is_stopped_leaves_what_it_had_printed() {
    for program in [
        "print('one')\nprint('two')\nawait user.say(text='Printed.')\nwhile True:\n    pass",
        "import asyncio\nprint('one')\nprint('two')\nawait user.say(text='Printed.')\nawait asyncio.sleep(600)",
    ] {
        let (desk, server, shown) = stopped_after(program, "one\ntwo\n");
        assert!(shown.stdout.contains("[Output]: one\ntwo"), "{}", shown.stdout);
        server.add([Answer::Text("Two.".into())]);
        desk.run(["ask", "--session", "last", "How far did it come?"]);
        let prompt = server.last_prompt();
        assert!(prompt.contains("two\nStopped before it ended"), "{prompt}");
    }
}

#[test]
fn a_command_that_another_one_works_through_says_why_it_does_not_end() {
    let server = ModelServer::start([story()]);
    let desk = Desk::with_model(&server.url());
    let mut first = desk.spawn(["schedule", "watch"], Stdio::null());
    let mut notes = BufReader::new(first.stderr.take().unwrap()).lines();
    let mut note = || notes.next().unwrap().unwrap();
    assert!(note().contains("Ctrl-C"), "it has the data folder");
    let mut second = Followed::asked(&desk, &["Tell me a story."]);
    second.until("delta", 1);
    press_ctrl_c(&first);
    let told = note();
    assert!(told.contains("another shidi command"), "{told}");
    second.interrupt();
    assert_eq!(last(&second.end(), "run_ended")["status"], "cancelled");
    assert!(first.wait().unwrap().success());
}
