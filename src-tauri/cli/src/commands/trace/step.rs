//! One step with everything that is kept of it, as text: what was sent, what came back, what ran.

use crate::console::{Console, Look};
use crate::failure::Failure;
use serde_json::Value;
use shidi_protocol::Span;

/// Draws the step: its attributes a line each, then what is long, each under its name.
///
/// # Errors
/// A reader that went away.
pub fn draw(span: &Span, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    console.line(&format!(
        "{}  {}",
        console.painted(Look::Strong, &words.name_of_step(span)),
        console.painted(Look::Dim, &words.lasted(span.ms)),
    ))?;
    let (long, short): (Vec<_>, Vec<_>) = span.attributes.iter().partition(|(_, value)| is_long(value));
    for (name, value) in short {
        let name = console.painted(Look::Dim, name);
        console.line(&format!(
            "{name} = {}",
            console.painted(Look::Plain, &plain(value))
        ))?;
    }
    for (name, value) in long {
        console.line(&format!("\n{}", console.painted(Look::Dim, name)))?;
        match messages(value) {
            Some(messages) => {
                for (role, text) in messages {
                    console.line(&console.painted(Look::Strong, &format!("[{role}]")))?;
                    console.line(&console.painted(Look::Plain, &text))?;
                }
            }
            None => console.line(&console.painted(Look::Plain, &plain(value)))?,
        }
    }
    Ok(())
}

fn is_long(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\n'),
        Value::Array(_) | Value::Object(_) => true,
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// Messages in the conventions' form: who speaks, and all text of it.
fn messages(value: &Value) -> Option<Vec<(String, String)>> {
    let of = |message: &Value| {
        let role = message["role"].as_str()?;
        let parts = message["parts"].as_array()?.iter().map(|part| {
            let content = part.get("content").or_else(|| part.get("arguments"));
            content.map_or_else(|| plain(part), plain)
        });
        Some((role.to_owned(), parts.collect::<Vec<_>>().join("\n")))
    };
    value.as_array()?.iter().map(of).collect()
}
