//! `shidi changes`: what tasks changed in files, and taking it back: one change, or all that a run made.

use super::review::decided;
use crate::client::{ask, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::request::changes;
use shidi_protocol::{ChangeKind, ChangedBytes, FileChange, RunId, SessionId, reply};
use shidi_runtime::Connection;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(long, value_name = "ID", conflicts_with = "run")]
        session: Option<String>,
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        #[arg(long, value_name = "N")]
        limit: Option<u32>,
    },
    Show {
        change: String,
    },
    // What clap writes by itself leaves out that a run does in place of a change.
    #[command(override_usage = "shidi changes undo <CHANGE> | --run <RUN> [--yes]")]
    Undo {
        #[arg(required_unless_present = "run")]
        change: Option<String>,
        #[arg(long, value_name = "RUN", conflicts_with = "change")]
        run: Option<String>,
        #[arg(long)]
        yes: bool,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such change, a file that was changed again since.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        None => list(whole_list(), options, console).await?,
        Some(Action::List { session, run, limit }) => {
            let request = changes::List {
                session: session.map(SessionId::from),
                run: run.map(RunId::from),
                limit,
            };
            list(request, options, console).await?;
        }
        Some(Action::Show { change }) => one(ask(changes::Show { change }, options).await?, console)?,
        Some(Action::Undo {
            run: Some(run), yes, ..
        }) => {
            let run = RunId::from(run);
            return with_connection(options, async |connection| {
                undo_run(run, yes, connection, console).await
            })
            .await;
        }
        Some(Action::Undo {
            run: None, change, ..
        }) => {
            let change = change.unwrap_or_default();
            one(ask(changes::Undo { change }, options).await?, console)?;
        }
    }
    Ok(Exit::Done)
}

/// The newest changes of all sessions.
fn whole_list() -> changes::List {
    changes::List {
        session: None,
        run: None,
        limit: None,
    }
}

async fn list(request: changes::List, options: &Options, console: &Console) -> Result<(), Failure> {
    let reply::Changes { changes, more, .. } = ask(request, options).await?;
    if changes.is_empty() && !console.is_json() {
        console.line(console.words.no_changes())?;
    }
    changes.iter().try_for_each(|change| shown(change, console))?;
    // A program that reads the list is told beside it.
    if let Some(more) = more {
        console.note(Look::Dim, &console.words.more_changes(u64::from(more)));
    }
    Ok(())
}

/// Takes back what a run and its sub-agents changed, once it was shown and agreed to.
async fn undo_run(
    run: RunId,
    yes: bool,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let words = console.words;
    let all = changes::List {
        run: Some(run.clone()),
        ..whole_list()
    };
    let reply::Changes {
        changes, run: whole, ..
    } = connection.ask(all).await?;
    // A newer run may be the last one by now: what was shown is taken back, and nothing else.
    let run = whole.unwrap_or(run);
    let standing: Vec<&FileChange> = changes.iter().filter(|change| !change.undone).collect();
    if standing.is_empty() {
        match console.is_json() {
            true => console.json(&json!({"undone": [], "left": [], "already": []}))?,
            false => console.line(words.nothing_to_undo())?,
        }
        return Ok(Exit::Done);
    }
    // Who can't be asked here reads it too, and says yes to it the next time.
    if !yes {
        standing.iter().try_for_each(|change| shown(change, console))?;
        tell_of_agents(standing.iter().copied(), &run, console);
    }
    if !decided(yes, words.undo_changes(standing.len() as u64), console)? {
        return Ok(Exit::Done);
    }
    let undo = changes::UndoRun { run: run.clone() };
    let outcome = connection.ask(undo).await?;
    let is_whole = outcome.left.is_empty();
    taken_back(&outcome, &run, console)?;
    Ok(if is_whole { Exit::Done } else { Exit::TaskFailed })
}

/// What was taken back, then what was not, each with its reason.
fn taken_back(outcome: &reply::ChangesUndone, run: &RunId, console: &Console) -> Result<(), Failure> {
    let reply::ChangesUndone {
        undone,
        left,
        already,
    } = outcome;
    if console.is_json() {
        return console.json(&json!({"undone": undone, "left": left, "already": already}));
    }
    undone.iter().try_for_each(|change| shown(change, console))?;
    if !undone.is_empty() {
        console.note(Look::Good, &console.words.changes_undone(undone.len() as u64));
        tell_of_agents(undone, run, console);
    }
    if !already.is_empty() {
        already.iter().try_for_each(|change| shown(change, console))?;
        console.note(
            Look::Dim,
            &console.words.changes_undone_before(already.len() as u64),
        );
    }
    if !left.is_empty() {
        console.note(Look::Bad, &console.words.changes_left(left.len() as u64));
    }
    for stayed in left {
        shown(&stayed.change, console)?;
        console.complain(&stayed.error);
    }
    Ok(())
}

/// Says how many of these changes sub-agents of the run made.
fn tell_of_agents<'a>(changes: impl IntoIterator<Item = &'a FileChange>, run: &RunId, console: &Console) {
    let is_of_agent = |change: &&FileChange| {
        let made_by = change.id.rsplit_once('/').map(|(made_by, _)| made_by);
        made_by.is_some_and(|made_by| made_by != run.as_str())
    };
    let count = changes.into_iter().filter(is_of_agent).count();
    if count > 0 && !console.is_json() {
        console.note(Look::Dim, &console.words.changes_of_agents(count as u64));
    }
}

fn one(changed: reply::Changed, console: &Console) -> Result<(), Failure> {
    let reply::Changed {
        change,
        diff,
        already,
    } = changed;
    if console.is_json() {
        return console.json(&json!({"change": change, "diff": diff, "already": already}));
    }
    shown(&change, console)?;
    if !diff.is_empty() {
        console.line(&diff)?;
    }
    if already {
        let say = console.words.language().changes();
        console.note(Look::Dim, &say.undone_before(&change.path));
        console.hint(say.nothing_to_do());
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
        // A file that was written anew with the same text has no line that tells of it.
        (ChangeKind::Write, None) if (change.added, change.removed) == (0, 0) => String::new(),
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
