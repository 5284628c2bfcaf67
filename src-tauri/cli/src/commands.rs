//! The commands, one file each: what it takes, what it asks the runtime, how it shows the reply.

pub mod answer;
pub mod approve;
pub mod ask;
pub mod cancel;
pub mod changes;
pub mod companion;
pub mod config;
pub mod desktop;
pub mod doctor;
pub mod exec;
pub mod experience;
pub mod inspect;
pub mod key;
pub mod knowledge;
pub mod mcp;
pub mod memory;
pub mod model;
pub mod refuse;
pub mod replay;
pub mod resume;
pub mod sense;
pub mod session;
pub mod tool;
pub mod trace;

use crate::arguments::{Cli, Command, Options};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::follow::{Followed, follow};
use shidi_protocol::{AttachSource, DesktopSignal, Reply, Request};
use shidi_runtime::{Door, OpenOptions};

/// Carries out what the user typed.
///
/// # Errors
/// Whatever keeps the command from being carried out.
pub async fn run(cli: Cli, console: &Console) -> Result<Exit, Failure> {
    let options = &cli.options;
    match cli.command {
        None => desktop::signal(DesktopSignal::Show, options, console).await,
        Some(Command::Toggle) => desktop::signal(DesktopSignal::Toggle, options, console).await,
        Some(Command::AskScreen) => desktop::ask_screen(options, console).await,
        Some(Command::Sense(arguments)) => sense::run(arguments, options, console).await,
        Some(Command::Quit) => desktop::signal(DesktopSignal::Quit, options, console).await,
        Some(Command::Ask(arguments)) => ask::run(*arguments, options, console).await,
        Some(Command::Replay(arguments)) if arguments.is_preview() => {
            replay::preview(arguments, options, console).await
        }
        Some(Command::Replay(arguments)) => {
            let language = console.words.language.code();
            work(arguments.request(language), options, console).await
        }
        Some(Command::Resume(arguments)) => work(arguments.request(), options, console).await,
        Some(Command::Approve(arguments)) => work(arguments.request(), options, console).await,
        Some(Command::Refuse(arguments)) => work(arguments.request(), options, console).await,
        Some(Command::Answer(arguments)) => work(arguments.request(), options, console).await,
        Some(Command::Cancel(arguments)) => cancel::run(arguments, options, console).await,
        Some(Command::Exec(arguments)) => exec::run(arguments, options, console).await,
        Some(Command::Experience(arguments)) => experience::run(arguments, options, console).await,
        Some(Command::Inspect(arguments)) => inspect::run(arguments, options, console).await,
        Some(Command::Session(arguments)) => session::run(arguments, options, console).await,
        Some(Command::Mcp(arguments)) => mcp::run(arguments, options, console).await,
        Some(Command::Companion(arguments)) => companion::run(arguments, options, console).await,
        Some(Command::Changes(arguments)) => changes::run(arguments, options, console).await,
        Some(Command::Tool(arguments)) => tool::run(arguments, options, console).await,
        Some(Command::Memory(arguments)) => memory::run(arguments, options, console).await,
        Some(Command::Config(arguments)) => config::run(arguments, options, console).await,
        Some(Command::Model(arguments)) => model::run(arguments, options, console).await,
        Some(Command::Key(arguments)) => key::run(arguments, options, console).await,
        Some(Command::Knowledge(arguments)) => knowledge::run(arguments, options, console).await,
        Some(Command::Trace(arguments)) => trace::run(arguments, options, console).await,
        Some(Command::Doctor(arguments)) => doctor::run(arguments, options, console).await,
    }
}

/// Opens the data folder, lets `act` speak through the door, and closes it again.
async fn with_door<T>(
    options: &Options,
    act: impl AsyncFnOnce(&Door) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let door = open(options).await?;
    let outcome = act(&door).await;
    door.close().await;
    outcome
}

async fn open(options: &Options) -> Result<Door, Failure> {
    Ok(Door::open(open_options(options)).await?)
}

fn open_options(options: &Options) -> OpenOptions {
    OpenOptions {
        data_dir: options.data_dir(),
        language: Some(options.language().code().to_owned()),
        ..OpenOptions::default()
    }
}

/// What the user names on the command line: an address, or a path from where they are.
fn source(what: &str) -> AttachSource {
    if what.starts_with("http://") || what.starts_with("https://") {
        return AttachSource::Url { url: what.to_owned() };
    }
    let path = std::path::absolute(what).unwrap_or_else(|_| what.into());
    AttachSource::Path {
        path: path.to_string_lossy().into_owned(),
    }
}

/// Sends a request that has one direct answer.
///
/// # Errors
/// What the runtime says.
pub async fn answered(door: &Door, request: Request) -> Result<Reply, Failure> {
    match door.send(request).next().await {
        Some(Reply::Failed { error }) => Err(error.into()),
        Some(reply) => Ok(reply),
        None => Err(Failure::Unanswered),
    }
}

/// Sends a request that is done without more to say, and says so.
async fn done(request: Request, said: &str, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_door(options, async |door| answered(door, request).await).await?;
    if console.is_json() {
        console.json(&serde_json::json!({"ok": true}))?;
    } else {
        console.line(said)?;
    }
    Ok(Exit::Done)
}

/// Sends a request that starts or continues a run, and follows it.
pub(crate) async fn work(request: Request, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_door(options, async |door| {
        match follow(door, request, console).await? {
            Followed::Run(exit) => Ok(exit),
            Followed::Executed(_) => Err(Failure::Unanswered),
        }
    })
    .await
}
