//! Steps in OpenTelemetry's own form for other programs: OTLP as JSON (opentelemetry-proto 1.x, HTTP). Pure.
//!
//! Attributes that are lists or objects travel as JSON text, which every receiver takes; lists of texts as lists.

use crate::{names, tree};
use serde_json::{Value, json};
use shidi_protocol::{JsonMap, RunId, Span};
use shidi_store::Step;

/// Whether what was said, sent and returned goes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    With,
    Without,
}

/// Attributes that are listed and yet tell what a task was about.
const TELLING: &[&str] = &[
    names::SUMMARY,
    names::GOAL,
    names::LACK,
    names::REASON,
    names::DECIDED_SAID,
    names::GROUNDS,
];

/// A step as one span of OTLP.
pub fn span(run: &RunId, step: &Step, content: Content) -> Value {
    let Step { span, .. } = step;
    let mut attributes: Vec<Value> = Vec::new();
    for (name, value) in &span.attributes {
        if content == Content::With || !is_telling(name) {
            attributes.push(json!({ "key": name, "value": any(value) }));
        }
    }
    if content == Content::With {
        for (name, value) in &whole(step) {
            attributes.push(json!({ "key": name, "value": any(value) }));
        }
    }
    let error = span.attributes.get(names::ERROR_TYPE).and_then(Value::as_str);
    let mut encoded = json!({
        "traceId": trace_id(run),
        "spanId": span_id(run, span.id),
        "name": name(span, content),
        "kind": kind(span),
        "startTimeUnixNano": nanos(span.started.0),
        "endTimeUnixNano": nanos(span.started.0.saturating_add_unsigned(span.ms)),
        "attributes": attributes,
        "status": error.map_or_else(|| json!({}), |error| json!({ "code": STATUS_ERROR, "message": error })),
    });
    if let (Some(parent), Some(fields)) = (span.parent, encoded.as_object_mut()) {
        fields.insert("parentSpanId".to_owned(), span_id(run, parent).into());
    }
    encoded
}

const STATUS_ERROR: u32 = 2;
const KIND_INTERNAL: u32 = 1;
const KIND_CLIENT: u32 = 3;

/// The whole request around spans that are encoded already.
pub fn request(spans: &[String]) -> String {
    let about = json!({ "attributes": [
        { "key": "service.name", "value": { "stringValue": "shidi" } },
        { "key": "service.version", "value": { "stringValue": env!("CARGO_PKG_VERSION") } },
    ] });
    let scope = json!({ "name": "shidi", "version": env!("CARGO_PKG_VERSION") });
    format!(
        r#"{{"resourceSpans":[{{"resource":{about},"scopeSpans":[{{"scope":{scope},"spans":[{}]}}]}}]}}"#,
        spans.join(",")
    )
}

fn is_telling(name: &str) -> bool {
    TELLING.contains(&name) || tree::LONG.contains(&name)
}

/// What is long, with the texts in the places of their hashes.
fn whole(step: &Step) -> JsonMap {
    let mut content = step.content.clone();
    let text = |hash: &str| {
        step.texts
            .iter()
            .find(|text| text.hash == hash)
            .map(|text| text.text.clone())
    };
    crate::put_texts(&mut content, text);
    content
}

/// As the conventions name spans: the operation and what it is about.
fn name(span: &Span, content: Content) -> String {
    let round = span.attributes.get(names::ROUND).and_then(Value::as_u64);
    match (span.operation.as_str(), round) {
        (names::AREA, Some(round)) => format!("{} round {round}", span.name),
        (names::AREA | names::ACT, _) => span.name.clone(),
        (operation, _) if content == Content::Without && operation == names::RUN_PROGRAM => {
            operation.to_owned()
        }
        (operation, _) => format!("{operation} {}", span.name),
    }
}

fn kind(span: &Span) -> u32 {
    match span.operation.as_str() {
        names::CHAT | names::TEXT_COMPLETION => KIND_CLIENT,
        _ => KIND_INTERNAL,
    }
}

/// A run's id is 16 bytes in hexadecimal, as a trace's is.
fn trace_id(run: &RunId) -> String {
    let is_hex = run.as_str().len() == 32 && run.as_str().bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex {
        return run.as_str().to_ascii_lowercase();
    }
    crate::hash(run.as_str(), 16)
}

fn span_id(run: &RunId, id: u32) -> String {
    crate::hash(&format!("{run}/{id}"), 8)
}

fn nanos(ms: i64) -> String {
    (i128::from(ms) * 1_000_000).to_string()
}

fn any(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bool(flag) => json!({ "boolValue": flag }),
        Value::Number(number) => match number.as_i64() {
            // Whole numbers of 64 bits are texts in the JSON of protocol buffers.
            Some(whole) => json!({ "intValue": whole.to_string() }),
            None => json!({ "doubleValue": number.as_f64() }),
        },
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let values: Vec<Value> = items.iter().map(any).collect();
            json!({ "arrayValue": { "values": values } })
        }
        Value::Null | Value::Array(_) | Value::Object(_) => json!({ "stringValue": value.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::Moment;
    use shidi_store::StepText;

    fn step() -> Step {
        let attributes = json!({
            names::OPERATION_NAME: "chat",
            names::USAGE_INPUT_TOKENS: 90,
            names::COST: 0.5,
            names::RESPONSE_FINISH_REASONS: ["stop"],
            names::ERROR_TYPE: "timeout",
            names::SUMMARY: "what it was about",
        });
        let content = json!({ names::INPUT_MESSAGES: [{ "role": "user", "parts": [{ "type": "text", "content": "h" }] }] });
        let map = |value: Value| value.as_object().cloned().unwrap();
        Step {
            span: Span {
                id: 2,
                parent: Some(1),
                operation: "chat".to_owned(),
                name: "m".to_owned(),
                started: Moment(1_700_000_000_123),
                ms: 1_500,
                open: false,
                attributes: map(attributes),
            },
            content: map(content),
            texts: vec![StepText {
                hash: "h".to_owned(),
                text: "the prompt".to_owned(),
            }],
        }
    }

    #[test]
    fn a_step_has_the_form_that_receivers_expect() {
        let run = RunId::mint();
        let encoded = span(&run, &step(), Content::Without);
        assert_eq!(encoded["traceId"], run.as_str());
        assert_eq!(encoded["spanId"].as_str().unwrap().len(), 16);
        assert_eq!(encoded["parentSpanId"].as_str().unwrap().len(), 16);
        assert_ne!(encoded["spanId"], encoded["parentSpanId"]);
        assert_eq!(
            (&encoded["name"], &encoded["kind"]),
            (&json!("chat m"), &json!(3))
        );
        assert_eq!(encoded["startTimeUnixNano"], "1700000000123000000");
        assert_eq!(encoded["endTimeUnixNano"], "1700000001623000000");
        assert_eq!(encoded["status"], json!({ "code": 2, "message": "timeout" }));
        let values: Vec<&Value> = encoded["attributes"].as_array().unwrap().iter().collect();
        let of = |name: &str| {
            values
                .iter()
                .find(|one| one["key"] == name)
                .map(|one| one["value"].clone())
        };
        assert_eq!(of(names::USAGE_INPUT_TOKENS), Some(json!({ "intValue": "90" })));
        assert_eq!(of(names::COST), Some(json!({ "doubleValue": 0.5 })));
        assert!(of(names::RESPONSE_FINISH_REASONS).unwrap()["arrayValue"]["values"].is_array());
        let request: Value = serde_json::from_str(&request(&[encoded.to_string()])).unwrap();
        assert_eq!(
            request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["kind"],
            3
        );
    }

    #[test]
    fn what_a_task_was_about_goes_along_only_when_that_is_wanted() {
        let run = RunId::mint();
        let without = span(&run, &step(), Content::Without).to_string();
        assert!(
            !without.contains("the prompt") && !without.contains("what it was about"),
            "{without}"
        );
        let with = span(&run, &step(), Content::With).to_string();
        assert!(
            with.contains("the prompt") && with.contains("what it was about"),
            "{with}"
        );
    }
}
