//! The value of one variable for a person: whole as far as it is kept, within a bound. The lists show its beginning.

use crate::limits::{VARIABLE_TEXT_CHARACTERS, VARIABLE_VALUE_CHARACTERS_MAX};
use shidi_executor::plain;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError, VariableValue, reply};
use shidi_store::Variable;

/// The variable of that name among those that are kept.
///
/// # Errors
/// There is none of that name.
pub fn shown(kept: Vec<Variable>, name: &str, language: Language) -> Result<reply::Variable, UserError> {
    let variable = kept.into_iter().find(|variable| variable.name == name);
    let variable = variable
        .ok_or_else(|| UserError::new(ErrorCode::NotFound, language.runtime().no_such_variable(name)))?;
    Ok(reply::Variable {
        variable: value(variable),
    })
}

fn value(variable: Variable) -> VariableValue {
    let is_beginning = variable.value.is_none() && is_beginning(&variable.text);
    let text = match variable.value.as_ref().map(plain) {
        Some(serde_json::Value::String(text)) => text,
        Some(value) => serde_json::to_string_pretty(&value).unwrap_or(variable.text),
        None => variable.text,
    };
    let end = text.char_indices().nth(VARIABLE_VALUE_CHARACTERS_MAX);
    let (text, is_cut) = match end {
        Some((end, _)) => (text[..end].to_owned(), true),
        None => (text, is_beginning),
    };
    VariableValue {
        name: variable.name,
        text,
        cut: is_cut,
    }
}

/// Whether the worker cut what it showed of a value that has no stored form.
fn is_beginning(text: &str) -> bool {
    text.ends_with('…') && text.chars().count() > VARIABLE_TEXT_CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(value: Option<Value>, text: &str) -> (String, bool) {
        let value = super::value(Variable {
            name: "x".to_owned(),
            kind: "str".to_owned(),
            value,
            text: text.to_owned(),
            tainted: false,
            run: None,
        });
        (value.text, value.cut)
    }

    #[test]
    fn a_value_is_shown_whole_as_far_as_it_is_kept_and_within_its_bound() {
        let long = "海".repeat(5_000);
        assert_eq!(read(Some(json!(long)), "'海海…"), (long, false));
        assert_eq!(read(Some(json!([1, "a"])), "[1, 'a']").0, "[\n  1,\n  \"a\"\n]");
        let marked = json!({"$shidi": "set", "of": [1]});
        assert_eq!(read(Some(marked), "{1}").0, "[\n  1\n]");
        let beyond = "x".repeat(VARIABLE_VALUE_CHARACTERS_MAX + 1);
        let (text, cut) = read(Some(json!(beyond)), "");
        assert_eq!((text.len(), cut), (VARIABLE_VALUE_CHARACTERS_MAX, true));
        assert_eq!(read(None, "<function f>"), ("<function f>".to_owned(), false));
        let begun = format!("{}…", "y".repeat(VARIABLE_TEXT_CHARACTERS));
        assert_eq!(read(None, &begun), (begun.clone(), true));
    }

    #[test]
    fn a_name_that_nobody_gave_is_told() {
        let refused = shown(Vec::new(), "x", Language::En).unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotFound);
        assert!(refused.message.ends_with(" x"), "{}", refused.message);
    }
}
