//! A finished run replayed with other inputs (F5.7): its programs are written again, one after the other, by something that
//! stands in the place of the model.
//!
//! Everything else is as in any run: each call passes the permissions of now, a person is asked, the record and the trace
//! are written, and it goes on after a restart. What was approved then is not approved now.

use super::start::no_run;
use crate::engine::Engine;
use crate::storage;
use crate::words::error;
use async_trait::async_trait;
use serde_json::Value;
use shidi_models::{Deltas, Model, Profile};
use shidi_protocol::{
    Ask, ErrorCode, FailureKind, Finish, ModelFailure, ModelReply, ModelRequest, ModelRole, Replay, RunId,
    RunStatus, SegmentKind, SessionId, Usage, UserError,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const NAME: &str = "replay";

/// The programs of a run, in place of a model.
pub struct Replayed {
    engine: Arc<Engine>,
    session: SessionId,
    programs: Vec<String>,
}

/// The question of a replay: in the session of the run, with what went along, and nothing approved.
///
/// # Errors
/// No such run, one that is not over, or inputs that its programs do not have.
pub fn prepared(engine: &Arc<Engine>, ask: Ask) -> Result<Ask, UserError> {
    let Some(replay) = &ask.replay else {
        return Ok(ask);
    };
    let words = engine.words();
    let id = &crate::sessions::whole_run_id(engine, &replay.run)?;
    let replay = Replay {
        run: id.clone(),
        inputs: replay.inputs.clone(),
    };
    let stored = |cause| storage::explain(&cause, words);
    let row = engine
        .store
        .run(id)
        .map_err(stored)?
        .ok_or_else(|| no_run(engine, id))?;
    if row.status != Some(RunStatus::Completed) {
        let message = words.pick(
            "只有完成了的任务能重放",
            "Only a run that was completed can be replayed",
        );
        let hint = words.pick("接着做：shidi resume", "To go on with it: shidi resume");
        return Err(error(ErrorCode::Input, message, hint));
    }
    Replayed::of(engine, &replay)?;
    let given: Vec<String> = replay
        .inputs
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let text = format!(
        "{}{} {}",
        words.pick("重放：", "Replay: "),
        row.question,
        given.join(", ")
    );
    Ok(Ask {
        text: text.trim_end().to_owned(),
        session: Some(row.session),
        again: Some(id.clone()),
        replay: Some(Box::new(replay)),
        approve: Vec::new(),
        // What stands in for the model writes programs in this form.
        overrides: BTreeMap::from([("format".to_owned(), "fenced".to_owned())]),
        ..ask
    })
}

impl Replayed {
    /// The programs of `run` that ran to their end, with `inputs` in the place of their own values.
    ///
    /// # Errors
    /// No such run, no such program, or inputs that are none.
    pub fn of(engine: &Arc<Engine>, replay: &Replay) -> Result<Self, UserError> {
        let Replay { run, inputs } = replay;
        let words = engine.words();
        let stored = |cause| storage::explain(&cause, words);
        let row = engine
            .store
            .run(run)
            .map_err(stored)?
            .ok_or_else(|| no_run(engine, run))?;
        let segments = engine.store.segments(&row.session).map_err(stored)?;
        let of_run = || segments.iter().filter(|segment| segment.run == *run);
        let ran_well = |exec| {
            of_run()
                .any(|segment| segment.kind == SegmentKind::Output && segment.exec == exec && !segment.failed)
        };
        let programs: Vec<String> = of_run()
            .filter(|segment| segment.kind == SegmentKind::Python && ran_well(segment.exec))
            .map(|segment| segment.text.clone())
            .collect();
        if programs.is_empty() {
            let message = words.pick("这次任务没有运行过程序", "No program of this run ran to its end");
            let hint = words.pick("可以再问一次：shidi ask", "Ask again instead: shidi ask");
            return Err(error(ErrorCode::Input, message, hint));
        }
        let programs = with_inputs(&programs, inputs).map_err(|(name, known)| {
            let message = format!(
                "{} {name}",
                words.pick("程序里没有这个输入：", "The programs have no input")
            );
            let hint = if known.is_empty() {
                words
                    .pick("它们没有可换的输入", "They have none that can be changed")
                    .to_owned()
            } else {
                format!("{}: {}", words.pick("可以换的有", "There are"), known.join(", "))
            };
            error(ErrorCode::Input, message, hint)
        })?;
        Ok(Self {
            engine: Arc::clone(engine),
            session: row.session,
            programs,
        })
    }

    /// Programs of the replay that were begun; the record knows, also after a restart.
    fn begun(&self, run: &RunId) -> usize {
        let segments = self.engine.store.segments(&self.session).unwrap_or_default();
        let of_run = segments.iter().filter(|segment| segment.run == *run);
        of_run
            .filter(|segment| segment.kind == SegmentKind::Python)
            .count()
    }

    fn next(&self, request: &ModelRequest) -> String {
        let words = self.engine.words();
        let begun = self.begun(&request.run);
        if begun > 0 && request.brief.last_failed {
            let reason = words.pick("重放的程序失败了", "The replayed program failed");
            return format!("[GiveUp]: {reason}");
        }
        match self.programs.get(begun) {
            Some(program) => format!("```python\n{}\n```", program.trim_end()),
            None => {
                let shown = request.brief.last_output.as_deref().unwrap_or_default();
                let done = words.pick("已重放", "Replayed");
                format!("{done} ({begun}).\n\n{shown}").trim_end().to_owned()
            }
        }
    }
}

#[async_trait]
impl Model for Replayed {
    fn name(&self) -> &str {
        NAME
    }

    fn provider(&self) -> &str {
        NAME
    }

    fn profile(&self) -> Profile {
        Profile::default()
    }

    fn is_offline(&self) -> bool {
        false
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        _deltas: Deltas<'_>,
        _cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        if request.role == ModelRole::Fast {
            return Err(ModelFailure {
                kind: FailureKind::Refused,
                detail: "a replay asks no model".to_owned(),
                detail_zh: Some("重放不问模型".to_owned()),
                provider: NAME.to_owned(),
                provider_title: None,
            });
        }
        Ok(ModelReply {
            text: self.next(request),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
            model: NAME.to_owned(),
            provider: NAME.to_owned(),
        })
    }
}

/// Programs with other values for their inputs: the first plain `name = value` at the beginning of a line that each has.
///
/// # Errors
/// The name that no program has, and those that there are.
fn with_inputs(
    programs: &[String],
    inputs: &BTreeMap<String, String>,
) -> Result<Vec<String>, (String, Vec<String>)> {
    let mut left = inputs.clone();
    let mut known: Vec<String> = Vec::new();
    let changed = programs.iter().map(|program| {
        let lines = program.lines().map(|line| {
            let Some((name, _)) = assigned(line) else {
                return line.to_owned();
            };
            if !known.iter().any(|known| known == name) {
                known.push(name.to_owned());
            }
            match left.remove(name) {
                Some(value) => format!("{name} = {}", python(&value)),
                None => line.to_owned(),
            }
        });
        lines.collect::<Vec<String>>().join("\n")
    });
    let changed: Vec<String> = changed.collect();
    match left.into_keys().next() {
        Some(name) => Err((name, known)),
        None => Ok(changed),
    }
}

/// The name and the plain value of a line that is an assignment of one.
fn assigned(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(" = ")?;
    let is_name = name
        .chars()
        .all(|letter| letter == '_' || letter.is_alphanumeric())
        && name.chars().next().is_some_and(|first| !first.is_numeric());
    let value = value.trim_end();
    (is_name && is_plain(value)).then_some((name, value))
}

/// Whether a text is a number, a truth value, None, one text in quotes, or a list or dict of such as JSON has it.
fn is_plain(value: &str) -> bool {
    if matches!(value, "True" | "False" | "None") || serde_json::from_str::<Value>(value).is_ok() {
        return true;
    }
    let quoted = |quote: char| {
        let inner = value
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        inner.is_some_and(|inner| !inner.contains([quote, '\\']))
    };
    quoted('\'') || quoted('"')
}

/// A value as a person gives it, as Python: JSON where it is that, else text.
fn python(value: &str) -> String {
    match serde_json::from_str::<Value>(value) {
        Ok(json) => literal(&json),
        Err(_) => Value::String(value.to_owned()).to_string(),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let pair = |(name, item): (&String, &Value)| {
                format!("{}: {}", Value::String(name.clone()), literal(item))
            };
            format!("{{{}}}", fields.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(program: &str, inputs: &[(&str, &str)]) -> Result<String, (String, Vec<String>)> {
        let inputs = inputs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        with_inputs(&[program.to_owned()], &inputs).map(|programs| programs.concat())
    }

    #[test]
    fn plain_values_at_the_beginning_of_a_line_are_inputs() {
        let program = "path = 'a.md'\nlimit = 3\n# path = 'b'\ntext = f'{path}'\nif limit:\n    limit = 4";
        assert_eq!(
            changed(program, &[("path", "it's \"b\".md"), ("limit", "7")]),
            Ok("path = \"it's \\\"b\\\".md\"\nlimit = 7\n# path = 'b'\ntext = f'{path}'\nif limit:\n    limit = 4".to_owned())
        );
        assert_eq!(
            changed("rows = [1, 2]", &[("rows", "[true, null, {\"a\": \"b\"}]")]),
            Ok("rows = [True, None, {\"a\": \"b\"}]".to_owned())
        );
    }

    #[test]
    fn what_is_no_input_is_named_with_those_there_are() {
        let refused = changed("path = 'a'\ntotal = sum([1])\nx == 3", &[("total", "1")]);
        assert_eq!(refused, Err(("total".to_owned(), vec!["path".to_owned()])));
    }

    #[test]
    fn a_value_can_not_leave_its_place() {
        for value in ["'\nimport os", "1; print(2)", "x\\", "\"", "await shell.run()"] {
            let program = changed("path = 'a'\nprint(path)", &[("path", value)]).expect("an input");
            assert_eq!(program.lines().count(), 2, "{program}");
            assert!(
                program.starts_with("path = \"") && program.ends_with("print(path)"),
                "{program}"
            );
        }
    }
}
