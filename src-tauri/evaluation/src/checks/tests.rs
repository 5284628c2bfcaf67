//! Every check is judged on attempts that are known to be right or wrong.

use super::*;
use crate::suite::Check;
use crate::trial::{Bytes, TrialCall, TrialSegment, TrialVariable};
use std::path::Path;

fn case(asserted: &str) -> Case {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.yaml");
    let text = format!(
        "prompts: ['{{{{q}}}}']\ntests:\n  - vars: {{q: why}}\n    shidi: {{turns: [more]}}\n    assert:\n      - {asserted}\n"
    );
    std::fs::write(&file, text).unwrap();
    let mut suite = crate::load(&file, Language::of(Some("en"))).unwrap();
    suite.cases.remove(0)
}

fn trial() -> Trial {
    let call = |turn, tool: &str, args: Value| TrialCall {
        turn,
        tool: tool.to_owned(),
        args: args.as_object().unwrap().clone(),
        ok: true,
    };
    let file = |text: &str| Bytes(text.as_bytes().to_vec());
    Trial {
        answers: vec![
            "Which one?".to_owned(),
            "The total is 1,200.5 € {\"a\": 1}".to_owned(),
        ],
        asked_in: vec![1],
        calls: vec![
            call(1, "files.list", json!({})),
            call(2, "files.read", json!({"path": "a.txt", "limit": 5})),
        ],
        segments: vec![TrialSegment {
            turn: 2,
            kind: "express".to_owned(),
            text: "The total".to_owned(),
        }],
        variables: [(
            "total".to_owned(),
            TrialVariable {
                kind: "float".to_owned(),
                value: json!(1200.5),
            },
        )]
        .into(),
        before: [("a.txt".to_owned(), file("x"))].into(),
        after: [
            ("a.txt".to_owned(), file("x")),
            ("b.csv".to_owned(), file("\u{feff}n,v\r\n\na, 12.50 \n")),
        ]
        .into(),
        ms: 900,
        ..Trial::default()
    }
}

fn holds(asserted: &str) -> bool {
    let case = case(asserted);
    let Check::One(assertion) = &case.checks[0] else {
        unreachable!()
    };
    match settle(assertion, &case, &trial()) {
        Settled::Now(finding) => assertion.outcome(finding, Language::of(Some("en"))).holds,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn checks_hold_where_the_result_is_right_and_nowhere_else() {
    let right = [
        "{type: contains, value: total}",
        "{type: icontains-all, value: [TOTAL, is]}",
        "{type: not-contains-any, value: [nothing, none]}",
        "{type: number, value: 1200, tolerance: 1}",
        "{type: regex, value: '(?i)the +TOTAL'}",
        "{type: starts-with, value: The}",
        "{type: contains-json, value: {required: [a]}}",
        "{type: not-is-json}",
        "{type: language, value: en}",
        "{type: asks, turn: 1}",
        "{type: not-asks}",
        "{type: not-gives-up}",
        "{type: word-count, value: {min: 4, max: 8}}",
        "{type: rouge-n, value: the total is, threshold: 0.9}",
        "{type: latency, threshold: 1000}",
        "{type: file, path: b.csv, csv: [[n, v], [a, '12.5']]}",
        "{type: file, path: c.txt, exists: false}",
        "{type: unchanged, paths: [a.txt]}",
        "{type: only-files, paths: [a.txt, b.csv]}",
        "{type: tool-used, value: files.read}",
        "{type: 'trajectory:tool-used', value: [files.list, 'files.r*']}",
        "{type: 'trajectory:tool-sequence', value: {steps: [files.list, files.read]}}",
        "{type: 'trajectory:tool-args-match', value: {name: files.read, args: {path: a.txt}}}",
        "{type: 'trajectory:step-count', value: {max: 2}}",
        "{type: calls, max: 1, turn: 2}",
        "{type: variable, name: total, value: 1200.5, kind: float}",
        "{type: segment, kind: express, value: total}",
    ];
    for asserted in right {
        assert!(holds(asserted), "{asserted}");
    }
    let wrong = [
        "{type: equals, value: total}",
        "{type: number, value: 1199}",
        "{type: language, value: zh}",
        "{type: file, path: c.txt, contains: x}",
        "{type: unchanged, paths: [b.csv]}",
        "{type: only-files, paths: [a.txt]}",
        "{type: 'trajectory:tool-args-match', value: {name: files.read, args: {path: a.txt}, mode: exact}}",
        "{type: 'trajectory:tool-sequence', value: [files.read, files.list]}",
        "{type: calls, tool: shell.*, min: 1}",
        "{type: variable, name: total, kind: str}",
        "{type: cost, threshold: 1}",
    ];
    for asserted in wrong {
        assert!(!holds(asserted), "{asserted}");
    }
}

/// What is written of a check that does not hold.
fn told(asserted: &str) -> String {
    let case = case(asserted);
    let Check::One(assertion) = &case.checks[0] else {
        unreachable!()
    };
    match settle(assertion, &case, &trial()) {
        Settled::Now(finding) => assertion.outcome(finding, Language::of(Some("en"))).reason,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn what_a_file_should_have_been_is_told_as_the_suite_writes_it() {
    for (want, expected) in [
        ("json: {a: 1, b: [x]}", "c.txt json: {\"a\":1,\"b\":[\"x\"]}"),
        ("equals: \"one\\ntwo\"", "c.txt equals: \"one\\ntwo\""),
        ("contains: one", "c.txt contains: \"one\""),
        ("lines: [one]", "c.txt lines: [\"one\"]"),
        ("csv: [[n, '1']]", "c.txt csv: [[\"n\",\"1\"]]"),
        ("number: 4, tolerance: 0.5", "c.txt number: 4 ± 0.5"),
        ("exists: true", "c.txt exists: true"),
    ] {
        let reason = told(&format!("{{type: file, path: c.txt, {want}}}"));
        assert_eq!(reason, format!("wanted {expected}; there is c.txt: –"), "{want}");
    }
    let long = told(&format!(
        "{{type: file, path: c.txt, equals: {}}}",
        "x".repeat(500)
    ));
    assert!(long.chars().count() < 200 && long.contains('…'), "{long}");
}

#[test]
fn programs_and_judges_are_read_in_the_forms_that_they_have() {
    let program =
        |value: Value, threshold| finding_of_program(&value, threshold).map(|finding| finding.holds);
    assert_eq!(program(json!(true), None), Some(true));
    assert_eq!(program(json!(0.4), Some(0.5)), Some(false));
    assert_eq!(program(json!({"pass": true, "score": 0.2}), None), Some(true));
    assert_eq!(program(json!("yes"), None), None);
    let judged = finding_of_model(
        "It does.\n{\"pass\": false, \"score\": 0.1, \"reason\": \"no\"}",
        None,
    );
    assert_eq!(judged.map(|finding| finding.holds), Some(false));
    assert_eq!(finding_of_model("fine", None), None);
    let asks_a_model = case("{type: llm-rubric, value: is short}");
    let Check::One(assertion) = &asks_a_model.checks[0] else {
        unreachable!()
    };
    assert!(
        matches!(settle(assertion, &asks_a_model, &trial()), Settled::Question(text) if text.contains("is short"))
    );
}

/// The samples say of every everyday task which answers are right and which are wrong; `check.py` reads them, too.
#[test]
fn everyday_tasks_are_judged_as_their_samples_say() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/evaluation");
    let mut judged = 0;
    for half in ["held-out", "tuning"] {
        let suite = crate::load(Path::new(&format!("everyday-{half}")), Language::of(Some("en"))).unwrap();
        assert_eq!(suite.cases.len(), 60);
        let text = std::fs::read_to_string(samples.join(format!("samples-{half}.yaml"))).unwrap();
        let samples: Value = serde_saphyr::from_str(&text).unwrap();
        for case in &suite.cases {
            let sample = &samples[&case.name];
            for (key, wanted) in [("right", true), ("wrong", false)] {
                for item in sample[key].as_array().into_iter().flatten() {
                    let Some(trial) = sampled(case, sample, item, wanted) else {
                        continue;
                    };
                    assert_eq!(passes(case, &trial), wanted, "{} {item}", case.name);
                    judged += 1;
                }
            }
            assert!(
                !passes(
                    case,
                    &Trial {
                        answers: vec![String::new(); case.turns.len()],
                        ..Trial::default()
                    }
                ),
                "{}",
                case.name
            );
        }
    }
    assert!(judged > 300, "{judged}");
}

/// `None` where a file is made by a program, which nothing here runs.
fn sampled(case: &Case, sample: &Value, item: &Value, right: bool) -> Option<Trial> {
    let mut before = std::collections::BTreeMap::new();
    for (name, content) in &case.setup.files {
        match content {
            crate::Content::Bytes(bytes) => drop(before.insert(name.clone(), Bytes(bytes.clone()))),
            crate::Content::Python(_) => return None,
        }
    }
    let (answer, own_files, earlier) = match item {
        Value::String(answer) => (answer.as_str(), &sample["files"], &sample["earlier"]),
        item => {
            let or = |key: &str| {
                if item[key].is_null() {
                    &sample[key]
                } else {
                    &item[key]
                }
            };
            (
                item["answer"].as_str().unwrap_or_default(),
                if item["files"].is_null() && right {
                    &sample["files"]
                } else {
                    &item["files"]
                },
                or("earlier"),
            )
        }
    };
    let mut after = before.clone();
    if right || item.is_object() {
        for (name, text) in own_files.as_object().into_iter().flatten() {
            after.insert(name.clone(), Bytes(text.as_str()?.as_bytes().to_vec()));
        }
    }
    let mut answers: Vec<String> = earlier
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect();
    answers.resize(case.turns.len() - 1, String::new());
    answers.push(answer.to_owned());
    Some(Trial {
        answers,
        before,
        after,
        ..Trial::default()
    })
}

fn passes(case: &Case, trial: &Trial) -> bool {
    case.checks.iter().all(|check| match check {
        Check::One(assertion) => match settle(assertion, case, trial) {
            // Samples have no calls.
            Settled::Now(_) if matches!(assertion.kind, Kind::ToolsUsed(_)) => true,
            Settled::Now(finding) => finding.holds != assertion.negated,
            Settled::Program(_) | Settled::Question(_) => false,
        },
        Check::Set(_) => false,
    })
}
