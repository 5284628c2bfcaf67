//! An assistant becomes a file again: what is written is read as the same, and keys that are not ours stay.

use crate::reading::{KEYS, MEMORIES, MODES, PERMISSIONS, SAMPLING, VERSION};
use serde_json::{Map, Value, json};
use shidi_protocol::{AssistantMemory, AssistantPermissions, AssistantSpec, Mode, Sampling, Wording};

/// The assistant as YAML; `earlier` is the document whose other keys stay.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn text(spec: &AssistantSpec, earlier: &Value) -> Result<String, String> {
    serde_saphyr::to_string(&document(spec, earlier)).map_err(|error| error.to_string())
}

/// The assistant as the tree that its file holds.
#[must_use]
pub fn document(spec: &AssistantSpec, earlier: &Value) -> Value {
    let mut written = Map::new();
    written.insert("version".to_owned(), json!(VERSION));
    written.insert("name".to_owned(), json!(spec.name));
    let suggestions: Vec<Value> = spec.suggestions.iter().filter_map(words).collect();
    let some = |text: &str| (!text.is_empty()).then(|| json!(text));
    let listed = |names: &[String]| (!names.is_empty()).then(|| json!(names));
    let values = [
        ("title", words(&spec.title)),
        ("picture", some(&spec.picture)),
        ("hotkey", some(&spec.hotkey)),
        ("description", words(&spec.description)),
        ("languages", listed(&spec.languages)),
        ("opening", words(&spec.opening)),
        (
            "suggestions",
            (!suggestions.is_empty()).then_some(Value::Array(suggestions)),
        ),
        ("prompt", words(&spec.prompt)),
        ("models", (!spec.models.is_empty()).then(|| json!(spec.models))),
        (
            "sampling",
            with_others(sampling(spec), earlier.get("sampling"), &SAMPLING),
        ),
        ("knowledge", spec.knowledge.as_ref().map(|names| json!(names))),
        ("toolkits", spec.toolkits.as_ref().map(|names| json!(names))),
        ("skills", spec.skills.as_ref().map(|names| json!(names))),
        ("workflows", spec.workflows.as_ref().map(|names| json!(names))),
        ("memory", memory(spec.memory)),
        (
            "permissions",
            with_others(
                permissions(&spec.permissions),
                earlier.get("permissions"),
                &PERMISSIONS,
            ),
        ),
        ("origin", earlier.get("origin").cloned()),
        ("other", earlier.get("other").cloned()),
    ];
    let there = values
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    written.extend(there);
    with_others(written, Some(earlier), &KEYS).unwrap_or_default()
}

/// A map with what an earlier one has beside the keys that are known; `None` of one that says nothing.
fn with_others(mut written: Map<String, Value>, earlier: Option<&Value>, known: &[&str]) -> Option<Value> {
    let others = earlier.and_then(Value::as_object).into_iter().flatten();
    let others = others.filter(|(key, _)| !known.contains(&key.as_str()));
    written.extend(others.map(|(key, value)| (key.clone(), value.clone())));
    (!written.is_empty()).then_some(Value::Object(written))
}

/// One text for every language is written as it is.
fn words(words: &Wording) -> Option<Value> {
    match (words.get(""), words.len()) {
        (_, 0) => None,
        (Some(text), 1) => Some(json!(text)),
        (_, _) => Some(json!(words)),
    }
}

fn sampling(spec: &AssistantSpec) -> Map<String, Value> {
    let mut written = numbers(&spec.sampling);
    let roles = spec
        .role_sampling
        .iter()
        .map(|(role, sampling)| (role, numbers(sampling)));
    let roles = roles.filter(|(_, numbers)| !numbers.is_empty());
    written.extend(roles.map(|(role, numbers)| (role.clone(), Value::Object(numbers))));
    written
}

fn numbers(sampling: &Sampling) -> Map<String, Value> {
    match serde_json::to_value(sampling) {
        Ok(Value::Object(numbers)) => numbers,
        Ok(_) | Err(_) => Map::new(),
    }
}

fn memory(memory: AssistantMemory) -> Option<Value> {
    let named = MEMORIES.iter().find(|(_, known)| *known == memory);
    let named = named.filter(|_| memory != AssistantMemory::default());
    named.map(|(name, _)| json!(name))
}

fn permissions(permissions: &AssistantPermissions) -> Map<String, Value> {
    let mode = permissions.mode.and_then(|mode: Mode| {
        let named = MODES.iter().find(|(_, known)| *known == mode);
        named.map(|(name, _)| json!(name))
    });
    let mut written = Map::new();
    written.extend(mode.map(|mode| ("mode".to_owned(), mode)));
    let lists = [
        ("allow", &permissions.allow),
        ("ask", &permissions.ask),
        ("deny", &permissions.deny),
    ];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    written.extend(lists.map(|(key, list)| (key.to_owned(), json!(list))));
    written
}
