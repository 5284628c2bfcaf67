//! Copies of values that have a bound. A result of a megabyte leaves its beginning in a trace, which says how much is
//! missing.

use serde_json::Value;

/// Levels that are copied; what is nested deeper is told as such.
const DEPTH_MAX: usize = 12;

/// The beginning of a text.
pub fn text(text: &str, characters_max: usize) -> String {
    match text.char_indices().nth(characters_max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… (+{})", &text[..end], text[end..].chars().count()),
    }
}

/// A value whose texts and marks have at most so many characters in all.
pub fn value(value: &Value, characters_max: usize) -> Value {
    let mut left = characters_max;
    copied(value, &mut left, DEPTH_MAX)
}

fn copied(value: &Value, left: &mut usize, depth: usize) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            *left = left.saturating_sub(4);
            value.clone()
        }
        Value::String(whole) => {
            let kept = text(whole, *left);
            *left = left.saturating_sub(kept.chars().count().max(1));
            Value::String(kept)
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => Value::String("…".to_owned()),
        Value::Array(items) => {
            let mut kept = Vec::new();
            for (index, item) in items.iter().enumerate() {
                if *left == 0 {
                    kept.push(Value::String(format!("… (+{})", items.len() - index)));
                    break;
                }
                kept.push(copied(item, left, depth - 1));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => {
            let mut kept = serde_json::Map::new();
            for (index, (name, field)) in fields.iter().enumerate() {
                if *left == 0 {
                    kept.insert("…".to_owned(), format!("+{}", fields.len() - index).into());
                    break;
                }
                let name = text(name, *left);
                *left = left.saturating_sub(name.chars().count());
                let field = copied(field, left, depth - 1);
                kept.insert(name, field);
            }
            Value::Object(kept)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_is_the_same_and_what_does_not_says_how_much_is_missing() {
        let small = json!({"path": "a.rs", "lines": [1, 2, null]});
        assert_eq!(value(&small, 200), small);
        assert_eq!(text("中文字符", 2), "中文… (+2)");
        let long = json!({"rows": vec!["abcdefgh"; 1_000], "after": 1});
        let kept = value(&long, 80).to_string();
        assert!(kept.len() < 400 && kept.contains("(+9"), "{kept}");
        assert!(!kept.contains("after"), "{kept}");
    }

    #[test]
    fn a_deep_nest_ends() {
        let mut nest = json!(1);
        for _ in 0..500 {
            nest = json!([nest]);
        }
        assert!(value(&nest, 10_000).to_string().len() < 100);
    }
}
