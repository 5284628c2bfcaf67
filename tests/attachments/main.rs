//! The corpus of attachments: every file as a user attaches it, against what it was made to say.
//!
//! `make.py` wrote files and expectations from the same strings; nothing here knows how a format is parsed. Large files
//! are made by the tests themselves: small ones with `make test`, the large ones with `make soak`.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

mod bounds;

use serde_json::Value;
use shidi_tests::command::Desk;
use std::fmt::Write as _;
use std::path::PathBuf;

fn corpus() -> PathBuf {
    shidi_tests::folder().join("attachments")
}

fn expected() -> Vec<Value> {
    let text = std::fs::read_to_string(corpus().join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn path_of(case: &Value) -> String {
    let path = corpus().join("files").join(case["file"].as_str().unwrap());
    path.to_str().unwrap().to_owned()
}

fn strings<'a>(case: &'a Value, field: &str) -> Vec<&'a str> {
    let list = case[field].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn every_file_of_the_corpus_is_told_apart_and_says_what_it_was_made_to_say() {
    let desk = Desk::new();
    let cases = expected();
    assert!(cases.len() >= 60, "only {} files", cases.len());
    let mut arguments = vec!["--json".to_owned(), "inspect".to_owned()];
    arguments.extend(cases.iter().map(path_of));
    let chips = desk.run(&arguments).json();
    assert_eq!(chips.len(), cases.len());
    let read = read_by_a_program(&desk, &cases);
    let mut wrong = String::new();
    let mut good = 0;
    for (case, chip) in cases.iter().zip(&chips) {
        let findings = findings(case, chip, &read);
        if findings.is_empty() {
            good += 1;
        } else {
            writeln!(wrong, "{}: {}", case["file"], findings.join("; ")).unwrap();
        }
    }
    println!("{good} of {} files are read as expected", cases.len());
    assert!(wrong.is_empty(), "{wrong}");
}

/// What is wrong with one file: its chip, its text, or a place in it.
fn findings(case: &Value, chip: &Value, read: &Value) -> Vec<String> {
    let mut findings = Vec::new();
    let mut differs = |what: &str, found: &Value, wanted: &Value| {
        if found != wanted {
            findings.push(format!("{what} is {found}, not {wanted}"));
        }
    };
    for field in ["kind", "format", "unit", "parts", "reason", "misnamed"] {
        let wanted = &case[field];
        if !wanted.is_null() && wanted != "any" {
            differs(field, &chip[field], wanted);
        }
    }
    let name = case["file"].as_str().unwrap();
    for (text, place) in case["places"].as_object().into_iter().flatten() {
        differs(
            &format!("the place of {text:?}"),
            &read[format!("{name}#{text}")],
            place,
        );
    }
    let preview = chip["preview"].as_str().unwrap();
    // A page in a folder is read as it is; what was attached is in the chip.
    let says = if case["format"] == "html" {
        preview
    } else {
        read[name].as_str().unwrap_or_default()
    };
    findings.extend(
        strings(case, "says")
            .into_iter()
            .filter(|text| !says.contains(text))
            .map(|text| format!("{text:?} is missing")),
    );
    findings.extend(
        strings(case, "absent")
            .into_iter()
            .filter(|text| says.contains(text))
            .map(|text| format!("{text:?} should not be there")),
    );
    if let Some([width, height]) = case["pixels"].as_array().map(Vec::as_slice) {
        let size = format!("{width} × {height} pixels");
        if !preview.contains(&size)
            || !chip["thumbnail"]
                .as_str()
                .is_some_and(|url| url.starts_with("data:image/"))
        {
            findings.push(format!("no {size} with a thumbnail"));
        }
    }
    findings
}

/// What a program gets: the text of each file under its name, and the place of each planted text.
fn read_by_a_program(desk: &Desk, cases: &[Value]) -> Value {
    let mut program = "found = {}\n".to_owned();
    for case in cases
        .iter()
        .filter(|case| case["says"].is_array() || case["places"].is_object())
    {
        let path = Value::from(path_of(case)).to_string();
        let mut ask = |key: &str, call: &str| {
            let key = Value::from(key).to_string();
            writeln!(program, "try:\n    found[{key}] = {call}").unwrap();
            writeln!(
                program,
                "except Exception as error:\n    found[{key}] = str(error)"
            )
            .unwrap();
        };
        let name = case["file"].as_str().unwrap();
        ask(name, &format!("await files.read(path={path})"));
        for (text, _) in case["places"].as_object().into_iter().flatten() {
            let pattern: String = text
                .chars()
                .map(|character| {
                    if character.is_ascii_punctuation() {
                        format!("\\{character}")
                    } else {
                        character.to_string()
                    }
                })
                .collect();
            let pattern = Value::from(pattern);
            ask(
                &format!("{name}#{text}"),
                &format!("(await files.grep(pattern={pattern}, path={path}))[0][\"place\"]"),
            );
        }
    }
    program.push_str("found\n");
    let folder = corpus().join("files");
    let printed = desk.run_with(
        ["--json", "exec", "--folder", folder.to_str().unwrap(), "-"],
        &program,
    );
    let result = printed.json().pop().unwrap();
    assert_eq!(result["ok"], true, "{result}");
    result["value"].clone()
}
