//! A server's question to the person in the middle of a call. The question comes as a flat form or as an address to
//! open.
//!
//! Forms are read strictly: what is nested, too long or asks for a secret is refused with a reason. A person's answer
//! is checked against the form once more before it is sent.

mod reading;
mod secrets;

use serde_json::{Map, Number, Value, json};
use shidi_protocol::JsonMap;

pub use reading::{of_address, of_form};

/// A question of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Elicitation {
    /// The server's words, cleaned and bounded.
    pub message: String,
    pub asks: Asks,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Asks {
    Form(Vec<Field>),
    /// The person is to open this address by themselves; nothing here opens it.
    Address(String),
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The server's name of it, by which it is answered.
    pub name: String,
    pub label: String,
    pub note: String,
    pub is_required: bool,
    /// What stands there at first; `null` where the server says nothing.
    pub default: Value,
    pub kind: FieldKind,
}

/// The values that a field takes.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// Text, with its characters at least and at most.
    Text {
        format: Option<Format>,
        least: Option<u64>,
        most: Option<u64>,
    },
    Number {
        is_whole: bool,
        least: Option<f64>,
        most: Option<f64>,
    },
    YesNo,
    Choice(Vec<Choice>),
    /// Any of these, with their number at least and at most.
    Choices {
        of: Vec<Choice>,
        least: Option<u64>,
        most: Option<u64>,
    },
}

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Email,
    Address,
    Date,
    DateTime,
}

/// A value to choose, and how it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Elicited {
    /// Values by the names of the fields; none for an address.
    Accepted(JsonMap),
    Declined,
    /// Nobody decided: the time was over, or the task ended.
    Cancelled,
}

/// Why a question is not put to anybody. The server reads it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("The form has more than {0} fields")]
    TooManyFields(usize),
    #[error("The form is not flat: {0} is no text, number, boolean, or choice")]
    NotFlat(String),
    #[error("The field {0} offers nothing to choose, or more than {1} choices")]
    BadChoices(String, usize),
    #[error("The form asks for a secret ({0}). Shidi passes no passwords, keys or tokens on through a form")]
    Secret(String),
    #[error("The address is no https address that can be shown whole")]
    BadAddress,
    #[error("The form has no fields")]
    Empty,
}

impl Elicitation {
    /// The answer as it is sent, if it fits the form: values that nobody gave are left out.
    #[must_use]
    pub fn content(&self, values: &JsonMap) -> Option<JsonMap> {
        let Asks::Form(fields) = &self.asks else {
            return Some(Map::new());
        };
        let mut content = Map::new();
        for field in fields {
            match values.get(&field.name).filter(|value| !value.is_null()) {
                Some(value) => content.insert(field.name.clone(), field.kind.checked(value)?),
                None if field.is_required => return None,
                None => continue,
            };
        }
        Some(content)
    }
}

impl FieldKind {
    /// The value in the form in which the server wants it, if it is one that the field takes.
    fn checked(&self, value: &Value) -> Option<Value> {
        let is_within = |count: usize, least: &Option<u64>, most: &Option<u64>| {
            let count = count as u64;
            least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
        };
        match self {
            Self::Text { least, most, .. } => {
                let text = value.as_str()?;
                is_within(text.chars().count(), least, most).then(|| json!(text))
            }
            Self::Number {
                is_whole,
                least,
                most,
            } => {
                let number = value.as_f64().filter(|number| number.is_finite())?;
                let is_fit =
                    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
                let number = match is_whole {
                    true => value.as_i64().map(Number::from),
                    false => value.as_number().cloned(),
                };
                number.filter(|_| is_fit).map(Value::Number)
            }
            Self::YesNo => value.as_bool().map(Value::Bool),
            Self::Choice(of) => {
                let chosen = value.as_str()?;
                of.iter()
                    .any(|choice| choice.value == chosen)
                    .then(|| json!(chosen))
            }
            Self::Choices { of, least, most } => {
                let chosen = value.as_array()?;
                let is_there = |one: &Value| of.iter().any(|choice| one.as_str() == Some(&choice.value));
                let is_fit = is_within(chosen.len(), least, most) && chosen.iter().all(is_there);
                is_fit.then(|| json!(chosen))
            }
        }
    }
}

#[cfg(test)]
mod tests;
