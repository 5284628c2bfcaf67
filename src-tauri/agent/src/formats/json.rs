//! *Direct JSON calls*: one native tool for each method of the toolkits. The format is for models that call tools
//! well and write programs badly. Several calls of one answer run at once.

use super::called::{self, Called};
use super::steps::{Step, steps, told};
use super::{ActionFormat, Format, Malformed, ParsedReply, SpeechStream, fenced, malformed, speech, tool};
use serde_json::{Map, Value, json};
use shidi_protocol::{
    Message, MethodSpec, ModelReply, ParameterKind, ParameterSpec, Part, Segment, Speaker, ToolCall,
    ToolDeclaration, ToolkitSpec,
};

/// Separates toolkit and method; providers allow no dot in a tool's name.
const BETWEEN: &str = "__";

/// Longest name of a tool that providers take; a method with a longer one is left out.
const NAME_CHARACTERS_MAX: usize = 64;

const WAY: &str = "To do something, call one of the tools that are declared to you.";

pub(super) struct JsonCalls;

impl ActionFormat for JsonCalls {
    fn name(&self) -> &'static str {
        "json"
    }

    fn tools(&self, toolkits: &[ToolkitSpec]) -> Vec<ToolDeclaration> {
        let declared = toolkits.iter().flat_map(|toolkit| {
            let methods = toolkit.methods.iter();
            methods.map(|method| declaration(toolkit, method))
        });
        declared
            .filter(|tool| tool.name.chars().count() <= NAME_CHARACTERS_MAX)
            .collect()
    }

    fn messages(&self, segments: &[&Segment]) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for step in steps(segments) {
            match step {
                Step::Segment(segment) => fenced::say(&mut messages, segment),
                Step::Program { program, output } => match called::calls_of(program.text()) {
                    Some(calls) => exchange(&mut messages, program, &calls, output),
                    None => fenced::exchange(&mut messages, program, output),
                },
            }
        }
        messages
    }

    fn action(&self, reply: &ModelReply, toolkits: &[ToolkitSpec]) -> Result<ParsedReply, Malformed> {
        if reply.tool_calls.is_empty() {
            return speech::answer(&reply.text, reply, WAY);
        }
        speech::whole(reply, "The calls of your answer")?;
        if reply.tool_calls.len() > called::CALLS_MAX {
            return Err(malformed(format!(
                "You made {} tool calls at once. Make at most {} in one answer.",
                reply.tool_calls.len(),
                called::CALLS_MAX
            )));
        }
        let (mut calls, mut problems) = (Vec::new(), Vec::new());
        for tool_call in &reply.tool_calls {
            match read_call(tool_call, toolkits) {
                Ok(call) => calls.push(call),
                Err(Malformed { correction }) => problems.push(correction),
            }
        }
        if !problems.is_empty() {
            return Err(malformed(problems.join(" ")));
        }
        speech::program(&reply.text, &reply.reasoning, called::program(&calls))
    }

    /// Shows nothing: each call is shown when it is made.
    fn stream(&self) -> Box<dyn SpeechStream> {
        Format::Fenced.implementation().stream()
    }
}

fn declaration(toolkit: &ToolkitSpec, method: &MethodSpec) -> ToolDeclaration {
    let required = method
        .parameters
        .iter()
        .filter(|parameter| parameter.is_required());
    let required: Vec<&str> = required.map(|parameter| parameter.name.as_str()).collect();
    let properties: Map<String, Value> = method
        .parameters
        .iter()
        .map(|parameter| (parameter.name.clone(), property(parameter)))
        .collect();
    ToolDeclaration {
        name: wire_name(&format!("{}.{}", toolkit.name, method.name)),
        description: method.doc.clone(),
        schema: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

fn property(parameter: &ParameterSpec) -> Value {
    let mut schema = match parameter.kind {
        ParameterKind::Text => json!({"type": "string"}),
        ParameterKind::Integer => json!({"type": "integer"}),
        ParameterKind::Number => json!({"type": "number"}),
        ParameterKind::Boolean => json!({"type": "boolean"}),
        ParameterKind::List => json!({"type": "array", "items": {}}),
        ParameterKind::Dict => json!({"type": "object"}),
        ParameterKind::Any => json!({}),
    };
    if !parameter.doc.is_empty() {
        schema["description"] = json!(parameter.doc);
    }
    schema
}

fn wire_name(tool: &str) -> String {
    tool.replacen('.', BETWEEN, 1)
}

fn read_call(tool_call: &ToolCall, toolkits: &[ToolkitSpec]) -> Result<Called, Malformed> {
    let text = tool_call.arguments.trim();
    let args = if text.is_empty() {
        Ok(json!({}))
    } else {
        serde_json::from_str(text)
    };
    let args: Value = args.map_err(|error| {
        malformed(format!(
            "The arguments of `{}` were not valid JSON ({error}).",
            tool_call.name
        ))
    })?;
    let known = toolkits.iter().flat_map(called::names);
    let tool = known
        .filter(|tool| wire_name(tool) == tool_call.name)
        .take(1)
        .next();
    // A model may also write the name with a dot, as the documentation does.
    let tool = tool.unwrap_or_else(|| tool_call.name.replacen(BETWEEN, ".", 1));
    Called::checked(&tool, &args, toolkits)
}

/// Shows a program's calls with their results in the provider's own form.
fn exchange(messages: &mut Vec<Message>, program: &Segment, calls: &[Called], output: Option<&Segment>) {
    let id = |place: usize| format!("call_{}_{}", program.id, place + 1);
    let tool_calls = calls.iter().enumerate().map(|(place, call)| ToolCall {
        id: id(place),
        name: wire_name(&call.tool),
        arguments: Value::Object(call.args.clone()).to_string(),
    });
    tool::call(messages, tool_calls.collect());
    let output = told(program, output);
    for (place, result) in called::results(&output, calls.len()).into_iter().enumerate() {
        messages.push(Message {
            speaker: Speaker::Tool,
            parts: vec![Part::Text(result)],
            tool_calls: Vec::new(),
            tool_call_id: Some(id(place)),
        });
    }
}
