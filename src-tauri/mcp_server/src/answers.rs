//! The results of tools: data with its text beside it for older clients, errors as sentences with their
//! remedy.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;
use shidi_locales::McpServer;
use shidi_protocol::{UserError, exact};

/// Data; its JSON is the text.
pub fn data(value: Value) -> CallToolResult {
    CallToolResult::structured(value)
}

/// Data with a text of its own.
pub fn told(text: String, value: Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result
}

/// A sentence with its remedy, marked as an error.
pub fn failed(error: &UserError, say: McpServer) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(sentence(error, say))])
}

/// An error and its remedy as one text.
pub fn sentence(error: &UserError, say: McpServer) -> String {
    match &error.hint {
        Some(hint) => say.with_remedy(hint, &error.message),
        None => say.without_remedy(&error.message),
    }
}

/// The beginning of a text; what is cut says so.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name of the client's as an error shows it.
pub fn shown(name: &str) -> String {
    let short: String = name.chars().take(60).collect();
    exact(&short).into_owned()
}
