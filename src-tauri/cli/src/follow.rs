//! Follows a run from request to end and shows its events. Asks the user inline where a person sits, and turns Ctrl-C
//! into a cancel.

mod asked;
pub mod cards;
mod prompt;
mod show;
mod speech;
mod waiting;

use crate::console::{Console, Look};
use crate::executed::Before;
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use crate::limits::{CANCEL_WAIT_MS, WAIT_COUNTED_EVERY};
pub use show::one_line;

use asked::QuestionForm;
use prompt::Decision;
use shidi_protocol::{
    CallId, Class, ErrorCode, ExecRequest, ExecResult, JsonMap, ProgramError, Reply, Request, RunEvent,
    RunEventKind, RunId, RunStatus, SegmentKind, UserError,
};
use shidi_runtime::{Connection, Replies};
use show::Show;
use std::time::Duration;
use tokio::time::Instant;

/// What came of a request that starts or continues work.
pub enum Followed {
    /// A run ended or was suspended; everything about it was shown.
    Run(Exit),
    /// A program of the user's own came to its end.
    Executed { result: Box<ExecResult>, before: Before },
}

/// How long a run that waits for a person is there to be gone on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// It is on record: another command decides.
    OnRecord,
    /// It goes with this command.
    ForNow,
}

/// Sends `request` and follows what it starts to its end.
///
/// # Errors
/// A request that was refused, or output that can't be written.
pub async fn follow(
    connection: &Connection,
    request: Request,
    console: &Console,
) -> Result<Followed, Failure> {
    follow_while(connection, request, console, Lasts::OnRecord).await
}

/// Sends a program of the user's own and follows it. What it prints is shown as it comes, and of its events only those
/// that ask for something.
///
/// # Errors
/// As [`follow`], and why the program could not run.
pub async fn execute(
    connection: &Connection,
    program: ExecRequest,
    console: &Console,
) -> Result<Followed, Failure> {
    let mut follower = Follower::new(connection, console, Events::Unseen);
    follower.shows_printed = !console.is_json();
    follower.go_on(Request::Exec(program), Lasts::OnRecord).await
}

/// The same for a run that may not be on record.
///
/// # Errors
/// As [`follow`], and a run that waits with nobody there to decide.
pub async fn follow_while(
    connection: &Connection,
    request: Request,
    console: &Console,
    lasts: Lasts,
) -> Result<Followed, Failure> {
    let follower = Follower::new(connection, console, Events::Shown);
    follower.go_on(request, lasts).await
}

/// Whether a run's events are shown as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Events {
    Shown,
    Unseen,
}

/// How one stream of replies ended.
enum Ended {
    Run(RunStatus),
    Executed(Box<ExecResult>),
    /// The user did not want to wait for the end.
    Interrupted,
}

/// Something that waits for the user.
struct Waiting {
    /// The run that is followed, or one of its sub-agents.
    run: RunId,
    call: CallId,
    prompt: UserPrompt,
}

enum UserPrompt {
    Approval {
        tool: String,
        args: JsonMap,
        class: Class,
        family: String,
    },
    Question {
        text: String,
        asked: QuestionForm,
    },
}

struct Follower<'a> {
    connection: &'a Connection,
    console: &'a Console,
    events: Events,
    interrupts: Interrupts,
    show: Show<'a>,
    /// Whether what a program prints is shown as it comes.
    shows_printed: bool,
    /// What was shown of it.
    printed: String,
    run: Option<RunId>,
    waiting: Vec<Waiting>,
    error: Option<UserError>,
    cancelling: Option<Cancelling>,
    /// What answers decisions that were made while the run was at work: nobody reads it, the run tells all.
    answers: Vec<Replies>,
}

/// A cancel on its way; its replies are kept until the run has ended.
struct Cancelling {
    _replies: Replies,
    until: Instant,
}

impl<'a> Follower<'a> {
    fn new(connection: &'a Connection, console: &'a Console, events: Events) -> Self {
        Self {
            connection,
            console,
            events,
            interrupts: Interrupts::listen(),
            show: Show::new(console),
            shows_printed: false,
            printed: String::new(),
            run: None,
            waiting: Vec::new(),
            error: None,
            cancelling: None,
            answers: Vec::new(),
        }
    }

    /// Follows a request, and what its run is asked to do after each rest, to the end.
    async fn go_on(mut self, mut request: Request, lasts: Lasts) -> Result<Followed, Failure> {
        loop {
            match self.listen(self.connection.send(request)).await? {
                Ended::Executed(result) => {
                    let before = match self.events {
                        Events::Shown => Before::Events,
                        Events::Unseen => Before::Printed(self.printed),
                    };
                    return Ok(Followed::Executed { result, before });
                }
                Ended::Interrupted => return Ok(Followed::Run(Exit::Cancelled)),
                Ended::Run(RunStatus::Suspended) => match self.decide().await {
                    Some(decided) => request = decided,
                    None if let Some(run) = self.waits_elsewhere() => {
                        let words = self.console.words;
                        self.console.note(Look::Dim, words.waits_elsewhere());
                        request = Request::Resume { run: Some(run) };
                    }
                    None if lasts == Lasts::ForNow => return Err(self.undecided().into()),
                    None => return self.rest().map(Followed::Run),
                },
                Ended::Run(status) => return self.over(status),
            }
        }
    }

    /// The end of a run that left no result of a program.
    fn over(self, status: RunStatus) -> Result<Followed, Failure> {
        match (self.events, self.error) {
            (Events::Unseen, Some(error)) if status == RunStatus::Failed => Err(error.into()),
            (Events::Shown | Events::Unseen, error) => Ok(Followed::Run(exit_of(status, error))),
        }
    }

    async fn listen(&mut self, mut replies: Replies) -> Result<Ended, Failure> {
        loop {
            let until = self.cancelling.as_ref().map(|cancelling| cancelling.until);
            let reply = tokio::select! {
                reply = replies.next() => reply,
                () = tokio::time::sleep(WAIT_COUNTED_EVERY), if self.show.counts() => {
                    self.show.count();
                    continue;
                }
                () = self.interrupts.pressed(), if until.is_none() => {
                    if self.cancel() { continue } else { return Ok(Ended::Interrupted) }
                }
                () = tokio::time::sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => {
                    return Ok(Ended::Interrupted);
                }
            };
            match reply {
                Some(Reply::Event { event }) => {
                    self.take(&event)?;
                    self.decide_at_work(&event).await;
                }
                Some(Reply::Ended { run, status }) => {
                    self.run = Some(run);
                    return Ok(Ended::Run(status));
                }
                Some(Reply::Executed { result }) => return Ok(Ended::Executed(Box::new(result))),
                Some(Reply::Failed { error }) => return Err(error.into()),
                Some(Reply::Cancelled { .. }) => return Ok(Ended::Run(RunStatus::Cancelled)), // asked for at a prompt
                Some(_) | None => return Err(Failure::Unanswered),
            }
        }
    }

    /// Does what the first Ctrl-C asks for; `false` if no run has started that could be stopped.
    fn cancel(&mut self) -> bool {
        let sent = self.send_cancel();
        if sent {
            self.console.note(Look::Dim, self.console.words.cancelling());
        }
        sent
    }

    fn send_cancel(&mut self) -> bool {
        let Some(run) = self.run.clone() else { return false };
        let replies = self.connection.send(Request::Cancel { run });
        let until = Instant::now() + Duration::from_millis(CANCEL_WAIT_MS);
        self.cancelling = Some(Cancelling {
            _replies: replies,
            until,
        });
        true
    }

    fn take(&mut self, event: &RunEvent) -> Result<(), Failure> {
        self.run.get_or_insert_with(|| event.run.clone());
        self.note_what_waits(event);
        if let RunEventKind::RunEnded {
            error: Some(error), ..
        } = &event.kind
        {
            self.error = Some(error.clone());
        }
        if let RunEventKind::RunStarted { models, offline, .. } = &event.kind
            && models.is_empty()
            && !offline
        {
            // A program of the user's own goes on: its result says all.
            self.events = Events::Unseen;
        }
        let is_json = self.console.is_json();
        let is_unseen = self.events == Events::Unseen && (is_json || !is_to_the_user(&event.kind));
        let shown = if let RunEventKind::Delta {
            kind: SegmentKind::Output,
            text,
        } = &event.kind
            && self.shows_printed
        {
            self.printed.push_str(text);
            self.console.write(text)
        } else if is_unseen {
            Ok(())
        } else if is_json {
            self.console.json(event)
        } else {
            self.show.event(&event.kind)
        };
        if shown.is_err() {
            self.send_cancel(); // nobody reads any more: the run has lost its purpose
        }
        shown
    }

    fn note_what_waits(&mut self, event: &RunEvent) {
        match &event.kind {
            RunEventKind::ApprovalNeeded {
                call,
                tool,
                args,
                class,
                family,
                ..
            } => {
                let prompt = UserPrompt::Approval {
                    tool: tool.clone(),
                    args: args.clone(),
                    class: *class,
                    family: family.clone(),
                };
                self.waits(&event.run, *call, prompt);
            }
            RunEventKind::Question { call, text, fields } => {
                let prompt = UserPrompt::Question {
                    text: text.clone(),
                    asked: QuestionForm::of(fields.as_ref()),
                };
                self.waits(&event.run, *call, prompt);
            }
            RunEventKind::Decided { call, .. } | RunEventKind::CallDone { call, .. } => {
                self.waiting
                    .retain(|waiting| waiting.run != event.run || waiting.call != *call);
            }
            RunEventKind::RunStarted { .. }
            | RunEventKind::Context { .. }
            | RunEventKind::Recalled { .. }
            | RunEventKind::Segment { .. }
            | RunEventKind::Delta { .. }
            | RunEventKind::Retracted
            | RunEventKind::Standing { .. }
            | RunEventKind::Awaiting { .. }
            | RunEventKind::Code { .. }
            | RunEventKind::Call { .. }
            | RunEventKind::Card { .. }
            | RunEventKind::Output { .. }
            | RunEventKind::Variables { .. }
            | RunEventKind::Todo { .. }
            | RunEventKind::Notification { .. }
            | RunEventKind::Compacted { .. }
            | RunEventKind::Answer { .. }
            | RunEventKind::RunEnded { .. } => {}
        }
    }

    fn waits(&mut self, run: &RunId, call: CallId, prompt: UserPrompt) {
        self.waiting
            .retain(|waiting| waiting.run != *run || waiting.call != call);
        let run = run.clone();
        self.waiting.push(Waiting { run, call, prompt });
    }

    /// Asks the user at once what a command or a server at work waits for: it gives up soon. A call of the program itself
    /// waits as any other.
    async fn decide_at_work(&mut self, event: &RunEvent) {
        let is_urgent = match &event.kind {
            RunEventKind::ApprovalNeeded { call, class, .. } => *class == Class::Connect && call.is_aside(),
            RunEventKind::Question { call, .. } => call.is_aside(),
            _ => false,
        };
        if is_urgent && let Some(request) = self.decide().await {
            self.answers.push(self.connection.send(request));
        }
    }

    /// Asks the user what the run waits for; `None` leaves it waiting.
    async fn decide(&mut self) -> Option<Request> {
        if !self.console.can_ask() {
            return None;
        }
        let waiting = self.waiting.first()?;
        let run = waiting.run.clone();
        let decision = match &waiting.prompt {
            UserPrompt::Approval {
                tool,
                args,
                class,
                family,
            } => prompt::approval(self.console, &mut self.interrupts, tool, args, *class, family).await,
            UserPrompt::Question { text, asked } => {
                prompt::question(self.console, &mut self.interrupts, text, asked).await
            }
        };
        let call = waiting.call;
        // Who waits still says so again.
        self.waiting.remove(0);
        match decision {
            Decision::Once => Some(Request::Approve {
                run,
                call,
                always: false,
            }),
            Decision::Always => Some(Request::Approve {
                run,
                call,
                always: true,
            }),
            Decision::Refused(reason) => Some(Request::Refuse { run, call, reason }),
            Decision::Answered(text) => Some(Request::Answer {
                run,
                call: Some(call),
                text,
            }),
            Decision::Later => None,
            Decision::Interrupted => Some(Request::Cancel { run }),
        }
    }

    /// The run, where it waits for nobody at this terminal, and somebody sits here to see it go on.
    fn waits_elsewhere(&self) -> Option<RunId> {
        self.run
            .clone()
            .filter(|_| self.waiting.is_empty() && self.console.can_ask())
    }

    /// Leaves the run waiting and says how to go on with it; of a program the result says so too.
    fn rest(&self) -> Result<Exit, Failure> {
        if self.events == Events::Unseen && self.console.is_json() {
            self.console.json(&self.unfinished())?;
        }
        let Some(run) = &self.run else {
            return Ok(Exit::Suspended);
        };
        let words = self.console.words;
        for waiting in &self.waiting {
            let (run, call) = (&waiting.run, waiting.call);
            match &waiting.prompt {
                UserPrompt::Approval {
                    tool,
                    args,
                    class,
                    family,
                } => {
                    self.console
                        .note(Look::Strong, &show::wish_line(words, tool, args, *class));
                    let always = if family.is_empty() { "" } else { " [--always]" };
                    self.console.hint(&format!(
                        "shidi approve {run} {call}{always} · shidi refuse {run} {call} --reason TEXT"
                    ));
                }
                UserPrompt::Question { text, asked } => {
                    self.console.note(Look::Strong, &words.asks(text));
                    for line in &asked.lines {
                        self.console.note(Look::Plain, line);
                    }
                    self.console
                        .hint(&format!("shidi answer {run} {}", asked.shape()));
                }
            }
        }
        if self.waiting.is_empty() {
            self.console.note(Look::Strong, words.still_waiting());
            self.console.hint(&format!("shidi resume {run}"));
        }
        Ok(Exit::Suspended)
    }

    /// The result of a program that waits: there is none yet, and its error says for what.
    fn unfinished(&self) -> ExecResult {
        let waits = self.waiting.first().map(|waiting| match &waiting.prompt {
            UserPrompt::Approval { tool, .. } => (
                tool.clone(),
                format!("shidi approve {} {}", waiting.run, waiting.call),
            ),
            UserPrompt::Question { text, asked } => (
                text.clone(),
                format!("shidi answer {} {}", waiting.run, asked.shape()),
            ),
        });
        let (what, hint) = waits.unwrap_or_default();
        ExecResult {
            run: self.run.clone(),
            error: Some(ProgramError {
                kind: "Suspended".to_owned(),
                message: self.console.words.program_waits(&what),
                line: 0,
                hint: Some(hint).filter(|hint| !hint.is_empty()),
            }),
            ..ExecResult::default()
        }
    }

    /// Why a run that can't wait ends here.
    fn undecided(&self) -> UserError {
        let words = self.console.words;
        for waiting in &self.waiting {
            let asked = match &waiting.prompt {
                UserPrompt::Approval {
                    tool, args, class, ..
                } => show::wish_line(words, tool, args, *class),
                UserPrompt::Question { text, .. } => words.asks(text),
            };
            self.console.note(Look::Strong, &asked);
        }
        UserError::new(ErrorCode::Task, words.waits_in_vain()).hint(words.how_not_to_wait())
    }
}

fn exit_of(status: RunStatus, error: Option<UserError>) -> Exit {
    match (status, error) {
        (RunStatus::Failed, Some(error)) => Exit::Because(error.code),
        (status, _) => Exit::of_run(status),
    }
}

/// Whether something is told to who decides, such as why their answer does not fit, and not of the work.
fn is_to_the_user(event: &RunEventKind) -> bool {
    matches!(event, RunEventKind::Notification { source, .. } if source.is_empty())
}
