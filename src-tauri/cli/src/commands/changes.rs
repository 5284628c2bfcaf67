//! `shidi changes`: what tasks changed in files, and taking it back.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::changes;
use shidi_protocol::{FileChange, SessionId, reply};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    Show {
        change: String,
    },
    Undo {
        change: String,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such change, a file that was changed again since.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        None => list(None, options, console).await?,
        Some(Action::List { session }) => list(session.map(SessionId::from), options, console).await?,
        Some(Action::Show { change }) => one(ask(changes::Show { change }, options).await?, console)?,
        Some(Action::Undo { change }) => one(ask(changes::Undo { change }, options).await?, console)?,
    }
    Ok(Exit::Done)
}

async fn list(session: Option<SessionId>, options: &Options, console: &Console) -> Result<(), Failure> {
    let reply::Changes { changes } = ask(changes::List { session }, options).await?;
    if changes.is_empty() && !console.is_json() {
        console.line(console.words.no_changes())?;
    }
    changes.iter().try_for_each(|change| shown(change, console))
}

fn one(reply::Changed { change, diff }: reply::Changed, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&serde_json::json!({"change": change, "diff": diff}));
    }
    shown(&change, console)?;
    if !diff.is_empty() {
        console.line(&diff)?;
    }
    Ok(())
}

fn shown(change: &FileChange, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(change);
    }
    let words = console.words;
    let state = match change {
        FileChange { undone: true, .. } => words.change_undone(),
        FileChange { created: true, .. } => words.change_new(),
        _ => words.change_made(),
    };
    console.line(&format!(
        "{}  {state}  +{} −{}  {}",
        console.painted(Look::Dim, &change.id),
        change.added,
        change.removed,
        console.painted(Look::Strong, &change.path),
    ))
}
