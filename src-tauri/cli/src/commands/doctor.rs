//! `shidi doctor`: what works on this machine, and what to do about the rest.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use shidi_protocol::{Check, reply, request};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(long)]
    rescue: bool,
}

/// Shows every check, or rescues the database. A check that finds something is no failure of the command.
///
/// # Errors
/// A data folder that can't be opened.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    if arguments.rescue {
        return rescue(options, console);
    }
    let reply::Doctor { checks } = ask(request::Doctor, options).await?;
    for check in &checks {
        if console.is_json() {
            console.json(check)?
        } else {
            line(check, console)?
        }
    }
    if checks.iter().all(|check| check.ok) && !console.is_json() {
        console.note(Look::Good, console.words.all_well());
    }
    Ok(Exit::Done)
}

fn rescue(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let Some(rescued) = shidi_runtime::rescue(options.data_dir(), options.language())? else {
        match console.is_json() {
            true => console.json(&serde_json::json!({"sound": true}))?,
            false => console.line(console.words.nothing_to_rescue())?,
        }
        return Ok(Exit::Done);
    };
    if console.is_json() {
        console.json(&rescued)?;
        return Ok(Exit::Done);
    }
    console.line(&console.words.rescued(&rescued))?;
    if rescued.documents > 0 {
        console.line(&console.words.import_again(rescued.documents))?;
    }
    Ok(Exit::Done)
}

fn line(check: &Check, console: &Console) -> Result<(), Failure> {
    let mark = if check.ok {
        console.painted(Look::Good, "✓")
    } else {
        console.painted(Look::Bad, "✗")
    };
    let name = console.words.language().doctor().text(&check.name);
    console.line(&format!(
        "{mark} {}: {}",
        name.unwrap_or(&check.name),
        console.painted(Look::Plain, &check.detail)
    ))?;
    match &check.remedy {
        Some(remedy) if !check.ok => {
            let hint = format!("{}{remedy}", console.words.hint());
            console.line(&format!("    {}", console.painted(Look::Plain, &hint)))
        }
        Some(_) | None => Ok(()),
    }
}
