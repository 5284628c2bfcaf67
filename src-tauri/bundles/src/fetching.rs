//! A stranger's folder on its way in. The folder is fetched into a folder of its own, shown, and kept just as it was
//! shown.
//!
//! A review lies in the data folder, beside what is kept and never among it. A reviewed folder that is kept is moved
//! out of the review in one step.

pub mod archive;
mod git;
mod source;

pub use source::Source;

use crate::limits::{BYTES_MAX, REVIEWS_MAX};
use shidi_models::Proxy;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a folder begins in which a change is prepared, and the name of what is prepared.
const ASIDE: &str = ".put-";
const NEXT: &str = "next";

/// Why nothing of a source is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// There is neither a folder nor a file of that name.
    Nowhere,
    /// The address is reached otherwise than by https.
    OtherTransport,
    NotAnArchive,
    Broken {
        why: String,
    },
    Link {
        path: String,
    },
    /// A path that leads out of the source.
    Outside {
        path: String,
    },
    TooLarge,
    NoGit,
    Git {
        why: String,
    },
    GitTooSlow,
    Disk {
        why: String,
    },
}

impl From<io::Error> for Refused {
    fn from(cause: io::Error) -> Self {
        Self::Disk {
            why: cause.to_string(),
        }
    }
}

/// Brings what a source holds into a new folder below `reviews`, where it lies by its own name.
///
/// # Errors
/// See [`Refused`]; nothing of it is left then.
pub async fn fetched(source: &Source, reviews: &Path, proxy: &Proxy) -> Result<PathBuf, Refused> {
    let folder = fresh(reviews)?;
    let inside = folder.path().join(source.name());
    fs::create_dir(&inside)?;
    match source {
        Source::Folder(from) => copy(from, &inside, &mut Left::of(&archive::OF_BUNDLES))?,
        Source::Archive(path) => archive::unpacked(path, &inside, &archive::OF_BUNDLES)?,
        Source::Git(address) => git::fetched(address, &inside, proxy).await?,
    }
    Ok(folder.keep())
}

/// Writes texts by their paths into a folder of that name, within a new one below `reviews`.
///
/// # Errors
/// A disk that refuses.
pub fn written(name: &str, files: &[(&str, &str)], reviews: &Path) -> io::Result<PathBuf> {
    let folder = fresh(reviews)?;
    let inside = folder.path().join(name);
    fs::create_dir(&inside)?;
    for (path, text) in files {
        let path = inside.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(folder.keep())
}

/// A new folder for a review; it goes with what is returned.
fn fresh(reviews: &Path) -> io::Result<tempfile::TempDir> {
    fs::create_dir_all(reviews)?;
    sweep(reviews)?;
    tempfile::Builder::new().prefix("r").tempdir_in(reviews)
}

/// What a source may still bring.
struct Left {
    entries: usize,
    bytes: u64,
}

impl Left {
    const fn of(allowed: &archive::Allowed) -> Self {
        Self {
            entries: allowed.entries,
            bytes: allowed.bytes,
        }
    }

    fn takes_entry(&mut self) -> Result<(), Refused> {
        self.entries = self.entries.checked_sub(1).ok_or(Refused::TooLarge)?;
        Ok(())
    }

    fn takes_bytes(&mut self, bytes: u64) -> Result<(), Refused> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Refused::TooLarge)?;
        Ok(())
    }
}

/// Copies a folder without following links; version control is left behind.
fn copy(from: &Path, to: &Path, left: &mut Left) -> Result<(), Refused> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        left.takes_entry()?;
        let (path, name) = (entry.path(), entry.file_name());
        if name == ".git" {
            continue;
        }
        let facts = path.symlink_metadata()?;
        let target = to.join(&name);
        if facts.is_dir() {
            fs::create_dir(&target)?;
            copy(&path, &target, left)?;
        } else if facts.is_file() {
            left.takes_bytes(facts.len())?;
            fs::copy(&path, &target)?;
        } else {
            return Err(Refused::Link {
                path: path.display().to_string(),
            });
        }
    }
    Ok(())
}

/// Puts a reviewed folder in its place. Whoever is killed on the way leaves what was there, or the new one, whole.
///
/// # Errors
/// Trouble with the disk.
pub fn put(reviewed: &Path, place: &Path) -> Result<(), Refused> {
    let parent = place.parent().unwrap_or(place);
    fs::create_dir_all(parent)?;
    let aside = aside(parent)?;
    let next = aside.path().join(NEXT);
    if fs::rename(reviewed, &next).is_err() {
        // Both lie on different disks.
        fs::create_dir(&next)?;
        let mut left = Left {
            bytes: BYTES_MAX,
            ..Left::of(&archive::OF_BUNDLES)
        };
        copy(reviewed, &next, &mut left)?;
    }
    match place.symlink_metadata().is_ok() {
        true => exchanged(&next, place)?,
        false => fs::rename(&next, place)?,
    }
    Ok(())
}

/// Removes a folder as a whole: it is out of its place before anything in it goes.
///
/// # Errors
/// Trouble with the disk.
pub fn removed(place: &Path) -> Result<(), Refused> {
    let aside = aside(place.parent().unwrap_or(place))?;
    fs::rename(place, aside.path().join(NEXT))?;
    Ok(())
}

/// A hidden folder in which a change is prepared. What an earlier change left there goes.
fn aside(parent: &Path) -> io::Result<tempfile::TempDir> {
    for entry in fs::read_dir(parent)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(ASIDE) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    tempfile::Builder::new().prefix(ASIDE).tempdir_in(parent)
}

/// Two folders change places, in one step where the system can.
#[cfg(target_os = "linux")]
fn exchanged(next: &Path, place: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, next, CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // Some file systems can't.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => in_two_steps(next, place),
        Err(cause) => Err(cause.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchanged(next: &Path, place: &Path) -> io::Result<()> {
    in_two_steps(next, place)
}

fn in_two_steps(next: &Path, place: &Path) -> io::Result<()> {
    let earlier = next.with_file_name("earlier");
    fs::rename(place, &earlier)?;
    let moved = fs::rename(next, place);
    if moved.is_err() {
        fs::rename(&earlier, place)?;
    }
    moved
}

/// The reviews that nobody decided on make room, the oldest first.
fn sweep(reviews: &Path) -> io::Result<()> {
    let mut known: Vec<_> = fs::read_dir(reviews)?
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    known.sort();
    let spare = known.len().saturating_sub(REVIEWS_MAX - 1);
    for (_, path) in known.drain(..spare) {
        fs::remove_dir_all(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
