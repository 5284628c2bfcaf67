//! Values that users gave in words, for parameters that users are asked for. An answer to a question is a text.

use serde_json::Value;
use shidi_protocol::{ParameterKind, ParameterSpec};

/// Digits of a number that stands for itself: more are a number of an account.
const DIGITS_MAX: usize = 15;

/// Words beside a number that make it another one.
const CHANGING: [&str; 11] = [
    "billion", "dozen", "half", "hundred", "k", "million", "minus", "negative", "quarter", "thousand",
    "trillion",
];

/// Letters and signs that do so, or may. A dash may be a part of a date.
const CHANGING_LETTERS: &str = "-\u{2212}–—－%％‰十百千万萬亿億兆半负負零";

/// The value for a parameter. A text for a number is the one number that stands in it; any other value stays.
pub fn as_wanted(parameter: &ParameterSpec, value: Value) -> Value {
    let number = match &value {
        Value::String(text) if parameter.asked => only_number(text),
        _ => None,
    };
    let Some(number) = number else { return value };
    match parameter.kind {
        ParameterKind::Integer => number.parse::<i64>().map_or(value, Value::from),
        ParameterKind::Number => number.parse::<f64>().map_or(value, Value::from),
        ParameterKind::Text
        | ParameterKind::Boolean
        | ParameterKind::List
        | ParameterKind::Dict
        | ParameterKind::Any => value,
    }
}

/// The digits of the only number in a text. A text in which anything may make another number of it is left alone.
fn only_number(text: &str) -> Option<&str> {
    let is_changing =
        |letter: char| CHANGING_LETTERS.contains(letter) || !letter.is_ascii() && letter.is_numeric();
    let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic());
    if text.contains(is_changing)
        || words.any(|word| CHANGING.iter().any(|other| word.eq_ignore_ascii_case(other)))
    {
        return None;
    }
    let mut numbers = text
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .map(|number| number.trim_end_matches('.'))
        .filter(|number| !number.is_empty());
    let number = numbers.next()?;
    let is_only = numbers.next().is_none();
    (is_only && number.len() <= DIGITS_MAX).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn parameter(kind: ParameterKind, asked: bool) -> ParameterSpec {
        ParameterSpec {
            name: "hours".into(),
            kind,
            doc: String::new(),
            default: None,
            asked,
        }
    }

    #[test]
    fn the_only_number_of_an_answer_is_taken_for_what_its_user_was_asked_for() {
        let hours = parameter(ParameterKind::Number, true);
        assert_eq!(as_wanted(&hours, json!("It was 2.5 hours.")), json!(2.5));
        let boxes = parameter(ParameterKind::Integer, true);
        assert_eq!(as_wanted(&boxes, json!("7公斤")), json!(7));
        for text in ["2 or 3", "from 19:30", "1,200", "2.5", "-3", "none", ""] {
            assert_eq!(as_wanted(&boxes, json!(text)), json!(text));
        }
        for text in [
            "5万元",
            "3 thousand",
            "10k",
            "2 and a half",
            "minus 3",
            "−3",
            "50%",
            "3½",
            "零下2度",
        ] {
            assert_eq!(as_wanted(&hours, json!(text)), json!(text));
        }
        assert_eq!(as_wanted(&hours, json!(".5 h")), json!(0.5));
        let own = parameter(ParameterKind::Integer, false);
        assert_eq!(as_wanted(&own, json!("7")), json!("7"));
    }

    proptest! {
        #[test]
        fn what_fits_already_stays_and_no_text_breaks_it(text in r"\PC{0,40}", number in any::<i64>()) {
            for kind in [ParameterKind::Integer, ParameterKind::Number, ParameterKind::Text] {
                prop_assert_eq!(as_wanted(&parameter(kind, true), json!(number)), json!(number));
                let said = as_wanted(&parameter(kind, true), json!(text));
                prop_assert!(said == json!(text) || kind != ParameterKind::Text && said.is_number());
            }
        }
    }
}
