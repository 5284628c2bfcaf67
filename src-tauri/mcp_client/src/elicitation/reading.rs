//! A server's form, read from its schema as it came: JSON that may be anything.

use super::{Asks, Choice, Elicitation, Field, FieldKind, Format, Unfit, secrets};
use crate::limits::{
    ELICITED_CHOICES_MAX, ELICITED_DEFAULT_CHARACTERS_MAX, ELICITED_FIELDS_MAX,
    ELICITED_LABEL_CHARACTERS_MAX, ELICITED_MESSAGE_CHARACTERS_MAX, ELICITED_NAME_BYTES_MAX,
    ELICITED_NOTE_CHARACTERS_MAX, ELICITED_URL_BYTES_MAX,
};
use crate::text::paragraph;
use reqwest::Url;
use serde_json::Value;
use shidi_protocol::is_shapeless;

/// The question with that message and schema.
///
/// # Errors
/// Why it is put to nobody.
pub fn of_form(message: &str, schema: &Value) -> Result<Elicitation, Unfit> {
    let properties = schema["properties"].as_object().ok_or(Unfit::Empty)?;
    if properties.len() > ELICITED_FIELDS_MAX {
        return Err(Unfit::TooManyFields(ELICITED_FIELDS_MAX));
    }
    if properties.is_empty() {
        return Err(Unfit::Empty);
    }
    let required = schema["required"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut fields = Vec::new();
    for (name, schema) in properties {
        let is_required = required.iter().any(|wanted| wanted.as_str() == Some(name));
        fields.push(field(name, schema, is_required)?);
    }
    let message = paragraph(message, ELICITED_MESSAGE_CHARACTERS_MAX);
    if let Some(secret) = secrets::wanted(&message, &fields) {
        return Err(Unfit::Secret(secret.label.clone()));
    }
    Ok(Elicitation {
        message,
        asks: Asks::Form(fields),
    })
}

/// The question to open an address.
///
/// # Errors
/// An address that is not shown to anybody.
pub fn of_address(message: &str, url: &str) -> Result<Elicitation, Unfit> {
    let is_plain = !url
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control() || is_shapeless(letter));
    let read = Url::parse(url)
        .ok()
        .filter(|_| is_plain && url.len() <= ELICITED_URL_BYTES_MAX);
    // A name before the host is there to look like another host.
    let is_open = |read: &Url| {
        read.scheme() == "https" && read.has_host() && read.username().is_empty() && read.password().is_none()
    };
    let read = read.filter(is_open).ok_or(Unfit::BadAddress)?;
    Ok(Elicitation {
        message: paragraph(message, ELICITED_MESSAGE_CHARACTERS_MAX),
        // As it is read, so that a foreign alphabet shows what the host really is.
        asks: Asks::Address(read.to_string()),
    })
}

fn field(name: &str, schema: &Value, is_required: bool) -> Result<Field, Unfit> {
    let shown = paragraph(name, ELICITED_LABEL_CHARACTERS_MAX);
    if name.is_empty() || name.len() > ELICITED_NAME_BYTES_MAX {
        return Err(Unfit::NotFlat(shown));
    }
    let text = |key: &str, most: usize| paragraph(schema[key].as_str().unwrap_or_default(), most);
    let label = Some(text("title", ELICITED_LABEL_CHARACTERS_MAX)).filter(|label| !label.is_empty());
    let kind = kind(&shown, schema)?;
    Ok(Field {
        name: name.to_owned(),
        label: label.unwrap_or_else(|| shown.clone()),
        note: text("description", ELICITED_NOTE_CHARACTERS_MAX),
        is_required,
        default: kind.default(&schema["default"]),
        kind,
    })
}

fn kind(name: &str, schema: &Value) -> Result<FieldKind, Unfit> {
    let count = |key: &str| schema[key].as_u64();
    let number = |key: &str| schema[key].as_f64();
    let not_flat = || Unfit::NotFlat(name.to_owned());
    match schema["type"].as_str() {
        Some("string") if schema["enum"].is_array() || schema["oneOf"].is_array() => {
            choices(name, schema).map(FieldKind::Choice)
        }
        Some("string") => Ok(FieldKind::Text {
            format: match schema["format"].as_str() {
                None => None,
                Some("email") => Some(Format::Email),
                Some("uri") => Some(Format::Address),
                Some("date") => Some(Format::Date),
                Some("date-time") => Some(Format::DateTime),
                Some("password") => return Err(Unfit::Secret(name.to_owned())),
                Some(_) => return Err(not_flat()),
            },
            least: count("minLength"),
            most: count("maxLength"),
        }),
        Some(kind @ ("number" | "integer")) => Ok(FieldKind::Number {
            is_whole: kind == "integer",
            least: number("minimum"),
            most: number("maximum"),
        }),
        Some("boolean") => Ok(FieldKind::YesNo),
        Some("array") => Ok(FieldKind::Choices {
            of: choices(name, &schema["items"])?,
            least: count("minItems"),
            most: count("maxItems"),
        }),
        Some(_) | None => Err(not_flat()),
    }
}

/// What there is to choose, in any of the forms that revisions of the protocol have for it.
fn choices(name: &str, schema: &Value) -> Result<Vec<Choice>, Unfit> {
    let titled = [&schema["oneOf"], &schema["anyOf"]]
        .into_iter()
        .find_map(Value::as_array);
    let choice = |value: &str, label: Option<&str>| {
        let label = paragraph(label.unwrap_or(value), ELICITED_LABEL_CHARACTERS_MAX);
        Choice {
            value: value.to_owned(),
            label,
        }
    };
    let read: Option<Vec<Choice>> = match (titled, schema["enum"].as_array()) {
        (Some(titled), _) => titled
            .iter()
            .map(|one| Some(choice(one["const"].as_str()?, one["title"].as_str())))
            .collect(),
        (None, Some(plain)) => plain
            .iter()
            .enumerate()
            .map(|(at, value)| Some(choice(value.as_str()?, schema["enumNames"][at].as_str())))
            .collect(),
        (None, None) => return Err(Unfit::NotFlat(name.to_owned())),
    };
    let read = read.ok_or_else(|| Unfit::NotFlat(name.to_owned()))?;
    let is_short = |choice: &Choice| choice.value.len() <= ELICITED_NAME_BYTES_MAX;
    match (1..=ELICITED_CHOICES_MAX).contains(&read.len()) && read.iter().all(is_short) {
        true => Ok(told_apart(read)),
        false => Err(Unfit::BadChoices(name.to_owned(), ELICITED_CHOICES_MAX)),
    }
}

/// Choices whose labels are the same are told apart by their values: a label is how a person chooses.
fn told_apart(mut choices: Vec<Choice>) -> Vec<Choice> {
    let labels: Vec<String> = choices.iter().map(|choice| choice.label.clone()).collect();
    for choice in &mut choices {
        if labels.iter().filter(|label| **label == choice.label).count() > 1 {
            choice.label = paragraph(
                &format!("{} ({})", choice.label, choice.value),
                ELICITED_LABEL_CHARACTERS_MAX,
            );
        }
    }
    choices
}

impl FieldKind {
    /// A default of the server's, if the field takes it.
    fn default(&self, given: &Value) -> Value {
        let is_short = given
            .as_str()
            .is_none_or(|text| text.chars().count() <= ELICITED_DEFAULT_CHARACTERS_MAX);
        let cleaned = match given {
            Value::String(text) if matches!(self, Self::Text { .. }) => {
                Value::from(paragraph(text, ELICITED_DEFAULT_CHARACTERS_MAX))
            }
            other => other.clone(),
        };
        self.checked(&cleaned).filter(|_| is_short).unwrap_or_default()
    }
}
