//! Turns names of strangers into Python identifiers.

use crate::limits::{NAME_CHARACTERS_MAX, TOOL_NAME_BYTES_MAX};
use std::collections::BTreeSet;

/// Words that no name may be: keywords, and built-ins that a program would then miss.
const RESERVED: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try", "type", "while",
    "with", "yield",
];

/// `name` as an identifier that is not in `taken`; the identifier is added there.
pub fn identifier(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = plain(name);
    let mut candidate = plain.clone();
    // There is one candidate more than there are taken names, so one is free.
    for number in 2..=taken.len() + 2 {
        if !taken.contains(&candidate) {
            break;
        }
        candidate = format!("{plain}_{number}");
    }
    taken.insert(candidate.clone());
    candidate
}

/// Whether a name can stand in a program unchanged.
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    plain(name) == name
}

fn plain(name: &str) -> String {
    let mut plain = String::new();
    for character in name.chars().take(NAME_CHARACTERS_MAX) {
        let fits = character.is_ascii_alphanumeric() || is_ideograph(character);
        if fits {
            plain.push(character);
        } else if character == '_' || !(plain.is_empty() || plain.ends_with('_')) {
            plain.push('_');
        }
    }
    let trimmed = plain.trim_end_matches('_');
    // A name that itself ends in underscores keeps them.
    if !name.ends_with('_') {
        plain.truncate(trimmed.len());
    }
    // In Python a leading underscore marks a private name; no tool is private.
    let shown = plain.trim_start_matches('_');
    if shown.is_empty() {
        return "unnamed".to_owned();
    }
    if shown.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("n{shown}");
    }
    if RESERVED.contains(&shown) {
        return format!("{shown}_");
    }
    shown.to_owned()
}

/// The common ideographs, which Python leaves unchanged in identifiers.
fn is_ideograph(character: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&character)
}

/// Whether a name can be used to call a tool.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= TOOL_NAME_BYTES_MAX && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_become_identifiers_and_stay_apart() {
        let mut taken = BTreeSet::new();
        let mut named = |name: &str| identifier(name, &mut taken);
        assert_eq!(named("read-file"), "read_file");
        assert_eq!(named("read.file"), "read_file_2");
        assert_eq!(named("read_file"), "read_file_3");
        assert_eq!(named("2fast"), "n2fast");
        assert_eq!(named("import"), "import_");
        assert_eq!(named("_private"), "private");
        assert_eq!(named("查询 天气"), "查询_天气");
        assert_eq!(named("…"), "unnamed");
        assert_eq!(named(""), "unnamed_2");
    }

    #[test]
    fn a_plain_name_stays_as_it_is() {
        for name in ["get_current_time", "a", "gitLog", "天气"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "a-b", "1a", "class", "_a", "a b"] {
            assert!(!is_identifier(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_names_become_identifiers_each_once(names in proptest::collection::vec(".{0,90}", 0..40)) {
            let mut taken = BTreeSet::new();
            let mut seen = BTreeSet::new();
            for name in &names {
                let identifier = identifier(name, &mut taken);
                let mut characters = identifier.chars();
                let first = characters.next().expect("a character");
                prop_assert!(first.is_ascii_alphabetic() || is_ideograph(first), "{identifier}");
                prop_assert!(characters.all(|one| one.is_ascii_alphanumeric() || one == '_' || is_ideograph(one)));
                prop_assert!(!RESERVED.contains(&identifier.as_str()));
                prop_assert!(seen.insert(identifier));
            }
        }
    }
}
