//! The beginning of each type of step.

use super::values::{View, samples};
use super::{At, Engine};
use crate::condition::Condition;
use crate::definition::{Action, Arm, BlockId, Call, Over, StepDefinition, Wait};
use crate::event::{AttemptId, Effect, What, Work};
use crate::failure::Failure;
use crate::run::{Attempt, Phase, StepState, Then};
use crate::template::{Template, as_text};
use crate::time::moment;
use crate::value_type::ValueType;
use serde_json::Map;
use shidi_protocol::JsonMap;

impl<'a> Engine<'a> {
    pub(super) fn start(&mut self, at: At) {
        self.run.begun += 1;
        let Some(step) = self.definition(at) else { return };
        if let Err(failure) = self.bounds() {
            return self.fail(at, failure);
        }
        match self.is_wanted(at, step) {
            Ok(true) => {}
            Ok(false) => {
                self.defaults(at);
                self.set_state(at, StepState::Over);
                return self.tell(at, What::Skipped);
            }
            Err(failure) => return self.fail(at, failure),
        }
        if let Err(failure) = self.started(at, step) {
            self.fail(at, failure);
        }
    }

    fn is_wanted(&self, at: At, step: &StepDefinition) -> Result<bool, Failure> {
        match &step.condition {
            Some(condition) => self.holds(at.frame, condition),
            None => Ok(true),
        }
    }

    pub(super) fn holds(&self, frame: u64, condition: &Condition) -> Result<bool, Failure> {
        let own = Map::new();
        let view = View {
            run: self.run,
            frame,
            own: &own,
        };
        condition
            .holds(&view)
            .map_err(|message| Failure::BadCondition { message })
    }

    fn started(&mut self, at: At, step: &'a StepDefinition) -> Result<(), Failure> {
        match &step.action {
            Action::Input { .. } => {
                let names = step.outputs.iter().map(|output| &output.name);
                let values = names.filter_map(|name| Some((name.clone(), self.run.given.get(name)?.clone())));
                let values = values.collect();
                self.complete(at, values);
            }
            Action::Output => {
                let told = self.inputs(at)?;
                self.run.result.extend(told);
                self.complete(at, Map::new());
            }
            Action::Branch { arms, otherwise } => self.branch(at, arms, *otherwise)?,
            Action::Parallel { branches } => self.within(at, branches),
            Action::Loop { over, max_rounds, .. } => {
                if self.is_dry() {
                    self.tell_rounds(at, over, *max_rounds)?;
                }
                if let (Over::Each(each), false) = (over, self.is_dry()) {
                    let items = self.filled(at, each, &Map::new())?;
                    let wrong = || Failure::WrongType {
                        output: "each".to_owned(),
                        wanted: "list".to_owned(),
                    };
                    ValueType::List.of(items).ok_or_else(wrong)?;
                }
                self.set_state(
                    at,
                    StepState::Within {
                        frames: Vec::new(),
                        round: 0,
                        kept: Map::new(),
                    },
                );
                self.next_round(at)?;
            }
            Action::Wait { wait } => self.wait(at, wait)?,
            Action::Approval { message } => {
                let (message, _) = self.question(at, message)?;
                if self.is_dry() {
                    self.tell(at, What::WouldAsk { message });
                    self.complete(at, samples(&step.outputs));
                } else {
                    self.attempt(at, 0);
                    self.ask(at);
                }
            }
            Action::Call(call) => {
                let work = self.work(at, call)?;
                if self.is_dry() {
                    self.tell(at, What::Planned { work });
                    self.complete(at, samples(&step.outputs));
                } else {
                    self.attempt(at, 0);
                    self.ask(at);
                }
            }
        }
        Ok(())
    }

    /// Takes the first arm whose condition holds.
    fn branch(&mut self, at: At, arms: &[Arm], otherwise: Option<BlockId>) -> Result<(), Failure> {
        let mut chosen = otherwise;
        for arm in arms {
            if self.holds(at.frame, &arm.condition)? {
                chosen = Some(arm.steps);
                break;
            }
        }
        match chosen {
            Some(block) => self.within(at, &[block]),
            None => {
                self.defaults(at);
                self.complete(at, Map::new());
            }
        }
        Ok(())
    }

    /// Opens the blocks of a step.
    fn within(&mut self, at: At, blocks: &[BlockId]) {
        let frames = blocks.iter().map(|block| self.open(*block, Some(at))).collect();
        self.set_state(
            at,
            StepState::Within {
                frames,
                round: 0,
                kept: Map::new(),
            },
        );
    }

    fn wait(&mut self, at: At, wait: &Wait) -> Result<(), Failure> {
        let until_ms = match wait {
            Wait::For(time_ms) => self.now_ms.saturating_add(*time_ms),
            Wait::Until(until) => {
                let until = self.filled(at, until, &Map::new())?;
                let written = as_text(&until).into_owned();
                moment(&until).ok_or(Failure::BadTime { written })?
            }
        };
        if self.is_dry() || until_ms <= self.now_ms {
            self.complete(at, Map::new());
        } else {
            self.set_state(
                at,
                StepState::Sleeping {
                    until_ms,
                    then: Then::Complete,
                },
            );
        }
        Ok(())
    }

    /// A new try of a step.
    pub(super) fn attempt(&mut self, at: At, tries: u32) {
        let id = AttemptId(self.next_number());
        let attempt = Attempt {
            frame: at.frame,
            step: at.step,
            tries,
            phase: Phase::Asked,
        };
        self.run.attempts.insert(id, attempt);
        self.set_state(at, StepState::Open(id));
        self.tell(at, What::Asked { attempt: id });
    }

    /// Wants done what the open attempt of a step is for. Values were there before, so they are there again.
    pub(super) fn ask(&mut self, at: At) {
        let (Some(step), Some(StepState::Open(attempt))) = (self.definition(at), self.state(at)) else {
            return;
        };
        let attempt = *attempt;
        let effect = match &step.action {
            Action::Call(call) => self.work(at, call).map(|work| Effect::Perform {
                attempt,
                step: step.id.clone(),
                work,
            }),
            Action::Approval { message } => self.question(at, message).map(|(message, shown)| Effect::Ask {
                attempt,
                step: step.id.clone(),
                message,
                shown,
            }),
            Action::Input { .. }
            | Action::Branch { .. }
            | Action::Loop { .. }
            | Action::Parallel { .. }
            | Action::Wait { .. }
            | Action::Output => return,
        };
        match effect {
            Ok(effect) => self.effects.push(effect),
            Err(failure) => {
                self.run.attempts.remove(&attempt);
                self.fail(at, failure);
            }
        }
    }

    fn question(&self, at: At, message: &Template) -> Result<(String, JsonMap), Failure> {
        let shown = self.inputs(at)?;
        let message = as_text(&self.filled(at, message, &shown)?).into_owned();
        Ok((message, shown))
    }

    fn work(&self, at: At, call: &Call) -> Result<Work, Failure> {
        let arguments = self.inputs(at)?;
        Ok(match call {
            Call::Plugin { plugin } => Work::Plugin {
                plugin: plugin.clone(),
                arguments,
            },
            Call::Custom { function } => Work::Custom {
                function: function.clone(),
                arguments,
            },
            Call::Tool { tool } => Work::Tool {
                tool: tool.clone(),
                arguments,
            },
            Call::Code { program } => Work::Code {
                program: program.clone(),
                variables: arguments,
            },
            Call::Llm { prompt, system, role } => {
                let text = |template: &Template| -> Result<String, Failure> {
                    Ok(as_text(&self.filled(at, template, &arguments)?).into_owned())
                };
                Work::Llm {
                    role: *role,
                    prompt: text(prompt)?,
                    system: system.as_ref().map(text).transpose()?,
                }
            }
        })
    }
}
