//! A block that failed, or a run that is cancelled: nothing more begins, what was begun is told to stop and waited for.

use super::{At, Engine};
use crate::event::{AttemptId, Effect};
use crate::limits::STOPPING_MS;
use crate::run::{Halt, Phase, Status, StepState, Unsettled};

impl Engine<'_> {
    pub(super) fn cancelled(&mut self) {
        if self.run.status == Status::Ready {
            self.run.status = Status::Cancelled;
            return;
        }
        let frames: Vec<u64> = self.run.frames.keys().copied().collect();
        self.halt(&frames, &Halt::Cancelled);
    }

    /// Stops the frames that stand or fall with that of a step.
    pub(super) fn halt_around(&mut self, at: At, halt: &Halt) {
        self.set_state(at, StepState::Over);
        let parent = self.run.frames.get(&at.frame).and_then(|frame| frame.parent);
        let beside = match parent {
            Some(parent) => self.inside(At {
                frame: parent.frame,
                step: parent.step,
            }),
            None => vec![at.frame],
        };
        let frames = self.with_inner(&beside);
        self.halt(&frames, halt);
    }

    fn halt(&mut self, frames: &[u64], halt: &Halt) {
        for id in frames {
            if let Some(frame) = self.run.frames.get_mut(id) {
                // The first reason is the one that is told, unless all of it is cancelled.
                if frame.halting.is_none() || *halt == Halt::Cancelled {
                    frame.halting = Some(halt.clone());
                }
            }
        }
        let attempts: Vec<AttemptId> = self.within_frames(frames);
        for id in attempts {
            let Some(phase) = self.run.attempts.get(&id).map(|attempt| attempt.phase) else {
                continue;
            };
            match phase {
                Phase::Asked => {
                    self.run.attempts.remove(&id);
                    self.effects.push(Effect::Cancel(id));
                }
                Phase::Begun { .. } => self.stop(id, None),
                // The process that told it may be gone.
                Phase::Stopping { limit_ms, .. } if *halt == Halt::Cancelled => self.stop(id, limit_ms),
                Phase::Stopping { .. } | Phase::Uncertain => {}
            }
        }
    }

    /// Tells a call to stop. It has some time to say how it ended.
    pub(super) fn stop(&mut self, id: AttemptId, limit_ms: Option<u64>) {
        let mut until_ms = self.now_ms.saturating_add(STOPPING_MS);
        let Some(attempt) = self.run.attempts.get_mut(&id) else {
            return;
        };
        if let Phase::Stopping { until_ms: known, .. } = attempt.phase {
            until_ms = until_ms.max(known);
        }
        attempt.phase = Phase::Stopping { until_ms, limit_ms };
        self.effects.push(Effect::Cancel(id));
    }

    /// Ends the first halting group in which nothing is under way any more.
    pub(super) fn resolve_halt(&mut self) -> bool {
        let tops: Vec<(u64, Halt)> = self
            .run
            .frames
            .iter()
            .filter_map(|(id, frame)| {
                let above = frame.parent.and_then(|parent| self.run.frames.get(&parent.frame));
                let is_top = above.is_none_or(|above| above.halting.is_none());
                frame.halting.clone().filter(|_| is_top).map(|halt| (*id, halt))
            })
            .collect();
        for (top, halt) in tops {
            let parent = self.run.frames.get(&top).and_then(|frame| frame.parent);
            let group = match parent {
                Some(parent) => self.inside(At {
                    frame: parent.frame,
                    step: parent.step,
                }),
                None => vec![top],
            };
            let frames = self.with_inner(&group);
            let attempts = self.within_frames(&frames);
            let is_quiet = attempts.iter().all(|id| {
                let attempt = self.run.attempts.get(id);
                attempt.is_none_or(|attempt| attempt.phase == Phase::Uncertain)
            });
            if is_quiet {
                self.unsettled(&attempts);
                frames.iter().for_each(|frame| {
                    self.run.frames.remove(frame);
                });
                match parent {
                    Some(parent) => self.group_failed(
                        At {
                            frame: parent.frame,
                            step: parent.step,
                        },
                        halt,
                    ),
                    None => self.run_over(halt),
                }
                return true;
            }
        }
        false
    }

    fn group_failed(&mut self, at: At, halt: Halt) {
        let was_handling = matches!(self.state(at), Some(StepState::Handling { .. }));
        match halt {
            Halt::Cancelled => self.set_state(at, StepState::Over),
            // What stands beside `on_error` was tried already.
            Halt::Failed { .. } if was_handling => self.halt_around(at, &halt),
            Halt::Failed { step, failure } => self.fail_of(at, &step, failure),
        }
    }

    fn run_over(&mut self, halt: Halt) {
        self.run.attempts.clear();
        self.run.status = match halt {
            Halt::Cancelled => Status::Cancelled,
            Halt::Failed { step, failure } => Status::Failed { step, failure },
        };
    }

    /// Keeps what nobody knows the end of: it is shown with the run's end.
    fn unsettled(&mut self, attempts: &[AttemptId]) {
        for id in attempts {
            let Some(at) = self.attempt_at(*id) else { continue };
            let step = self
                .definition(at)
                .map(|step| step.id.clone())
                .unwrap_or_default();
            let rounds = self.rounds_around(at);
            self.run.unsettled.push(Unsettled {
                attempt: *id,
                step,
                rounds,
            });
            self.run.attempts.remove(id);
        }
    }

    fn within_frames(&self, frames: &[u64]) -> Vec<AttemptId> {
        let attempts = self.run.attempts.iter();
        let within = attempts.filter(|(_, attempt)| frames.contains(&attempt.frame));
        within.map(|(id, _)| *id).collect()
    }

    /// These frames and all that stand within their steps.
    fn with_inner(&self, frames: &[u64]) -> Vec<u64> {
        let mut found = frames.to_vec();
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            let steps = self.run.frames.get(&id).map_or(0, |frame| frame.steps.len());
            for step in 0..steps {
                found.extend(self.inside(At { frame: id, step }));
            }
            next += 1;
        }
        found
    }
}
