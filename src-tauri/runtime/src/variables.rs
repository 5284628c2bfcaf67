//! The variables that programs of a session left to each other: what lives, and how one is taken away.
//!
//! Nothing is taken from under a task: while one is at work or waits with its program, all stay.

use crate::engine::Engine;
use crate::run::program_limits;
use crate::sessions;
use crate::storage;
use crate::words::{error, internal};
use crate::workers::{self, Slot};
use shidi_executor::{Program, Progress};
use shidi_protocol::{ErrorCode, Reply, SessionId, UserError, VariableDeed};
use shidi_store::{Variable, Write};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Carries out what a person wants to know of, or do with, variables.
///
/// # Errors
/// No such session or variable, a task at work in it, storage trouble.
pub async fn perform(
    engine: &Arc<Engine>,
    session: &SessionId,
    deed: VariableDeed,
) -> Result<Reply, UserError> {
    let session = sessions::whole_session_id(engine, session)?;
    if let VariableDeed::Delete { name } = deed {
        delete(engine, &session, &name).await?;
    }
    let (variables, _) = workers::previews(kept(engine, &session)?, engine.workers.has_worker(&session));
    Ok(Reply::Variables { variables })
}

async fn delete(engine: &Arc<Engine>, session: &SessionId, name: &str) -> Result<(), UserError> {
    let words = engine.words();
    if !kept(engine, session)?
        .iter()
        .any(|variable| variable.name == name)
    {
        return Err(UserError::new(
            ErrorCode::NotFound,
            format!("{} {name}", words.pick("没有这个变量：", "There is no variable")),
        ));
    }
    if engine.run_of(session).is_some() {
        return Err(error(
            ErrorCode::Input,
            words.pick(
                "任务还在用这个会话的变量",
                "A task is using the variables of this session",
            ),
            words.pick(
                "等它结束，或先停下它",
                "Wait until it has ended, or stop it first",
            ),
        ));
    }
    forget(engine, session, name).await?;
    let taken = Write::DeleteVariable {
        session: session.clone(),
        name: name.to_owned(),
    };
    engine
        .store
        .commit(taken)
        .map_err(|cause| storage::explain(&cause, words))
}

/// Takes the name from the worker, if one lives. It ends where it can't be made to forget: what is stored comes back.
async fn forget(engine: &Arc<Engine>, session: &SessionId, name: &str) -> Result<(), UserError> {
    if !engine.workers.has_worker(session) {
        return Ok(());
    }
    let (done, is_done) = oneshot::channel();
    let program = format!("del {name}");
    let job = Box::new(move |slot: &mut Slot| {
        if !forgets(slot, &program) {
            slot.discard();
        }
        // Whoever asked may be gone by now.
        done.send(()).unwrap_or_default();
    });
    let failed = |cause: String| internal(engine.words(), &cause);
    engine
        .workers
        .submit(session, job)
        .map_err(|cause| failed(cause.to_string()))?;
    is_done.await.map_err(|cause| failed(cause.to_string()))
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

fn kept(engine: &Engine, session: &SessionId) -> Result<Vec<Variable>, UserError> {
    engine
        .store
        .variables(session)
        .map_err(|cause| storage::explain(&cause, engine.words()))
}
