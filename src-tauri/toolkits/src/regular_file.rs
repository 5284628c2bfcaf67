//! Opens regular files alone: no folder, no device, no pipe that would block, nothing behind a swapped-in link.

use crate::error::ToolError;
use std::fs::{File, FileType, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Opens a regular file whose path has no links left, and checks that this very file was opened.
///
/// # Errors
/// A folder, pipe or device; no permission; a path that was exchanged for a link meanwhile.
pub(crate) fn open_regular(path: &Path, shown: &Path) -> Result<File, ToolError> {
    let worded = |error| ToolError::io(shown, error);
    refuse_special(path.symlink_metadata().map_err(worded)?.file_type(), shown)?;
    let file = read_options().open(path).map_err(worded)?;
    refuse_special(file.metadata().map_err(worded)?.file_type(), shown)?;
    let opened = path_of(&file, path).map_err(worded)?;
    if opened == path {
        Ok(file)
    } else {
        Err(ToolError::Escaped(shown.display().to_string(), opened))
    }
}

/// The name of a file type that is neither file nor folder.
fn special_kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "named pipe";
        }
        if kind.is_socket() {
            return "socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "device";
        }
    }
    if kind.is_symlink() { "link" } else { "special file" }
}

pub(crate) fn refuse_special(kind: FileType, shown: &Path) -> Result<(), ToolError> {
    let name = || shown.display().to_string();
    if kind.is_file() {
        Ok(())
    } else if kind.is_dir() {
        Err(ToolError::Folder(name()))
    } else {
        Err(ToolError::Special(name(), special_kind(kind)))
    }
}

#[cfg(unix)]
fn read_options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC);
    options
}

#[cfg(not(unix))]
fn read_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// The system's path of an open file; where the system has none, the path is resolved once more.
#[cfg(target_os = "linux")]
fn path_of(file: &File, path: &Path) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).or_else(|_| path.canonicalize())
}

#[cfg(not(target_os = "linux"))]
fn path_of(_file: &File, path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}
