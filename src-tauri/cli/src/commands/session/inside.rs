//! The inside of a session: the variables of its programs, background jobs, the folders that it works in.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::one_line;
use crate::input;
use crate::limits::ATTRIBUTE_CHARS_MAX;
use crate::options::Options;
use serde_json::json;
use shidi_protocol::request::{folders, jobs, variables};
use shidi_protocol::{SessionId, UserError, reply};
use std::path::PathBuf;

/// Lists variables, after taking one away if one is named.
///
/// # Errors
/// No such session or variable, a task at work in it, storage trouble.
pub async fn variables(
    session: SessionId,
    delete: Option<String>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Variables { variables } = match delete {
        None => ask(variables::List { session }, options).await?,
        Some(name) => ask(variables::Delete { session, name }, options).await?,
    };
    if console.is_json() {
        console.json(&json!({ "variables": variables }))?;
        return Ok(Exit::Done);
    }
    if variables.is_empty() {
        console.note(Look::Plain, console.words.nothing_here());
    }
    for variable in variables {
        let preview = one_line(&variable.preview, ATTRIBUTE_CHARS_MAX);
        let line = format!("{}  {}  {preview}", variable.name, variable.kind);
        console.line(&console.painted(Look::Plain, &line))?;
    }
    Ok(Exit::Done)
}

/// Prints the value of a variable.
///
/// # Errors
/// No such session or variable, storage trouble.
pub async fn variable(
    session: SessionId,
    name: String,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Variable { variable } = ask(variables::Show { session, name }, options).await?;
    if console.is_json() {
        console.json(&variable)?;
        return Ok(Exit::Done);
    }
    console.write(&format!("{}\n", variable.text))?;
    if variable.cut {
        console.note(Look::Dim, console.words.value_cut());
    }
    Ok(Exit::Done)
}

/// Lists background jobs, after ending one if one is named.
///
/// # Errors
/// No such session or job, or one that can't be asked to end.
pub async fn jobs(
    session: SessionId,
    stop: Option<String>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Jobs { jobs } = match stop {
        None => ask(jobs::List { session }, options).await?,
        Some(job) => ask(jobs::Stop { session, job }, options).await?,
    };
    if console.is_json() {
        console.json(&json!({ "jobs": jobs }))?;
        return Ok(Exit::Done);
    }
    if jobs.is_empty() {
        console.note(Look::Plain, console.words.nothing_here());
    }
    for job in jobs {
        let command = one_line(&job.command, ATTRIBUTE_CHARS_MAX);
        let line = format!("{}  {}  {command}", job.id, console.words.job_standing(&job));
        console.line(&console.painted(Look::Plain, &line))?;
        for line in job.lines.lines() {
            console.line(&console.painted(Look::Dim, &format!("  {line}")))?;
        }
    }
    Ok(Exit::Done)
}

/// Lists work folders, after granting one or taking one back.
///
/// # Errors
/// No such session or folder, storage trouble.
pub async fn folders(
    session: SessionId,
    (add, remove): (Option<PathBuf>, Option<PathBuf>),
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Folders { folders } = match (add, remove) {
        (Some(folder), _) => {
            let path = input::folder(&folder, console.words)?;
            ask(folders::Grant { session, path }, options).await?
        }
        (None, Some(folder)) => {
            // One that is gone from the disk can still be taken back, by the name that the list shows.
            let path = folder.canonicalize().unwrap_or(folder).display().to_string();
            ask(folders::Withdraw { session, path }, options).await?
        }
        (None, None) => {
            let (session, paths) = (Some(session), Vec::new());
            ask(folders::List { session, paths }, options).await?
        }
    };
    if console.is_json() {
        console.json(&folders)?;
        return Ok(Exit::Done);
    }
    if folders.folders.is_empty() {
        console.note(Look::Plain, console.words.nothing_here());
    }
    for folder in folders.folders {
        console.line(&console.painted(Look::Plain, &folder.path))?;
    }
    if let Some(UserError { message, hint, .. }) = folders.unconfined {
        console.note(Look::Dim, &[message, hint.unwrap_or_default()].join(". "));
    }
    Ok(Exit::Done)
}
