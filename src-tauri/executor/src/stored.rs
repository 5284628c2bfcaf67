//! The plain form of a stored variable, for people: JSON without the marks of `worker/src/py/_stored.py`.
//!
//! A mark is `{"$shidi": "set", "of": […]}`. The worker restores a value from its mark. People and scripts get
//! the plain form of this file: a list for a set, text for a date.

use serde_json::Value;
use shidi_protocol::JsonMap;

const MARK: &str = "$shidi";
const OF: &str = "of";

/// A stored value in plain JSON, without marks.
#[must_use]
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        Value::Object(fields) => match marked(fields) {
            Some((name, of)) => of_mark(name, of),
            None => fields
                .iter()
                .map(|(name, item)| (name.clone(), plain(item)))
                .collect(),
        },
    }
}

fn marked(fields: &JsonMap) -> Option<(&str, &Value)> {
    let name = fields.get(MARK)?.as_str()?;
    let of = fields.get(OF)?;
    (fields.len() == 2).then_some((name, of))
}

fn of_mark(name: &str, of: &Value) -> Value {
    match (name, of) {
        ("dict" | "OrderedDict" | "Counter", Value::Array(pairs)) => dict(pairs),
        ("defaultdict", Value::Array(parts)) => match parts.get(1) {
            Some(Value::Array(pairs)) => dict(pairs),
            _ => plain(of),
        },
        // Only the first part is for people: the items of a queue, the text of a date.
        ("deque" | "time" | "datetime" | "timedelta", Value::Array(parts)) => {
            parts.first().map_or(Value::Null, plain)
        }
        _ => plain(of),
    }
}

/// An object where JSON allows the keys, else a list of pairs.
fn dict(pairs: &[Value]) -> Value {
    let named = pairs.iter().map(|pair| {
        let (key, item) = (pair.get(0)?, pair.get(1)?);
        let key = match key {
            Value::String(text) => text.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) => key.to_string(),
            Value::Array(_) | Value::Object(_) => return None,
        };
        Some((key, plain(item)))
    });
    let whole: Option<JsonMap> = named.collect();
    match whole.filter(|whole| whole.len() == pairs.len()) {
        Some(whole) => Value::Object(whole),
        None => Value::Array(pairs.iter().map(plain).collect()),
    }
}

/// What Python calls the type of a plain value.
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "NoneType",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn people_read_no_marks() {
        for (kept, read) in [
            (json!([1, {"a": null}]), json!([1, {"a": null}])),
            (
                json!({"$shidi": "tuple", "of": [1, {"$shidi": "set", "of": ["a"]}]}),
                json!([1, ["a"]]),
            ),
            (
                json!({"$shidi": "dict", "of": [[1, "one"], [null, 2]]}),
                json!({"1": "one", "null": 2}),
            ),
            (
                json!({"$shidi": "dict", "of": [[{"$shidi": "tuple", "of": [1, 2]}, 3]]}),
                json!([[[1, 2], 3]]),
            ),
            (
                json!({"$shidi": "dict", "of": [[1, 2], ["1", 3]]}),
                json!([[1, 2], ["1", 3]]),
            ),
            (json!({"$shidi": "Decimal", "of": "0.10"}), json!("0.10")),
            (json!({"$shidi": "date", "of": "2026-11-22"}), json!("2026-11-22")),
            (
                json!({"$shidi": "datetime", "of": ["2026-11-22T08:00:00+08:00", "2026-11-22T08:00:00", 0, ["zone", "Asia/Shanghai"]]}),
                json!("2026-11-22T08:00:00+08:00"),
            ),
            (
                json!({"$shidi": "timedelta", "of": ["1 day, 0:00:00", 1, 0, 0]}),
                json!("1 day, 0:00:00"),
            ),
            (
                json!({"$shidi": "defaultdict", "of": ["list", [["a", [1]]]]}),
                json!({"a": [1]}),
            ),
            (json!({"$shidi": 3, "of": 1}), json!({"$shidi": 3, "of": 1})),
            (json!({"$shidi": "x"}), json!({"$shidi": "x"})),
        ] {
            assert_eq!(plain(&kept), read);
        }
    }
}
