//! `shidi schedule`: what happens at a time by itself is added, with its dates shown first, looked at, paused and removed.

mod change;
mod service;
mod show;

use super::review::decided;
use super::workflow::values;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::interrupt::Interrupts;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::{schedules, workflows};
use shidi_protocol::{
    ErrorCode, MissedPolicy, Reply, Request, ScheduleDraft, ScheduleRequest, ScheduleTask, ScheduleTime,
    ScheduleWords, reply,
};
use shidi_runtime::{Connection, Replies};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Records that a history shows unless more are wanted.
const RUNS_SHOWN: u32 = 20;

/// Words that say that a time comes again.
const AGAIN: [&str; 5] = ["every", "each", "daily", "weekly", "monthly"];

/// How often somebody who watches comes back when the process that answered has ended.
const CONNECT_EVERY: Duration = Duration::from_secs(1);

/// How long a run's news are waited for before its record is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List,
    Add(Box<AddArguments>),
    Change(Box<change::ChangeArguments>),
    Pause {
        id: String,
    },
    Resume {
        id: String,
    },
    Run {
        id: String,
    },
    Remove {
        id: String,
        #[arg(long)]
        yes: bool,
    },
    History {
        id: Option<String>,
        #[arg(long, value_name = "N", default_value_t = RUNS_SHOWN)]
        limit: u32,
    },
    Watch,
    Service {
        #[command(subcommand)]
        action: service::Service,
    },
}

#[derive(Debug, clap::Args)]
#[command(mut_group("WhenArguments", |group| group.required(true)))]
struct AddArguments {
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    when: WhenArguments,
    #[arg(long, conflicts_with = "workflow")]
    remind: bool,
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    workflow: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", requires = "workflow")]
    set: Vec<String>,
    #[arg(long, value_name = "NAME")]
    assistant: Option<String>,
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    #[arg(long, value_name = "PATTERN")]
    approve: Vec<String>,
    #[arg(long, value_name = "NAME")]
    zone: Option<String>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_usd: Option<f64>,
    #[arg(long)]
    skip_missed: bool,
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct WhenArguments {
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    #[arg(long, value_name = "TIME")]
    every: Option<String>,
    #[arg(long, value_name = "CRONTAB")]
    cron: Option<String>,
    #[arg(long, value_name = "WORDS")]
    when: Option<String>,
    #[arg(long, value_name = "PATH")]
    on_change: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    on_job: Option<String>,
}

/// Carries out the action.
///
/// # Errors
/// Words that are no time, a schedule that is not there, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    // This action needs no data folder.
    if let Action::Service { action } = arguments.action {
        return service::serve(action, options, console);
    }
    if matches!(arguments.action, Action::Watch) {
        return watch(options, console).await;
    }
    with_connection(options, async |connection| {
        perform(arguments.action, connection, console).await
    })
    .await
}

async fn perform(action: Action, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    match action {
        Action::List => show::listed(&connection.ask(schedules::List).await?.schedules, console)?,
        Action::Add(arguments) => return add(*arguments, connection, console).await,
        Action::Change(arguments) => return change::change(*arguments, connection, console).await,
        Action::Pause { id } => switch(id, false, connection, console).await?,
        Action::Resume { id } => switch(id, true, connection, console).await?,
        Action::Run { id } => return run_now(id, connection, console).await,
        Action::Remove { id, yes } => {
            let say = console.words.language().schedule();
            if !decided(yes, say.really_remove(&id), console)? {
                return Ok(Exit::Done);
            }
            show::listed(
                &connection.ask(schedules::Remove { id }).await?.schedules,
                console,
            )?;
        }
        Action::History { id, limit } => {
            show::history(
                &connection.ask(schedules::History { id, limit }).await?.runs,
                console,
            )?;
        }
        // They open no connection, or one after the other.
        Action::Watch | Action::Service { .. } => {}
    }
    Ok(Exit::Done)
}

async fn switch(id: String, on: bool, connection: &Connection, console: &Console) -> Result<(), Failure> {
    let reply::Schedule { schedule } = connection.ask(schedules::Switch { id, on }).await?;
    show::one(&schedule, console)
}

/// Shows first when it happens and what it may do by itself, and keeps it when its user says so.
async fn add(arguments: AddArguments, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    let (words, yes) = (arguments.when.words(), arguments.yes);
    let is_once = arguments.when.at.is_some();
    let mut draft = arguments.draft(words.clone(), console)?;
    if let ScheduleTask::Workflow { name, .. } = &draft.task {
        let name = name.clone();
        let of_file = connection
            .ask(workflows::Show { name })
            .await?
            .workflow
            .permissions;
        draft.approve.splice(0..0, of_file);
    }
    // What would be refused is not shown first.
    let shown = draft.clone();
    connection.ask(schedules::Check { draft: shown }).await?;
    let zone = draft.zone.clone();
    let reply::ScheduleTimes { dates } = connection.ask(schedules::Read { words, zone }).await?;
    let say = console.words.language().schedule();
    if is_once && !matches!(dates.time, ScheduleTime::Once { .. }) {
        return Err(Failure::input(say.not_once(), say.say_every()));
    }
    if !console.is_json() {
        show::dates(&dates, console)?;
        show::allowed(&draft, console)?;
    }
    if !decided(yes, say.really_add().to_owned(), console)? {
        return Ok(Exit::Done);
    }
    // What was looked at is what is kept.
    let time = (!yes).then_some(dates.time);
    let reply::Schedule { schedule } = connection.ask(schedules::Add { draft, time }).await?;
    show::one(&schedule, console)?;
    Ok(Exit::Done)
}

impl WhenArguments {
    fn words(&self) -> ScheduleWords {
        let plain = |text: &str| ScheduleWords::Plain {
            text: text.to_owned(),
        };
        match self {
            Self { cron: Some(text), .. } => ScheduleWords::Cron { text: text.clone() },
            Self {
                on_change: Some(path),
                ..
            } => ScheduleWords::Change {
                path: whole(path).display().to_string(),
            },
            Self {
                on_job: Some(name), ..
            } => ScheduleWords::Job { name: name.clone() },
            Self {
                every: Some(text), ..
            } => plain(&again(text)),
            Self { at, when, .. } => plain(at.as_ref().or(when.as_ref()).map_or("", String::as_str)),
        }
    }
}

/// A number of dollars; JSON has no other ones.
fn dollars(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "1.5".to_owned())
}

/// The whole path; one that begins at its user's folder, which a shell leaves alone in quotes, is whole.
fn whole(path: &Path) -> PathBuf {
    // `~bob` is refused later, in words.
    match path.to_string_lossy().starts_with('~') {
        true => path.to_owned(),
        false => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
    }
}

/// `--every "20 minutes"` says what `every 20 minutes` says. Words that say it themselves, also behind a zone, stay.
fn again(text: &str) -> String {
    let text = text.trim();
    let is_han = text
        .chars()
        .any(|character| ('\u{4e00}'..='\u{9fff}').contains(&character));
    let lower = text.to_lowercase();
    let mut words = lower.split(|character: char| !character.is_alphanumeric());
    let says_it = match is_han {
        true => text.contains('\u{6bcf}'),
        false => lower.ends_with("ly") || words.any(|word| AGAIN.contains(&word)),
    };
    match (says_it, is_han) {
        (true, _) => text.to_owned(),
        (false, true) => format!("\u{6bcf}{text}"),
        (false, false) => format!("every {text}"),
    }
}

impl AddArguments {
    fn draft(self, words: ScheduleWords, console: &Console) -> Result<ScheduleDraft, Failure> {
        if self.workflow.is_none() && !self.set.is_empty() {
            let say = console.words.language().schedule();
            return Err(Failure::input(say.values_of_nothing(), say.name_a_workflow()));
        }
        let task = match (self.workflow, self.text, self.remind) {
            (Some(name), _, _) => ScheduleTask::Workflow {
                name,
                inputs: values(&self.set, console.words.language())?,
            },
            (None, text, true) => ScheduleTask::Reminder {
                text: text.unwrap_or_default(),
            },
            (None, text, false) => ScheduleTask::Question {
                text: text.unwrap_or_default(),
            },
        };
        let folders = self.folder.iter().map(|path| input::folder(path, console.words));
        Ok(ScheduleDraft {
            task,
            words,
            missed: match self.skip_missed {
                true => MissedPolicy::Skip,
                false => MissedPolicy::Once,
            },
            assistant: self.assistant,
            zone: self.zone,
            folders: folders.collect::<Result<_, _>>()?,
            approve: self.approve,
            max_tokens: self.max_tokens,
            max_usd: self.max_usd,
        })
    }
}

fn watched() -> Request {
    Request::Schedules {
        action: ScheduleRequest::Watch,
    }
}

/// Does it once and follows it to its end.
async fn run_now(id: String, connection: &Connection, console: &Console) -> Result<Exit, Failure> {
    // What else is due is not begun by it.
    let mut news = connection.send(Request::Watch).watching().await?;
    let reply::Schedule { schedule } = connection.ask(schedules::Run { id }).await?;
    loop {
        match tokio::time::timeout(LOOK_EVERY, news.next()).await {
            Ok(Some(Reply::ScheduleChanged { run, .. })) if run.schedule == schedule.id => {
                show::run(&run, console)?;
                if let Some(outcome) = run.outcome {
                    return Ok(show::exit_of(outcome));
                }
            }
            Ok(Some(Reply::Failed { error })) => return Err(error.into()),
            Ok(Some(_)) => {}
            Ok(None) => return Err(Failure::Unanswered),
            // Its end may have come before anybody listened.
            Err(_) => {
                let id = Some(schedule.id.clone());
                let runs = connection.ask(schedules::History { id, limit: 1 }).await?.runs;
                if let Some((run, outcome)) = runs.first().and_then(|run| Some((run, run.outcome?))) {
                    show::run(run, console)?;
                    return Ok(show::exit_of(outcome));
                }
            }
        }
    }
}

/// Does what is due until Ctrl-C, and tells of it. While another process has the data folder, that one does it if it stays.
async fn watch(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let mut interrupts = Interrupts::listen();
    let mut is_first = true;
    loop {
        let told = with_connection(options, async |connection| {
            let news = connection.send(watched());
            if std::mem::take(&mut is_first) {
                console.note(Look::Dim, console.words.language().schedule().is_watching());
            }
            tell(news, &mut interrupts, console).await
        });
        if let Some(exit) = told.await? {
            return Ok(exit);
        }
        tokio::select! {
            () = tokio::time::sleep(CONNECT_EVERY) => {}
            () = interrupts.pressed() => return Ok(Exit::Done),
        }
    }
}

/// Tells what is done; `None` when the process that does it has ended.
async fn tell(
    mut news: Replies,
    interrupts: &mut Interrupts,
    console: &Console,
) -> Result<Option<Exit>, Failure> {
    loop {
        let reply = tokio::select! {
            reply = news.next() => reply,
            () = interrupts.pressed() => return Ok(Some(Exit::Done)),
        };
        match reply {
            Some(Reply::ScheduleChanged { run, told }) => {
                show::run(&run, console)?;
                if let Some(text) = told.filter(|_| !console.is_json()) {
                    show::told(&text, console)?;
                }
            }
            // The process that answered is gone, or does not stay.
            Some(Reply::Failed { error }) if error.code == ErrorCode::System => return Ok(None),
            Some(Reply::Failed { error }) => return Err(error.into()),
            Some(_) => {}
            None => return Ok(None),
        }
    }
}
