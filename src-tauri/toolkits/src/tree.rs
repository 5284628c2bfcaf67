//! A file or a whole tree as one thing. Such a thing has a content, and a fingerprint that tells whether it is as it
//! was.

use crate::denied_paths::DeniedPaths;
use crate::error::ToolError;
use crate::limits::WALK_DEPTH_MAX;
use crate::walk::{Bulk, Walked, walk_with};
use sha2::{Digest, Sha256};
use std::fs::{FileType, Metadata};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// One entry of a tree; the tree itself has an empty path.
pub(crate) struct TreeEntry {
    pub(crate) relative: PathBuf,
    pub(crate) kind: FileType,
    pub(crate) bytes: u64,
}

/// Everything that a tree holds, folders before what is in them.
pub(crate) struct Tree {
    pub(crate) entries: Vec<TreeEntry>,
    /// Entries that the user's rules keep back.
    pub(crate) withheld: usize,
}

impl Tree {
    /// Lists the file or folder at `path`, which has no links left.
    ///
    /// # Errors
    /// Nothing there, more entries than `most`, a folder within that can't be listed.
    pub(crate) fn of(
        path: &Path,
        shown: &Path,
        most: usize,
        withheld: &DeniedPaths,
    ) -> Result<Self, ToolError> {
        let worded = |error| ToolError::io(shown, error);
        let facts = path.symlink_metadata().map_err(worded)?;
        let mut tree = Self {
            entries: vec![entry(PathBuf::new(), &facts)],
            withheld: 0,
        };
        if !facts.is_dir() {
            return Ok(tree);
        }
        let too_much =
            || ToolError::TooMuch(shown.display().to_string(), format!("{most} files and folders"));
        // Judged here and not by the walk, which would leave them out without a word.
        let all = DeniedPaths::default();
        let mut trouble = None;
        let walked = walk_with(path, WALK_DEPTH_MAX, &all, Bulk::Entered, |found| {
            let whole = path.join(&found.relative);
            if withheld.covers(&whole) {
                tree.withheld += 1;
                return ControlFlow::Continue(());
            }
            if tree.entries.len() == most {
                trouble = Some(too_much());
                return ControlFlow::Break(());
            }
            match whole.symlink_metadata() {
                Ok(facts) => tree.entries.push(entry(found.relative.clone(), &facts)),
                Err(error) => {
                    trouble = Some(ToolError::io(&shown.join(&found.relative), error));
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        match (walked.map_err(worded)?, trouble) {
            (_, Some(trouble)) => Err(trouble),
            (Walked::TooMany, None) => Err(too_much()),
            (Walked::All | Walked::Stopped, None) => Ok(tree),
        }
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }

    /// Files, whatever folders they lie in.
    pub(crate) fn files(&self) -> impl Iterator<Item = &TreeEntry> {
        self.entries.iter().filter(|entry| entry.kind.is_file())
    }
}

/// Tells whether a file or tree is as it was. Names, kinds, sizes and the times of files count, as SHA-256 in
/// hexadecimal.
///
/// # Errors
/// Nothing there, or more than is looked at.
pub(crate) fn fingerprint(path: &Path, shown: &Path, most: usize) -> Result<String, ToolError> {
    let tree = Tree::of(path, shown, most, &DeniedPaths::default())?;
    let mut digest = Sha256::new();
    for entry in &tree.entries {
        let facts = joined(path, &entry.relative).symlink_metadata();
        let facts = facts.map_err(|error| ToolError::io(shown, error))?;
        let name = entry.relative.as_os_str().as_encoded_bytes();
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name);
        digest.update(state(&facts).to_le_bytes());
        digest.update(entry.bytes.to_le_bytes());
    }
    Ok(hex::encode(digest.finalize()))
}

/// A path below another; the other itself where there is nothing below.
pub(crate) fn joined(path: &Path, relative: &Path) -> PathBuf {
    if relative.as_os_str().is_empty() {
        path.to_path_buf()
    } else {
        path.join(relative)
    }
}

fn entry(relative: PathBuf, facts: &Metadata) -> TreeEntry {
    TreeEntry {
        relative,
        kind: facts.file_type(),
        bytes: if facts.is_file() { facts.len() } else { 0 },
    }
}

/// The time at which a file was last written, in nanoseconds. A folder's time changes with its content, which is told
/// by itself.
fn state(facts: &Metadata) -> u128 {
    if facts.is_dir() {
        return 1;
    }
    if !facts.is_file() {
        return 2;
    }
    let since = facts
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(3, |since| since.as_nanos())
}
