//! What differs between an assistant that is there and one that would take its place. Pure.

use crate::limits::DIFFERENCE_CHARACTERS;
use crate::reading::KEYS;
use crate::writing::document;
use serde_json::{Map, Value};
use shidi_protocol::{AssistantDifference, AssistantSpec};

/// Keys that say where a file came from, and nothing of what the assistant is.
const ORIGIN: [&str; 3] = ["version", "origin", "other"];

/// Each value that is another one, in the order of the file.
#[must_use]
pub fn between(before: &AssistantSpec, after: &AssistantSpec) -> Vec<AssistantDifference> {
    let (before, after) = (document(before, &Value::Null), document(after, &Value::Null));
    let mut differences = Vec::new();
    for key in KEYS.iter().filter(|key| !ORIGIN.contains(key)) {
        compare(key, before.get(*key), after.get(*key), &mut differences);
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
    into.push(AssistantDifference {
        key: key.to_owned(),
        before: shown(before),
        after: shown(after),
    });
}

fn shown(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            items.join(", ")
        }
        Some(other) => other.to_string(),
    };
    match text.char_indices().nth(DIFFERENCE_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
