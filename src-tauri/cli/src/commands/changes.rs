//! `shidi changes`: what tasks changed in files, and taking it back.

use crate::client::ask;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use shidi_protocol::request::changes;
use shidi_protocol::{ChangeKind, ChangedBytes, FileChange, SessionId, reply};

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
        FileChange { kind, created, .. } => match kind {
            ChangeKind::Write if *created => words.change_new(),
            ChangeKind::Write => words.change_made(),
            ChangeKind::Move => words.change_moved(),
            ChangeKind::Copy => words.change_copied(),
            ChangeKind::Delete => words.change_deleted(),
            ChangeKind::MakeFolder => words.change_folder(),
            ChangeKind::Unpack => words.change_unpacked(),
        },
    };
    let amount = match (change.kind, change.bytes) {
        (ChangeKind::Write, None) => format!("  +{} −{}", change.added, change.removed),
        (ChangeKind::Write, Some(ChangedBytes { before: 0, after })) => format!("  {}", size(after)),
        (ChangeKind::Write, Some(bytes)) => format!("  {} → {}", size(bytes.before), size(bytes.after)),
        (
            ChangeKind::Move
            | ChangeKind::Copy
            | ChangeKind::Delete
            | ChangeKind::MakeFolder
            | ChangeKind::Unpack,
            _,
        ) => String::new(),
    };
    let path = match &change.to {
        // Where a thing lies in the trash is for whoever takes it back.
        Some(to) if change.kind != ChangeKind::Delete => format!("{} → {to}", change.path),
        Some(_) | None => change.path.clone(),
    };
    console.line(&format!(
        "{}  {state}{amount}  {}",
        console.painted(Look::Dim, &change.id),
        console.painted(Look::Strong, &path),
    ))
}

/// A size as people read it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
