//! Carries a workflow out: events in, effects out. It does nothing itself and knows no time but what events bring.
//!
//! Whoever performs the effects keeps three promises. The state is written after each event, before its effects. `Begun` is
//! said, and the state written again, before a call is made. How a call ended is said once. Then a run that was killed goes on
//! where it stood, and nothing is done twice.

mod calls;
mod halting;
mod rounds;
mod starting;
mod values;

use crate::definition::{BlockId, StepDefinition, Workflow};
use crate::event::{AttemptId, Effect, Event, Next, Record, Turn, What};
use crate::failure::Failure;
use crate::run::{Frame, Halt, Mode, Parent, Phase, Run, Status, StepState};
use serde_json::Map;

/// What a handler's steps need of the failure.
const ERROR: &str = "error";

impl Run {
    /// Takes what happened, and says what is to be done. `workflow` is the one that the run was made of; `now_ms` is the time
    /// in milliseconds since 1970.
    pub fn handle(&mut self, workflow: &Workflow, event: Event, now_ms: u64) -> Turn {
        let mut engine = Engine {
            workflow,
            run: self,
            now_ms,
            effects: Vec::new(),
        };
        engine.take(event);
        if !engine.run.has_ended() && engine.run.status != Status::Ready {
            engine.on_time();
            engine.advance();
        }
        let effects = engine.effects;
        let next = match self.has_ended() {
            true => Next::Ended,
            false => Next::Wait {
                until_ms: self.next_time(),
            },
        };
        Turn { effects, next }
    }

    /// The first time at which something is due.
    fn next_time(&self) -> Option<u64> {
        let attempts = self.attempts.values().filter_map(|attempt| match attempt.phase {
            Phase::Begun { until_ms, .. } => until_ms,
            Phase::Stopping { until_ms, .. } => Some(until_ms),
            Phase::Asked | Phase::Uncertain => None,
        });
        let steps = self.frames.values().filter(|frame| frame.halting.is_none());
        let sleeping = steps
            .flat_map(|frame| &frame.steps)
            .filter_map(|state| match state {
                StepState::Sleeping { until_ms, then: _ } => Some(*until_ms),
                StepState::Waiting
                | StepState::Open(_)
                | StepState::Within { .. }
                | StepState::Handling { .. }
                | StepState::Over => None,
            });
        attempts.chain(sleeping).min()
    }
}

/// One event's work on a run.
struct Engine<'a> {
    workflow: &'a Workflow,
    run: &'a mut Run,
    now_ms: u64,
    effects: Vec<Effect>,
}

/// A step of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct At {
    frame: u64,
    step: usize,
}

impl<'a> Engine<'a> {
    fn take(&mut self, event: Event) {
        match event {
            Event::Started if self.run.status == Status::Ready => {
                self.run.status = Status::Running;
                self.open(BlockId(0), None);
            }
            Event::Started | Event::Time => {}
            Event::Resumed => self.resumed(),
            Event::Begun(attempt) => self.begun(attempt),
            Event::Waits { attempt, waits } => self.waits(attempt, waits),
            Event::Done { attempt, value } => self.done(attempt, value),
            Event::Failed {
                attempt,
                failure,
                happened,
            } => self.failed(attempt, failure, happened),
            Event::Answered { attempt, answer } => self.answered(attempt, answer),
            Event::Settled { attempt, verdict } => self.settled(attempt, verdict),
            Event::Cancelled if !self.run.has_ended() => self.cancelled(),
            Event::CallerEnded if !self.run.has_ended() => {
                self.run.caller_ended = true;
                self.cancelled();
            }
            Event::Cancelled | Event::CallerEnded => {}
        }
    }

    /// Begins and ends everything that can be begun or ended without being told more.
    fn advance(&mut self) {
        while !self.run.has_ended() && (self.resolve_halt() || self.start_one() || self.finish_one()) {}
    }

    /// Begins the first step for which everything is there.
    fn start_one(&mut self) -> bool {
        let workflow = self.workflow;
        let ready = self.run.frames.iter().find_map(|(id, frame)| {
            if frame.halting.is_some() {
                return None;
            }
            let before = &workflow.block(frame.block).before;
            let is_ready = |(number, state): &(usize, &StepState)| {
                **state == StepState::Waiting
                    && before[*number]
                        .iter()
                        .all(|earlier| frame.steps[*earlier] == StepState::Over)
            };
            let found = frame.steps.iter().enumerate().find(is_ready);
            found.map(|(step, _)| At { frame: *id, step })
        });
        match ready {
            Some(at) => {
                self.start(at);
                true
            }
            None => false,
        }
    }

    /// Ends the first frame of which every step is over.
    fn finish_one(&mut self) -> bool {
        let over = self.run.frames.iter().find(|(_, frame)| {
            let is_over = frame.steps.iter().all(|state| *state == StepState::Over);
            // The frames of a parallel step end together.
            is_over && frame.halting.is_none() && self.are_others_over(frame)
        });
        let Some((id, parent)) = over.map(|(id, frame)| (*id, frame.parent)) else {
            return false;
        };
        match parent {
            None => {
                self.run.frames.clear();
                self.run.status = Status::Done;
            }
            Some(parent) => self.frame_over(
                id,
                At {
                    frame: parent.frame,
                    step: parent.step,
                },
            ),
        }
        true
    }

    fn are_others_over(&self, frame: &Frame) -> bool {
        let others = frame.parent.map(|parent| {
            self.inside(At {
                frame: parent.frame,
                step: parent.step,
            })
        });
        others.is_none_or(|others| {
            others.iter().all(|other| {
                let steps = self.run.frames.get(other).map(|frame| &frame.steps);
                steps.is_none_or(|steps| steps.iter().all(|state| *state == StepState::Over))
            })
        })
    }

    /// The frames directly within a step.
    fn inside(&self, at: At) -> Vec<u64> {
        match self.state(at) {
            Some(StepState::Within { frames, .. }) => frames.clone(),
            Some(StepState::Handling { frame }) => vec![*frame],
            Some(StepState::Waiting | StepState::Open(_) | StepState::Sleeping { .. } | StepState::Over)
            | None => Vec::new(),
        }
    }

    fn open(&mut self, block: BlockId, parent: Option<At>) -> u64 {
        let id = self.next_number();
        let steps = self.workflow.block(block).steps.len();
        let frame = Frame {
            block,
            parent: parent.map(|at| Parent {
                frame: at.frame,
                step: at.step,
            }),
            steps: vec![StepState::Waiting; steps],
            values: Map::new(),
            bytes: 0,
            halting: None,
        };
        self.run.frames.insert(id, frame);
        id
    }

    fn next_number(&mut self) -> u64 {
        let number = self.run.counter;
        self.run.counter += 1;
        number
    }

    fn definition(&self, at: At) -> Option<&'a StepDefinition> {
        let frame = self.run.frames.get(&at.frame)?;
        self.workflow.block(frame.block).steps.get(at.step)
    }

    fn state(&self, at: At) -> Option<&StepState> {
        self.run.frames.get(&at.frame)?.steps.get(at.step)
    }

    fn set_state(&mut self, at: At, state: StepState) {
        let frame = self.run.frames.get_mut(&at.frame);
        if let Some(place) = frame.and_then(|frame| frame.steps.get_mut(at.step)) {
            *place = state;
        }
    }

    /// Whether nothing more begins around a step.
    fn is_halting(&self, at: At) -> bool {
        self.run
            .frames
            .get(&at.frame)
            .is_none_or(|frame| frame.halting.is_some())
    }

    fn is_dry(&self) -> bool {
        self.run.mode == Mode::Dry
    }

    fn tell(&mut self, at: At, what: What) {
        let Some(step) = self.definition(at).map(|step| step.id.clone()) else {
            return;
        };
        let rounds = self.rounds_around(at);
        self.effects.push(Effect::Tell(Record { step, rounds, what }));
    }

    /// Rounds of the loops around a step, the outermost first.
    fn rounds_around(&self, at: At) -> Vec<u64> {
        let mut rounds = Vec::new();
        let mut frame = self.run.frames.get(&at.frame);
        while let Some(parent) = frame.and_then(|frame| frame.parent) {
            let above = At {
                frame: parent.frame,
                step: parent.step,
            };
            let is_loop = self
                .definition(above)
                .is_some_and(|step| matches!(step.action, crate::definition::Action::Loop { .. }));
            if let (true, Some(StepState::Within { round, .. })) = (is_loop, self.state(above)) {
                rounds.push(*round);
            }
            frame = self.run.frames.get(&parent.frame);
        }
        rounds.reverse();
        rounds
    }

    /// The step did what it should.
    fn complete(&mut self, at: At, outputs: serde_json::Map<String, serde_json::Value>) {
        for (name, value) in outputs.clone() {
            self.keep(at.frame, name, value);
        }
        self.set_state(at, StepState::Over);
        self.tell(at, What::Done { outputs });
        if let Err(failure) = self.bounds() {
            self.fail(at, failure);
        }
    }

    /// The step does not come to its end: what stands beside `on_error` decides.
    fn fail(&mut self, at: At, failure: Failure) {
        if let Some(step) = self.definition(at) {
            self.fail_of(at, &step.id, failure);
        }
    }

    /// The same for a failure of a step within it, whose name is told.
    fn fail_of(&mut self, at: At, origin: &str, failure: Failure) {
        let Some(step) = self.definition(at) else { return };
        self.tell(
            at,
            What::Failed {
                failure: failure.clone(),
            },
        );
        if self.is_halting(at) {
            return self.set_state(at, StepState::Over);
        }
        match step.on_error {
            crate::definition::OnError::Stop => {
                let step = origin.to_owned();
                self.halt_around(at, &Halt::Failed { step, failure });
            }
            crate::definition::OnError::Continue => {
                self.defaults(at);
                self.set_state(at, StepState::Over);
            }
            crate::definition::OnError::Steps(steps) => {
                let frame = self.open(steps, Some(at));
                self.keep(frame, ERROR.to_owned(), failure.value(origin));
                self.set_state(at, StepState::Handling { frame });
            }
        }
    }

    fn attempt_at(&self, id: AttemptId) -> Option<At> {
        let attempt = self.run.attempts.get(&id)?;
        Some(At {
            frame: attempt.frame,
            step: attempt.step,
        })
    }
}
