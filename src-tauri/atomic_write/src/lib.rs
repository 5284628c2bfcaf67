//! Writes a file whole or not at all, for every crate that keeps files: one place to get the order of disk writes right.
//!
//! The content goes to a file beside the place, to the disk, and only then to the place. A reader sees the old file or the
//! new one. The new file belongs to its user alone (mode 0600).

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes `content` to `path`, in place of the file that stood there. The folder must exist.
///
/// # Errors
/// A disk or folder that refuses; the old file stays then.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    settle(folder)
}

/// Returns when the names in a folder are on the disk: after a power cut they would be the old ones otherwise.
///
/// # Errors
/// A disk that refuses, a folder that is gone.
#[cfg(unix)]
pub fn settle(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
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
