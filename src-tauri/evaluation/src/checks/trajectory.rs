//! Checks of the way to an answer: calls, steps, variables, segments.

use super::{Finding, quoted, yes_or_no};
use crate::suite::Kind;
use crate::suite::assertion::{ArgumentsWant, Pattern, Step};
use crate::trial::{Trial, TrialCall};
use serde_json::Value;

/// The toolkit whose calls are commands.
const SHELL: &str = "shell.";

/// What came of a check of the way; `None` for any other.
pub fn found(kind: &Kind, turn: Option<usize>, trial: &Trial) -> Option<Finding> {
    let calls: Vec<&TrialCall> = trial
        .calls
        .iter()
        .filter(|call| turn.is_none_or(|turn| call.turn == turn))
        .collect();
    let names: Vec<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
    let shown = names.join(", ");
    let count = |pattern: &Pattern| names.iter().filter(|name| pattern.matches(name)).count();
    let holds = match kind {
        Kind::ToolsUsed(tools) => tools.iter().all(|tool| count(tool) > 0),
        Kind::ToolCalls { tool, bounds } => bounds.hold(count(tool)),
        Kind::ToolArguments(want) => calls
            .iter()
            .any(|call| want.tool.matches(&call.tool) && arguments_fit(want, call)),
        Kind::ToolSequence { steps, exact } => in_sequence(steps, &names, *exact),
        Kind::StepCount {
            step,
            pattern,
            bounds,
        } => {
            let is_counted = |name: &&&str| {
                let of_kind = match step {
                    Some(Step::Command) => name.starts_with(SHELL),
                    Some(Step::Tool) | None => true,
                };
                of_kind && pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
            };
            bounds.hold(names.iter().filter(is_counted).count())
        }
        Kind::Variable { name, value, kind } => {
            let Some(variable) = trial.variables.get(name) else {
                return Some(yes_or_no(false, format!("{name}: –")));
            };
            let fits = value.as_ref().is_none_or(|value| *value == variable.value)
                && kind.as_ref().is_none_or(|kind| *kind == variable.kind);
            let shown = format!(
                "{name}: {} = {}",
                variable.kind,
                quoted(&variable.value.to_string())
            );
            return Some(yes_or_no(fits, shown));
        }
        Kind::Segment { kind, text } => {
            let mut segments = trial
                .segments
                .iter()
                .filter(|segment| turn.is_none_or(|turn| segment.turn == turn));
            let holds = segments.any(|segment| {
                segment.kind == *kind
                    && text
                        .as_ref()
                        .is_none_or(|text| segment.text.contains(text.as_str()))
            });
            let kinds: Vec<&str> = trial
                .segments
                .iter()
                .map(|segment| segment.kind.as_str())
                .collect();
            return Some(yes_or_no(holds, kinds.join(", ")));
        }
        _ => return None,
    };
    Some(yes_or_no(holds, shown))
}

fn in_sequence(steps: &[Pattern], names: &[&str], exact: bool) -> bool {
    if exact {
        return steps.len() == names.len() && steps.iter().zip(names).all(|(step, name)| step.matches(name));
    }
    let mut names = names.iter();
    steps.iter().all(|step| names.any(|name| step.matches(name)))
}

fn arguments_fit(want: &ArgumentsWant, call: &TrialCall) -> bool {
    let (Value::Object(wanted), defaults) = (&want.args, &want.defaults) else {
        return false;
    };
    let is_ignored = |name: &str| want.ignore.iter().any(|pattern| pattern.matches(name));
    let all_there = wanted
        .iter()
        .filter(|(name, _)| !is_ignored(name))
        .all(|(name, value)| {
            call.args
                .get(name)
                .or(defaults.get(name))
                .is_some_and(|found| within(found, value, want.exact))
        });
    let no_others = call.args.iter().all(|(name, value)| {
        wanted.contains_key(name) || is_ignored(name) || defaults.get(name) == Some(value)
    });
    all_there && (!want.exact || no_others)
}

/// Whether `found` is `wanted`, or has all of it.
fn within(found: &Value, wanted: &Value, exact: bool) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) if !exact => wanted
            .iter()
            .all(|(key, wanted)| found.get(key).is_some_and(|found| within(found, wanted, exact))),
        (found, wanted) => found == wanted,
    }
}
