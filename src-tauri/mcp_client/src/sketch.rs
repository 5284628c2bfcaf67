//! The shape of a value in a line, for a parameter whose Python type says too little.

use crate::limits::{CHOICES_MAX, SKETCH_CHARACTERS, SKETCH_DEPTH_MAX};
use crate::schema::{Schema, kind};
use crate::text::docstring;
use shidi_protocol::ParameterKind;

/// The shape of a list or dict, or the choices of an enumeration; `None` when the type says it all.
pub fn of(schema: &Schema<'_>) -> Option<String> {
    if let Some(choices) = choices(schema) {
        return Some(choices);
    }
    let shape = shape(schema, 0)?;
    Some(docstring(&shape, SKETCH_CHARACTERS))
}

fn shape(schema: &Schema<'_>, depth: usize) -> Option<String> {
    if depth >= SKETCH_DEPTH_MAX {
        return None;
    }
    match kind(schema) {
        ParameterKind::Dict => {
            let required = schema.required();
            let members = schema.properties().into_iter().map(|(name, member)| {
                let optional = if required.contains(name) { "" } else { "?" };
                format!("\"{name}\"{optional}: {}", inner(&member, depth + 1))
            });
            let members: Vec<String> = members.take(CHOICES_MAX).collect();
            (!members.is_empty()).then(|| format!("{{{}}}", members.join(", ")))
        }
        ParameterKind::List => Some(format!("[{}, …]", inner(&schema.items()?, depth + 1))),
        ParameterKind::Text
        | ParameterKind::Integer
        | ParameterKind::Number
        | ParameterKind::Boolean
        | ParameterKind::Any => None,
    }
}

fn inner(schema: &Schema<'_>, depth: usize) -> String {
    let plain = || kind(schema).python().to_owned();
    shape(schema, depth)
        .or_else(|| choices(schema))
        .unwrap_or_else(plain)
}

/// `one of "a", "b"`.
fn choices(schema: &Schema<'_>) -> Option<String> {
    let all = schema.choices()?;
    let shown: Vec<String> = all.iter().take(CHOICES_MAX).map(ToString::to_string).collect();
    let more = if all.len() > shown.len() { ", …" } else { "" };
    Some(docstring(
        &format!("one of {}{more}", shown.join(", ")),
        SKETCH_CHARACTERS,
    ))
}
