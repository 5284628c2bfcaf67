//! The identity of a folder, whatever its path. One folder may have several names, and stays the same when a
//! name changes.

use std::path::Path;

/// Device and inode number of a file or folder: two paths with the same numbers lead to one thing.
pub(crate) type Identity = (u64, u64);

/// The identity at `path`, links followed. `None` where nothing exists, or the system has no such numbers.
pub(crate) fn of(path: &Path) -> Option<Identity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        path.metadata().ok().map(|facts| (facts.dev(), facts.ino()))
    }
    #[cfg(not(unix))]
    {
        let _none = path;
        None
    }
}

/// Whether `path` is `folder` or lies in it, by name or by identity. Both paths must have all links followed.
pub(crate) fn is_within(path: &Path, folder: &Path) -> bool {
    if path.starts_with(folder) {
        return true;
    }
    let known = of(folder);
    known.is_some() && path.ancestors().any(|above| of(above) == known)
}

/// The identity at `path`, reached name by name; `None` where a link is on the way.
#[cfg(target_os = "linux")]
pub(crate) fn without_links(path: &Path) -> Option<Identity> {
    use rustix::fs::{Mode, OFlags};
    use std::path::Component;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = rustix::fs::open("/", flags, Mode::empty()).ok()?;
    let mut facts = rustix::fs::fstat(&at).ok()?;
    for component in path.components() {
        let Component::Normal(name) = component else {
            continue;
        };
        at = rustix::fs::openat(&at, name, flags, Mode::empty()).ok()?;
        facts = rustix::fs::fstat(&at).ok()?;
        if rustix::fs::FileType::from_raw_mode(facts.st_mode).is_symlink() {
            return None;
        }
    }
    Some((facts.st_dev, facts.st_ino))
}
