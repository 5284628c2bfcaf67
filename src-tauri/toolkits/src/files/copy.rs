//! `files.copy`: a file or tree once more. The copy is complete before it has its name, links are left out, and what
//! already stands there stays.

use super::counted;
use super::relocation::{found_done, keep};
use crate::change_record::Change;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{COPY_BYTES_MAX, COPY_ENTRIES_MAX};
use crate::regular_file::open_regular;
use crate::safe_path::{Executable, ResolvedPath, SafeWriter, Staging};
use crate::tree::{Tree, fingerprint, joined};
use serde_json::{Value, json};
use shidi_protocol::{CallOutcome, ChangeKind};
use std::fs::Metadata;
use std::io::{self, Read};

pub(super) fn copy(
    place: &ResolvedPath,
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    place.check_reach(environment)?;
    if let Some(outcome) = done_already(to, environment)? {
        return Ok(outcome);
    }
    if to.leads_to.starts_with(&place.leads_to) {
        return Err(ToolError::IntoItself(shown));
    }
    let tree = Tree::of(
        &place.leads_to,
        &place.shown,
        COPY_ENTRIES_MAX,
        &environment.withheld,
    )?;
    if tree.bytes() > COPY_BYTES_MAX {
        return Err(ToolError::TooMuch(shown, "2 GB".to_owned()));
    }
    let target = SafeWriter::of(to, environment)?;
    if target.kind()?.is_some() {
        return Err(ToolError::Exists(to.shown.display().to_string()));
    }
    let staging = target.stage()?;
    let left_out = fill(&staging, &tree, place)?;
    let made = Made {
        kind: ChangeKind::Copy,
        facts: json!({
            "path": shown,
            "to": to.shown.display().to_string(),
            "files": tree.files().count(),
            "bytes": tree.bytes(),
            "left_out": left_out,
        }),
    };
    place_made(staging, made, place, to, environment)
}

/// What is to be told of a tree that is complete.
pub(super) struct Made {
    pub(super) kind: ChangeKind,
    pub(super) facts: Value,
}

/// Gives a complete tree its name, with the change on record before.
///
/// # Errors
/// Something of that name meanwhile, a disk that refuses.
pub(super) fn place_made(
    staging: Staging<'_>,
    made: Made,
    from: &ResolvedPath,
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = to.shown.display().to_string();
    let parent = to.leads_to.parent().unwrap_or(&to.leads_to);
    let after = fingerprint(&staging.path(parent), &to.shown, COPY_ENTRIES_MAX)?;
    let change = Change {
        to: Some(to.leads_to.clone()),
        created: true,
        data: made.facts,
        after,
        ..Change::placing(made.kind, &from.leads_to, environment.now)
    };
    let record = environment.change.as_deref();
    keep(record, &change, &shown)?;
    let placed = staging.place();
    if let (Err(_), Some(record)) = (&placed, record) {
        record.forget();
    }
    placed.map(|()| told(to, &change))
}

/// The outcome of this very call where it was performed before a crash.
///
/// # Errors
/// Something else in that place, a change that was taken back.
pub(super) fn done_already(
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<Option<CallOutcome>, ToolError> {
    let Some(record) = environment.change.as_deref() else {
        return Ok(None);
    };
    let change = found_done(record, &to.shown.display().to_string(), &to.leads_to)?;
    Ok(change.map(|change| told(to, &change)))
}

fn told(to: &ResolvedPath, change: &Change) -> CallOutcome {
    let number = |name: &str| change.data.get(name).and_then(Value::as_u64).unwrap_or_default();
    let files = usize::try_from(number("files")).unwrap_or(usize::MAX);
    let mut summary = format!(
        "{} · new, {}",
        to.shown.display(),
        counted(files, "file", "files")
    );
    if number("left_out") > 0 {
        summary.push_str(&format!(", {} left out", number("left_out")));
    }
    CallOutcome::success(change.data.clone(), summary)
}

/// Copies every entry; returns how many are left out: links and special files, and what the user's rules keep back.
fn fill(staging: &Staging<'_>, tree: &Tree, place: &ResolvedPath) -> Result<usize, ToolError> {
    let mut left_out = tree.withheld;
    for entry in &tree.entries {
        let path = joined(&place.leads_to, &entry.relative);
        let shown = joined(&place.shown, &entry.relative);
        if entry.kind.is_dir() {
            staging.folder(&entry.relative)?;
        } else if entry.kind.is_file() {
            let source = open_regular(&path, &shown)?;
            let worded = |error| ToolError::unwritten(&shown, error);
            let facts = source.metadata().map_err(worded)?;
            let mut copy = staging.file(&entry.relative, executable(&facts))?;
            // A file that grows while it is read is cut where it ended before.
            io::copy(&mut source.take(facts.len()), &mut copy).map_err(worded)?;
        } else if entry.relative.as_os_str().is_empty() {
            return Err(ToolError::Special(shown.display().to_string(), "special file"));
        } else {
            left_out += 1;
        }
    }
    Ok(left_out)
}

#[cfg(unix)]
fn executable(facts: &Metadata) -> Executable {
    use std::os::unix::fs::PermissionsExt;
    if facts.permissions().mode() & 0o100 == 0 {
        Executable::No
    } else {
        Executable::Yes
    }
}

#[cfg(not(unix))]
fn executable(_facts: &Metadata) -> Executable {
    Executable::No
}
