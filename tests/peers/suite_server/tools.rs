//! The suite's tools as they are listed.

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use std::sync::Arc;

/// Tools without an argument.
const PLAIN: [&str; 23] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_missing_capability",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
];

pub fn all() -> Vec<Tool> {
    let mut tools: Vec<Tool> = PLAIN
        .into_iter()
        .map(|name| tool(name, json!({"type": "object", "properties": {}})))
        .collect();
    let text =
        |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
    tools.push(tool("test_sampling", text("prompt")));
    tools.push(tool("test_elicitation", text("message")));
    let region = json!({"type": "string", "x-mcp-header": "Region"});
    let header = json!({"type": "object", "properties": {"region": region}});
    tools.push(tool("test_header", header));
    tools.push(tool("json_schema_2020_12_tool", whole_vocabulary()));
    tools
}

fn tool(name: &'static str, schema: Value) -> Tool {
    let schema: JsonObject = serde_json::from_value(schema).expect("a schema");
    Tool::new(name, "A tool of the conformance suite", Arc::new(schema))
}

/// The schema that must come through unchanged.
fn whole_vocabulary() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
