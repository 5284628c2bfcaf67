//! Takes secrets out of steps before they are written or leave the machine. A secret is known by its form wherever it
//! stands, or by its field's name.

use serde_json::Value;
use shidi_protocol::{JsonMap, is_secret_field};
use shidi_senses::redacted;

/// What stands in place of a secret that only its field's name gave away.
const MARK: &str = "[redacted:field]";

/// Redacts all values of a map; the names of our own attributes are no secrets.
pub fn clean(attributes: &mut JsonMap) {
    for (_, value) in attributes.iter_mut() {
        clean_value(value);
    }
}

/// Redacts a value in place.
pub fn clean_value(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => *text = redacted(text),
        Value::Array(items) => items.iter_mut().for_each(clean_value),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                match field {
                    Value::String(text) if is_secret_field(name) && !text.is_empty() => MARK.clone_into(text),
                    _ => clean_value(field),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secrets_go_by_form_and_by_field_and_everything_else_stays() {
        let mut value = json!({
            "url": "https://a.example/x?token=abcdefgh123456",
            "db_password": "hunter2",
            "密码": "hunter2",
            "headers": {"Authorization": "Basic aGk6aGk=", "Accept": "text/html"},
            "text": ["my key is sk-abcdefghijklmnopqrstuvwx", 12, null],
            "max_tokens": 100,
        });
        clean_value(&mut value);
        let text = value.to_string();
        for gone in ["abcdefgh123456", "hunter2", "aGk6aGk", "sk-abcdef"] {
            assert!(!text.contains(gone), "{text}");
        }
        for kept in ["a.example", "text/html", "my key is", "100"] {
            assert!(text.contains(kept), "{text}");
        }
    }
}
