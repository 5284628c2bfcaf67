//! A language other than English is spoken wherever people read.
//!
//! It is Chinese with the usual program. `make pseudo` builds another program with one language more, which is a folder and
//! nothing else: English with accents between brackets. What stands there as English says it was said in another language
//! than the one asked for.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed, shidi};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Texts shorter than this may stand in data too.
const TELLING_CHARS: usize = 13;

/// A language other than English, and a program that has it.
struct Spoken {
    code: &'static str,
    program: PathBuf,
    /// Every text of the catalogue in it; none of a language that lies elsewhere.
    texts: Vec<String>,
}

impl Spoken {
    fn new() -> Self {
        let added = std::env::var_os("SHIDI_PSEUDO").map(PathBuf::from);
        match added {
            Some(program) => Self {
                code: "en-XA",
                program,
                texts: Vec::new(),
            },
            None => Self {
                code: "zh",
                program: shidi().to_path_buf(),
                texts: texts("zh"),
            },
        }
    }

    fn run(&self, desk: &Desk, arguments: &[&str]) -> Printed {
        let mut command = desk.command_of(&self.program, ["--lang", self.code].iter().chain(arguments));
        Printed::of(command.output().unwrap())
    }

    /// Whether a text has letters or marks of this language.
    fn is_written_in(&self, text: &str) -> bool {
        match self.texts.is_empty() {
            true => text.contains("·]") || text.ends_with(']'),
            false => text.contains(|sign: char| ('\u{4e00}'..='\u{9fff}').contains(&sign)),
        }
    }

    /// Whether a text is in this language: as it is written, or as the catalogue has it.
    fn has(&self, text: &str) -> bool {
        self.is_written_in(text) || self.texts.iter().any(|known| known == text)
    }

    /// The lines in which a sentence of ours stands in English, which this language says otherwise.
    fn untranslated(&self, text: &str) -> Vec<String> {
        let is_telling = |sentence: &String| {
            sentence.chars().count() >= TELLING_CHARS
                && !sentence.contains("{{")
                && text.contains(sentence.as_str())
                && !self.texts.iter().any(|known| known.contains(sentence.as_str()))
        };
        let english: Vec<String> = texts("en").into_iter().filter(is_telling).collect();
        let ours = |line: &&str| english.iter().any(|sentence| line.contains(sentence.as_str()));
        text.lines().filter(ours).map(str::to_owned).collect()
    }

    fn is_spoken(&self, printed: &Printed) {
        let text = format!("{}\n{}", printed.stdout, printed.stderr);
        assert!(self.is_written_in(&text), "nothing in {}: {text}", self.code);
        assert_eq!(self.untranslated(&text), Vec::<String>::new());
    }
}

/// Every text of the catalogue in a language.
fn texts(language: &str) -> Vec<String> {
    let catalogue = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/locales");
    let mut texts = Vec::new();
    for file in std::fs::read_dir(catalogue.join(language)).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let table: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
        texts.extend(table.into_values());
    }
    texts
}

#[test]
fn help_settings_and_the_doctor_are_read_in_another_language() {
    let spoken = Spoken::new();
    let desk = Desk::new();
    for arguments in [
        &["--help"][..],
        &["ask", "--help"],
        &["memory", "--help"],
        &["config", "list"],
        &["doctor"],
        &["trace", "--help"],
        &["trace", "stats", "--parts"],
        &["workflow", "--help"],
        &["session", "show", "none"],
        &["config", "set", "max_rounds", "900"],
        &["ask", "--approve", "no pattern", "hello"],
        &["no-such-command"],
    ] {
        let printed = spoken.run(&desk, arguments);
        spoken.is_spoken(&printed);
        for claps in [
            "Usage:",
            "Options:",
            "Arguments:",
            "Commands:",
            "[default:",
            "[possible",
            "Print ",
            "[OPTIONS]",
            " <COMMAND>",
            " [COMMAND]",
            "[alias",
            "parent death signal",
        ] {
            assert!(!printed.stdout.contains(claps), "{claps}: {}", printed.stdout);
        }
    }
}

#[test]
fn every_setting_comes_to_the_windows_in_another_language() {
    let spoken = Spoken::new();
    let desk = Desk::new();
    let entries = spoken.run(&desk, &["--json", "config", "list"]).json();
    assert!(entries.len() > 40, "{}", entries.len());
    for entry in &entries {
        let choices = entry["kind"]["values"].as_array().cloned().unwrap_or_default();
        let choices = choices.iter().map(|choice| &choice["title"]);
        for text in [&entry["title"], &entry["about"]].into_iter().chain(choices) {
            let said = text[spoken.code].as_str().unwrap_or_default();
            let is_a_languages_name = entry["key"] == "language" && text["en"] == text["zh"];
            assert!(is_a_languages_name || spoken.has(said), "{text}");
        }
    }
}

#[test]
fn a_model_that_failed_is_told_of_in_another_language() {
    let spoken = Spoken::new();
    // Nobody listens at that port.
    let desk = Desk::with_model("http://127.0.0.1:9/v1");
    let told = spoken.run(&desk, &["ask", "What is the capital of France?"]);
    assert_eq!(told.code, Some(4), "{}", told.stderr);
    spoken.is_spoken(&told);
    let asked = spoken.run(&desk, &["ask", "--json", "What is the capital of France?"]);
    let detail: Value = asked.event("run_ended")["error"]["model"]["detail"].clone();
    let said = detail[spoken.code].as_str().unwrap();
    assert_ne!(detail["en"], detail[spoken.code]);
    assert!(spoken.has(said), "{detail}");
    assert!(told.stderr.contains(said), "{}", told.stderr);
}
