//! Whether a file is as a check wants it.

use crate::numbers;
use crate::suite::assertion::FileWant;
use csv::{ReaderBuilder, Trim};
use serde_json::Value;

/// Numbers in tables and JSON that differ by less, in proportion, are the same.
const NEAR: f64 = 1e-6;

/// Whether the content of the file at `path` is as wanted. A file that is not there fails all but `exists: false`.
pub fn holds(path: &str, content: Option<&[u8]>, want: &FileWant) -> bool {
    if let FileWant::Exists(exists) = want {
        return content.is_some() == *exists;
    }
    let Some(text) = content.and_then(text) else {
        return false;
    };
    match want {
        FileWant::Exists(_) => false,
        FileWant::Equals(wanted) => trimmed(wanted) == text,
        FileWant::Contains(wanted) => text.contains(wanted.as_str()),
        FileWant::Lines(wanted) => text.split('\n').filter(|line| !line.is_empty()).eq(wanted.iter()),
        FileWant::Number { value, tolerance } => numbers::has_near(&text, *value, *tolerance),
        FileWant::Csv(wanted) => same_table(&text, path, wanted),
        FileWant::Json(wanted) => {
            serde_json::from_str::<Value>(&text).is_ok_and(|found| same_json(&found, wanted))
        }
    }
}

/// The text of a file in UTF-8, trimmed; `None` when it is in no UTF-8.
pub fn text(content: &[u8]) -> Option<String> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    std::str::from_utf8(content).ok().map(trimmed)
}

/// The text with equal line ends. White space at the end of lines and empty lines at its end are gone.
fn trimmed(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * other.abs().max(1.0)
}

fn same_json(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            let same = |(key, wanted): (&String, &Value)| {
                found.get(key).is_some_and(|found| same_json(found, wanted))
            };
            found.len() == wanted.len() && wanted.iter().all(same)
        }
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len()
                && found
                    .iter()
                    .zip(wanted)
                    .all(|(found, wanted)| same_json(found, wanted))
        }
        (Value::Number(found), Value::Number(wanted)) => match (found.as_f64(), wanted.as_f64()) {
            (Some(found), Some(wanted)) => near(found, wanted),
            (..) => found == wanted,
        },
        (found, wanted) => found == wanted,
    }
}

fn same_table(text: &str, path: &str, wanted: &[Vec<String>]) -> bool {
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).trim(Trim::All);
    builder.delimiter(if path.ends_with(".tsv") { b'\t' } else { b',' });
    let mut rows = Vec::new();
    for record in builder.from_reader(text.as_bytes()).records() {
        let Ok(record) = record else {
            return false;
        };
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push(record);
        }
    }
    rows.len() == wanted.len()
        && rows.iter().zip(wanted).all(|(row, wanted)| {
            row.len() == wanted.len()
                && row
                    .iter()
                    .zip(wanted)
                    .all(|(found, wanted)| same_cell(found, wanted))
        })
}

fn same_cell(found: &str, wanted: &str) -> bool {
    match (found.trim().parse::<f64>(), wanted.trim().parse::<f64>()) {
        (Ok(found), Ok(wanted)) => near(found, wanted),
        (..) => found.trim() == wanted.trim(),
    }
}
