//! A long task under one message of the user: 60 rounds with failures, a history of some 300,000 tokens that is compacted
//! on the way, and a process that is killed in the middle again and again. It ends as if nothing had happened.
//!
//! The model reads from its prompt alone how far the work is, as a real one does: whatever it is not shown it can't know.
//! A few kills here; `make soak` kills at many more places.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};
use shidi_tests::soak;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

/// Steps of the task, each of which is a round; every tenth is remembered and written down, every ninth fails first.
const STEPS: u32 = 60;

/// Characters that each program and each output carry along: together some 5,000 tokens a round.
const PROGRAM_BALLAST: usize = 13_000;
const OUTPUT_BALLAST: usize = 7_600;

/// Times that a run may be taken up again before it is called endless.
const RESUMED_MAX: usize = 2_000;

fn step_of(prompt: &str, name: &str) -> u32 {
    let shown = prompt.rsplit_once(&format!("\n{name}: int = "));
    let digits = shown.map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// What the model does next, told from what it is shown.
fn next(request: &Value) -> Answer {
    let prompt = prompt_of(request);
    if prompt.contains("<work>") {
        return Answer::Text("Goal: sixty steps. So far: all went as planned.".to_owned());
    }
    assert!(prompt.contains("Do the sixty steps"), "the task is never lost");
    let done = step_of(&prompt, "step");
    if done >= STEPS {
        return Answer::Text("All sixty steps are done.".to_owned());
    }
    let step = done + 1;
    if step.is_multiple_of(9) && step_of(&prompt, "tried") != step {
        return program(&format!(
            "tried = {step}\nraise ValueError('no luck in step {step}')"
        ));
    }
    let begin = if done == 0 { "total = 0\nseen = []\n" } else { "" };
    let keep = if step.is_multiple_of(10) {
        format!(
            "await memory.remember(text='milestone {step} of the sixty')\n\
             await files.write(path='milestones/{step}.txt', text='{step} of sixty\\n')\n\
             await files.write(path='progress.txt', text='{step}')\n"
        )
    } else {
        String::new()
    };
    program(&format!(
        "{begin}total = total + {step} * {step}\nseen.append({step})\n{keep}step = {step}\nprint('step {step}', '{}')",
        "y".repeat(OUTPUT_BALLAST)
    ))
}

fn program(text: &str) -> Answer {
    let ballast = "x".repeat(PROGRAM_BALLAST);
    Answer::Text(format!("[Thought]: go on\n```python\n#{ballast}\n{text}\n```"))
}

/// What a process told before it ended or was killed.
fn events(desk: &Desk, arguments: &[&str], kill_after: Option<usize>) -> (Vec<Value>, Option<i32>) {
    let mut child = desk.spawn(arguments, Stdio::null());
    let mut seen = Vec::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while let Some(Ok(line)) = lines.next() {
        seen.push(serde_json::from_str::<Value>(&line).unwrap());
        if kill_after.is_some_and(|most| seen.len() >= most) {
            child.kill().unwrap();
            break;
        }
    }
    drop(lines);
    (seen, child.wait().unwrap().code())
}

/// Does the task with a kill after each number of events, and returns everything that was told.
fn done(desk: &Desk, kills: impl IntoIterator<Item = usize>) -> Vec<Value> {
    let mut kills = kills.into_iter();
    let folder = folder_of(desk).display().to_string();
    let ask = [
        "ask",
        "--json",
        "--max-rounds",
        "120",
        "--folder",
        &folder,
        "Do the sixty steps",
    ];
    let (mut all, mut code) = events(desk, &ask, kills.next());
    for _ in 0..RESUMED_MAX {
        if code == Some(0) {
            return all;
        }
        let waiting = all.last().filter(|_| code == Some(3)).cloned();
        let more = match waiting.and_then(|_| card(&all)) {
            // A side effect of which nobody knows whether it happened: the user says to do it again.
            Some((run, call)) => events(desk, &["approve", "--json", &run, &call], kills.next()),
            None => events(desk, &["resume", "--json"], kills.next()),
        };
        all.extend(more.0);
        code = more.1;
        // The answer may have been durable when the kill came: then there is nothing to take up.
        if code == Some(2) {
            return all;
        }
    }
    panic!("the task never ends: {:?}", all.last());
}

fn card(events: &[Value]) -> Option<(String, String)> {
    let card = events
        .iter()
        .rev()
        .find(|event| event["type"] == "approval_needed")?;
    Some((card["run"].as_str()?.to_owned(), card["call"].to_string()))
}

fn count(events: &[Value], kind: &str) -> usize {
    events.iter().filter(|event| event["type"] == kind).count()
}

fn folder_of(desk: &Desk) -> PathBuf {
    desk.path("work")
}

fn desk_of(server: &ModelServer) -> Desk {
    let desk = Desk::with_model(&server.url());
    std::fs::create_dir_all(folder_of(&desk)).unwrap();
    desk.run(["config", "set", "context_window", "128000"]);
    desk
}

/// The variables, notes and files are those of a run that nothing disturbed.
fn assert_right(desk: &Desk, told: &[Value], place: &str) {
    let program = "notes = await memory.search(text='milestone of the sixty', limit=50)\n\
                   [step, total, seen, [note['text'] for note in notes if note['source'] == 'note']]";
    let session = told[0]["session"].as_str().unwrap_or("last").to_owned();
    let left = desk
        .run_with(["exec", "--json", "--session", &session, "-"], program)
        .json()
        .remove(0);
    let value = &left["value"];
    let squares: u32 = (1..=STEPS).map(|step| step * step).sum();
    assert_eq!(value[0], STEPS, "{place}: {left}");
    assert_eq!(value[1], squares, "{place}: {left}");
    assert_eq!(
        value[2],
        serde_json::json!((1..=STEPS).collect::<Vec<_>>()),
        "{place}"
    );
    let notes: Vec<&str> = value[3]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let text = |name: String| std::fs::read_to_string(folder_of(desk).join(name)).unwrap();
    assert_eq!(text("progress.txt".to_owned()), STEPS.to_string(), "{place}");
    let asked = count(told, "approval_needed");
    for milestone in (10..=STEPS).step_by(10) {
        let file = text(format!("milestones/{milestone}.txt"));
        assert_eq!(file, format!("{milestone} of sixty\n"), "{place}");
        let kept = notes
            .iter()
            .filter(|note| **note == format!("milestone {milestone} of the sixty"))
            .count();
        assert!(
            kept == 1 || (kept == 2 && asked > 0),
            "{place}: milestone {milestone} is there {kept} times"
        );
    }
}

#[test]
fn sixty_rounds_with_failures_and_compactions_end_with_the_right_variables_notes_and_files() {
    let server = ModelServer::thinking(next);
    let desk = desk_of(&server);
    let told = done(&desk, []);
    assert!(
        count(&told, "compacted") >= 2,
        "{} compactions",
        count(&told, "compacted")
    );
    assert_eq!(count(&told, "approval_needed"), 0);
    let outputs = told.iter().filter(|event| event["type"] == "output");
    assert_eq!(
        outputs.filter(|event| event["ok"] == false).count(),
        6,
        "every ninth step failed once"
    );
    assert_right(&desk, &told, "undisturbed");
    let segments = desk.run(["session", "show", "last", "--segments"]).stdout;
    let tokens = segments.chars().count() / 4;
    assert!(
        tokens > 300_000,
        "a history of {tokens} tokens, whole in the transcript"
    );
    let largest = server.request_bytes().into_iter().max().unwrap_or_default();
    assert!(
        largest / 4 < 128_000,
        "no prompt beyond the window: {largest} bytes"
    );
    println!(
        "{} requests, the largest {largest} bytes; {tokens} tokens of history",
        server.requests().len()
    );
}

#[test]
fn a_task_that_is_killed_between_any_two_events_ends_as_if_it_had_not_been() {
    let (rounds, kills) = if soak::is_wanted() { (20, 40) } else { (1, 6) };
    for seed in soak::part_of(rounds) {
        let mut dice = crate::crash::Dice(1_000 + seed as u64);
        let server = ModelServer::thinking(next);
        let desk = desk_of(&server);
        // Each process lives for a random number of events; a task has some 700 of them.
        let lives: Vec<usize> = (0..kills)
            .map(|_| 1 + usize::try_from(dice.below(200)).unwrap_or(1))
            .collect();
        let told = done(&desk, lives.iter().copied().map(|life| life + 3));
        assert_right(&desk, &told, &format!("seed {seed}, killed after {lives:?}"));
    }
}
