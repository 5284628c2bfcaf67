//! Walks a folder tree in the order of names, within bounds. Links are named but never followed, and generated
//! bulk is skipped. A folder exchanged for a link meanwhile is left out.

use crate::denied_paths::DeniedPaths;
use crate::limits::{WALK_DEPTH_MAX, WALK_ENTRIES_MAX, WALK_PASSES_BY};
use std::fs::FileType;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A file, folder or link found on a walk.
pub(crate) struct Entry {
    /// The path below the folder where the walk began.
    pub(crate) relative: PathBuf,
    pub(crate) kind: FileType,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walked {
    /// Every entry was seen.
    All,
    /// The visitor ended the walk.
    Stopped,
    /// The tree has too many entries for one walk.
    TooMany,
}

/// What a walk does with folders of generated bulk and of version control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bulk {
    /// It names them and does not enter.
    PassedBy,
    /// It enters them like any other, and fails where it can't: what is copied must be whole.
    Entered,
}

/// Shows every entry below `root` but generated bulk, as [`walk_with`] does.
///
/// # Errors
/// The root itself can't be listed.
pub(crate) fn walk(
    root: &Path,
    depth: usize,
    withheld: &DeniedPaths,
    visit: impl FnMut(&Entry) -> ControlFlow<()>,
) -> io::Result<Walked> {
    walk_with(root, depth, withheld, Bulk::PassedBy, visit)
}

/// Shows every entry below `root`, down to `depth` levels (1: its own entries only), to `visit`.
///
/// Folders that can't be entered are shown but not walked; withheld paths are not even shown.
///
/// # Errors
/// The root itself can't be listed.
pub(crate) fn walk_with(
    root: &Path,
    depth: usize,
    withheld: &DeniedPaths,
    bulk: Bulk,
    mut visit: impl FnMut(&Entry) -> ControlFlow<()>,
) -> io::Result<Walked> {
    walk_whole(root, depth, withheld, (bulk, &mut |_| true), &mut visit)
}

/// Shows every entry below `root` but generated bulk and what `shows` leaves out, with all that is below it.
///
/// # Errors
/// The root itself can't be listed.
pub(crate) fn walk_some(
    root: &Path,
    depth: usize,
    withheld: &DeniedPaths,
    shows: &mut dyn FnMut(&Entry) -> bool,
    visit: &mut dyn FnMut(&Entry) -> ControlFlow<()>,
) -> io::Result<Walked> {
    walk_whole(root, depth, withheld, (Bulk::PassedBy, shows), visit)
}

fn walk_whole(
    root: &Path,
    depth: usize,
    withheld: &DeniedPaths,
    (bulk, shows): (Bulk, &mut dyn FnMut(&Entry) -> bool),
    visit: &mut dyn FnMut(&Entry) -> ControlFlow<()>,
) -> io::Result<Walked> {
    let mut looked_at = 0;
    let mut open = vec![listed(root, Path::new(""), WALK_ENTRIES_MAX)?];
    while let Some(level) = open.last_mut() {
        let Some(entry) = level.pop() else {
            open.pop();
            continue;
        };
        looked_at += 1;
        if looked_at > WALK_ENTRIES_MAX {
            return Ok(Walked::TooMany);
        }
        if withheld.covers(&root.join(&entry.relative)) || !shows(&entry) {
            continue;
        }
        if visit(&entry).is_break() {
            return Ok(Walked::Stopped);
        }
        let is_entered = bulk == Bulk::Entered || !is_passed_by(&entry.relative);
        if entry.kind.is_dir() && is_entered {
            let room = WALK_ENTRIES_MAX - looked_at;
            match bulk {
                Bulk::Entered if open.len() >= WALK_DEPTH_MAX => return Ok(Walked::TooMany),
                Bulk::Entered => open.push(listed(root, &entry.relative, room)?),
                Bulk::PassedBy if open.len() >= depth.min(WALK_DEPTH_MAX) => {}
                Bulk::PassedBy => open.extend(listed(root, &entry.relative, room).ok()),
            }
        }
    }
    Ok(Walked::All)
}

/// The entries of one folder, last name first, at most one more than there is `room` for.
fn listed(root: &Path, relative: &Path, room: usize) -> io::Result<Vec<Entry>> {
    let folder = root.join(relative);
    if folder.canonicalize()? != folder {
        return Err(io::Error::other("the folder was exchanged for a link"));
    }
    let mut entries = Vec::new();
    for found in folder.read_dir()?.take(room + 1) {
        let found = found?;
        let entry = Entry {
            relative: relative.join(found.file_name()),
            kind: found.file_type()?,
        };
        entries.push(entry);
    }
    entries.sort_unstable_by(|one, other| other.relative.cmp(&one.relative));
    Ok(entries)
}

/// Whether a folder is named by walks and not entered.
pub(crate) fn is_passed_by(relative: &Path) -> bool {
    relative
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| WALK_PASSES_BY.contains(&name))
}

#[cfg(test)]
mod tests;
