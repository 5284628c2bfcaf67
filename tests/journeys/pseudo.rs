//! A program with one language more, which is a folder and nothing else, speaks it wherever people read.
//!
//! `make pseudo` builds that program: English with accents between brackets. What stands there as English says it was said in
//! another language than the one asked for.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const LANGUAGE: &str = "en-XA";

/// Texts shorter than this may stand in data too.
const TELLING_CHARS: usize = 13;

fn program() -> Option<PathBuf> {
    let program = std::env::var_os("SHIDI_PSEUDO").map(PathBuf::from);
    if program.is_none() {
        println!("NOT RUN: the pseudo-language (`make pseudo` builds a program that has it)");
    }
    program
}

fn run(desk: &Desk, program: &Path, arguments: &[&str]) -> Printed {
    let mut command = desk.command_of(program, ["--lang", LANGUAGE].iter().chain(arguments));
    Printed::of(command.output().unwrap())
}

/// Every text of ours without a gap that is long enough to tell.
fn english() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/locales/en");
    let mut texts = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let table: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
        let telling = |text: &String| text.chars().count() >= TELLING_CHARS && !text.contains("{{");
        texts.extend(table.into_values().filter(telling));
    }
    texts
}

/// The lines in which a sentence of ours stands in English.
fn untranslated(text: &str) -> Vec<String> {
    let english = english();
    let ours = |line: &&str| english.iter().any(|sentence| line.contains(sentence.as_str()));
    text.lines().filter(ours).map(str::to_owned).collect()
}

fn speaks(printed: &Printed) {
    let text = format!("{}\n{}", printed.stdout, printed.stderr);
    assert!(text.contains("··]"), "nothing in the added language: {text}");
    assert_eq!(untranslated(&text), Vec::<String>::new());
}

#[test]
fn help_settings_and_the_doctor_are_read_in_a_language_that_was_added() {
    let Some(program) = program() else { return };
    let desk = Desk::new();
    for arguments in [
        &["--help"][..],
        &["ask", "--help"],
        &["memory", "--help"],
        &["config", "list"],
        &["doctor"],
        &["session", "show", "none"],
        &["config", "set", "max_rounds", "900"],
        &["ask", "--approve", "no pattern", "hello"],
        &["no-such-command"],
    ] {
        let printed = run(&desk, &program, arguments);
        speaks(&printed);
        for claps in [
            "Usage:",
            "Options:",
            "Arguments:",
            "Commands:",
            "[default:",
            "[possible",
            "Print ",
        ] {
            assert!(!printed.stdout.contains(claps), "{claps}: {}", printed.stdout);
        }
    }
}

#[test]
fn every_setting_comes_to_the_windows_in_a_language_that_was_added() {
    let Some(program) = program() else { return };
    let desk = Desk::new();
    let entries = run(&desk, &program, &["--json", "config", "list"]).json();
    assert!(entries.len() > 40, "{}", entries.len());
    for entry in &entries {
        let choices = entry["kind"]["values"].as_array().cloned().unwrap_or_default();
        let choices = choices.iter().map(|choice| &choice["title"]);
        for text in [&entry["title"], &entry["about"]].into_iter().chain(choices) {
            let said = text[LANGUAGE].as_str().unwrap_or_default();
            let is_a_languages_name = entry["key"] == "language" && text["en"] == text["zh"];
            assert!(is_a_languages_name || said.ends_with(']'), "{text}");
        }
    }
}

#[test]
fn a_model_that_failed_is_told_of_in_a_language_that_was_added() {
    let Some(program) = program() else { return };
    // Nobody listens at that port.
    let desk = Desk::with_model("http://127.0.0.1:9/v1");
    let told = run(&desk, &program, &["ask", "What is the capital of France?"]);
    assert_eq!(told.code, Some(4), "{}", told.stderr);
    speaks(&told);
    let asked = run(
        &desk,
        &program,
        &["ask", "--json", "What is the capital of France?"],
    );
    let detail: Value = asked.event("run_ended")["error"]["model"]["detail"].clone();
    let said = detail[LANGUAGE].as_str().unwrap();
    assert_ne!(detail["en"], detail[LANGUAGE]);
    assert!(said.starts_with('[') && said.ends_with(']'), "{detail}");
    assert!(told.stderr.contains(said), "{}", told.stderr);
}
