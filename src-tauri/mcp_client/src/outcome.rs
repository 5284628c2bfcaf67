//! Turns a tool's answer into the value that a program gets. All of its text is a stranger's.

use crate::error::McpError;
use crate::files::{FileKind, KeptFile, KeptFiles};
use crate::limits::{ERROR_CHARACTERS_MAX, RESULT_CHARACTERS_MAX, SUMMARY_CHARACTERS};
use crate::text::{cut, paragraph};
use crate::tool::Tool;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use shidi_protocol::CallOutcome;

/// The exception for a tool that reports its own failure.
const FAILED: &str = "RuntimeError";

/// The value of an answer: its structure where the tool declares one, without the wrapping that a library added. Else
/// the answer's text. Files that were kept stand in the text with their paths.
pub fn of(result: CallToolResult, tool: &Tool, kept: &KeptFiles) -> CallOutcome {
    let blocks = result.content.iter().enumerate();
    let blocks: Vec<String> = blocks
        .map(|(place, block)| told(block, kept.get(&place)))
        .collect();
    let text = blocks.join("\n");
    if result.is_error == Some(true) {
        let said = paragraph(&text, ERROR_CHARACTERS_MAX);
        let said = if said.is_empty() {
            "The tool failed and did not say why".to_owned()
        } else {
            said
        };
        return CallOutcome::failure(FAILED, said).untrusted();
    }
    let data = match result.structured_content {
        Some(Value::Object(mut whole)) if tool.is_wrapped() && whole.contains_key("result") => {
            bounded(whole.remove("result").unwrap_or_default())
        }
        Some(structure) if tool.structured || result.content.is_empty() => bounded(structure),
        Some(_) | None => Value::from(cut(&text, RESULT_CHARACTERS_MAX)),
    };
    let summary = match &data {
        // A person sees the files and needs no paths.
        Value::String(_) if !kept.is_empty() => {
            let plain: Vec<String> = result.content.iter().map(shown).collect();
            paragraph(&plain.join("\n"), SUMMARY_CHARACTERS)
        }
        data => summary(data),
    };
    let mut outcome = CallOutcome::success(data, summary).untrusted();
    for file in kept.values() {
        match file.kind {
            FileKind::Picture => outcome.pictures.push(file.path.clone()),
            FileKind::Sound | FileKind::Other => outcome.files.push(file.path.clone()),
        }
    }
    outcome
}

/// A block as text, with the path of its file.
fn told(block: &ContentBlock, kept: Option<&KeptFile>) -> String {
    let Some(KeptFile {
        kind,
        media_type,
        bytes,
        path,
    }) = kept
    else {
        return shown(block);
    };
    let what = match kind {
        FileKind::Picture => "picture",
        FileKind::Sound => "sound",
        FileKind::Other => "file",
    };
    let file = format!("[{what}, {media_type}, {bytes} bytes: {path}]");
    match block {
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::BlobResourceContents { uri, .. } => format!("[{uri}] {file}"),
            _ => file,
        },
        _ => file,
    }
}

/// The failure that a program gets when there is no answer.
pub fn failure(server: &str, cause: &McpError) -> CallOutcome {
    let kind = match cause {
        McpError::Silent { .. } => "TimeoutError",
        McpError::NotStarted { .. }
        | McpError::Address(_)
        | McpError::InTheClear(_)
        | McpError::Header(_)
        | McpError::Ended { .. }
        | McpError::Unreachable(_)
        | McpError::Status(_)
        | McpError::NoServer(_)
        | McpError::Resting { .. }
        | McpError::Closed => "ConnectionError",
        McpError::SignIn
        | McpError::Rights(_)
        | McpError::KeyRights(_)
        | McpError::KeyRefused(_)
        | McpError::UnknownClient
        | McpError::OtherAuthority { .. }
        | McpError::NoSignIn
        | McpError::SignInFailed(_)
        | McpError::SignInLate => "PermissionError",
        McpError::Refused(_)
        | McpError::TooLong
        | McpError::Strange(_)
        | McpError::Asks(_)
        | McpError::NotGiven(_)
        | McpError::Cancelled => FAILED,
    };
    CallOutcome::failure(kind, format!("MCP server {server}: {cause}")).untrusted()
}

pub fn shown(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => bytes("picture", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => bytes("sound", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
            ResourceContents::BlobResourceContents {
                uri, mime_type, blob, ..
            } => {
                let kind = mime_type.as_deref().unwrap_or("unknown kind");
                format!("[{uri}] {}", bytes("file", kind, blob))
            }
            _ => "[a resource of an unknown kind]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        _ => "[content of an unknown kind]".to_owned(),
    }
}

/// The text in place of bytes: a program can't use them as text, and a model pays for each.
fn bytes(what: &str, kind: &str, base64: &str) -> String {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=').count();
    let count = (base64.len() / 4 * 3).saturating_sub(padding);
    format!("[{what}, {kind}, {count} bytes]")
}

fn bounded(structure: Value) -> Value {
    let text = structure.to_string();
    if text.len() <= RESULT_CHARACTERS_MAX {
        structure
    } else {
        Value::from(cut(&text, RESULT_CHARACTERS_MAX))
    }
}

fn summary(data: &Value) -> String {
    match data {
        Value::String(text) => paragraph(text, SUMMARY_CHARACTERS),
        Value::Array(items) => format!("{} items", items.len()),
        other => paragraph(&other.to_string(), SUMMARY_CHARACTERS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Hints;
    use serde_json::json;

    fn tool(structured: bool, output: Value) -> Tool {
        Tool {
            name: "t".to_owned(),
            doc: String::new(),
            schema: json!({}),
            structured,
            output,
            hints: Hints::default(),
            way: crate::tool::Way::Tool,
        }
    }

    fn outcome(result: Value, structured: bool) -> CallOutcome {
        of(
            serde_json::from_value(result).expect("a result"),
            &tool(structured, Value::Null),
            &KeptFiles::default(),
        )
    }

    #[test]
    fn what_a_library_put_around_a_value_is_taken_off() {
        let wrapped = json!({"properties": {"result": {"type": "integer"}}, "x-fastmcp-wrap-result": true});
        let result = json!({"content": [{"type": "text", "text": "7"}], "structuredContent": {"result": 7}});
        let answered = of(
            serde_json::from_value(result).expect("a result"),
            &tool(true, wrapped),
            &KeptFiles::default(),
        );
        assert_eq!(answered.data, json!(7));
    }

    #[test]
    fn what_a_tool_answers_is_a_stranger_s_text() {
        let texts = json!({"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]});
        let answered = outcome(texts, false);
        assert!(answered.ok() && answered.untrusted);
        assert_eq!(answered.data, json!("one\ntwo"));
        let failed = outcome(
            json!({"content": [{"type": "text", "text": "no\nway"}], "isError": true}),
            false,
        );
        let error = failed.error.expect("an error");
        assert_eq!(
            (error.kind.as_str(), error.message.as_str()),
            ("RuntimeError", "no way")
        );
        assert!(failed.untrusted);
    }

    #[test]
    fn a_structure_is_the_value_where_the_tool_declares_one() {
        let both =
            json!({"content": [{"type": "text", "text": "21 °C"}], "structuredContent": {"celsius": 21}});
        assert_eq!(outcome(both.clone(), true).data, json!({"celsius": 21}));
        assert_eq!(outcome(both, false).data, json!("21 °C"));
        let alone = json!({"content": [], "structuredContent": {"celsius": 21}});
        assert_eq!(outcome(alone, false).data, json!({"celsius": 21}));
    }

    #[test]
    fn bytes_are_told_and_not_given() {
        let mixed = json!({"content": [
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "inside"}},
            {"type": "resource_link", "uri": "file:///b.txt", "name": "b"},
        ]});
        let data = outcome(mixed, false).data;
        assert_eq!(
            data,
            json!("[picture, image/png, 5 bytes]\n[file:///a.txt]\ninside\n[b: file:///b.txt]")
        );
    }

    #[test]
    fn a_picture_that_was_kept_is_named_with_its_path_and_not_in_the_line_for_people() {
        let picture = KeptFile {
            kind: FileKind::Picture,
            media_type: "image/png",
            bytes: 5,
            path: "/data/blobs/1/picture-1.png".to_owned(),
        };
        let result = json!({"content": [
            {"type": "text", "text": "A chart"},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "file:///b.txt", "name": "b"},
        ]});
        let result = serde_json::from_value(result).expect("a result");
        let answered = of(
            result,
            &tool(false, Value::Null),
            &KeptFiles::from([(1, picture)]),
        );
        assert_eq!(
            answered.data,
            json!("A chart\n[picture, image/png, 5 bytes: /data/blobs/1/picture-1.png]\n[b: file:///b.txt]")
        );
        assert_eq!(answered.pictures, ["/data/blobs/1/picture-1.png"]);
        assert!(answered.untrusted && !answered.summary.contains("/data"));
    }

    #[test]
    fn a_file_that_was_kept_is_named_with_its_path_and_is_no_picture() {
        let file = |kind, media_type, path: &str| KeptFile {
            kind,
            media_type,
            bytes: 5,
            path: path.to_owned(),
        };
        let result = json!({"content": [
            {"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "a://b", "mimeType": "application/zip", "blob": "aGVsbG8="}},
            {"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
        ]});
        let kept = KeptFiles::from([
            (0, file(FileKind::Sound, "audio/wav", "/data/sound-1.wav")),
            (1, file(FileKind::Other, "application/zip", "/data/b.zip")),
        ]);
        let result = serde_json::from_value(result).expect("a result");
        let answered = of(result, &tool(false, Value::Null), &kept);
        assert_eq!(
            answered.data,
            json!(
                "[sound, audio/wav, 5 bytes: /data/sound-1.wav]\n[a://b] [file, application/zip, 5 bytes: \
                 /data/b.zip]\n[sound, audio/wav, 5 bytes]"
            )
        );
        assert_eq!(answered.files, ["/data/sound-1.wav", "/data/b.zip"]);
        assert!(answered.pictures.is_empty() && !answered.summary.contains("/data"));
    }

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let text = "字".repeat(RESULT_CHARACTERS_MAX + 5);
        let data = outcome(json!({"content": [{"type": "text", "text": text}]}), false).data;
        let data = data.as_str().expect("text");
        assert!(data.ends_with("[cut: 1000000 of 1000005 characters]"));
        let items: Vec<u32> = (0..RESULT_CHARACTERS_MAX as u32).collect();
        let structure = outcome(
            json!({"content": [], "structuredContent": {"items": items}}),
            true,
        )
        .data;
        assert!(structure.as_str().is_some_and(|text| text.contains("[cut: ")));
    }
}
