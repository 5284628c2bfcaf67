//! The result of a program of the user's own, as Python would show it, or as one JSON object.

use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::python;
use serde_json::Value;
use shidi_protocol::ExecResult;

/// A program as its errors name it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub text: &'a str,
    pub file: &'a str,
}

/// A program that another command has begun: its text is not at hand.
pub const ELSEWHERE: Source<'_> = Source {
    text: "",
    file: "<program>",
};

/// How much of a run has been shown before its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Nothing,
    /// Its events, and with them what it printed and said.
    Events,
}

/// Shows the result; a failed program ends with [`Exit::TaskFailed`].
///
/// # Errors
/// Output that can't be written.
pub fn show(
    result: &ExecResult,
    source: Source<'_>,
    before: Before,
    console: &Console,
) -> Result<Exit, Failure> {
    if console.is_json() {
        console.json(result)?;
    } else {
        print(result, source, before, console)?;
    }
    Ok(if result.ok { Exit::Done } else { Exit::TaskFailed })
}

fn print(result: &ExecResult, source: Source<'_>, before: Before, console: &Console) -> Result<(), Failure> {
    if before == Before::Nothing {
        console.write(&result.stdout)?;
        if !result.stdout.is_empty() && !result.stdout.ends_with('\n') {
            console.write("\n")?;
        }
    }
    if result.value != Value::Null {
        console.write(&python::repr(&result.value))?;
        console.write("\n")?;
    }
    if let Some(error) = &result.error {
        console.note(Look::Bad, &python::traceback(error, source.text, source.file));
        if let Some(hint) = &error.hint {
            console.hint(&console.words.remedy(hint));
        }
    }
    Ok(())
}
