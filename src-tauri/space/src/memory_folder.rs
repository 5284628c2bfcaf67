//! A folder in the machine's memory, for files of sessions that leave nothing. No disk ever holds the content of this
//! folder.
//!
//! Linux mounts such file systems for every user. Where there is none there is no folder, and what would need one is
//! refused. Files that a killed process left there are removed by the next start, or are gone with the machine's power.

use crate::home::{Home, make_private};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's own place for every user's, where the user has none.
const SHARED: &str = "/dev/shm";

/// What the system says is mounted.
const MOUNTS: &str = "/proc/self/mountinfo";

/// File systems that have no disk.
const WITHOUT_DISK: [&str; 2] = ["tmpfs", "ramfs"];

/// Tells the folders of one process apart.
static FOLDERS: AtomicU64 = AtomicU64::new(0);

/// A folder that goes when it is dropped.
#[derive(Debug)]
pub struct MemoryFolder {
    path: PathBuf,
}

impl MemoryFolder {
    /// Makes one; `None` where no file system is in memory, or none lets us.
    #[must_use]
    pub fn make(home: &Home) -> Option<Self> {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let mounts = fs::read_to_string(MOUNTS).unwrap_or_default();
        places(home)
            .into_iter()
            .filter(|place| place.parent().is_some_and(|parent| has_no_disk(parent, &mounts)))
            .find_map(|place| {
                let path = place.join(number.to_string());
                let made = make_own(&place).and_then(|()| make_private(&path));
                match made {
                    Ok(()) => Some(Self { path }),
                    Err(cause) => {
                        tracing::info!(%cause, place = %place.display(), "no files are kept in memory there");
                        None
                    }
                }
            })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl MemoryFolder {
    /// Removes it now; whoever still holds it finds nothing there.
    pub fn remove(&self) {
        remove(&self.path);
        if let Some(place) = self.path.parent() {
            // The folder stays while another session has its folder there.
            fs::remove_dir(place).unwrap_or_default();
        }
    }
}

impl Drop for MemoryFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes what a process that was killed left behind. To be called by the one that holds the data folder's lock, before
/// it makes a folder of its own.
pub fn sweep(home: &Home) {
    for place in places(home) {
        remove(&place);
    }
}

/// Where the folders of a data folder may be, in the user's own place first.
fn places(home: &Home) -> Vec<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|text| !text.is_empty());
    let parents = runtime
        .map(PathBuf::from)
        .into_iter()
        .chain([PathBuf::from(SHARED)]);
    parents
        .map(|parent| parent.join(format!("shidi-incognito-{}", home.mark())))
        .collect()
}

/// Makes a folder that nobody else can have made: others may write beside it.
fn make_own(place: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(place) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        other => return other,
    }
    if is_own(place)? {
        Ok(())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

#[cfg(unix)]
fn is_own(place: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let facts = fs::symlink_metadata(place)?;
    Ok(facts.is_dir() && facts.uid() == crate::home::own_user() && facts.mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_own(_place: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Whether a folder lies in memory, by the innermost mount around it.
fn has_no_disk(folder: &Path, mounts: &str) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let mounted = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        // A space in a name is written as its number; such a mount is none of ours.
        let point = before.split(' ').nth(4)?;
        let kind = after.split(' ').next()?;
        folder.starts_with(point).then_some((point.len(), kind))
    });
    // Of two at the same place the later one is seen.
    mounted
        .max_by_key(|(length, _)| *length)
        .is_some_and(|(_, kind)| WITHOUT_DISK.contains(&kind))
}

fn remove(path: &Path) {
    match fs::remove_dir_all(path) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => tracing::warn!(%cause, path = %path.display(), "files in memory are not removed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;

    const MOUNTED: &str = "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                           30 22 0:25 / /dev rw - tmpfs tmpfs rw\n\
                           31 30 0:26 / /dev/disks rw - ext4 /dev/sdb rw\n\
                           not a line";

    #[test]
    fn the_innermost_mount_tells_whether_there_is_a_disk() {
        assert!(has_no_disk(Path::new("/dev"), MOUNTED));
        assert!(!has_no_disk(Path::new("/"), MOUNTED));
        assert!(!has_no_disk(Path::new("/nowhere at all"), MOUNTED));
        let hidden = MOUNTED.replace("/dev/disks", "/dev");
        assert!(!has_no_disk(Path::new("/dev"), &hidden), "the later one hides it");
    }

    #[test]
    fn a_folder_goes_with_its_owner_and_what_was_left_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(folder.path().to_owned()), Language::En).unwrap();
        let Some(made) = MemoryFolder::make(&home) else {
            eprintln!("NOT RUN: no file system of this machine is in memory");
            return;
        };
        let path = made.path().to_owned();
        fs::write(path.join("a"), "b").unwrap();
        drop(made);
        assert!(!path.exists());
        let killed = MemoryFolder::make(&home).unwrap();
        let left = killed.path().to_owned();
        std::mem::forget(killed);
        assert!(left.is_dir());
        sweep(&home);
        assert!(!left.exists());
    }
}
