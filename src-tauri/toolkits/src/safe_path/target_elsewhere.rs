//! Writing on systems without folder handles (Windows). The new content is complete before it takes the old
//! name, and the folder is judged once more before.

use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::EARLIER_BYTES_MAX;
use crate::regular_file::refuse_special;
use crate::safe_path::{EntryKind, ResolvedPath};
use shidi_atomic_write::{Draft, Ready};
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The path of a file to be written.
pub(crate) struct SafeWriter {
    path: PathBuf,
    shown: PathBuf,
}

/// The file found before the write.
pub(crate) struct Found {
    pub(crate) bytes: Vec<u8>,
    stamp: (u64, Option<SystemTime>),
}

impl SafeWriter {
    /// # Errors
    /// A place further than the call was permitted to reach, Shidi's own data, a folder that can't be made.
    pub(crate) fn of(place: &ResolvedPath, environment: &Environment) -> Result<Self, ToolError> {
        place.check_writing(environment)?;
        Self::at(&place.leads_to, &place.shown)
    }

    /// # Errors
    /// A path with a link in it, a folder that can't be made.
    pub(crate) fn at(path: &Path, shown: &Path) -> Result<Self, ToolError> {
        let Some(folder) = path.parent() else {
            return Err(ToolError::Folder(shown.display().to_string()));
        };
        let worded = |error| ToolError::unwritten(shown, error);
        fs::create_dir_all(folder).map_err(worded)?;
        if folder.canonicalize().map_err(worded)? != folder {
            return Err(ToolError::Escaped(
                shown.display().to_string(),
                path.to_path_buf(),
            ));
        }
        Ok(Self {
            path: path.to_path_buf(),
            shown: shown.to_path_buf(),
        })
    }

    /// # Errors
    /// A folder or device; a file that is protected or too large to be kept.
    pub(crate) fn found(&self) -> Result<Option<Found>, ToolError> {
        let worded = |error| ToolError::unwritten(&self.shown, error);
        let facts = match self.path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            facts => facts.map_err(worded)?,
        };
        refuse_special(facts.file_type(), &self.shown)?;
        if facts.permissions().readonly() {
            return Err(ToolError::Protected(self.shown.display().to_string()));
        }
        if facts.len() > EARLIER_BYTES_MAX {
            return Err(ToolError::TooLarge(self.shown.display().to_string()));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&self.path).map_err(worded)?;
        file.take(EARLIER_BYTES_MAX)
            .read_to_end(&mut bytes)
            .map_err(worded)?;
        Ok(Some(Found {
            bytes,
            stamp: (facts.len(), facts.modified().ok()),
        }))
    }

    /// # Errors
    /// A full disk, a folder that may not be written to, a file that another program wrote meanwhile.
    pub(crate) fn replace(&self, bytes: &[u8], found: Option<&Found>) -> Result<(), ToolError> {
        let write = || -> io::Result<Ready> {
            let mut draft = Draft::begin(&self.path)?;
            draft.write_all(bytes)?;
            draft.ready()
        };
        let unwritten = |error| ToolError::unwritten(&self.shown, error);
        let ready = write().map_err(unwritten)?;
        self.check_unchanged(found)?;
        ready.put().map_err(unwritten)
    }

    /// # Errors
    /// A folder that may not be written to, a file that another program wrote meanwhile.
    pub(crate) fn remove(&self, found: &Found) -> Result<(), ToolError> {
        self.check_unchanged(Some(found))?;
        fs::remove_file(&self.path).map_err(|error| ToolError::unwritten(&self.shown, error))
    }

    fn check_unchanged(&self, found: Option<&Found>) -> Result<(), ToolError> {
        let now = self.path.symlink_metadata().ok();
        let now = now.map(|facts| (facts.len(), facts.modified().ok()));
        if now == found.map(|found| found.stamp) {
            Ok(())
        } else {
            Err(ToolError::Meanwhile(self.shown.display().to_string()))
        }
    }
}

impl SafeWriter {
    /// # Errors
    /// A folder that can't be looked into.
    pub(crate) fn kind(&self) -> Result<Option<EntryKind>, ToolError> {
        match self.path.symlink_metadata() {
            Ok(facts) if facts.is_file() => Ok(Some(EntryKind::File)),
            Ok(facts) if facts.is_dir() => Ok(Some(EntryKind::Folder)),
            Ok(_) => Ok(Some(EntryKind::Other)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ToolError::io(&self.shown, error)),
        }
    }

    /// # Errors
    /// Something there already, another disk, a folder that may not be written to.
    pub(crate) fn rename_to(&self, to: &Self) -> Result<(), ToolError> {
        to.check_free()?;
        fs::rename(&self.path, &to.path).map_err(|error| match error.kind() {
            io::ErrorKind::CrossesDevices => ToolError::OtherDisk(self.shown.display().to_string()),
            _ => ToolError::unwritten(&self.shown, error),
        })
    }

    /// # Errors
    /// Something there already, a folder that may not be written to.
    pub(crate) fn make_folder(&self) -> Result<(), ToolError> {
        self.check_free()?;
        fs::create_dir(&self.path).map_err(|error| ToolError::unwritten(&self.shown, error))
    }

    /// # Errors
    /// A folder that holds something, or is none.
    pub(crate) fn remove_folder(&self) -> Result<(), ToolError> {
        fs::remove_dir(&self.path).map_err(|error| ToolError::unwritten(&self.shown, error))
    }

    /// # Errors
    /// A tree that changes at this moment, a file that may not be removed.
    pub(crate) fn remove_tree(&self) -> Result<(), ToolError> {
        let facts = self.path.symlink_metadata();
        let removed = match facts.is_ok_and(|facts| facts.is_dir()) {
            true => fs::remove_dir_all(&self.path),
            false => fs::remove_file(&self.path),
        };
        removed.map_err(|error| ToolError::unwritten(&self.shown, error))
    }

    /// # Errors
    /// A folder that may not be written to.
    pub(crate) fn stage(&self) -> Result<Staging<'_>, ToolError> {
        let folder = self.path.parent().unwrap_or(&self.path);
        let folder = tempfile::Builder::new()
            .prefix(".shidi-")
            .suffix(".part")
            .tempdir_in(folder)
            .map_err(|error| ToolError::unwritten(&self.shown, error))?;
        Ok(Staging { target: self, folder })
    }

    fn check_free(&self) -> Result<(), ToolError> {
        match self.kind()? {
            None => Ok(()),
            Some(_) => Err(ToolError::Exists(self.shown.display().to_string())),
        }
    }
}

/// A tree that is being made beside the name that it will have.
pub(crate) struct Staging<'a> {
    target: &'a SafeWriter,
    folder: tempfile::TempDir,
}

impl Staging<'_> {
    /// # Errors
    /// Something else of that name, a full disk.
    pub(crate) fn folder(&self, relative: &Path) -> Result<(), ToolError> {
        let path = self.content().join(relative);
        fs::create_dir_all(&path).map_err(|error| ToolError::unwritten(&self.target.shown, error))
    }

    /// # Errors
    /// Something of that name already, a full disk.
    pub(crate) fn file(&self, relative: &Path, _executable: Executable) -> Result<fs::File, ToolError> {
        if let Some(parent) = relative.parent() {
            self.folder(parent)?;
        }
        let path = match relative.as_os_str().is_empty() {
            true => self.content(),
            false => self.content().join(relative),
        };
        let created = fs::OpenOptions::new().write(true).create_new(true).open(path);
        created.map_err(|error| ToolError::unwritten(&self.target.shown, error))
    }

    pub(crate) fn path(&self, _folder: &Path) -> PathBuf {
        self.content()
    }

    /// # Errors
    /// Something there already, a full disk.
    pub(crate) fn place(self) -> Result<(), ToolError> {
        self.target.check_free()?;
        fs::rename(self.content(), &self.target.path)
            .map_err(|error| ToolError::unwritten(&self.target.shown, error))
    }

    fn content(&self) -> PathBuf {
        self.folder.path().join("content")
    }
}

/// Whether a file may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Executable {
    Yes,
    No,
}
