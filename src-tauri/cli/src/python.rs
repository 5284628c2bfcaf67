//! Values and errors as Python writes them, for people who read the outcome of a program.

use crate::limits::VALUE_DEPTH_MAX;
use serde_json::Value;
use shidi_protocol::{JsonMap, ProgramError, write_exact};

/// Writes a value as `repr` does.
#[must_use]
pub fn repr(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, VALUE_DEPTH_MAX);
    text
}

/// Writes a call as a program makes it: `files.read(path='a.md')`. A name that could read as something else is quoted.
#[must_use]
pub fn call(tool: &str, args: &JsonMap) -> String {
    let args: Vec<String> = args.iter().map(|(name, value)| argument(name, value)).collect();
    format!("{tool}({})", args.join(", "))
}

/// One argument by its name, or as Python passes one whose name is none of its own.
fn argument(name: &str, value: &Value) -> String {
    let is_word = name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    if is_word && name.starts_with(|first: char| !first.is_numeric()) {
        return format!("{name}={}", repr(value));
    }
    let mut quoted = String::new();
    write_quoted(&mut quoted, name);
    format!("**{{{quoted}: {}}}", repr(value))
}

/// Writes an error of `program` as a traceback, without the hint.
#[must_use]
pub fn traceback(error: &ProgramError, program: &str, file: &str) -> String {
    let source = (error.line as usize)
        .checked_sub(1)
        .and_then(|index| program.lines().nth(index));
    // As Python does where it lacks the source, the line is told by its number alone.
    let source = source.map_or_else(String::new, |source| format!("    {}\n", source.trim()));
    let place = match error.line {
        0 => String::new(),
        line => format!("Traceback (most recent call last):\n  File \"{file}\", line {line}\n{source}"),
    };
    let message = error
        .message
        .strip_prefix(&format!("{}: ", error.kind))
        .unwrap_or(&error.message);
    if message.is_empty() {
        format!("{place}{}", error.kind)
    } else {
        format!("{place}{}: {message}", error.kind)
    }
}

fn write(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Null => text.push_str("None"),
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::String(string) => write_quoted(text, string),
        Value::Array(_) | Value::Object(_) if depth == 0 => text.push('…'),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(text, index);
                write(text, item, depth - 1);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (index, (name, field)) in fields.iter().enumerate() {
                separate(text, index);
                write_quoted(text, name);
                text.push_str(": ");
                write(text, field, depth - 1);
            }
            text.push('}');
        }
    }
}

fn separate(text: &mut String, index: usize) {
    if index > 0 {
        text.push_str(", ");
    }
}

fn write_quoted(text: &mut String, string: &str) {
    let quote = if string.contains('\'') && !string.contains('"') {
        '"'
    } else {
        '\''
    };
    text.push(quote);
    for character in string.chars() {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            character if character == quote => {
                text.push('\\');
                text.push(character);
            }
            character => write_exact(text, character),
        }
    }
    text.push(quote);
}

#[cfg(test)]
mod tests;
