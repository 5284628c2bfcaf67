//! Reads assertions on the way to an answer: calls, their arguments and order, steps, variables and segments.

use super::{bounds, needed, optional};
use crate::suite::assertion::{ArgumentsWant, Bounds, Kind, Pattern, Step};
use crate::suite::fault::fault;
use crate::suite::reading::Reading;
use globset::GlobBuilder;
use serde_json::json;
use shidi_protocol::UserError;
use shidi_yaml::{Data, Node};

/// Reads an assertion of such a type.
///
/// # Errors
/// A key that is missing or unknown, a value of another kind.
pub fn of_the_way(reading: &Reading, name: &str, node: &Node) -> Result<Kind, UserError> {
    Ok(match name {
        "variable" => Kind::Variable {
            name: reading.text(needed(reading, node, "name")?)?.to_owned(),
            value: node.get("value").map(Node::json),
            kind: optional(node.get("kind"), |node| reading.text(node).map(str::to_owned))?,
        },
        "segment" => Kind::Segment {
            kind: reading.text(needed(reading, node, "kind")?)?.to_owned(),
            text: optional(node.get("value"), |node| reading.text(node).map(str::to_owned))?,
        },
        "calls" => Kind::ToolCalls {
            tool: match node.get("tool") {
                Some(tool) => glob(reading, tool)?,
                None => any_name(reading, node)?,
            },
            bounds: bounds(reading, node)?,
        },
        "trajectory:tool-args-match" => arguments(reading, needed(reading, node, "value")?)?,
        "trajectory:tool-sequence" => sequence(reading, needed(reading, node, "value")?)?,
        "trajectory:step-count" => step_count(reading, needed(reading, node, "value")?)?,
        _ => {
            let value = needed(reading, node, "value")?;
            let (mut tools, bounds) = named(reading, value)?;
            match (&value.data, tools.pop()) {
                (Data::Map(_), Some(tool)) => Kind::ToolCalls { tool, bounds },
                (_, last) => {
                    tools.extend(last);
                    Kind::ToolsUsed(tools)
                }
            }
        }
    })
}

fn glob(reading: &Reading, node: &Node) -> Result<Pattern, UserError> {
    let text = reading.text(node)?.to_owned();
    let built = GlobBuilder::new(&text).case_insensitive(true).build();
    let built = built.map_err(|cause| fault(&node.place, cause, reading.say().star_example()))?;
    let matcher = built.compile_matcher();
    Ok(Pattern { text, matcher })
}

fn any_name(reading: &Reading, node: &Node) -> Result<Pattern, UserError> {
    let star = Node {
        place: node.place.clone(),
        data: Data::Text("*".to_owned()),
    };
    glob(reading, &star)
}

/// One name, several names, or a pattern with the number of its hits.
fn named(reading: &Reading, value: &Node) -> Result<(Vec<Pattern>, Bounds), UserError> {
    match &value.data {
        Data::List(items) => {
            let patterns: Result<Vec<_>, _> = items.iter().map(|item| glob(reading, item)).collect();
            Ok((patterns?, Bounds::SOME))
        }
        Data::Map(_) => {
            reading.keys(value, &["pattern", "name", "min", "max"])?;
            let name = value.get("pattern").or_else(|| value.get("name"));
            let name = name.ok_or_else(|| {
                fault(
                    &value.place,
                    reading.say().key_missing("pattern"),
                    reading.say().star_example(),
                )
            })?;
            let has_bounds = value.get("min").is_some() || value.get("max").is_some();
            let bounds = if has_bounds {
                bounds(reading, value)?
            } else {
                Bounds::SOME
            };
            Ok((vec![glob(reading, name)?], bounds))
        }
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => {
            Ok((vec![glob(reading, value)?], Bounds::SOME))
        }
    }
}

fn arguments(reading: &Reading, value: &Node) -> Result<Kind, UserError> {
    reading.keys(
        value,
        &[
            "name",
            "pattern",
            "args",
            "arguments",
            "mode",
            "defaults",
            "ignore",
        ],
    )?;
    let say = reading.say();
    let missing = |key| fault(&value.place, say.key_missing(key), say.arguments_example());
    let tool = value
        .get("name")
        .or_else(|| value.get("pattern"))
        .ok_or_else(|| missing("name"))?;
    let args = value
        .get("args")
        .or_else(|| value.get("arguments"))
        .ok_or_else(|| missing("args"))?;
    reading.map(args)?;
    let ignore = match value.get("ignore") {
        Some(node) if node.text().is_some() => vec![glob(reading, node)?],
        Some(node) => reading
            .list(node)?
            .iter()
            .map(|item| glob(reading, item))
            .collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    Ok(Kind::ToolArguments(Box::new(ArgumentsWant {
        tool: glob(reading, tool)?,
        args: args.json(),
        exact: is_exact(reading, value, "partial")?,
        defaults: value.get("defaults").map_or_else(|| json!({}), Node::json),
        ignore,
    })))
}

/// Whether the mode is `exact`, and not the usual one.
fn is_exact(reading: &Reading, value: &Node, usual: &str) -> Result<bool, UserError> {
    let Some(node) = value.get("mode") else {
        return Ok(false);
    };
    match reading.text(node)? {
        "exact" => Ok(true),
        mode if mode == usual => Ok(false),
        other => {
            let there = format!("{usual}, exact");
            Err(fault(
                &node.place,
                reading.say().no_such_mode(other),
                reading.say().there_are(there),
            ))
        }
    }
}

fn sequence(reading: &Reading, value: &Node) -> Result<Kind, UserError> {
    let (steps, exact) = match &value.data {
        Data::List(_) => (value, false),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => {
            reading.keys(value, &["steps", "mode"])?;
            (
                needed(reading, value, "steps")?,
                is_exact(reading, value, "in_order")?,
            )
        }
    };
    let steps: Result<Vec<_>, _> = reading
        .list(steps)?
        .iter()
        .map(|step| glob(reading, step))
        .collect();
    Ok(Kind::ToolSequence { steps: steps?, exact })
}

fn step_count(reading: &Reading, value: &Node) -> Result<Kind, UserError> {
    reading.keys(value, &["type", "pattern", "min", "max"])?;
    let step = match value.get("type") {
        None => None,
        Some(node) => Some(match reading.text(node)? {
            "tool" => Step::Tool,
            "command" => Step::Command,
            other => {
                let there = reading.say().there_are("tool, command");
                return Err(fault(&node.place, reading.say().no_such_step(other), there));
            }
        }),
    };
    Ok(Kind::StepCount {
        step,
        pattern: optional(value.get("pattern"), |node| glob(reading, node))?,
        bounds: bounds(reading, value)?,
    })
}
