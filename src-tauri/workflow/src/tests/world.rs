//! A world in which workflows run, and those that their steps call: it performs effects, is killed at will, and remembers what
//! happened in it.

use crate::{
    AttemptId, Decision, Effect, Event, Failure, Happened, Mode, Next, Record, Run, Status, Verdict, What,
    Work, Workflow,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The tool that is another workflow.
pub const CALLED: &str = "workflows.called";

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

/// A step of a run, with the rounds around it.
pub type Place = (String, Vec<u64>);

pub struct World<'a> {
    pub workflow: &'a Workflow,
    pub outcome: Outcome,
    pub kill: Kill,
    /// Calls that happened, by step and rounds, with how often. A called run's have its caller's rounds and number before.
    pub happened: BTreeMap<Place, u32>,
    /// Of the workflow's own run, once it has ended; and of each run that it called.
    pub records: Vec<Record>,
    pub called_records: Vec<Vec<Record>>,
    pub kills: usize,
    /// What the workflow's own run was told, and when.
    pub log: Vec<(Event, u64)>,
    /// Its state as a killed process left it, with how much it had been told by then.
    pub left: Option<(usize, Run)>,
    /// Events so far, and calls.
    pub events: usize,
    pub calls: usize,
    tries: BTreeMap<Place, u32>,
    now_ms: u64,
    called: Option<&'a Workflow>,
    /// The workflow's own run, then those that it called and that are not over.
    slots: Vec<Slot<'a>>,
    approve: bool,
}

/// A run, and what is to be done for it.
struct Slot<'a> {
    workflow: &'a Workflow,
    run: Run,
    next: Next,
    pending: Vec<Effect>,
    records: Vec<Record>,
    rounds: BTreeMap<AttemptId, Vec<u64>>,
    /// What came of calls whose process died, for the person who says it.
    truth: BTreeMap<AttemptId, Option<Value>>,
    /// The call that waits for it, with what stands before its own rounds.
    caller: Option<AttemptId>,
    prefix: Vec<u64>,
}

impl<'a> Slot<'a> {
    fn new(workflow: &'a Workflow, run: Run) -> Self {
        Self {
            workflow,
            run,
            next: Next::Wait { until_ms: None },
            pending: Vec::new(),
            records: Vec::new(),
            rounds: BTreeMap::new(),
            truth: BTreeMap::new(),
            caller: None,
            prefix: Vec::new(),
        }
    }
}

impl<'a> World<'a> {
    pub fn new(workflow: &'a Workflow, outcome: Outcome, kill: Kill) -> Self {
        Self {
            workflow,
            outcome,
            kill,
            happened: BTreeMap::new(),
            records: Vec::new(),
            called_records: Vec::new(),
            kills: 0,
            log: Vec::new(),
            left: None,
            events: 0,
            calls: 0,
            tries: BTreeMap::new(),
            now_ms: 1_000,
            called: None,
            slots: Vec::new(),
            approve: true,
        }
    }

    pub fn refusing(mut self) -> Self {
        self.approve = false;
        self
    }

    /// Steps that call [`CALLED`] begin a run of this one.
    pub fn calling(mut self, called: &'a Workflow) -> Self {
        self.called = Some(called);
        self
    }

    /// Carries the workflow out to its end.
    pub fn run(&mut self, given: Map<String, Value>) -> Run {
        let run = Run::new(self.workflow, Mode::Real, given, "").unwrap();
        self.slots = vec![Slot::new(self.workflow, run)];
        self.tell(0, Event::Started);
        for _ in 0..200_000 {
            if self.slots[0].run.has_ended() {
                let own = self.slots.remove(0);
                self.records = own.records;
                return own.run;
            }
            let is_over = |slot: &Slot<'_>| slot.caller.is_some() && slot.run.has_ended();
            if let Some(number) = self.slots.iter().position(is_over) {
                self.answer(number);
                continue;
            }
            match self.slots.iter().position(|slot| !slot.pending.is_empty()) {
                Some(number) => {
                    let effect = self.slots[number].pending.remove(0);
                    self.perform(number, effect);
                }
                None => self.wait(),
            }
        }
        unreachable!("the run does not end: {:?}", self.slots[0].run)
    }

    fn tell(&mut self, number: usize, event: Event) {
        if number == 0 {
            self.log.push((event.clone(), self.now_ms));
        }
        let slot = &mut self.slots[number];
        let turn = slot.run.handle(slot.workflow, event, self.now_ms);
        slot.next = turn.next;
        let mut cancelled = Vec::new();
        for effect in turn.effects {
            match effect {
                Effect::Tell(record) => {
                    if let What::Asked { attempt } = record.what {
                        slot.rounds.insert(attempt, record.rounds.clone());
                    }
                    slot.records.push(record);
                }
                Effect::Cancel(attempt) => {
                    slot.pending.retain(|pending| of(pending) != Some(attempt));
                    cancelled.push(attempt);
                }
                Effect::Perform { .. } | Effect::Ask { .. } => slot.pending.push(effect),
            }
        }
        self.events += 1;
        if self.kill == Kill::BeforeEffects(self.events) {
            return self.die();
        }
        if number == 0 {
            cancelled
                .into_iter()
                .for_each(|caller| self.cancel_called(caller));
        }
    }

    /// A call is not wanted any more, and neither is the run that it began.
    fn cancel_called(&mut self, caller: AttemptId) {
        let is_its = |slot: &Slot<'_>| slot.caller == Some(caller) && !slot.run.has_ended();
        if let Some(number) = self.slots.iter().position(is_its) {
            self.tell(number, Event::Cancelled);
        }
    }

    /// The process is gone, and another one reads what was written.
    fn die(&mut self) {
        self.kills += 1;
        self.left = Some((self.log.len(), self.slots[0].run.clone()));
        for slot in &mut self.slots {
            slot.pending.clear();
            let written = serde_json::to_string(&slot.run).unwrap();
            let read: Run = serde_json::from_str(&written).unwrap();
            assert_eq!(read, slot.run);
            slot.run = read;
        }
        self.tell_all(&Event::Resumed);
    }

    /// Tells something to each run that is not over.
    fn tell_all(&mut self, event: &Event) {
        for number in 0..self.slots.len() {
            if !self.slots[number].run.has_ended() {
                self.tell(number, event.clone());
            }
        }
    }

    fn perform(&mut self, number: usize, effect: Effect) {
        let (attempt, step, work) = match effect {
            Effect::Ask { attempt, .. } => {
                let answer = match self.approve {
                    true => Decision::Approved,
                    false => Decision::Refused {
                        reason: "no".to_owned(),
                    },
                };
                return self.tell(number, Event::Answered { attempt, answer });
            }
            Effect::Perform { attempt, step, work } => (attempt, step, work),
            Effect::Cancel(_) | Effect::Tell(_) => unreachable!("these are not kept"),
        };
        let kills = self.kills;
        self.tell(number, Event::Begun(attempt));
        if self.kills > kills || self.slots[number].run.has_ended() {
            return;
        }
        self.calls += 1;
        self.slots[number].truth.insert(attempt, None);
        if self.kill == Kill::BeforeCall(self.calls) {
            return self.die();
        }
        if let Some(called) = self.called.filter(|_| number == 0 && is_of_workflow(&work)) {
            return self.begin(called, attempt, &step);
        }
        let event = self.call((number, attempt), &step, &work);
        if self.kill == Kill::AfterCall(self.calls) {
            return self.die();
        }
        self.tell(number, event);
    }

    /// Makes a call, and says how it ended.
    fn call(&mut self, (number, attempt): (usize, AttemptId), step: &str, work: &Work) -> Event {
        let place = self.place(number, attempt, step);
        let tries = self.tries.entry(place.clone()).or_default();
        *tries += 1;
        match (self.outcome)(step, *tries) {
            Ok(()) => {
                *self.happened.entry(place).or_default() += 1;
                let value = result(step, work);
                self.slots[number].truth.insert(attempt, Some(value.clone()));
                Event::Done { attempt, value }
            }
            Err(happened) => broken(attempt, happened),
        }
    }

    /// Begins the run that a step of the workflow calls.
    fn begin(&mut self, called: &'a Workflow, caller: AttemptId, step: &str) {
        let run = Run::new(called, Mode::Real, Map::new(), "").unwrap();
        let (_, mut prefix) = self.place(0, caller, step);
        prefix.push(number_of(step));
        self.slots.push(Slot {
            caller: Some(caller),
            prefix,
            ..Slot::new(called, run)
        });
        let kills = self.kills;
        self.tell(self.slots.len() - 1, Event::Started);
        if self.kills == kills && self.kill == Kill::AfterCall(self.calls) {
            self.die();
        }
    }

    /// A called run is over: its caller's call ends as it did.
    fn answer(&mut self, number: usize) {
        let called = self.slots.remove(number);
        self.called_records.push(called.records);
        let Some(attempt) = called.caller else { return };
        let event = match called.run.status {
            Status::Done => Event::Done {
                attempt,
                value: json!(Value::Object(called.run.result).to_string()),
            },
            // Some of its steps may have had their effects.
            Status::Ready | Status::Running | Status::Failed { .. } | Status::Cancelled => {
                broken(attempt, Happened::Partly)
            }
        };
        self.tell(0, event);
    }

    fn place(&self, number: usize, attempt: AttemptId, step: &str) -> Place {
        let slot = &self.slots[number];
        let mut rounds = slot.prefix.clone();
        rounds.extend(&slot.rounds[&attempt]);
        (step.to_owned(), rounds)
    }

    /// Nothing is under way: a person says what is unknown, or time goes by.
    fn wait(&mut self) {
        if let Some((number, attempt)) = self.unknown() {
            let slot = &self.slots[number];
            assert!(
                slot.records
                    .iter()
                    .any(|record| record.what == What::Uncertain { attempt }),
                "it is shown"
            );
            let verdict = match slot.truth.get(&attempt).cloned().flatten() {
                Some(value) => Verdict::Happened(value),
                None => Verdict::NotHappened,
            };
            return self.tell(number, Event::Settled { attempt, verdict });
        }
        let times = self.slots.iter().filter_map(|slot| match slot.next {
            Next::Wait { until_ms } => until_ms,
            Next::Ended => None,
        });
        let Some(until_ms) = times.min() else {
            unreachable!("nobody knows how to go on: {:?}", self.slots[0].run)
        };
        self.now_ms = self.now_ms.max(until_ms);
        self.tell_all(&Event::Time);
    }

    /// A call whose end nobody knows. The end of one that waits for a run is known once that has ended.
    fn unknown(&self) -> Option<(usize, AttemptId)> {
        self.slots.iter().enumerate().find_map(|(number, slot)| {
            let is_unknown = |attempt: &AttemptId| {
                let begun = self.slots.iter().any(|other| other.caller == Some(*attempt));
                number > 0 || !begun
            };
            let mut uncertain = slot.run.uncertain().into_iter();
            uncertain.find(is_unknown).map(|attempt| (number, attempt))
        })
    }
}

fn of(effect: &Effect) -> Option<AttemptId> {
    match effect {
        Effect::Perform { attempt, .. } | Effect::Ask { attempt, .. } => Some(*attempt),
        Effect::Cancel(_) | Effect::Tell(_) => None,
    }
}

fn is_of_workflow(work: &Work) -> bool {
    matches!(work, Work::Tool { tool, .. } if tool == CALLED)
}

/// A call that came to nothing.
pub fn broken(attempt: AttemptId, happened: Happened) -> Event {
    let failure = Failure::Performer {
        message: "broken".to_owned(),
    };
    Event::Failed {
        attempt,
        failure,
        happened,
    }
}

/// The number in the id of a generated step.
pub fn number_of(step: &str) -> u64 {
    let digits = step.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    digits.parse().unwrap_or(0)
}

/// What a call of a step gives: the same whenever it is asked the same, and something else for other arguments.
fn result(step: &str, work: &Work) -> Value {
    match work {
        Work::Code { variables, .. } => {
            let said = said(step, &json!(variables));
            Value::Object(Map::from_iter([(step_output(step), said)]))
        }
        Work::Tool { arguments, .. } | Work::Plugin { arguments, .. } | Work::Custom { arguments, .. } => {
            said(step, &json!(arguments))
        }
        Work::Llm { prompt, .. } => said(step, &json!(prompt)),
    }
}

/// A short text that follows from what was asked.
fn said(step: &str, asked: &Value) -> Value {
    let sum = asked.to_string().bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    json!(format!("{step} of {sum}"))
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
