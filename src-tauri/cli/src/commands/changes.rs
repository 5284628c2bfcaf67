//! `shidi changes`: what tasks changed in files, and taking it back.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::{ChangeRequest, FileChange, Reply, Request, SessionId};

/// What tasks changed in files: see it, take it back
#[derive(Debug, clap::Args)]
#[command(after_help = help::CHANGES)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Changed files, newest first
    List {
        /// Those of one conversation only
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// How a file differs from what stood there before
    Show {
        /// The id from the list, or a part of it, or `last`
        change: String,
    },
    /// Put back what stood there before; left alone when the file was changed again since
    Undo {
        /// The id from the list, or a part of it, or `last`
        change: String,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such change, a file that was changed again since.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let action = match arguments.action {
        None => ChangeRequest::List { session: None },
        Some(Action::List { session }) => ChangeRequest::List {
            session: session.map(SessionId::from),
        },
        Some(Action::Show { change }) => ChangeRequest::Show { change },
        Some(Action::Undo { change }) => ChangeRequest::Undo { change },
    };
    let request = Request::Changes { action };
    match with_connection(options, async |connection| answered(connection, request).await).await? {
        Reply::Changes { changes } if changes.is_empty() && !console.is_json() => {
            console.line(words.no_changes())?;
        }
        Reply::Changes { changes } => {
            for change in &changes {
                shown(change, console)?;
            }
        }
        Reply::Changed { change, diff } if console.is_json() => {
            console.json(&serde_json::json!({"change": change, "diff": diff}))?;
        }
        Reply::Changed { change, diff } => {
            shown(&change, console)?;
            if !diff.is_empty() {
                console.line(&diff)?;
            }
        }
        _ => return Err(Failure::Unanswered),
    }
    Ok(Exit::Done)
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
