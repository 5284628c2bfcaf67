//! The variables that programs of a session left to each other: what lives, and how one is taken away.
//!
//! Nothing is taken from under a task: while one is at work or waits with its program, all stay.

use crate::errors::{error, internal};
use crate::ids;
use crate::limits::VARIABLE_WAIT;
use crate::run::{Workspace, program_limits};
use crate::space::Space;
use crate::variable_value;
use crate::versions::Line;
use crate::workers::{self, Slot};
use shidi_executor::{Program, Progress};
use shidi_locales::Language;
use shidi_protocol::request::variables as request;
use shidi_protocol::{ErrorCode, Reply, SessionId, UserError, VariableRequest, reply, reply_to};
use shidi_store::{Variable, Write};
use tokio::sync::oneshot;

/// Carries out what a person wants to know of, or do with, variables.
///
/// # Errors
/// No such session or variable, a task at work in it, storage trouble.
pub async fn perform(
    workspace: &Workspace,
    session: &SessionId,
    action: VariableRequest,
) -> Result<Reply, UserError> {
    let session = ids::whole_session_id(workspace, session)?;
    match action {
        VariableRequest::List => {}
        VariableRequest::Show { name } => {
            let kept = kept(workspace, &session, &shown(workspace, &session)?)?;
            let shown = variable_value::shown(kept, &name, workspace.language())?;
            return Ok(reply_to::<request::Show>(shown));
        }
        VariableRequest::Delete { name } => delete(workspace, &session, &name).await?,
    }
    let kept = kept(workspace, &session, &shown(workspace, &session)?)?;
    let (variables, _) = workers::previews(kept, workspace.running.workers.has_worker(&session));
    Ok(reply_to::<request::List>(reply::Variables { variables }))
}

async fn delete(workspace: &Workspace, session: &SessionId, name: &str) -> Result<(), UserError> {
    let language = workspace.language();
    let line = shown(workspace, session)?;
    if !kept(workspace, session, &line)?
        .iter()
        .any(|variable| variable.name == name)
    {
        return Err(UserError::new(
            ErrorCode::NotFound,
            language.runtime().no_such_variable(name),
        ));
    }
    if workspace.running.of(session).is_some() {
        return Err(error(
            ErrorCode::Input,
            language.runtime().variables_in_use(),
            language.runtime().wait_or_stop(),
        ));
    }
    forget(workspace, session, name).await?;
    let taken = Write::EraseVariable {
        session: session.clone(),
        name: name.to_owned(),
        run: line.last().cloned(),
    };
    workspace.stored(workspace.store.commit(taken))
}

/// Takes the name from the worker, if one lives. It ends where it can't be made to forget: what is stored comes back.
async fn forget(workspace: &Workspace, session: &SessionId, name: &str) -> Result<(), UserError> {
    if !workspace.running.workers.has_worker(session) {
        return Ok(());
    }
    let (done, is_done) = oneshot::channel::<()>();
    let program = format!("del {name}");
    let job = Box::new(move |slot: &mut Slot| {
        // Who was told that it can't be done yet has deleted nothing.
        if done.is_closed() {
            return;
        }
        if !forgets(slot, &program) {
            slot.discard();
        }
        // Whoever asked may be gone by now.
        done.send(()).unwrap_or_default();
    });
    let failed = |cause: String| internal(workspace.language(), &cause);
    workspace
        .running
        .workers
        .submit(session, job)
        .map_err(|cause| failed(cause.to_string()))?;
    match tokio::time::timeout(VARIABLE_WAIT, is_done).await {
        Ok(done) => done.map_err(|cause| failed(cause.to_string())),
        Err(_) => Err(is_busy(workspace.language())),
    }
}

fn is_busy(language: Language) -> UserError {
    error(
        ErrorCode::Input,
        language.runtime().program_runs(),
        language.runtime().wait_and_try_again(),
    )
}

fn forgets(slot: &mut Slot, program: &str) -> bool {
    let Some(worker) = slot.warm() else { return true };
    if !worker.keeps_variables() {
        return true;
    }
    let program = Program {
        source: program,
        toolkits: &[],
        variables: Vec::new(),
    };
    let ended = worker.run(program, &program_limits());
    matches!(ended, Ok(Progress::Ended(outcome)) if outcome.error.is_none())
}

fn shown(space: &Space, session: &SessionId) -> Result<Line, UserError> {
    space.stored(Line::shown(space, session))
}

fn kept(space: &Space, session: &SessionId, line: &Line) -> Result<Vec<Variable>, UserError> {
    space.stored(line.variables(space, session))
}
