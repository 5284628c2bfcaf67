//! A run whose program the user gave (`shidi exec`): no model is asked, and nothing goes along with the program.
//!
//! Everything else is as in any run: permissions, record, trace, suspension, and going on after a restart.

use super::start::{Parts, assemble, language, open_session};
use super::{Run, Workspace};
use crate::limits;
use crate::versions;
use async_trait::async_trait;
use shidi_agent::{Event, UserInput};
use shidi_executor::{Finding, Limits, Outcome, plain};
use shidi_memory::recall::Recall;
use shidi_models::{Deltas, Model};
use shidi_protocol::{
    Ask, CallRecord, ExecResult, ExecutedCall, FailureKind, GivenProgram, HOST_TOOLKIT, ModelFailure,
    ModelReply, ModelRequest, Moment, ProgramError, Reply, RunId, SegmentKind, UserError, Worded,
};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const NAME: &str = "none";

/// How a given program came to its end, in the words of the interpreter.
pub enum Came {
    /// The program ran to an end.
    Ended(Box<Outcome>),
    /// The program did not run, or its worker broke.
    Failed(ProgramError),
}

/// Begins a run of its own for a given program.
///
/// # Errors
/// A missing session, bad patterns, or trouble with storage.
pub(super) async fn begun(
    workspace: &Arc<Workspace>,
    (asked, ask): (&Ask, Ask),
    began: Moment,
) -> Result<(Arc<Run>, mpsc::Receiver<Reply>), UserError> {
    let config = workspace.features.assistants.config(&ask)?;
    let session = open_session(workspace, &ask, &config)?;
    let parent = versions::parent_of((workspace, &workspace.running.workers), asked, &session);
    let parent = workspace.stored(parent)?;
    let input = UserInput {
        text: ask.question().to_owned(),
        language: Some(language(workspace, &ask, &config)),
        ..UserInput::default()
    };
    let parts = Parts {
        run: RunId::mint(),
        session,
        parent,
        ask,
        config,
        model: Arc::new(NoModel),
        seq: 0,
        attachments: Vec::new(),
        recall: Recall::Nothing,
        searched: Vec::new(),
    };
    let run = assemble(workspace, parts)?;
    let replies = run.subscribe();
    workspace.running.add(&run);
    run.begin_trace(began);
    run.drive_blocking(Event::Asked(input)).await;
    Ok((run, replies))
}

impl Run {
    /// Whether the run is a program of the user's own: such a run hears no words.
    pub fn is_given(&self) -> bool {
        self.given().is_some()
    }

    pub(super) fn given(&self) -> Option<&GivenProgram> {
        self.facts.ask.program.as_deref()
    }

    /// Bounds of the run's programs.
    pub(super) fn program_limits(&self) -> Limits {
        let limits = program_limits();
        let Some(given) = self.given() else { return limits };
        let time_ms = given.limit_time_s.map(|seconds| u64::from(seconds) * 1_000);
        Limits {
            wall_ms: time_ms.unwrap_or(limits.wall_ms),
            cpu_ms: time_ms.unwrap_or(limits.cpu_ms),
            memory_bytes: given
                .limit_memory_mb
                .map_or(limits.memory_bytes, |mb| u64::from(mb) << 20),
            ..limits
        }
    }

    /// Keeps the end of a given program as the interpreter told it, for whoever waits for the result.
    pub(super) fn came(&self, came: impl FnOnce() -> Came) {
        if self.is_given() {
            *self.came.lock() = Some(came());
        }
    }

    /// The result of a given program that has ended in this process.
    pub(super) fn result(&self) -> Option<ExecResult> {
        let came = self.came.lock().take()?;
        let mind = self.mind.lock();
        let context = mind.context();
        let said = context
            .own_segments()
            .filter(|segment| segment.kind() == SegmentKind::Express)
            .map(|segment| format!("{}\n", segment.text()));
        let said: String = said.collect();
        let calls = context
            .calls
            .values()
            .filter(|record| record.call.toolkit != HOST_TOOLKIT);
        let result = ExecResult {
            run: Some(self.id().clone()),
            session: Some(self.session().clone()),
            calls: calls.map(executed).collect(),
            ..ExecResult::default()
        };
        Some(match came {
            Came::Failed(error) => ExecResult {
                error: Some(named_once(error)),
                stdout: said,
                ..result
            },
            Came::Ended(outcome) => ended(*outcome, &said, result),
        })
    }
}

/// The findings of a check as the error that the first of them would have been.
pub fn refused(finding: Finding) -> ProgramError {
    let Finding {
        kind,
        message,
        line,
        hint,
    } = finding;
    named_once(ProgramError {
        kind,
        message,
        line,
        hint,
    })
}

fn ended(outcome: Outcome, said: &str, result: ExecResult) -> ExecResult {
    let error = outcome.error.map(|error| named_once(ProgramError::from(error)));
    let storable = outcome
        .variables
        .iter()
        .filter_map(|variable| Some((variable.name.clone(), plain(variable.value.as_ref()?))));
    let without_form = outcome
        .variables
        .iter()
        .filter(|variable| variable.value.is_none());
    ExecResult {
        ok: error.is_none(),
        stdout: format!("{}{said}", outcome.stdout),
        variables: storable.collect(),
        unstorable: without_form.map(|variable| variable.name.clone()).collect(),
        value: outcome.value,
        error,
        ms: outcome.wall_ms,
        cpu_ms: outcome.cpu_ms,
        memory_bytes: outcome.memory_bytes,
        ..result
    }
}

fn executed(record: &CallRecord) -> ExecutedCall {
    ExecutedCall {
        toolkit: record.call.toolkit.clone(),
        method: record.call.method.clone(),
        args: record.call.args.clone(),
        ok: record
            .outcome
            .as_ref()
            .is_some_and(shidi_protocol::CallOutcome::ok),
        ms: record.ended.map_or(0, |ended| ended.since(record.started)),
    }
}

/// The message of a traceback repeats the exception's name, which stands apart in the result.
fn named_once(mut error: ProgramError) -> ProgramError {
    if let Some(rest) = error.message.strip_prefix(&format!("{}: ", error.kind)) {
        error.message = rest.to_owned();
    }
    error
}

/// Bounds of a program in a conversation.
pub fn program_limits() -> Limits {
    Limits {
        wall_ms: limits::PROGRAM_WALL_MS,
        cpu_ms: limits::PROGRAM_CPU_MS,
        memory_bytes: limits::PROGRAM_MEMORY_BYTES,
        output_bytes: limits::PROGRAM_OUTPUT_BYTES,
        calls: limits::PROGRAM_CALLS,
    }
}

/// Stands where a model would, and answers nothing.
pub(super) struct NoModel;

#[async_trait]
impl Model for NoModel {
    fn name(&self) -> &str {
        NAME
    }

    fn provider(&self) -> &str {
        NAME
    }

    fn is_offline(&self) -> bool {
        false
    }

    async fn ask(
        &self,
        _request: &ModelRequest,
        _deltas: Deltas<'_>,
        _cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        Err(ModelFailure {
            kind: FailureKind::Refused,
            detail: Worded::Theirs(String::new()),
            provider: NAME.to_owned(),
            provider_title: None,
            partial: None,
        })
    }
}
