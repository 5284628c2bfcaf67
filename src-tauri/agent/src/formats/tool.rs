//! *Native tool*: one tool named `python` with the single argument `code`, for models trained on tool calls.

use super::{Action, ActionFormat, Malformed, SpeechStream, fenced, speech};
use serde_json::{Value, json};
use shidi_protocol::{
    ExecId, Finish, Message, ModelDelta, ModelReply, Part, Segment, SegmentKind, Speaker, ToolCall,
    ToolDeclaration,
};

const TOOL: &str = "python";

pub(super) struct NativeTool;

impl ActionFormat for NativeTool {
    fn name(&self) -> &'static str {
        "tool"
    }

    fn tools(&self) -> Vec<ToolDeclaration> {
        vec![ToolDeclaration {
            name: TOOL.to_owned(),
            description: "Runs a Python program in the sandbox; returns what it prints.".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"code": {"type": "string", "description": "The whole program."}},
                "required": ["code"],
                "additionalProperties": false,
            }),
        }]
    }

    fn messages(&self, segments: &[&Segment]) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        let mut open: Option<ExecId> = None;
        for segment in segments {
            match (&segment.kind, segment.exec) {
                (SegmentKind::Python, Some(exec)) => {
                    close(&mut messages, &mut open);
                    call(&mut messages, exec, &segment.text);
                    open = Some(exec);
                }
                (SegmentKind::Output, Some(exec)) if open == Some(exec) => {
                    messages.push(result(exec, &segment.text));
                    open = None;
                }
                _ => {
                    close(&mut messages, &mut open);
                    prose(&mut messages, segment);
                }
            }
        }
        close(&mut messages, &mut open);
        messages
    }

    fn read(&self, reply: &ModelReply) -> Result<Action, Malformed> {
        let Some(tool_call) = reply.tool_calls.first() else {
            return speech::action(&reply.text, &reply.reasoning, None);
        };
        if tool_call.name != TOOL {
            let correction = format!(
                "There is no tool named `{}`. The only tool is `python`.",
                tool_call.name
            );
            return Err(Malformed { correction });
        }
        if reply.finish == Finish::Length {
            let correction = "Your program was cut at the output limit. Write a shorter one.".to_owned();
            return Err(Malformed { correction });
        }
        let arguments: Value = serde_json::from_str(&tool_call.arguments).map_err(|error| Malformed {
            correction: format!(
                "The arguments of the tool call were not valid JSON ({error}). Send an object with the key `code`."
            ),
        })?;
        let code = arguments
            .get("code")
            .and_then(Value::as_str)
            .map(str::trim_end)
            .unwrap_or_default();
        if code.trim().is_empty() {
            let correction = "The tool call has no program. Send an object with the key `code`.".to_owned();
            return Err(Malformed { correction });
        }
        speech::action(&reply.text, &reply.reasoning, Some(code.to_owned()))
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Box::new(ToolStream {
            prose: super::Format::Fenced.implementation().stream(),
            code: CodeArgument::default(),
        })
    }
}

fn call_id(exec: ExecId) -> String {
    format!("exec_{exec}")
}

fn call(messages: &mut Vec<Message>, exec: ExecId, program: &str) {
    let tool_call = ToolCall {
        id: call_id(exec),
        name: TOOL.to_owned(),
        arguments: json!({ "code": program }).to_string(),
    };
    match messages.last_mut() {
        Some(last) if last.speaker == Speaker::Assistant && last.tool_calls.is_empty() => {
            last.tool_calls.push(tool_call);
        }
        _ => messages.push(Message {
            speaker: Speaker::Assistant,
            parts: Vec::new(),
            tool_calls: vec![tool_call],
            tool_call_id: None,
        }),
    }
}

fn result(exec: ExecId, text: &str) -> Message {
    Message {
        speaker: Speaker::Tool,
        parts: vec![Part::Text(text.to_owned())],
        tool_calls: Vec::new(),
        tool_call_id: Some(call_id(exec)),
    }
}

/// Providers refuse a tool call without its result: an interrupted program gets one that says so.
fn close(messages: &mut Vec<Message>, open: &mut Option<ExecId>) {
    if let Some(exec) = open.take() {
        messages.push(result(exec, "The program was interrupted and left no output."));
    }
}

fn prose(messages: &mut Vec<Message>, segment: &Segment) {
    let speaker = fenced::speaker(&segment.kind);
    let text = format!("[{}]: {}", segment.kind.name(), segment.text.trim_end());
    match messages.last_mut() {
        Some(last) if last.speaker == speaker && last.tool_calls.is_empty() => fenced::append(last, &text),
        _ => messages.push(Message::text(speaker, text)),
    }
}

struct ToolStream {
    prose: Box<dyn SpeechStream>,
    code: CodeArgument,
}

impl SpeechStream for ToolStream {
    fn push(&mut self, delta: &ModelDelta) -> Vec<(SegmentKind, String)> {
        match delta {
            ModelDelta::Text(_) | ModelDelta::Reasoning(_) => self.prose.push(delta),
            ModelDelta::ToolArguments { index: 0, text, .. } => {
                let code = self.code.push(text);
                if code.is_empty() {
                    Vec::new()
                } else {
                    vec![(SegmentKind::Python, code)]
                }
            }
            ModelDelta::ToolArguments { .. } => Vec::new(),
        }
    }

    fn finish(&mut self) -> Vec<(SegmentKind, String)> {
        self.prose.finish()
    }
}

/// Reads the text of `"code"` out of JSON that is still arriving.
#[derive(Default)]
struct CodeArgument {
    seen: String,
    inside: bool,
    ended: bool,
    escape: String,
}

impl CodeArgument {
    fn push(&mut self, text: &str) -> String {
        let mut code = String::new();
        for character in text.chars() {
            if self.ended {
                break;
            }
            if self.inside {
                self.read(character, &mut code);
            } else {
                self.seen.push(character);
                self.inside = starts_code(&self.seen);
            }
        }
        code
    }

    fn read(&mut self, character: char, code: &mut String) {
        if self.escape.is_empty() {
            match character {
                '"' => self.ended = true,
                '\\' => self.escape.push('\\'),
                _ => code.push(character),
            }
            return;
        }
        self.escape.push(character);
        let whole = !self.escape.starts_with("\\u") || self.escape.len() >= 6;
        if whole {
            let quoted = format!("\"{}\"", self.escape);
            if let Ok(decoded) = serde_json::from_str::<String>(&quoted) {
                code.push_str(&decoded);
                self.escape.clear();
            } else if self.escape.len() >= 12 {
                self.escape.clear(); // half a surrogate pair that never completed: not worth showing
            }
        }
    }
}

fn starts_code(seen: &str) -> bool {
    let compact: String = seen
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    compact.ends_with("\"code\":\"")
}
