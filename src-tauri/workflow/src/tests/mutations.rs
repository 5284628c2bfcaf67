//! Files that somebody broke: each is refused by one sentence with its line, and no bytes make the reader panic.

use super::importing::files;
use super::{folder, workflow};
use crate::problem::Fault;
use crate::{SAMPLES, import, read};
use proptest::prelude::*;
use shidi_locales::Language;
use std::collections::BTreeSet;

/// Files that are wrong, at least.
const MALFORMED: usize = 1_000;
/// The same of other programs' files.
const MALFORMED_IMPORTS: usize = 200;
/// Tries after which there must be as many.
const TRIES_MAX: u64 = 20_000;

/// Numbers that look drawn, the same ones at each run.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self, below: usize) -> usize {
        // Knuth's constants for 64 bits.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

fn mutated(text: &str, draw: &mut Draw) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = draw.next(lines.len());
    let Some(line) = lines.get(at).cloned() else {
        return "[".to_owned();
    };
    match draw.next(10) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, line),
        2 => lines[at] = format!(" {line}"),
        3 => lines[at] = line.trim_start().to_owned(),
        4 => lines[at] = line.replace(':', ""),
        5 => lines[at] = line.replacen('\'', "", 1),
        6 => lines[at] = line.replace('{', "{{"),
        7 => lines[at] = line.chars().rev().collect(),
        8 => {
            let letters: Vec<char> = line.chars().collect();
            let cut = draw.next(letters.len().max(1));
            lines.truncate(at + 1);
            lines[at] = letters[..cut.min(letters.len())].iter().collect();
        }
        _ => {
            let other = draw.next(lines.len());
            lines.swap(at, other);
        }
    }
    lines.join("\n")
}

/// Every fault is one sentence with a place in the file and a remedy, in each language.
fn are_told_well(faults: &[Fault], text: &str) {
    assert!(!faults.is_empty(), "{text}");
    let lines = text.lines().count() as u64 + 1;
    for fault in faults {
        let place = &fault.place;
        assert!(
            (1..=lines).contains(&place.line) && place.column >= 1,
            "{fault:?}\n{text}"
        );
        let at = format!("w.yaml:{}:{}", place.line, place.column);
        for language in Language::ALL {
            let error = fault.told(*language);
            let hint = error.hint.unwrap_or_default();
            assert!(
                error.message.starts_with(&at)
                    && error.message.lines().count() == 1
                    && !hint.trim().is_empty(),
                "{}\n{text}",
                error.message
            );
        }
    }
}

/// Breaks one of the texts in up to three places.
fn broken(texts: &[&str], draw: &mut Draw) -> String {
    let mut text = mutated(texts[draw.next(texts.len())], draw);
    for _ in 0..draw.next(3) {
        text = mutated(&text, draw);
    }
    text
}

#[test]
fn a_thousand_files_that_somebody_broke_are_each_refused_with_line_and_remedy() {
    let menu = std::fs::read_to_string(folder("article/menu.yaml")).unwrap();
    let mut sources: Vec<&str> = SAMPLES.iter().map(|(_, text)| *text).collect();
    sources.push(&menu);
    let mut draw = Draw(7);
    let mut refused: BTreeSet<String> = BTreeSet::new();
    for _ in 0..TRIES_MAX {
        let text = broken(&sources, &mut draw);
        let Err(faults) = workflow(&text) else { continue };
        are_told_well(&faults, &text);
        refused.insert(text);
        if refused.len() >= MALFORMED {
            return;
        }
    }
    unreachable!("only {} files were refused", refused.len());
}

#[test]
fn files_of_other_programs_that_somebody_broke_are_each_refused_with_line_and_remedy() {
    let texts: Vec<String> = ["goose", "dify"]
        .into_iter()
        .flat_map(files)
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let sources: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut draw = Draw(11);
    let mut refused: BTreeSet<String> = BTreeSet::new();
    for _ in 0..TRIES_MAX {
        let text = broken(&sources, &mut draw);
        let Err(faults) = import(&"w.yaml".into(), text.as_bytes()) else {
            continue;
        };
        are_told_well(&faults, &text);
        refused.insert(text);
        if refused.len() >= MALFORMED_IMPORTS {
            return;
        }
    }
    unreachable!("only {} files were refused", refused.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(faults) = read(&"w.yaml".into(), &bytes) {
            prop_assert!(faults[0].place.line >= 1);
        }
        if let Err(faults) = crate::import(&"w.yaml".into(), &bytes) {
            prop_assert!(!faults.is_empty());
        }
    }

    #[test]
    fn no_value_at_any_place_makes_the_reader_panic(
        key in "id|type|description|if|needs|inputs|outputs|retry|timeout|on_error|each|as|times|until|steps|branches|cases|then|else|message|for|prompt|model|code|tool",
        kind in "input|plugin|custom|llm|code|tool|branch|loop|parallel|approval|wait|output",
        value in "null|true|-1|1e9|\\[\\]|\\{\\}|\\[\\{\\}\\]|\\{a: 1\\}|'\\{a\\}'|\\[\\[\\{id: x\\}\\]\\]|'\\PC{0,12}'|\\PC{0,8}",
    ) {
        let text = format!("version: '1.0'\nname: n\nsteps:\n  - id: s\n    type: {kind}\n    {key}: {value}\n");
        if let Err(faults) = workflow(&text) {
            prop_assert!(!faults.is_empty());
        }
    }
}
