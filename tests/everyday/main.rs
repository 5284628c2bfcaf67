//! Twenty everyday questions to a real model: how many end right, how many loop, and what it took.
//!
//! A measurement, and no judge of the program alone: what a model gets wrong fails nothing here. Questions go through
//! the built `shidi ask --json`, each to a data folder of its own. Without an address nothing is asked.
//!
//! `SHIDI_EVERYDAY_URL` is the address of an OpenAI-compatible server. May be set beside it: `…_MODEL` (a name),
//! `…_FORMAT`, `…_PROGRAM` (another build of `shidi`, its worker beside it), `…_ONLY` (a part of names), `…_ROUNDS`,
//! `…_SECONDS` (bounds of one question), `…_KEEP` (a folder for everything that was printed).

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

mod outcome;
mod question;

use outcome::{Outcome, Verdict};
use question::{Question, questions};
use shidi_tests::command::{Desk, Printed, shidi};
use std::path::{Path, PathBuf};

/// Bounds of one question unless set: a small model that has no answer by then has none.
const ROUNDS: &str = "6";
const SECONDS: &str = "240";

/// Longest silence of a server.
const IDLE_SECONDS: u32 = 600;

fn setting(name: &str) -> Option<String> {
    let value = std::env::var(format!("SHIDI_EVERYDAY_{name}"));
    value.ok().filter(|value| !value.is_empty())
}

#[test]
fn everyday_questions_are_asked_of_a_real_model() {
    let Some(url) = setting("URL") else {
        println!("NOT RUN: everyday questions (SHIDI_EVERYDAY_URL names no model server)");
        return;
    };
    let program = setting("PROGRAM").map_or_else(|| shidi().to_path_buf(), PathBuf::from);
    let only = setting("ONLY").unwrap_or_default();
    let mut outcomes = Vec::new();
    for question in questions()
        .iter()
        .filter(|question| question.name.contains(&only))
    {
        let outcome = asked(question, &url, &program);
        println!("{}", outcome.row(&question.name));
        outcomes.push(outcome);
    }
    println!("{}", outcome::totals(&outcomes));
}

/// Asks one question, and what follows it.
fn asked(question: &Question, url: &str, program: &Path) -> Outcome {
    let desk = Desk::new();
    let model = setting("MODEL").map(|name| format!("model = \"{name}\"\n"));
    let format = setting("FORMAT").map(|name| format!("format = \"{name}\"\n"));
    // A busy machine reads a first prompt for minutes; the bound of the question holds all the same.
    desk.write_config(&format!(
        "model_url = \"{url}\"\nidle_timeout_s = {IDLE_SECONDS}\n{}{}",
        model.unwrap_or_default(),
        format.unwrap_or_default()
    ));
    let folder = desk.path("folder");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in &question.files {
        std::fs::write(folder.join(name), text.trim_start_matches('\n')).unwrap();
    }
    let mut outcome = Outcome::default();
    for (place, text) in question.said().enumerate() {
        let printed = ask(&desk, program, text);
        keep(&format!("{}-{place}", question.name), &printed);
        outcome.take(&printed);
    }
    outcome.judge(question.lacks(&outcome.answer, &folder));
    outcome
}

fn ask(desk: &Desk, program: &Path, text: &str) -> Printed {
    let rounds = setting("ROUNDS").unwrap_or_else(|| ROUNDS.to_owned());
    let seconds = setting("SECONDS").unwrap_or_else(|| SECONDS.to_owned());
    let folder = desk.path("folder");
    let mut command = desk.command_of(program, ["ask", "--json", "--session", "new", "--mode", "trust"]);
    command.args(["--max-rounds", &rounds, "--timeout", &seconds]);
    command.arg("--folder").arg(folder).arg(text);
    Printed::of(command.output().unwrap())
}

/// Keeps what was printed for whoever wants to know why.
fn keep(name: &str, printed: &Printed) {
    let Some(folder) = setting("KEEP").map(PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}.jsonl", name.replace(' ', "-")));
    std::fs::write(path, format!("{}{}", printed.stdout, printed.stderr)).unwrap();
}

#[test]
fn there_are_twenty_questions_in_two_languages_with_ends_that_are_checked() {
    let questions = questions();
    let chinese = questions
        .iter()
        .filter(|question| question.name.starts_with("zh "));
    assert_eq!((questions.len(), chinese.count()), (20, 10));
    for question in &questions {
        assert!(question.is_checked(), "{}", question.name);
        let nowhere = tempfile::tempdir().unwrap();
        assert!(
            question.lacks("", nowhere.path()).is_some(),
            "{}: an empty answer is right",
            question.name
        );
    }
}

#[test]
fn what_came_of_a_question_is_told_from_what_was_printed() {
    let program = r#"{"type":"code","exec":1,"program":"print(1)"}
{"type":"output","exec":1,"stdout":"1","ok":true}
"#;
    let end = |status: &str, reason: &str| {
        format!(
            r#"{{"type":"run_ended","status":"{status}","reason":"{reason}","usage":{{"input":9,"cached":0,"output":2,"model_calls":2}},"ms":5}}"#
        )
    };
    let told = |lines: String, lack: Option<&str>| {
        let mut outcome = Outcome::default();
        outcome.take(&Printed {
            code: Some(0),
            stdout: lines,
            stderr: String::new(),
        });
        outcome.judge(lack.map(str::to_owned));
        (outcome.verdict, outcome.answer)
    };
    let answer = "{\"type\":\"answer\",\"text\":\"one\"}\n";
    let right = told(format!("{program}{answer}{}", end("completed", "")), None);
    assert_eq!(right, (Verdict::Right, "one".to_owned()));
    let wrong = told(
        format!("{program}{answer}{}", end("completed", "")),
        Some("no two"),
    );
    assert_eq!(wrong.0, Verdict::Wrong);
    let looped = told(
        format!("{program}{program}{}", end("gave_up", "x")),
        Some("no two"),
    );
    assert_eq!(looped.0, Verdict::Looped);
    let bound = told(
        format!("{program}{}", end("gave_up", "Not done after 6 rounds")),
        Some("no two"),
    );
    assert_eq!(bound.0, Verdict::Looped);
    let late = told(
        format!("{program}{}", end("gave_up", "The task's time limit has passed")),
        Some("no two"),
    );
    assert_eq!(late.0, Verdict::TimedOut);
}
