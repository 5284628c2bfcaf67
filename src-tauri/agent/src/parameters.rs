//! Parameters of an ability: a value counts only where code finds who said it (F9.2).
//!
//! A model that lacks a value makes one up. So each value that it wrote itself has to stand in something that was said,
//! shown, remembered or answered before. One that does not is asked for, one question at a time. A value that a program
//! computed from a text is not looked at, since the program does not hold it.

mod days;
mod numerals;
mod sources;
mod words;

pub use words::share_a_word;

use crate::limits;
use crate::literal::literal;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Call, MethodSpec, ParameterSpec};
use std::collections::BTreeMap;

/// What every sentence about an open parameter says.
const NOT_STARTED: &str = "was not started: ";

/// Characters of a value in the sentence about it.
const SHOWN_CHARACTERS: usize = 60;

/// The fault of a call that may not be made yet, as the model reads it. `None` where every value has its source.
#[must_use]
pub fn problem(context: &RunContext, call: &Call, method: &MethodSpec) -> Option<String> {
    let is_asked = |parameter: &ParameterSpec| parameter.asked;
    // A program of the user's own says what it wants.
    if context.settings.program.is_some() || !method.parameters.iter().any(is_asked) {
        return None;
    }
    let judged = judged(context, call, method);
    let open = judged.iter().find(|(_, standing)| *standing != Standing::Known)?;
    let known: Vec<String> = judged
        .iter()
        .filter(|(_, standing)| *standing == Standing::Known)
        .filter_map(|(parameter, _)| {
            let value = call.args.get(&parameter.name)?;
            Some(format!("{}={}", parameter.name, shown(value)))
        })
        .collect();
    Some(told(call, open, &known))
}

/// Whether a program's end named a parameter to ask for, and the answer is that question.
#[must_use]
pub fn are_asked_for(output: &str, answer: &str) -> bool {
    output.contains(NOT_STARTED) && answer.contains(['?', '？'])
}

/// What to ask the user where a model makes the same call again in place of asking: code asks then. The program's output may
/// not stand in the transcript yet: it tells what is asked about.
#[must_use]
pub fn question(context: &RunContext) -> Option<String> {
    let mut refused = context.calls.values().rev().filter_map(|record| {
        let error = record.outcome.as_ref()?.error.as_ref()?;
        error
            .message
            .contains(NOT_STARTED)
            .then_some((record, &error.message))
    });
    let (last, told) = refused.next()?;
    let times = 1 + refused.filter(|(_, other)| *other == told).count();
    if times < limits::OPEN_PARAMETER_TIMES || Some(last.call.exec) != context.exec() {
        return None;
    }
    let toolkits = context.toolkits();
    let mut toolkits = toolkits
        .iter()
        .filter(|toolkit| toolkit.name == last.call.toolkit);
    let method = toolkits.find_map(|toolkit| toolkit.method(&last.call.method))?;
    let judged = judged(context, &last.call, method);
    let (open, _) = judged.iter().find(|(_, standing)| *standing != Standing::Known)?;
    let words = match open.doc.trim() {
        "" => open.name.as_str(),
        doc => doc.trim_end_matches(|end: char| !end.is_alphanumeric() && end != ')'),
    };
    Some(context.say().still_to_know(words))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Known,
    /// The call leaves it out.
    Missing,
    /// Nobody said it.
    MadeUp,
}

fn judged<'a>(
    context: &RunContext,
    call: &Call,
    method: &'a MethodSpec,
) -> Vec<(&'a ParameterSpec, Standing)> {
    let (sources, programs) = (sources::of(context), sources::programs(context));
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut standing = |parameter: &ParameterSpec| {
        let value = call.args.get(&parameter.name).unwrap_or(&Value::Null);
        if is_blank(value) {
            return if parameter.asked {
                Standing::Missing
            } else {
                Standing::Known
            };
        }
        if parameter.default.as_ref() == Some(value) || !is_written(value, &programs) {
            return Standing::Known;
        }
        // One mention is one value: a table for two is not one for two children as well.
        let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
        if let Some(number) = number {
            let times = used.entry(number.to_string()).or_default();
            *times += 1;
            if *times > 1 && *times > words::mentions(number, &sources) {
                return Standing::MadeUp;
            }
        }
        let about = format!("{} {}", parameter.name, parameter.doc);
        if words::is_found(value, &about, &sources) {
            Standing::Known
        } else {
            Standing::MadeUp
        }
    };
    let parameters = method.parameters.iter();
    parameters
        .map(|parameter| (parameter, standing(parameter)))
        .collect()
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether the model wrote any part of a value down itself.
fn is_written(value: &Value, programs: &str) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| is_written(item, programs)),
        Value::Object(fields) => fields.values().any(|field| is_written(field, programs)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            words::is_written(value, programs)
        }
    }
}

fn told(call: &Call, (parameter, standing): &(&ParameterSpec, Standing), known: &[String]) -> String {
    let name = &parameter.name;
    let about = match parameter.doc.trim() {
        "" => String::new(),
        doc => format!(" ({doc})"),
    };
    let tool = call.tool();
    let what = match standing {
        Standing::MadeUp => {
            let value = call.args.get(name).map(shown).unwrap_or_default();
            format!(
                "nobody has said {name}={value}{about}. If the user has said it in other words, pass those words; \
                 otherwise ask the user for {name}"
            )
        }
        Standing::Missing | Standing::Known => {
            format!("{name}{about} is not known yet. Ask the user for {name}")
        }
    };
    let kept = match known {
        [] => String::new(),
        known => format!(" Known so far, keep it: {}.", known.join(", ")),
    };
    format!(
        "{tool} {NOT_STARTED}{what}: one short question in the user's language, with nothing made up. \
         Call {tool} again when the answer is there.{kept}"
    )
}

fn shown(value: &Value) -> String {
    let written = literal(value);
    if written.chars().count() <= SHOWN_CHARACTERS {
        return written;
    }
    let head: String = written.chars().take(SHOWN_CHARACTERS).collect();
    format!("{head}…")
}
