//! Names in the folder that was judged: what stands there, moved elsewhere, made anew. Nothing that stands somewhere is ever
//! replaced, and no link is followed.

use super::{PASSED, SafeWriter};
use crate::error::ToolError;
use crate::safe_path::EntryKind;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

/// The name in the staging folder of what is made there.
const CONTENT: &str = "content";

impl SafeWriter {
    /// The kind of what stands at the name, a link itself included; `None` when nothing does.
    ///
    /// # Errors
    /// A folder that can't be looked into.
    pub(crate) fn kind(&self) -> Result<Option<EntryKind>, ToolError> {
        match rustix::fs::statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(facts) => Ok(Some(match FileType::from_raw_mode(facts.st_mode) {
                FileType::RegularFile => EntryKind::File,
                FileType::Directory => EntryKind::Folder,
                _ => EntryKind::Other,
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(ToolError::io(&self.shown, error.into())),
        }
    }

    /// Gives what stands here the other name, where nothing stands yet.
    ///
    /// # Errors
    /// Something there already, another disk, a folder that may not be written to.
    pub(crate) fn rename_to(&self, to: &Self) -> Result<(), ToolError> {
        let renamed = rename(&self.folder, &self.name, &to.folder, &to.name);
        renamed.map_err(|error| match error {
            Errno::EXIST | Errno::NOTEMPTY => ToolError::Exists(to.shown.display().to_string()),
            Errno::XDEV => ToolError::OtherDisk(self.shown.display().to_string()),
            Errno::NOENT => ToolError::Missing(self.shown.display().to_string()),
            other => ToolError::unwritten(&self.shown, other.into()),
        })?;
        self.sync_folder();
        to.sync_folder();
        Ok(())
    }

    /// Makes an empty folder of that name.
    ///
    /// # Errors
    /// Something there already, a folder that may not be written to.
    pub(crate) fn make_folder(&self) -> Result<(), ToolError> {
        let made = rustix::fs::mkdirat(&self.folder, &self.name, Mode::from_raw_mode(0o777));
        made.map_err(|error| match error {
            Errno::EXIST => ToolError::Exists(self.shown.display().to_string()),
            other => ToolError::unwritten(&self.shown, other.into()),
        })?;
        self.sync_folder();
        Ok(())
    }

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// A folder that holds something, or is none.
    pub(crate) fn remove_folder(&self) -> Result<(), ToolError> {
        rustix::fs::unlinkat(&self.folder, &self.name, AtFlags::REMOVEDIR)
            .map_err(|error| ToolError::unwritten(&self.shown, error.into()))?;
        self.sync_folder();
        Ok(())
    }

    /// Removes a file or tree, without following links.
    ///
    /// # Errors
    /// A tree that changes at this moment, a folder that may not be written to.
    pub(crate) fn remove_tree(&self) -> Result<(), ToolError> {
        remove_tree(&self.folder, &self.name).map_err(|error| ToolError::unwritten(&self.shown, error))?;
        self.sync_folder();
        Ok(())
    }

    /// Begins a tree that takes this name when it is complete. What an earlier attempt left is removed first.
    ///
    /// # Errors
    /// A folder that may not be written to.
    pub(crate) fn stage(&self) -> Result<Staging<'_>, ToolError> {
        let name = self.beside();
        let worded = |error: std::io::Error| ToolError::unwritten(&self.shown, error);
        remove_tree(&self.folder, &name).map_err(worded)?;
        let made = rustix::fs::mkdirat(&self.folder, &name, Mode::RWXU);
        made.map_err(|error| worded(error.into()))?;
        let folder = open_folder(&self.folder, Path::new(&name)).map_err(|error| worded(error.into()))?;
        Ok(Staging {
            target: self,
            name,
            folder,
        })
    }
}

/// A tree that is being made beside the name that it will have. What is not placed is removed.
pub(crate) struct Staging<'a> {
    target: &'a SafeWriter,
    name: String,
    folder: OwnedFd,
}

impl Staging<'_> {
    /// Makes a folder of the tree, with the folders on its way; an empty path is the tree itself.
    ///
    /// # Errors
    /// Something else of that name, a full disk.
    pub(crate) fn folder(&self, relative: &Path) -> Result<(), ToolError> {
        self.opened(relative).map(drop)
    }

    /// Makes a file of the tree, with the folders on its way; an empty path is the tree itself.
    ///
    /// # Errors
    /// Something of that name already, a full disk.
    pub(crate) fn file(&self, relative: &Path, executable: Executable) -> Result<File, ToolError> {
        let mode = match executable {
            Executable::Yes => Mode::from_raw_mode(0o777),
            Executable::No => Mode::from_raw_mode(0o666),
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = match (relative.parent(), relative.file_name()) {
            (Some(parent), Some(name)) => {
                rustix::fs::openat(self.opened(parent)?, Path::new(name), flags, mode)
            }
            _ => rustix::fs::openat(&self.folder, CONTENT, flags, mode),
        };
        opened
            .map(File::from)
            .map_err(|error| self.worded(relative, error))
    }

    /// The path of the tree while it is made, where `folder` is the folder of its later name.
    pub(crate) fn path(&self, folder: &Path) -> std::path::PathBuf {
        folder.join(&self.name).join(CONTENT)
    }

    /// Gives the tree its name, where nothing stands yet.
    ///
    /// # Errors
    /// Something there already, a full disk.
    pub(crate) fn place(self) -> Result<(), ToolError> {
        let target = self.target;
        let worded = |error: Errno| ToolError::unwritten(&target.shown, error.into());
        sync_all(&self.folder).map_err(worded)?;
        let renamed = rename(&self.folder, CONTENT, &target.folder, &target.name);
        renamed.map_err(|error| match error {
            Errno::EXIST | Errno::NOTEMPTY => ToolError::Exists(target.shown.display().to_string()),
            other => worded(other),
        })?;
        target.sync_folder();
        Ok(())
    }

    /// The folder of that path in the tree, made where it is missing.
    fn opened(&self, relative: &Path) -> Result<OwnedFd, ToolError> {
        let mut folder = self.entered(&self.folder, Path::new(CONTENT))?;
        for part in relative.components() {
            let Component::Normal(part) = part else {
                return Err(self.worded(relative, Errno::INVAL));
            };
            folder = self.entered(&folder, Path::new(part))?;
        }
        Ok(folder)
    }

    fn entered(&self, folder: &OwnedFd, name: &Path) -> Result<OwnedFd, ToolError> {
        match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(self.worded(name, error)),
        }
        open_folder(folder, name).map_err(|error| self.worded(name, error))
    }

    fn worded(&self, relative: &Path, error: Errno) -> ToolError {
        ToolError::unwritten(&self.target.shown.join(relative), error.into())
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        remove_tree(&self.target.folder, &self.name).unwrap_or_default();
    }
}

/// Whether a file may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Executable {
    Yes,
    No,
}

/// Renames where nothing of the new name stands. File systems that can't promise this are looked at first.
fn rename(from: &OwnedFd, name: impl AsRef<Path>, to: &OwnedFd, new: impl AsRef<Path>) -> Result<(), Errno> {
    let (name, new) = (name.as_ref(), new.as_ref());
    match rustix::fs::renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            match rustix::fs::statat(to, new, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => rustix::fs::renameat(from, name, to, new),
                Err(error) => Err(error),
                Ok(_) => Err(Errno::EXIST),
            }
        }
        renamed => renamed,
    }
}

fn open_folder(folder: &OwnedFd, name: &Path) -> Result<OwnedFd, Errno> {
    let flags = PASSED | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(folder, name, flags, Mode::empty())
}

/// Removes a file or tree, without following links.
fn remove_tree(folder: &OwnedFd, name: impl AsRef<Path>) -> std::io::Result<()> {
    let name = name.as_ref();
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let tree = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
        Ok(tree) => tree,
        Err(Errno::NOENT) => return Ok(()),
        // Something else of our name, such as what a write left of a file.
        Err(Errno::NOTDIR | Errno::LOOP) => {
            return Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?);
        }
        Err(error) => return Err(error.into()),
    };
    // Levels are bounded: trees of ours come from walks of bounded depth.
    empty(&tree)?;
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

fn empty(folder: &OwnedFd) -> std::io::Result<()> {
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(folder, name, flags, Mode::empty()) {
            Ok(below) => {
                empty(&below)?;
                rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)?;
            }
            Err(Errno::NOTDIR | Errno::LOOP) => rustix::fs::unlinkat(folder, name, AtFlags::empty())?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Brings what was written to the disk.
#[cfg(target_os = "linux")]
fn sync_all(folder: &OwnedFd) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::syncfs(rustix::fs::openat(folder, ".", flags, Mode::empty())?)
}

#[cfg(not(target_os = "linux"))]
fn sync_all(_folder: &OwnedFd) -> Result<(), Errno> {
    rustix::fs::sync();
    Ok(())
}
