//! kill -9 in the middle of a streamed answer: what had been shown for more than a second or so stands in the session as
//! what was stopped does, once, and the task goes on.

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use shidi_tests::command::{Desk, Staying};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What may be lost of an answer: the pause between two writes, and as much again for a busy machine.
const LOST_MOST: Duration = Duration::from_secs(2);

/// Of so many attempts one keeps the promised time: a busy disk spoils some, a fault all.
const ATTEMPTS: usize = 4;

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer of so many numbered words that takes its time.
fn story(words: usize, pause_ms: u64) -> Answer {
    let words: Vec<String> = (1..=words).map(|number| format!("word{number}")).collect();
    Answer::Slow {
        text: words.join(" "),
        pause: Duration::from_millis(pause_ms),
    }
}

/// A question whose events are read as they come.
struct FollowedAsk {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    /// What was shown, and when.
    shown: Vec<(Instant, String)>,
}

impl FollowedAsk {
    fn of(desk: &Desk, arguments: &[&str]) -> Self {
        let arguments = ["ask", "--json"].iter().chain(arguments);
        let mut child = desk.spawn(arguments, Stdio::null());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            lines,
            shown: Vec::new(),
        }
    }

    /// Reads until that was shown.
    fn until(&mut self, word: &str) {
        while !self.said().contains(word) {
            let line = self.lines.next().unwrap().unwrap();
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["type"] == "delta" && event["kind"] == "Express" {
                let text = event["text"].as_str().unwrap().to_owned();
                self.shown.push((Instant::now(), text));
            }
        }
    }

    fn said(&self) -> String {
        self.shown.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Kills the process; what it had shown until `before` that.
    fn kill(mut self, before: Duration) -> String {
        self.child.kill().unwrap();
        let killed = Instant::now();
        self.child.wait().unwrap();
        let early = self.shown.iter().filter(|(when, _)| *when + before < killed);
        early.map(|(_, text)| text.as_str()).collect()
    }

    fn end(mut self) -> Option<i32> {
        while self.lines.next().is_some() {}
        self.child.wait().unwrap().code()
    }
}

/// What is written down of answers that are under way.
fn parts(desk: &Desk) -> Vec<String> {
    let read = || {
        let path = desk.data().join("shidi.db");
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut statement = connection.prepare("SELECT reply FROM partial_answer")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect::<Result<Vec<String>, _>>()
    };
    read().unwrap_or_default()
}

/// Waits until that is written down.
fn until_written(desk: &Desk, word: &str) {
    let begun = Instant::now();
    while !parts(desk).iter().any(|reply| reply.contains(word)) {
        assert!(begun.elapsed() < PATIENCE, "{word} is not written down");
        std::thread::yield_now();
    }
}

fn session(desk: &Desk, name: &str) -> Value {
    let shown = desk.run(["--json", "session", "show", name]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    shown.json().remove(0)
}

/// The kinds of a session's segments, as `--json` shows them.
fn kinds(session: &Value) -> Vec<String> {
    let segments = session["segments"].as_array().unwrap().iter();
    segments.map(|segment| segment["kind"].to_string()).collect()
}

fn words_of(session: &Value) -> String {
    let segments = session["segments"].as_array().unwrap().iter();
    let said = segments.filter(|segment| segment["kind"] == "Express");
    said.map(|segment| segment["text"].as_str().unwrap()).collect()
}

/// Kills an answer in the middle. Returns what had been shown for long enough, and what stands in the session.
fn broken_off() -> (ModelServer, Desk, String, String) {
    let server = ModelServer::start([story(4_000, 10)]);
    let desk = Desk::with_model(&server.url());
    let mut asked = FollowedAsk::of(&desk, &["Tell me a story"]);
    asked.until("word60 ");
    until_written(&desk, "word60 ");
    asked.until("word300 ");
    let said = asked.kill(LOST_MOST);
    let text = desk.run(["session", "show", "last"]).stdout;
    assert!(
        said.contains("word60 ") && text.contains("word60 "),
        "{text}\n--\n{said}"
    );
    (server, desk, said, text)
}

#[test]
fn what_was_shown_stands_in_the_session_but_for_the_last_second_and_the_task_goes_on() {
    let mut attempts = (0..ATTEMPTS).map(|_| broken_off());
    let kept = attempts.find(|(.., said, text)| text.contains(said.trim()));
    let (server, desk, said, text) = kept.expect("an attempt that lost a moment only");
    assert_eq!(text.matches("(broke off here)").count(), 1, "{text}");
    let shown = session(&desk, "last");
    assert_eq!(kinds(&shown), ["\"User\"", "\"Express\"", "\"Stopped\""]);
    let run = &shown["runs"][0];
    assert_eq!(run["status"], Value::Null, "it can go on");
    let usage = &run["usage"];
    assert_eq!(
        (&usage["model_calls"], &usage["estimated"]),
        (&1.into(), &true.into())
    );
    assert!(usage["output"].as_u64() > Some(60), "{usage}");
    let day = &desk.run(["--json", "model", "spent"]).json()[0]["spent"][0]["usage"];
    assert_eq!(day, usage);
    assert_eq!(
        desk.run(["--json", "session", "search", "word57"]).json().len(),
        1
    );
    assert_eq!(
        session(&desk, "last"),
        shown,
        "once, however often it is looked at"
    );
    assert_eq!(parts(&desk), Vec::<String>::new());
    is_traced(&desk, "interrupted");
    goes_on(&desk, &server, said.trim());
}

/// That the step of the answer holds its words.
fn is_traced(desk: &Desk, error: &str) {
    let steps = desk.run(["--json", "trace", "show", "last"]).json();
    let chat = steps.iter().find(|step| step["operation"] == "chat").unwrap();
    assert_eq!(chat["attributes"]["error.type"], error, "{chat}");
    assert_eq!(chat["attributes"]["shidi.usage.estimated"], true, "{chat}");
    let id = chat["id"].to_string();
    let step = desk
        .run(["--json", "trace", "show", "--step", &id, "last"])
        .stdout;
    assert!(step.contains("word60 "), "{step}");
}

/// Goes on with the task: the model knows what broke off, and its whole answer takes the place of that.
fn goes_on(desk: &Desk, server: &ModelServer, said: &str) {
    server.add([Answer::Text("Once upon a time. The end.".into())]);
    let resumed = desk.run(["resume", "--json"]);
    assert_eq!(resumed.code, Some(0), "{}\n{}", resumed.stdout, resumed.stderr);
    let usage = &resumed.event("run_ended")["usage"];
    assert_eq!(
        (&usage["model_calls"], &usage["estimated"]),
        (&2.into(), &true.into())
    );
    let prompt = server.last_prompt();
    let place = |text: &str| {
        prompt
            .find(text)
            .unwrap_or_else(|| panic!("no {text} in {prompt}"))
    };
    assert!(place(said) < place("[Stopped]: The answer broke off here"));
    assert!(prompt.contains("its last second may be missing"));
    let text = desk.run(["session", "show", "last"]).stdout;
    assert!(text.contains("(taken back: word1 word2"), "{text}");
    assert_eq!(text.matches("Once upon a time. The end.").count(), 1, "{text}");
    is_traced(desk, "interrupted");
}

#[test]
fn a_killed_answer_stands_as_a_stopped_one_does() {
    let server = ModelServer::repeating(story(4_000, 10));
    let (stopped, killed) = (Desk::with_model(&server.url()), Desk::with_model(&server.url()));
    let mut asked = FollowedAsk::of(&stopped, &["Tell me a story"]);
    asked.until("word20 ");
    let id = asked.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    asked.end();
    let mut asked = FollowedAsk::of(&killed, &["Tell me a story"]);
    asked.until("word20 ");
    until_written(&killed, "word20 ");
    asked.kill(Duration::ZERO);
    let (stopped, killed) = (session(&stopped, "last"), session(&killed, "last"));
    assert_eq!(kinds(&stopped), kinds(&killed));
    let without_words = |session: &Value| {
        let mut segments = session["segments"].clone();
        for segment in segments.as_array_mut().unwrap() {
            for changing in ["text", "time", "run"] {
                segment[changing] = Value::Null;
            }
        }
        segments
    };
    assert_eq!(without_words(&stopped), without_words(&killed));
}

#[test]
fn a_whole_answer_leaves_no_part_behind() {
    let server = ModelServer::start([story(250, 10)]);
    let desk = Desk::with_model(&server.url());
    let mut asked = FollowedAsk::of(&desk, &["Tell me a story"]);
    asked.until("word20 ");
    until_written(&desk, "word20 ");
    assert_eq!(asked.end(), Some(0));
    assert_eq!(parts(&desk), Vec::<String>::new());
    let shown = session(&desk, "last");
    assert_eq!(kinds(&shown), ["\"User\"", "\"Express\""]);
    assert!(words_of(&shown).ends_with("word250"));
    assert_eq!(shown["runs"][0]["usage"]["estimated"], Value::Null);
}

#[test]
fn whenever_it_is_killed_an_answer_is_there_once() {
    // From before the first write to beyond the end of the answer.
    for tenths in [6, 10, 12, 14, 15, 16, 18] {
        let server = ModelServer::start([story(150, 10)]);
        let desk = Desk::with_model(&server.url());
        let mut asked = FollowedAsk::of(&desk, &["Tell me a story"]);
        asked.until("word1");
        std::thread::sleep(Duration::from_millis(tenths * 100)); // the moment itself
        asked.kill(Duration::ZERO);
        let words = words_of(&session(&desk, "last"));
        let place = format!("killed after {tenths} tenths of a second: {words}");
        assert!(words.matches("word1 ").count() <= 1, "{place}");
        assert!(words.is_empty() || words.starts_with("word1 word2"), "{place}");
        assert_eq!(parts(&desk), Vec::<String>::new(), "{place}");
    }
}

const AGENT: &str = "```python\nanswer = await agents.run(\"tell the STORY\")\nawait user.say(answer)\n```";

#[test]
fn a_sub_agent_that_was_killed_keeps_its_words_in_its_own_session_and_goes_on() {
    let server = ModelServer::thinking(|request| match prompt_of(request).contains("# agents [run]") {
        true => Answer::Text(AGENT.to_owned()),
        false => story(4_000, 10),
    });
    let desk = Desk::with_model(&server.url());
    let asked = FollowedAsk::of(&desk, &["Let somebody tell a story"]);
    until_written(&desk, "word60 ");
    asked.kill(Duration::ZERO);
    let listed = desk.run(["--json", "session", "list"]).json();
    assert_eq!(listed.len(), 2);
    let shown = listed
        .iter()
        .map(|one| session(&desk, one["id"].as_str().unwrap()));
    let (told, others): (Vec<Value>, Vec<Value>) = shown.partition(|one| words_of(one).contains("word60 "));
    assert_eq!((told.len(), others.len()), (1, 1), "in its own session alone");
    assert_eq!(told[0]["runs"][0]["usage"]["estimated"], true);
    let second = ModelServer::repeating(Answer::Text("The end.".into()));
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        second.url()
    ));
    let resumed = desk.run(["resume", "--json"]);
    assert_eq!(resumed.code, Some(0), "{}\n{}", resumed.stdout, resumed.stderr);
    assert_eq!(resumed.event("answer")["text"], "The end.");
    assert_eq!(
        second.requests().len(),
        1,
        "the task's own program is not written again"
    );
}

#[test]
fn a_task_that_is_stopped_while_it_rests_takes_its_sub_agent_along() {
    let server = ModelServer::thinking(|request| match prompt_of(request).contains("# agents [run]") {
        true => Answer::Text(AGENT.to_owned()),
        false => Answer::Silence,
    });
    let desk = Desk::with_model(&server.url());
    let asked = FollowedAsk::of(&desk, &["Let somebody tell a story"]);
    let begun = Instant::now();
    while server.requests().len() < 2 {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::yield_now();
    }
    asked.kill(Duration::ZERO);
    let _desktop = Staying::start(&desk);
    let runs = desk.run(["--json", "trace", "list"]).json();
    let task = runs
        .iter()
        .find(|run| run["question"] == "Let somebody tell a story");
    let cancelled = desk.run(["cancel", task.unwrap()["run"].as_str().unwrap()]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.stderr);
    let runs = desk.run(["--json", "trace", "list"]).json();
    let open: Vec<&Value> = runs.iter().filter(|run| run["status"] != "cancelled").collect();
    assert_eq!((runs.len(), open), (2, Vec::<&Value>::new()));
}

/// Whether a step of a program is written down.
fn has_program_step(desk: &Desk) -> bool {
    let path = desk.data().join("shidi.db");
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let sql = "SELECT EXISTS (SELECT 1 FROM span WHERE operation = 'run_program')";
    let found = connection.and_then(|connection| connection.query_row(sql, [], |row| row.get(0)));
    found.unwrap_or_default()
}

#[test]
fn what_a_program_of_ones_own_printed_is_shown_before_its_process_is_killed() {
    let desk = Desk::new();
    let file = desk.path("prints.py");
    std::fs::write(
        &file,
        "import time\nprint('first')\nprint('second')\ntime.sleep(250)",
    )
    .unwrap();
    let mut child = desk.spawn(["exec", file.to_str().unwrap()], Stdio::null());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert!(child.try_wait().unwrap().is_none(), "it was at work");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(seen, ["first", "second"]);
    assert!(lines.next().is_none(), "nothing is said twice");
    let short = desk.run_with(["exec", "-"], "print('once', end='')\n41 + 1");
    assert_eq!(short.stdout, "once\n42\n", "{short:?}");
    let json = desk.run_with(["exec", "--json", "-"], "print('once')").json();
    assert_eq!((json.len(), &json[0]["stdout"]), (1, &Value::from("once\n")));
}

#[test]
fn the_steps_of_a_program_of_ones_own_are_shown_to_where_its_process_was_killed() {
    let desk = Desk::new();
    let file = desk.path("waits.py");
    std::fs::write(&file, "import asyncio\nawait asyncio.sleep(500)").unwrap();
    let mut child = desk.spawn(["exec", file.to_str().unwrap()], Stdio::null());
    let begun = Instant::now();
    while !has_program_step(&desk) {
        assert!(begun.elapsed() < PATIENCE, "no step is written down");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for (language, ended, standing, unkept) in [
        ("en", "ended here", "interrupted", "not kept"),
        ("zh", "到这里就结束了", "中断", "没有保留"),
    ] {
        let shown = desk.run(["--lang", language, "trace", "show", "last"]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
        assert_eq!(shown.stdout.matches(ended).count(), 1, "{shown:?}");
        let program = shown.stdout.lines().find(|line| line.contains("python"));
        assert!(program.is_some_and(|line| line.contains(standing)), "{shown:?}");
        assert!(!shown.stderr.contains(unkept), "{shown:?}");
        let listed = desk.run(["--lang", language, "trace", "list"]);
        let is_timed = listed.stdout.contains(" 0.0 ");
        assert!(listed.stdout.contains(standing) && !is_timed, "{listed:?}");
    }
    let kept = desk.run(["--json", "trace", "show", "last"]).json();
    assert!(
        kept.iter()
            .any(|step| step["name"] == "python" && step["open"] == true),
        "{kept:?}"
    );
}
