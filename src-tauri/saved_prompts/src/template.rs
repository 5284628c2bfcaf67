//! Fields in a text: `{name}`, and `{{name}}` as other programs write it; `\{` is a brace.
//!
//! Pure. A brace that begins no name is text, so that a prompt may hold code.

use crate::limits::FIELD_CHARACTERS_MAX;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Field(&'a str),
}

/// The names of the fields, in the order in which they first come.
#[must_use]
pub fn fields(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for piece in pieces(text) {
        if let Piece::Field(name) = piece
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The text with the values in the places of the fields.
///
/// # Errors
/// The name of the first field without a value.
pub fn filled(text: &str, values: &BTreeMap<String, String>) -> Result<String, String> {
    let mut whole = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => whole.push_str(text),
            Piece::Field(name) => whole.push_str(values.get(name).ok_or(name)?),
        }
    }
    Ok(whole)
}

/// Whether a field can have that name: letters, digits, `_` and `-`, a letter first.
#[must_use]
pub fn is_field(name: &str) -> bool {
    let inner = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(inner)
        && name.chars().count() <= FIELD_CHARACTERS_MAX
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut from) = (text, text);
    while let Some(at) = rest.find(['{', '\\']) {
        let read = from.len() - rest.len() + at;
        let behind = &rest[at..];
        if let Some(brace) = behind.strip_prefix('\\') {
            if brace.starts_with(['{', '}']) {
                pieces.push(Piece::Text(&from[..read]));
                from = brace;
                rest = &brace[1..];
            } else {
                rest = brace;
            }
        } else if let Some((name, after)) = field(behind) {
            pieces.extend([Piece::Text(&from[..read]), Piece::Field(name)]);
            (rest, from) = (after, after);
        } else {
            rest = &behind[1..];
        }
    }
    pieces.push(Piece::Text(from));
    pieces
}

/// The field at the beginning of a text, and what follows it.
fn field(text: &str) -> Option<(&str, &str)> {
    let within = |open: &str, close: &str| {
        let (name, after) = text.strip_prefix(open)?.split_once(close)?;
        is_field(name.trim()).then_some((name.trim(), after))
    };
    within("{{", "}}").or_else(|| within("{", "}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fill(text: &str) -> Result<String, String> {
        let values = [("a", "1"), ("目标语言", "英文"), ("b-c_2", "{a}")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        filled(text, &values.into())
    }

    #[test]
    fn a_field_is_a_name_in_braces_and_everything_else_stays_as_it_is() {
        for (text, expected) in [
            ("x {a} y", "x 1 y"),
            ("{{a}}{ a }", "11"),
            ("译成{目标语言}。", "译成英文。"),
            ("{b-c_2}", "{a}"),
            ("f() { return {} }", "f() { return {} }"),
            (r#"{"a": 1, "b": {a}}"#, r#"{"a": 1, "b": 1}"#),
            (r"\{a} \\ \n \", r"{a} \\ \n \"),
            (r"\{{a}}", "{1}"),
            ("{1}{-}{a", "{1}{-}{a"),
            ("", ""),
        ] {
            assert_eq!(fill(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(fill("{a}{other}{more}"), Err("other".to_owned()));
        assert_eq!(fields("{b}{a} {{b}} {c}"), ["b", "a", "c"]);
    }

    proptest! {
        #[test]
        fn any_text_is_filled_when_its_fields_are(text in r"[{}\\ab 中\n]{0,60}") {
            let names = fields(&text);
            let values = names.iter().map(|name| ((*name).to_owned(), String::new()));
            let whole = filled(&text, &values.collect());
            prop_assert!(whole.is_ok_and(|whole| whole.len() <= text.len()));
        }
    }
}
