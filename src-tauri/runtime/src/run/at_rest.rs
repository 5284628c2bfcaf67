//! Runs that no process works on: whose they are, and how they end where they stand.

use crate::clock;
use crate::features::Features;
use crate::ids::row_of_run;
use crate::space::Space;
use crate::storage;
use shidi_agent::Phase;
use shidi_protocol::{Moment, RunId, RunStatus, UserError};
use shidi_store::{RunState, Write};

/// Whether a run is that of a sub-agent whose task is over: nobody goes on with it.
pub fn works_for_nobody(space: &Space, row: &RunState) -> bool {
    let under = storage::read_state(row).ok().and_then(|(_, ask)| ask.under);
    let task = under.and_then(|under| space.store.run(&under.run).ok().flatten());
    task.is_some_and(|task| task.status.is_some_and(RunStatus::is_over))
}

/// Whether a run is the program of a workflow's step: whoever goes on with the workflow goes on with it.
pub fn is_for_a_step(row: &RunState) -> bool {
    storage::read_state(row).is_ok_and(|(_, ask)| ask.task.is_some())
}

/// Marks a run that no process works on as cancelled. Returns the row of one that was over before, which stays as it is.
pub fn cancel_at_rest(features: &Features, id: &RunId) -> Result<Option<RunState>, UserError> {
    let row = row_of_run(features, id)?;
    if row.status.is_some_and(RunStatus::is_over) {
        return Ok(Some(row));
    }
    let stopped = Write::PutRun(Box::new(stopped(row, clock::now())));
    features.stored(features.store.commit(stopped))?;
    features.jobs.stop_of(id);
    features.pages.withdraw_of(&features.store, id);
    Ok(None)
}

/// The row of a run that was stopped where it stood.
pub fn stopped(mut row: RunState, now: Moment) -> RunState {
    row.status = Some(RunStatus::Cancelled);
    row.ended = Some(now);
    row.waiting.clear();
    if let Some(mind) = row.state.get_mut("mind") {
        mind["status"] = serde_json::json!(RunStatus::Cancelled);
        mind["phase"] = serde_json::json!(Phase::Ended);
    }
    row
}
