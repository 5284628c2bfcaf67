//! Changes of tasks in files (F7.7: a write can be undone): shown, and taken back. A change goes with its session, or
//! when it is old. The earlier content of its file goes with it.

mod layout;
mod limits;
mod record;
mod row;

pub use layout::take_over;
pub use record::record_of;

use crate::limits::{CHANGES_LISTED_MAX, CHANGES_NAMED_MAX, EARLIER_KEPT};
use record::RecordOfCall;
use shidi_locales::Language;
use shidi_protocol::request::changes as request;
use shidi_protocol::{
    ChangeKind, ChangeRequest, ErrorCode, FileChange, Moment, Reply, UserError, reply, reply_to,
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
    let stored = |cause: StoreError| storage::explain(&cause, space.language());
    take_over(space).map_err(stored)?;
    match action {
        ChangeRequest::List { session } => {
            let session = session.map(|session| ids::whole_session_id(space, &session));
            let session = session.transpose()?;
            let rows = space.store.changes(session.as_ref(), CHANGES_LISTED_MAX);
            let changes = rows.map_err(stored)?.iter().map(shown).collect();
            Ok(reply_to::<request::List>(reply::Changes { changes }))
        }
        ChangeRequest::Show { change } => {
            let row = named(space, &change)?;
            let diff = diff(&row, &RecordOfCall::of(space, &row));
            let change = shown(&row);
            Ok(reply_to::<request::Show>(reply::Changed { change, diff }))
        }
        ChangeRequest::Undo { change } => {
            let row = named(space, &change)?;
            let undone = Change::undo(&RecordOfCall::of(space, &row));
            let undone = undone.map_err(|cause| explained(&cause, space.language()))?;
            let row = ChangeRow {
                undone: undone.undone,
                ..row
            };
            let (change, diff) = (shown(&row), String::new());
            Ok(reply_to::<request::Undo>(reply::Changed { change, diff }))
        }
    }
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
        ToolError::Undone(path) => (
            language.changes().undone_before(path),
            language.changes().nothing_to_do().to_owned(),
        ),
        ToolError::ChangedSince { path, earlier } => (
            language.changes().changed_again_since(path),
            language.changes().earlier_content(earlier.display()),
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
