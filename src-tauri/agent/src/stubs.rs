//! Toolkits as the model sees them: Python classes of async methods (F7.2).

use crate::literal::literal;
use shidi_protocol::{MethodSpec, ParameterSpec, ToolkitSpec};

/// Bytes of a description that stands beside its call, but for its first sentence.
const LINE_DOC_BYTES: usize = 140;

/// Renders toolkits, one class after the other.
pub fn render<'a>(toolkits: impl Iterator<Item = &'a ToolkitSpec>) -> String {
    toolkits.map(class).collect::<Vec<_>>().join("\n\n")
}

/// A call in one line, with what it needs and what it gives.
pub fn call(toolkit: &ToolkitSpec, method: &MethodSpec) -> String {
    let needed = method
        .parameters
        .iter()
        .filter(|parameter| parameter.default.is_none());
    let needed: Vec<String> = needed.map(parameter).collect();
    let mut doc = String::new();
    for sentence in sentences(&method.doc) {
        if !doc.is_empty() && doc.len() + sentence.len() > LINE_DOC_BYTES {
            break;
        }
        doc.push_str(sentence);
    }
    let doc = doc.trim().replace('\n', " ").replace(".data is", "Gives");
    format!(
        "await {}.{}({})  # {doc}",
        toolkit.name,
        method.name,
        needed.join(", ")
    )
}

/// The sentences of a description. The next one begins with a capital letter, or with what the call gives.
fn sentences(doc: &str) -> impl Iterator<Item = &str> {
    let mut rest = doc;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ends = rest.match_indices(". ").map(|(at, end)| at + end.len());
        let begins =
            |at: &usize| rest[*at..].starts_with(|letter: char| letter.is_uppercase() || letter == '.');
        let (sentence, next) = rest.split_at(ends.find(begins).unwrap_or(rest.len()));
        rest = next;
        Some(sentence)
    })
}

fn class(toolkit: &ToolkitSpec) -> String {
    let methods = toolkit.methods.iter().map(method).collect::<Vec<_>>().join("\n");
    format!(
        "class {}:\n    \"\"\"{}\"\"\"\n{methods}",
        toolkit.name, toolkit.doc
    )
}

fn method(method: &MethodSpec) -> String {
    let parameters = method
        .parameters
        .iter()
        .map(parameter)
        .collect::<Vec<_>>()
        .join(", ");
    let head = format!(
        "    async def {}({parameters}) -> {}:",
        method.name, method.returns
    );
    if method.doc.is_empty() {
        return format!("{head} ...");
    }
    let doc = method.doc.replace('\n', "\n        ");
    format!("{head}\n        \"\"\"{doc}\"\"\"")
}

fn parameter(parameter: &ParameterSpec) -> String {
    let ParameterSpec {
        name,
        kind,
        default,
        doc: _,
        asked: _,
    } = parameter;
    let python = kind.python();
    match default {
        None => format!("{name}: {python}"),
        Some(value) => format!("{name}: {python} = {}", literal(value)),
    }
}
