//! A prompt's file: a head between lines of dashes, where there is one, and the text.
//!
//! Keys that are not ours stay, so that the file goes on working where it came from.

use crate::limits::{DESCRIPTION_CHARACTERS_MAX, FIELDS_MAX, FILE_BYTES_MAX};
use crate::template;
use serde_json::{Map, Value, json};
use shidi_protocol::{PromptField, PromptFieldKind};
use shidi_yaml::{Data, Node, front_matter, read_loosely};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Keys of the head that mean something here.
const DESCRIPTION: &str = "description";
const FIELDS: &str = "fields";

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptText {
    pub description: String,
    pub text: String,
    /// Of the text, in their order.
    pub fields: Vec<PromptField>,
    /// The head as it was written.
    pub head: Map<String, Value>,
}

/// Why a file is no prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// A folder, a pipe or a device.
    NotAFile,
    NotText,
    TooLarge,
    /// The head can't be read.
    Head {
        line: u64,
        why: String,
    },
    Empty,
    TooManyFields,
}

/// Reads a file.
///
/// # Errors
/// See [`Unfit`].
pub fn read(name: &str, bytes: &[u8]) -> Result<PromptText, Unfit> {
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(Unfit::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Unfit::NotText)?;
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let (head, body) = match front_matter(&text) {
        Some((matter, body)) => (head(name, matter)?, body),
        None => (Map::new(), text.as_str()),
    };
    prompt(body, head)
}

/// The prompt of a text and its head.
///
/// # Errors
/// See [`Unfit`].
pub fn prompt(text: &str, head: Map<String, Value>) -> Result<PromptText, Unfit> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Unfit::Empty);
    }
    Ok(PromptText {
        description: one_line(head.get(DESCRIPTION).and_then(Value::as_str).unwrap_or_default()),
        fields: fields(text, head.get(FIELDS))?,
        text: text.to_owned(),
        head,
    })
}

fn head(name: &str, matter: &str) -> Result<Map<String, Value>, Unfit> {
    let file: Arc<str> = Arc::from(name);
    let loose = read_loosely(&file, matter).map_err(|cause| Unfit::Head {
        line: cause.place.line + 1,
        why: cause.why,
    })?;
    Ok(match loose.node {
        Node { data: Data::Null, .. } => Map::new(),
        node => match node.json() {
            Value::Object(head) => head,
            _ => Map::new(),
        },
    })
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(DESCRIPTION_CHARACTERS_MAX).collect()
}

fn fields(body: &str, declared: Option<&Value>) -> Result<Vec<PromptField>, Unfit> {
    let names = template::fields(body);
    if names.len() > FIELDS_MAX {
        return Err(Unfit::TooManyFields);
    }
    Ok(names
        .into_iter()
        .map(|name| field(name, declared.and_then(|all| all.get(name))))
        .collect())
}

/// A field with what its head says of it: a label alone, or a label, a default and choices.
fn field(name: &str, said: Option<&Value>) -> PromptField {
    let text = |key: &str| {
        let value = said.and_then(|said| said.get(key));
        value.map(plain).filter(|text| !text.is_empty())
    };
    let label = said.and_then(Value::as_str).map(str::to_owned);
    let mut seen = BTreeSet::new();
    let choices = said
        .and_then(|said| said.get("choices"))
        .and_then(Value::as_array);
    PromptField {
        name: name.to_owned(),
        kind: kind(name),
        label: label.or_else(|| text("label")).unwrap_or_else(|| name.to_owned()),
        default: text("default"),
        choices: choices
            .into_iter()
            .flatten()
            .map(plain)
            .filter(|choice| seen.insert(choice.clone()))
            .collect(),
        optional: said.and_then(|said| said.get("optional")) == Some(&json!(true)),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn kind(name: &str) -> PromptFieldKind {
    match name {
        "selection" => PromptFieldKind::Selection,
        "page" => PromptFieldKind::Page,
        "file" => PromptFieldKind::File,
        _ => PromptFieldKind::Free,
    }
}

/// The file of a prompt, with the keys of an earlier head that are not ours.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn written(
    description: &str,
    text: &str,
    fields: &[PromptField],
    earlier: &Map<String, Value>,
) -> Result<String, String> {
    let mut head = earlier.clone();
    let mut put = |key: &str, value: Option<Value>| match value {
        Some(value) => drop(head.insert(key.to_owned(), value)),
        None => drop(head.remove(key)),
    };
    let description = one_line(description);
    put(DESCRIPTION, (!description.is_empty()).then(|| json!(description)));
    let names = template::fields(text);
    let said: BTreeMap<&str, Value> = fields
        .iter()
        .filter(|field| names.contains(&field.name.as_str()))
        .filter_map(|field| Some((field.name.as_str(), of_field(field)?)))
        .collect();
    put(FIELDS, (!said.is_empty()).then(|| json!(said)));
    let text = text.trim();
    // A text that begins like a head needs one before it.
    if head.is_empty() && front_matter(text).is_none() {
        return Ok(format!("{text}\n"));
    }
    let head = match head.is_empty() {
        true => String::new(),
        false => serde_saphyr::to_string(&head).map_err(|error| error.to_string())?,
    };
    Ok(format!("---\n{}\n---\n\n{text}\n", head.trim_end()))
}

/// What a head says of a field; nothing where its name says it all.
fn of_field(field: &PromptField) -> Option<Value> {
    let mut said = Map::new();
    if field.label != field.name && !field.label.is_empty() {
        said.insert("label".to_owned(), json!(field.label));
    }
    if let Some(default) = &field.default {
        said.insert("default".to_owned(), json!(default));
    }
    if !field.choices.is_empty() {
        said.insert("choices".to_owned(), json!(field.choices));
    }
    if field.optional {
        said.insert("optional".to_owned(), json!(true));
    }
    (!said.is_empty()).then_some(Value::Object(said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "---\ndescription: Translate politely: for mail\nmodel: small\nfields:\n  language:\n    label: Into\n    default: English\n    \
                        choices: [English, 中文]\n  tone: How it sounds\n---\n\nTranslate {selection} into {language}, {tone}.\n";

    #[test]
    fn a_file_says_what_its_fields_are_and_keeps_what_is_not_ours() {
        let read = super::read("x.md", FILE.as_bytes()).expect("a prompt");
        assert_eq!(read.description, "Translate politely: for mail");
        let told: Vec<_> = read
            .fields
            .iter()
            .map(|field| {
                (
                    field.name.as_str(),
                    field.kind,
                    field.label.as_str(),
                    field.default.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("selection", PromptFieldKind::Selection, "selection", None),
                ("language", PromptFieldKind::Free, "Into", Some("English")),
                ("tone", PromptFieldKind::Free, "How it sounds", None),
            ]
        );
        assert_eq!(read.fields[1].choices, ["English", "中文"]);
        let again = written("Other", &read.text, &read.fields, &read.head).expect("a file");
        assert!(again.contains("model: small"), "{again}");
        let once_more = super::read("x.md", again.as_bytes()).expect("a prompt");
        assert_eq!((once_more.fields, once_more.text), (read.fields, read.text));
        assert_eq!(once_more.description, "Other");
    }

    #[test]
    fn what_is_no_prompt_says_why() {
        let of = |bytes: &[u8]| super::read("x.md", bytes).map(|read| read.text);
        assert_eq!(of(b"\xff\xfe"), Err(Unfit::NotText));
        assert_eq!(of(b"  \n"), Err(Unfit::Empty));
        assert_eq!(of(b"---\na: 1\n---\n"), Err(Unfit::Empty));
        assert!(matches!(
            of(b"---\na: [\n---\nx"),
            Err(Unfit::Head { line: 2.., .. })
        ));
        assert_eq!(of(&vec![b'a'; 70_000]), Err(Unfit::TooLarge));
        let many: String = (0..30).map(|number| format!("{{a{number}}}")).collect();
        assert_eq!(of(many.as_bytes()), Err(Unfit::TooManyFields));
        assert_eq!(of("\u{feff}x\r\ny".as_bytes()).as_deref(), Ok("x\ny"));
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_as_the_same(
            description in "[a-z:#\"' 中{}-]{0,40}",
            text in "[a-z{}\\\\:#\n -]{1,80}",
            label in "[a-z:' 中]{0,20}",
        ) {
            prop_assume!(!text.trim().is_empty());
            let mut fields = fields(text.trim(), None).expect("few");
            for field in &mut fields {
                field.label = if label.trim().is_empty() { field.name.clone() } else { label.trim().to_owned() };
            }
            let file = written(&description, &text, &fields, &Map::new()).expect("a file");
            let read = super::read("x.md", file.as_bytes()).expect("a prompt");
            prop_assert_eq!(read.text, text.trim());
            prop_assert_eq!(read.description, one_line(&description));
            prop_assert_eq!(read.fields, fields);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            drop(super::read("x.md", &bytes));
        }
    }
}
