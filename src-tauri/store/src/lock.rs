//! The lock beside the database: one store at a time. The lock ends with the process however that ends, and says
//! nothing about who holds it.

use crate::StoreError;
use crate::files::{beside, private_file};
use std::fs::{File, TryLockError};
use std::path::Path;

/// Keeps every other store away from the database until it is dropped.
pub(crate) struct Lock(File);

impl Lock {
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let lock_path = beside(path, "lock");
        let fault = |error| StoreError::of_files(error, &lock_path);
        let file = private_file().open(&lock_path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
                path: path.to_owned(),
            }),
            Err(TryLockError::Error(error)) => Err(fault(error)),
        }
    }
}

/// Whether no store has the database at `path` open. Ask where nobody else may begin to: the asking takes the lock for a moment.
#[must_use]
pub fn is_free(path: &Path) -> bool {
    Lock::take(path).is_ok()
}

impl Drop for Lock {
    /// Closing alone would not do: a child process that is just being started may hold a copy of the handle.
    fn drop(&mut self) {
        if let Err(error) = self.0.unlock() {
            tracing::warn!(%error, "the lock of the store ends with the process only");
        }
    }
}
