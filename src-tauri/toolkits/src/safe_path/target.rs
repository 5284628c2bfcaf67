//! Writing. The new content is complete on the disk before it takes the old content's name. The new content
//! stands in the very folder that was judged.
//!
//! The folder is reached name by name from the root without following links. So a link put there meanwhile
//! leads nowhere.

mod entry;

pub(crate) use entry::{Executable, Staging};

use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::EARLIER_BYTES_MAX;
use crate::regular_file::refuse_special;
use crate::safe_path::ResolvedPath;
use rustix::fs::{Access, AtFlags, FileType, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Folders on the way are opened to pass through only: this is allowed where they can't be listed.
#[cfg(target_os = "linux")]
const PASSED: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const PASSED: OFlags = OFlags::RDONLY;

/// The bits of a mode that new content keeps; the bits for running as the owner are dropped.
const PERMISSIONS: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO);

/// The folder and name of a file to be written.
pub(crate) struct SafeWriter {
    folder: OwnedFd,
    name: OsString,
    shown: PathBuf,
}

/// The file found before the write.
pub(crate) struct Found {
    pub(crate) bytes: Vec<u8>,
    stamp: Stamp,
    mode: Mode,
    owner: (u32, u32),
}

/// The facts by which a file is known to be unchanged.
#[derive(PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl SafeWriter {
    /// Opens the folder of a place that the call may write to, and creates a missing folder.
    ///
    /// # Errors
    /// A place further than the call was permitted to reach, Shidi's own data, a folder that can't be created.
    pub(crate) fn of(place: &ResolvedPath, environment: &Environment) -> Result<Self, ToolError> {
        place.check_writing(environment)?;
        Self::at(&place.leads_to, &place.shown)
    }

    /// Opens the folder of a path whose links are followed already.
    ///
    /// # Errors
    /// A path with a link in it, a folder that can't be created.
    pub(crate) fn at(path: &Path, shown: &Path) -> Result<Self, ToolError> {
        let worded = |error: Errno| match error {
            Errno::LOOP | Errno::NOTDIR => {
                ToolError::Escaped(shown.display().to_string(), path.to_path_buf())
            }
            other => ToolError::unwritten(shown, other.into()),
        };
        let Some(name) = path.file_name() else {
            return Err(ToolError::Folder(shown.display().to_string()));
        };
        let flags = PASSED | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder = rustix::fs::open("/", flags, Mode::empty()).map_err(worded)?;
        for component in path.parent().unwrap_or(path).components() {
            let Component::Normal(part) = component else {
                continue;
            };
            folder = match rustix::fs::openat(&folder, part, flags, Mode::empty()) {
                Err(Errno::NOENT) => {
                    match rustix::fs::mkdirat(&folder, part, Mode::from_raw_mode(0o777)) {
                        Ok(()) | Err(Errno::EXIST) => {}
                        Err(error) => return Err(worded(error)),
                    }
                    rustix::fs::openat(&folder, part, flags, Mode::empty()).map_err(worded)?
                }
                opened => opened.map_err(worded)?,
            };
        }
        Ok(Self {
            folder,
            name: name.to_owned(),
            shown: shown.to_path_buf(),
        })
    }

    /// The file there now; `None` when there is none.
    ///
    /// # Errors
    /// A folder, pipe or device; a file that is protected or too large to be kept.
    pub(crate) fn found(&self) -> Result<Option<Found>, ToolError> {
        let worded = |error: std::io::Error| ToolError::unwritten(&self.shown, error);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.folder, &self.name, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(ToolError::Special(self.shown.display().to_string(), "link")),
            opened => File::from(opened.map_err(|error| worded(error.into()))?),
        };
        let facts = file.metadata().map_err(worded)?;
        refuse_special(facts.file_type(), &self.shown)?;
        rustix::fs::accessat(&self.folder, &self.name, Access::WRITE_OK, AtFlags::empty())
            .map_err(|_| ToolError::Protected(self.shown.display().to_string()))?;
        let permissions = rustix::fs::fstat(&file).map_err(|error| worded(error.into()))?;
        let mut bytes = Vec::new();
        let mut bounded = (&file).take(EARLIER_BYTES_MAX + 1);
        bounded.read_to_end(&mut bytes).map_err(worded)?;
        if bytes.len() as u64 > EARLIER_BYTES_MAX {
            return Err(ToolError::TooLarge(self.shown.display().to_string()));
        }
        Ok(Some(Found {
            bytes,
            stamp: Stamp {
                inode: facts.ino(),
                size: facts.size(),
                modified: (facts.mtime(), facts.mtime_nsec()),
            },
            mode: Mode::from_raw_mode(permissions.st_mode) & PERMISSIONS,
            owner: (facts.uid(), facts.gid()),
        }))
    }

    /// Replaces the found file by `bytes`. Readers see the old content until the new one is complete.
    ///
    /// # Errors
    /// A full disk, a folder that may not be written to, a file that another program wrote meanwhile.
    pub(crate) fn replace(&self, bytes: &[u8], found: Option<&Found>) -> Result<(), ToolError> {
        let beside = self.beside();
        let written = self.write_beside(&beside, bytes, found).and_then(|()| {
            self.check_unchanged(found)?;
            rustix::fs::renameat(&self.folder, &beside, &self.folder, &self.name)
                .map_err(|error| ToolError::unwritten(&self.shown, error.into()))
        });
        match written {
            Ok(()) => self.sync_folder(),
            Err(_) => {
                rustix::fs::unlinkat(&self.folder, &beside, AtFlags::empty()).unwrap_or_default();
            }
        }
        written
    }

    /// Removes the found file.
    ///
    /// # Errors
    /// A folder that may not be written to, a file that another program wrote meanwhile.
    pub(crate) fn remove(&self, found: &Found) -> Result<(), ToolError> {
        self.check_unchanged(Some(found))?;
        rustix::fs::unlinkat(&self.folder, &self.name, AtFlags::empty())
            .map_err(|error| ToolError::unwritten(&self.shown, error.into()))?;
        self.sync_folder();
        Ok(())
    }

    /// The name of the new content before it takes its place. The same file always has the same name. So at
    /// most one such file is left by a crash, and the next write finds it.
    pub(crate) fn beside(&self) -> String {
        let digest = Sha256::digest(self.name.as_encoded_bytes());
        format!(".shidi-{}.part", hex::encode(&digest[..8]))
    }

    fn write_beside(&self, name: &str, bytes: &[u8], found: Option<&Found>) -> Result<(), ToolError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let write = || -> std::io::Result<()> {
            let open = || rustix::fs::openat(&self.folder, name, flags, Mode::from_raw_mode(0o666));
            let opened = match open() {
                Err(Errno::EXIST) => {
                    rustix::fs::unlinkat(&self.folder, name, AtFlags::empty())?;
                    open()?
                }
                opened => opened?,
            };
            let mut file = File::from(opened);
            if let Some(found) = found {
                // The new file keeps its owner where the system allows this; else it becomes ours.
                let (owner, group) = (Uid::from_raw(found.owner.0), Gid::from_raw(found.owner.1));
                rustix::fs::fchown(&file, Some(owner), Some(group)).unwrap_or_default();
                rustix::fs::fchmod(&file, found.mode)?;
            }
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|error| ToolError::unwritten(&self.shown, error))
    }

    fn check_unchanged(&self, found: Option<&Found>) -> Result<(), ToolError> {
        let now = match rustix::fs::statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(facts) if FileType::from_raw_mode(facts.st_mode) == FileType::RegularFile => Some(Stamp {
                inode: facts.st_ino,
                size: u64::try_from(facts.st_size).unwrap_or_default(),
                modified: (
                    facts.st_mtime,
                    i64::try_from(facts.st_mtime_nsec).unwrap_or_default(),
                ),
            }),
            Ok(_) => return Err(ToolError::Meanwhile(self.shown.display().to_string())),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(ToolError::unwritten(&self.shown, error.into())),
        };
        if now.as_ref() == found.map(|found| &found.stamp) {
            Ok(())
        } else {
            Err(ToolError::Meanwhile(self.shown.display().to_string()))
        }
    }

    /// Makes the new name durable. The content is written even where the folder can't be synced.
    fn sync_folder(&self) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let synced = rustix::fs::openat(&self.folder, ".", flags, Mode::empty())
            .and_then(|folder| rustix::fs::fsync(&folder));
        synced.unwrap_or_default();
    }
}
