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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// The beginning of what it printed.
    Printed(String),
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
        print(result, source, &before, console)?;
    }
    Ok(if result.ok { Exit::Done } else { Exit::TaskFailed })
}

fn print(result: &ExecResult, source: Source<'_>, before: &Before, console: &Console) -> Result<(), Failure> {
    if let Before::Printed(shown) = before {
        // A result that begins otherwise is shown whole: twice is better than not at all.
        let rest = result.stdout.strip_prefix(shown.as_str());
        console.write(rest.unwrap_or(&result.stdout))?;
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
            console.hint(&console.words.language().remedy(hint));
        }
    }
    Ok(())
}
