//! Results that are always the same: each kind of content, and an error.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// The smallest picture, as PNG.
pub const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A sound without a sample, as WAV.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The result of a tool that does nothing else.
pub fn result(tool: &str) -> Option<CallToolResult> {
    let content = match tool {
        "test_simple_text" => vec![text("This is a simple text response for testing.")],
        "test_image_content" => vec![picture()],
        "test_audio_content" => {
            vec![json!({"type": "audio", "data": SOUND, "mimeType": "audio/wav"})]
        }
        "test_embedded_resource" => vec![resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )],
        "test_multiple_content_types" => vec![
            text("Multiple content types test:"),
            picture(),
            resource(
                "test://mixed-content-resource",
                "application/json",
                r#"{"test":"data","value":123}"#,
            ),
        ],
        "test_error_handling" => {
            let said = "This tool intentionally returns an error for testing";
            return Some(CallToolResult::error(blocks(vec![text(said)])));
        }
        "test_header" | "json_schema_2020_12_tool" => vec![text("Done.")],
        _ => return None,
    };
    Some(CallToolResult::success(blocks(content)))
}

pub fn text(said: &str) -> Value {
    json!({"type": "text", "text": said})
}

pub fn picture() -> Value {
    json!({"type": "image", "data": PICTURE, "mimeType": "image/png"})
}

pub fn resource(address: &str, kind: &str, said: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": address, "mimeType": kind, "text": said}})
}

/// Content as the protocol has it.
pub fn block(content: Value) -> ContentBlock {
    serde_json::from_value(content).expect("content")
}

fn blocks(content: Vec<Value>) -> Vec<ContentBlock> {
    content.into_iter().map(block).collect()
}
