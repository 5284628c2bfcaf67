//! Calls that a model answers for a program (F7.3): a question, data from a text, a judgement of a result.
//!
//! Pure: the runtime asks. A model's answer is held to the wanted form. One answer of another form is sent back
//! with the fault, a second one is an error.

use crate::compaction;
use crate::limits;
use crate::prompt::{self, SideQuestion};
use crate::prompt_templates::PromptError;
use crate::rendering;
use crate::run_context::RunContext;
use serde_json::{Map, Value, json};
use shidi_protocol::{Call, CallOutcome, Message, ModelRequest, Speaker};

/// A question of a program to a model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelCall {
    Think {
        question: String,
        material: String,
    },
    Extract {
        text: String,
        schema: Value,
    },
    /// Whether `result` answers `request`.
    Validate {
        request: String,
        result: String,
    },
}

impl ModelCall {
    /// The question that a call is; `None` for every other call.
    #[must_use]
    pub fn of(call: &Call) -> Option<Self> {
        let text = |name: &str| match call.args.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        match (call.toolkit.as_str(), call.method.as_str()) {
            ("system", "think") => Some(Self::Think {
                question: text("question"),
                material: text("material"),
            }),
            ("system", "extract") => Some(Self::Extract {
                text: text("text"),
                schema: schema(call.args.get("schema")),
            }),
            ("page", "validate") => Some(Self::Validate {
                request: text("request"),
                result: text("result"),
            }),
            _ => None,
        }
    }

    /// The request to a model.
    ///
    /// # Errors
    /// A prompt module of the user's own that is broken.
    pub fn request(&self, context: &RunContext) -> Result<ModelRequest, PromptError> {
        let (kind, tokens, text) = match self {
            Self::Think { question, material } => (
                SideQuestion::Think,
                limits::THINK_TOKENS_MAX,
                frames(&[("material", material), ("question", question)]),
            ),
            Self::Extract { text, schema } => (
                SideQuestion::Extract,
                limits::EXTRACT_TOKENS_MAX,
                frames(&[("material", text), ("schema", &schema.to_string())]),
            ),
            Self::Validate { request, result } => (
                SideQuestion::Validate,
                limits::VALIDATE_TOKENS_MAX,
                frames(&[("wanted", request), ("returned", result)]),
            ),
        };
        let mut request = prompt::assemble_side_question(context, kind, text)?;
        request.max_output_tokens = tokens;
        Ok(request)
    }

    /// The outcome of the call, if the answer has the form that was wanted.
    ///
    /// # Errors
    /// The fault of the answer, in words for the model.
    pub fn outcome(&self, reply: &str) -> Result<CallOutcome, String> {
        match self {
            Self::Think { .. } if reply.trim().is_empty() => Err("The answer is empty.".to_owned()),
            Self::Think { .. } => Ok(CallOutcome::success(reply.trim().into(), "thought")),
            Self::Extract { schema, .. } => {
                let value = json_in(reply).ok_or("The answer holds no JSON value.")?;
                fits(&value, schema)?;
                Ok(CallOutcome::success(value, "extracted"))
            }
            Self::Validate { .. } => {
                let value = json_in(reply).ok_or("The answer holds no JSON object.")?;
                let judged = judged(&value).ok_or("The object lacks \"passed\": true or false.")?;
                Ok(CallOutcome::success(judged, "judged"))
            }
        }
    }
}

/// The request once more, with the answer that it got and the fault of that answer.
#[must_use]
pub fn corrected(mut request: ModelRequest, reply: &str, fault: &str) -> ModelRequest {
    request
        .messages
        .push(Message::text(Speaker::Assistant, reply.to_owned()));
    let again = format!("{fault} Write the answer again, in the form that was asked for and nothing else.");
    request.messages.push(Message::text(Speaker::User, again));
    request
}

/// Texts in their frames, which none of them can close; the longest are cut so that all fit.
fn frames(texts: &[(&str, &str)]) -> String {
    let each = limits::MODEL_CALL_CHARACTERS / texts.len().max(1);
    let framed = texts
        .iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(name, text)| {
            let text = compaction::ends(&rendering::harmless(text), each);
            format!("<{name}>\n{text}\n</{name}>")
        });
    framed.collect::<Vec<_>>().join("\n")
}

/// A schema as programs write it: JSON Schema, or a dict of names with their types: `{"name": "str", "age": int}`.
fn schema(given: Option<&Value>) -> Value {
    let Some(Value::Object(fields)) = given else {
        return given.cloned().unwrap_or_else(|| json!({}));
    };
    let is_schema = [
        "type",
        "properties",
        "items",
        "enum",
        "anyOf",
        "oneOf",
        "$ref",
        "$schema",
    ]
    .iter()
    .any(|word| fields.contains_key(*word));
    let is_short = fields.values().all(|kind| kind.is_string());
    if is_schema && !(is_short && fields.len() > 1) {
        return Value::Object(fields.clone());
    }
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, kind)| (name.clone(), kind_of(kind)))
        .collect();
    json!({"type": "object", "properties": properties, "required": fields.keys().collect::<Vec<_>>()})
}

fn kind_of(kind: &Value) -> Value {
    let Value::String(name) = kind else {
        return kind.clone();
    };
    let kind = match name.as_str() {
        "str" | "string" | "date" => "string",
        "int" | "integer" => "integer",
        "float" | "number" => "number",
        "bool" | "boolean" => "boolean",
        "list" | "array" => "array",
        "dict" | "object" => "object",
        // A description of the field in words.
        other => return json!({"description": other}),
    };
    json!({"type": [kind, "null"]})
}

/// The JSON value in an answer that may have words or a fence around it.
fn json_in(reply: &str) -> Option<Value> {
    let text = reply.trim();
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let between = |open: char, close: char| {
        let text = text.get(text.find(open)?..=text.rfind(close)?)?;
        serde_json::from_str(text).ok()
    };
    let first = text.find(['{', '['])?;
    if text[first..].starts_with('[') {
        between('[', ']').or_else(|| between('{', '}'))
    } else {
        between('{', '}').or_else(|| between('[', ']'))
    }
}

fn fits(value: &Value, schema: &Value) -> Result<(), String> {
    let validator =
        jsonschema::validator_for(schema).map_err(|cause| format!("The schema is none: {cause}"))?;
    let faults: Vec<String> = validator
        .iter_errors(value)
        .take(limits::SCHEMA_FAULTS_TOLD)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "The value does not fit the schema: {}.",
            faults.join("; ")
        )),
    }
}

/// A judgement in the form that is promised to programs.
fn judged(value: &Value) -> Option<Value> {
    let texts = |name: &str| -> Vec<String> {
        let listed = value.get(name).and_then(Value::as_array);
        let texts = listed.into_iter().flatten().filter_map(Value::as_str);
        texts.take(limits::JUDGED_MAX).map(str::to_owned).collect()
    };
    let is = |name: &str| value.get(name).and_then(Value::as_bool);
    Some(json!({
        "passed": is("passed")?,
        "summary": value.get("summary").and_then(Value::as_str).unwrap_or_default(),
        "problems": texts("problems"),
        "suggestions": texts("suggestions"),
        "need_more_context": is("need_more_context").unwrap_or(false),
        "context_queries": texts("context_queries"),
    }))
}

#[cfg(test)]
mod tests;
