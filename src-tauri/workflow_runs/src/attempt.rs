//! One attempt of a step: its program is begun, or taken up where it stood; its model is asked; its end is told once.

mod exchange;

pub use exchange::ModelRun;

use crate::Workflows;
use crate::answers::{self, Question};
use crate::evidence::{self, Broken, Ended, Evidence};
use crate::facts::{Facts, session_of};
use crate::orders::{End, Order};
use crate::program::{self, Leaves, StepProgram, Unwritten};
use shidi_locales::Language;
use shidi_protocol::{JsonMap, Reply, RunId, RunStatus, Usage, WorkflowTask};
use shidi_space::{clock, storage};
use shidi_store::{Session, Variable, Write};
use shidi_workflow::{AttemptId, Call, Failure, Happened, Work, plugin_with};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What is to be done for an attempt.
pub enum Job {
    Work {
        step: String,
        work: Work,
        /// Whether the step sets a time of its own, which the run looks after.
        has_limit: bool,
    },
    Ask {
        step: String,
        message: String,
        shown: JsonMap,
    },
    /// Another process had begun it.
    LookAfter { call: Call },
    /// Another process had begun it, and it is wanted no more. `call` is `None` for a question, and where it was taken back.
    Stop { call: Option<Call> },
}

pub struct Attempt {
    pub workflows: Arc<Workflows>,
    pub run: RunId,
    pub facts: Arc<Facts>,
    pub attempt: AttemptId,
    /// Whether anything that the run works with derives from a stranger's words.
    pub tainted: bool,
    pub cancel: CancellationToken,
    pub orders: mpsc::UnboundedSender<Order>,
}

/// What a program came to.
enum Came {
    Ended(Ended),
    Unknown,
    NotBegun,
}

/// A program that goes on, or has ended meanwhile.
enum Taken {
    Up(RunId, mpsc::Receiver<Reply>),
    Ended(RunId, Ended),
}

/// A program whose record could not be followed.
struct Lost {
    message: String,
    /// Whether something of it may have been done.
    is_begun: bool,
}

impl Lost {
    fn begun(message: String) -> Self {
        Self {
            message,
            is_begun: true,
        }
    }

    /// A step of which nothing was done may be tried again; of any other one it is unknown what happened.
    fn end(self) -> (End, Usage, bool) {
        match self.is_begun {
            true => (uncertain(self.message), Usage::default(), false),
            false => fails(self.message),
        }
    }
}

impl Attempt {
    pub async fn work(self, job: Job) {
        let (end, usage, tainted) = match job {
            Job::Work {
                step,
                work: Work::Llm { role, prompt, system },
                has_limit,
            } => {
                let question = Question {
                    run: self.run.clone(),
                    role,
                    prompt,
                    system,
                    language: self.facts.language.clone(),
                    has_limit,
                };
                self.answered(&step, question).await
            }
            Job::Work { step, work, .. } => self.performed(&step, &work).await,
            Job::Ask { step, message, shown } => self.asked(&step, &message, &shown).await,
            Job::LookAfter { call } => self.looked_after(leaves_of(&call)).await,
            // Whatever another process was told, nobody waits for it any more.
            Job::Stop {
                call: Some(Call::Llm { .. }),
            } => fails(String::new()),
            Job::Stop { call } => {
                let leaves = call.as_ref().map_or(Leaves::Result, leaves_of);
                self.stopped(leaves).await
            }
        };
        let told = self.orders.send(Order::Ended {
            attempt: self.attempt,
            end,
            usage,
            tainted,
        });
        if told.is_err() {
            tracing::debug!("the run was over before its step");
        }
    }

    /// An answer to what a run has read is as foreign as that.
    async fn answered(&self, step: &str, question: Question) -> (End, Usage, bool) {
        let asked = answers::ask(&self.workflows.space, question, &self.cancel).await;
        if let Some(exchange) = &asked.exchange {
            self.keep(step, exchange, &asked.usage).await;
        }
        let end = match asked.outcome {
            Ok(value) => End::Done(value),
            Err(failure) => End::Failed(Broken {
                failure,
                happened: Happened::No,
            }),
        };
        (end, asked.usage, false)
    }

    async fn performed(&self, step: &str, work: &Work) -> (End, Usage, bool) {
        let toolkits = self.workflows.toolkits();
        let written = program::of_work(work, self.facts.functions.as_deref(), &toolkits);
        let program = match written {
            Some(Ok(program)) => program,
            Some(Err(cause)) => {
                let message = unwritten(&cause, self.workflows.space.language());
                return fails_by(Failure::Impossible { message });
            }
            None => return fails(String::new()),
        };
        let leaves = program.leaves;
        match self.run_program(step, Some(program), leaves).await {
            // It was wanted no more before it began.
            Ok(Came::NotBegun) => fails(String::new()),
            Ok(came) => ended(came),
            Err(lost) => lost.end(),
        }
    }

    async fn asked(&self, step: &str, message: &str, shown: &JsonMap) -> (End, Usage, bool) {
        let say = self.workflows.space.language().workflow_runs();
        let program = program::of_question(message, shown, (say.approve(), say.refuse()));
        match self.run_program(step, Some(program), Leaves::Result).await {
            Ok(Came::Ended(ended)) => (
                End::Answered(evidence::decided(&ended)),
                Usage::default(),
                ended.tainted,
            ),
            Ok(Came::Unknown | Came::NotBegun) => (End::Left, Usage::default(), false),
            // A question has no effect.
            Err(Lost { message, .. }) => fails(message),
        }
    }

    async fn looked_after(&self, leaves: Leaves) -> (End, Usage, bool) {
        match self.run_program("", None, leaves).await {
            Ok(came) => ended(came),
            // It stays uncertain: a person may say what came of it.
            Err(Lost { message, .. }) => {
                tracing::warn!(message, "a step's program can't be taken up");
                (End::Left, Usage::default(), false)
            }
        }
    }

    /// It may have come to its end meanwhile: then its values are read as they are of any other.
    async fn stopped(&self, leaves: Leaves) -> (End, Usage, bool) {
        self.cancel.cancel();
        match self.run_program("", None, leaves).await {
            Ok(Came::NotBegun) => fails(String::new()),
            Ok(Came::Unknown) => (uncertain(String::new()), Usage::default(), false),
            Ok(came) => ended(came),
            Err(Lost { message, .. }) => (uncertain(message), Usage::default(), false),
        }
    }

    /// Begins the program of the attempt, or goes on with it, and waits for its end.
    async fn run_program(
        &self,
        step: &str,
        program: Option<StepProgram>,
        leaves: Leaves,
    ) -> Result<Came, Lost> {
        let mut begins = program;
        let mut followed = false;
        loop {
            let is_begun = begins.is_none();
            let lost = |message| Lost { message, is_begun };
            let (run, replies) = match self.evidence(leaves).await.map_err(lost)? {
                Evidence::Ended(run, ended) => return self.over(&run, ended, leaves).await,
                Evidence::Unknown(run) if self.cancel.is_cancelled() => {
                    self.stop(&run).await;
                    return Ok(Came::Unknown);
                }
                Evidence::Unknown(run) if !self.workflows.is_held(&run) => return Ok(Came::Unknown),
                Evidence::Open(run) if self.cancel.is_cancelled() => match self.stop(&run).await {
                    true => continue,
                    false => return Err(Lost::begun(self.not_written())),
                },
                // Whoever followed it to its end and finds none would begin it over and over.
                Evidence::Open(run) if followed && !self.workflows.is_held(&run) => {
                    return Err(Lost::begun(self.not_written()));
                }
                Evidence::Unknown(run) | Evidence::Open(run) => {
                    begins = None;
                    match self.taken_up(run, leaves).await? {
                        Taken::Up(run, replies) => (run, replies),
                        Taken::Ended(run, ended) => return self.over(&run, ended, leaves).await,
                    }
                }
                Evidence::None if self.cancel.is_cancelled() => return Ok(Came::NotBegun),
                Evidence::None => match begins.take() {
                    Some(program) => self.begin(step, program).await.map_err(lost)?,
                    None => return Ok(Came::NotBegun),
                },
            };
            self.follow(&run, replies).await;
            followed = true;
        }
    }

    async fn taken_up(&self, run: RunId, leaves: Leaves) -> Result<Taken, Lost> {
        let programs = self.workflows.programs().map_err(Lost::begun)?;
        match programs.take_up(run).await {
            Ok((run, replies)) => Ok(Taken::Up(run, replies)),
            // It may just have ended.
            Err(error) => match self.evidence(leaves).await.map_err(Lost::begun)? {
                Evidence::Ended(run, ended) => Ok(Taken::Ended(run, ended)),
                Evidence::None | Evidence::Open(_) | Evidence::Unknown(_) => Err(Lost::begun(error.message)),
            },
        }
    }

    fn not_written(&self) -> String {
        let say = self.workflows.space.language().workflow_runs();
        say.record_not_written().to_owned()
    }

    async fn begin(
        &self,
        step: &str,
        program: StepProgram,
    ) -> Result<(RunId, mpsc::Receiver<Reply>), String> {
        let task = WorkflowTask {
            run: self.run.clone(),
            attempt: self.attempt.0,
            tainted: self.tainted,
            bounds: self.facts.bounds.clone(),
        };
        self.commit(self.room(&program.variables)).await?;
        let ask = self.facts.ask(step, program.source, task);
        let begun = self.workflows.programs()?.begin(ask).await;
        begun.map_err(|error| error.message)
    }

    /// The session of the program, with the variables that the program finds.
    fn room(&self, named: &JsonMap) -> Vec<Write> {
        let session = session_of(&self.run, self.attempt);
        let now = clock::now();
        let row = Session {
            id: session.clone(),
            created: now,
            updated: now,
            title: self.facts.title.clone(),
            is_named: true,
            folders: self.facts.folders.clone(),
            mode: self
                .facts
                .mode
                .unwrap_or_else(|| self.workflows.space.config().task.mode),
        };
        let put = |variable| Write::PutVariable {
            session: session.clone(),
            variable,
        };
        let rows = variables(named, self.tainted).into_iter().map(put);
        // A session that is with nobody would refuse the program of an assistant's workflow.
        let attributed = self
            .facts
            .assistant
            .iter()
            .map(|assistant| Write::AttributeSession {
                session: session.clone(),
                assistant: assistant.clone(),
            });
        [Write::PutSession(row)]
            .into_iter()
            .chain(attributed)
            .chain(rows)
            .collect()
    }

    async fn commit(&self, rows: Vec<Write>) -> Result<(), String> {
        let language = self.workflows.space.language();
        let made = self.workflows.space.aside(move |space| {
            space
                .store
                .commit(rows)
                .map_err(|cause| storage::explain(&cause, language))
        });
        made.await.map_err(|error| error.message)
    }

    /// Passes on what the program tells until it ends or is stopped.
    async fn follow(&self, run: &RunId, mut replies: mpsc::Receiver<Reply>) {
        let mut is_stopping = false;
        loop {
            let reply = tokio::select! {
                reply = replies.recv() => reply,
                () = self.cancel.cancelled(), if !is_stopping => {
                    is_stopping = true;
                    self.stop(run).await;
                    continue;
                }
            };
            match reply {
                Some(Reply::Event { event }) => self.order(|attempt| Order::Said {
                    attempt,
                    event: Box::new(event),
                }),
                Some(Reply::Ended {
                    status: RunStatus::Suspended,
                    ..
                }) => {
                    self.order(|attempt| Order::Waits { attempt, waits: true });
                    match self.watched(run).await {
                        Some(again) => replies = again,
                        None => return,
                    }
                }
                // A watcher that did not keep up was let go: the record tells.
                Some(Reply::Ended { .. }) | None => return,
                Some(_) => {}
            }
        }
    }

    /// The replies of a program that rests in this process.
    async fn watched(&self, run: &RunId) -> Option<mpsc::Receiver<Reply>> {
        let programs = self.workflows.programs().ok()?;
        let again = programs.take_up(run.clone()).await;
        again.ok().map(|(_, replies)| replies)
    }

    /// Stops the program, and the workflows that it has called. Whether it is stopped, and its record says so.
    async fn stop(&self, run: &RunId) -> bool {
        let is_stopped = match self.workflows.programs() {
            Ok(programs) => programs.stop(run.clone()).await,
            Err(_) => false,
        };
        self.end_called(run).await;
        is_stopped
    }

    /// A program that has ended. Whoever stopped it may have been killed before what it has called was cancelled.
    async fn over(&self, run: &RunId, ended: Ended, leaves: Leaves) -> Result<Came, Lost> {
        let nobody_waits = self.cancel.is_cancelled() || ended.outcome.is_err();
        if nobody_waits && self.end_called(run).await {
            // Only now it is known what these have done.
            let looked = self.evidence(leaves).await.map_err(Lost::begun)?;
            if let Evidence::Ended(_, ended) = looked {
                return Ok(Came::Ended(ended));
            }
        }
        Ok(Came::Ended(ended))
    }

    /// Cancels what the program has called, and waits for that: each has a time of its own for its end. Whether there was any.
    async fn end_called(&self, run: &RunId) -> bool {
        let called = self.workflows.called_by(run).await;
        if called.is_empty() {
            return false;
        }
        self.order(|attempt| Order::Stops { attempt });
        self.workflows.cancel_called(&called).await;
        true
    }

    fn order(&self, order: impl FnOnce(AttemptId) -> Order) {
        if self.orders.send(order(self.attempt)).is_err() {
            tracing::debug!("the run was over before its step");
        }
    }

    async fn evidence(&self, leaves: Leaves) -> Result<Evidence, String> {
        let session = session_of(&self.run, self.attempt);
        let (space, toolkits) = (&self.workflows.space, self.workflows.toolkits());
        let language = space.language();
        let looked = space.aside(move |space| {
            let looked = evidence::of((&space.store, &toolkits), &session, leaves);
            looked.map_err(|cause| storage::explain(&cause, language))
        });
        looked.await.map_err(|error| error.message)
    }
}

/// Variables that a program finds when it begins.
fn variables(named: &JsonMap, tainted: bool) -> Vec<Variable> {
    let variable = |(name, value): (&String, &serde_json::Value)| Variable {
        name: name.clone(),
        kind: shidi_executor::type_name(value).to_owned(),
        value: Some(value.clone()),
        text: shidi_agent::literal(value),
        tainted,
        run: None,
    };
    named.iter().map(variable).collect()
}

fn leaves_of(call: &Call) -> Leaves {
    match call {
        Call::Code { .. } => Leaves::Variables,
        Call::Plugin { .. } | Call::Custom { .. } | Call::Tool { .. } | Call::Llm { .. } => Leaves::Result,
    }
}

fn ended(came: Came) -> (End, Usage, bool) {
    match came {
        Came::Ended(Ended { outcome, tainted }) => {
            let end = match outcome {
                Ok(value) => End::Done(value),
                Err(broken) => End::Failed(broken),
            };
            (end, Usage::default(), tainted)
        }
        Came::NotBegun => (End::NotBegun, Usage::default(), false),
        Came::Unknown => (End::Left, Usage::default(), false),
    }
}

fn uncertain(message: String) -> End {
    End::Failed(Broken {
        failure: Failure::Performer { message },
        happened: Happened::Unknown,
    })
}

/// The step failed before anything of it was done.
fn fails(message: String) -> (End, Usage, bool) {
    fails_by(Failure::Performer { message })
}

fn fails_by(failure: Failure) -> (End, Usage, bool) {
    let broken = Broken {
        failure,
        happened: Happened::No,
    };
    (End::Failed(broken), Usage::default(), false)
}

fn unwritten(cause: &Unwritten, language: Language) -> String {
    let say = language.workflow_runs();
    match cause {
        Unwritten::NoTool(tool) => say.no_tool(tool),
        Unwritten::NoPlugin(tool) => match plugin_with(tool) {
            Some(plugin) => say.tool_of_plugin(plugin, tool),
            None => say.no_plugin(tool),
        },
        Unwritten::NoFunction(function) => say.no_function(function),
        Unwritten::Ambiguous { plugin, toolkits } => say.ambiguous_plugin(plugin, toolkits.join(", ")),
    }
}
