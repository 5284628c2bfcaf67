//! A world in which workflows run: it performs effects, is killed at will, and remembers what happened in it.

use crate::{
    AttemptId, Decision, Effect, Event, Failure, Happened, Mode, Next, Record, Run, Status, Verdict, What,
    Work, Workflow,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Where the process dies, counted by what would have happened next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kill {
    Never,
    /// After an event, before its effects.
    BeforeEffects(usize),
    /// After `Begun` is written, before the call.
    BeforeCall(usize),
    /// After the call, before its result is written.
    AfterCall(usize),
}

/// What a call comes to, by its step and the number of its tries.
pub type Outcome = fn(&str, u32) -> Result<(), Happened>;

pub struct World<'a> {
    pub workflow: &'a Workflow,
    pub outcome: Outcome,
    pub kill: Kill,
    /// Calls that happened, by step and rounds, with how often.
    pub happened: BTreeMap<(String, Vec<u64>), u32>,
    pub records: Vec<Record>,
    pub kills: usize,
    /// Events so far, and calls.
    events: usize,
    calls: usize,
    tries: BTreeMap<(String, Vec<u64>), u32>,
    now_ms: u64,
    pending: Vec<Effect>,
    rounds: BTreeMap<AttemptId, Vec<u64>>,
    /// What came of calls whose process died, for the person who says it.
    truth: BTreeMap<AttemptId, Option<Value>>,
    approve: bool,
}

impl<'a> World<'a> {
    pub fn new(workflow: &'a Workflow, outcome: Outcome, kill: Kill) -> Self {
        Self {
            workflow,
            outcome,
            kill,
            happened: BTreeMap::new(),
            records: Vec::new(),
            kills: 0,
            events: 0,
            calls: 0,
            tries: BTreeMap::new(),
            now_ms: 1_000,
            pending: Vec::new(),
            rounds: BTreeMap::new(),
            truth: BTreeMap::new(),
            approve: true,
        }
    }

    pub fn refusing(mut self) -> Self {
        self.approve = false;
        self
    }

    /// Carries the workflow out to its end.
    pub fn run(&mut self, given: Map<String, Value>) -> Run {
        let mut run = Run::new(self.workflow, Mode::Real, given, "").unwrap();
        let mut next = self.tell(&mut run, Event::Started);
        for _ in 0..200_000 {
            if next == Next::Ended {
                return run;
            }
            next = match self.pending.is_empty() {
                false => {
                    let effect = self.pending.remove(0);
                    self.perform(&mut run, effect)
                }
                true => self.wait(&mut run, &next),
            };
        }
        unreachable!("the run does not end: {run:?}")
    }

    fn tell(&mut self, run: &mut Run, event: Event) -> Next {
        let turn = run.handle(self.workflow, event, self.now_ms);
        for effect in turn.effects {
            match effect {
                Effect::Tell(record) => {
                    if let What::Asked { attempt } = record.what {
                        self.rounds.insert(attempt, record.rounds.clone());
                    }
                    self.records.push(record);
                }
                Effect::Cancel(attempt) => self.pending.retain(|pending| of(pending) != Some(attempt)),
                Effect::Perform { .. } | Effect::Ask { .. } => self.pending.push(effect),
            }
        }
        self.events += 1;
        if self.kill == Kill::BeforeEffects(self.events) {
            return self.die(run);
        }
        turn.next
    }

    /// The process is gone, and another one reads what was written.
    fn die(&mut self, run: &mut Run) -> Next {
        self.kills += 1;
        self.pending.clear();
        let written = serde_json::to_string(run).unwrap();
        let read: Run = serde_json::from_str(&written).unwrap();
        assert_eq!(read, *run);
        *run = read;
        match run.has_ended() {
            true => Next::Ended,
            false => self.tell(run, Event::Resumed),
        }
    }

    fn perform(&mut self, run: &mut Run, effect: Effect) -> Next {
        let (attempt, step, work) = match effect {
            Effect::Ask { attempt, .. } => {
                let answer = match self.approve {
                    true => Decision::Approved,
                    false => Decision::Refused {
                        reason: "no".to_owned(),
                    },
                };
                return self.tell(run, Event::Answered { attempt, answer });
            }
            Effect::Perform { attempt, step, work } => (attempt, step, work),
            Effect::Cancel(_) | Effect::Tell(_) => unreachable!("these are not kept"),
        };
        let kills = self.kills;
        let next = self.tell(run, Event::Begun(attempt));
        if self.kills > kills || run.has_ended() {
            return next;
        }
        self.calls += 1;
        self.truth.insert(attempt, None);
        if self.kill == Kill::BeforeCall(self.calls) {
            return self.die(run);
        }
        let key = (step.clone(), self.rounds[&attempt].clone());
        let tries = self.tries.entry(key.clone()).or_default();
        *tries += 1;
        let outcome = (self.outcome)(&step, *tries);
        if outcome.is_ok() {
            *self.happened.entry(key).or_default() += 1;
            self.truth.insert(attempt, Some(result(&step, &work)));
        }
        if self.kill == Kill::AfterCall(self.calls) {
            return self.die(run);
        }
        let event = match outcome {
            Ok(()) => Event::Done {
                attempt,
                value: result(&step, &work),
            },
            Err(happened) => {
                let failure = Failure::Performer {
                    message: "broken".to_owned(),
                };
                Event::Failed {
                    attempt,
                    failure,
                    happened,
                }
            }
        };
        self.tell(run, event)
    }

    /// Nothing is under way: a person says what is unknown, or time goes by.
    fn wait(&mut self, run: &mut Run, next: &Next) -> Next {
        if let Some(attempt) = run.uncertain().first().copied() {
            assert!(
                self.records
                    .iter()
                    .any(|record| record.what == What::Uncertain { attempt }),
                "it is shown"
            );
            let verdict = match self.truth.get(&attempt).cloned().flatten() {
                Some(value) => Verdict::Happened(value),
                None => Verdict::NotHappened,
            };
            return self.tell(run, Event::Settled { attempt, verdict });
        }
        match next {
            Next::Wait {
                until_ms: Some(until_ms),
            } => self.now_ms = self.now_ms.max(*until_ms),
            Next::Wait { until_ms: None } | Next::Ended => unreachable!("nobody knows how to go on: {run:?}"),
        }
        self.tell(run, Event::Time)
    }
}

fn of(effect: &Effect) -> Option<AttemptId> {
    match effect {
        Effect::Perform { attempt, .. } | Effect::Ask { attempt, .. } => Some(*attempt),
        Effect::Cancel(_) | Effect::Tell(_) => None,
    }
}

/// What a call of a step gives, the same whenever it is asked.
fn result(step: &str, work: &Work) -> Value {
    match work {
        Work::Code { .. } => {
            Value::Object(Map::from_iter([(step_output(step), json!(format!("of {step}")))]))
        }
        Work::Tool { .. } | Work::Plugin { .. } | Work::Custom { .. } | Work::Llm { .. } => {
            json!(format!("of {step}"))
        }
    }
}

/// The one value of a generated step.
pub fn step_output(step: &str) -> String {
    format!("{step}_out")
}

pub fn always(_: &str, _: u32) -> Result<(), Happened> {
    Ok(())
}

/// Whether the run came to its end well.
pub fn is_done(run: &Run) -> bool {
    run.status == Status::Done
}
