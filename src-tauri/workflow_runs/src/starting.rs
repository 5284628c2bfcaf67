//! Begins a run, and takes one up that no process works on.

use crate::Workflows;
use crate::callers;
use crate::evidence;
use crate::facts::Facts;
use crate::limits::RUNS_AT_ONCE_MAX;
use crate::orders::{Order, Until};
use crate::performer::Performer;
use crate::records;
use crate::shelf::Shelved;
use serde_json::json;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, JsonMap, Reply, RunId, Usage, UserError};
use shidi_space::errors::error;
use shidi_space::limits::REPLIES_QUEUED;
use shidi_space::{clock, storage};
use shidi_store::{WorkflowRow, WorkflowState, WorkflowWrite, Write};
use shidi_workflow::{Event, GivenFault, Mode, Run, Status, Workflow};
use std::sync::Arc;
use tokio::sync::mpsc;

/// What a run begins with.
pub struct Beginning {
    pub run: RunId,
    pub shelved: Shelved,
    pub workflow: Workflow,
    pub inputs: JsonMap,
    /// What was said so far, where it is run within a conversation.
    pub dialogue: String,
    pub facts: Facts,
    /// Whether what it is given derives from a stranger's words.
    pub tainted: bool,
}

/// Begins a run and watches it.
pub async fn begin(
    workflows: &Arc<Workflows>,
    beginning: Beginning,
    until: Until,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let language = workflows.space.language();
    // Before anything of it is kept: what was refused must not go on later.
    has_room(workflows, workflows.at_work.lock().len())?;
    let Beginning {
        run: id,
        shelved,
        workflow,
        inputs,
        dialogue,
        facts,
        tainted,
    } = beginning;
    let run = Run::new(&workflow, Mode::Real, inputs, &dialogue);
    let run = run.map_err(|faults| unfit(&faults, language))?;
    let row = WorkflowRow {
        run: id,
        name: shelved.name,
        facts: json!(facts),
        state: WorkflowState {
            engine: json!(run),
            usage: Usage::default(),
            tainted,
            ended: None,
        },
        started: clock::now(),
    };
    let caller = facts.by.as_ref().map(|by| by.run.clone());
    let cancelled = caller.map(|caller| (caller, cancelled(&row, run.clone(), &workflow)));
    if keep(workflows, row.clone(), cancelled).await? {
        return take_up(workflows, &row.run, until).await;
    }
    let parts = Parts {
        row,
        facts,
        workflow,
        run,
        next_record: 0,
    };
    set_going(workflows, parts, Event::Started, until)
}

/// The state of a run that ends before it has begun.
fn cancelled(row: &WorkflowRow, mut run: Run, workflow: &Workflow) -> WorkflowState {
    run.handle(workflow, Event::CallerEnded, 0);
    WorkflowState {
        engine: json!(run),
        ended: Some(clock::now()),
        ..row.state.clone()
    }
}

/// Writes a run. Where its caller has ended meanwhile, nobody waits for it: then it is written as cancelled. Whether it is.
async fn keep(
    workflows: &Workflows,
    row: WorkflowRow,
    cancelled: Option<(RunId, WorkflowState)>,
) -> Result<bool, UserError> {
    let language = workflows.space.language();
    // All of it here: whoever waits for it may be stopped in between.
    let kept = workflows.space.aside(move |space| {
        let explain = |cause| storage::explain(&cause, language);
        let run = row.run.clone();
        let begin = WorkflowWrite::Begin(Box::new(row));
        space.store.commit(Write::Workflow(begin)).map_err(explain)?;
        let Some((caller, state)) = cancelled else {
            return Ok(false);
        };
        if !evidence::is_over(&space.store, &caller).map_err(explain)? {
            return Ok(false);
        }
        let end = WorkflowWrite::Advance {
            run,
            state: Box::new(state),
            steps: Vec::new(),
            programs: Vec::new(),
        };
        space.store.commit(Write::Workflow(end)).map_err(explain)?;
        Ok(true)
    });
    kept.await
}

/// Why values begin no run: the first reason.
pub fn unfit(faults: &[GivenFault], language: Language) -> UserError {
    let first = faults.first().map(|fault| fault.told(language));
    first.unwrap_or_else(|| shidi_space::errors::internal(language, "no fault"))
}

/// Takes up a run, or watches one that is at work.
pub async fn take_up(
    workflows: &Arc<Workflows>,
    id: &RunId,
    until: Until,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    if let Some(replies) = watched(workflows, id, until) {
        return Ok(replies);
    }
    match open(workflows, id.clone()).await? {
        Opened::Open(parts) => {
            // The process may have ended between the run's first row and its first step.
            let first = match parts.run.status {
                Status::Ready => Event::Started,
                Status::Running | Status::Done | Status::Failed { .. } | Status::Cancelled => Event::Resumed,
            };
            set_going(workflows, *parts, first, until)
        }
        Opened::Unwanted(parts) => set_going(workflows, *parts, Event::CallerEnded, until),
        Opened::Ended(row) => {
            let (sender, receiver) = mpsc::channel(1);
            let run = records::shown(workflows, &row)?;
            // The receiver is here, and its place is free.
            drop(sender.try_send(Reply::WorkflowRun { run }));
            Ok(receiver)
        }
    }
}

/// Cancels a run, and watches how it ends.
pub async fn cancel(workflows: &Arc<Workflows>, id: &RunId) -> Result<mpsc::Receiver<Reply>, UserError> {
    if workflows.is_at_work(id)
        && let Some(replies) = watched(workflows, id, Until::Rest)
    {
        order(workflows, id, Order::Cancel);
        return Ok(replies);
    }
    match open(workflows, id.clone()).await? {
        Opened::Open(parts) | Opened::Unwanted(parts) => {
            set_going(workflows, *parts, Event::Cancelled, Until::Rest)
        }
        Opened::Ended(_) => take_up(workflows, id, Until::Rest).await,
    }
}

impl Workflows {
    /// Stops every run that this process works on, and waits for their ends.
    pub async fn stop_all(&self) {
        let at_work: Vec<RunId> = self.at_work.lock().keys().cloned().collect();
        for run in at_work {
            let watched = watched(self, &run, Until::End);
            if let (true, Some(mut replies)) = (order(self, &run, Order::Cancel), watched) {
                while replies.recv().await.is_some() {}
            }
        }
    }
}

/// Gives an order to whoever works on a run; whether anybody does.
pub fn order(workflows: &Workflows, id: &RunId, order: Order) -> bool {
    let orders = workflows.at_work.lock().get(id).cloned();
    orders.is_some_and(|orders| orders.send(order).is_ok())
}

/// Watches a run that this process works on.
pub fn watched(workflows: &Workflows, id: &RunId, until: Until) -> Option<mpsc::Receiver<Reply>> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    order(workflows, id, Order::Watch(sender, until)).then_some(receiver)
}

struct Parts {
    row: WorkflowRow,
    facts: Facts,
    workflow: Workflow,
    run: Run,
    next_record: u64,
}

enum Opened {
    Open(Box<Parts>),
    /// Whoever called it has ended, and nobody waits for it.
    Unwanted(Box<Parts>),
    Ended(Box<WorkflowRow>),
}

/// Reads a run as its record left it.
async fn open(workflows: &Arc<Workflows>, id: RunId) -> Result<Opened, UserError> {
    let language = workflows.space.language();
    let reading = workflows.space.aside(move |space| {
        let explain = |cause| storage::explain(&cause, language);
        let row = space.store.workflow_run(&id).map_err(explain)?;
        let row = row.ok_or_else(|| no_such_run(&id, language))?;
        let last = space.store.workflow_steps(&id, 1).map_err(explain)?.pop();
        let is_unwanted =
            row.state.ended.is_none() && callers::is_unwanted(&space.store, &row).map_err(explain)?;
        Ok((row, last.map_or(0, |last| last.number + 1), is_unwanted))
    });
    let (row, next_record, is_unwanted) = reading.await?;
    let (facts, run) = records::read(&row, language)?;
    if run.has_ended() {
        return Ok(Opened::Ended(Box::new(row)));
    }
    let file = facts.file.as_str().into();
    let workflow = shidi_workflow::read(&file, facts.text.as_bytes());
    // A later version may have another opinion of the file.
    let workflow = workflow.map_err(|_| records::of_another_version(language))?;
    let parts = Box::new(Parts {
        row,
        facts,
        workflow,
        run,
        next_record,
    });
    Ok(match is_unwanted {
        true => Opened::Unwanted(parts),
        false => Opened::Open(parts),
    })
}

pub fn no_such_run(id: &RunId, language: Language) -> UserError {
    let say = language.workflow_runs();
    error(ErrorCode::NotFound, say.no_such_run(id), say.see_runs())
}

fn has_room(workflows: &Workflows, at_work: usize) -> Result<(), UserError> {
    if at_work < RUNS_AT_ONCE_MAX {
        return Ok(());
    }
    let say = workflows.space.language().workflow_runs();
    Err(error(
        ErrorCode::Input,
        say.too_many_runs(RUNS_AT_ONCE_MAX),
        say.wait_for_its_end(),
    ))
}

fn set_going(
    workflows: &Arc<Workflows>,
    parts: Parts,
    first: Event,
    until: Until,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let Parts {
        row,
        facts,
        workflow,
        run,
        next_record,
    } = parts;
    let id = row.run.clone();
    let (sender, orders) = mpsc::unbounded_channel();
    let (watcher, replies) = mpsc::channel(REPLIES_QUEUED);
    let is_to_end = matches!(first, Event::Cancelled | Event::CallerEnded);
    {
        let mut at_work = workflows.at_work.lock();
        // Two may take up the same one at the same time: the first does.
        if let Some(orders) = at_work.get(&id) {
            drop(orders.send(Order::Watch(watcher, until)));
            if is_to_end {
                drop(orders.send(Order::Cancel));
            }
            return Ok(replies);
        }
        // Whoever cancels makes room.
        if !is_to_end {
            has_room(workflows, at_work.len())?;
        }
        at_work.insert(id, sender.clone());
    }
    let mut performer = Performer::new(workflows, row, (facts, workflow, run), next_record, sender);
    performer.watch(watcher, until);
    workflows.space.tell(&Reply::WorkflowsChanged);
    workflows.space.tasks.spawn(performer.work(first, orders));
    Ok(replies)
}
