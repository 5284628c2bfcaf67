//! Changes of tasks in files (F7.7: a write can be undone): shown, and taken back. A change goes with its session, or
//! when it is old. The earlier content of its file goes with it.

mod back;
mod layout;
mod limits;
mod record;
mod row;

pub use layout::take_over;
pub use record::record_of;

use crate::limits::{CHANGES_LISTED, CHANGES_MAX, CHANGES_NAMED_MAX, EARLIER_KEPT};
use record::RecordOfCall;
use shidi_locales::Language;
use shidi_protocol::request::changes as request;
use shidi_protocol::{
    ChangeKind, ChangeLeft, ChangeRequest, ErrorCode, FileChange, Moment, Reply, RunId, SessionId, UserError,
    reply, reply_to,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::error;
use shidi_space::ids;
use shidi_space::storage;
use shidi_store::{ChangeRow, ChangeWrite, StoreError, Write};
use shidi_toolkits::{Change, ChangeRecord, ToolError};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Carries out what a person wants to know or to take back.
///
/// # Errors
/// No such change, one that can't be taken back, with what is left to do; storage trouble.
pub fn perform(space: &Arc<Space>, action: ChangeRequest) -> Result<Reply, UserError> {
    space.stored(take_over(space))?;
    match action {
        ChangeRequest::List { session, run, limit } => {
            let listed = listed(space, session, run, limit)?;
            Ok(reply_to::<request::List>(listed))
        }
        ChangeRequest::Show { change } => {
            let row = named(space, &change)?;
            let diff = diff(&row, &RecordOfCall::of(space, &row));
            let change = shown(&row);
            Ok(reply_to::<request::Show>(reply::Changed {
                change,
                diff,
                already: false,
            }))
        }
        ChangeRequest::Undo { change } => {
            let row = named(space, &change)?;
            let taken_back = undo(space, &row)?;
            Ok(reply_to::<request::Undo>(reply::Changed {
                change: undone(&row),
                diff: String::new(),
                already: taken_back == TakenBack::Before,
            }))
        }
        ChangeRequest::UndoRun { run } => {
            let undone = undo_run(space, &whole_run_id(space, run)?)?;
            Ok(reply_to::<request::UndoRun>(undone))
        }
    }
}

/// The newest changes of a session and run, where they are named, and how many there are beyond them.
fn listed(
    space: &Space,
    session: Option<SessionId>,
    run: Option<RunId>,
    limit: Option<u32>,
) -> Result<reply::Changes, UserError> {
    let session = session.map(|session| ids::whole_session_id(space, &session));
    let session = session.transpose()?;
    let run = run.map(|run| whole_run_id(space, run)).transpose()?;
    let usual = match &run {
        Some(_) => CHANGES_MAX,
        None => CHANGES_LISTED,
    };
    let limit = limit.unwrap_or(usual).min(CHANGES_MAX);
    let rows = match &run {
        Some(run) => space.store.changes_of_run(run, limit),
        None => space.store.changes(session.as_ref(), limit),
    };
    let changes: Vec<FileChange> = space.stored(rows)?.iter().map(shown).collect();
    // A run belongs to one session, so its session says nothing more.
    let session = session.as_ref().filter(|_| run.is_none());
    let all = space.store.count_changes(session, run.as_ref());
    let told = u32::try_from(changes.len()).unwrap_or(u32::MAX);
    let more = space.stored(all)?.saturating_sub(told);
    Ok(reply::Changes {
        changes,
        more: Some(more).filter(|more| *more > 0),
        run,
    })
}

/// The run that is named. One that was found by its changes need not be looked for.
fn whole_run_id(space: &Space, run: RunId) -> Result<RunId, UserError> {
    let made = space.store.count_changes(None, Some(&run));
    match space.stored(made)? {
        0 => ids::whole_run_id(space, &run),
        _ => Ok(run),
    }
}

/// When a change was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TakenBack {
    Now,
    Before,
}

/// Takes one change back, where an earlier undo has not done so.
fn undo(space: &Arc<Space>, row: &ChangeRow) -> Result<TakenBack, UserError> {
    let Err(cause) = Change::undo(&RecordOfCall::of(space, row)) else {
        return Ok(TakenBack::Now);
    };
    if matches!(cause, ToolError::Undone(_)) {
        return Ok(TakenBack::Before);
    }
    if !matches!(cause, ToolError::ChangedSince { .. }) || !back::is_back(space, row)? {
        return Err(explained(&cause, space.language()));
    }
    let (run, call) = (row.run.clone(), row.call);
    let undo = Write::Change(ChangeWrite::Undo { run, call });
    space.stored(space.store.commit(undo))?;
    Ok(TakenBack::Before)
}

/// Takes back every change of a run that still stands. The newest is the first, so that each earlier one is found as it was
/// left. Those of its sub-agents are among them.
fn undo_run(space: &Arc<Space>, run: &RunId) -> Result<reply::ChangesUndone, UserError> {
    let rows = space.store.changes_of_run(run, CHANGES_MAX);
    let rows = space.stored(rows)?;
    let mut came = reply::ChangesUndone {
        undone: Vec::new(),
        left: Vec::new(),
        already: Vec::new(),
    };
    for row in rows.iter().filter(|row| !row.undone) {
        match undo(space, row) {
            Ok(TakenBack::Now) => came.undone.push(undone(row)),
            Ok(TakenBack::Before) => came.already.push(undone(row)),
            Err(error) => came.left.push(ChangeLeft {
                change: shown(row),
                error,
            }),
        }
    }
    Ok(came)
}

/// Drops changes that are old. What stood in their files before goes with the next sweep of files.
///
/// # Errors
/// Storage trouble.
pub fn drop_old(space: &Space) -> Result<(), StoreError> {
    let kept_ms = i64::try_from(EARLIER_KEPT.as_millis()).unwrap_or(i64::MAX);
    let before = Moment(clock::now().0.saturating_sub(kept_ms));
    space
        .store
        .commit(Write::Change(ChangeWrite::DropOlder { before }))
}

fn shown(row: &ChangeRow) -> FileChange {
    FileChange {
        id: ChangeRow::owner(&row.run, row.call),
        session: row.session.clone(),
        kind: row.kind,
        path: row.path.clone(),
        to: row.target.clone(),
        created: row.created,
        added: row.added,
        removed: row.removed,
        bytes: row.bytes,
        undone: row.undone,
        at: row.time,
    }
}

/// A change that was taken back.
fn undone(row: &ChangeRow) -> FileChange {
    FileChange {
        undone: true,
        ..shown(row)
    }
}

/// What is different now from what stood there before; nothing where no lines changed.
fn diff(row: &ChangeRow, record: &dyn ChangeRecord) -> String {
    if row.kind != ChangeKind::Write || row.bytes.is_some() {
        return String::new();
    }
    let path = Path::new(&row.path);
    let now = fs::read(path).unwrap_or_default();
    let before = record.earlier().unwrap_or_default();
    shidi_toolkits::unified(path, &before, &now)
}

/// The one change that a person's words name.
fn named(space: &Space, text: &str) -> Result<ChangeRow, UserError> {
    let found = match text {
        "last" => space.store.changes(None, 1),
        _ => space.store.find_changes(text, CHANGES_NAMED_MAX),
    };
    let language = space.language();
    let mut found = found.map_err(|cause| storage::explain(&cause, language))?;
    // The first of two may be the beginning of the second.
    if let Some(exact) = found
        .iter()
        .position(|row| ChangeRow::owner(&row.run, row.call) == text)
    {
        return Ok(found.swap_remove(exact));
    }
    let hint = language.changes().see_changes();
    let (code, message) = match (found.pop(), found.is_empty()) {
        (Some(one), true) => return Ok(one),
        (Some(_), false) => (ErrorCode::Input, language.changes().several_changes(text)),
        (None, _) => (ErrorCode::NotFound, language.changes().no_such_change(text)),
    };
    Err(error(code, message, hint))
}

fn explained(cause: &ToolError, language: Language) -> UserError {
    let (message, hint) = match cause {
        ToolError::ChangedSince { path, earlier } => (
            language.changes().changed_again_since(path),
            match earlier {
                Some(earlier) => language.changes().earlier_content(earlier.display()),
                None => language.changes().was_new().to_owned(),
            },
        ),
        ToolError::Altered(path) => (
            language.changes().altered_since(path),
            language.changes().nothing_to_do().to_owned(),
        ),
        ToolError::Exists(path) => (
            language.changes().something_there(path),
            language.changes().move_it_away().to_owned(),
        ),
        ToolError::NothingKept(path) => (
            language.changes().nothing_kept(path),
            language.changes().nothing_to_do().to_owned(),
        ),
        ToolError::Protected(path) => (
            language.changes().protected(path),
            language.changes().check_disk().to_owned(),
        ),
        ToolError::Meanwhile(path) => (
            language.changes().changed_meanwhile(path),
            language.changes().check_disk().to_owned(),
        ),
        other => (
            language.changes().not_undone(other),
            language.changes().check_disk().to_owned(),
        ),
    };
    error(ErrorCode::Input, message, hint)
}
