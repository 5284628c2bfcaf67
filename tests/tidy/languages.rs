//! Sentences stand in the catalogue and not in the code: production Rust holds Chinese only where it reads it.

use crate::repository::{expect_none, files, root, text};
use crate::texts::is_test;
use std::collections::BTreeMap;

/// Files and folders whose Chinese is read or matched, never said, each with its reason.
const READERS: &[(&str, &str)] = &[
    (
        "src-tauri/agent/src/areas/evaluation.rs",
        "words by which an answer admits a failure",
    ),
    (
        "src-tauri/agent/src/areas/fast_model.rs",
        "words that point at something said before",
    ),
    ("src-tauri/agent/src/formats/", "colons after the tags of formats"),
    (
        "src-tauri/agent/src/forms/answering.rs",
        "yes, no and separators as people write them",
    ),
    ("src-tauri/agent/src/memory_injection.rs", "where sentences end"),
    (
        "src-tauri/agent/src/rendering.rs",
        "colons after the names of roles",
    ),
    ("src-tauri/capture/src/content.rs", "words that name an error"),
    ("src-tauri/cli/src/console.rs", "yes as people type it"),
    (
        "src-tauri/cli/src/follow/prompt.rs",
        "answers to an approval as people type them",
    ),
    (
        "src-tauri/memory/src/experience/teaching.rs",
        "marks between words of a goal",
    ),
    (
        "src-tauri/memory/src/extract.rs",
        "how questions end, and where words do",
    ),
    (
        "src-tauri/memory/src/statement_rules.rs",
        "marks between statements",
    ),
    ("src-tauri/memory/src/statement_rules/", "forms of statements"),
    ("src-tauri/models/src/completions.rs", "a model's own tokens"),
    ("src-tauri/models/src/failure.rs", "what providers answer"),
    (
        "src-tauri/models/src/offline/",
        "questions in the two languages that the planner reads, and the programs that answer them",
    ),
    ("src-tauri/senses/src/privacy_filter.rs", "titles of windows"),
    ("src-tauri/senses/src/privacy_filter/", "forms of secrets"),
    (
        "src-tauri/shell/src/keys/combination.rs",
        "names of keys on a keyboard",
    ),
    (
        "src-tauri/store/src/recall/tense.rs",
        "words that tell past from present",
    ),
    ("src-tauri/store/src/search/passages.rs", "where sentences end"),
    (
        "src-tauri/toolkits/src/attachments/word.rs",
        "the style of headings in Word",
    ),
    (
        "src-tauri/toolkits/src/knowledge.rs",
        "words that call a document out of date",
    ),
    (
        "src-tauri/toolkits/src/knowledge/",
        "where sentences end, and fields of records",
    ),
    (
        "src-tauri/trace/src/redaction.rs",
        "names of fields that hold secrets",
    ),
];

#[test]
fn no_sentence_for_people_stands_in_the_code() {
    let mut findings = Vec::new();
    let mut met = vec![false; READERS.len()];
    for name in files() {
        let is_production = name.starts_with("src-tauri/") && name.ends_with(".rs") && !is_test(&name);
        let Some(text) = text(&name).filter(|_| is_production) else {
            continue;
        };
        let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (index, line) in production.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if !code.chars().any(is_chinese) {
                continue;
            }
            match READERS.iter().position(|(reader, _)| name.starts_with(reader)) {
                Some(reader) => met[reader] = true,
                None => findings.push(format!("{name}:{}: {}", index + 1, line.trim())),
            }
        }
    }
    expect_none("Chinese beside the catalogue in assets/locales", &findings);
    let idle = READERS.iter().zip(met).filter(|(_, met)| !met);
    let idle: Vec<String> = idle.map(|((reader, _), _)| (*reader).to_owned()).collect();
    expect_none("Readers that read no Chinese any more", &idle);
}

#[test]
fn files_of_the_catalogue_are_sorted_by_their_keys() {
    let mut findings = Vec::new();
    let is_ours = |name: &&String| name.starts_with("assets/locales/") && !name.contains("/windows_");
    for name in files().iter().filter(is_ours) {
        let text = text(name).unwrap();
        let entries: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
        let sorted = serde_json::to_string_pretty(&entries).unwrap() + "\n";
        if text != sorted {
            std::fs::write(root().join(name), sorted).unwrap();
            findings.push(format!("{name}: sorted now"));
        }
    }
    expect_none("Files whose keys were in another order", &findings);
}

/// A character of Chinese, or a mark that stands in Chinese sentences.
fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}
