//! Reads a request, also in the shape of programs that were installed before this one.

use super::Request;
use serde_json::{Value, json};

/// Reads a request from a line.
///
/// # Errors
/// The line is no JSON, or no request.
pub fn read_request(line: &str) -> serde_json::Result<Request> {
    let read = serde_json::from_str(line);
    let Ok(Value::Object(mut earlier)) = serde_json::from_str(line) else {
        return read;
    };
    // Requests about knowledge had their action beside `request` instead of under `action`.
    if earlier.get("request") != Some(&json!("knowledge"))
        || !earlier.get("action").is_some_and(Value::is_string)
    {
        return read;
    }
    earlier.shift_remove("request");
    serde_json::from_value(json!({"request": "knowledge", "action": earlier}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnowledgeRequest;

    #[test]
    fn a_request_about_knowledge_is_read_in_its_earlier_shape_and_in_todays() {
        let list = Request::Knowledge {
            action: KnowledgeRequest::List,
        };
        let earlier = r#"{"request":"knowledge","action":"list"}"#;
        assert_eq!(read_request(earlier).unwrap(), list);
        assert_eq!(
            read_request(&serde_json::to_string(&list).unwrap()).unwrap(),
            list
        );
        let show = r#"{"request":"knowledge","action":"show","base":"laws","offset":0,"limit":9}"#;
        let show = read_request(show).unwrap();
        assert!(matches!(
            show,
            Request::Knowledge {
                action: KnowledgeRequest::Show { .. }
            }
        ));
    }

    #[test]
    fn what_is_no_request_stays_none() {
        for line in [
            "{",
            "[]",
            r#"{"request":"knowledge","action":"burn"}"#,
            r#"{"request":"memory","action":"stats"}"#,
            r#"{"request":"session_list","limit":1,"more":1}"#,
        ] {
            assert!(read_request(line).is_err(), "{line}");
        }
    }
}
