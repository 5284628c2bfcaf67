//! What somebody else wrote, on its way in: fetched into a folder of its own, shown, and kept just as it was shown.
//!
//! A review lies in the data folder, beside the skills and never among them. What is kept is moved out of it in one step,
//! after its fingerprint was compared with the one that was shown.

mod archive;
mod git;
mod source;

pub use source::Source;

use crate::bundle::TEXT;
use crate::limits::{BYTES_MAX, ENTRIES_MAX, REVIEWS_MAX, UNPACKED_BYTES_MAX};
use shidi_models::Proxy;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
    NoSkill,
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
        Source::Folder(from) => copy(from, &inside, &mut Left::default())?,
        Source::Archive(path) => archive::unpacked(path, &inside)?,
        Source::Git(address) => git::fetched(address, &inside, proxy).await?,
    }
    Ok(folder.keep())
}

/// Writes a skill of one text into a new folder below `reviews`.
///
/// # Errors
/// A disk that refuses.
pub fn written(name: &str, text: &str, reviews: &Path) -> io::Result<PathBuf> {
    let folder = fresh(reviews)?;
    let inside = folder.path().join(name);
    fs::create_dir(&inside)?;
    fs::write(inside.join(TEXT), text)?;
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

impl Default for Left {
    fn default() -> Self {
        Self {
            entries: ENTRIES_MAX,
            bytes: UNPACKED_BYTES_MAX,
        }
    }
}

impl Left {
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

/// Puts a reviewed folder in the place of a skill; what was there goes only when the new one stands.
///
/// # Errors
/// Trouble with the disk.
pub fn put(reviewed: &Path, place: &Path) -> Result<(), Refused> {
    let parent = place.parent().unwrap_or(place);
    fs::create_dir_all(parent)?;
    let aside = tempfile::Builder::new().prefix(".").tempdir_in(parent)?;
    let earlier = aside.path().join("earlier");
    let had_earlier = place.exists();
    if had_earlier {
        fs::rename(place, &earlier)?;
    }
    let moved = fs::rename(reviewed, place).or_else(|_| copied(reviewed, place));
    if moved.is_err() && had_earlier {
        fs::rename(&earlier, place)?;
    }
    moved
}

/// The way where both lie on different disks.
fn copied(reviewed: &Path, place: &Path) -> Result<(), Refused> {
    fs::create_dir(place)?;
    let mut left = Left {
        bytes: BYTES_MAX,
        ..Left::default()
    };
    copy(reviewed, place, &mut left)
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
