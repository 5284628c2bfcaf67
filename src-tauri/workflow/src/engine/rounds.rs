//! The end of blocks, and the rounds of loops.

use super::values::{View, size, typed};
use super::{At, Engine};
use crate::definition::{Action, Over, StepDefinition};
use crate::event::What;
use crate::failure::Failure;
use crate::run::StepState;
use crate::template::{Template, Values, as_text};
use crate::value_type::ValueType;
use serde_json::{Map, Value};
use shidi_protocol::JsonMap;

impl<'a> Engine<'a> {
    /// All frames of a step are over.
    pub(super) fn frame_over(&mut self, frame: u64, at: At) {
        let Some(step) = self.definition(at) else {
            self.run.frames.remove(&frame);
            return;
        };
        let is_round = matches!(step.action, Action::Loop { .. })
            && matches!(self.state(at), Some(StepState::Within { .. }));
        if !is_round {
            return self.blocks_over(at);
        }
        if let Err(failure) = self.round_over(frame, at, step) {
            self.run.frames.remove(&frame);
            self.fail(at, failure);
        }
    }

    /// The values of the blocks are those of the step.
    fn blocks_over(&mut self, at: At) {
        let mut values = Map::new();
        for frame in self.inside(at) {
            if let Some(frame) = self.run.frames.remove(&frame) {
                values.extend(frame.values);
            }
        }
        // The reason that steps for an error saw is theirs alone.
        values.remove(super::ERROR);
        for (name, value) in values.clone() {
            self.keep(at.frame, name, value);
        }
        self.defaults(at);
        self.complete(at, values);
    }

    fn round_over(&mut self, frame: u64, at: At, step: &'a StepDefinition) -> Result<(), Failure> {
        let Action::Loop {
            until,
            max_rounds,
            over,
            ..
        } = &step.action
        else {
            return Ok(());
        };
        self.collect(frame, at, step)?;
        let is_enough = match until {
            Some(until) => self.holds(frame, until)?,
            None => false,
        };
        self.run.frames.remove(&frame);
        let round = match self
            .run
            .frames
            .get_mut(&at.frame)
            .and_then(|frame| frame.steps.get_mut(at.step))
        {
            Some(StepState::Within { frames, round, .. }) => {
                frames.clear();
                *round += 1;
                *round
            }
            _ => return Ok(()),
        };
        if is_enough || self.is_dry() {
            return self.loop_over(at, step);
        }
        if round >= *max_rounds && *over == Over::Open {
            return Err(Failure::TooManyRounds { most: *max_rounds });
        }
        self.next_round(at)
    }

    /// Tells how often a loop would repeat, of which a dry run goes through one round.
    pub(super) fn tell_rounds(&mut self, at: At, over: &Over, most: u64) -> Result<(), Failure> {
        let (over, times) = match over {
            Over::Open => (None, None),
            Over::Times(times) => (None, Some(*times)),
            Over::Each(each) => (
                Some(as_text(&each.written()).into_owned()),
                self.known_rounds(at, each)?,
            ),
        };
        self.tell(at, What::Repeats { over, times, most });
        Ok(())
    }

    /// How many items there are, where they stand in the file or were given. Examples say nothing of their number.
    fn known_rounds(&self, at: At, each: &Template) -> Result<Option<u64>, Failure> {
        let mut references = Vec::new();
        each.references(&mut references);
        let is_known = |name: &str| self.run.given.contains_key(name) && !self.run.sampled.contains(name);
        if !references.iter().all(|reference| is_known(&reference.name)) {
            return Ok(None);
        }
        let items = ValueType::List.of(self.filled(at, each, &Map::new())?);
        let number = items.as_ref().and_then(Value::as_array).map(Vec::len);
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    }

    /// Begins the next round, or ends the loop where there is none.
    pub(super) fn next_round(&mut self, at: At) -> Result<(), Failure> {
        let Some(step) = self.definition(at) else {
            return Ok(());
        };
        let Action::Loop {
            over,
            item,
            max_rounds,
            steps,
            ..
        } = &step.action
        else {
            return Ok(());
        };
        let Some(StepState::Within { round, .. }) = self.state(at) else {
            return Ok(());
        };
        let round = *round;
        let value = match over {
            Over::Open => Some(Value::from(round)),
            Over::Times(times) => (round < *times).then(|| Value::from(round)),
            Over::Each(each) => self.item(at, each, round)?,
        };
        let Some(value) = value else {
            return self.loop_over(at, step);
        };
        if round >= *max_rounds {
            return Err(Failure::TooManyRounds { most: *max_rounds });
        }
        let frame = self.open(*steps, Some(at));
        if let Some(item) = item {
            self.keep(frame, item.clone(), value);
        }
        if let Some(place) = self
            .run
            .frames
            .get_mut(&at.frame)
            .and_then(|frame| frame.steps.get_mut(at.step))
            && let StepState::Within { frames, .. } = place
        {
            *frames = vec![frame];
        }
        Ok(())
    }

    /// The item of a round. A list is looked into where it lies; ten thousand copies of one would be too many.
    fn item(&self, at: At, each: &Template, round: u64) -> Result<Option<Value>, Failure> {
        let own = Map::new();
        let view = View {
            run: self.run,
            frame: at.frame,
            own: &own,
        };
        let items = each.value(&view as &dyn Values)?;
        let number = usize::try_from(round).unwrap_or(usize::MAX);
        Ok(match items.as_ref() {
            Value::Array(items) => items.get(number).cloned(),
            other if self.is_dry() => (round == 0).then(|| other.clone()),
            other => ValueType::List
                .of(other.clone())
                .and_then(|items| items.get(number).cloned()),
        })
    }

    /// Keeps what a loop's outputs take of a round.
    fn collect(&mut self, frame: u64, at: At, step: &StepDefinition) -> Result<(), Failure> {
        let mut taken = Vec::new();
        for output in &step.outputs {
            if let Some(value) = &output.value {
                let inside = At { frame, step: 0 };
                taken.push((output, self.filled(inside, value, &Map::new())?));
            }
        }
        let Some(frame) = self.run.frames.get_mut(&at.frame) else {
            return Ok(());
        };
        let Some(StepState::Within { kept, .. }) = frame.steps.get_mut(at.step) else {
            return Ok(());
        };
        for (output, value) in taken {
            frame.bytes += size(&value);
            match (output.kind, kept.get_mut(&output.name)) {
                (ValueType::List, Some(Value::Array(list))) => list.push(value),
                (ValueType::List, _) => {
                    kept.insert(output.name.clone(), Value::Array(vec![value]));
                }
                (_, _) => {
                    let before = kept.insert(output.name.clone(), value);
                    frame.bytes = frame.bytes.saturating_sub(before.as_ref().map_or(0, size));
                }
            }
        }
        self.bounds()
    }

    fn loop_over(&mut self, at: At, step: &StepDefinition) -> Result<(), Failure> {
        let Some(StepState::Within { kept, .. }) = self.state(at) else {
            return Ok(());
        };
        let mut kept = kept.clone();
        let mut values: JsonMap = Map::new();
        for output in &step.outputs {
            let none = || match output.kind {
                ValueType::List => Some(Value::Array(Vec::new())),
                _ => output.default.clone(),
            };
            let value = kept.remove(&output.name).or_else(none);
            let name = output.name.clone();
            let value = value.ok_or_else(|| Failure::MissingOutput { output: name.clone() })?;
            let value = typed(output.kind, value, output).ok_or_else(|| Failure::WrongType {
                output: name.clone(),
                wanted: output.kind.name().to_owned(),
            })?;
            if let Some(frame) = self.run.frames.get_mut(&at.frame) {
                // Counted when it was taken; now it is counted as the step's value.
                frame.bytes = frame.bytes.saturating_sub(size(&value));
            }
            values.insert(name, value);
        }
        self.complete(at, values);
        Ok(())
    }
}
