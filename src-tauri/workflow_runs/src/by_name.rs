//! A question that begins with `/name` runs the workflow of that name, in place of asking a model: as a program in the
//! conversation, which lets the person fill in what is missing.

use crate::Workflows;
use crate::program::{RESULT, arguments_of};
use crate::toolkit::NAME;
use serde_json::{Value, json};
use shidi_agent::literal;
use shidi_protocol::{Ask, ErrorCode, GivenProgram, JsonMap, Segment, SegmentKind, UserError};
use shidi_space::errors::error;
use shidi_space::names::method_name;
use shidi_workflow::{Parameter, ValueType, Workflow};

/// Characters of a conversation that a workflow reads: its newest.
const DIALOGUE_CHARACTERS_MAX: usize = 16_000;

/// The variable that holds what a person filled in.
const FILLED: &str = "filled";

impl Workflows {
    /// The question with the program that runs the workflow which it names; any other stays as it is.
    ///
    /// # Errors
    /// The assistant that is asked may not run it.
    pub fn asked_by_name(&self, ask: Ask) -> Result<Ask, UserError> {
        let Some((name, rest)) =
            named(ask.question()).filter(|_| ask.program.is_none() && ask.replay.is_none())
        else {
            return Ok(ask);
        };
        let found = self.shelf().all().unwrap_or_default().into_iter();
        let mut found = found.filter(|shelved| shelved.name == name && self.is_on(&shelved.name));
        let found = found
            .next()
            .and_then(|shelved| Some((shelved.read().ok()?, shelved.built_in)));
        let Some((workflow, is_shipped)) = found else {
            return Ok(ask);
        };
        let assistant = self.space.with_assistant(ask.clone())?.assistant;
        let is_offered = match &assistant {
            Some(assistant) => self.is_offered(name, assistant),
            None => !is_shipped,
        };
        match assistant {
            _ if is_offered => {}
            Some(assistant) if !is_shipped => {
                let say = self.space.language().workflow_runs();
                return Err(error(
                    ErrorCode::Input,
                    say.not_of_assistant(assistant, name),
                    say.ask_another(),
                ));
            }
            // One that comes along is run by its name where a file names it; elsewhere the words are a question.
            Some(_) | None => return Ok(ask),
        }
        let source = source(&method_name(name), &workflow, rest);
        let mut approve = ask.approve.clone();
        // Who calls it by its name starts it.
        if !ask.own_list {
            approve.extend(workflow.permissions);
        }
        Ok(Ask {
            approve,
            program: Some(Box::new(GivenProgram {
                source,
                limit_time_s: None,
                limit_memory_mb: None,
            })),
            ..ask
        })
    }

    /// Whether programs of an assistant may call a workflow.
    fn is_offered(&self, name: &str, assistant: &str) -> bool {
        let offered = self.registry.offered(Vec::new(), Some(assistant));
        let mut own = offered.iter().filter(|toolkit| toolkit.name == NAME);
        own.any(|toolkit| toolkit.method(&method_name(name)).is_some())
    }
}

/// The name and what stands behind it.
fn named(question: &str) -> Option<(&str, &str)> {
    let called = question.trim().strip_prefix('/')?;
    let (name, rest) = called.split_once(char::is_whitespace).unwrap_or((called, ""));
    Some((name, rest.trim())).filter(|(name, _)| !name.is_empty())
}

/// The words behind the name are the first text that is wanted; what else is wanted is asked for.
fn source(method: &str, workflow: &Workflow, rest: &str) -> String {
    let mut given = JsonMap::new();
    let wanted = || {
        workflow
            .parameters
            .iter()
            .filter(|parameter| parameter.default.is_none())
    };
    let is_text = |parameter: &&Parameter| matches!(parameter.kind, ValueType::Text | ValueType::Any);
    if let Some(first) = wanted().find(is_text).filter(|_| !rest.is_empty()) {
        given.insert(first.name.clone(), Value::String(rest.to_owned()));
    }
    let missing: Vec<Value> = wanted()
        .filter(|parameter| !given.contains_key(&parameter.name))
        .map(field)
        .collect();
    let mut lines = Vec::new();
    let mut arguments = arguments_of(&given);
    if !missing.is_empty() {
        let (title, fields) = (literal(&json!(workflow.name)), literal(&Value::Array(missing)));
        lines.push(format!("{FILLED} = await user.form({title}, {fields})"));
        let separator = if arguments.is_empty() { "" } else { ", " };
        arguments.push_str(&format!("{separator}**{{{}}}", read_fields(workflow, &given)));
    }
    lines.push(format!("{RESULT} = await {NAME}.{method}({arguments})"));
    lines.push(format!(
        "await user.say('\\n\\n'.join(f'**{{name}}**: {{value}}' for name, value in {RESULT}.items()) or '✓')"
    ));
    lines.join("\n") + "\n"
}

/// The card's field for a parameter.
fn field(parameter: &Parameter) -> Value {
    let label = match parameter.description.as_str() {
        "" => parameter.name.as_str(),
        description => description,
    };
    let kind = match parameter.kind {
        ValueType::Whole | ValueType::Number => "number",
        ValueType::Flag => "yes_no",
        ValueType::Text | ValueType::List | ValueType::Map | ValueType::Any => "long_text",
    };
    json!({"name": parameter.name, "label": label, "kind": kind, "required": true})
}

/// The filled-in fields by name; lists and dicts are written as JSON.
fn read_fields(workflow: &Workflow, given: &JsonMap) -> String {
    let wanted = workflow.parameters.iter();
    let missing =
        wanted.filter(|parameter| parameter.default.is_none() && !given.contains_key(&parameter.name));
    let read = missing.map(|parameter| {
        let name = literal(&json!(parameter.name));
        match parameter.kind {
            ValueType::List | ValueType::Map => format!("{name}: __import__('json').loads({FILLED}[{name}])"),
            ValueType::Whole => format!("{name}: int({FILLED}[{name}])"),
            ValueType::Text | ValueType::Number | ValueType::Flag | ValueType::Any => {
                format!("{name}: {FILLED}[{name}]")
            }
        }
    });
    read.collect::<Vec<_>>().join(", ")
}

/// What was said in a conversation, for a workflow that reads it.
#[must_use]
pub fn dialogue_of(segments: &[Segment]) -> String {
    let said = segments.iter().filter_map(|segment| match segment.kind() {
        SegmentKind::User => Some(format!("User: {}", segment.text())),
        SegmentKind::Express => Some(format!("Assistant: {}", segment.text())),
        _ => None,
    });
    let whole = said.collect::<Vec<_>>().join("\n");
    let first = whole.chars().count().saturating_sub(DIALOGUE_CHARACTERS_MAX);
    whole.chars().skip(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shelf::Shelved;

    fn workflow(inputs: &str) -> Workflow {
        let text = format!(
            "version: '1.0'\nname: Menu\n{inputs}steps:\n  - {{id: a, type: code, code: 'x = 1', output: {{name: x, type: int}}}}\n  - {{id: o, type: output, inputs: {{x: '{{x}}'}}}}\n"
        );
        Shelved::loose("menu", &text).read().unwrap()
    }

    #[test]
    fn a_name_is_what_stands_behind_the_slash() {
        assert_eq!(named(" /menu  something hot "), Some(("menu", "something hot")));
        assert_eq!(named("/menu"), Some(("menu", "")));
        for other in ["menu", "/ menu", "/", "a /menu"] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn the_words_behind_the_name_are_its_first_text_and_the_rest_is_asked_for() {
        let wanted = "inputs: [{name: wish, type: str}, {name: guests, type: int}, {name: day, type: str, default: today}]\n";
        let source = source("menu", &workflow(wanted), "hot \"soup\"");
        assert!(
            source.contains("filled = await user.form(\"Menu\", [{"),
            "{source}"
        );
        assert!(source.contains("\"kind\": \"number\""), "{source}");
        assert!(
            source.contains("result = await workflows.menu(wish=\"hot \\\"soup\\\"\", **{\"guests\": int(filled[\"guests\"])})"),
            "{source}"
        );
        assert!(!source.contains("day"), "{source}");
    }

    #[test]
    fn one_that_wants_nothing_is_run_at_once() {
        let source = source("menu", &workflow(""), "ignored");
        assert!(
            source.starts_with("result = await workflows.menu()\n"),
            "{source}"
        );
    }
}
