//! What differs between an assistant that is there and one that would take its place. Pure.
//!
//! Fields that are kept and do nothing count, too: what takes the place of a file takes theirs.

use crate::limits::{DIFFERENCE_CHARACTERS, DIFFERENCE_LEAD_CHARACTERS, DIFFERENCES_MAX};
use crate::reading::KEYS;
use crate::writing::document;
use serde_json::{Map, Value};
use shidi_protocol::{AssistantDifference, AssistantSpec};
use std::collections::BTreeSet;

/// Keys that say where a file came from, and nothing of what the assistant is.
const ORIGIN: [&str; 2] = ["version", "origin"];

/// An assistant, and the document in which its other keys stand.
pub type Written<'a> = (&'a AssistantSpec, &'a Value);

/// Each value that is another one, in the order of the file; keys that are not ours follow.
#[must_use]
pub fn between(before: Written<'_>, after: Written<'_>) -> Vec<AssistantDifference> {
    let (before, after) = (document(before.0, before.1), document(after.0, after.1));
    let mut others = BTreeSet::new();
    for written in [&before, &after] {
        let keys = written.as_object().into_iter().flat_map(Map::keys);
        others.extend(keys.map(String::as_str).filter(|key| !KEYS.contains(key)));
    }
    let mut differences = Vec::new();
    let known = KEYS.into_iter().filter(|key| !ORIGIN.contains(key));
    for key in known.chain(others) {
        compare(key, before.get(key), after.get(key), &mut differences);
    }
    counted(differences)
}

/// The first of many; the last entry counts the others.
fn counted(mut differences: Vec<AssistantDifference>) -> Vec<AssistantDifference> {
    let more = differences.len().saturating_sub(DIFFERENCES_MAX);
    if more > 0 {
        differences.truncate(DIFFERENCES_MAX);
        differences.push(AssistantDifference {
            key: "…".to_owned(),
            before: String::new(),
            after: format!("+{more}"),
        });
    }
    differences
}

fn compare(key: &str, before: Option<&Value>, after: Option<&Value>, into: &mut Vec<AssistantDifference>) {
    if before == after {
        return;
    }
    let empty = Map::new();
    let map = |value: Option<&'_ Value>| value.is_none_or(Value::is_object);
    if (before.is_some_and(Value::is_object) || after.is_some_and(Value::is_object))
        && map(before)
        && map(after)
    {
        let (before, after) = (
            before.and_then(Value::as_object).unwrap_or(&empty),
            after.and_then(Value::as_object).unwrap_or(&empty),
        );
        let only_after = after.keys().filter(|inner| !before.contains_key(*inner));
        for inner in before.keys().chain(only_after) {
            compare(
                &format!("{key}.{inner}"),
                before.get(inner),
                after.get(inner),
                into,
            );
        }
        return;
    }
    let (before, after) = excerpts(&shown(before), &shown(after));
    into.push(AssistantDifference {
        key: key.to_owned(),
        before,
        after,
    });
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            items.join(", ")
        }
        Some(other) => other.to_string(),
    }
}

/// Both texts as they fit in. Of long ones that begin alike, the part where they begin to differ.
fn excerpts(before: &str, after: &str) -> (String, String) {
    let is_long = |text: &str| text.chars().nth(DIFFERENCE_CHARACTERS).is_some();
    let alike = match is_long(before) || is_long(after) {
        true => before
            .chars()
            .zip(after.chars())
            .take_while(|(one, other)| one == other)
            .count(),
        false => 0,
    };
    let from = alike.saturating_sub(DIFFERENCE_LEAD_CHARACTERS);
    (excerpt(before, from), excerpt(after, from))
}

fn excerpt(text: &str, from: usize) -> String {
    let mut rest = text.chars().skip(from);
    let mut part = match from {
        0 => String::new(),
        _ => "…".to_owned(),
    };
    part.extend(rest.by_ref().take(DIFFERENCE_CHARACTERS));
    if rest.next().is_some() {
        part.push('…');
    }
    part
}
