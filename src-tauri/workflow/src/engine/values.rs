//! Values of a run: where they are found, and what is kept.

use super::{At, Engine};
use crate::definition::{Action, Call, Output, Workflow};
use crate::event::AttemptId;
use crate::failure::Failure;
use crate::limits::{BEGUN_MAX, KEPT_BYTES_MAX};
use crate::run::{Mode, Run};
use crate::samples::KNOWLEDGE_QUERY;
use crate::template::{MissingPart, Template, Values};
use crate::validation::made;
use crate::value_type::ValueType;
use serde_json::{Map, Value};
use shidi_protocol::JsonMap;

/// The names that a step within a frame may use.
pub(super) struct View<'a> {
    pub run: &'a Run,
    pub frame: u64,
    /// The step's own inputs, where a prompt uses them.
    pub own: &'a JsonMap,
}

impl Values for View<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        if let Some(value) = self.own.get(name) {
            return Some(value);
        }
        let mut frame = self.run.frames.get(&self.frame);
        while let Some(at) = frame {
            if let Some(value) = at.values.get(name) {
                return Some(value);
            }
            frame = at.parent.and_then(|parent| self.run.frames.get(&parent.frame));
        }
        self.run.given.get(name)
    }

    fn without(&self, missing: MissingPart) -> Result<Value, MissingPart> {
        match self.run.mode {
            Mode::Real => Err(missing),
            // The examples of a dry run need not have every part.
            Mode::Dry => Ok(ValueType::Text.sample()),
        }
    }
}

impl From<MissingPart> for Failure {
    fn from(MissingPart(reference): MissingPart) -> Self {
        Self::MissingPart { reference }
    }
}

impl Engine<'_> {
    pub(super) fn filled(&self, at: At, template: &Template, own: &JsonMap) -> Result<Value, Failure> {
        let view = View {
            run: self.run,
            frame: at.frame,
            own,
        };
        Ok(template.value(&view)?.into_owned())
    }

    /// The inputs of a step with everything in its place.
    pub(super) fn inputs(&self, at: At) -> Result<JsonMap, Failure> {
        let nothing = Map::new();
        let mut inputs = Map::new();
        for input in self
            .definition(at)
            .map(|step| step.inputs.as_slice())
            .unwrap_or_default()
        {
            inputs.insert(input.name.clone(), self.filled(at, &input.value, &nothing)?);
        }
        Ok(inputs)
    }

    pub(super) fn keep(&mut self, frame: u64, name: String, value: Value) {
        if let Some(frame) = self.run.frames.get_mut(&frame) {
            frame.bytes += size(&value);
            if let Some(before) = frame.values.insert(name, value) {
                frame.bytes = frame.bytes.saturating_sub(size(&before));
            }
        }
    }

    /// Whether the run is still within its bounds.
    pub(super) fn bounds(&self) -> Result<(), Failure> {
        if self.run.begun > BEGUN_MAX {
            return Err(Failure::TooManySteps { most: BEGUN_MAX });
        }
        let bytes: usize = self.run.frames.values().map(|frame| frame.bytes).sum();
        if bytes > KEPT_BYTES_MAX {
            return Err(Failure::TooLarge {
                most: KEPT_BYTES_MAX as u64,
            });
        }
        Ok(())
    }

    /// What stands in the place of values that the step did not make.
    pub(super) fn defaults(&mut self, at: At) {
        let Some(step) = self.definition(at) else { return };
        for (name, made) in made(self.workflow, step) {
            let is_there = self
                .run
                .frames
                .get(&at.frame)
                .is_some_and(|frame| frame.values.contains_key(&name));
            if let (false, Some(default)) = (is_there, made.default) {
                self.keep(at.frame, name, default);
            }
        }
    }
}

/// Bytes of a value as it is written.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Value::Object(map) => {
            map.iter()
                .map(|(key, value)| key.len() + 4 + size(value))
                .sum::<usize>()
                + 2
        }
    }
}

/// The declared values within a result.
pub(super) fn outputs(call: &Call, declared: &[Output], value: Value) -> Result<JsonMap, Failure> {
    let value = match is_text_of_query(call, declared) {
        true => pieces_as_text(value),
        false => value,
    };
    let mut outputs = Map::new();
    // A program's variables come by their names; any other result with one value is that value.
    let is_named = declared.len() > 1 || matches!(call, Call::Code { .. });
    // Models write the object as a text.
    let read = value
        .as_str()
        .filter(|_| is_named)
        .and_then(|text| serde_json::from_str(text).ok());
    let mut alone = Some(read.unwrap_or(value));
    for output in declared {
        let name = output.name.clone();
        let found = match (is_named, alone.as_mut()) {
            (true, Some(Value::Object(map))) => map.remove(&name),
            (true, _) => None,
            (false, _) => alone.take(),
        };
        let found = found.or_else(|| output.default.clone());
        let found = found.ok_or_else(|| Failure::MissingOutput { output: name.clone() })?;
        let value = typed(output.kind, found, output).ok_or_else(|| Failure::WrongType {
            output: name.clone(),
            wanted: output.kind.name().to_owned(),
        })?;
        outputs.insert(name, value);
    }
    Ok(outputs)
}

/// Whether the article's query of a knowledge base is to hand over a text, as it does there.
fn is_text_of_query(call: &Call, declared: &[Output]) -> bool {
    let is_query = matches!(call, Call::Plugin { plugin } if plugin == KNOWLEDGE_QUERY);
    is_query && matches!(declared, [only] if only.kind == ValueType::Text)
}

/// What was found as one text, each piece with the place that an answer cites.
fn pieces_as_text(found: Value) -> Value {
    let Some(pieces) = found.as_array() else {
        return found;
    };
    let told = pieces.iter().map(|piece| {
        let words = piece.get("text").or_else(|| piece.get("value")).unwrap_or(piece);
        let words = words.as_str().map_or_else(|| words.to_string(), str::to_owned);
        match piece.get("source").and_then(Value::as_str) {
            Some(source) => format!("{words} [{source}]"),
            None => words,
        }
    });
    Value::String(told.collect::<Vec<_>>().join("\n\n"))
}

/// The value as its declaration says; nothing stands for a value whose default is nothing.
pub(super) fn typed(kind: ValueType, value: Value, output: &Output) -> Option<Value> {
    if value.is_null() && output.default == Some(Value::Null) {
        return Some(value);
    }
    kind.of(value)
}

/// The values of a dry run.
pub(super) fn samples(declared: &[Output]) -> JsonMap {
    let sample = |output: &Output| {
        let known = output.example.clone().or_else(|| output.default.clone());
        (output.name.clone(), known.unwrap_or_else(|| output.kind.sample()))
    };
    let named = declared.iter().filter(|output| !output.name.is_empty());
    named.map(sample).collect()
}

impl Run {
    /// Whether a step whose end is unknown could have given that value.
    ///
    /// # Errors
    /// What the value lacks, or is not.
    pub fn could_give(&self, workflow: &Workflow, attempt: AttemptId, value: &Value) -> Result<(), Failure> {
        let known = self.attempts.get(&attempt);
        let block = known.and_then(|known| Some((known, self.frames.get(&known.frame)?.block)));
        let step = block.and_then(|(known, block)| workflow.block(block).steps.get(known.step));
        match step.map(|step| (&step.action, &step.outputs)) {
            Some((Action::Call(call), declared)) => outputs(call, declared, value.clone()).map(drop),
            Some(_) | None => Ok(()),
        }
    }
}
