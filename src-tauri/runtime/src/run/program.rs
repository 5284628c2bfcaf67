//! Runs a program in the session's worker: checks it, then serves its calls until it ends.
//!
//! The loop lives on the session's own thread and calls the mind directly. So a read costs no hop between threads.
//! Results are given to the program in the order in which the mind recorded them. A replay follows the same order.

use super::Run;
use super::given::{Came, refused};
use crate::errors::error;
use crate::limits;
use crate::registry;
use crate::versions::Line;
use crate::workers::{self, Interrupt, Slot};
use serde_json::{Value, json};
use shidi_agent::{Event, Finding, ProgramEnd};
use shidi_executor::{
    Calls, ExecutorError, Next, Outcome, PendingCall, Program as Source, Served, Session, Waited, serve,
};
use shidi_protocol::{
    Call, CallId, CallOutcome, ErrorCode, ExecId, ProgramError, RunEventKind, RunStatus, SegmentKind,
    UserError, VariablePreview,
};
use shidi_store::{Variable, Write};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// Answers that may wait for the program: every call it may have made.
const ANSWERS_QUEUED: usize = limits::PROGRAM_CALLS as usize + 1;

/// A program that is about to run.
pub struct Start {
    pub exec: ExecId,
    pub source: String,
    pub replay: bool,
    pub first_call: CallId,
}

/// A program under way, as other threads see it.
pub struct Program {
    answers: SyncSender<Given>,
    interrupt: Interrupt,
}

/// A result on its way to the program.
struct Given {
    order: u32,
    call: CallId,
    outcome: CallOutcome,
}

impl Run {
    pub(super) fn run_program(self: &Arc<Self>, start: Start) {
        let (answers, given) = sync_channel(ANSWERS_QUEUED);
        let run = Arc::clone(self);
        let job = Box::new(move |slot: &mut Slot| run.execute(slot, &start, &given));
        // The job may begin before this thread goes on, so its place is taken first.
        let mut place = self.program.lock();
        match self.workspace.running.workers.submit(self.session(), job) {
            Ok(interrupt) => *place = Some(Program { answers, interrupt }),
            Err(cause) => {
                drop(place);
                self.give_up_programs(cause);
            }
        }
    }

    pub(super) fn answer_program(&self, call: CallId, outcome: CallOutcome, order: u32) {
        if let Some(program) = self.program.lock().as_ref()
            && program.answers.try_send(Given { order, call, outcome }).is_err()
        {
            tracing::debug!("the program had ended before its answer came");
        }
    }

    pub(super) fn stop_program(&self) {
        if let Some(program) = self.program.lock().take() {
            program.interrupt.stop();
        }
    }

    fn execute(self: &Arc<Self>, slot: &mut Slot, start: &Start, given: &Receiver<Given>) {
        if self.is_over() || self.is_abandoned() {
            return;
        }
        let executed = self.executed(slot, start, given);
        if self.is_over() {
            // Nobody waits for it any more.
            slot.discard();
            return;
        }
        match executed {
            Ok(Executed::Whole { event, variables }) => {
                self.program.lock().take();
                self.drive_beside(*event, variables);
            }
            Ok(Executed::Stopped { printed }) => {
                slot.discard();
                if self.is_stopping() {
                    self.hand_in_stopped(printed);
                } else if !self.is_abandoned() {
                    // Nobody wanted that: without a word the run would wait for ever.
                    self.program.lock().take();
                    self.fail_to_run(&workers::stopped_from_outside());
                }
            }
            Err(cause) => {
                slot.discard();
                self.program.lock().take();
                if self.is_stopping() {
                    self.hand_in_stopped(String::new());
                } else if self.is_abandoned() {
                    // The program goes on later, by replay.
                } else if is_lasting(&cause) {
                    self.give_up_programs(cause.sentence(self.language()));
                } else {
                    self.fail_to_run(&cause);
                }
            }
        }
    }

    /// Hands in what a program had printed that was stopped.
    fn hand_in_stopped(self: &Arc<Self>, printed: String) {
        let error = self.language().runtime().stopped_midway();
        let variables = self.mind.lock().context().variables.clone();
        let end = shidi_agent::stopped_program(printed, error, variables);
        self.drive(Event::ProgramEnded(end));
    }

    /// Runs to the end, or until it is stopped from outside.
    fn executed(
        self: &Arc<Self>,
        slot: &mut Slot,
        start: &Start,
        given: &Receiver<Given>,
    ) -> Result<Executed, ExecutorError> {
        let line = self.line();
        let kept = self.kept_variables(&line);
        let limits = self.program_limits();
        let session = slot.worker(limits.memory_bytes)?;
        // A stop that came before there was a worker has ended none.
        if self.is_stopping() {
            return Ok(Executed::Stopped {
                printed: String::new(),
            });
        }
        let mut toolkits = self.mind.lock().context().toolkits();
        if start.replay {
            // Calls that are recorded are read as they were, also those of a tool that is switched off by now.
            registry::complete(&mut toolkits);
        }
        let names = workers::known_names(session, &kept);
        if !start.replay {
            let findings = session.check(&start.source, &toolkits, &names)?;
            // A stop while it was checked has ended nothing either.
            if self.is_stopping() {
                return Ok(Executed::Stopped {
                    printed: String::new(),
                });
            }
            if let Some(first) = findings.first() {
                self.came(|| Came::Failed(refused(first.clone())));
                let findings = findings.into_iter().map(finding).collect();
                return Ok(Executed::Whole {
                    event: Box::new(Event::ProgramRefused { findings }),
                    variables: Vec::new(),
                });
            }
        }
        let source = Source {
            source: &start.source,
            toolkits: &toolkits,
            variables: restorable(kept),
        };
        self.hear(session, start);
        let progress = session.run(source, &limits)?;
        let mut calls = CallsOfRun {
            run: self,
            exec: start.exec,
            given,
            queue: InOrder::default(),
        };
        Ok(match serve(session, progress, start.first_call, &mut calls)? {
            Served::TakenAway { printed } => Executed::Stopped { printed },
            Served::Ended(outcome) => {
                self.came(|| Came::Ended(outcome.clone()));
                let mut variables = self.changed_variables(&outcome, &line);
                let deleted = workers::deleted(&names, &outcome, &toolkits);
                variables.extend(deleted.into_iter().map(|name| Write::DeleteVariable {
                    session: self.session().clone(),
                    name,
                    run: line.last().cloned(),
                }));
                let event = Box::new(Event::ProgramEnded(program_end(*outcome)));
                Executed::Whole { event, variables }
            }
        })
    }

    /// Shows what a program of the user's own prints while it is at work. What is replayed was printed before, and whoever
    /// follows a workflow follows its steps, not what they print.
    fn hear(self: &Arc<Self>, session: &mut Session, start: &Start) {
        if start.replay || !self.is_given() || self.facts.ask.task.is_some() {
            return;
        }
        let run = Arc::clone(self);
        let mut unsent = String::new();
        session.hear(move |text| {
            unsent.push_str(text);
            let piece = RunEventKind::Delta {
                kind: SegmentKind::Output,
                text: unsent.clone(),
            };
            if run.emitter.offer(run.id(), piece) {
                unsent.clear();
            }
        });
    }

    fn request(self: &Arc<Self>, exec: ExecId, pending: PendingCall) {
        let PendingCall {
            number: _,
            toolkit,
            method,
            args,
            line,
        } = pending;
        let call = self.named(Call {
            id: CallId(0),
            exec,
            toolkit,
            method,
            args,
            line,
            places: BTreeMap::new(),
        });
        let call = self.placed(call);
        let class = self.class_of(&call);
        let barred = self.barred(&call, class);
        self.drive(Event::CallRequested { call, class, barred });
    }

    /// Whether only people, sub-agents, jobs or a page can help: that time is not the program's own.
    fn waits_for_others(&self) -> bool {
        self.status() == Some(RunStatus::Suspended)
            || self.waits_for_sub_agents()
            || self.waits_for_jobs()
            || self.waits_for_page()
    }

    /// The worker broke on this program: the model is told, and may write another.
    fn fail_to_run(self: &Arc<Self>, cause: &ExecutorError) {
        let problem = self.not_run(cause.sentence(self.language()));
        self.came(|| {
            Came::Failed(ProgramError {
                kind: "RuntimeError".to_owned(),
                message: problem.message.clone(),
                line: 0,
                hint: problem.hint.clone(),
            })
        });
        let hint = problem.hint.unwrap_or_default();
        let variables = self.mind.lock().context().variables.clone();
        self.drive(Event::ProgramEnded(ProgramEnd {
            stdout: String::new(),
            value: None,
            error: Some(format!("RuntimeError: {} ({hint})", problem.message)),
            variables,
            wall_ms: 0,
            cpu_ms: 0,
            memory_bytes: 0,
            diverged: false,
        }));
    }

    /// No worker can be had: no other program would fare better.
    fn give_up_programs(self: &Arc<Self>, cause: impl Display) {
        let error = self.not_run(cause);
        self.drive(Event::ProgramsImpossible { error });
    }

    fn not_run(&self, cause: impl Display) -> UserError {
        let language = self.language();
        error(
            ErrorCode::System,
            language.runtime().program_not_run(cause),
            language.runtime().install_again_or_doctor(),
        )
    }

    /// The line on which its programs find and leave variables.
    fn line(&self) -> Line {
        let line = Line::of_run(
            &self.workspace,
            self.session(),
            self.id(),
            self.facts.parent.as_ref(),
        );
        line.unwrap_or_else(|cause| {
            tracing::warn!(%cause, "the session's runs could not be read");
            Line::alone(self.id())
        })
    }

    fn kept_variables(&self, line: &Line) -> Vec<Variable> {
        line.variables(&self.workspace, self.session())
            .unwrap_or_else(|cause| {
                tracing::warn!(%cause, "the session's variables could not be read");
                Vec::new()
            })
    }

    /// The variables that a program left anew. They are written in one transaction with its output. A program without a
    /// recorded output is run again, on the variables from before.
    fn changed_variables(&self, outcome: &Outcome, line: &Line) -> Vec<Write> {
        let tainted = self.mind.lock().state().tainted;
        let session = self.session();
        let changed = workers::changed(&self.kept_variables(line), outcome, tainted, line.last());
        let put = |variable| Write::PutVariable {
            session: session.clone(),
            variable,
        };
        changed.into_iter().map(put).collect()
    }
}

/// The outcome of a program.
enum Executed {
    /// The program ended, or was refused, and left these variables.
    Whole {
        event: Box<Event>,
        variables: Vec<Write>,
    },
    /// The program was taken away in the middle.
    Stopped { printed: String },
}

/// The mind decides about each call, and its results come in the order in which the mind recorded them.
struct CallsOfRun<'a> {
    run: &'a Arc<Run>,
    exec: ExecId,
    given: &'a Receiver<Given>,
    queue: InOrder,
}

impl Calls for CallsOfRun<'_> {
    fn request(&mut self, _: CallId, pending: PendingCall) {
        self.run.request(self.exec, pending);
    }

    fn next(&mut self, most: Duration) -> Next {
        let until = Instant::now() + most;
        let mut waited = Waited::ForWork;
        loop {
            loop {
                match self.given.try_recv() {
                    Ok(answer) => self.queue.add(answer),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Next::TakenAway,
                }
            }
            if let Some(Given { call, outcome, .. }) = self.queue.next() {
                return Next::Result {
                    call,
                    outcome,
                    waited,
                };
            }
            // Nothing is ready: either something is under way elsewhere, or only people can help.
            self.run.drive(Event::ProgramWaits);
            if self.run.waits_for_others() {
                waited = Waited::ForPeople;
            }
            let came = if waited == Waited::ForPeople {
                self.given.recv().map_err(|_| Next::TakenAway)
            } else {
                let left = until.saturating_duration_since(Instant::now());
                self.given.recv_timeout(left).map_err(|cause| match cause {
                    RecvTimeoutError::Timeout => Next::OutOfTime,
                    RecvTimeoutError::Disconnected => Next::TakenAway,
                })
            };
            match came {
                Ok(answer) => self.queue.add(answer),
                Err(ended) => return ended,
            }
        }
    }
}

/// Puts results into the order in which they were recorded.
#[derive(Default)]
struct InOrder {
    given: u32,
    held: BTreeMap<u32, Given>,
}

impl InOrder {
    fn add(&mut self, answer: Given) {
        self.held.insert(answer.order, answer);
    }

    fn next(&mut self) -> Option<Given> {
        let answer = self.held.remove(&(self.given + 1))?;
        self.given += 1;
        Some(answer)
    }
}

fn restorable(kept: Vec<Variable>) -> Vec<(String, Value)> {
    kept.into_iter()
        .filter_map(|variable| Some((variable.name, variable.value?)))
        .collect()
}

fn finding(finding: shidi_executor::Finding) -> Finding {
    let shidi_executor::Finding {
        kind,
        message,
        line,
        hint,
    } = finding;
    Finding {
        kind,
        message,
        line,
        hint,
    }
}

/// Whether the next program would meet the same trouble.
fn is_lasting(cause: &ExecutorError) -> bool {
    match cause {
        ExecutorError::WorkerMissing { .. }
        | ExecutorError::WorkerNotStarted { .. }
        | ExecutorError::WorkerNotReady { .. }
        | ExecutorError::WorkerOfAnotherVersion { .. }
        | ExecutorError::NoSuchCall { .. } => true,
        ExecutorError::WorkerLost { .. }
        | ExecutorError::Busy
        | ExecutorError::NotRunning
        | ExecutorError::NotAwaited { .. }
        | ExecutorError::TooLarge { .. } => false,
    }
}

fn program_end(outcome: Outcome) -> ProgramEnd {
    let error = outcome.error.map(|error| {
        let place = if error.line > 0 {
            format!("line {}: ", error.line)
        } else {
            String::new()
        };
        let hint = error.hint.map(|hint| format!("({hint})\n")).unwrap_or_default();
        // The exception stands in the last line, where models and people look for it.
        format!("{hint}{place}{}", error.message)
    });
    let variables = outcome.variables.into_iter().map(|variable| VariablePreview {
        name: variable.name,
        kind: variable.kind,
        preview: variable.text,
    });
    ProgramEnd {
        stdout: outcome.stdout,
        value: (outcome.value != json!(null)).then(|| shown(&outcome.value)),
        error,
        variables: variables.collect(),
        wall_ms: outcome.wall_ms,
        cpu_ms: outcome.cpu_ms,
        memory_bytes: outcome.memory_bytes,
        diverged: false,
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
