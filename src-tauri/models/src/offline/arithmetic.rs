//! Arithmetic: reads a calculation in English or Chinese completely, or not at all, and writes it as Python.
//!
//! The answer itself is computed by Python. Floats here only refuse results without a value or with too many
//! digits. They also tell whether the shown digits are exact. A question with one unknown word is no
//! calculation.

mod expression;
mod lexer;
mod phrases;

use super::Plan;
use super::text::{core, python_string};
use expression::Expression;
use regex::Regex;
use shidi_locales::Language;
use std::sync::OnceLock;

/// Significant digits that are shown of a fractional result: a float holds as many for sure.
const DIGITS_SHOWN: usize = 15;
/// Significant digits from which a result is marked as rounded.
const DIGITS_ROUNDED: usize = 14;

/// A calculation with the words in which its result is told.
struct Calculation {
    expression: Expression,
    /// The text before the equals sign.
    shown: String,
    /// The text after the result: `%`, or the chosen reading.
    after: &'static str,
    note: Option<String>,
}

/// The plan for a question that is a calculation. `question` is half-width and lower-case.
pub(super) fn plan(question: &str, language: Language) -> Option<Plan> {
    if is_code_or_date(question) {
        return None;
    }
    let core = core(question)?;
    let calculation = phrases::read(&core, language)?;
    let Some(value) = calculation.expression.value() else {
        return Some(Plan::Say(language.planner().no_real_result().to_owned()));
    };
    if !value.is_finite() {
        return Some(Plan::Say(language.planner().digits_over_limit().to_owned()));
    }
    let is_whole = calculation.expression.is_whole();
    let mark = if !is_whole && significant_digits(value) >= DIGITS_ROUNDED {
        "≈"
    } else {
        "="
    };
    let format = if is_whole {
        "str(result)".to_owned()
    } else {
        format!("f\"{{result:.{DIGITS_SHOWN}g}}\"")
    };
    let before = python_string(&format!("{} {mark} ", calculation.shown));
    let note = calculation
        .note
        .map(|note| format!(" ({note})"))
        .unwrap_or_default();
    let after = python_string(&format!("{}{note}", calculation.after));
    let after = if after == "\"\"" {
        String::new()
    } else {
        format!(" + {after}")
    };
    let program = format!(
        "result = {}\nawait user.say(text={before} + {format}{after})",
        calculation.expression.python()
    );
    Some(Plan::Run {
        thought: language.planner().thought_calculation().to_owned(),
        program,
    })
}

/// Whether a text is shaped like a date, a phone number or a turn of phrase. Such a text is no calculation.
fn is_code_or_date(question: &str) -> bool {
    static DATE: OnceLock<Option<Regex>> = OnceLock::new();
    let date = DATE.get_or_init(|| {
        Regex::new(r"^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})$").ok()
    });
    let bare = question.trim_end_matches(['?', '!', '.', ' ']);
    if ["24/7", "9/11", "7/11", "50/50", "4/20"].contains(&bare)
        || date.as_ref().is_some_and(|date| date.is_match(bare))
    {
        return true;
    }
    let groups: Vec<&str> = bare.split('-').collect();
    let is_digits = groups
        .iter()
        .all(|group| group.len() >= 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    match groups.as_slice() {
        // 555-1234 is a phone number; 1000-200 is not.
        [left, right] => is_digits && left.len() < right.len(),
        [_, _, _, ..] => is_digits,
        _ => false,
    }
}

/// How many significant digits a value has when shown.
fn significant_digits(value: f64) -> usize {
    let shown = format!("{value:.*e}", DIGITS_SHOWN - 1);
    let mantissa = shown.split('e').next().unwrap_or_default();
    mantissa
        .trim_start_matches('-')
        .replace('.', "")
        .trim_end_matches('0')
        .len()
}
