//! Times as workflows write them; what time it is comes in with events.

use jiff::Timestamp;
use serde_json::Value;

/// Milliseconds since 1970 of a time with its zone, such as `2026-12-01T08:00:00+08:00`, or of a number of seconds.
#[must_use]
pub fn moment(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => {
            let text = text.trim();
            let read: Option<Timestamp> = text.parse().ok();
            u64::try_from(read?.as_millisecond()).ok()
        }
        Value::Number(seconds) => seconds.as_u64()?.checked_mul(1_000),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_needs_its_zone() {
        assert_eq!(moment(&json!("1970-01-01T08:00:01+08:00")), Some(1_000));
        assert_eq!(moment(&json!("1970-01-01T00:00:01")), None);
        assert_eq!(moment(&json!(2)), Some(2_000));
        assert_eq!(moment(&json!(null)), None);
    }
}
