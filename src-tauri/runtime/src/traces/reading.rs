//! Answers those who look at traces: which runs there are, their steps, one step with everything that is kept of it.

use crate::engine::Engine;
use crate::limits::{LISTED_MAX, STEPS_LISTED_MAX};
use crate::run::no_run;
use crate::sessions::whole_run_id;
use crate::storage;
use crate::words::error;
use shidi_protocol::{ErrorCode, Reply, RunId, Span, TraceOutcome, TraceQuery, TraceSummary, UserError};
use shidi_store::{RunState, StoreError};

/// Runs that fit, newest first.
///
/// # Errors
/// Storage trouble.
pub fn list(engine: &Engine, query: TraceQuery) -> Result<Reply, UserError> {
    let limit = query.limit.min(LISTED_MAX);
    let traces = engine.store.traces(&TraceQuery {
        limit,
        ..query.clone()
    });
    let traces = traces.map_err(|cause| explain(engine, &cause))?;
    let at_work = query.outcome == Some(TraceOutcome::AtWork);
    let traces = traces.into_iter().map(|summary| seen(engine, summary));
    let traces = traces
        .filter(|summary| !(at_work && summary.interrupted))
        .collect();
    Ok(Reply::Traces { traces })
}

/// All steps of a run with everything that is kept of them.
///
/// # Errors
/// No such run, or storage trouble.
pub fn show(engine: &Engine, run: &RunId) -> Result<Reply, UserError> {
    let run = whole_run_id(engine, run)?;
    settle(engine)?;
    let spans = engine.store.spans(&run);
    let mut spans = spans.map_err(|cause| explain(engine, &cause))?;
    for span in &mut spans {
        put_texts(engine, &run, span)?;
    }
    Ok(Reply::Trace { run, spans })
}

/// The outline of a run's steps: those that changed after `after`.
///
/// # Errors
/// As [`show`].
pub fn steps(engine: &Engine, run: &RunId, after: u64, limit: u32) -> Result<Reply, UserError> {
    let run = whole_run_id(engine, run)?;
    settle(engine)?;
    let explained = |cause: StoreError| explain(engine, &cause);
    // The steps first: a summary that is newer than they are does no harm, one that is older would stay.
    let limit = limit.clamp(1, STEPS_LISTED_MAX);
    let page = engine.store.steps(&run, after, limit).map_err(explained)?;
    let summary = engine.store.trace(&run).map_err(explained)?;
    let summary = summary.ok_or_else(|| no_run(engine, &run))?;
    let row = engine.store.run(&run).map_err(explained)?;
    Ok(Reply::TraceSteps {
        summary: seen(engine, summary),
        replay_of: row.and_then(|row| replay_of(&row)),
        spans: page.spans,
        after: page.after,
        more: page.more,
    })
}

/// One step with everything that is kept of it.
///
/// # Errors
/// No such run or step, or storage trouble.
pub fn step(engine: &Engine, run: &RunId, id: u32) -> Result<Reply, UserError> {
    let run = whole_run_id(engine, run)?;
    settle(engine)?;
    let span = engine.store.span(&run, id);
    let span = span.map_err(|cause| explain(engine, &cause))?;
    let mut span = span.ok_or_else(|| no_step(engine, id))?;
    put_texts(engine, &run, &mut span)?;
    Ok(Reply::TraceStep { run, span })
}

/// Makes sure that what has happened can be read.
fn settle(engine: &Engine) -> Result<(), UserError> {
    engine.traces.flush();
    engine.store.flush().map_err(|cause| explain(engine, &cause))
}

/// A run that no process works on, and that has not ended, was interrupted.
fn seen(engine: &Engine, summary: TraceSummary) -> TraceSummary {
    let is_interrupted = summary.status.is_none() && engine.run(&summary.run).is_none();
    TraceSummary {
        interrupted: is_interrupted,
        ..summary
    }
}

/// The run that a run replayed.
fn replay_of(row: &RunState) -> Option<RunId> {
    let (_, ask) = storage::read_state(row).ok()?;
    ask.replay.map(|replay| replay.run)
}

/// Puts the texts of a prompt in the places of their hashes.
fn put_texts(engine: &Engine, run: &RunId, span: &mut Span) -> Result<(), UserError> {
    let mut trouble = None;
    super::put_texts(&mut span.attributes, |hash| {
        let text = engine.store.step_text(run, hash);
        text.unwrap_or_else(|cause| {
            trouble = Some(cause);
            None
        })
    });
    match trouble {
        Some(cause) => Err(explain(engine, &cause)),
        None => Ok(()),
    }
}

fn no_step(engine: &Engine, id: u32) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::NotFound,
        format!(
            "{} {id}",
            words.pick("这条轨迹里没有第几步：", "The trace has no step")
        ),
        words.pick(
            "看看有哪些：shidi trace show RUN",
            "See which there are: shidi trace show RUN",
        ),
    )
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
