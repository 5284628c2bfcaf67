//! Why the store failed, in kinds that a caller acts on differently.
//!
//! Tables and search speak `rusqlite::Result`; it is translated here, once, at the store's border. The meaning
//! of a kind for the user is worded in `explain.rs`.

use rusqlite::ErrorCode::{
    CannotOpen, ConstraintViolation, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
    ReadOnly, SystemIoFailure, TooBig,
};
use rusqlite::ffi;
use shidi_locales::Language;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Cheap to clone: one failure may be told to everybody whose writes shared a transaction.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.sentence(Language::SOURCE))]
pub enum StoreError {
    Newer {
        found: u32,
        known: u32,
    },
    /// The folder, the file or the disk does not take writes.
    ReadOnly {
        path: PathBuf,
    },
    Full,
    /// Another process has this store open.
    Locked {
        path: PathBuf,
    },
    /// A program that is not ours kept the database locked for longer than the store waits.
    Busy {
        path: PathBuf,
    },
    Damaged {
        path: PathBuf,
        detail: String,
    },
    /// The write contradicts what is stored: a segment written twice, a call of an unknown run, a missing row.
    Refused {
        detail: String,
    },
    /// One text is longer than [`crate::TEXT_MOST_BYTES`].
    TooLarge,
    Ambiguous {
        text: String,
        matches: u32,
    },
    /// A row does not read as what it was written as.
    Unreadable {
        detail: String,
    },
    /// A write that was only buffered failed for good; what the caller asked for now was not written either.
    Earlier {
        source: Arc<StoreError>,
    },
    /// The writer ended.
    Closed,
    Folder {
        path: PathBuf,
        source: Arc<io::Error>,
    },
    Sqlite {
        path: PathBuf,
        source: Arc<rusqlite::Error>,
    },
}

impl StoreError {
    /// Whether the write itself is at fault, so that repeating it can't help.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::TooLarge | Self::Unreadable { .. } => true,
            Self::Newer { .. }
            | Self::ReadOnly { .. }
            | Self::Full
            | Self::Locked { .. }
            | Self::Busy { .. }
            | Self::Damaged { .. }
            | Self::Ambiguous { .. }
            | Self::Earlier { .. }
            | Self::Closed
            | Self::Folder { .. }
            | Self::Sqlite { .. } => false,
        }
    }

    /// Translates a failure of SQLite on the database at `path`.
    pub(crate) fn of_sqlite(error: rusqlite::Error, path: &Path) -> Self {
        let path = path.to_owned();
        if let rusqlite::Error::SqliteFailure(failure, message) = &error {
            let detail = message.clone().unwrap_or_else(|| failure.to_string());
            return match failure.code {
                DiskFull => Self::Full,
                // The shared-memory file is the only one that SQLite enlarges outside a write.
                SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
                SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_CORRUPTFS => {
                    Self::Damaged { path, detail }
                }
                ReadOnly => Self::ReadOnly { path },
                CannotOpen if !path.exists() => Self::Folder {
                    path,
                    source: Arc::new(io::ErrorKind::NotFound.into()),
                },
                DatabaseBusy | DatabaseLocked => Self::Busy { path },
                DatabaseCorrupt | NotADatabase => Self::Damaged { path, detail },
                ConstraintViolation => Self::Refused { detail },
                TooBig => Self::TooLarge,
                _ => Self::Sqlite {
                    path,
                    source: Arc::new(error),
                },
            };
        }
        match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..) => Self::Unreadable {
                detail: error.to_string(),
            },
            rusqlite::Error::ToSqlConversionFailure(_) => Self::Refused {
                detail: error.to_string(),
            },
            rusqlite::Error::StatementChangedRows(_) => Self::Refused {
                detail: "the row to change does not exist".to_owned(),
            },
            _ => Self::Sqlite {
                path,
                source: Arc::new(error),
            },
        }
    }

    /// Translates a failure of the file system on `path`.
    #[must_use]
    pub fn of_files(error: io::Error, path: &Path) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Folder {
                path,
                source: Arc::new(error),
            },
        }
    }
}
