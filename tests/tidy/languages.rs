//! Sentences stand in the catalogue and not in the code: production Rust holds Chinese only where it reads it, and nothing asks
//! which language it is.

use crate::repository::{expect_none, files, root, text};
use crate::texts::is_test;
use std::collections::BTreeMap;

/// Files and folders whose Chinese is read or matched, never said, each with its reason.
const READERS: &[(&str, &str)] = &[
    (
        "src-tauri/agent/src/tool_index.rs",
        "words that ask for a toolkit",
    ),
    (
        "src-tauri/agent/src/prompt/small.rs",
        "words that ask for a file to be made or changed, or speak of a table",
    ),
    (
        "src-tauri/schedule/src/events.rs",
        "words for files that change and jobs that end",
    ),
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
        "src-tauri/agent/src/forms/",
        "yes, no and separators as people write them",
    ),
    ("src-tauri/agent/src/memory_injection.rs", "where sentences end"),
    (
        "src-tauri/agent/src/parameters/",
        "numbers, days, agreement and marks of questions as people write them",
    ),
    ("src-tauri/agent/src/parameters.rs", "the mark of a question"),
    ("src-tauri/agent/src/suggestion.rs", "the mark of a question"),
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
        "src-tauri/evaluation/src/numbers.rs",
        "units and digits of numbers",
    ),
    (
        "src-tauri/executor/src/arguments/said.rs",
        "words that make another number of one beside them",
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
    (
        "src-tauri/protocol/src/secret_name.rs",
        "names that tell of a secret",
    ),
    (
        "src-tauri/schedule/src/chinese.rs",
        "words that people say times with",
    ),
    (
        "src-tauri/schedule/src/places.rs",
        "places that people say in the stead of a time zone",
    ),
    (
        "src-tauri/schedule/src/zones.rs",
        "words around the name of a time zone",
    ),
    ("src-tauri/senses/src/privacy_filter.rs", "titles of windows"),
    ("src-tauri/senses/src/privacy_filter/", "forms of secrets"),
    ("src-tauri/space/src/keys.rs", "names of keys on a keyboard"),
    ("src-tauri/space/src/scan.rs", "orders to pass over the user"),
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
];

/// Files and folders that name a language, each with its reason. Whatever else does would have to be changed for a third one.
const NAMING: &[(&str, &str)] = &[
    (
        "src-tauri/evaluation/src/prose.rs",
        "a check of the language that an answer is in, which two languages have",
    ),
    (
        "src-tauri/evaluation/src/suite/kinds.rs",
        "the languages of that check, as suites write them",
    ),
    (
        "src-tauri/locales/build/",
        "the language that says which sentences there are, and how languages count",
    ),
    (
        "src-tauri/models/src/offline/",
        "the planner, which reads two languages and answers in the one it read",
    ),
    (
        "src-tauri/protocol/src/error/earlier.rs",
        "a form of before, in which one language had a field of its own",
    ),
    (
        "src-tauri/workflow/src/samples.rs",
        "the languages in which workflows come along, each a file that is built in",
    ),
    (
        "ui/companion/reader/language.js",
        "the languages that pages are written in",
    ),
    ("ui/companion/words.js", "the language of everybody else"),
    ("ui/src/backend/", "scenes, which are told in two languages"),
    ("ui/src/i18n/catalogue.ts", "the language of everybody else"),
];

/// How code names a language: the code as a text or a field of its own, or the enum's variant.
const NAMES: &[&str] = &[
    "Language::Zh",
    "Language::En",
    "\"zh\"",
    "\"en\"",
    "'zh'",
    "'en'",
    "`zh`",
    "`en`",
    "'zh-",
    "'en-",
    "zh_CN",
    "_zh:",
    ".zh ",
    ".zh}",
    ".en}",
    ".zh,",
    ".en,",
];

/// The companion's copy of its sentences: a browser loads the folder as it lies there.
const COMPANION: &str = "ui/companion/sentences.js";

/// The lines of a production file that hold code, numbered from 1.
fn lines_of_code(name: &str, text: &str) -> Vec<(usize, String)> {
    let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_comment = |line: &str| {
        ["//", "*", "/*", "<!--"]
            .iter()
            .any(|sign| line.trim_start().starts_with(sign))
    };
    let code = |line: &str| match name.ends_with(".rs") {
        true => line.split("//").next().unwrap_or_default().to_owned(),
        false => line.to_owned(),
    };
    let lines = production
        .lines()
        .enumerate()
        .filter(|(_, line)| !is_comment(line));
    lines.map(|(index, line)| (index + 1, code(line))).collect()
}

fn is_code(name: &str) -> bool {
    let is_rust = name.starts_with("src-tauri/") && name.ends_with(".rs");
    let is_windows = (name.starts_with("ui/src/") || name.starts_with("ui/companion/"))
        && [".ts", ".js", ".svelte"].iter().any(|end| name.ends_with(end))
        && !name.starts_with("ui/src/bindings/")
        && name != COMPANION;
    (is_rust || is_windows) && !is_test(name) && !name.contains("/examples/")
}

#[test]
fn no_code_asks_which_language_it_is() {
    let mut findings = Vec::new();
    let mut met = vec![false; NAMING.len()];
    for name in files().iter().filter(|name| is_code(name)) {
        let Some(text) = text(name) else { continue };
        for (number, line) in lines_of_code(name, &text) {
            if !NAMES.iter().any(|written| line.contains(written)) {
                continue;
            }
            match NAMING.iter().position(|(naming, _)| name.starts_with(naming)) {
                Some(naming) => met[naming] = true,
                None => findings.push(format!("{name}:{number}: {}", line.trim())),
            }
        }
    }
    expect_none("Languages that are named beside the catalogue", &findings);
    let idle = NAMING.iter().zip(met).filter(|(_, met)| !met);
    let idle: Vec<String> = idle.map(|((naming, _), _)| (*naming).to_owned()).collect();
    expect_none("Files that name no language any more", &idle);
}

#[test]
fn the_companion_has_the_sentences_of_the_catalogue() {
    let mut sentences = BTreeMap::<String, BTreeMap<String, String>>::new();
    for name in files() {
        let language = name
            .strip_prefix("assets/locales/")
            .and_then(|name| name.strip_suffix("/companion.json"));
        if let Some(language) = language {
            let table = serde_json::from_str(&text(&name).unwrap()).unwrap();
            sentences.insert(language.to_owned(), table);
        }
    }
    assert!(sentences.len() > 1, "{sentences:?}");
    let written = format!(
        "/** What the catalogue says for the companion: `assets/locales/<language>/companion.json`, written here by `tests/tidy`. */\n\n\
         /** @type {{Record<string, Record<string, string>>}} */\nexport const SENTENCES = {};\n",
        serde_json::to_string_pretty(&sentences).unwrap()
    );
    let path = root().join(COMPANION);
    if std::fs::read_to_string(&path).unwrap_or_default() != written {
        std::fs::write(path, written).unwrap();
        expect_none(
            "Sentences of the companion",
            &[format!("{COMPANION}: written anew now")],
        );
    }
}

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

/// A sentence that shows a form in which such a colon is written.
const WRITTEN_COLON: (&str, &str) = ("plugins.json", "write_map");

#[test]
fn a_colon_after_chinese_is_a_chinese_one() {
    let mut findings = Vec::new();
    for name in files().iter().filter(|name| name.starts_with("assets/locales/")) {
        let entries: BTreeMap<String, String> = serde_json::from_str(&text(name).unwrap()).unwrap();
        for (key, said) in entries {
            let mut colons = said.match_indices(": ");
            let is_other = colons.any(|(at, _)| said[..at].chars().next_back().is_some_and(is_chinese));
            if is_other && !(name.ends_with(WRITTEN_COLON.0) && key == WRITTEN_COLON.1) {
                findings.push(format!("{name}: {key}: {said}"));
            }
        }
    }
    expect_none("Chinese sentences with a colon of another script", &findings);
}

/// A character of Chinese, or a mark that stands in Chinese sentences.
fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}
