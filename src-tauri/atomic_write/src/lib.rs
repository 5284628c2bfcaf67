//! Atomic writes: a file whole or not at all, for every crate that keeps files. One place gets the order of disk writes
//! right.
//!
//! The content goes to a file beside the place, to the disk, and only then to the place. A reader sees the old file or the
//! new one. The new file belongs to its user alone (mode 0600).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes `content` to `path`, in place of the file that stood there. The folder must exist.
///
/// # Errors
/// A disk or folder that refuses; the old file stays then.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(content)?;
    draft.ready()?.put()
}

/// A file that is written piece by piece, beside the place that it will take. Dropped, it leaves nothing.
#[derive(Debug)]
pub struct Draft {
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
}

/// A whole file on the disk that has not taken its place yet. Dropped, it leaves nothing.
#[derive(Debug)]
pub struct Ready {
    file: NamedTempFile,
    path: PathBuf,
}

impl Draft {
    /// Begins the file that will stand at `path`. The folder must exist.
    ///
    /// # Errors
    /// A folder that refuses.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let file = NamedTempFile::new_in(folder_of(path))?;
        Ok(Self {
            writer: BufWriter::new(file),
            path: path.to_owned(),
        })
    }

    /// Returns when all of it is on the disk.
    ///
    /// # Errors
    /// A disk that refuses.
    pub fn ready(self) -> io::Result<Ready> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        Ok(Ready {
            file,
            path: self.path,
        })
    }
}

impl Write for Draft {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.writer.write(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Ready {
    /// Takes the place of the file that stands there.
    ///
    /// # Errors
    /// A folder that refuses; the old file stays then.
    pub fn put(self) -> io::Result<()> {
        self.file.persist(&self.path)?;
        settle(folder_of(&self.path))
    }

    /// Takes the place if nothing stands there, and says whether it did.
    ///
    /// # Errors
    /// A folder that refuses.
    pub fn put_if_absent(self) -> io::Result<bool> {
        match self.file.persist_noclobber(&self.path) {
            Ok(_) => settle(folder_of(&self.path)).map(|()| true),
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(refused) => Err(refused.error),
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Returns when the names in a folder are on the disk. Without this, a power cut may bring back the old names.
///
/// # Errors
/// A disk that refuses, a folder that is gone.
#[cfg(unix)]
pub fn settle(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems can't do it, and some folders may be written to but not read.
        Err(cause)
            if matches!(
                cause.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
            ) =>
        {
            Ok(())
        }
        settled => settled,
    }
}

/// Nothing to be done here: the system writes names with their files.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn settle(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_new_content_takes_the_place_of_the_old_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        write(&path, b"old and longer").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("by a folder")).unwrap();
        assert!(write(&path, b"new").is_err());
        assert!(path.join("by a folder").is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_draft_has_no_name_before_it_is_put_and_leaves_nothing_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export.jsonl");
        let mut draft = Draft::begin(&path).unwrap();
        draft.write_all(b"one\n").unwrap();
        draft.write_all(b"two\n").unwrap();
        let ready = draft.ready().unwrap();
        assert!(!path.exists());
        ready.put().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        drop(Draft::begin(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_stands_there_stays_where_only_a_free_place_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        for (content, is_put) in [("first", true), ("second", false)] {
            let mut draft = Draft::begin(&path).unwrap();
            draft.write_all(content.as_bytes()).unwrap();
            assert_eq!(draft.ready().unwrap().put_if_absent().unwrap(), is_put);
        }
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_belongs_to_its_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        fs::write(&path, "open").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        write(&path, b"closed").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
