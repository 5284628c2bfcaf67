//! What another agent left is taken where it is at the task, and refused by name where it is none.

use super::foreign_attempts;
use crate::checks::{Settled, settle};
use crate::suite::{Check, Suite};
use crate::trial::{Bytes, Trial};
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::UserError;
use std::path::Path;

const SUITE: &str = "prompts: ['{{q}}']\ntests:\n  - description: sum\n    vars: {q: add}\n    shidi: {files: {a.csv: '4'}}\n    \
                     assert: [{type: number, value: 42}]\n  - description: sky\n    vars: {q: colour}\n    \
                     assert: [{type: contains, value: blue}]\n";

fn english() -> Language {
    Language::of(Some("en"))
}

fn suite() -> Suite {
    crate::read("s.yaml", SUITE, english()).unwrap()
}

/// An attempt at the task `sum`.
fn attempt(agent: &str, number: u32) -> Value {
    let trial = Trial {
        answers: vec!["42".to_owned()],
        before: [("a.csv".to_owned(), Bytes(b"4".to_vec()))].into(),
        ..Trial::default()
    };
    json!({"form": 1, "agent": agent, "task": "sum", "attempt": number, "said": ["add"], "trial": trial, "turns": []})
}

fn write(folder: &Path, name: &str, attempt: &Value) {
    std::fs::write(folder.join(name), attempt.to_string()).unwrap();
}

fn refused(text: &str) -> UserError {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.json"), text).unwrap();
    foreign_attempts(folder.path(), &suite(), english()).unwrap_err()
}

#[test]
fn attempts_come_in_the_order_of_the_suite_and_name_who_made_them() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "1.json", &attempt("other", 2));
    write(folder.path(), "2.json", &attempt("other", 1));
    write(folder.path(), "3.json", &attempt("another", 1));
    std::fs::write(folder.path().join("half.part"), "{").unwrap();
    let found = foreign_attempts(folder.path(), &suite(), english()).unwrap();
    let order: Vec<_> = found
        .attempts
        .iter()
        .map(|(place, attempt)| (*place, attempt.agent.as_str(), attempt.attempt))
        .collect();
    assert_eq!(order, [(0, "another", 1), (0, "other", 1), (0, "other", 2)]);
    assert_eq!(found.agents(), ["another", "other"]);
    assert_eq!((found.outdated, found.untried), (0, vec!["sky".to_owned()]));
}

#[test]
fn an_attempt_at_a_task_that_was_another_one_then_is_left_out() {
    let changes: [(&str, Value); 2] = [
        ("/said", json!(["add and subtract"])),
        ("/trial/before/a.csv", json!("NQ==")),
    ];
    for (place, value) in changes {
        let folder = tempfile::tempdir().unwrap();
        let mut other = attempt("other", 1);
        *other.pointer_mut(place).unwrap() = value;
        write(folder.path(), "1.json", &other);
        write(folder.path(), "2.json", &attempt("other", 2));
        let found = foreign_attempts(folder.path(), &suite(), english()).unwrap();
        assert_eq!((found.attempts.len(), found.outdated), (1, 1), "{place}");
    }
}

#[test]
fn a_file_that_is_no_attempt_is_refused_by_its_name() {
    let form = attempt("other", 1)
        .to_string()
        .replace("\"form\":1", "\"form\":2");
    for text in [
        "{",
        "[]",
        r#"{"agent": "other"}"#,
        &form,
        &attempt(" ", 1).to_string(),
    ] {
        let error = refused(text);
        assert!(error.message.contains("x.json"), "{error:?}");
        assert!(error.hint.is_some(), "{error:?}");
    }
}

#[test]
fn a_broken_attempt_is_told_by_its_place_and_not_in_the_words_of_a_library() {
    let whole = || attempt("other", 1);
    let with = |key: &str, value: Value| {
        let mut changed = whole();
        changed[key] = value;
        changed.to_string()
    };
    let mut without_trial = whole();
    without_trial.as_object_mut().unwrap().remove("trial");
    for (text, expected) in [
        ("{\n  \"form\": 1,\n".to_owned(), "line 3: it is no JSON"),
        (String::new(), "line 1: it is no JSON"),
        ("{\"form\": 1".to_owned(), "line 1, column 10: it is no JSON"),
        ("[]".to_owned(), "Keys and values belong here"),
        (without_trial.to_string(), "'trial' is missing"),
        (with("form", json!("a")), "'form' is \"a\", and 1 is known"),
        (with("attempt", json!(0)), "'attempt' is a whole number from 1 on"),
        (
            with("attempt", json!("1")),
            "'attempt' is a whole number from 1 on",
        ),
        (with("said", json!("add")), "'said': A list"),
        (with("score", json!(1)), "'score' has no meaning here"),
        (with("trial", json!({})), "'trial.answers' is missing"),
    ] {
        let error = refused(&text);
        assert!(error.message.contains(expected), "{text}: {error:?}");
        assert!(error.message.contains("x.json"), "{error:?}");
        for raw in ["struct", "Object", " at line "] {
            assert!(!error.message.contains(raw), "{error:?}");
        }
    }
}

#[test]
fn a_broken_field_within_an_attempt_is_refused_by_its_name() {
    let call = json!({"turn": 1, "tool": "files.list", "args": {}, "ok": true});
    for (place, value, expected) in [
        ("/trial/ms", json!("5"), "'trial.ms': A whole number"),
        ("/trial/late", json!(0), "'trial.late': True or false"),
        (
            "/trial/status",
            json!("good"),
            "'trial.status': There are: completed",
        ),
        ("/trial/answers", json!([42]), "'trial.answers[0]': A text"),
        (
            "/trial/answers",
            json!(["4", "2"]),
            "more answers than 'said' has turns",
        ),
        (
            "/trial/asked_in",
            json!([2]),
            "'trial.asked_in[0]': A whole number from 1 to 1",
        ),
        (
            "/trial/calls",
            json!([call, {"turn": 1}]),
            "'trial.calls[1].tool' is missing",
        ),
        (
            "/trial/before/a.csv",
            json!("no base64"),
            "'trial.before.a.csv': Bytes in base64",
        ),
        (
            "/trial/usage/input",
            json!(-1),
            "'trial.usage.input': A whole number",
        ),
    ] {
        let mut broken = attempt("other", 1);
        *broken.pointer_mut(place).unwrap() = value;
        let error = refused(&broken.to_string());
        assert!(error.message.contains(expected), "{place}: {error:?}");
        assert!(error.message.contains("x.json"), "{error:?}");
    }
    let mut misspelt = attempt("other", 1);
    misspelt["trial"]["resaon"] = json!("none");
    let error = refused(&misspelt.to_string());
    assert!(
        error.message.contains("'trial.resaon' has no meaning here"),
        "{error:?}"
    );
    let mut late = attempt("other", 1);
    late["trial"]["calls"] = json!([{"turn": 0, "tool": "files.list", "args": {}, "ok": true}]);
    let error = refused(&late.to_string());
    assert!(error.message.contains("'trial.calls[0].turn'"), "{error:?}");
}

#[test]
fn two_files_of_the_same_attempt_are_refused_and_both_are_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "1.json", &attempt("other", 1));
    write(folder.path(), "copy.json", &attempt("other", 1));
    let error = foreign_attempts(folder.path(), &suite(), english()).unwrap_err();
    for part in ["1.json", "copy.json", "attempt 1 of other at sum"] {
        assert!(error.message.contains(part), "{error:?}");
    }
    assert!(error.hint.unwrap().contains("a number of its own"));
    // Another agent's first attempt is another one.
    write(folder.path(), "copy.json", &attempt("another", 1));
    let found = foreign_attempts(folder.path(), &suite(), english()).unwrap();
    assert_eq!(found.attempts.len(), 2);
}

#[test]
fn an_attempt_at_no_task_of_the_suite_is_told_with_its_file_and_what_the_player_notes_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mut noted = attempt("other", 1);
    noted["conditions"] = json!({"model": "m"});
    write(folder.path(), "1.json", &noted);
    let mut strange = attempt("other", 1);
    strange["task"] = json!("summ");
    write(folder.path(), "2.json", &strange);
    let found = foreign_attempts(folder.path(), &suite(), english()).unwrap();
    assert_eq!(found.attempts.len(), 1);
    assert_eq!(found.elsewhere, [("2.json".to_owned(), "summ".to_owned())]);
}

#[test]
fn a_folder_without_an_attempt_at_the_suite_is_refused() {
    let other = attempt("other", 1)
        .to_string()
        .replace("\"task\":\"sum\"", "\"task\":\"rest\"");
    let error = refused(&other);
    assert!(error.message.contains("No attempt"), "{error:?}");
    assert!(error.hint.unwrap().contains("word for word"));
    let nowhere = foreign_attempts(Path::new("no/such/folder"), &suite(), english()).unwrap_err();
    assert!(nowhere.message.contains("no/such/folder"), "{nowhere:?}");
    assert!(nowhere.hint.unwrap().contains("Name the folder"));
}

/// The sample is what `tests/evaluation/peer/play.py` left with a scripted model.
#[test]
fn an_attempt_of_the_peer_is_read_and_judged_by_the_checks_of_its_task() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/evaluation/peer/sample");
    let suite = crate::load(Path::new("everyday-tuning"), english()).unwrap();
    let found = foreign_attempts(&folder, &suite, english()).unwrap();
    assert_eq!((found.attempts.len(), found.untried.len()), (1, 59));
    let (place, attempt) = &found.attempts[0];
    let case = &suite.cases[*place];
    assert_eq!(case.name, "en-files-settings-json");
    assert_eq!(attempt.trial.calls[0].tool, "files.write");
    let mut other = attempt.trial.clone();
    other.after.clear();
    for check in &case.checks {
        let Check::One(assertion) = check else {
            unreachable!("the task has no set");
        };
        for (trial, holds) in [(&attempt.trial, true), (&other, false)] {
            let Settled::Now(finding) = settle(assertion, case, trial) else {
                unreachable!("the check wants no judge");
            };
            assert_eq!(finding.holds, holds);
        }
    }
}
