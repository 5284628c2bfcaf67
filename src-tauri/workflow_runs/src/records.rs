//! A run as people see it: its rows, and the records of its steps taken together.

use crate::Workflows;
use crate::callers::step_of;
use crate::drawing;
use crate::evidence;
use crate::facts::{Facts, run_of, session_of};
use crate::limits::{NESTED_RUNS_MAX, RECORDS_READ_MAX, RUNS_LISTED_MAX, STEPS_SHOWN_MAX};
use crate::shelf::Shelved;
use crate::standing::{self, OpenSteps};
use shidi_locales::Language;
use shidi_protocol::{
    DrawnStep, ErrorCode, JsonMap, Moment, OpenRuns, RunId, RunStatus, SessionId, UserError, WaitingCard,
    WorkflowRunView, WorkflowStatus, WorkflowStepState, WorkflowStepView,
};
use shidi_space::errors::{error, internal, tells_of_no_folder};
use shidi_space::ids::whole_run_id;
use shidi_space::storage;
use shidi_store::{Store, StoreError, WorkflowRow, WorkflowStepRow};
use shidi_workflow::{AttemptId, FORMAT, Record, Run, Status, What};
use std::collections::HashMap;

/// Whether a run's state has the form of this version. Another one is listed and deleted, and not read any further.
pub fn is_of_this_version(row: &WorkflowRow) -> bool {
    row.state.engine.get("format").and_then(serde_json::Value::as_u64) == Some(u64::from(FORMAT))
}

pub fn of_another_version(language: Language) -> UserError {
    let say = language.workflow_runs();
    error(ErrorCode::Input, say.of_another_version(), say.begin_anew())
}

/// Reads the engine's state and what stays as it was.
pub fn read(row: &WorkflowRow, language: Language) -> Result<(Facts, Run), UserError> {
    if !is_of_this_version(row) {
        return Err(of_another_version(language));
    }
    let facts = serde_json::from_value(row.facts.clone());
    let run = serde_json::from_value(row.state.engine.clone());
    match (facts, run) {
        (Ok(facts), Ok(run)) => Ok((facts, run)),
        (Err(cause), _) | (_, Err(cause)) => Err(internal(language, &cause.to_string())),
    }
}

/// A run without its steps.
pub fn listed(workflows: &Workflows, row: &WorkflowRow) -> Result<WorkflowRunView, UserError> {
    let language = workflows.space.language();
    let (facts, run) = match read(row, language) {
        Ok(read) => read,
        // One that can't be read must not take the whole list with it.
        Err(error) => return Ok(unread(row, error)),
    };
    let error = failure(&run, language);
    let (waiting, steps) =
        open_steps(workflows, row, &run).map_err(|cause| storage::explain(&cause, language))?;
    let waits = !waiting.is_empty() || steps.is_unknown;
    let status = status(&run, waits, workflows.is_at_work(&row.run));
    Ok(WorkflowRunView {
        run: row.run.clone(),
        name: row.name.clone(),
        title: facts.title,
        status,
        started: row.started,
        ended: row.state.ended,
        inputs: facts.inputs,
        result: run.result,
        error,
        usage: row.state.usage,
        tainted: row.state.tainted,
        steps: Vec::new(),
        drawn: Vec::new(),
        waiting,
        decided: status == WorkflowStatus::Resting && steps.is_decided,
        by: facts.by.map(|by| by.run),
    })
}

/// What a run waits for, and how its open steps stand.
fn open_steps(
    workflows: &Workflows,
    row: &WorkflowRow,
    run: &Run,
) -> Result<(Vec<WaitingCard>, OpenSteps), StoreError> {
    if run.has_ended() {
        return Ok((Vec::new(), OpenSteps::default()));
    }
    let store = &workflows.space.store;
    let waiting = cards(store, &row.run, NESTED_RUNS_MAX)?;
    let steps = standing::of_open_steps((store, &workflows.toolkits()), &row.run, run)?;
    Ok((waiting, steps))
}

/// How many runs of each workflow stand until a person does something.
pub fn open(workflows: &Workflows) -> Result<HashMap<String, OpenRuns>, UserError> {
    let rows = workflows.space.store.open_workflow_runs(RUNS_LISTED_MAX);
    let rows = rows.map_err(|cause| storage::explain(&cause, workflows.space.language()))?;
    let mut open: HashMap<String, OpenRuns> = HashMap::new();
    for row in rows {
        let status = listed(workflows, &row)?.status;
        let count = open.entry(row.name).or_default();
        match status {
            WorkflowStatus::Waiting => count.waiting += 1,
            WorkflowStatus::Resting => count.resting += 1,
            WorkflowStatus::Running
            | WorkflowStatus::Done
            | WorkflowStatus::Failed
            | WorkflowStatus::Cancelled => {}
        }
    }
    Ok(open)
}

fn unread(row: &WorkflowRow, error: UserError) -> WorkflowRunView {
    WorkflowRunView {
        run: row.run.clone(),
        name: row.name.clone(),
        title: row.name.clone(),
        status: WorkflowStatus::Failed,
        started: row.started,
        ended: row.state.ended.or(Some(row.started)),
        inputs: JsonMap::new(),
        result: JsonMap::new(),
        error: Some(error),
        usage: row.state.usage,
        tainted: row.state.tainted,
        steps: Vec::new(),
        drawn: Vec::new(),
        waiting: Vec::new(),
        decided: false,
        by: None,
    }
}

/// Why a run failed, or was cancelled without a word of a person's.
pub fn failure(run: &Run, language: Language) -> Option<UserError> {
    match &run.status {
        Status::Failed { step, failure } => {
            let message = language.workflow().step_failed(failure.sentence(language), step);
            let told = UserError::new(ErrorCode::Task, message);
            Some(match tells_of_no_folder(&failure.message()) {
                true => told.hint(language.workflow_runs().grant_a_folder()),
                false => told,
            })
        }
        Status::Cancelled if run.caller_ended => Some(UserError::new(
            ErrorCode::Task,
            language.workflow_runs().caller_ended(),
        )),
        Status::Ready | Status::Running | Status::Done | Status::Cancelled => None,
    }
}

fn status(run: &Run, waits: bool, is_at_work: bool) -> WorkflowStatus {
    match run.status {
        Status::Done => WorkflowStatus::Done,
        Status::Failed { .. } => WorkflowStatus::Failed,
        Status::Cancelled => WorkflowStatus::Cancelled,
        Status::Ready | Status::Running if waits => WorkflowStatus::Waiting,
        Status::Ready | Status::Running if is_at_work => WorkflowStatus::Running,
        Status::Ready | Status::Running => WorkflowStatus::Resting,
    }
}

/// A run with its steps.
pub fn shown(workflows: &Workflows, row: &WorkflowRow) -> Result<WorkflowRunView, UserError> {
    let store = &workflows.space.store;
    let explain = |cause: StoreError| storage::explain(&cause, workflows.space.language());
    let records = store
        .workflow_steps(&row.run, RECORDS_READ_MAX)
        .map_err(explain)?;
    let mut steps = folded(&records, workflows.space.language());
    for step in &mut steps {
        let session = step
            .attempt
            .map(|attempt| session_of(&row.run, AttemptId(attempt)));
        let Some(session) = session else { continue };
        let Some(program) = store.runs(&session).map_err(explain)?.pop() else {
            continue;
        };
        if step.state == WorkflowStepState::Uncertain {
            let toolkits = workflows.toolkits();
            step.unknown = evidence::unknown((store, &toolkits), &program.run).map_err(explain)?;
            if program.status.is_some() && step.unknown.is_empty() {
                step.state = WorkflowStepState::Begun;
            }
        }
        let is_under_way = matches!(step.state, WorkflowStepState::Asked | WorkflowStepState::Begun);
        if is_under_way && row.state.ended.is_none() {
            let cards = cards_of(store, &session, NESTED_RUNS_MAX).map_err(explain)?;
            step.waits = !cards.is_empty();
        }
        step.program = Some(program.run);
    }
    let view = listed(workflows, row)?;
    let ended = view.ended;
    steps
        .iter_mut()
        .for_each(|step| end_open(step, view.status, ended));
    let drawn = drawn(row);
    Ok(WorkflowRunView { steps, drawn, ..view })
}

/// The steps of the file that the run was begun with; none where this version can't read it any more.
fn drawn(row: &WorkflowRow) -> Vec<DrawnStep> {
    let Ok(facts) = serde_json::from_value::<Facts>(row.facts.clone()) else {
        return Vec::new();
    };
    let read = Shelved::loose(&row.name, &facts.text).read();
    read.map(|workflow| drawing::steps(&workflow)).unwrap_or_default()
}

/// Ends a step that was under way when its run failed or was cancelled. The engine tells of such a one no more. One that
/// was told to stop says nothing of why it failed.
fn end_open(step: &mut WorkflowStepView, run: WorkflowStatus, ended: Option<Moment>) {
    let was_cancelled = match run {
        WorkflowStatus::Cancelled => true,
        WorkflowStatus::Failed => false,
        WorkflowStatus::Running
        | WorkflowStatus::Waiting
        | WorkflowStatus::Resting
        | WorkflowStatus::Done => return,
    };
    let says_why = step.reason.as_ref().is_some_and(|reason| !reason.is_empty());
    match step.state {
        WorkflowStepState::Asked | WorkflowStepState::Begun | WorkflowStepState::Retrying => {
            step.state = WorkflowStepState::Cancelled;
            step.ended = ended;
        }
        WorkflowStepState::Failed if was_cancelled && !says_why => {
            step.state = WorkflowStepState::Cancelled;
            step.reason = None;
        }
        WorkflowStepState::Done
        | WorkflowStepState::Skipped
        | WorkflowStepState::Failed
        | WorkflowStepState::Uncertain
        | WorkflowStepState::Cancelled => {}
    }
}

/// The run of which a step's program is a part.
pub fn of_program(workflows: &Workflows, program: &RunId) -> Result<RunId, UserError> {
    let store = &workflows.space.store;
    let language = workflows.space.language();
    let explain = |cause: StoreError| storage::explain(&cause, language);
    let program = whole_run_id(&workflows.space, program)?;
    let found = match store.run(&program).map_err(explain)? {
        Some(row) => step_of(store, &row.session).map_err(explain)?,
        None => None,
    };
    let found = found.map(|(run, _)| run);
    let say = language.workflow_runs();
    found.ok_or_else(|| error(ErrorCode::NotFound, say.no_such_run(&program), say.see_runs()))
}

/// Cards of its programs that wait for somebody, and of the workflows that these have called.
fn cards(store: &Store, run: &RunId, depth: usize) -> Result<Vec<WaitingCard>, StoreError> {
    let mut cards = Vec::new();
    for program in store.workflow_programs(run)? {
        cards.extend(cards_of(store, &program.session, depth)?);
    }
    Ok(cards)
}

/// The same of the program in one session.
fn cards_of(store: &Store, session: &SessionId, depth: usize) -> Result<Vec<WaitingCard>, StoreError> {
    let mut cards = Vec::new();
    let runs = store.runs(session)?;
    let resting = runs
        .into_iter()
        .filter(|run| run.status == Some(RunStatus::Suspended));
    for resting in resting {
        for call in store.calls(&resting.run)? {
            let called = run_of(&resting.run, call.call.id);
            let is_open = call.outcome.is_none() && depth > 0;
            if is_open && store.workflow_run(&called)?.is_some() {
                cards.extend(self::cards(store, &called, depth - 1)?);
            }
        }
        cards.extend(resting.waiting);
    }
    Ok(cards)
}

/// One line for each step and round, as its last record left it.
fn folded(records: &[WorkflowStepRow], language: Language) -> Vec<WorkflowStepView> {
    let mut steps: Vec<WorkflowStepView> = Vec::new();
    let mut places: HashMap<(String, Vec<u64>), usize> = HashMap::new();
    for row in records {
        let Ok(record) = serde_json::from_value::<Record>(row.record.clone()) else {
            tracing::warn!(number = row.number, "a step's record has another form");
            continue;
        };
        let new = of_one(&record, row.time, language);
        match places
            .get(&(record.step.clone(), record.rounds.clone()))
            .map(|at| &mut steps[*at])
        {
            Some(known) => {
                known.state = new.state;
                known.ended = new.ended;
                known.reason = new.reason;
                known.attempt = new.attempt.or(known.attempt);
                known.outputs = new.outputs;
            }
            None => {
                places.insert((record.step, record.rounds), steps.len());
                steps.push(new);
            }
        }
    }
    let first = steps.len().saturating_sub(STEPS_SHOWN_MAX);
    steps.split_off(first)
}

/// What one record tells of its step.
pub fn of_one(record: &Record, time: Moment, language: Language) -> WorkflowStepView {
    let mut view = WorkflowStepView {
        id: record.step.clone(),
        rounds: record.rounds.clone(),
        state: WorkflowStepState::Done,
        started: time,
        ended: None,
        outputs: JsonMap::new(),
        reason: None,
        attempt: None,
        program: None,
        waits: false,
        unknown: Vec::new(),
    };
    match &record.what {
        What::Asked { attempt } => {
            view.state = WorkflowStepState::Asked;
            view.attempt = Some(attempt.0);
        }
        What::Begun { attempt } => {
            view.state = WorkflowStepState::Begun;
            view.attempt = Some(attempt.0);
        }
        What::Done { outputs } => {
            view.ended = Some(time);
            view.outputs = outputs.clone();
        }
        What::Skipped => {
            view.state = WorkflowStepState::Skipped;
            view.ended = Some(time);
        }
        What::Failed { failure } => {
            view.state = WorkflowStepState::Failed;
            view.ended = Some(time);
            view.reason = Some(failure.sentence(language));
        }
        What::Retrying { failure, at_ms: _ } => {
            view.state = WorkflowStepState::Retrying;
            view.reason = Some(failure.sentence(language));
        }
        What::Uncertain { attempt } => {
            view.state = WorkflowStepState::Uncertain;
            view.attempt = Some(attempt.0);
        }
        // Only dry runs tell these.
        What::Planned { .. } | What::WouldAsk { .. } | What::Repeats { .. } => {}
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_workflow::Failure;

    fn step(what: What) -> WorkflowStepView {
        let record = Record {
            step: "one".to_owned(),
            rounds: Vec::new(),
            what,
        };
        of_one(&record, Moment(1), Language::SOURCE)
    }

    #[test]
    fn a_step_that_was_under_way_when_its_run_ended_is_cancelled_with_it() {
        use WorkflowStepState::{Begun, Cancelled, Failed, Skipped, Uncertain};
        let attempt = AttemptId(1);
        let failed = |message: &str| What::Failed {
            failure: Failure::Performer {
                message: message.to_owned(),
            },
        };
        let (run_failed, run_cancelled) = (WorkflowStatus::Failed, WorkflowStatus::Cancelled);
        for (what, run, state, ended) in [
            (What::Asked { attempt }, run_cancelled, Cancelled, Some(Moment(9))),
            (What::Begun { attempt }, run_cancelled, Cancelled, Some(Moment(9))),
            (What::Begun { attempt }, run_failed, Cancelled, Some(Moment(9))),
            (What::Begun { attempt }, WorkflowStatus::Waiting, Begun, None),
            (What::Uncertain { attempt }, run_cancelled, Uncertain, None),
            (What::Skipped, run_cancelled, Skipped, Some(Moment(1))),
            (failed(""), run_cancelled, Cancelled, Some(Moment(1))),
            (failed(""), run_failed, Failed, Some(Moment(1))),
            (failed("no disk"), run_cancelled, Failed, Some(Moment(1))),
        ] {
            let mut step = step(what);
            end_open(&mut step, run, Some(Moment(9)));
            assert_eq!((step.state, step.ended), (state, ended));
        }
    }
}
