//! `shidi exec`: a program that a person wrote, with the session's toolkits and variables, run without a model.
//!
//! The program is a run (`run/given.rs`). A check alone runs nothing, and is no run.

use crate::clock;
use crate::errors::error;
use crate::ids;
use crate::limits::{self, REPLIES_QUEUED};
use crate::run::{self, Run, Workspace, given};
use crate::space::Space;
use crate::versions::Line;
use crate::workers::{self, Slot};
use shidi_executor::ExecutorError;
use shidi_locales::Language;
use shidi_protocol::{
    Ask, ErrorCode, ExecRequest, ExecResult, GivenProgram, Reply, SessionId, UserError, reply, reply_to,
};
use shidi_space::replies::Answered;
use shidi_store::{Session, Write};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Runs or checks the program; dropping the replies ends it, also while it computes.
///
/// # Errors
/// Bad patterns, a missing session, or trouble with storage or the worker.
pub async fn execute(workspace: &Arc<Workspace>, request: ExecRequest) -> Result<Answered, UserError> {
    if request.check {
        let result = checked(workspace, request).await?;
        let reply = reply_to::<ExecRequest>(reply::Executed { result });
        return Ok(Answered::One(Box::new(reply)));
    }
    let ask = asked(workspace, request)?;
    let (run, replies) = run::begin(workspace, ask).await?;
    Ok(Answered::Stream(watched(workspace, run, replies)))
}

/// The question in whose place the program stands.
fn asked(space: &Space, request: ExecRequest) -> Result<Ask, UserError> {
    let language = space.language();
    let session = match &request.session {
        Some(session) => open_session(space, session, &request)?,
        None => None,
    };
    let first_line = request
        .program
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty());
    Ok(Ask {
        text: language.runtime().given_program(first_line.unwrap_or_default()),
        session,
        folders: request.folders,
        approve: request.allow,
        unattended: true,
        program: Some(Box::new(GivenProgram {
            source: request.program,
            limit_time_s: request.limit_time_s,
            limit_memory_mb: request.limit_memory_mb,
        })),
        ..Ask::default()
    })
}

/// The replies of the run. Whoever drops them wants no end: the program is taken away.
fn watched(space: &Space, run: Arc<Run>, mut replies: mpsc::Receiver<Reply>) -> mpsc::Receiver<Reply> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    space.tasks.spawn(async move {
        loop {
            let reply = tokio::select! {
                reply = replies.recv() => reply,
                () = sender.closed() => break,
            };
            let Some(reply) = reply else { return };
            // What rests may be left resting.
            let is_last = matches!(reply, Reply::Ended { .. });
            let is_heard = sender.send(reply).await.is_ok();
            if is_last {
                return;
            }
            if !is_heard {
                break;
            }
        }
        run.cancel().await;
    });
    receiver
}

/// Checks the program against the toolkits and the names that the session's variables have.
async fn checked(workspace: &Workspace, request: ExecRequest) -> Result<ExecResult, UserError> {
    let (store, language) = (&workspace.store, workspace.language());
    let session = match &request.session {
        Some(named) => workspace.stored(store.find_session(named.as_str()))?,
        None => None,
    };
    let kept = match &session {
        Some(session) => {
            let line = workspace.stored(Line::shown(workspace, session))?;
            workspace.stored(line.variables(workspace, session))?
        }
        None => Vec::new(),
    };
    let assistant = session.as_ref().map(|session| store.attribution(session));
    let assistant = workspace.stored(assistant.transpose())?.flatten();
    let toolkits = workspace.features.toolkits(assistant.as_deref());
    let (sender, receiver) = oneshot::channel();
    let job = Box::new(move |slot: &mut Slot| {
        let check = |slot: &mut Slot| {
            let worker = slot.worker(limits::PROGRAM_MEMORY_BYTES)?;
            let names = workers::known_names(worker, &kept);
            worker.check(&request.program, &toolkits, &names)
        };
        let findings: Result<_, ExecutorError> = check(slot);
        if findings.is_err() {
            slot.discard();
        }
        // Whoever asked may be gone by now.
        sender.send(findings).unwrap_or_default();
    });
    let place = session.unwrap_or_else(SessionId::mint);
    let submitted = workspace.running.workers.submit(&place, job);
    submitted.map_err(|cause| cannot_run(language, &cause.to_string()))?;
    let findings = match receiver.await {
        Ok(findings) => findings.map_err(|cause| cannot_run(language, &cause.sentence(language)))?,
        Err(_) => return Err(cannot_run(language, "the worker's thread ended")),
    };
    let error = findings.into_iter().next().map(given::refused);
    Ok(ExecResult {
        ok: error.is_none(),
        error,
        ..ExecResult::default()
    })
}

/// The sentence for a worker that can't be used.
fn cannot_run(language: Language, cause: &str) -> UserError {
    error(
        ErrorCode::System,
        language.runtime().program_not_run(cause),
        language.runtime().run_doctor(),
    )
}

/// The session to run in. An unknown id makes a new session, so that scripts may name their own. `None` leaves the name
/// of a new one to the run.
fn open_session(
    space: &Space,
    session: &SessionId,
    request: &ExecRequest,
) -> Result<Option<SessionId>, UserError> {
    match session.as_str() {
        "last" => return ids::whole_session_id(space, session).map(Some),
        "new" => return Ok(None),
        _ => {}
    }
    let found = space.stored(space.store.find_session(session.as_str()))?;
    if found.is_some() {
        return Ok(found);
    }
    let now = clock::now();
    let row = Session {
        id: session.clone(),
        created: now,
        updated: now,
        title: String::new(),
        is_named: false,
        folders: request.folders.clone(),
        mode: space.config().task.mode,
    };
    space.stored(space.store.commit(Write::PutSession(row)))?;
    Ok(Some(session.clone()))
}
