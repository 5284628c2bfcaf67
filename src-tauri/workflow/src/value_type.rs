//! Types of values: how files write them, and whether a value is of one.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    Text,
    Whole,
    Number,
    Flag,
    List,
    Map,
    Any,
}

/// The names of each type, the one that is written first.
const NAMES: [(ValueType, &[&str]); 7] = [
    (ValueType::Text, &["str", "string", "text"]),
    (ValueType::Whole, &["int", "integer"]),
    (ValueType::Number, &["float", "number"]),
    (ValueType::Flag, &["bool", "boolean"]),
    (ValueType::List, &["list", "array"]),
    (ValueType::Map, &["dict", "object", "map"]),
    (ValueType::Any, &["any"]),
];

impl ValueType {
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = NAMES.iter().find(|(_, names)| names.contains(&name));
        row.map(|(kind, _)| *kind)
    }

    /// Every name that files may write.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        NAMES
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "str",
            Self::Whole => "int",
            Self::Number => "float",
            Self::Flag => "bool",
            Self::List => "list",
            Self::Map => "dict",
            Self::Any => "any",
        }
    }

    /// Whether `{name[field]}` may be said of it.
    #[must_use]
    pub fn has_parts(self) -> bool {
        match self {
            Self::List | Self::Map | Self::Any => true,
            Self::Text | Self::Whole | Self::Number | Self::Flag => false,
        }
    }

    /// Whether a value of `other` is always one of this type as well, or becomes one when it is read.
    #[must_use]
    pub fn takes(self, other: Self) -> bool {
        match self {
            Self::Any => true,
            Self::Text => !matches!(other, Self::List | Self::Map),
            Self::Number => matches!(other, Self::Number | Self::Whole | Self::Text | Self::Any),
            Self::Whole | Self::Flag | Self::List | Self::Map => {
                other == self || matches!(other, Self::Text | Self::Any)
            }
        }
    }

    /// The value as one of this type: models and command lines hand over texts. `None` when it is none.
    #[must_use]
    pub fn of(self, value: Value) -> Option<Value> {
        match (self, value) {
            (Self::Any, value) => Some(value),
            (Self::Text, Value::Number(number)) => Some(Value::String(number.to_string())),
            (Self::Text, Value::Bool(flag)) => Some(Value::String(flag.to_string())),
            (Self::Whole, Value::Number(number)) => whole(&number),
            (Self::Flag, Value::String(text)) => match text.trim() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            (Self::Whole | Self::Number | Self::List | Self::Map, Value::String(text)) => {
                let read: Value = serde_json::from_str(text.trim()).ok()?;
                if read.is_string() { None } else { self.of(read) }
            }
            (Self::Text, value @ Value::String(_))
            | (Self::Number, value @ Value::Number(_))
            | (Self::Flag, value @ Value::Bool(_))
            | (Self::List, value @ Value::Array(_))
            | (Self::Map, value @ Value::Object(_)) => Some(value),
            (
                Self::Text | Self::Whole | Self::Number | Self::Flag | Self::List | Self::Map,
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_),
            ) => None,
        }
    }

    /// A value that stands for one where nothing is carried out.
    #[must_use]
    pub fn sample(self) -> Value {
        match self {
            Self::Text => Value::String("…".to_owned()),
            Self::Whole => Value::from(1),
            Self::Number => Value::from(1.0),
            Self::Flag => Value::Bool(true),
            Self::List => Value::Array(vec![Value::Null]),
            Self::Map => Value::Object(serde_json::Map::new()),
            Self::Any => Value::Null,
        }
    }
}

/// A number without a fraction.
fn whole(number: &Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(Value::Number(number.clone()));
    }
    let number = number.as_f64()?;
    // Beyond this, a float no longer tells neighbouring whole numbers apart.
    let is_exact = number.fract() == 0.0 && number.abs() < 9e15;
    is_exact.then(|| {
        let exact = number as i64;
        Value::from(exact)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_of_models_become_the_values_that_were_declared() {
        assert_eq!(ValueType::List.of(json!(" [1, 2]\n")), Some(json!([1, 2])));
        assert_eq!(ValueType::Whole.of(json!("3")), Some(json!(3)));
        assert_eq!(ValueType::Whole.of(json!(3.0)), Some(json!(3)));
        assert_eq!(ValueType::Whole.of(json!(3.5)), None);
        assert_eq!(ValueType::Flag.of(json!("true")), Some(json!(true)));
        assert_eq!(ValueType::Flag.of(json!("maybe")), None);
        assert_eq!(ValueType::Text.of(json!(7)), Some(json!("7")));
        assert_eq!(ValueType::Text.of(json!([7])), None);
        assert_eq!(ValueType::Map.of(json!("\"{}\"")), None);
    }

    #[test]
    fn every_name_is_that_of_its_type_and_samples_are_of_theirs() {
        for name in ValueType::names() {
            let kind = ValueType::named(name).unwrap();
            assert_eq!(ValueType::named(kind.name()), Some(kind));
            assert_eq!(kind.of(kind.sample()), Some(kind.sample()));
        }
    }
}
