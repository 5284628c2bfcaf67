//! *Native tool*: one tool named `python` with the single argument `code`, for models trained on tool calls.

use super::speech::NO_STATEMENT;
use super::steps::{Step, steps, told};
use super::{ActionFormat, Malformed, ParsedReply, SpeechStream, block, fenced, speech};
use serde_json::{Value, json};
use shidi_protocol::{
    Message, ModelDelta, ModelReply, Part, Segment, SegmentKind, Speaker, ToolCall, ToolDeclaration,
    ToolkitSpec,
};

const TOOL: &str = "python";

const WAY: &str = "To run a program, call the tool `python` with the whole program as `code`.";

pub(super) struct NativeTool;

impl ActionFormat for NativeTool {
    fn name(&self) -> &'static str {
        "tool"
    }

    fn tools(&self, _toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration> {
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
        for step in steps(segments) {
            match step {
                Step::Segment(segment) => fenced::say(&mut messages, segment),
                Step::Program { program, output } => exchange(&mut messages, program, output),
            }
        }
        messages
    }

    fn action(&self, reply: &ModelReply, _toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
        let Some(tool_call) = reply.tool_calls.first() else {
            return speech::answer(&reply.text, reply, WAY);
        };
        if tool_call.name != TOOL {
            let correction = format!(
                "There is no tool named `{}`. The only tool is `python`.",
                tool_call.name
            );
            return Err(Malformed { correction });
        }
        speech::whole(reply, "Your program")?;
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
        let (code, _) = block::inner("", code);
        if !block::holds_statement(&code) {
            let correction =
                format!("{NO_STATEMENT} Send the statements that do it as `code`, or answer in words.");
            return Err(Malformed { correction });
        }
        speech::program(&reply.text, &reply.reasoning, code.trim_end().to_owned())
    }

    fn stream(&self) -> Box<dyn SpeechStream> {
        Box::new(ToolStream {
            prose: super::Format::Fenced.implementation().stream(),
            code: CodeArgument::default(),
        })
    }
}

/// Shows a program and its output as a call and its result. The call's name is its place in the session.
/// Executions are counted anew in every run, and providers refuse two calls of one name.
fn exchange(messages: &mut Vec<Message>, program: &Segment, output: Option<&Segment>) {
    let id = format!("call_{}", program.id);
    let tool_call = ToolCall {
        id: id.clone(),
        name: TOOL.to_owned(),
        arguments: json!({ "code": program.text() }).to_string(),
    };
    call(messages, vec![tool_call]);
    let text = told(program, output);
    messages.push(Message {
        speaker: Speaker::Tool,
        parts: vec![Part::Text(text.into_owned())],
        tool_calls: Vec::new(),
        tool_call_id: Some(id),
    });
}

/// Adds calls to the assistant's last message.
pub(super) fn call(messages: &mut Vec<Message>, tool_calls: Vec<ToolCall>) {
    match messages.last_mut() {
        Some(last) if last.speaker == Speaker::Assistant && last.tool_calls.is_empty() => {
            last.tool_calls = tool_calls;
        }
        _ => messages.push(Message {
            speaker: Speaker::Assistant,
            parts: Vec::new(),
            tool_calls,
            tool_call_id: None,
        }),
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
            ModelDelta::Asked { .. }
            | ModelDelta::ToolArguments { .. }
            | ModelDelta::Retracted
            | ModelDelta::Awaits(_)
            | ModelDelta::Timed { .. } => Vec::new(),
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
