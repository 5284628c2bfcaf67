//! Answers the readers of traces: the list of runs, their steps, and one step with all of its kept content.

use crate::Traces;
use crate::limits::STEPS_LISTED_MAX;
use shidi_protocol::{ErrorCode, RunId, Span, TraceOutcome, TraceQuery, TraceSummary, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::ids::{no_run, whole_run_id};
use shidi_space::limits::LISTED_MAX;
use shidi_space::storage;
use shidi_store::{RunState, StoreError};
use std::sync::Arc;

/// Reads the traces of a space, and knows which of its runs are at work.
pub struct TraceReader<'a> {
    pub space: &'a Arc<Space>,
    pub traces: &'a Traces,
    pub is_at_work: &'a (dyn Fn(&RunId) -> bool + Sync),
}

impl TraceReader<'_> {
    /// Runs that fit, newest first.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn list(&self, query: TraceQuery) -> Result<reply::Traces, UserError> {
        let limit = query.limit.min(LISTED_MAX);
        let traces = self.space.store.traces(&TraceQuery {
            limit,
            ..query.clone()
        });
        let traces = traces.map_err(|cause| explain(self.space, &cause))?;
        let at_work = query.outcome == Some(TraceOutcome::AtWork);
        let traces = traces.into_iter().map(|summary| self.seen(summary));
        let traces = traces
            .filter(|summary| !(at_work && summary.interrupted))
            .collect();
        Ok(reply::Traces { traces })
    }

    /// All steps of a run with everything that is kept of them.
    ///
    /// # Errors
    /// No such run, or storage trouble.
    pub fn show(&self, run: &RunId) -> Result<reply::Trace, UserError> {
        let run = whole_run_id(self.space, run)?;
        self.settle()?;
        let spans = self.space.store.spans(&run);
        let mut spans = spans.map_err(|cause| explain(self.space, &cause))?;
        for span in &mut spans {
            put_texts(self.space, &run, span)?;
        }
        Ok(reply::Trace { run, spans })
    }

    /// The outline of a run's steps: those that changed after `after`.
    ///
    /// # Errors
    /// As [`show`].
    pub fn steps(&self, run: &RunId, after: u64, limit: u32) -> Result<reply::TraceSteps, UserError> {
        let run = whole_run_id(self.space, run)?;
        self.settle()?;
        let explained = |cause: StoreError| explain(self.space, &cause);
        // The steps first: a summary that is newer than they are does no harm, one that is older would stay.
        let limit = limit.clamp(1, STEPS_LISTED_MAX);
        let page = self.space.store.steps(&run, after, limit).map_err(explained)?;
        let summary = self.space.store.trace(&run).map_err(explained)?;
        let summary = summary.ok_or_else(|| no_run(self.space, &run))?;
        let row = self.space.store.run(&run).map_err(explained)?;
        Ok(reply::TraceSteps {
            summary: self.seen(summary),
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
    pub fn step(&self, run: &RunId, id: u32) -> Result<reply::TraceStep, UserError> {
        let run = whole_run_id(self.space, run)?;
        self.settle()?;
        let span = self.space.store.span(&run, id);
        let span = span.map_err(|cause| explain(self.space, &cause))?;
        let mut span = span.ok_or_else(|| no_step(self.space, id))?;
        put_texts(self.space, &run, &mut span)?;
        Ok(reply::TraceStep { run, span })
    }

    /// Makes sure that what has happened can be read.
    fn settle(&self) -> Result<(), UserError> {
        self.traces.flush();
        self.space
            .store
            .flush()
            .map_err(|cause| explain(self.space, &cause))
    }

    /// A run that no process works on, and that has not ended, was interrupted.
    fn seen(&self, summary: TraceSummary) -> TraceSummary {
        let is_interrupted = summary.status.is_none() && !(self.is_at_work)(&summary.run);
        TraceSummary {
            interrupted: is_interrupted,
            ..summary
        }
    }
}

/// The run that a run replayed.
fn replay_of(row: &RunState) -> Option<RunId> {
    let (_, ask) = storage::read_state(row).ok()?;
    ask.replay.map(|replay| replay.run)
}

/// Puts the texts of a prompt in the places of their hashes.
fn put_texts(space: &Space, run: &RunId, span: &mut Span) -> Result<(), UserError> {
    let mut trouble = None;
    crate::put_texts(&mut span.attributes, |hash| {
        let text = space.store.step_text(run, hash);
        text.unwrap_or_else(|cause| {
            trouble = Some(cause);
            None
        })
    });
    match trouble {
        Some(cause) => Err(explain(space, &cause)),
        None => Ok(()),
    }
}

fn no_step(space: &Space, id: u32) -> UserError {
    let language = space.language();
    error(
        ErrorCode::NotFound,
        language.trace().no_such_step(id),
        language.trace().see_steps(),
    )
}

fn explain(space: &Space, cause: &StoreError) -> UserError {
    storage::explain(cause, space.language())
}
