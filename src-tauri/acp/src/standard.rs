//! Standard input and output as files that are read and written beside everything else.
//!
//! They are copies of the handles: what is buffered for the rest of the program stays out of the way.

use std::io;
use tokio::fs::File;

/// Standard input and output.
///
/// # Errors
/// One of them is closed.
#[cfg(unix)]
pub fn both() -> io::Result<(File, File)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((File::from_std(input.into()), File::from_std(output.into())))
}

/// Standard input and output.
///
/// # Errors
/// One of them is closed.
#[cfg(windows)]
pub fn both() -> io::Result<(File, File)> {
    use std::os::windows::io::AsHandle;
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    Ok((File::from_std(input.into()), File::from_std(output.into())))
}
