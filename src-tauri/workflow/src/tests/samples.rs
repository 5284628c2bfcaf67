//! What comes with the program is the same in every language, apart from its words.

use super::{told, workflow};
use crate::samples::TRANSLATED;
use crate::{Action, Call, SAMPLES, document, plugin_with, samples};
use serde_json::Value;
use shidi_locales::Language;

/// Keys whose texts are for people or models.
const WORDS: [&str; 6] = ["description", "example", "message", "prompt", "system", "code"];

/// The workflow without its words: of a text in which values stand, those are left.
fn skeleton(value: &Value) -> Value {
    match value {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, _)| *key != "description" && *key != "example")
            .map(|(key, value)| {
                let kept = match WORDS.contains(&key.as_str()) || key == "inputs" {
                    true => references(value),
                    false => skeleton(value),
                };
                (key.clone(), kept)
            })
            .collect(),
        Value::Array(items) => items.iter().map(skeleton).collect(),
        other => other.clone(),
    }
}

fn references(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let parts = text
                .split('{')
                .skip(1)
                .filter_map(|part| Some(part.split_once('}')?.0));
            parts.collect::<Vec<_>>().join(" ").into()
        }
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), references(value)))
            .collect(),
        Value::Array(items) => items.iter().map(references).collect(),
        other => other.clone(),
    }
}

/// Every text below a key of that name.
fn texts<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                match value {
                    Value::String(text) if name == key => found.push(text),
                    other => texts(other, key, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, key, found)),
        _ => {}
    }
}

fn is_chinese(text: &str) -> bool {
    text.chars()
        .any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

#[test]
fn every_language_has_every_workflow_with_the_same_steps() {
    let unnamed = |text: &str| {
        let read = workflow(text).unwrap_or_else(|faults| unreachable!("{}", told(&faults)));
        let mut written = document(&read);
        written.as_object_mut().unwrap().remove("name");
        skeleton(&written)
    };
    for (code, translated) in TRANSLATED {
        for ((name, source), (of, text)) in SAMPLES.iter().zip(translated) {
            assert_eq!(*name, of, "{code}");
            assert_eq!(unnamed(source), unnamed(text), "{code}: {name}");
        }
    }
}

/// The manifest of the plugin that comes along, in each language.
const MANIFESTS: [&str; 2] = [
    include_str!("../../../../plugins/en/customer-care/plugin.yaml"),
    include_str!("../../../../plugins/zh/customer-care/plugin.yaml"),
];

#[test]
fn the_plugin_of_each_tool_that_they_name_is_known_and_has_it() {
    let mut named = 0;
    for (name, text) in SAMPLES {
        let read = workflow(text).unwrap_or_else(|faults| unreachable!("{}", told(&faults)));
        for step in read.steps() {
            let Action::Call(Call::Plugin { plugin: tool }) = &step.action else {
                continue;
            };
            // The article's query of a knowledge base is a tool of the program itself.
            if tool == "plugin_ai_knowledge_base_query" {
                continue;
            }
            named += 1;
            assert_eq!(plugin_with(tool), Some("customer-care"), "{name}: {tool}");
            let declared = format!("  - name: {tool}\n");
            assert!(
                MANIFESTS.iter().all(|manifest| manifest.contains(&declared)),
                "{name}: {tool}"
            );
        }
    }
    assert_eq!(named, 3);
    assert_eq!(plugin_with("files.read"), None);
}

#[test]
fn whoever_reads_chinese_reads_no_english_in_them() {
    let chinese = samples(Language::named("zh"));
    assert_ne!(chinese, SAMPLES);
    assert_eq!(samples(Language::SOURCE), SAMPLES);
    for (name, text) in chinese {
        let read = workflow(text).unwrap_or_else(|faults| unreachable!("{}", told(&faults)));
        assert!(is_chinese(&read.name), "{name}");
        let written = document(&read);
        for key in ["description", "message", "prompt"] {
            let mut found = Vec::new();
            texts(&written, key, &mut found);
            // A value of that name is no text.
            for text in found.into_iter().filter(|text| !text.starts_with('{')) {
                assert!(is_chinese(text), "{name}: {text}");
            }
        }
    }
}
