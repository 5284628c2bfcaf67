//! Carries one run out: what happened goes into the engine, its state is written, and what it wants is done.
//!
//! The three promises to the engine are kept here. The state is written after each event and before its effects. `Begun` is
//! written before a program begins or a model is asked. How an attempt ended is said once.

use crate::Workflows;
use crate::attempt::{self, Job};
use crate::evidence::Broken;
use crate::facts::{Facts, session_of};
use crate::limits::WATCHER_PATIENCE;
use crate::orders::{End, Order, Taken, Until};
use crate::records;
use serde_json::json;
use shidi_protocol::{Reply, RunId, Usage, UserError};
use shidi_space::{clock, storage};
use shidi_store::{WorkflowProgram, WorkflowRow, WorkflowState, WorkflowStepRow, WorkflowWrite, Write};
use shidi_workflow::{AttemptId, Effect, Event, Next, Record, Run, Verdict, What, Work, Workflow};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// A run at work in this process.
pub struct Performer {
    workflows: Arc<Workflows>,
    row: WorkflowRow,
    facts: Arc<Facts>,
    workflow: Workflow,
    run: Run,
    /// The number of the next record.
    next_record: u64,
    open: BTreeMap<AttemptId, CancellationToken>,
    waiting: BTreeSet<AttemptId>,
    /// Wanted, and about to be begun.
    wanted: BTreeMap<AttemptId, (String, Work)>,
    until_ms: Option<u64>,
    watchers: Vec<(mpsc::Sender<Reply>, Until)>,
    orders: mpsc::UnboundedSender<Order>,
    /// Whether those who watched were told that it waits.
    rests: bool,
    /// What a person said of attempts that are still looked after.
    settling: Vec<(AttemptId, Verdict, oneshot::Sender<Taken>)>,
}

impl Performer {
    pub fn new(
        workflows: &Arc<Workflows>,
        row: WorkflowRow,
        (facts, workflow, run): (Facts, Workflow, Run),
        next_record: u64,
        orders: mpsc::UnboundedSender<Order>,
    ) -> Self {
        Self {
            workflows: Arc::clone(workflows),
            row,
            facts: Arc::new(facts),
            workflow,
            run,
            next_record,
            open: BTreeMap::new(),
            waiting: BTreeSet::new(),
            wanted: BTreeMap::new(),
            until_ms: None,
            watchers: Vec::new(),
            orders,
            rests: false,
            settling: Vec::new(),
        }
    }

    pub fn watch(&mut self, watcher: mpsc::Sender<Reply>, until: Until) {
        self.watchers.push((watcher, until));
        self.rests = false;
    }

    /// Works until the run has ended, or can't be written any more.
    pub async fn work(mut self, first: Event, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut outcome = self.take(first).await;
        while outcome.is_ok() && !self.run.has_ended() {
            self.tell_rest().await;
            let order = tokio::select! {
                order = orders.recv() => order,
                () = until(self.until_ms) => {
                    outcome = self.take(Event::Time).await;
                    continue;
                }
            };
            let Some(order) = order else { break };
            outcome = self.follow(order).await;
        }
        self.workflows.has_left(&self.row.run);
        // Who came at the last moment hears how it ended, too.
        orders.close();
        while let Ok(order) = orders.try_recv() {
            if let Order::Watch(watcher, until) = order {
                self.watch(watcher, until);
            }
        }
        match outcome {
            Ok(()) => self.tell_view().await,
            Err(error) => {
                tracing::error!(error.message, "a workflow's run can't be written");
                self.tell_in_time(Reply::Failed { error }).await;
            }
        }
        self.workflows.space.tell(&Reply::WorkflowsChanged);
    }

    async fn follow(&mut self, order: Order) -> Result<(), UserError> {
        match order {
            Order::Watch(watcher, until) => {
                self.watch(watcher, until);
                Ok(())
            }
            Order::Cancel => self.take(Event::Cancelled).await,
            Order::Settle {
                attempt,
                verdict,
                done,
            } => {
                self.settling.push((attempt, verdict, done));
                self.settle().await
            }
            Order::Said { attempt, event } => {
                let goes_on = self.waiting.remove(&attempt);
                self.tell_in_time(Reply::Event { event: *event }).await;
                if goes_on {
                    self.rests = false;
                    self.take(Event::Waits {
                        attempt,
                        waits: false,
                    })
                    .await?;
                }
                Ok(())
            }
            Order::Waits { attempt, waits } => {
                match waits {
                    true => self.waiting.insert(attempt),
                    false => self.waiting.remove(&attempt),
                };
                self.take(Event::Waits { attempt, waits }).await
            }
            Order::Stops { attempt } => self.take(Event::Waits { attempt, waits: true }).await,
            Order::Ended {
                attempt,
                end,
                usage,
                tainted,
            } => self.ended(attempt, end, (usage, tainted)).await,
        }
    }

    async fn ended(
        &mut self,
        attempt: AttemptId,
        end: End,
        (usage, tainted): (Usage, bool),
    ) -> Result<(), UserError> {
        self.open.remove(&attempt);
        self.waiting.remove(&attempt);
        self.row.state.usage.add(&usage);
        self.row.state.tainted |= tainted;
        let event = match end {
            End::Done(value) => Event::Done { attempt, value },
            End::Failed(Broken { failure, happened }) => Event::Failed {
                attempt,
                failure,
                happened,
            },
            End::Answered(answer) => Event::Answered { attempt, answer },
            End::NotBegun => Event::Settled {
                attempt,
                verdict: Verdict::NotHappened,
            },
            End::Left => return self.settle().await,
        };
        self.take(event).await?;
        self.settle().await
    }

    /// Takes what a person said of steps whose end is unknown, as soon as it is known what the record says of them.
    async fn settle(&mut self) -> Result<(), UserError> {
        for (attempt, verdict, done) in std::mem::take(&mut self.settling) {
            if self.open.contains_key(&attempt) {
                self.settling.push((attempt, verdict, done));
                continue;
            }
            let taken = self.would_take(attempt, &verdict);
            let is_taken = taken == Taken::Yes;
            if done.send(taken).is_err() {
                tracing::debug!("whoever said what came of a step is gone");
            }
            if is_taken {
                self.rests = false;
                self.discard(attempt);
                self.take(Event::Settled { attempt, verdict }).await?;
            }
        }
        Ok(())
    }

    fn would_take(&self, attempt: AttemptId, verdict: &Verdict) -> Taken {
        if !self.run.uncertain().contains(&attempt) {
            return Taken::NothingUnknown;
        }
        let Verdict::Happened(value) = verdict else {
            return Taken::Yes;
        };
        match self.run.could_give(&self.workflow, attempt, value) {
            Ok(()) => Taken::Yes,
            // Taken for the step's own, it would end the run.
            Err(failure) => Taken::Unfit(failure),
        }
    }

    /// The program of an attempt that a person decided on must not go on by itself later.
    fn discard(&self, attempt: AttemptId) {
        let (workflows, session) = (Arc::clone(&self.workflows), session_of(&self.row.run, attempt));
        self.workflows.space.tasks.spawn(async move {
            let read = workflows.space.aside(move |space| {
                let explain = |cause| storage::explain(&cause, space.language());
                space.store.runs(&session).map_err(explain)
            });
            let run = read.await.ok().and_then(|mut rows| rows.pop());
            if let (Some(run), Ok(programs)) = (run, workflows.programs()) {
                programs.stop(run.run).await;
            }
        });
    }

    /// Takes an event, and what follows from it at once.
    async fn take(&mut self, event: Event) -> Result<(), UserError> {
        let is_taken_up = event == Event::Resumed;
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let begun = match &event {
                Event::Begun(attempt) => Some(*attempt),
                _ => None,
            };
            let turn = self.run.handle(&self.workflow, event, now_ms());
            self.until_ms = match turn.next {
                Next::Wait { until_ms } => until_ms,
                Next::Ended => None,
            };
            let (records, effects) = divided(turn.effects);
            self.write(records, begun).await?;
            for effect in effects {
                self.perform(effect, &mut events);
            }
            if let Some((attempt, (step, work))) = begun.and_then(|begun| self.wanted.remove_entry(&begun)) {
                let has_limit = self
                    .workflow
                    .steps()
                    .any(|definition| definition.id == step && definition.timeout_ms.is_some());
                self.begin(
                    attempt,
                    Job::Work {
                        step,
                        work,
                        has_limit,
                    },
                );
            }
        }
        if is_taken_up {
            for attempt in self.run.uncertain() {
                self.look_after(attempt);
            }
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect, events: &mut VecDeque<Event>) {
        match effect {
            Effect::Perform { attempt, step, work } => {
                self.wanted.insert(attempt, (step, work));
                events.push_back(Event::Begun(attempt));
            }
            Effect::Ask {
                attempt,
                step,
                message,
                shown,
            } => {
                self.begin(attempt, Job::Ask { step, message, shown });
            }
            Effect::Cancel(attempt) => {
                self.wanted.remove(&attempt);
                match self.open.get(&attempt) {
                    Some(cancel) => cancel.cancel(),
                    // Another process began it.
                    None => {
                        let call = self.run.call_of(&self.workflow, attempt).cloned();
                        self.begin(attempt, Job::Stop { call });
                    }
                }
            }
            Effect::Tell(_) => {}
        }
    }

    /// Looks what came of an attempt that another process had begun; it stays uncertain where nobody knows.
    fn look_after(&mut self, attempt: AttemptId) {
        if let Some(call) = self.run.call_of(&self.workflow, attempt) {
            let call = call.clone();
            self.begin(attempt, Job::LookAfter { call });
        }
    }

    fn begin(&mut self, attempt: AttemptId, job: Job) {
        let cancel = CancellationToken::new();
        self.open.insert(attempt, cancel.clone());
        let own = attempt::Attempt {
            workflows: Arc::clone(&self.workflows),
            run: self.row.run.clone(),
            facts: Arc::clone(&self.facts),
            attempt,
            tainted: self.row.state.tainted,
            cancel,
            orders: self.orders.clone(),
        };
        self.workflows.space.tasks.spawn(own.work(job));
    }

    /// Writes the state and what became of steps; a program that is about to begin with its session.
    async fn write(&mut self, records: Vec<Record>, begun: Option<AttemptId>) -> Result<(), UserError> {
        let language = self.workflows.space.language();
        let now = clock::now();
        if self.run.has_ended() {
            self.row.state.ended.get_or_insert(now);
        }
        self.row.state.engine = json!(self.run);
        let asked = records.iter().filter_map(|record| match record.what {
            What::Asked { attempt } => Some(attempt),
            _ => None,
        });
        let programs = begun.into_iter().chain(asked).map(|attempt| WorkflowProgram {
            session: session_of(&self.row.run, attempt),
            attempt: attempt.0,
        });
        let programs = programs.collect();
        let mut steps = Vec::new();
        for record in &records {
            steps.push(WorkflowStepRow {
                number: self.next_record,
                time: now,
                record: json!(record),
            });
            self.next_record += 1;
        }
        let write = advance(&self.row.run, &self.row.state, steps, programs);
        let store = self.workflows.space.store.clone();
        let written = tokio::task::spawn_blocking(move || store.commit(write)).await;
        match written {
            Ok(written) => written.map_err(|cause| storage::explain(&cause, language))?,
            Err(cause) => return Err(shidi_space::errors::internal(language, &cause.to_string())),
        }
        let run = self.row.run.clone();
        for record in &records {
            let step = records::of_one(record, now, language);
            let reply = Reply::WorkflowStep {
                run: run.clone(),
                step,
            };
            self.tell_in_time(reply).await;
        }
        Ok(())
    }

    /// Tells those who watch that nothing goes on until somebody decides, and lets go whoever waits for no more than that.
    async fn tell_rest(&mut self) {
        let is_quiet =
            self.open.keys().all(|attempt| self.waiting.contains(attempt)) && self.wanted.is_empty();
        let waits = !self.waiting.is_empty() || !self.run.uncertain().is_empty();
        if !self.rests && is_quiet && waits && self.until_ms.is_none() {
            self.rests = true;
            self.tell_view().await;
            self.watchers.retain(|(_, until)| *until == Until::End);
            self.workflows.space.tell(&Reply::WorkflowsChanged);
        }
    }

    async fn tell_view(&mut self) {
        let reply = match records::shown(&self.workflows, &self.row) {
            Ok(run) => Reply::WorkflowRun { run },
            Err(error) => Reply::Failed { error },
        };
        self.tell_in_time(reply).await;
    }

    /// Tells those who watch. A loop of ten thousand turns may tell of all at once, more than a watcher has
    /// room for. Only one that makes no room for a while is let go.
    async fn tell_in_time(&mut self, reply: Reply) {
        let mut kept = Vec::new();
        for (watcher, until) in std::mem::take(&mut self.watchers) {
            let is_told = match watcher.try_send(reply.clone()) {
                Ok(()) => true,
                Err(TrySendError::Full(reply)) => watcher.send_timeout(reply, WATCHER_PATIENCE).await.is_ok(),
                Err(TrySendError::Closed(_)) => false,
            };
            if is_told {
                kept.push((watcher, until));
            }
        }
        self.watchers = kept;
    }
}

fn advance(
    run: &RunId,
    state: &WorkflowState,
    steps: Vec<WorkflowStepRow>,
    programs: Vec<WorkflowProgram>,
) -> Write {
    Write::Workflow(WorkflowWrite::Advance {
        run: run.clone(),
        state: Box::new(state.clone()),
        steps,
        programs,
    })
}

/// What is written, and what is done.
fn divided(effects: Vec<Effect>) -> (Vec<Record>, Vec<Effect>) {
    let mut records = Vec::new();
    let mut rest = Vec::new();
    for effect in effects {
        match effect {
            Effect::Tell(record) => records.push(record),
            Effect::Perform { .. } | Effect::Ask { .. } | Effect::Cancel(_) => rest.push(effect),
        }
    }
    (records, rest)
}

fn now_ms() -> u64 {
    u64::try_from(clock::now().0).unwrap_or_default()
}

async fn until(at_ms: Option<u64>) {
    match at_ms {
        // The clock of the wall: a machine that slept is late, and goes on at once.
        Some(at_ms) => loop {
            let left = at_ms.saturating_sub(now_ms());
            if left == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(left.min(LOOKS_EVERY_MS))).await;
        },
        None => std::future::pending().await,
    }
}

/// Milliseconds between two looks at the clock of the wall while a run sleeps.
const LOOKS_EVERY_MS: u64 = 10_000;
