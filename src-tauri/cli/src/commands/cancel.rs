//! `shidi cancel`: stops a run, wherever it is at work. Of one that was over it says how and when that had ended.

use super::session::local;
use crate::client::ask;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::options::Options;
use serde_json::json;
use shidi_protocol::{RunId, reply, request};

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
    let reply::Cancelled { over, ended } = ask(request::Cancel { run }, options).await?;
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
