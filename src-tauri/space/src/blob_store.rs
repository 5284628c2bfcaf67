//! Files of sessions in the data folder: pasted or fetched files, and sent pictures of the screen. The earlier contents
//! of files that tasks changed lie there, too. Each lies at `blobs/HASH/NAME`, where HASH is the SHA-256 of its
//! content, and has rows in the store. One row is for its folder, and one for each thing that the file belongs to.
//!
//! A file is whole and on the disk before its row commits, and goes after its row went. So a crash loses nothing that a
//! row names. A crash leaves at most a folder without a row, which the next start removes ([`sweep`]).

mod content;
mod layout;

use crate::clock;
use crate::errors::error;
use crate::limits::UNSENT_KEPT;
use crate::space::Space;
use crate::storage;
pub use content::address_of;
use content::{ADDRESS, Content};
pub use layout::{EARLIER, earlier_places};
use parking_lot::MutexGuard;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, Moment, RunId, SessionId, UserError};
use shidi_store::{BlobFile, BlobKept, BlobPurpose, BlobReference, BlobWrite, StoreError, Write};
use shidi_toolkits::Library;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder below the data folder.
const BLOBS: &str = "blobs";

/// What a file is kept for.
#[derive(Debug, Clone)]
pub struct Owner<'a> {
    /// `None` for a program of an earlier version, which ran in no session.
    pub session: Option<&'a SessionId>,
    pub run: &'a RunId,
    pub purpose: BlobPurpose,
    /// Its name among those of that purpose.
    pub name: String,
}

/// Why a file was not kept.
#[derive(Debug, thiserror::Error)]
pub enum Unkept {
    #[error("no file is kept here")]
    NoFolder,
    #[error("{path}: {cause}", path = .path.display())]
    File { path: PathBuf, cause: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Unkept {
    /// The failure for people.
    #[must_use]
    pub fn explain(&self, language: Language) -> UserError {
        match self {
            Self::NoFolder => keeps_no_files(language),
            Self::File { path, cause } => error(
                ErrorCode::Storage,
                language.space().unwritten(cause, path.display()),
                language.space().check_disk(),
            ),
            Self::Store(cause) => storage::explain(cause, language),
        }
    }
}

/// Keeps a file that is meant to be sent. The file goes when nothing has come to refer to it after [`UNSENT_KEPT`].
///
/// # Errors
/// A disk that is full or can't be written, storage trouble.
pub fn keep(space: &Space, name: &str, bytes: &[u8], address: Option<&str>) -> Result<PathBuf, UserError> {
    let since = clock::now();
    let row = |file: &BlobFile| {
        let place = file.place.clone();
        vec![Write::Blob(BlobWrite::Keep { place, since })]
    };
    let content = Content { name, bytes, address };
    kept(space, &content, row).map_err(|cause| cause.explain(space.language()))
}

/// Keeps a file that belongs to something. `with` is written in the same transaction, before the reference.
///
/// # Errors
/// As for [`keep`].
pub fn keep_for(
    space: &Space,
    name: &str,
    bytes: &[u8],
    owner: Owner<'_>,
    with: Vec<Write>,
) -> Result<PathBuf, Unkept> {
    let content = Content {
        name,
        bytes,
        address: None,
    };
    kept(space, &content, |file| {
        let mut rows = with;
        rows.push(reference(file.clone(), owner));
        rows
    })
}

/// Keeps a file that came while a run was at work. The file belongs to the session, as what went with its question does.
///
/// # Errors
/// As for [`keep`].
pub fn keep_with_run(
    space: &Space,
    (session, run): (&SessionId, &RunId),
    name: &str,
    bytes: &[u8],
) -> Result<PathBuf, Unkept> {
    keep_for(space, name, bytes, attached(session, run), Vec::new())
}

/// The file that is kept for an owner, where it still is.
///
/// # Errors
/// Storage trouble.
pub fn file_of(space: &Space, purpose: BlobPurpose, owner: &str) -> Result<Option<PathBuf>, StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(None);
    };
    layout::take_over_captures(space)?;
    let found = space.store.blob_file(purpose, owner)?;
    let path = found.map(|file| path_of(files, &file));
    Ok(path.filter(|path| path.is_file()))
}

/// Makes files that go with a question belong to its session; files elsewhere are the user's own.
///
/// # Errors
/// Storage trouble.
pub fn refer(space: &Space, session: &SessionId, run: &RunId, paths: &[String]) -> Result<(), StoreError> {
    let held = hold(space);
    let references = held.references(session, run, paths);
    match references.is_empty() {
        true => Ok(()),
        false => space.store.commit(references),
    }
}

/// Keeps files from going until it is dropped.
pub fn hold(space: &Space) -> Held<'_> {
    Held {
        space,
        _gate: space.blobs.gate(),
    }
}

/// While this is there no file goes.
pub struct Held<'a> {
    space: &'a Space,
    _gate: MutexGuard<'a, ()>,
}

impl Held<'_> {
    /// Rows by which files that go with a run belong to its session.
    #[must_use]
    pub fn references(&self, session: &SessionId, run: &RunId, paths: &[String]) -> Vec<Write> {
        let Some(files) = self.space.home.files() else {
            return Vec::new();
        };
        let there = paths.iter().map(Path::new).filter(|path| path.is_file());
        let own = there.filter_map(|path| file_at(files, path));
        own.map(|file| reference(file, attached(session, run))).collect()
    }
}

/// Deletes a session, and the files that belonged to it alone. What can't be removed now is removed by the next start.
///
/// # Errors
/// Storage trouble; nothing is deleted then.
pub fn delete_session(space: &Space, session: &SessionId) -> Result<(), StoreError> {
    layout::take_over(space)?;
    {
        let _gate = space.blobs.gate();
        // What is buffered may be a reference of this session.
        space.store.flush()?;
        let places = space.store.blobs_of(session)?;
        space.store.commit(Write::DeleteSession(session.clone()))?;
        for place in places {
            clear(space, &place)?;
        }
    }
    // Programs may have had any document read: which of the texts are this session's is not known.
    if let Some(Err(cause)) = space.library.as_ref().map(Library::clear) {
        tracing::warn!(%cause, "the text of documents could not be dropped");
    }
    Ok(())
}

/// Writes rows that take the owner's file back, and removes it unless it belongs to something else, too.
///
/// # Errors
/// Storage trouble.
pub fn take_back(space: &Space, purpose: BlobPurpose, owner: &str, rows: Write) -> Result<(), StoreError> {
    let _gate = space.blobs.gate();
    let file = space.store.blob_file(purpose, owner)?;
    space.store.commit(rows)?;
    file.map_or(Ok(()), |file| clear(space, &file.place))
}

/// Removes what nothing refers to: what waited too long to be sent, and what a crash left without a row.
///
/// # Errors
/// Storage trouble.
pub fn sweep(space: &Space) -> Result<(), StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(());
    };
    layout::take_over(space)?;
    let _gate = space.blobs.gate();
    let unsent_ms = i64::try_from(UNSENT_KEPT.as_millis()).unwrap_or(i64::MAX);
    let unsent_before = Moment(clock::now().0.saturating_sub(unsent_ms));
    space
        .store
        .commit(Write::Blob(BlobWrite::DropUnused { unsent_before }))?;
    let kept: HashSet<String> = space.store.blobs()?.into_iter().collect();
    let there = [places_in(files, BLOBS), layout::places(space, files)].concat();
    for place in there {
        if !kept.contains(&place) {
            remove(files, &place);
        }
    }
    Ok(())
}

/// The sentence for a session that leaves nothing, on a system that has no place in memory for its files.
pub fn keeps_no_files(language: Language) -> UserError {
    error(
        ErrorCode::System,
        language.space().no_memory_folder(),
        language.space().incognito_without_files(),
    )
}

fn kept(
    space: &Space,
    content: &Content<'_>,
    rows: impl FnOnce(&BlobFile) -> Vec<Write>,
) -> Result<PathBuf, Unkept> {
    let files = space.home.files().ok_or(Unkept::NoFolder)?;
    let file = BlobFile {
        place: format!("{BLOBS}/{}", content.hash()),
        name: content.file_name(),
    };
    let path = path_of(files, &file);
    let _gate = space.blobs.gate();
    content
        .write(&files.join(BLOBS), &path)
        .map_err(|cause| Unkept::File {
            path: path.clone(),
            cause,
        })?;
    space.store.commit(rows(&file))?;
    Ok(path)
}

fn attached<'a>(session: &'a SessionId, run: &'a RunId) -> Owner<'a> {
    Owner {
        session: Some(session),
        run,
        purpose: BlobPurpose::Attachment,
        name: run.as_str().to_owned(),
    }
}

fn reference(file: BlobFile, owner: Owner<'_>) -> Write {
    Write::Blob(BlobWrite::Refer(Box::new(BlobReference {
        file,
        session: owner.session.cloned(),
        run: owner.run.clone(),
        purpose: owner.purpose,
        owner: owner.name,
    })))
}

/// Removes what is not kept any more of a blob: all of it, or names that nothing refers to.
fn clear(space: &Space, place: &str) -> Result<(), StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(());
    };
    match space.store.blob_kept(place)? {
        BlobKept::Nothing => remove(files, place),
        BlobKept::Everything => {}
        BlobKept::These(names) => {
            let is_kept = |name: &str| name == ADDRESS || names.iter().any(|kept| kept == name);
            for other in names_in(&files.join(place)).iter().filter(|name| !is_kept(name)) {
                remove(files, &format!("{place}/{other}"));
            }
        }
    }
    Ok(())
}

/// Removes a folder or file below the data folder, with the folders around it that have nothing else. Trouble is logged:
/// the next start removes what has no row.
fn remove(files: &Path, place: &str) {
    let path = files.join(place);
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(&path),
        false => fs::remove_file(&path),
    };
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            tracing::error!(%cause, path = %path.display(), "a file could not be removed");
        }
        Ok(()) | Err(_) => {}
    }
    for around in path.ancestors().skip(1).take_while(|around| *around != files) {
        if fs::remove_dir(around).is_err() {
            return;
        }
    }
}

/// The file of ours at a path: below one of our folders, in a folder of its own.
fn file_at(files: &Path, path: &Path) -> Option<BlobFile> {
    let below = path.strip_prefix(files).ok()?;
    let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let [root @ (BLOBS | layout::ATTACHMENTS), folder, name] = parts[..] else {
        return None;
    };
    Some(BlobFile {
        place: format!("{root}/{folder}"),
        name: name.to_owned(),
    })
}

fn path_of(files: &Path, file: &BlobFile) -> PathBuf {
    let place = files.join(&file.place);
    match file.name.as_str() {
        "" => place,
        name => place.join(name),
    }
}

/// What lies directly in a folder below the data folder.
fn places_in(files: &Path, root: &str) -> Vec<String> {
    let names = names_in(&files.join(root)).into_iter();
    names.map(|name| format!("{root}/{name}")).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

#[cfg(test)]
mod tests;
