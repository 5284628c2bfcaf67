//! A session: one worker, one program at a time, and the variables that programs leave for later ones.

use crate::arguments::Unfit;
use crate::outcome::{CallAnswer, Finding, Loss, Outcome, PendingCall, Progress};
use crate::printed::Printed;
use crate::process::{SpawnOptions, Stopper, Worker};
use crate::translate::{
    VARIABLES_LOST, finding, fitting, json, loss_error, out_of_turn, outcome, program_error, shape, variable,
};
use crate::value::pack;
use crate::{ExecutorError, Limits};
use serde_json::Value;
use shidi_executor_proto as proto;
use shidi_executor_proto::{Confinement, FromWorker, Given, LinkError, ToWorker};
use shidi_protocol::ToolkitSpec;
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

/// Time after a limit in which a worker may end by itself before it is killed. Describing variables takes it up
/// to 0.8 s.
const GRACE: Duration = Duration::from_millis(1_000);
/// Factor from processor time to wall clock: on a busy machine the worker gets only a part of the time.
const BUSY_FACTOR: u32 = 4;
/// Time of a check, which parses and compiles and runs nothing.
const CHECK_WITHIN: Duration = Duration::from_secs(10);

/// A program with everything that it starts from.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    pub source: &'a str,
    pub toolkits: &'a [ToolkitSpec],
    /// Variables of earlier programs, from [`Variable::value`]. They are set only in a worker without variables
    /// of its own ([`Session::keeps_variables`]). A worker with variables keeps all of them, also without a
    /// JSON form.
    pub variables: Vec<(String, Value)>,
}

/// One worker with its variables. A session is not for two threads; a [`Stopper`] is.
#[derive(Debug)]
pub struct Session {
    worker: Worker,
    memory_limit_bytes: u64,
    /// Whether a program has run in this worker.
    used: bool,
    /// Who hears what the next program prints.
    listener: Option<Listener>,
    running: Option<Running>,
}

/// Hears what a program prints while it is at work.
struct Listener(Box<dyn FnMut(&str) + Send>);

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Listener")
    }
}

/// A program between its first line and its end.
#[derive(Debug)]
struct Running {
    toolkits: Vec<ToolkitSpec>,
    limits: Limits,
    started: Instant,
    /// Time that the worker has worked.
    worked: Duration,
    /// Time that people took, which the wall clock leaves out.
    forgiven: Duration,
    /// Calls that the host has not answered.
    open: BTreeSet<u32>,
    /// Fitting calls, held until the worker has received the refusals of others made with them.
    held: Vec<PendingCall>,
    calls: u32,
    /// The program's printed text so far.
    printed: Printed,
    listener: Option<Listener>,
}

impl Session {
    /// Starts a confined worker, ready for its first program.
    ///
    /// The calling thread must live as long as the session: on Linux the worker is killed when that thread ends.
    ///
    /// # Errors
    /// When the worker program is missing, cannot be started, cannot raise its walls, or is of another version.
    pub fn spawn(options: SpawnOptions) -> Result<Self, ExecutorError> {
        let memory_limit_bytes = options.memory_limit_bytes;
        let worker = Worker::spawn(options)?;
        Ok(Self {
            worker,
            memory_limit_bytes,
            used: false,
            listener: None,
            running: None,
        })
    }

    /// A handle that ends the running program from any thread.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.worker.stopper()
    }

    /// The worker's process; `None` after it was lost, until the next program.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.worker.process_id()
    }

    /// The hash of the worker's sources and lock: 16 hexadecimal digits, to be recorded with runs.
    #[must_use]
    pub fn build_id(&self) -> &str {
        &self.worker.ready().build_id
    }

    /// The walls around the worker, and the walls that this system lacks.
    #[must_use]
    pub fn confinement(&self) -> &Confinement {
        &self.worker.ready().confinement
    }

    /// Whether the worker still has the variables of the last run. If not, the next run must be given them.
    pub fn keeps_variables(&mut self) -> bool {
        self.used && self.worker.is_alive()
    }

    /// Checks a program without running it: syntax, unsupported syntax, names, modules, toolkits, their methods
    /// and parameters, calls without `await`. A program that would run yields no finding.
    ///
    /// # Errors
    /// When a program is running, or the check lost the worker.
    pub fn check(
        &mut self,
        program: &str,
        toolkits: &[ToolkitSpec],
        known_variables: &[String],
    ) -> Result<Vec<Finding>, ExecutorError> {
        self.be_ready()?;
        let request = proto::CheckRequest {
            source: program.to_owned(),
            toolkits: toolkits.iter().map(shape).collect(),
            known: known_variables.to_vec(),
        };
        let deadline = Instant::now() + CHECK_WITHIN;
        let checked = self
            .worker
            .send(&ToWorker::Check(Box::new(request)), deadline)
            .and_then(|()| self.worker.receive(deadline));
        match checked {
            Ok(FromWorker::Checked(findings)) => Ok(findings.into_iter().map(finding).collect()),
            Ok(
                FromWorker::Ready(_) | FromWorker::Calls(_) | FromWorker::Printed(_) | FromWorker::Ended(_),
            ) => Err(self.lost(&out_of_turn())),
            Err(LinkError::Frame(why)) => Err(ExecutorError::TooLarge { why: why.to_string() }),
            Err(error) => Err(self.lost(&error)),
        }
    }

    /// Starts a program and runs it until it waits or ends. A worker that was lost is replaced first.
    ///
    /// # Errors
    /// When a program is running, no worker can be started, or the program is too large.
    pub fn run(&mut self, program: Program<'_>, limits: &Limits) -> Result<Progress, ExecutorError> {
        // A program that can't begin leaves nobody who would hear the next one.
        let listener = self.listener.take();
        self.be_ready()?;
        let mut limits = *limits;
        limits.memory_bytes = limits.memory_bytes.min(self.memory_limit_bytes);
        let variables = if self.used { Vec::new() } else { program.variables };
        let run = proto::Run {
            source: program.source.to_owned(),
            toolkits: program.toolkits.iter().map(shape).collect(),
            variables: variables
                .iter()
                .map(|(name, value)| (name.clone(), pack(value)))
                .collect(),
            limits: proto::RunLimits {
                cpu_ms: limits.cpu_ms.min(limits.wall_ms),
                memory_bytes: limits.memory_bytes,
                output_bytes: limits.output_bytes,
            },
        };
        self.worker.set_running(true);
        self.running = Some(Running {
            toolkits: program.toolkits.to_vec(),
            limits,
            started: Instant::now(),
            worked: Duration::ZERO,
            forgiven: Duration::ZERO,
            open: BTreeSet::new(),
            held: Vec::new(),
            calls: 0,
            printed: Printed::new(limits.output_bytes),
            listener,
        });
        self.used = true;
        self.advance(ToWorker::Run(Box::new(run)))
    }

    /// Answers some or all of the open calls, in the order given. Then runs on until the program waits or ends.
    ///
    /// # Errors
    /// When no program is running, or the program does not wait for one of the calls. No call is answered then.
    pub fn resume(&mut self, answers: Vec<CallAnswer>) -> Result<Progress, ExecutorError> {
        let running = self.running.as_mut().ok_or(ExecutorError::NotRunning)?;
        let mut given = Vec::with_capacity(answers.len());
        for answer in answers {
            if !running.open.contains(&answer.number)
                || given
                    .iter()
                    .any(|g: &proto::CallAnswer| g.number == answer.number)
            {
                return Err(ExecutorError::NotAwaited {
                    number: answer.number,
                });
            }
            given.push(proto::CallAnswer {
                number: answer.number,
                given: outcome(answer),
            });
        }
        for answer in &given {
            running.open.remove(&answer.number);
        }
        if running.wall_left().is_zero() {
            return self.time_out();
        }
        self.advance(ToWorker::Answers(given))
    }

    /// The wall clock left to the running program; zero when none runs.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.running.as_ref().map_or(Duration::ZERO, Running::wall_left)
    }

    /// Ends a waiting program whose wall clock is over. The worker and its variables are kept.
    ///
    /// # Errors
    /// When no program is running.
    pub fn time_out(&mut self) -> Result<Progress, ExecutorError> {
        let running = self.running.as_ref().ok_or(ExecutorError::NotRunning)?;
        let message = format!(
            "the program took longer than the {} ms it may",
            running.limits.wall_ms
        );
        self.advance(ToWorker::Abort {
            kind: "TimeoutError".to_owned(),
            message,
        })
    }

    /// Ends a waiting program with an exception that it cannot catch. The worker and its variables are kept.
    ///
    /// # Errors
    /// When no program is running.
    pub fn abandon(&mut self) -> Result<Progress, ExecutorError> {
        if self.running.is_none() {
            return Err(ExecutorError::NotRunning);
        }
        let message = "the program was abandoned".to_owned();
        self.advance(ToWorker::Abort {
            kind: "KeyboardInterrupt".to_owned(),
            message,
        })
    }

    /// Has `listener` told what the next program prints, a piece at a time. Its end may bring more, which only the
    /// outcome has.
    pub fn hear(&mut self, listener: impl FnMut(&str) + Send + 'static) {
        self.listener = Some(Listener(Box::new(listener)));
    }

    /// The printed text so far of a running program, without its newest moments.
    #[must_use]
    pub fn printed(&self) -> &str {
        self.running.as_ref().map_or("", |running| running.printed.text())
    }

    /// Leaves a wait out of the running program's wall clock: people may take their time.
    pub fn forgive(&mut self, wait: Duration) {
        if let Some(running) = &mut self.running {
            running.forgiven += wait;
        }
    }

    /// Ensures a living worker without a program.
    fn be_ready(&mut self) -> Result<(), ExecutorError> {
        if self.running.is_some() {
            return Err(ExecutorError::Busy);
        }
        if self.worker.is_alive() {
            return Ok(());
        }
        self.used = false;
        self.worker.start()
    }

    /// Sends one message, then exchanges messages until the program waits for the host or ends.
    fn advance(&mut self, mut message: ToWorker) -> Result<Progress, ExecutorError> {
        loop {
            match self.exchange(&message) {
                Ok(FromWorker::Calls(calls)) => match self.sort(calls) {
                    Sorted::Wait(calls) => return Ok(Progress::Calls(calls)),
                    Sorted::Tell(next) => message = next,
                },
                Ok(FromWorker::Ended(ended)) => return Ok(Progress::Ended(self.ended(*ended))),
                Ok(FromWorker::Ready(_) | FromWorker::Checked(_) | FromWorker::Printed(_)) => {
                    return Ok(Progress::Ended(self.ended_by_loss(&out_of_turn())));
                }
                Err(LinkError::Frame(why)) if matches!(message, ToWorker::Run(_)) => {
                    self.running = None;
                    self.worker.set_running(false);
                    return Err(ExecutorError::TooLarge { why: why.to_string() });
                }
                Err(error) => return Ok(Progress::Ended(self.ended_by_loss(&error))),
            }
        }
    }

    /// One message there and one back, with the deadline that the limits leave.
    fn exchange(&mut self, message: &ToWorker) -> Result<FromWorker, LinkError> {
        let Some(running) = &mut self.running else {
            return Err(LinkError::Closed);
        };
        let begun = Instant::now();
        let deadline = begun + running.longest_turn();
        let mut answered = self
            .worker
            .send(message, deadline)
            .and_then(|()| self.worker.receive(deadline));
        while let Ok(FromWorker::Printed(text)) = &answered {
            running.take_printed(text);
            answered = self.worker.receive(deadline);
        }
        running.worked += begun.elapsed();
        answered
    }

    /// Refuses unfit calls at once; passes the others to the host when the worker waits for nothing else.
    fn sort(&mut self, calls: Vec<proto::Call>) -> Sorted {
        let Some(running) = &mut self.running else {
            return Sorted::Wait(Vec::new());
        };
        running.calls = running
            .calls
            .saturating_add(u32::try_from(calls.len()).unwrap_or(u32::MAX));
        if running.calls > running.limits.calls {
            let message = format!(
                "the program made more than the {} calls it may",
                running.limits.calls
            );
            return Sorted::Tell(ToWorker::Abort {
                kind: "RuntimeError".to_owned(),
                message,
            });
        }
        let mut refused = Vec::new();
        for call in calls {
            match fitting(&call, &running.toolkits) {
                Ok(args) => running.held.push(PendingCall {
                    number: call.number,
                    toolkit: call.toolkit,
                    method: call.method,
                    args,
                    line: call.line,
                }),
                Err(Unfit { kind, message }) => refused.push(proto::CallAnswer {
                    number: call.number,
                    given: Given::Error {
                        kind: kind.to_owned(),
                        message,
                    },
                }),
            }
        }
        if !refused.is_empty() {
            return Sorted::Tell(ToWorker::Answers(refused));
        }
        running.open.extend(running.held.iter().map(|call| call.number));
        Sorted::Wait(std::mem::take(&mut running.held))
    }

    fn ended(&mut self, ended: proto::Ended) -> Outcome {
        let limits = self
            .running
            .as_ref()
            .map(|running| running.limits)
            .unwrap_or_default();
        let wall_ms = self.finish_running();
        self.worker.set_running(false);
        let is_memory = ended
            .failure
            .as_ref()
            .is_some_and(|failure| failure.kind == "MemoryError");
        let loss = if is_memory { Loss::Memory } else { Loss::Broken };
        let lost = ended.interpreter_lost.then_some(loss);
        if lost.is_some() {
            self.worker.lose(&LinkError::Closed);
        }
        let value = json(&ended.value).unwrap_or(Value::String(ended.value.text));
        let error = match (ended.failure.map(program_error), lost) {
            (Some(mut error), Some(_)) => {
                error.message.push_str(VARIABLES_LOST);
                Some(error)
            }
            (None, Some(loss)) => Some(loss_error(loss, "its state is not usable", limits)),
            (error, None) => error,
        };
        Outcome {
            value: if error.is_some() { Value::Null } else { value },
            stdout: Printed::of(&ended.stdout, limits.output_bytes),
            error,
            // Nothing is known of a lost worker's variables; their stored forms stay unchanged.
            variables: match lost {
                Some(_) => Vec::new(),
                None => ended.variables.into_iter().map(variable).collect(),
            },
            wall_ms,
            cpu_ms: ended.cpu_ms,
            memory_bytes: ended.memory_bytes,
            lost,
        }
    }

    /// The outcome of a program whose worker did not survive it.
    fn ended_by_loss(&mut self, error: &LinkError) -> Outcome {
        let limits = self
            .running
            .as_ref()
            .map(|running| running.limits)
            .unwrap_or_default();
        let worked = self
            .running
            .as_ref()
            .map_or(Duration::ZERO, |running| running.worked);
        let printed = self.printed().to_owned();
        let (loss, why) = self.worker.lose(error);
        let wall_ms = self.finish_running();
        tracing::warn!(?loss, %why, "a worker was lost");
        let error = loss_error(loss, &why, limits);
        Outcome {
            value: Value::Null,
            stdout: printed,
            error: Some(error),
            variables: Vec::new(),
            wall_ms,
            cpu_ms: u64::try_from(worked.as_millis()).unwrap_or(u64::MAX),
            memory_bytes: 0,
            lost: Some(loss),
        }
    }

    fn finish_running(&mut self) -> u64 {
        let wall = self
            .running
            .take()
            .map_or(Duration::ZERO, |running| running.started.elapsed());
        u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
    }

    fn lost(&mut self, error: &LinkError) -> ExecutorError {
        let (_, why) = self.worker.lose(error);
        ExecutorError::WorkerLost { why }
    }
}

/// The next step after a program has made calls.
enum Sorted {
    Wait(Vec<PendingCall>),
    Tell(ToWorker),
}

impl Running {
    /// Keeps the part of a text that fits, and tells who hears it.
    fn take_printed(&mut self, text: &str) {
        let before = self.printed.text().len();
        self.printed.add(text);
        let kept = &self.printed.text()[before..];
        if let Some(Listener(told)) = &mut self.listener
            && !kept.is_empty()
        {
            told(kept);
        }
    }

    /// Wall clock that is left.
    fn wall_left(&self) -> Duration {
        let spent = self.started.elapsed().saturating_sub(self.forgiven);
        Duration::from_millis(self.limits.wall_ms).saturating_sub(spent)
    }

    /// How long the worker may be silent: until the nearer limit, plus the grace in which it ends by itself.
    fn longest_turn(&self) -> Duration {
        let longest_work = (Duration::from_millis(self.limits.cpu_ms) + GRACE) * BUSY_FACTOR;
        longest_work.saturating_sub(self.worked).min(self.wall_left()) + GRACE
    }
}
