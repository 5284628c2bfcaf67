//! The head of a file of prose: YAML between two lines of dashes, then the prose.
//!
//! Programs that read such files are lenient, so people write texts that are no YAML. Such a text has a colon in a
//! sentence without quotation marks, or several lines that are not indented. [`read_loosely`] reads those as they were
//! meant.

use crate::limits::LOOSE_FIELDS_MAX;
use crate::{Malformed, Node, read};
use std::sync::Arc;

const FENCE: &str = "---";
/// Words before a colon that begin a line of an example dialogue, and no field.
const SPEAKERS: [&str; 7] = [
    "user",
    "assistant",
    "human",
    "system",
    "context",
    "commentary",
    "example",
];
/// Signs with which a value begins that spans lines by its own rules.
const BLOCKS: [char; 2] = ['|', '>'];

/// The lines between the fences, and what follows.
#[must_use]
pub fn front_matter(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != FENCE {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// A head that was read, and the fields that had to be put between quotation marks for it.
#[derive(Debug)]
pub struct Loose {
    pub node: Node,
    pub mended: Vec<String>,
}

/// Reads a head as YAML, and where that fails once more with its unreadable texts between quotation marks.
///
/// # Errors
/// What is wrong with it as it was written.
pub fn read_loosely(file: &Arc<str>, text: &str) -> Result<Loose, Malformed> {
    let malformed = match read(file, text) {
        Ok(node) => {
            return Ok(Loose {
                node,
                mended: Vec::new(),
            });
        }
        Err(malformed) => malformed,
    };
    let Some((quoted, mended)) = quoted(file, text) else {
        return Err(malformed);
    };
    match read(file, &quoted) {
        Ok(node) => Ok(Loose { node, mended }),
        Err(_) => Err(malformed),
    }
}

/// The text with each field that is unreadable by itself between quotation marks; `None` where there is none to mend.
fn quoted(file: &Arc<str>, text: &str) -> Option<(String, Vec<String>)> {
    let fields = fields(text);
    if fields.len() > LOOSE_FIELDS_MAX {
        return None;
    }
    let mut whole = String::new();
    let mut mended = Vec::new();
    for field in fields {
        let other = match read(file, field) {
            Ok(_) => None,
            Err(_) => between_marks(field),
        };
        match other {
            Some((key, other)) => {
                mended.push(key);
                whole.push_str(&other);
            }
            None => whole.push_str(field),
        }
    }
    (!mended.is_empty()).then_some((whole, mended))
}

/// The text in parts that begin with a field each, but for what stands before the first.
fn fields(text: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if key(line).is_some() && at > start {
            fields.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    fields.push(&text[start..]);
    fields
}

/// The key of a line that begins a field.
fn key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_matches(['"', '\'']);
    let is_key = key.starts_with(|sign: char| sign.is_ascii_lowercase())
        && key
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_')
        && !SPEAKERS.contains(&key);
    let is_apart = value.is_empty() || value.starts_with(char::is_whitespace);
    (is_key && is_apart).then_some(key)
}

/// A field whose value stands between quotation marks, over as many lines as before; `None` where no mark would help.
fn between_marks(field: &str) -> Option<(String, String)> {
    let key = key(field.lines().next()?)?;
    let (_, value) = field.split_once(':')?;
    let first = value.lines().next()?.trim();
    let is_list = first.starts_with(['[', '{']) && !value.contains([']', '}']);
    if first.is_empty() || first.starts_with(BLOCKS) || is_list {
        return None;
    }
    let lines: Vec<&str> = value.lines().map(str::trim).collect();
    let text = lines.join("\n");
    let text = unmarked(text.trim());
    let below = "\n".repeat(field.matches('\n').count());
    let written = serde_json::Value::from(text).to_string();
    Some((key.to_owned(), format!("{key}: {written}{below}")))
}

/// A text without the pair of marks around it, which were broken by those within.
fn unmarked(text: &str) -> &str {
    let within = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loose(text: &str) -> Loose {
        read_loosely(&"a.md".into(), text).unwrap()
    }

    #[test]
    fn a_colon_within_a_sentence_is_read_as_it_was_meant_and_told() {
        let read =
            loose("name: a\ndescription: Use this when: it rains # really\\n\\nExamples: none\ncolor: red\n");
        let text = |key: &str| read.node.get(key).and_then(Node::text);
        assert_eq!(
            text("description"),
            Some("Use this when: it rains # really\\n\\nExamples: none")
        );
        assert_eq!(
            (text("name"), text("color"), read.mended),
            (Some("a"), Some("red"), vec!["description".to_owned()])
        );
        assert_eq!(read.node.get("color").unwrap().place.line, 3);
    }

    #[test]
    fn a_text_over_lines_that_are_not_indented_is_one_text_and_later_fields_keep_their_lines() {
        let text =
            "description: Use it. Examples:\n\n<example>\nuser: \"Go: on\"\n</example>\ntools: Read, Edit\n";
        let read = loose(text);
        let description = read.node.get("description").and_then(Node::text).unwrap();
        assert!(
            description.ends_with("</example>") && description.contains("Go: on"),
            "{description}"
        );
        assert_eq!(read.node.get("tools").unwrap().place.line, 6);
    }

    #[test]
    fn marks_within_marks_a_star_and_a_bracket_are_words() {
        let read = loose("a: \"Say \"yes\" now\"\nb: *all\nc: [URGENT] do it\nd: 'it's here'\n");
        let texts = ["a", "b", "c", "d"].map(|key| read.node.get(key).and_then(Node::text));
        assert_eq!(
            texts,
            [
                Some("Say \"yes\" now"),
                Some("*all"),
                Some("[URGENT] do it"),
                Some("it's here")
            ]
        );
    }

    #[test]
    fn what_is_yaml_is_not_touched_and_what_no_mark_mends_is_refused_at_its_place() {
        assert_eq!(loose("a: 1\nb: [x, y]\n").mended, Vec::<String>::new());
        for text in ["a: [1, 2\nb: 3\n", "a:\n\t- b\n", "a: 1\na: 2\n"] {
            let refused = read_loosely(&"a.md".into(), text).unwrap_err();
            let plain = read(&"a.md".into(), text).unwrap_err();
            assert_eq!(refused.place, plain.place, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_head_makes_the_reader_panic(text in "([a-c\"']{0,3}:? ?[-:\\[\\]{}&*!|>'\"%@`#, \\ta-c]{0,9}\n){0,6}") {
            drop(read_loosely(&"a.md".into(), &text));
        }
    }
}
