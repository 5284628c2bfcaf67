//! `shidi cancel`: stops a run, wherever it is at work, also one of a workflow. Of one that was over it says how and when
//! that had ended.

use super::session::local;
use super::workflow;
use crate::client::with_connection;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::options::Options;
use serde_json::json;
use shidi_protocol::request::workflows;
use shidi_protocol::{ErrorCode, RunId, reply, request};
use shidi_runtime::Connection;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
}

/// Stops the run.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let run = RunId::from(arguments.run);
    with_connection(options, async |connection| stop(run, connection, console).await).await
}

async fn stop(run: RunId, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let error = match connection.ask(request::Cancel { run: run.clone() }).await {
        Ok(cancelled) => return told(cancelled, console),
        Err(error) => error,
    };
    // Runs of workflows are kept apart from those of questions.
    if error.code == ErrorCode::NotFound
        && let Ok(shown) = connection.ask(workflows::RunShow { run }).await
    {
        workflow::cancel(connection, shown.run.run, console).await?;
        return Ok(Exit::Done);
    }
    Err(error.into())
}

fn told(cancelled: reply::Cancelled, console: &Console) -> Result<Exit, Failure> {
    let reply::Cancelled { over, ended } = cancelled;
    let words = console.words;
    match (over, ended) {
        (None, _) if console.is_json() => console.json(&json!({"ok": true}))?,
        (Some(_), _) if console.is_json() => {
            console.json(&json!({"ok": true, "over": over, "ended": ended}))?;
        }
        (None, _) => console.line(words.cancel_sent())?,
        (Some(_), Some(ended)) => {
            console.line(&words.was_over_since(words.status(over), local(ended)))?;
        }
        (Some(_), None) => console.line(&words.was_over(words.status(over)))?,
    }
    Ok(Exit::Done)
}
