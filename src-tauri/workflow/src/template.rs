//! Texts in which values have their places: `{name}`, `{name.field}`, `{name[field]}`, `{name[0]}`.
//!
//! A text that is one reference and nothing else is the value itself, of whatever type. A brace that begins no name is a brace;
//! `\{` is one before a name, too. Backslashes count only before a brace.

use crate::problem::{Fault, Problem};
use serde_json::{Map, Value};
use shidi_protocol::JsonMap;
use shidi_yaml::{Data, Node, Place};
use std::borrow::Cow;

/// A value by its name, and the way to a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub place: Place,
    pub name: String,
    pub path: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Field(String),
    Index(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    Reference(Reference),
}

/// A value with places in it.
#[derive(Debug, Clone, PartialEq)]
pub enum Template {
    Literal(Value),
    Whole(Reference),
    Text(Vec<Piece>),
    List(Vec<Template>),
    Map(Vec<(String, Template)>),
}

/// The part that a value does not have, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingPart(pub String);

/// Whoever knows the values.
pub trait Values {
    fn value(&self, name: &str) -> Option<&Value>;

    /// What stands for a part that a value does not have.
    ///
    /// # Errors
    /// The part, where nothing does.
    fn without(&self, missing: MissingPart) -> Result<Value, MissingPart> {
        Err(missing)
    }
}

impl Values for JsonMap {
    fn value(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

/// Whether a name may stand between braces.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(begins_name) && letters.all(continues_name)
}

fn begins_name(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

fn continues_name(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

impl Template {
    /// The text that the value begins with, whatever the run is given; `None` where a run decides it.
    #[must_use]
    pub fn beginning(&self) -> Option<&str> {
        match self {
            Self::Literal(Value::String(text)) => Some(text),
            Self::Text(pieces) => match pieces.first() {
                Some(Piece::Text(text)) => Some(text),
                Some(Piece::Reference(_)) | None => None,
            },
            Self::Literal(_) | Self::Whole(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Reads a value of a file.
    ///
    /// # Errors
    /// The first reference that is none.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        Ok(match &node.data {
            Data::Null | Data::Flag(_) | Data::Number(_) => Self::Literal(node.json()),
            Data::Text(text) => Self::of_text(text, &node.place)?,
            Data::List(items) => {
                let items: Vec<Self> = items.iter().map(Self::read).collect::<Result<_, _>>()?;
                if items.iter().all(Self::is_literal) {
                    Self::Literal(items.iter().map(Self::literal).collect())
                } else {
                    Self::List(items)
                }
            }
            Data::Map(entries) => {
                let read = |entry: &shidi_yaml::Entry| Ok((entry.key.clone(), Self::read(&entry.value)?));
                let pairs: Vec<(String, Self)> = entries.iter().map(read).collect::<Result<_, Fault>>()?;
                if pairs.iter().all(|(_, value)| value.is_literal()) {
                    let literal = pairs.iter().map(|(key, value)| (key.clone(), value.literal()));
                    Self::Literal(Value::Object(literal.collect()))
                } else {
                    Self::Map(pairs)
                }
            }
        })
    }

    /// Reads a text.
    ///
    /// # Errors
    /// The first reference that is none.
    pub fn of_text(text: &str, place: &Place) -> Result<Self, Fault> {
        let mut pieces = pieces(text, place)?;
        Ok(match (pieces.pop(), pieces.is_empty()) {
            (None, _) => Self::Literal(Value::String(String::new())),
            (Some(Piece::Text(text)), true) => Self::Literal(Value::String(text)),
            (Some(Piece::Reference(reference)), true) => Self::Whole(reference),
            (Some(last), false) => {
                pieces.push(last);
                Self::Text(pieces)
            }
        })
    }

    fn is_literal(&self) -> bool {
        matches!(self, Self::Literal(_))
    }

    /// The value of one without references; a list or map of literals is a literal itself.
    fn literal(&self) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Whole(_) | Self::Text(_) | Self::List(_) | Self::Map(_) => Value::Null,
        }
    }

    /// Every reference within.
    pub fn references<'a>(&'a self, found: &mut Vec<&'a Reference>) {
        match self {
            Self::Literal(_) => {}
            Self::Whole(reference) => found.push(reference),
            Self::Text(pieces) => found.extend(pieces.iter().filter_map(Piece::reference)),
            Self::List(items) => items.iter().for_each(|item| item.references(found)),
            Self::Map(pairs) => pairs.iter().for_each(|(_, value)| value.references(found)),
        }
    }

    /// The value with everything in its place.
    ///
    /// # Errors
    /// A part that a value does not have.
    pub fn value<'a>(&'a self, values: &'a dyn Values) -> Result<Cow<'a, Value>, MissingPart> {
        Ok(match self {
            Self::Literal(value) => Cow::Borrowed(value),
            Self::Whole(reference) => reference.value(values)?,
            Self::Text(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(piece) => text.push_str(piece),
                        Piece::Reference(reference) => {
                            let value = reference.value(values)?;
                            text.push_str(&as_text(&value));
                        }
                    }
                }
                Cow::Owned(Value::String(text))
            }
            Self::List(items) => {
                let items = items.iter().map(|item| item.value(values).map(Cow::into_owned));
                Cow::Owned(Value::Array(items.collect::<Result<_, _>>()?))
            }
            Self::Map(pairs) => {
                let mut map = Map::new();
                for (key, value) in pairs {
                    map.insert(key.clone(), value.value(values)?.into_owned());
                }
                Cow::Owned(Value::Object(map))
            }
        })
    }

    /// The same as a file writes it.
    #[must_use]
    pub fn written(&self) -> Value {
        match self {
            Self::Literal(value) => escaped(value),
            Self::Whole(reference) => Value::String(format!("{{{}}}", reference.written())),
            Self::Text(pieces) => Value::String(written(pieces)),
            Self::List(items) => items.iter().map(Self::written).collect(),
            Self::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (key.clone(), value.written()));
                Value::Object(pairs.collect())
            }
        }
    }
}

impl Piece {
    fn reference(&self) -> Option<&Reference> {
        match self {
            Self::Text(_) => None,
            Self::Reference(reference) => Some(reference),
        }
    }
}

fn written(pieces: &[Piece]) -> String {
    let mut written = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            // Backslashes at the very end are read as they stand.
            Piece::Text(text) if at + 1 == pieces.len() => {
                written.push_str(&escaped_text(text, Followed::ByNothing));
            }
            Piece::Text(text) => written.push_str(&escaped_text(text, Followed::ByReference)),
            Piece::Reference(reference) => {
                written.push('{');
                written.push_str(&reference.written());
                written.push('}');
            }
        }
    }
    written
}

impl Reference {
    fn value<'a>(&self, values: &'a dyn Values) -> Result<Cow<'a, Value>, MissingPart> {
        let Some(mut value) = values.value(&self.name) else {
            // Checked when the file was read: only a step that was left out makes nothing.
            return Ok(Cow::Owned(Value::Null));
        };
        for part in &self.path {
            let inner = match part {
                Part::Field(field) => value.get(field),
                Part::Index(index) => value.get(index),
            };
            match inner {
                Some(inner) => value = inner,
                None => {
                    return values
                        .without(MissingPart(format!("{{{}}}", self.written())))
                        .map(Cow::Owned);
                }
            }
        }
        Ok(Cow::Borrowed(value))
    }

    /// As it stands between braces.
    #[must_use]
    pub fn written(&self) -> String {
        let parts = self.path.iter().map(|part| match part {
            Part::Field(field) if is_name(field) => format!(".{field}"),
            Part::Field(field) => format!("[{field}]"),
            Part::Index(index) => format!("[{index}]"),
        });
        parts.fold(self.name.clone(), |whole, part| whole + &part)
    }
}

/// A value within a text.
#[must_use]
pub fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Cow::Owned(value.to_string())
        }
    }
}

/// Takes a text apart.
///
/// # Errors
/// A brace that begins a name and ends nowhere, and `{{name}}`, which other programs mean by `{name}`.
pub fn pieces(text: &str, place: &Place) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        let bare = before.trim_end_matches('\\');
        let slashes = before.len() - bare.len();
        plain.push_str(bare);
        plain.push_str(&"\\".repeat(slashes / 2));
        let read = if slashes % 2 == 1 {
            None
        } else {
            reference(from, place)?
        };
        match read {
            Some((reference, after)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Reference(reference));
                rest = after;
            }
            None => {
                plain.push('{');
                rest = &from[1..];
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// The reference that begins with this brace, and what follows it; `None` for a brace that is meant as one.
fn reference<'a>(from: &'a str, place: &Place) -> Result<Option<(Reference, &'a str)>, Fault> {
    if let Some(name) = double(from) {
        return Err(Fault::new(place, Problem::DoubleBraces(name)));
    }
    let inside = from[1..].trim_start_matches(' ');
    let Some((name, mut rest)) = name(inside) else {
        return Ok(None);
    };
    let mut path = Vec::new();
    loop {
        let broken = || {
            let shown: String = from.chars().take(40).collect();
            Fault::new(place, Problem::BrokenReference(shown))
        };
        if let Some(inner) = rest.strip_prefix('.') {
            match self::name(inner) {
                Some((field, after)) => {
                    path.push(Part::Field(field.to_owned()));
                    rest = after;
                }
                None if path.is_empty() => return Ok(None),
                None => return Err(broken()),
            }
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (part, after) = inner.split_once(']').ok_or_else(broken)?;
            path.push(bracketed(part).ok_or_else(broken)?);
            rest = after;
        } else if let Some(after) = rest.trim_start_matches(' ').strip_prefix('}') {
            let reference = Reference {
                place: place.clone(),
                name: name.to_owned(),
                path,
            };
            return Ok(Some((reference, after)));
        } else if path.is_empty() && !rest.trim_start_matches(' ').is_empty() {
            return Ok(None);
        } else {
            return Err(broken());
        }
    }
}

/// The name within `{{name}}`.
fn double(from: &str) -> Option<String> {
    let inside = from.strip_prefix("{{")?;
    let (inside, _) = inside.split_once("}}")?;
    let name = inside.trim();
    let first = name.split(['.', '[']).next().unwrap_or_default();
    is_name(first).then(|| name.to_owned())
}

fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter| !continues_name(letter)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    is_name(name).then_some((name, rest))
}

fn bracketed(part: &str) -> Option<Part> {
    let part = part.trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        let inner = part.strip_prefix(quote)?;
        inner.strip_suffix(quote)
    });
    let field = quoted.unwrap_or(part);
    if quoted.is_none() && !part.is_empty() && part.chars().all(|letter| letter.is_ascii_digit()) {
        return part.parse().ok().map(Part::Index);
    }
    let is_plain = !field.is_empty() && !field.contains(['[', ']', '{', '}', '"', '\'']);
    is_plain.then(|| Part::Field(field.to_owned()))
}

/// What stands behind a text.
#[derive(Clone, Copy, PartialEq)]
enum Followed {
    ByReference,
    ByNothing,
}

/// A value whose texts are read as themselves again.
fn escaped(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(escaped_text(text, Followed::ByNothing)),
        Value::Array(items) => items.iter().map(escaped).collect(),
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| (key.clone(), escaped(value)));
            Value::Object(pairs.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn escaped_text(text: &str, followed: Followed) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        let slashes = before.len() - before.trim_end_matches('\\').len();
        written.push_str(before);
        written.push_str(&"\\".repeat(slashes));
        let is_plain = from[1..].starts_with(|letter: char| !begins_name(letter) && !" {".contains(letter));
        written.push_str(if is_plain { "{" } else { "\\{" });
        rest = &from[1..];
    }
    written.push_str(rest);
    if followed == Followed::ByReference {
        let slashes = rest.len() - rest.trim_end_matches('\\').len();
        written.push_str(&"\\".repeat(slashes));
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn place() -> Place {
        Place {
            file: "w.yaml".into(),
            line: 1,
            column: 1,
        }
    }

    fn filled(text: &str) -> Value {
        let values = json!({"name": "Ann", "n": 3, "user": {"mobile": "1", "list": [5, 6]}, "菜": "辣"});
        let values = values.as_object().unwrap();
        let template = Template::of_text(text, &place()).unwrap();
        template.value(values).unwrap().into_owned()
    }

    #[test]
    fn a_lone_reference_is_the_value_itself_and_others_are_text() {
        assert_eq!(filled("{n}"), json!(3));
        assert_eq!(filled("{ n }"), json!(3));
        assert_eq!(filled("{user[list]}"), json!([5, 6]));
        assert_eq!(filled("{user.list[1]}"), json!(6));
        assert_eq!(filled("{user['mobile']}"), json!("1"));
        assert_eq!(
            filled("Dear {name}, {n} of {user.list}"),
            json!("Dear Ann, 3 of [5,6]")
        );
        assert_eq!(filled("{菜}!"), json!("辣!"));
        assert_eq!(filled("{n} "), json!("3 "));
    }

    #[test]
    fn braces_that_begin_no_name_are_braces() {
        for text in [
            "{\"a\": 1}",
            "{}",
            "{ }",
            "{1}",
            "{a: 1}",
            "{name: x}",
            "a {",
            "{{}}",
        ] {
            assert_eq!(filled(text), json!(text));
        }
        assert_eq!(filled("\\{name}"), json!("{name}"));
        assert_eq!(filled("\\\\{name}"), json!("\\Ann"));
        assert_eq!(filled("C:\\dir\\"), json!("C:\\dir\\"));
    }

    #[test]
    fn what_ends_nowhere_or_is_anothers_form_is_a_fault() {
        let problem = |text: &str| Template::of_text(text, &place()).unwrap_err().problem;
        assert_eq!(problem("a {{ name }}"), Problem::DoubleBraces("name".to_owned()));
        assert!(matches!(problem("{user[mobile"), Problem::BrokenReference(_)));
        assert!(matches!(problem("{user[]}"), Problem::BrokenReference(_)));
        assert!(matches!(problem("{user"), Problem::BrokenReference(_)));
        assert!(matches!(problem("{user.a."), Problem::BrokenReference(_)));
    }

    #[test]
    fn a_backslash_at_the_end_is_written_once() {
        let template = Template::of_text("{n}\\", &place()).unwrap();
        assert_eq!(template.written(), json!("{n}\\"));
    }

    proptest! {
        #[test]
        fn every_text_is_written_so_that_it_is_read_again(text in "[a{}\\\\ \\[\\].0'é]{0,14}") {
            let literal = Template::Literal(Value::String(text.clone()));
            let written = literal.written();
            let read = Template::of_text(written.as_str().unwrap(), &place());
            prop_assert_eq!(read.unwrap(), literal);
        }

        #[test]
        fn every_template_is_written_so_that_it_is_read_again(text in "[a{}\\\\ \\[\\].0'é]{0,14}") {
            if let Ok(template) = Template::of_text(&text, &place()) {
                let written = template.written();
                prop_assert_eq!(Template::of_text(written.as_str().unwrap(), &place()).unwrap(), template);
            }
        }
    }
}
