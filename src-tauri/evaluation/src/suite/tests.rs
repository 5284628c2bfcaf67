//! Suites of others load, or are refused by line and name; whatever is written in a file, reading it ends with a sentence.

use super::{BUILT_IN, load};
use proptest::prelude::*;
use shidi_locales::Language;
use shidi_protocol::UserError;
use std::path::{Path, PathBuf};

fn english() -> Language {
    Language::of(Some("en"))
}

fn loaded(name: &str, text: &str) -> Result<super::Suite, UserError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    load(&file, english())
}

#[test]
fn every_suite_that_comes_along_can_be_read_and_says_of_each_task_what_it_is_and_in_which_language() {
    for name in BUILT_IN {
        let suite = load(Path::new(name), english()).unwrap();
        assert!(suite.cases.len() >= 30, "{name}");
        for case in &suite.cases {
            let word = |key: &str| case.metadata.get(key).and_then(serde_json::Value::as_str);
            let is_told = ["language", "area"].iter().all(|key| word(key).is_some());
            assert!(is_told && !case.checks.is_empty(), "{name}: {}", case.name);
        }
    }
}

/// The first line of each sample says `loads TASKS`, or `refused LINE NAME`.
#[test]
fn twenty_suites_of_others_load_or_name_the_line_that_is_not_supported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/evaluation/promptfoo");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut suites: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    suites.sort();
    assert_eq!(suites.len(), 20);
    for path in suites {
        let text = std::fs::read_to_string(&path).unwrap();
        let head: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
        for language in Language::ALL {
            match (head[1], load(&path, *language)) {
                ("loads", Ok(suite)) => {
                    assert_eq!(suite.cases.len().to_string(), head[2], "{}", path.display())
                }
                ("refused", Err(error)) => {
                    let place = format!("{}:{}:", path.display(), head[2]);
                    assert!(
                        error.message.starts_with(&place) && error.message.contains(head[3]),
                        "{error:?}"
                    );
                    assert!(error.hint.is_some(), "{error:?}");
                }
                (_, outcome) => {
                    unreachable!("{}: {:?}", path.display(), outcome.map(|suite| suite.cases.len()))
                }
            }
        }
    }
}

#[test]
fn defaults_variables_and_rows_become_tasks() {
    let suite = loaded(
        "s.yaml",
        "prompts: ['{{a}} {{b}}', 'again {{a}}']\ndefaultTest: {vars: {b: 2}, assert: [{type: is-json}]}\n\
         tests:\n  - {description: one, vars: {a: [x, y]}, assert: [{type: contains, value: '{{a}}!'}]}\n",
    )
    .unwrap();
    let said: Vec<&str> = suite.cases.iter().map(|case| case.turns[0].as_str()).collect();
    assert_eq!(said, ["x 2", "again x", "y 2", "again y"]);
    let names: Vec<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["one", "one (2)", "one (3)", "one (4)"]);
    assert_eq!(suite.cases[0].checks.len(), 2);
    let table = loaded(
        "t.csv",
        "question,__expected,__metadata:area\nwhy?,contains: x,a\n",
    )
    .unwrap();
    assert_eq!(
        (table.cases[0].turns[0].as_str(), table.cases[0].checks.len()),
        ("why?", 1)
    );
    assert_eq!(table.cases[0].metadata["area"], "a");
}

#[test]
fn mistakes_are_told_with_their_place_and_a_remedy() {
    let head = "prompts: ['{{q}}']\ntests:\n  - vars: {q: hi}\n";
    let cases = [
        ("    asert: []\n", ":4:5:", "assert"),
        (
            "    assert: [{type: regex, value: '(?=a)'}]\n",
            ":4:",
            "look-around",
        ),
        ("    assert: [{type: contains, value: x, turn: 2}]\n", ":4:", "1"),
        ("    assert: [{type: file, path: a}]\n", ":4:", "exists"),
        ("    shidi: {files: {'../a': x}}\n", ":4:", "notes"),
        ("    shidi: {mode: yolo}\n", ":4:", "trust"),
        (
            "    assert: [{type: llm-rubric, value: file:///etc/passwd}]\n",
            ":4:",
            "beside",
        ),
    ];
    for (text, place, word) in cases {
        let error = loaded("s.yaml", &format!("{head}{text}")).unwrap_err();
        assert!(error.message.contains(place), "{error:?}");
        let whole = format!("{} {}", error.message, error.hint.unwrap_or_default());
        assert!(whole.contains(word), "{whole}");
    }
    assert!(loaded("s.yaml", "").is_err() && loaded("s.yaml", "[1]").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_question_comes_through_as_it_is_written(question in "[\\PC&&[^{}%#]]{1,60}") {
        let text = serde_json::json!({"tests": [{"vars": {"question": question.clone()}}]}).to_string();
        let suite = loaded("s.json", &text).unwrap();
        prop_assert_eq!(&suite.cases[0].turns[0], &question);
    }

    #[test]
    fn any_row_of_a_table_is_a_task_or_a_sentence(cells in prop::collection::vec("\\PC{0,20}", 1..5)) {
        let text = format!("question,__expected\n{}\n", cells.join(","));
        if let Err(error) = loaded("t.csv", &text) {
            prop_assert!(error.message.contains("t.csv:"), "{:?}", error);
        }
    }

    #[test]
    fn whatever_stands_in_a_check_reading_it_ends_with_a_place(
        kind in "(not-)?(contains|number|regex|file|calls|variable|python|trajectory:step-count)",
        value in "\\PC{0,12}|[0-9]{1,3}|\\{min: 1\\}|\\[a, b\\]",
    ) {
        let text = format!("tests:\n  - vars: {{question: x}}\n    assert:\n      - type: {kind}\n        value: {value}\n");
        if let Err(error) = loaded("s.yaml", &text) {
            prop_assert!(error.message.contains("s.yaml:"), "{:?}", error);
        }
    }
}
