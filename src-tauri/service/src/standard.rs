//! Standard input and output as files that are read and written beside everything else.
//!
//! They are copies of the handles: what is buffered for the rest of the program stays out of the way.

use std::io;
use tokio::fs::File;

/// Standard input.
///
/// # Errors
/// It is closed.
pub fn input() -> io::Result<File> {
    opened(&io::stdin())
}

/// Standard output.
///
/// # Errors
/// It is closed.
pub fn output() -> io::Result<File> {
    opened(&io::stdout())
}

#[cfg(unix)]
fn opened(standard: &impl std::os::fd::AsFd) -> io::Result<File> {
    let copy = standard.as_fd().try_clone_to_owned()?;
    Ok(File::from_std(copy.into()))
}

#[cfg(windows)]
fn opened(standard: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    let copy = standard.as_handle().try_clone_to_owned()?;
    Ok(File::from_std(copy.into()))
}
