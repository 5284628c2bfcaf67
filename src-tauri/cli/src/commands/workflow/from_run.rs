//! `shidi workflow from-run`: a finished run as the text of a workflow, printed for a look. Where it is to be kept, it is seen to
//! work with other values before.

use super::super::replay;
use super::super::review::decided;
use super::texts;
use crate::client::{ask, work};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::request::workflows;
use shidi_protocol::{Replay, RunId, reply};
use shidi_runtime::callable;
use shidi_workflow::Parameter;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    run: String,
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[arg(long, visible_alias = "set", value_name = "NAME=VALUE", requires = "save")]
    input: Vec<String>,
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    #[arg(long, requires = "save")]
    replace: bool,
    #[arg(long, requires = "save")]
    yes: bool,
}

/// Values that a workflow takes.
fn values_of(text: &str) -> Vec<Parameter> {
    let workflow = shidi_workflow::read(&"draft".into(), text.as_bytes());
    workflow.map(|workflow| workflow.parameters).unwrap_or_default()
}

/// Refuses a value that the workflow would not take, before anything runs with it.
fn fitting(
    parameters: &[Parameter],
    inputs: &BTreeMap<String, String>,
    language: Language,
) -> Result<(), Failure> {
    let say = language.workflow();
    let unfit = parameters.iter().find(|parameter| {
        let given = inputs.get(&parameter.name);
        given.is_some_and(|text| parameter.kind.of(Value::String(text.clone())).is_none())
    });
    match unfit {
        Some(Parameter { name, kind, .. }) => Err(Failure::input(
            say.value_of_other_type(name, kind.name()),
            say.replay_first(name),
        )),
        None => Ok(()),
    }
}

/// Refuses the name of another workflow before anything runs. The very same may be kept again.
async fn unclaimed(draft: &reply::WorkflowDraft, replace: bool, options: &Options) -> Result<(), Failure> {
    if replace {
        return Ok(());
    }
    let name = draft.name.clone();
    let there = ask(workflows::Show { name }, options).await.ok();
    match there.filter(|there| there.workflow.text != draft.text) {
        Some(_) => {
            let say = options.language().workflow();
            Err(Failure::input(say.there_differs(&draft.name), say.replace_it()))
        }
        None => Ok(()),
    }
}

/// Prints what the run would be, or keeps it under a name.
pub async fn draft(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let run = RunId::from(arguments.run.as_str());
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
    if !console.is_json() && values_of(&draft.text).is_empty() {
        let say = console.words.language().workflow();
        console.note(Look::Plain, say.no_values());
        console.hint(say.add_a_value());
    }
    match &arguments.save {
        Some(name) => {
            if let Some(exit) = kept(name, &draft, &arguments, (options, console)).await? {
                return Ok(exit);
            }
        }
        None => show(&draft, console)?,
    }
    if let Some(path) = arguments.evaluation {
        std::fs::write(&path, &draft.evaluation).map_err(|cause| {
            let words = console.words;
            Failure::input(words.not_written(cause, path.display()), words.check_the_path())
        })?;
    }
    Ok(Exit::Done)
}

fn show(draft: &reply::WorkflowDraft, console: &Console) -> Result<(), Failure> {
    let reply::WorkflowDraft {
        name,
        text,
        evaluation,
        programs,
        replayed,
    } = draft;
    if console.is_json() {
        return console.json(&json!({
            "name": name,
            "text": text,
            "evaluation": evaluation,
            "programs": programs,
            "replayed": replayed,
        }));
    }
    console.write(text)?;
    console.note(Look::Dim, console.words.language().workflow().keep_it_so());
    Ok(())
}

/// Keeps the workflow; where it is not kept after all, how the command ends.
async fn kept(
    name: &str,
    draft: &reply::WorkflowDraft,
    arguments: &Arguments,
    (options, console): (&Options, &Console),
) -> Result<Option<Exit>, Failure> {
    let say = console.words.language().workflow();
    unclaimed(draft, arguments.replace, options).await?;
    if !arguments.yes && !console.is_json() {
        console.write(&draft.text)?;
    }
    if let Some(exit) = replayed(draft, arguments, (options, console)).await? {
        return Ok(Some(exit));
    }
    // What it may do is in it.
    let question = say.really_keep(callable(name));
    if !decided(arguments.yes, question, console)? {
        return Ok(Some(Exit::Done));
    }
    let request = workflows::Save {
        name: name.to_owned(),
        text: draft.text.clone(),
        replace: arguments.replace,
    };
    let kept = ask(request, options).await?.workflow;
    match console.is_json() {
        true => console.json(&kept)?,
        false => console.note(Look::Dim, &say.kept_under(&kept.workflow.name)),
    }
    // Nobody has seen them in its text.
    if arguments.yes && !console.is_json() {
        for permission in &kept.permissions {
            console.note(Look::Plain, &say.may_do(permission));
        }
    }
    Ok(None)
}

/// Replays the run with the given values. Without any it was replayed before, or a person is told that it was not. With
/// `--yes` nobody reads that, so it is refused. Where the replay comes to no good end, how the command ends.
async fn replayed(
    draft: &reply::WorkflowDraft,
    arguments: &Arguments,
    (options, console): (&Options, &Console),
) -> Result<Option<Exit>, Failure> {
    let language = options.language();
    let say = language.workflow();
    let inputs = texts(&arguments.input, language)?;
    let values = values_of(&draft.text);
    fitting(&values, &inputs, language)?;
    let mut is_replayed = draft.replayed;
    if !inputs.is_empty() {
        let run = RunId::from(arguments.run.as_str());
        let again = workflows::FromRun {
            run: run.clone(),
            name: None,
        };
        let request = replay::request(Replay { run, inputs }, language.code());
        let exit = work(request, options, console).await?;
        if exit != Exit::Done {
            console.note(Look::Strong, say.not_kept());
            if exit == Exit::Suspended {
                console.hint(say.decide_then_keep());
            }
            return Ok(Some(exit));
        }
        // The values of then show nothing new.
        is_replayed = ask(again, options).await?.replayed;
    }
    let first = values.first().filter(|_| !is_replayed);
    let Some(Parameter { name: first, .. }) = first else {
        return Ok(None);
    };
    if arguments.yes {
        return Err(Failure::input(say.not_replayed(), say.replay_first(first)));
    }
    if !console.is_json() {
        console.note(Look::Strong, say.not_replayed());
        console.hint(&say.replay_first(first));
    }
    Ok(None)
}
