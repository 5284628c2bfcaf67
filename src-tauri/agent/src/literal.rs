//! A JSON value as Python writes it: in programs made of calls, in stubs, in the inputs of a replay.

use serde_json::Value;

/// The literal that stands for `value` in a program.
#[must_use]
pub fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items = items.iter().map(literal).collect::<Vec<_>>().join(", ");
            format!("[{items}]")
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", Value::from(name.as_str()), literal(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}
