//! `shidi exec`: runs a program that a person wrote, with the session's toolkits and variables, without a model.
//!
//! There is nobody to ask in the middle, so a call that would need approval fails with the way to allow it.

mod calls;

use crate::clock;
use crate::engine::Engine;
use crate::errors::error;
use crate::ids;
use crate::limits;
use crate::permission_rules;
use crate::run::serving::{Served, serve};
use crate::storage;
use crate::versions::Line;
use crate::workers::{self, Interrupt, Slot};
use calls::CallsOfProgram;
use serde_json::Value;
use shidi_agent::permissions::{self, Grants, Pattern};
use shidi_changes as changes;
use shidi_executor::{ExecutorError, Limits, Outcome, Program, plain};
use shidi_jobs::Caller;
use shidi_protocol::{
    Call, CallId, CallOutcome, Class, ErrorCode, ExecRequest, ExecResult, ExecutedCall, ProgramError, Reply,
    RunId, SessionId, UserError, Verdict,
};
use shidi_store::{Batch, Session, Variable, Write};
use shidi_toolkits::{DeniedPaths, Environment};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Runs or checks the program; dropping the reply ends it, also while it computes.
pub fn execute(engine: &Arc<Engine>, request: ExecRequest) -> Result<mpsc::Receiver<Reply>, UserError> {
    let language = engine.language();
    let session = match &request.session {
        Some(session) => Some(open_session(engine, session, &request)?),
        None => None,
    };
    let folders: Vec<PathBuf> = request
        .folders
        .iter()
        .map(PathBuf::from)
        .chain(engine.config().task.folders.0.clone())
        .collect();
    let approved = request.allow.iter().map(|text| {
        let problem = |cause: shidi_agent::permissions::PatternError| {
            error(
                ErrorCode::Input,
                cause.to_string(),
                language.runtime().allow_example(),
            )
        };
        let pattern = Pattern::parse(text).map_err(problem)?;
        Ok(permission_rules::beforehand(pattern, &folders))
    });
    let approved = approved.collect::<Result<Vec<_>, UserError>>()?;
    let rules =
        permission_rules::rules(engine, &folders).map_err(|cause| storage::explain(&cause, language))?;
    let assistant = match &session {
        Some(session) => engine
            .store
            .attribution(session)
            .map_err(|cause| storage::explain(&cause, language))?,
        None => None,
    };
    let place = session.clone().unwrap_or_else(SessionId::mint);
    let execution = Execution {
        engine: Arc::clone(engine),
        session,
        id: RunId::mint(),
        assistant,
        grants: Grants {
            rules,
            approved,
            ..Grants::default()
        },
        folders,
        request,
        cancel: CancellationToken::new(),
    };
    let cancel = execution.cancel.clone();
    let (sender, receiver) = oneshot::channel();
    let job = Box::new(move |slot: &mut Slot| {
        let Some(result) = execution.run(slot).transpose() else {
            slot.discard();
            return;
        };
        if sender.send(result).is_err() {
            slot.discard();
        }
    });
    let submitted = engine.workers.submit(&place, job);
    let interrupt = submitted.map_err(|cause| cannot_run(engine, &cause.to_string()))?;
    Ok(replied(engine, (cancel, interrupt), receiver))
}

/// The reply, once the program has ended. Whoever drops it wants no end: the program is taken away.
fn replied(
    engine: &Arc<Engine>,
    (cancel, interrupt): (CancellationToken, Interrupt),
    result: oneshot::Receiver<Result<ExecResult, ExecutorError>>,
) -> mpsc::Receiver<Reply> {
    let (replies, reply) = mpsc::channel(1);
    let engine = Arc::clone(engine);
    engine.clone().tasks.spawn(async move {
        let ended = cancel.drop_guard();
        let result = tokio::select! {
            result = result => result,
            () = replies.closed() => {
                // In this order: a program that begins meanwhile sees that nobody wants it.
                drop(ended);
                interrupt.stop();
                return;
            }
        };
        let reply = match result {
            Ok(Ok(result)) => Reply::Executed { result },
            Ok(Err(cause)) => failed(&engine, &cause.to_string()),
            Err(_) => failed(&engine, "the worker's thread ended"),
        };
        if replies.send(reply).await.is_err() {
            tracing::debug!("nobody waited for the program's result");
        }
    });
    reply
}

fn failed(engine: &Engine, cause: &str) -> Reply {
    Reply::Failed {
        error: cannot_run(engine, cause),
    }
}

/// The sentence for a worker that can't be used.
pub fn cannot_run(engine: &Engine, cause: &str) -> UserError {
    error(
        ErrorCode::System,
        engine.language().runtime().program_not_run(cause),
        engine.language().runtime().run_doctor(),
    )
}

struct Execution {
    engine: Arc<Engine>,
    session: Option<SessionId>,
    /// Under this id the files that it changes can be put back.
    id: RunId,
    /// The one that the session is with.
    assistant: Option<String>,
    grants: Grants,
    folders: Vec<PathBuf>,
    request: ExecRequest,
    /// Ends what its calls have begun.
    cancel: CancellationToken,
}

impl Execution {
    /// Runs to the end; `None` when nobody wanted to wait for it.
    fn run(&self, slot: &mut Slot) -> Result<Option<ExecResult>, ExecutorError> {
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let line = self.line();
        let kept = self.kept(&line);
        let tainted = kept.iter().any(|variable| variable.tainted);
        let memory = self
            .request
            .limit_memory_mb
            .map_or(limits::PROGRAM_MEMORY_BYTES, |mb| u64::from(mb) << 20);
        let toolkits = self.engine.toolkits(self.assistant.as_deref());
        let session = slot.worker(memory)?;
        // An end that came before there was a worker has ended none.
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let names = workers::known_names(session, &kept);
        let findings = session.check(&self.request.program, &toolkits, &names)?;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        if let Some(finding) = findings.into_iter().next() {
            let shidi_executor::Finding {
                kind,
                message,
                line,
                hint,
            } = finding;
            let refused = named_once(ProgramError {
                kind,
                message,
                line,
                hint,
            });
            return Ok(Some(ended(None, Some(refused), Vec::new(), "")));
        }
        if self.request.check {
            return Ok(Some(ended(None, None, Vec::new(), "")));
        }
        let variables = kept
            .into_iter()
            .filter_map(|kept| Some((kept.name, kept.value?)))
            .collect();
        let program = Program {
            source: &self.request.program,
            toolkits: &toolkits,
            variables,
        };
        let progress = session.run(program, &self.limits(memory))?;
        let mut calls = CallsOfProgram::new(self, tainted);
        let outcome = match serve(session, progress, CallId(1), &mut calls)? {
            Served::Ended(outcome) => outcome,
            Served::TakenAway { .. } if self.cancel.is_cancelled() => return Ok(None),
            Served::TakenAway { .. } => return Err(workers::stopped_from_outside()),
        };
        self.keep(
            &line,
            &outcome,
            workers::deleted(&names, &outcome, &toolkits),
            calls.tainted,
        );
        let error = outcome.error.clone().map(ProgramError::from).map(named_once);
        Ok(Some(ended(Some(&outcome), error, calls.listed(), &calls.said)))
    }

    /// There is nobody to ask, so what would be asked about is refused with the way to allow it.
    fn refused(&self, call: &Call, class: Class, tainted: bool) -> Option<CallOutcome> {
        let decision = self.grants.decide(call, class, tainted);
        let reason = decision.ground.sentence("en");
        let message = match decision.verdict {
            Verdict::Allow => return None,
            Verdict::Ask => {
                let kind = permissions::beforehand(call, class).to_string();
                let kind = kind.replace('\'', r"'\''");
                format!(
                    "{} needs approval ({reason}). Allow it with --allow '{kind}'",
                    call.tool()
                )
            }
            Verdict::Deny => format!("Not allowed: {reason}"),
        };
        Some(CallOutcome::failure("PermissionError", message).own())
    }

    fn caller(&self) -> Caller {
        Caller {
            session: self.session.clone(),
            run: self.id.clone(),
            cancel: self.cancel.clone(),
            waited: Duration::ZERO,
        }
    }

    fn environment(&self, call: CallId, permitted: Class) -> Environment {
        Environment {
            folders: self.folders.clone(),
            attached: Vec::new(),
            library: self.engine.library.clone(),
            earlier: changes::folder_of(&self.engine, self.session.as_ref(), self.id.as_str(), call),
            own: Some(self.engine.home.folder().to_path_buf()),
            now: clock::now(),
            timezone: jiff::tz::TimeZone::system(),
            permitted,
            withheld: DeniedPaths::default(),
        }
    }

    fn limits(&self, memory_bytes: u64) -> Limits {
        let time_ms = self
            .request
            .limit_time_s
            .map(|seconds| u64::from(seconds) * 1_000);
        Limits {
            wall_ms: time_ms.unwrap_or(limits::PROGRAM_WALL_MS),
            cpu_ms: time_ms.unwrap_or(limits::PROGRAM_CPU_MS),
            memory_bytes,
            output_bytes: limits::PROGRAM_OUTPUT_BYTES,
            calls: limits::PROGRAM_CALLS,
        }
    }

    /// The line of runs that the session shows as the program begins: there it finds and leaves variables.
    fn line(&self) -> Line {
        let shown = self
            .session
            .as_ref()
            .map(|session| Line::shown(&self.engine, session));
        shown.and_then(Result::ok).unwrap_or_default()
    }

    fn kept(&self, line: &Line) -> Vec<Variable> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        line.variables(&self.engine, session).unwrap_or_default()
    }

    /// Keeps what the program left, and no longer what it deleted.
    fn keep(&self, line: &Line, outcome: &Outcome, deleted: Vec<String>, tainted: bool) {
        let Some(session) = &self.session else { return };
        let mut batch = Batch::default();
        for variable in workers::changed(&self.kept(line), outcome, tainted, line.last()) {
            batch.push(Write::PutVariable {
                session: session.clone(),
                variable,
            });
        }
        for name in deleted {
            batch.push(Write::DeleteVariable {
                session: session.clone(),
                name,
                run: line.last().cloned(),
            });
        }
        batch.push(Write::SweepVariables(session.clone()));
        if let Err(cause) = self.engine.store.commit(batch) {
            tracing::warn!(%cause, "the variables were not kept");
        }
    }
}

/// The message of a traceback repeats the exception's name, which stands apart in the result.
fn named_once(mut error: ProgramError) -> ProgramError {
    if let Some(rest) = error.message.strip_prefix(&format!("{}: ", error.kind)) {
        error.message = rest.to_owned();
    }
    error
}

/// The result as it is promised; without an outcome nothing ran.
fn ended(
    outcome: Option<&Outcome>,
    error: Option<ProgramError>,
    calls: Vec<ExecutedCall>,
    said: &str,
) -> ExecResult {
    let variables = outcome
        .map(|outcome| outcome.variables.as_slice())
        .unwrap_or_default();
    let storable = variables
        .iter()
        .filter_map(|variable| Some((variable.name.clone(), plain(variable.value.as_ref()?))));
    let without_form = variables.iter().filter(|variable| variable.value.is_none());
    ExecResult {
        ok: error.is_none(),
        value: outcome.map_or(Value::Null, |outcome| outcome.value.clone()),
        stdout: outcome.map_or(String::new(), |outcome| format!("{}{said}", outcome.stdout)),
        variables: storable.collect(),
        unstorable: without_form.map(|variable| variable.name.clone()).collect(),
        error,
        calls,
        ms: outcome.map_or(0, |outcome| outcome.wall_ms),
        cpu_ms: outcome.map_or(0, |outcome| outcome.cpu_ms),
        memory_bytes: outcome.map_or(0, |outcome| outcome.memory_bytes),
    }
}

/// The session to run in; a new id makes a new session, so that scripts may name their own.
fn open_session(engine: &Engine, session: &SessionId, request: &ExecRequest) -> Result<SessionId, UserError> {
    let explain = |cause| storage::explain(&cause, engine.language());
    if session.as_str() == "last" {
        return ids::whole_session_id(engine, session);
    }
    let found = engine.store.find_session(session.as_str()).map_err(explain)?;
    if let Some(id) = found {
        return Ok(id);
    }
    let now = clock::now();
    let id = if session.as_str() == "new" {
        SessionId::mint()
    } else {
        session.clone()
    };
    let title: String = request
        .program
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(48)
        .collect();
    let row = Session {
        id: id.clone(),
        created: now,
        updated: now,
        title,
        is_named: false,
        folders: request.folders.clone(),
        mode: engine.config().task.mode,
    };
    engine.store.commit(Write::PutSession(row)).map_err(explain)?;
    Ok(id)
}
