//! `shidi exec`: runs a program that a person wrote, with the session's toolkits and variables, without a model.
//!
//! There is nobody to ask in the middle, so a call that would need approval fails with the way to allow it.

use crate::changes;
use crate::clock;
use crate::engine::Engine;
use crate::jobs::{self, Caller};
use crate::kept::Kept;
use crate::limits;
use crate::registry::{self, Performer};
use crate::ruled;
use crate::run::host;
use crate::sessions;
use crate::storage;
use crate::words::error;
use crate::workers::{self, Slot};
use serde_json::Value;
use shidi_agent::abilities;
use shidi_agent::permissions::{self, Grants, Pattern};
use shidi_executor::{Answer, ExecutorError, Limits, Outcome, PendingCall, Program, Progress, plain};
use shidi_protocol::{
    Call, CallId, CallOutcome, Class, ErrorCode, ExecId, ExecRequest, ExecResult, ExecutedCall, ProgramError,
    Reply, RunId, SessionId, UserError, Verdict,
};
use shidi_store::{Batch, Session, Variable, Write};
use shidi_toolkits::{Environment, Withheld};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Runs or checks the program.
pub async fn execute(engine: &Arc<Engine>, request: ExecRequest) -> Result<Reply, UserError> {
    let words = engine.words();
    let session = match &request.session {
        Some(session) => Some(open_session(engine, session, &request)?),
        None => None,
    };
    let folders: Vec<PathBuf> = request
        .folders
        .iter()
        .map(PathBuf::from)
        .chain(engine.config().folders())
        .collect();
    let approved = request.allow.iter().map(|text| {
        let problem = |cause: shidi_agent::permissions::PatternError| {
            error(
                ErrorCode::Input,
                cause.to_string(),
                words.pick("例如 --allow files.read", "For example --allow files.read"),
            )
        };
        let pattern = Pattern::parse(text).map_err(problem)?;
        Ok(ruled::beforehand(pattern, &folders))
    });
    let approved = approved.collect::<Result<Vec<_>, UserError>>()?;
    let rules = ruled::rules(engine, &folders).map_err(|cause| storage::explain(&cause, words))?;
    let assistant = match &session {
        Some(session) => engine
            .store
            .attribution(session)
            .map_err(|cause| storage::explain(&cause, words))?,
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
        tainted: Cell::new(false),
    };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let job = Box::new(move |slot: &mut Slot| {
        let result = execution.run(slot);
        if sender.send(result).is_err() {
            slot.discard();
        }
    });
    let submitted = engine.workers.submit(&place, job);
    submitted.map_err(|cause| cannot_run(engine, &cause.to_string()))?;
    let result = receiver
        .await
        .map_err(|_| cannot_run(engine, "the worker's thread ended"))?;
    result
        .map(|result| Reply::Executed { result })
        .map_err(|cause| cannot_run(engine, &cause.to_string()))
}

/// The sentence for a worker that can't be used.
pub fn cannot_run(engine: &Engine, cause: &str) -> UserError {
    error(
        ErrorCode::System,
        format!(
            "{}: {cause}",
            engine
                .words()
                .pick("程序没能运行", "The program could not be run")
        ),
        engine.words().pick(
            "运行 shidi doctor 看看哪里不对",
            "Run shidi doctor to see what is wrong",
        ),
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
    /// Whether something that the user did not write has been read, in this program or by what it goes on from.
    tainted: Cell<bool>,
}

impl Execution {
    fn run(&self, slot: &mut Slot) -> Result<ExecResult, ExecutorError> {
        let kept = self.kept();
        self.tainted.set(kept.iter().any(|variable| variable.tainted));
        let memory = self
            .request
            .limit_memory_mb
            .map_or(limits::PROGRAM_MEMORY_BYTES, |mb| u64::from(mb) << 20);
        let toolkits = self.engine.toolkits(self.assistant.as_deref());
        let session = slot.worker(memory)?;
        let names = workers::known_names(session, &kept);
        let findings = session.check(&self.request.program, &toolkits, &names)?;
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
            return Ok(ended(None, Some(refused), Vec::new(), ""));
        }
        if self.request.check {
            return Ok(ended(None, None, Vec::new(), ""));
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
        let mut progress = session.run(program, &self.limits(memory))?;
        let (mut calls, mut said) = (Vec::new(), String::new());
        let mut sleeping = Vec::new();
        let outcome = loop {
            match progress {
                Progress::Ended(outcome) => break outcome,
                Progress::Calls(pending) => {
                    let (sleeps, pending): (Vec<_>, Vec<_>) = pending.into_iter().partition(is_sleep);
                    sleeping.extend(sleeps.into_iter().map(Sleeping::new));
                    let answers = pending
                        .into_iter()
                        .map(|pending| self.answer(pending, &mut calls, &mut said));
                    let mut answers: Vec<Answer> = answers.collect();
                    if answers.is_empty() {
                        answers.extend(wake_first(&mut sleeping));
                    }
                    progress = session.resume(answers)?;
                }
            }
        };
        self.keep(&outcome);
        let error = outcome.error.clone().map(ProgramError::from).map(named_once);
        Ok(ended(Some(&outcome), error, calls, &said))
    }

    fn answer(&self, pending: PendingCall, calls: &mut Vec<ExecutedCall>, said: &mut String) -> Answer {
        let PendingCall {
            number,
            toolkit,
            method,
            args,
            line,
        } = pending;
        let started = clock::now();
        let call = Call {
            id: CallId(number),
            exec: ExecId(1),
            toolkit,
            method,
            args,
            line,
            places: BTreeMap::new(),
        };
        let call = shidi_toolkits::placed(call, &self.environment(CallId(number), Class::Read));
        let outcome = self.outcome(&call, said);
        self.tainted.set(self.tainted.get() || outcome.untrusted);
        if call.toolkit != "host" {
            calls.push(ExecutedCall {
                ok: outcome.ok(),
                ms: clock::now().since(started),
                toolkit: call.toolkit,
                method: call.method,
                args: call.args,
            });
        }
        Answer { number, outcome }
    }

    fn outcome(&self, call: &Call, said: &mut String) -> CallOutcome {
        match (call.toolkit.as_str(), call.method.as_str()) {
            ("host", _) => return host(call),
            ("user", "say") => {
                said.push_str(call.args.get("text").and_then(Value::as_str).unwrap_or_default());
                said.push('\n');
                return CallOutcome::success(Value::Null, "said");
            }
            ("user", _) => {
                return CallOutcome::failure("PermissionError", "There is nobody to ask in shidi exec");
            }
            ("system", "compress") => {
                let message = "There is no conversation to shorten in shidi exec";
                return CallOutcome::failure("RuntimeError", message);
            }
            _ => {}
        }
        if let Some(outcome) = abilities::perform(call, &self.engine.toolkits(self.assistant.as_deref())) {
            return outcome;
        }
        let own = || shidi_toolkits::class_of(call, &self.environment(call.id, Class::Read));
        let class = self.engine.registry.class_of(call).unwrap_or_else(own);
        if let Some(refused) = self.refused(call, class) {
            return refused;
        }
        match self.engine.registry.performer(call, self.assistant.as_deref()) {
            Performer::BuiltIn => {}
            Performer::SwitchedOff => return registry::switched_off(call),
            // On the thread of the session's worker, which has nothing else to do.
            Performer::Dynamic(toolkit) => {
                return self
                    .engine
                    .tasks
                    .block_on(toolkit.perform(call.clone()))
                    .untrusted();
            }
        }
        if jobs::is_for_the_shell(call) {
            let caller = Caller {
                session: self.session.clone(),
                run: self.id.clone(),
                cancel: CancellationToken::new(),
                waited: Duration::ZERO,
            };
            let performing = jobs::perform(
                &self.engine,
                caller,
                call.clone(),
                self.environment(call.id, class),
            );
            return self.engine.tasks.block_on(performing);
        }
        let kept = Kept {
            engine: &self.engine,
            session: self.session.as_ref(),
            assistant: self.assistant.as_deref(),
            tainted: self.tainted.get(),
        };
        let environment = Environment {
            withheld: ruled::left_out(self.grants.withheld(call, class)),
            ..self.environment(call.id, class)
        };
        let performed = shidi_toolkits::perform(call, &environment).or_else(|| kept.perform(call));
        performed.unwrap_or_else(|| {
            CallOutcome::failure(
                "RuntimeError",
                format!("{} needs a conversation: use shidi ask", call.tool()),
            )
        })
    }

    /// There is nobody to ask, so what would be asked about is refused with the way to allow it.
    fn refused(&self, call: &Call, class: Class) -> Option<CallOutcome> {
        let decision = self.grants.decide(call, class, self.tainted.get());
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
        Some(CallOutcome::failure("PermissionError", message))
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
            withheld: Withheld::default(),
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

    fn kept(&self) -> Vec<Variable> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        self.engine.store.variables(session).unwrap_or_default()
    }

    fn keep(&self, outcome: &Outcome) {
        let Some(session) = &self.session else { return };
        let mut batch = Batch::default();
        for variable in &outcome.variables {
            let variable = Variable {
                name: variable.name.clone(),
                kind: variable.kind.clone(),
                value: variable.value.clone(),
                text: variable.text.clone(),
                tainted: self.tainted.get(),
                run: None,
            };
            batch.push(Write::PutVariable {
                session: session.clone(),
                variable,
            });
        }
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

/// A call that only waits. Several wait together, as in a conversation.
struct Sleeping {
    number: u32,
    until: Instant,
}

impl Sleeping {
    fn new(call: PendingCall) -> Self {
        let seconds = call
            .args
            .get("seconds")
            .and_then(Value::as_f64)
            .unwrap_or_default();
        let seconds = if seconds.is_finite() {
            seconds.clamp(0.0, limits::SLEEP_SECONDS_MAX)
        } else {
            0.0
        };
        Self {
            number: call.number,
            until: Instant::now() + Duration::from_secs_f64(seconds),
        }
    }
}

fn is_sleep(call: &PendingCall) -> bool {
    call.method == "sleep" && matches!(call.toolkit.as_str(), "host" | "system")
}

/// Waits for the one that wakes first.
fn wake_first(sleeping: &mut Vec<Sleeping>) -> Option<Answer> {
    let (index, _) = sleeping
        .iter()
        .enumerate()
        .min_by_key(|(_, sleeping)| sleeping.until)?;
    let first = sleeping.remove(index);
    std::thread::sleep(first.until.saturating_duration_since(Instant::now()));
    Some(Answer {
        number: first.number,
        outcome: CallOutcome::success(Value::Null, "waited"),
    })
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
    let explain = |cause| storage::explain(&cause, engine.words());
    if session.as_str() == "last" {
        return sessions::whole_session_id(engine, session);
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
        folders: request.folders.clone(),
        mode: engine.config().mode(),
    };
    engine.store.commit(Write::PutSession(row)).map_err(explain)?;
    Ok(id)
}
