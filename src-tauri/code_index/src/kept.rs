//! Indexes on the disk: one file for each folder, written whole, read when its folder is asked about first.
//!
//! An index can be made again at any time. So one that can't be read is none, and old ones are dropped without asking.

use crate::index::{Folder, IndexedFile};
use crate::limits::{KEPT_BYTES_MAX, KEPT_MAX};
use crate::vectors::Vectors;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The version changes with the form of what is kept, and with what is read of a file.
const VERSION: u32 = 1;

/// The ending of the files.
const ENDING: &str = "code";

#[derive(Serialize, Deserialize)]
struct StoredIndex {
    version: u32,
    root: String,
    files: Vec<(String, IndexedFile)>,
    vectors: Vectors,
}

#[derive(Serialize)]
struct StoredIndexRef<'a> {
    version: u32,
    root: String,
    files: Vec<(&'a str, &'a IndexedFile)>,
    vectors: &'a Vectors,
}

/// The index of a folder as it was kept, or a new one.
pub(crate) fn opened(place: Option<&Path>, root: &Path) -> Folder {
    let kept = place.and_then(|place| read(&file(place, root), root));
    let (files, vectors) = kept.unwrap_or_default();
    Folder::new(root.to_owned(), files, vectors)
}

fn read(file: &Path, root: &Path) -> Option<(HashMap<String, IndexedFile>, Vectors)> {
    let facts = file.symlink_metadata().ok()?;
    if !facts.is_file() || usize::try_from(facts.len()).ok()? > KEPT_BYTES_MAX {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    let kept: StoredIndex = postcard::from_bytes(&bytes).ok()?;
    let is_it = kept.version == VERSION && kept.root == root.to_string_lossy();
    is_it.then(|| (kept.files.into_iter().collect(), kept.vectors))
}

/// Keeps an index, if something was read since it was kept last.
///
/// # Errors
/// A disk that refuses.
pub(crate) fn keep(place: &Path, folder: &Folder) -> io::Result<()> {
    if !folder.take_changed() {
        return Ok(());
    }
    let known: Vec<(String, Arc<IndexedFile>)> = folder.known();
    let bytes = {
        let vectors = folder.vectors.lock();
        let keeping = StoredIndexRef {
            version: VERSION,
            root: folder.root.to_string_lossy().into_owned(),
            files: known
                .iter()
                .map(|(path, known)| (path.as_str(), known.as_ref()))
                .collect(),
            vectors: &vectors,
        };
        postcard::to_stdvec(&keeping).map_err(io::Error::other)?
    };
    if bytes.len() > KEPT_BYTES_MAX {
        return Ok(());
    }
    make_room(place)?;
    shidi_atomic_write::write(&file(place, &folder.root), &bytes)
}

/// Drops the index of a folder.
pub(crate) fn drop_of(place: &Path, root: &Path) {
    match fs::remove_file(file(place, root)) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => tracing::warn!(%cause, "the index of a folder was not dropped"),
    }
}

/// Makes the folder of indexes, for its user alone, and drops the oldest ones.
fn make_room(place: &Path) -> io::Result<()> {
    fs::create_dir_all(place)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place, fs::Permissions::from_mode(0o700))?;
    }
    let mut kept: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(place)?.flatten() {
        let path = entry.path();
        let is_ours = path.extension().is_some_and(|ending| ending == ENDING);
        if let (true, Ok(facts)) = (is_ours, entry.metadata()) {
            kept.push((facts.modified().unwrap_or(SystemTime::UNIX_EPOCH), path));
        }
    }
    kept.sort();
    let over = (kept.len() + 1).saturating_sub(KEPT_MAX);
    for (_, path) in kept.into_iter().take(over) {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn file(place: &Path, root: &Path) -> PathBuf {
    let name = hex::encode(Sha256::digest(root.as_os_str().as_encoded_bytes()));
    place.join(name).with_extension(ENDING)
}
