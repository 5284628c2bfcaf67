//! The published schema accepts what is read, and refuses what is not.

use super::{folder, workflow};
use crate::{ACTION_KEYS, COMMON, HEAD, SAMPLES, SCHEMA, STEP_TYPES, ValueType};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn tree(text: &str) -> Value {
    shidi_yaml::read(&"w.yaml".into(), text).unwrap().json()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_schema_accepts_the_samples_and_the_articles_form() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let menu = std::fs::read_to_string(folder("article/menu.yaml")).unwrap();
    let texts = SAMPLES.iter().map(|(_, text)| *text).chain([menu.as_str()]);
    for text in texts {
        let errors: Vec<String> = validator
            .iter_errors(&tree(text))
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}\n{text}");
    }
}

#[test]
fn the_schema_accepts_what_is_generated() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for seed in 0..60 {
        let written = crate::document(&super::generated::workflow(seed));
        let errors: Vec<String> = validator
            .iter_errors(&written)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}\n{written}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses_by_its_form() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let head = |steps: &str| format!("version: '1.0'\nname: n\nsteps:\n{steps}");
    let broken = [
        "name: n\nsteps: [{id: a, type: output, inputs: {a: 1}}]\n".to_owned(),
        "version: '2'\nname: n\nsteps: [{id: a, type: output, inputs: {a: 1}}]\n".to_owned(),
        "version: '1.0'\nname: n\nsteps: []\n".to_owned(),
        head("  - {type: output, inputs: {a: 1}}\n"),
        head("  - {id: a, type: outputt, inputs: {a: 1}}\n"),
        head("  - {id: a, type: output}\n"),
        head("  - {id: a, type: output, inputs: {a: 1}, tool: x}\n"),
        head("  - {id: a, type: llm, prompt: x}\n"),
        head("  - {id: a, type: tool, tool: x.y, retry: 99}\n"),
        head("  - {id: a, type: tool, tool: x.y, timeout: soon}\n"),
        head("  - {id: a, type: tool, tool: x.y, output: {name: error}}\n"),
        head("  - {id: a, type: tool, tool: x.y, output: {name: x, type: strr}}\n"),
        head("  - {id: a, type: branch, then: [{id: b, type: tool, tool: x.y}]}\n"),
        head("  - {id: a, type: loop, steps: [{id: b, type: tool, tool: x.y}]}\n"),
        head(
            "  - {id: a, type: loop, times: 2, output: {name: x}, steps: [{id: b, type: tool, tool: x.y}]}\n",
        ),
        head("  - {id: a, type: wait}\n"),
        head("  - {id: a, type: wait, for: 1m, until: x}\n"),
        head("  - {id: a, type: approval, message: 3}\n"),
        head("  - {id: a, type: tool, tool: x.y, on_error: retry}\n"),
    ];
    for text in broken {
        assert!(workflow(&text).is_err(), "{text}");
        assert!(!validator.is_valid(&tree(&text)), "{text}");
    }
}

#[test]
fn the_schema_knows_the_same_keys_as_the_reader() {
    let schema = schema();
    assert_eq!(keys(&schema["properties"]), HEAD.into_iter().collect());
    let types: BTreeSet<&str> = schema["$defs"]["value_type"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(types, ValueType::names().into_iter().collect());
    assert_eq!(
        schema["$defs"]["step"]["properties"]["type"]["enum"],
        json!(STEP_TYPES)
    );
    for (kind, own) in ACTION_KEYS {
        let step = &schema["$defs"][format!("step_{kind}")]["properties"];
        let known: BTreeSet<&str> = COMMON.iter().chain(own).copied().collect();
        let there = keys(step);
        assert!(there.is_subset(&known), "{kind}: {:?}", there.difference(&known));
        // Keys that the type does not have are refused by both.
        for key in known.difference(&there) {
            let text = format!("version: '1.0'\nname: n\nsteps:\n  - {{id: a, type: {kind}, {key}: 1}}\n");
            let faults = workflow(&text).unwrap_err();
            let is_named = faults.iter().any(|fault| matches!(&fault.problem, crate::Problem::KeyNotHere { key: named, .. } | crate::Problem::UnknownKey { key: named, .. } if named == key));
            assert!(is_named, "{kind}.{key}: {faults:?}");
        }
    }
}
