//! `shidi workflow validate`: first the file for itself, then whether it can work with what is installed here.

use super::file::WorkflowFile;
use super::{refused, show};
use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use serde_json::json;
use shidi_protocol::request::workflows;
use shidi_protocol::{ErrorCode, WorkflowFault};
use std::path::Path;

/// Checks a file, and prints everything that is wrong with its place and remedy.
///
/// # Errors
/// No runtime can be asked which tools there are.
pub async fn validate(file: &WorkflowFile, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let workflow = match file.read() {
        Ok(workflow) => workflow,
        Err(faults) => return refused(&faults, options.language(), console),
    };
    let stem = Path::new(&file.shown_as).file_stem().unwrap_or_default();
    let check = workflows::Check {
        name: stem.to_string_lossy().into_owned(),
        text: file.text(),
        // One that has none has none: a kept one of its name is another workflow.
        functions: Some(file.functions.clone().unwrap_or_default()),
    };
    let checked = ask(check, options).await?.workflow;
    for fault in &checked.faults {
        told(file, fault, false, console)?;
    }
    for warning in &checked.warnings {
        told(file, warning, true, console)?;
    }
    if checked.faults.is_empty() {
        show::valid(&file.shown_as, &workflow, console)?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Because(ErrorCode::Input))
}

fn told(
    file: &WorkflowFile,
    fault: &WorkflowFault,
    is_warning: bool,
    console: &Console,
) -> Result<(), Failure> {
    let WorkflowFault {
        line,
        column,
        message,
        hint,
    } = fault;
    if console.is_json() {
        let kind = if is_warning { "warning" } else { "fault" };
        return console.json(&json!({
            "type": kind, "file": file.shown_as, "line": line, "column": column, "message": message, "hint": hint,
        }));
    }
    let look = if is_warning { Look::Strong } else { Look::Bad };
    let message = format!("{}:{line}:{column}: {message}", file.shown_as);
    console.line(&console.painted(look, &message))?;
    console.line(&format!("  {}", console.painted(Look::Plain, hint)))
}
