//! The text that stands in the transcript for a result too long for it: head, shape and handle (F4.7).
//!
//! Pure: the whole result goes to the cache, where programs look up the parts they want.

use crate::limits;
use serde_json::Value;
use shidi_protocol::tokens;

/// The toolkit that looks results up.
pub const TOOLKIT: &str = "results";

/// A long text as the model sees it under `handle`; `None` when the text is short enough to stand whole.
#[must_use]
pub fn shortened(text: &str, handle: &str) -> Option<String> {
    if tokens::estimate(text) <= limits::OUTPUT_SHOWN_TOKENS_MAX {
        return None;
    }
    let head = head(text);
    let shape = shape(text);
    let characters = text.chars().count();
    let lines = text.lines().count();
    Some(format!(
        "{head}\n… ({shape}, {characters} characters in {lines} lines; the whole is kept as handle \"{handle}\": \
         use results.find(handle, text) or results.read(handle, offset_line, limit_lines))"
    ))
}

/// The beginning of a text, as much as [`limits::OUTPUT_HEAD_TOKENS`] allows.
fn head(text: &str) -> &str {
    let mut quarters = limits::OUTPUT_HEAD_TOKENS * 4;
    for (place, character) in text.char_indices() {
        let cost = if character as u32 > 0x2000 { 4 } else { 1 };
        if cost > quarters {
            return &text[..place];
        }
        quarters -= cost;
    }
    text
}

/// The kind of a text, in a few words.
fn shape(text: &str) -> String {
    json_shape(text)
        .or_else(|| table_shape(text))
        .unwrap_or_else(|| "text".to_owned())
}

fn json_shape(text: &str) -> Option<String> {
    let begins = text.trim_start().starts_with(['[', '{']);
    if !begins || text.len() > limits::SHAPE_BYTES_MAX {
        return None;
    }
    match serde_json::from_str(text).ok()? {
        Value::Array(items) => {
            let keys = items.first().and_then(Value::as_object);
            let keys = keys.map(|first| format!(" with {}", names(first.keys())));
            Some(format!(
                "JSON list of {} items{}",
                items.len(),
                keys.unwrap_or_default()
            ))
        }
        Value::Object(fields) => Some(format!("JSON object with {}", names(fields.keys()))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The columns of a text that is a table: every line is cut equally often by the same sign. The first line
/// names the columns.
fn table_shape(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let header = lines().next()?;
    let looked_at = lines().take(limits::SHAPE_LINES);
    let cut = ['\t', '|', ',', ';'].into_iter().find(|sign| {
        let count = header.matches(*sign).count();
        let alike = |line: &&str| line.matches(*sign).count() == count;
        count > 0 && looked_at.clone().filter(alike).count() * 10 >= looked_at.clone().count() * 9
    })?;
    let columns = header.split(cut).map(str::trim).filter(|name| !name.is_empty());
    Some(format!(
        "table of {} rows with {}",
        lines().count() - 1,
        names(columns)
    ))
}

fn names<Name: AsRef<str>>(names: impl Iterator<Item = Name>) -> String {
    let shown = names.take(limits::SHAPE_NAMES).map(|name| {
        let name = name.as_ref();
        name.chars()
            .take(limits::SHAPE_NAME_CHARACTERS)
            .collect::<String>()
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_stands_whole() {
        assert_eq!(shortened(&"word ".repeat(1_000), "h"), None);
    }

    #[test]
    fn a_long_one_is_told_by_head_shape_and_handle() {
        let rows: String = (0..3_000).map(|row| format!("{row},上海,42\n")).collect();
        let shown = shortened(&format!("id,city,amount\n{rows}"), "run-1").unwrap_or_default();
        assert!(shown.starts_with("id,city,amount\n0,上海,42\n"), "{shown}");
        assert!(
            shown.contains("table of 3000 rows with id, city, amount"),
            "{shown}"
        );
        assert!(shown.contains("kept as handle \"run-1\""), "{shown}");
        assert!(tokens::estimate(&shown) <= limits::OUTPUT_HEAD_TOKENS + 100);
    }

    #[test]
    fn json_is_told_by_its_keys() {
        assert_eq!(
            shape("[{\"age\": 2, \"name\": 1}, {}]"),
            "JSON list of 2 items with age, name"
        );
        assert_eq!(
            shape("{\"next\": 1, \"rows\": []}"),
            "JSON object with next, rows"
        );
        assert_eq!(shape("[not json\nat all"), "text");
        assert_eq!(shape("第一句。\n第二句。"), "text");
    }
}
