//! One value that a person wrote into a field, as the field's kind and bounds require it.

use super::plain;
use serde_json::{Value, json};
use shidi_locales::Agent as Sentences;

/// One value as its field's kind requires; an empty value is `null` where none is required.
pub(super) fn value_of(field: &Value, value: &Value, say: Sentences) -> Result<Value, String> {
    let text = match value {
        Value::Null => String::new(),
        value => plain(value).trim().to_owned(),
    };
    let kind = field["kind"].as_str().unwrap_or_default();
    if text.is_empty() {
        return match field["required"] == true && kind != "yes_no" {
            true => Err(say.field_required().to_owned()),
            false if kind == "yes_no" => Ok(json!(false)),
            false => Ok(Value::Null),
        };
    }
    let read = match kind {
        "number" => number(&text).ok_or_else(|| say.field_number().to_owned())?,
        "whole" => {
            let whole = text.parse::<i64>().ok().map(|whole| json!(whole));
            whole.ok_or_else(|| say.field_whole().to_owned())?
        }
        "date" => fits(&text, is_date(&text), || say.field_date())?,
        "date_time" => {
            let is_moment = text.parse::<jiff::Timestamp>().is_ok();
            fits(&text, is_moment, || say.field_date_time())?
        }
        "email" => fits(&text, is_email(&text), || say.field_email())?,
        "address" => fits(&text, is_address(&text), || say.field_address())?,
        "yes_no" => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" | "是" => json!(true),
            "false" | "no" | "n" | "否" => json!(false),
            _ => return Err(say.field_yes_or_no().to_owned()),
        },
        "choice" => chosen(field, value, &text).ok_or_else(|| say.field_choice().to_owned())?,
        "choices" => several(field, value, &text).ok_or_else(|| say.field_choice().to_owned())?,
        _ => json!(text),
    };
    bounded(field, read, say)
}

fn fits(text: &str, is_fit: bool, why: impl Fn() -> &'static str) -> Result<Value, String> {
    match is_fit {
        true => Ok(json!(text)),
        false => Err(why().to_owned()),
    }
}

fn number(text: &str) -> Option<Value> {
    let whole = text.parse::<i64>().ok().map(|whole| json!(whole));
    let broken = || text.parse::<f64>().ok().filter(|number| number.is_finite());
    whole.or_else(|| Some(json!(broken()?)))
}

fn options(field: &Value) -> &[Value] {
    field["options"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn chosen(field: &Value, value: &Value, text: &str) -> Option<Value> {
    let fits = |option: &&Value| option["value"] == *value || plain(&option["label"]) == text;
    options(field)
        .iter()
        .find(fits)
        .map(|option| option["value"].clone())
}

/// Some of the options, each once: a window sends a list, and people write labels with commas between.
fn several(field: &Value, value: &Value, text: &str) -> Option<Value> {
    let listed = || serde_json::from_str::<Vec<Value>>(text).ok();
    let written = || {
        let parts = text.split([',', '，', '、']).map(str::trim);
        parts.filter(|part| !part.is_empty()).map(Value::from).collect()
    };
    let all = value.as_array().cloned().or_else(listed).unwrap_or_else(written);
    let mut found: Vec<Value> = Vec::new();
    for one in &all {
        let option = chosen(field, one, &plain(one))?;
        if !found.contains(&option) {
            found.push(option);
        }
    }
    Some(Value::Array(found))
}

/// The value, if it is within the field's bounds: characters of a text, a number itself, choices of several.
fn bounded(field: &Value, value: Value, say: Sentences) -> Result<Value, String> {
    let (least, most) = (&field["least"], &field["most"]);
    let why = match &value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            let below = least.as_f64().is_some_and(|least| number < least);
            let above = most.as_f64().is_some_and(|most| number > most);
            told(
                (below, above),
                || say.field_at_least(least.as_f64().unwrap_or_default()),
                || say.field_at_most(most.as_f64().unwrap_or_default()),
            )
        }
        Value::Array(several) => told(
            outside(several.len(), least, most),
            || say.field_choose_at_least(plain(least)),
            || say.field_choose_at_most(plain(most)),
        ),
        Value::String(text) => told(
            outside(text.chars().count(), least, most),
            || say.field_longer(plain(least)),
            || say.field_shorter(plain(most)),
        ),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    };
    why.map_or(Ok(value), Err)
}

/// Whether a count is below the one bound or above the other.
fn outside(count: usize, least: &Value, most: &Value) -> (bool, bool) {
    let count = count as u64;
    let below = least.as_u64().is_some_and(|least| count < least);
    let above = most.as_u64().is_some_and(|most| count > most);
    (below, above)
}

fn told(
    (below, above): (bool, bool),
    too_little: impl Fn() -> String,
    too_much: impl Fn() -> String,
) -> Option<String> {
    match (below, above) {
        (true, _) => Some(too_little()),
        (false, true) => Some(too_much()),
        (false, false) => None,
    }
}

/// Whether a text is a date of the calendar, as `2026-11-22`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, digits: usize, most: u32| {
        part.len() == digits
            && part
                .parse::<u32>()
                .is_ok_and(|number| (1..=most).contains(&number))
    };
    number(year, 4, 9999) && number(month, 2, 12) && number(day, 2, 31)
}

/// Whether a text looks like the address of a mailbox: whoever wants more sends a letter there.
fn is_email(text: &str) -> bool {
    let is_plain = !text.contains(char::is_whitespace);
    text.rsplit_once('@').is_some_and(|(name, host)| {
        is_plain && !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
    })
}

/// Whether a text begins as an address does: with its scheme.
fn is_address(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    };
    let is_plain = !text.contains(char::is_whitespace);
    is_plain
        && text
            .split_once(':')
            .is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty())
}
