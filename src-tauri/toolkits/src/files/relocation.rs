//! `files.move`, `files.delete` and `files.make_folder`: a file or folder gets another place, whole and at one moment. The
//! change is on record before, so that a call that is repeated after a crash finds what it did.

use crate::change_record::{Change, ChangeRecord};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::TREE_ENTRIES_ALL_MAX;
use crate::safe_path::{EntryKind, ResolvedPath, SafeWriter};
use crate::trash;
use crate::tree::{Tree, fingerprint};
use serde_json::{Value, json};
use shidi_protocol::{CallOutcome, ChangeKind};
use std::path::Path;

pub(super) fn relocate(
    place: &ResolvedPath,
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = shown(place);
    place.check_writing(environment)?;
    to.check_writing(environment)?;
    let summary = format!("{shown} → {}", to.shown.display());
    let record = record_of(environment, &shown)?;
    if let Some(change) = found_done(record, &shown, &to.leads_to)? {
        return Ok(CallOutcome::success(change.data, summary));
    }
    if to.leads_to.starts_with(&place.leads_to) {
        return Err(ToolError::IntoItself(shown));
    }
    check_whole(place, environment)?;
    let (from, target) = (source(place)?, SafeWriter::of(to, environment)?);
    if target.kind()?.is_some() {
        return Err(ToolError::Exists(to.shown.display().to_string()));
    }
    let change = Change {
        data: json!({"path": shown, "to": to.shown.display().to_string()}),
        to: Some(to.leads_to.clone()),
        ..of_tree(ChangeKind::Move, place, environment)?
    };
    keep(Some(record), &change, &shown)?;
    from.rename_to(&target).inspect_err(|_| record.forget())?;
    Ok(CallOutcome::success(change.data, summary))
}

pub(super) fn delete(place: &ResolvedPath, environment: &Environment) -> Result<CallOutcome, ToolError> {
    let shown = shown(place);
    place.check_writing(environment)?;
    let summary = format!("{shown} · in the trash");
    let record = record_of(environment, &shown)?;
    if let Some(change) = on_record(record, &shown)? {
        let trashed = change.to.as_deref().is_some_and(|to| is_as(to, &change.after));
        if trashed {
            return Ok(CallOutcome::success(change.data, summary));
        }
        // The crash came between the note in the trash and the move there.
        if let Some(to) = &change.to {
            trash::leave(to);
        }
    }
    check_whole(place, environment)?;
    let from = source(place)?;
    let unwritten = |cause: String| ToolError::NoTrash(shown.clone(), cause);
    let Some(own) = &environment.trash else {
        return Err(unwritten("this system has none that can be used".to_owned()));
    };
    let of_change = of_tree(ChangeKind::Delete, place, environment)?;
    let mut refused = String::new();
    for folder in trash::folders_for(&place.leads_to, own) {
        let taken = trash::take_place(&folder, &place.leads_to, environment.now, &environment.timezone);
        let lies = match taken {
            Ok(lies) => lies,
            Err(cause) => {
                refused = cause.to_string();
                continue;
            }
        };
        let change = Change {
            data: json!({"path": shown}),
            to: Some(lies.clone()),
            ..of_change.clone()
        };
        let moved = keep(Some(record), &change, &shown)
            .and_then(|()| from.rename_to(&SafeWriter::at(&lies, &place.shown)?));
        match moved {
            Ok(()) => return Ok(CallOutcome::success(change.data, summary)),
            Err(cause) => {
                record.forget();
                trash::leave(&lies);
                match cause {
                    ToolError::OtherDisk(_) => "it lies on another disk".clone_into(&mut refused),
                    other => return Err(other),
                }
            }
        }
    }
    Err(unwritten(refused))
}

pub(super) fn make_folder(place: &ResolvedPath, environment: &Environment) -> Result<CallOutcome, ToolError> {
    let shown = shown(place);
    place.check_writing(environment)?;
    let record = environment.change.as_deref();
    let told = |data: Value| CallOutcome::success(data, format!("{shown} · new folder"));
    let target = SafeWriter::of(place, environment)?;
    if let (Some(change), Some(EntryKind::Folder)) = (earlier(record, &shown)?, target.kind()?) {
        return Ok(told(change.data));
    }
    match target.kind()? {
        Some(EntryKind::Folder) => {
            let data = json!({"path": shown, "created": false});
            return Ok(CallOutcome::success(data, format!("{shown} · is there already")));
        }
        Some(EntryKind::File | EntryKind::Other) => return Err(ToolError::Exists(shown)),
        None => {}
    }
    let change = Change {
        created: true,
        data: json!({"path": shown, "created": true}),
        ..Change::placing(ChangeKind::MakeFolder, &place.leads_to, environment.now)
    };
    keep(record, &change, &shown)?;
    let made = target.make_folder();
    if let (Err(_), Some(record)) = (&made, record) {
        record.forget();
    }
    made.map(|()| told(change.data))
}

/// The change on record of a call that is repeated after a crash, if the change was made. The moved thing then stands
/// in its new place, and is as it was.
///
/// # Errors
/// A change that was taken back, somebody else's thing in that place, a record that can't be read.
pub(super) fn found_done(
    record: &dyn ChangeRecord,
    shown: &str,
    to: &Path,
) -> Result<Option<Change>, ToolError> {
    let Some(change) = on_record(record, shown)? else {
        return Ok(None);
    };
    match to.symlink_metadata().is_ok() {
        true if is_as(to, &change.after) => Ok(Some(change)),
        true => Err(ToolError::Meanwhile(shown.to_owned())),
        false => Ok(None),
    }
}

/// Puts a change on record, where there is one.
///
/// # Errors
/// A disk that refuses.
pub(super) fn keep(record: Option<&dyn ChangeRecord>, change: &Change, shown: &str) -> Result<(), ToolError> {
    let kept = record.map_or(Ok(()), |record| record.keep(change, None));
    kept.map_err(|error| ToolError::NotKept(shown.to_owned(), error))
}

/// The change of this very call before a crash.
///
/// # Errors
/// A change that was taken back, a record that can't be read.
pub(super) fn earlier(record: Option<&dyn ChangeRecord>, shown: &str) -> Result<Option<Change>, ToolError> {
    record.map_or(Ok(None), |record| on_record(record, shown))
}

fn on_record(record: &dyn ChangeRecord, shown: &str) -> Result<Option<Change>, ToolError> {
    let change = record
        .change()
        .map_err(|error| ToolError::NotKept(shown.to_owned(), error))?;
    match change {
        Some(change) if change.undone => Err(ToolError::Undone(shown.to_owned())),
        change => Ok(change),
    }
}

/// Whether what stands there is as it was.
pub(super) fn is_as(path: &Path, after: &str) -> bool {
    fingerprint(path, path, TREE_ENTRIES_ALL_MAX).is_ok_and(|found| found == after)
}

/// The record of this call; where there is none, nothing could be taken back.
fn record_of<'a>(environment: &'a Environment, shown: &str) -> Result<&'a dyn ChangeRecord, ToolError> {
    let record = environment.change.as_deref();
    record.ok_or_else(|| ToolError::NoRecord(shown.to_owned()))
}

/// The change of a whole tree, which keeps what it holds.
fn of_tree(kind: ChangeKind, place: &ResolvedPath, environment: &Environment) -> Result<Change, ToolError> {
    Ok(Change {
        after: fingerprint(&place.leads_to, &place.shown, TREE_ENTRIES_ALL_MAX)?,
        ..Change::placing(kind, &place.leads_to, environment.now)
    })
}

/// The folder and name of what is there.
fn source(place: &ResolvedPath) -> Result<SafeWriter, ToolError> {
    let facts = place.leads_to.symlink_metadata();
    facts.map_err(|error| ToolError::io(&place.shown, error))?;
    SafeWriter::at(&place.leads_to, &place.shown)
}

/// # Errors
/// A tree that must stay. The tree holds a granted folder, Shidi's own data, or things that the user's rules keep back.
fn check_whole(place: &ResolvedPath, environment: &Environment) -> Result<(), ToolError> {
    let shown = shown(place);
    let roots = environment.folders.iter().chain(&environment.own);
    let mut roots = roots.filter_map(|root| root.canonicalize().ok());
    if roots.any(|root| root.starts_with(&place.leads_to)) {
        return Err(ToolError::Root(shown));
    }
    let tree = Tree::of(
        &place.leads_to,
        &place.shown,
        TREE_ENTRIES_ALL_MAX,
        &environment.withheld,
    )?;
    match tree.withheld {
        0 => Ok(()),
        _ => Err(ToolError::HoldsDenied(shown)),
    }
}

fn shown(place: &ResolvedPath) -> String {
    place.shown.display().to_string()
}
