//! `shidi doctor`: what works on this machine, and what to do about the rest.

use super::{answered, with_door};
use crate::arguments::Options;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use shidi_protocol::{Check, Reply, Request};

/// Shows every check. A check that finds something is no failure of the command.
///
/// # Errors
/// A data folder that can't be opened.
pub async fn run(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply = with_door(options, async |door| answered(door, Request::Doctor).await).await?;
    let Reply::Doctor { checks } = reply else {
        return Err(Failure::Unanswered);
    };
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

fn line(check: &Check, console: &Console) -> Result<(), Failure> {
    let mark = if check.ok {
        console.painted(Look::Good, "✓")
    } else {
        console.painted(Look::Bad, "✗")
    };
    console.line(&format!(
        "{mark} {}: {}",
        check.name,
        console.painted(Look::Plain, &check.detail)
    ))?;
    match &check.remedy {
        Some(remedy) if !check.ok => {
            console.line(&format!("    hint: {}", console.painted(Look::Plain, remedy)))
        }
        Some(_) | None => Ok(()),
    }
}
