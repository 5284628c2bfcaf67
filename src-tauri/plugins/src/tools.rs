//! A plugin's tool as programs call it, and as a workflow of one step that carries it out. So the tool is durable,
//! traced and asked about as every step is. Pure.

use crate::manifest::{Input, Manifest, Tool};
use serde_json::{Value, json};
use shidi_protocol::{Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};
use shidi_space::names::method_name;
use shidi_workflow::ValueType;

/// The key of what a tool's workflow tells.
pub const RESULT: &str = "result";

/// Inputs that say where a call leads: "always" holds for the same ones.
const LEADS_TO: [&str; 12] = [
    "to",
    "recipient",
    "address",
    "email",
    "mobile",
    "phone",
    "url",
    "host",
    "path",
    "command",
    "amount",
    "account",
];

/// The toolkit of a plugin.
#[must_use]
pub fn toolkit(manifest: &Manifest) -> ToolkitSpec {
    ToolkitSpec {
        name: method_name(&manifest.name),
        doc: manifest.description.clone(),
        methods: manifest.tools.iter().map(method).collect(),
        source: ToolkitSource::Plugin,
        left_out: 0,
    }
}

fn method(tool: &Tool) -> MethodSpec {
    let (required, optional): (Vec<_>, Vec<_>) =
        tool.inputs.iter().partition(|input| input.default.is_none());
    MethodSpec {
        name: tool.name.clone(),
        doc: tool.description.clone(),
        parameters: required
            .into_iter()
            .chain(optional)
            .map(|input| parameter(tool, input))
            .collect(),
        returns: match tool.output {
            ValueType::Any => "object".to_owned(),
            output => output.name().to_owned(),
        },
        class: tool.class,
        matters: matters(tool),
        // The same call finds the run that it began before a restart.
        idempotent: true,
    }
}

/// A parameter. What a tool with an effect needs was said by somebody, unless the manifest leaves it to the model.
fn parameter(tool: &Tool, input: &Input) -> ParameterSpec {
    ParameterSpec {
        name: input.name.clone(),
        kind: match input.kind {
            ValueType::Text => ParameterKind::Text,
            ValueType::Whole => ParameterKind::Integer,
            ValueType::Number => ParameterKind::Number,
            ValueType::Flag => ParameterKind::Boolean,
            ValueType::List => ParameterKind::List,
            ValueType::Map => ParameterKind::Dict,
            ValueType::Any => ParameterKind::Any,
        },
        doc: input.description.clone(),
        default: input.default.clone(),
        asked: input.default.is_none() && input.asked.unwrap_or(tool.class.has_side_effect()),
    }
}

/// The arguments by which a family of calls is told from another: where they lead, or else every text.
fn matters(tool: &Tool) -> Vec<String> {
    let names = |is_fit: &dyn Fn(&Input) -> bool| -> Vec<String> {
        let fit = tool.inputs.iter().filter(|input| is_fit(input));
        fit.map(|input| input.name.clone()).collect()
    };
    let leading = names(&|input| LEADS_TO.contains(&input.name.as_str()));
    match leading.is_empty() && tool.class != Class::Read {
        true => names(&|input| input.kind == ValueType::Text),
        false => leading,
    }
}

/// The workflow that carries a tool out, as a file would hold it. YAML reads JSON.
#[must_use]
pub fn workflow(manifest: &Manifest, tool: &Tool) -> String {
    let inputs: Vec<Value> = tool.inputs.iter().map(declared).collect();
    let given = tool.inputs.iter().map(|input| {
        let value = Value::String(format!("{{{}}}", input.name));
        (input.name.clone(), value)
    });
    let given: serde_json::Map<String, Value> = given.collect();
    let [call, left, told] = ["call", "left", "told"].map(|name| apart(name, tool));
    let mut step = json!({
        "id": call,
        "type": "custom",
        "function": tool.name,
        "output": {"name": left, "type": tool.output.name()},
    });
    if !given.is_empty() {
        step["inputs"] = Value::Object(given);
    }
    json!({
        "version": shidi_workflow::VERSION,
        "name": format!("{}: {}", manifest.name, tool.name),
        "description": tool.description,
        "inputs": inputs,
        "steps": [
            step,
            {"id": told, "type": "output", "inputs": {RESULT: format!("{{{left}}}")}},
        ],
    })
    .to_string()
}

/// A name that no input has: names of a workflow are given once.
fn apart(name: &str, tool: &Tool) -> String {
    let mut name = name.to_owned();
    while tool.inputs.iter().any(|input| input.name == name) {
        name.push('_');
    }
    name
}

fn declared(input: &Input) -> Value {
    let mut declared = json!({
        "name": input.name,
        "type": input.kind.name(),
        "description": input.description,
    });
    for (key, value) in [("default", &input.default), ("example", &input.example)] {
        if let Some(value) = value {
            declared[key] = value.clone();
        }
    }
    declared
}

/// The names of the functions that stand at the margin of a file.
pub fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.strip_prefix("async ").unwrap_or(line).trim_start();
        let (name, _) = line.strip_prefix("def ")?.split_once('(')?;
        Some(name.trim())
    })
}

/// The calls of toolkits that a text names, each once. They are told before a file is trusted, and bound nothing.
#[must_use]
pub fn calls(text: &str, toolkits: &[ToolkitSpec]) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    for (at, _) in text.match_indices('.') {
        let is_of_name = |sign: char| sign == '_' || sign.is_alphanumeric();
        let before = &text[..at];
        let start = before.rfind(|sign: char| !is_of_name(sign)).map_or(0, |last| {
            last + before[last..].chars().next().map_or(1, char::len_utf8)
        });
        let (toolkit, rest) = (&before[start..], &text[at + 1..]);
        let end = rest.find(|sign: char| !is_of_name(sign)).unwrap_or(rest.len());
        let method = &rest[..end];
        let known = toolkits.iter().find(|spec| spec.name == toolkit);
        let is_attribute = before[..start].ends_with('.');
        if known.is_some_and(|spec| spec.method(method).is_some()) && !is_attribute {
            calls.push(format!("{toolkit}.{method}"));
        }
    }
    calls.sort();
    calls.dedup();
    calls
}
