//! Resumes a run that rests: from this process, or from its record after a restart. A decision goes in with it, so
//! that the run never comes to rest once more between the two.

use super::start::{Beginning, Parts, assemble, gathered, limit_time, model_for};
use super::{Run, Workspace};
use crate::config::Config;
use crate::errors::{error, internal};
use crate::ids::row_of_run;
use crate::space::Space;
use crate::storage;
use crate::versions;
use shidi_agent::{Decided, Event};
use shidi_capture as capture;
use shidi_memory::recall::Recall;
use shidi_models::Model;
use shidi_protocol::{Attachment, CallId, ErrorCode, Reply, RunId, RunStatus, SessionId, UserError};
use shidi_store::RunState;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Takes up a run, or the one that its sub-agent works for; the replies begin with its next event.
///
/// # Errors
/// No such run, a run that is over, a record that can't be read.
pub async fn resume(
    workspace: &Arc<Workspace>,
    id: &RunId,
) -> Result<(Arc<Run>, mpsc::Receiver<Reply>), UserError> {
    let (Found::Here(run) | Found::Recorded { run, .. }) = found(workspace, id).await?;
    match &run.facts.ask.under {
        Some(under) if is_open(workspace, &under.run) => taken_up(workspace, &under.run).await,
        Some(_) | None => taken_up(workspace, id).await,
    }
}

/// Takes up a sub-agent for the run that it works for. Boxed, as a run takes up others.
pub(super) fn alone(workspace: &Arc<Workspace>, id: RunId) -> Beginning {
    let workspace = Arc::clone(workspace);
    Box::pin(async move { taken_up(&workspace, &id).await })
}

/// Whether a run is at work or can be taken up.
pub(super) fn is_open(workspace: &Workspace, id: &RunId) -> bool {
    let row = || workspace.store.run(id).ok().flatten();
    workspace.running.get(id).is_some()
        || row().is_some_and(|row| !row.status.is_some_and(RunStatus::is_over))
}

async fn taken_up(
    workspace: &Arc<Workspace>,
    id: &RunId,
) -> Result<(Arc<Run>, mpsc::Receiver<Reply>), UserError> {
    match found(workspace, id).await? {
        Found::Here(run) => {
            let replies = run.subscribe();
            Ok((run, replies))
        }
        Found::Recorded { run, timeout_s } => {
            let replies = run.subscribe();
            if let Some(first) = goes_on(workspace, &run)? {
                let replies = first.subscribe();
                return Ok((first, replies));
            }
            limit_time(&run, timeout_s);
            run.drive_all_blocking(vec![Event::Resumed]).await;
            Ok((run, replies))
        }
    }
}

/// Makes a run of its record one at work, and its version the one that is shown. Returns the run that is at work
/// already: two may take up the same one at the same time.
fn goes_on(workspace: &Workspace, run: &Arc<Run>) -> Result<Option<Arc<Run>>, UserError> {
    if let Some(first) = workspace.running.add_once(run) {
        return Ok(Some(first));
    }
    match versions::goes_on((workspace, &workspace.running.workers), run.session(), run.id()) {
        Ok(()) => Ok(None),
        Err(cause) => {
            workspace.running.remove(run.id());
            Err(storage::explain(&cause, workspace.language()))
        }
    }
}

/// Decides on a call that waits, the question if none is named, and lets the run go on.
///
/// # Errors
/// As for [`resume`]; nothing of that number waits.
pub async fn decide(
    workspace: &Arc<Workspace>,
    id: &RunId,
    call: Option<CallId>,
    decision: Decided,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let found = found(workspace, id).await?;
    let (Found::Here(run) | Found::Recorded { run, .. }) = &found;
    let call = call.or_else(|| run.waiting_question());
    let call = call.filter(|call| run.waits_for(*call));
    let call = call.ok_or_else(|| nothing_waits(workspace, run))?;
    let decided = Event::Decided { call, decision };
    // Who decides for a sub-agent watches the run that it works for.
    let replies = match run
        .facts
        .ask
        .under
        .as_ref()
        .filter(|under| is_open(workspace, &under.run))
    {
        Some(under) => taken_up(workspace, &under.run).await?.1,
        None => run.subscribe(),
    };
    match &found {
        Found::Here(run) => run.drive_all_blocking(vec![decided]).await,
        Found::Recorded { run, timeout_s } => {
            if let Some(first) = goes_on(workspace, run)? {
                let replies = if run.facts.ask.under.is_some() {
                    replies
                } else {
                    first.subscribe()
                };
                first.drive_all_blocking(vec![decided]).await;
                return Ok(replies);
            }
            limit_time(run, *timeout_s);
            run.drive_all_blocking(vec![Event::Resumed, decided]).await;
        }
    }
    Ok(replies)
}

/// A run that is over, as its record says, for whoever asks about it afterwards.
///
/// # Errors
/// As for [`resume`].
pub async fn of_record(workspace: &Arc<Workspace>, id: &RunId) -> Result<Arc<Run>, UserError> {
    let language = workspace.language();
    let row = row_of_run(workspace, id)?;
    let (_, ask) = storage::read_state(&row).map_err(|cause| internal(language, &cause.to_string()))?;
    let config = workspace.features.assistants.config(&ask)?;
    let model = model_for(&workspace.features, &ask, &config).await?;
    recorded(workspace, row, (config, model), Vec::new())
}

enum Found {
    /// In this process, at work or at rest.
    Here(Arc<Run>),
    /// As its record says; nothing of it has been set going.
    Recorded { run: Arc<Run>, timeout_s: Option<u32> },
}

async fn found(workspace: &Arc<Workspace>, id: &RunId) -> Result<Found, UserError> {
    let language = workspace.language();
    if let Some(run) = workspace.running.get(id) {
        return Ok(Found::Here(run));
    }
    let row = row_of_run(workspace, id)?;
    if row.status.is_some_and(RunStatus::is_over) {
        return Err(over(workspace, &row.session));
    }
    let (_, ask) = storage::read_state(&row).map_err(|cause| internal(language, &cause.to_string()))?;
    if let Some(task) = &ask.task {
        workspace.features.workflows.wants(task)?;
    }
    if ask.program.is_none() && workspace.running.of(&row.session).is_some() {
        return Err(session_is_busy(workspace));
    }
    let timeout_s = ask.timeout_s;
    let mut attachments = gathered(workspace, &ask).await?.attachments;
    let config = workspace.features.assistants.config(&ask)?;
    let model = model_for(&workspace.features, &ask, &config).await?;
    attachments.extend(capture::sent_in_run(
        &workspace.features.capture,
        &ask.screens,
        model.as_ref(),
    )?);
    let run = recorded(workspace, row, (config, model), attachments)?;
    Ok(Found::Recorded { run, timeout_s })
}

fn recorded(
    workspace: &Arc<Workspace>,
    row: RunState,
    (config, model): (Config, Arc<dyn Model>),
    attachments: Vec<Attachment>,
) -> Result<Arc<Run>, UserError> {
    let language = workspace.language();
    let id = row.run.clone();
    let (state, ask) = storage::read_state(&row).map_err(|cause| internal(language, &cause.to_string()))?;
    let calls = workspace.stored(workspace.store.calls(&id))?;
    let parts = Parts {
        run: id,
        session: row.session,
        parent: row.parent,
        ask,
        config,
        model,
        seq: row.seq,
        attachments: attachments.clone(),
        recall: Recall::Recorded,
        searched: Vec::new(),
    };
    let mut run = assemble(workspace, parts)?;
    if let Some(fresh) = Arc::get_mut(&mut run) {
        let mind = fresh.mind.get_mut();
        *mind = mind.clone().restore(state, calls, attachments);
    }
    run.restore_trace();
    Ok(run)
}

fn over(space: &Space, session: &SessionId) -> UserError {
    error(
        ErrorCode::Input,
        space.language().runtime().run_over(),
        space.language().runtime().ask_on(session),
    )
}

/// Tasks of one session take turns: each goes on from what the others have said there.
fn session_is_busy(space: &Space) -> UserError {
    error(
        ErrorCode::Input,
        space.language().runtime().other_task_first(),
        space.language().runtime().go_on_later(),
    )
}

/// Nothing of that number waits. Where another call waits for leave, it is said what is possible.
fn nothing_waits(space: &Space, run: &Run) -> UserError {
    let (say, id) = (space.language().runtime(), run.id());
    match run.waiting_approval() {
        Some((call, tool)) => error(
            ErrorCode::NotFound,
            say.waits_for_leave(tool),
            say.approve_or_refuse(call, id),
        ),
        None => error(ErrorCode::NotFound, say.nothing_waits(id), say.decided_already()),
    }
}
