//! `shidi approve`, `refuse` and `answer`: what waited goes on. Where it is a step of a workflow, the next command is
//! named: nothing else goes on with the workflow.

use crate::client::{followed, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::options::Options;
use shidi_protocol::request::workflows;
use shidi_protocol::{Request, RunId, WorkflowStatus, reply};
use shidi_runtime::Connection;

/// The workflow's run that a step's program works for, and the command that goes on with it.
struct Next {
    workflow: RunId,
    command: String,
}

/// Sends a decision on what `run` waits for, follows the run, and names the next command.
///
/// # Errors
/// A decision that is refused, or output that can't be written.
pub async fn carried_out(
    run: RunId,
    decision: Request,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        // Before it goes on: `last` may be another run then.
        let next = next_of(connection, run).await;
        let exit = followed(connection, decision, console).await?;
        // A run that waits again has said how to go on with it.
        if let Some(next) = next.filter(|_| exit != Exit::Suspended) {
            tell(connection, next, console).await?;
        }
        Ok(exit)
    })
    .await
}

/// What is gone on with once the program of a step is over; `None` of any other run. A workflow that a program called goes
/// on with that program.
async fn next_of(connection: &Connection, program: RunId) -> Option<Next> {
    let mut next: Option<Next> = None;
    let mut of = program;
    // Whatever keeps it from being found keeps the decision from being made, too.
    while let Ok(reply::WorkflowRun { run }) = connection.ask(workflows::OfProgram { run: of }).await {
        let command = match &run.by {
            Some(by) => format!("shidi resume {by}"),
            None => format!("shidi workflow resume {}", run.run),
        };
        let workflow = next.map_or(run.run, |next| next.workflow);
        next = Some(Next { workflow, command });
        match run.by {
            Some(by) => of = by,
            None => break,
        }
    }
    next
}

/// Names the command, unless another process goes on with the workflow by itself.
async fn tell(connection: &Connection, next: Next, console: &Console) -> Result<(), Failure> {
    let run = next.workflow;
    let reply::WorkflowRun { run } = connection.ask(workflows::RunShow { run }).await?;
    match run.status {
        WorkflowStatus::Resting | WorkflowStatus::Waiting => {
            let say = console.words.language().workflow();
            console.note(Look::Strong, &say.goes_on_by_command(clean(&run.title)));
            console.hint(&next.command);
        }
        WorkflowStatus::Running
        | WorkflowStatus::Done
        | WorkflowStatus::Failed
        | WorkflowStatus::Cancelled => {}
    }
    Ok(())
}
