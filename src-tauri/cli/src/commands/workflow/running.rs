//! Follows a run of a workflow and shows the standing of its steps. Asks the person who sits here, and turns Ctrl-C
//! into a cancel.

use super::show;
use crate::commands::session::local;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::follow::{self, Followed};
use crate::interrupt::Interrupts;
use shidi_protocol::request::workflows;
use shidi_protocol::{Reply, Request, RunId, WorkflowRequest, WorkflowRunView, WorkflowStatus, reply};
use shidi_runtime::{Connection, Replies};

/// Sends a request and follows the run to its end, or until it waits for somebody who is not here.
pub async fn follow(
    connection: &Connection,
    request: WorkflowRequest,
    console: &Console,
) -> Result<Exit, Failure> {
    let mut replies = send(connection, request);
    loop {
        let run = listen(connection, &mut replies, console).await?;
        if run.status != WorkflowStatus::Waiting {
            show::result(&run, console)?;
            if run.status == WorkflowStatus::Cancelled && !console.is_json() {
                console.line(console.words.language().workflow().run_stopped())?;
            }
            return Ok(exit_of(run.status));
        }
        if console.is_json() {
            show::result(&run, console)?;
            return Ok(Exit::Suspended);
        }
        show::uncertain(&run, console);
        if !decided(connection, &run, console).await? {
            console.hint(&format!("shidi workflow resume {}", run.run));
            return Ok(Exit::Suspended);
        }
        replies = send(connection, WorkflowRequest::Resume { run: run.run });
    }
}

/// Cancels a run and follows it to its end. Of one that was over it says so, with what that had come to.
pub async fn cancel(connection: &Connection, run: RunId, console: &Console) -> Result<Exit, Failure> {
    let cancel = |run| WorkflowRequest::Cancel { run };
    unless_over(connection, run, console, cancel).await
}

/// Goes on with a run and follows it to its end. Of one that was over it says so, as [`cancel`] does.
pub async fn resume(connection: &Connection, run: RunId, console: &Console) -> Result<Exit, Failure> {
    let resume = |run| WorkflowRequest::Resume { run };
    unless_over(connection, run, console, resume).await
}

/// Sends the request and follows the run, unless that is over.
async fn unless_over(
    connection: &Connection,
    run: RunId,
    console: &Console,
    request: fn(RunId) -> WorkflowRequest,
) -> Result<Exit, Failure> {
    let reply::WorkflowRun { run } = connection.ask(workflows::RunShow { run }).await?;
    let Some(ended) = run.ended else {
        return follow(connection, request(run.run), console).await;
    };
    if !console.is_json() {
        let language = console.words.language();
        let status = show::status(&run, language);
        console.line(&language.workflow().was_over(status, local(ended)))?;
    }
    show::result(&run, console)?;
    Ok(exit_of(run.status))
}

fn send(connection: &Connection, action: WorkflowRequest) -> Replies {
    connection.send(Request::Workflows { action })
}

/// Asks for what the programs of steps wait for; whether one of them went on.
async fn decided(connection: &Connection, run: &WorkflowRunView, console: &Console) -> Result<bool, Failure> {
    let mut programs: Vec<&RunId> = run.waiting.iter().map(|card| &card.event.run).collect();
    programs.dedup();
    let mut has_gone_on = false;
    for program in programs {
        let resume = Request::Resume {
            run: Some(program.clone()),
        };
        match follow::follow(connection, resume, console).await? {
            Followed::Run(Exit::Suspended) => {}
            Followed::Run(_) | Followed::Executed { .. } => has_gone_on = true,
        }
    }
    Ok(has_gone_on)
}

/// Shows what comes until the run ends or waits.
async fn listen(
    connection: &Connection,
    replies: &mut Replies,
    console: &Console,
) -> Result<WorkflowRunView, Failure> {
    let mut interrupts = Interrupts::listen();
    let mut run: Option<RunId> = None;
    // Its replies are kept until the run has ended.
    let mut cancelling: Option<Replies> = None;
    loop {
        let reply = tokio::select! {
            reply = replies.next() => reply,
            () = interrupts.pressed(), if cancelling.is_none() => {
                if let Some(run) = run.clone() {
                    cancelling = Some(send(connection, WorkflowRequest::Cancel { run }));
                }
                continue;
            }
        };
        match reply {
            Some(Reply::WorkflowStep { run: of, step }) => {
                run = Some(of);
                show::step(&step, console)?;
            }
            Some(Reply::Event { event }) if console.is_json() => console.json(&event)?,
            Some(Reply::Event { .. }) => {}
            Some(Reply::WorkflowRun { run }) => return Ok(run),
            Some(Reply::Failed { error }) => return Err(error.into()),
            Some(_) | None => return Err(Failure::Unanswered),
        }
    }
}

fn exit_of(status: WorkflowStatus) -> Exit {
    match status {
        WorkflowStatus::Done => Exit::Done,
        WorkflowStatus::Failed => Exit::TaskFailed,
        WorkflowStatus::Cancelled => Exit::Cancelled,
        WorkflowStatus::Running | WorkflowStatus::Waiting | WorkflowStatus::Resting => Exit::Suspended,
    }
}
