//! Which files were downloaded here: it tells our files from the user's own, and nothing else is ever removed.
//!
//! It lies beside the user's list, as `models/downloaded.toml`. Where it can't be read, nothing counts as ours, and it stays as it is.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const NAME: &str = "downloaded.toml";

/// A file that was downloaded whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownloadedFile {
    /// The id of its entry in the catalogue.
    pub id: String,
    /// With all links followed.
    pub path: PathBuf,
    pub bytes: u64,
    /// Nanoseconds from 1970 to its last change, where the system tells.
    #[serde(default)]
    changed: Option<u64>,
}

impl DownloadedFile {
    /// A file that is whole now.
    pub fn new(id: &str, path: &Path, bytes: u64) -> Self {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self {
            id: id.to_owned(),
            changed: changed(&path),
            path,
            bytes,
        }
    }

    /// Whether it still lies there. What another path leads to, or was changed since, is the user's.
    fn is_there(&self) -> bool {
        let is_same_place = self.path.canonicalize().is_ok_and(|path| path == self.path);
        let facts = self.path.symlink_metadata();
        let is_same_length = facts.is_ok_and(|facts| facts.is_file() && facts.len() == self.bytes);
        is_same_place && is_same_length && self.changed == changed(&self.path)
    }
}

fn changed(path: &Path) -> Option<u64> {
    let time = path.metadata().ok()?.modified().ok()?;
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    #[serde(default, rename = "file")]
    files: Vec<DownloadedFile>,
}

impl Record {
    /// The record in the folder of models of a data folder.
    ///
    /// # Errors
    /// It is there and can't be read, or is broken.
    pub fn read(folder: &Path) -> io::Result<Self> {
        match std::fs::read_to_string(folder.join(NAME)) {
            Ok(text) => toml::from_str(&text).map_err(io::Error::other),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(cause) => Err(cause),
        }
    }

    /// # Errors
    /// A disk that refuses.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        std::fs::create_dir_all(folder)?;
        shidi_atomic_write::write(&folder.join(NAME), text.as_bytes())
    }

    /// With one more file; a path stands there once.
    pub fn with(self, file: DownloadedFile) -> Self {
        let mut record = self.without(&file.path);
        record.files.push(file);
        record
    }

    pub fn without(mut self, path: &Path) -> Self {
        self.files.retain(|file| file.path != path);
        self
    }

    /// The ids of all entries on record.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|file| file.id.clone())
    }

    /// The files of an entry that still lie where they were put.
    pub fn there(&self, id: &str) -> Vec<DownloadedFile> {
        let of_entry = self.files.iter().filter(|file| file.id == id);
        of_entry.filter(|file| file.is_there()).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str) -> DownloadedFile {
        let path = folder.join(name);
        std::fs::write(&path, "12345").unwrap();
        DownloadedFile::new("own", &path, 5)
    }

    #[test]
    fn what_is_on_record_is_read_again_and_goes_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let models = folder.path().join("models");
        let (one, other) = (file(folder.path(), "a.gguf"), file(folder.path(), "b.gguf"));
        let record = Record::read(&models)
            .unwrap()
            .with(one.clone())
            .with(other.clone());
        record.clone().with(one.clone()).write(&models).unwrap();
        let read = Record::read(&models).unwrap();
        assert_eq!(read.there("own"), [other.clone(), one.clone()]);
        assert!(read.there("another").is_empty());
        assert_eq!(read.without(&one.path).there("own"), [other]);
    }

    #[test]
    fn another_file_in_its_place_is_the_users_and_a_broken_record_claims_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let one = file(folder.path(), "a.gguf");
        let record = Record::default().with(one.clone());
        record.write(folder.path()).unwrap();
        std::fs::write(&one.path, "123456").unwrap();
        assert!(record.there("own").is_empty());
        std::fs::write(&one.path, "54321").unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
        let file = std::fs::File::options().append(true).open(&one.path).unwrap();
        file.set_modified(later).unwrap();
        assert!(record.there("own").is_empty(), "another one of the same length");
        let one = DownloadedFile::new("own", &one.path, 5);
        assert_eq!(record.clone().with(one.clone()).there("own").len(), 1);
        std::fs::remove_file(&one.path).unwrap();
        assert!(record.there("own").is_empty());
        std::fs::write(folder.path().join(NAME), "[[file]\n").unwrap();
        assert!(Record::read(folder.path()).is_err());
    }
}
