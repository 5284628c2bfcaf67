//! What becomes of calls and questions: begun, done, failed, out of time, unknown.

use super::values::{outputs, typed};
use super::{At, Engine};
use crate::definition::{Action, Retry};
use crate::event::{AttemptId, Decision, Effect, Happened, Verdict, What};
use crate::failure::Failure;
use crate::limits::STOPPING_CALLED_MS;
use crate::run::{Phase, StepState, Then};
use serde_json::{Map, Value};

impl Engine<'_> {
    pub(super) fn begun(&mut self, attempt: AttemptId) {
        let limit_ms = self
            .attempt_at(attempt)
            .and_then(|at| self.definition(at))
            .and_then(|step| step.timeout_ms);
        let until_ms = limit_ms.map(|limit_ms| self.now_ms.saturating_add(limit_ms));
        match self.run.attempts.get_mut(&attempt) {
            Some(known) if known.phase == Phase::Asked => {
                known.phase = Phase::Begun {
                    until_ms,
                    left_ms: None,
                };
                if let Some(at) = self.attempt_at(attempt) {
                    self.tell(at, What::Begun { attempt });
                }
            }
            Some(_) => {}
            // It was taken back before whoever performs it knew.
            None => self.effects.push(Effect::Cancel(attempt)),
        }
    }

    pub(super) fn waits(&mut self, attempt: AttemptId, waits: bool) {
        let now_ms = self.now_ms;
        let Some(known) = self.run.attempts.get_mut(&attempt) else {
            return;
        };
        match &mut known.phase {
            Phase::Begun { until_ms, left_ms } if waits => {
                if let Some(until) = until_ms.take() {
                    *left_ms = Some(until.saturating_sub(now_ms));
                }
            }
            Phase::Begun { until_ms, left_ms } => {
                if let Some(left) = left_ms.take() {
                    *until_ms = Some(now_ms.saturating_add(left));
                }
            }
            // Told to stop, it waits for the ends of what it has called.
            Phase::Stopping { until_ms, .. } if waits => {
                *until_ms = now_ms.saturating_add(STOPPING_CALLED_MS);
            }
            Phase::Stopping { .. } | Phase::Asked | Phase::Uncertain => {}
        }
    }

    pub(super) fn done(&mut self, attempt: AttemptId, value: Value) {
        let Some(at) = self.attempt_at(attempt) else {
            return;
        };
        let Some(Action::Call(call)) = self.definition(at).map(|step| &step.action) else {
            return;
        };
        let declared = self
            .definition(at)
            .map(|step| step.outputs.as_slice())
            .unwrap_or_default();
        match outputs(call, declared, value) {
            Ok(outputs) => {
                self.run.attempts.remove(&attempt);
                self.complete(at, outputs);
            }
            // It happened: another try would do it again, unless that does no harm.
            Err(failure) => self.ended_badly(attempt, at, failure, Trying::OnlyWhatIsRepeatable),
        }
    }

    pub(super) fn failed(&mut self, attempt: AttemptId, failure: Failure, happened: Happened) {
        let Some(at) = self.attempt_at(attempt) else {
            return;
        };
        let limit_ms = match self.run.attempts.get(&attempt).map(|attempt| attempt.phase) {
            Some(Phase::Stopping { limit_ms, .. }) => limit_ms,
            Some(Phase::Asked | Phase::Begun { .. } | Phase::Uncertain) | None => None,
        };
        // Told to stop because of its time limit, it says that it stopped.
        let failure = limit_ms.map_or(failure, |limit_ms| Failure::TimedOut { limit_ms });
        match happened {
            Happened::Unknown if !self.is_repeatable(at) => self.unknown(attempt, at),
            Happened::Partly => self.ended_badly(attempt, at, failure, Trying::OnlyWhatIsRepeatable),
            Happened::Unknown | Happened::No => self.ended_badly(attempt, at, failure, Trying::Again),
        }
    }

    pub(super) fn answered(&mut self, attempt: AttemptId, answer: Decision) {
        let Some(at) = self.attempt_at(attempt) else {
            return;
        };
        let Some(step) = self
            .definition(at)
            .filter(|step| matches!(step.action, Action::Approval { .. }))
        else {
            return;
        };
        let (is_approved, reason) = match answer {
            Decision::Approved => (true, String::new()),
            Decision::Refused { reason } => (false, reason),
        };
        self.run.attempts.remove(&attempt);
        if !is_approved && step.outputs.is_empty() {
            return self.fail(at, Failure::Refused { reason });
        }
        let values = step.outputs.iter().filter_map(|output| {
            let value = typed(output.kind, Value::Bool(is_approved), output)?;
            Some((output.name.clone(), value))
        });
        self.complete(at, values.collect());
    }

    pub(super) fn settled(&mut self, attempt: AttemptId, verdict: Verdict) {
        let known = self.run.attempts.get(&attempt);
        if known.is_none_or(|attempt| attempt.phase != Phase::Uncertain) {
            return;
        }
        let Some(at) = self.attempt_at(attempt) else {
            return;
        };
        match verdict {
            Verdict::Happened(value) => self.done(attempt, value),
            Verdict::NotHappened => {
                self.run.attempts.remove(&attempt);
                self.attempt(at, 0);
                self.ask(at);
            }
            Verdict::GiveUp => {
                self.run.attempts.remove(&attempt);
                self.fail(at, Failure::GivenUp);
            }
        }
    }

    /// Another process takes the run up: what was only wanted is wanted again, what was begun is unknown.
    pub(super) fn resumed(&mut self) {
        let attempts: Vec<AttemptId> = self.run.attempts.keys().copied().collect();
        for attempt in attempts {
            let Some(at) = self.attempt_at(attempt) else {
                continue;
            };
            let phase = self.run.attempts.get(&attempt).map(|attempt| attempt.phase);
            match phase {
                Some(Phase::Asked) => self.ask(at),
                // Whether all of it has stopped nobody knows: it is told again.
                Some(Phase::Stopping { limit_ms, .. }) => self.stop(attempt, limit_ms),
                Some(Phase::Begun { .. }) if !self.is_repeatable(at) => self.unknown(attempt, at),
                Some(Phase::Begun { .. }) if self.is_halting(at) => {
                    self.run.attempts.remove(&attempt);
                    self.set_state(at, StepState::Over);
                }
                Some(Phase::Begun { .. }) => {
                    let tries = self
                        .run
                        .attempts
                        .remove(&attempt)
                        .map_or(0, |attempt| attempt.tries);
                    self.attempt(at, tries);
                    self.ask(at);
                }
                Some(Phase::Uncertain) | None => {}
            }
        }
    }

    /// Ends what is out of time, and goes on with what has slept enough.
    pub(super) fn on_time(&mut self) {
        let attempts: Vec<(AttemptId, Phase)> = self
            .run
            .attempts
            .iter()
            .map(|(id, attempt)| (*id, attempt.phase))
            .collect();
        for (attempt, phase) in attempts {
            let Some(at) = self.attempt_at(attempt) else {
                continue;
            };
            match phase {
                Phase::Begun {
                    until_ms: Some(until_ms),
                    ..
                } if until_ms <= self.now_ms => self.out_of_time(attempt, at),
                Phase::Stopping { until_ms, .. } if until_ms <= self.now_ms => self.unknown(attempt, at),
                Phase::Asked | Phase::Begun { .. } | Phase::Stopping { .. } | Phase::Uncertain => {}
            }
        }
        while let Some((at, then)) = self.slept() {
            match then {
                Then::Complete => self.complete(at, Map::new()),
                Then::TryAgain { tries } => {
                    self.attempt(at, tries);
                    self.ask(at);
                }
            }
        }
    }

    fn slept(&self) -> Option<(At, Then)> {
        let frames = self
            .run
            .frames
            .iter()
            .filter(|(_, frame)| frame.halting.is_none());
        let mut steps = frames.flat_map(|(id, frame)| {
            let numbered = frame.steps.iter().enumerate();
            numbered.map(move |(step, state)| (At { frame: *id, step }, state))
        });
        steps.find_map(|(at, state)| match state {
            StepState::Sleeping { until_ms, then } if *until_ms <= self.now_ms => Some((at, *then)),
            StepState::Sleeping { .. }
            | StepState::Waiting
            | StepState::Open(_)
            | StepState::Within { .. }
            | StepState::Handling { .. }
            | StepState::Over => None,
        })
    }

    /// A call has had its time. A model's answer is done without; of anything else it must be known whether it happened.
    fn out_of_time(&mut self, attempt: AttemptId, at: At) {
        let limit_ms = self
            .definition(at)
            .and_then(|step| step.timeout_ms)
            .unwrap_or_default();
        if self.is_repeatable(at) {
            self.effects.push(Effect::Cancel(attempt));
            return self.ended_badly(attempt, at, Failure::TimedOut { limit_ms }, Trying::Again);
        }
        self.stop(attempt, Some(limit_ms));
    }

    /// Nobody knows whether it happened: it is shown, and not done again.
    fn unknown(&mut self, attempt: AttemptId, at: At) {
        if let Some(known) = self.run.attempts.get_mut(&attempt)
            && known.phase != Phase::Uncertain
        {
            known.phase = Phase::Uncertain;
            self.tell(at, What::Uncertain { attempt });
        }
    }

    fn ended_badly(&mut self, attempt: AttemptId, at: At, failure: Failure, trying: Trying) {
        let tries = self
            .run
            .attempts
            .remove(&attempt)
            .map_or(0, |attempt| attempt.tries);
        let may = match trying {
            Trying::Again => true,
            Trying::OnlyWhatIsRepeatable => self.is_repeatable(at),
        };
        let retry = self.definition(at).and_then(|step| step.retry);
        let retry = retry.filter(|retry| tries < retry.times && may && failure.is_worth_a_try());
        match retry {
            Some(retry) if !self.is_halting(at) => {
                let at_ms = self.now_ms.saturating_add(pause_ms(retry, tries));
                self.tell(at, What::Retrying { failure, at_ms });
                let then = Then::TryAgain { tries: tries + 1 };
                self.set_state(
                    at,
                    StepState::Sleeping {
                        until_ms: at_ms,
                        then,
                    },
                );
            }
            Some(_) | None => self.fail(at, failure),
        }
    }

    fn is_repeatable(&self, at: At) -> bool {
        self.definition(at)
            .is_some_and(crate::definition::StepDefinition::is_repeatable)
    }
}

/// Which steps are tried again.
#[derive(Clone, Copy)]
enum Trying {
    Again,
    OnlyWhatIsRepeatable,
}

/// Milliseconds before the next try.
fn pause_ms(retry: Retry, tries: u32) -> u64 {
    let factor = retry.factor.powi(i32::try_from(tries).unwrap_or(i32::MAX));
    (retry.wait_ms as f64 * factor) as u64
}
