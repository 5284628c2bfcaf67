//! `shidi workflow`: workflows are listed, shown, checked, tried, brought in and taken out; they run, rest and go on.

mod checking;
mod file;
mod from_run;
mod running;
mod show;

pub use running::cancel;

use crate::client::{ask, with_connection};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::Options;
use clap::Subcommand;
use file::WorkflowFile;
use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::request::workflows;
use shidi_protocol::{ErrorCode, JsonMap, RunId, WorkflowRequest, WorkflowVerdict, reply};
use shidi_workflow::{Event, Fault, Mode, Run, Status, document, import};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Runs that a list shows unless more are wanted.
const RUNS_SHOWN: u32 = 20;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List,
    Show {
        name: String,
    },
    #[command(visible_alias = "check")]
    Validate {
        #[arg(value_name = "FILE|-")]
        file: PathBuf,
    },
    Run(RunArguments),
    Runs {
        run: Option<String>,
        #[arg(long, value_name = "NAME")]
        of: Option<String>,
        #[arg(long, value_name = "N", default_value_t = RUNS_SHOWN)]
        limit: u32,
    },
    Resume {
        run: String,
    },
    Cancel {
        run: String,
    },
    Settle {
        run: String,
        attempt: u64,
        #[command(flatten)]
        verdict: VerdictArguments,
    },
    Forget {
        run: String,
    },
    On {
        name: String,
    },
    Off {
        name: String,
    },
    Remove {
        name: String,
    },
    Import {
        #[arg(value_name = "FILE|-")]
        file: PathBuf,
        #[arg(long)]
        replace: bool,
    },
    Export {
        name: String,
    },
    #[command(visible_alias = "from")]
    FromRun(from_run::Arguments),
    Schema,
}

#[derive(Debug, clap::Args)]
struct RunArguments {
    #[arg(value_name = "NAME|FILE")]
    name: String,
    #[arg(long, visible_alias = "input", value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[arg(long)]
    dry_run: bool,
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    #[arg(long, value_name = "PATTERN")]
    approve: Vec<String>,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct VerdictArguments {
    #[arg(long, value_name = "VALUE")]
    happened: Option<String>,
    #[arg(long)]
    not_happened: bool,
    #[arg(long)]
    give_up: bool,
}

/// Carries out the action.
///
/// # Errors
/// A file that can't be read or written, a name that no workflow has, a run that is not there.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let language = options.language();
    match arguments.action {
        Action::List => show::listed(&ask(workflows::List, options).await?.workflows, console)?,
        Action::Show { name } => return shown(name, options, console).await,
        Action::Validate { file } => {
            return checking::validate(&WorkflowFile::open(&file, language)?, options, console).await;
        }
        Action::Run(arguments) => return started(arguments, options, console).await,
        Action::Runs { run: Some(run), .. } => {
            let run = RunId::from(run);
            let reply::WorkflowRun { run } = ask(workflows::RunShow { run }, options).await?;
            show::run(&run, console)?;
        }
        Action::Runs { run: None, of, limit } => {
            let runs = ask(workflows::Runs { name: of, limit }, options).await?;
            show::listed_runs(&runs.runs, console)?;
        }
        Action::Resume { run } => {
            let run = RunId::from(run);
            return with_connection(options, async |connection| {
                running::resume(connection, run, console).await
            })
            .await;
        }
        Action::Cancel { run } => {
            let run = RunId::from(run);
            return with_connection(options, async |connection| {
                running::cancel(connection, run, console).await
            })
            .await;
        }
        Action::Settle {
            run,
            attempt,
            verdict,
        } => {
            let (run, verdict) = (run.into(), verdict.verdict());
            let request = WorkflowRequest::Settle {
                run,
                attempt,
                verdict,
            };
            return followed(request, options, console).await;
        }
        Action::Forget { run } => {
            let reply::Done = ask(workflows::RunDelete { run: run.into() }, options).await?;
        }
        Action::On { name } => switched(name, true, options, console).await?,
        Action::Off { name } => switched(name, false, options, console).await?,
        Action::Remove { name } => {
            show::listed(
                &ask(workflows::Remove { name }, options).await?.workflows,
                console,
            )?;
        }
        Action::Import { file, replace } => return brought_in(&file, replace, options, console).await,
        Action::FromRun(run) => return from_run::draft(run, options, console).await,
        Action::Export { name } => return exported(name, options, console).await,
        Action::Schema => console.write(shidi_workflow::SCHEMA)?,
    }
    Ok(Exit::Done)
}

impl VerdictArguments {
    fn verdict(self) -> WorkflowVerdict {
        match self.happened {
            Some(value) => WorkflowVerdict::Happened {
                value: value_of(&value),
            },
            None if self.not_happened => WorkflowVerdict::NotHappened,
            None => WorkflowVerdict::GiveUp,
        }
    }
}

async fn switched(name: String, on: bool, options: &Options, console: &Console) -> Result<(), Failure> {
    show::listed(
        &ask(workflows::Switch { name, on }, options).await?.workflows,
        console,
    )
}

/// The file as it stands, or as JSON, which is read again as well.
async fn exported(name: String, options: &Options, console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        return shown(name, options, console).await;
    }
    console.write(&ask(workflows::Show { name }, options).await?.workflow.text)?;
    Ok(Exit::Done)
}

async fn shown(name: String, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let shown = ask(workflows::Show { name }, options).await?.workflow;
    let file = WorkflowFile::kept(&shown.workflow.name, &shown.text);
    match file.read() {
        Ok(workflow) if console.is_json() => console.json(&document(&workflow))?,
        Ok(_) => console.write(&shown.text)?,
        Err(faults) => return refused(&faults, options.language(), console),
    }
    Ok(Exit::Done)
}

/// Prints what is wrong, each with its place and remedy.
fn refused(faults: &[Fault], language: Language, console: &Console) -> Result<Exit, Failure> {
    for fault in faults {
        show::fault(fault, language, console)?;
    }
    Ok(Exit::Because(ErrorCode::Input))
}

async fn followed(request: WorkflowRequest, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        running::follow(connection, request, console).await
    })
    .await
}

/// Runs a workflow, or a file that is kept nowhere.
async fn started(arguments: RunArguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let language = options.language();
    let RunArguments {
        name,
        set,
        dry_run,
        folder,
        approve,
    } = arguments;
    let inputs = values(&set, language)?;
    let file = match Path::new(&name) {
        path if path.is_file() => Some(WorkflowFile::open(path, language)?),
        _ => None,
    };
    if let Some(Err(faults)) = file.as_ref().map(WorkflowFile::read) {
        return refused(&faults, language, console);
    }
    if dry_run {
        let file = match file {
            Some(file) => file,
            None => {
                let text = ask(workflows::Show { name: name.clone() }, options)
                    .await?
                    .workflow
                    .text;
                WorkflowFile::kept(&name, &text)
            }
        };
        return tried(&file, inputs, language, console);
    }
    let words = console.words;
    let folders = folder
        .iter()
        .map(|path| input::folder(path, words))
        .collect::<Result<_, _>>()?;
    let request = WorkflowRequest::Run {
        name,
        inputs,
        functions: file.as_ref().and_then(|file| file.functions.clone()),
        text: file.map(|file| file.text()),
        folders,
        approve,
        own_list: false,
    };
    followed(request, options, console).await
}

/// A run that does nothing and tells each step.
fn tried(
    file: &WorkflowFile,
    inputs: JsonMap,
    language: Language,
    console: &Console,
) -> Result<Exit, Failure> {
    let workflow = match file.read() {
        Ok(workflow) => workflow,
        Err(faults) => return refused(&faults, language, console),
    };
    let mut run = match Run::new(&workflow, Mode::Dry, inputs, "") {
        Ok(run) => run,
        Err(faults) => {
            let first = faults.first().map(|fault| fault.told(language));
            return first.map_or(Ok(Exit::Done), |error| Err(Failure::User(error)));
        }
    };
    let turn = run.handle(&workflow, Event::Started, 0);
    for effect in &turn.effects {
        show::effect(effect, language, console)?;
    }
    if console.is_json() {
        show::ended(&run, console)?;
    }
    match &run.status {
        Status::Failed { .. } => Ok(Exit::TaskFailed),
        Status::Cancelled => Ok(Exit::Cancelled),
        Status::Ready | Status::Running | Status::Done => Ok(Exit::Done),
    }
}

/// Values as `NAME=VALUE` gives them.
///
/// # Errors
/// A word without `=`, or a name that is given twice.
pub fn values(set: &[String], language: Language) -> Result<JsonMap, Failure> {
    let texts = texts(set, language)?.into_iter();
    Ok(texts.map(|(name, text)| (name, value_of(&text))).collect())
}

/// As [`values`], each as the text that it is.
///
/// # Errors
/// As [`values`].
pub fn texts(set: &[String], language: Language) -> Result<BTreeMap<String, String>, Failure> {
    let say = language.workflow();
    let mut texts = BTreeMap::new();
    for pair in set {
        let (name, text) = pair
            .split_once('=')
            .ok_or_else(|| Failure::input(say.no_pair(pair), say.pair_example()))?;
        if texts.insert(name.to_owned(), text.to_owned()).is_some() {
            return Err(Failure::input(say.given_twice(name), say.give_once(name)));
        }
    }
    Ok(texts)
}

fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

async fn brought_in(
    path: &Path,
    replace: bool,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let language = options.language();
    let file = WorkflowFile::open(path, language)?;
    // Here every fault is shown; the runtime tells the first.
    if let Err(faults) = import(&file.shown_as.as_str().into(), &file.bytes) {
        return refused(&faults, language, console);
    }
    let request = workflows::Import {
        file: file.shown_as.clone(),
        text: file.text(),
        replace,
    };
    let imported = ask(request, options).await?;
    show::imported(&imported, console)?;
    Ok(Exit::Done)
}
