//! `shidi workflow from-run`: a finished run as the text of a workflow, printed for a look; kept when that is said.

use super::super::review::decided;
use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use serde_json::json;
use shidi_protocol::reply;
use shidi_protocol::request::workflows;
use shidi_runtime::callable;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    #[arg(long, requires = "save")]
    replace: bool,
    #[arg(long, requires = "save")]
    yes: bool,
}

/// Whether a workflow takes any values.
fn has_values(text: &str) -> bool {
    let workflow = shidi_workflow::read(&"draft".into(), text.as_bytes());
    workflow.is_ok_and(|workflow| !workflow.parameters.is_empty())
}

/// Prints what the run would be, or keeps it under a name.
pub async fn draft(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let run = arguments.run.into();
    // Before anything is kept: a file of the user's may hold other cases.
    let taken = arguments.evaluation.as_ref().filter(|path| path.exists());
    if let Some(path) = taken.filter(|_| !arguments.replace) {
        let say = console.words.language().workflow();
        return Err(Failure::input(
            say.file_is_there(path.display()),
            say.replace_it(),
        ));
    }
    let name = arguments.save.clone();
    let draft = ask(workflows::FromRun { run, name }, options).await?;
    let reply::WorkflowDraft {
        name,
        text,
        evaluation,
        programs,
    } = &draft;
    if !console.is_json() && !has_values(text) {
        let say = console.words.language().workflow();
        console.note(Look::Plain, say.no_values());
        console.hint(say.add_a_value());
    }
    match arguments.save {
        Some(name) => {
            let say = console.words.language().workflow();
            if !arguments.yes {
                console.write(text)?;
            }
            // What it may do is in it.
            let question = say.really_keep(callable(&name));
            if !decided(arguments.yes, question, console)? {
                return Ok(Exit::Done);
            }
            let (text, replace) = (text.clone(), arguments.replace);
            let kept = ask(workflows::Save { name, text, replace }, options)
                .await?
                .workflow;
            match console.is_json() {
                true => console.json(&kept)?,
                false => console.note(Look::Dim, &say.kept_under(&kept.workflow.name)),
            }
        }
        None if console.is_json() => {
            let told = json!({"name": name, "text": text, "evaluation": evaluation, "programs": programs});
            console.json(&told)?;
        }
        None => {
            console.write(text)?;
            console.note(Look::Dim, console.words.language().workflow().keep_it_so());
        }
    }
    if let Some(path) = arguments.evaluation {
        std::fs::write(&path, evaluation).map_err(|cause| {
            let words = console.words;
            Failure::input(words.not_written(cause, path.display()), words.check_the_path())
        })?;
    }
    Ok(Exit::Done)
}
