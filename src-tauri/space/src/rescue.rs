//! Takes the readable parts of a damaged database into a new one. The user must ask for it, and nobody may have the
//! data folder open.

use crate::clock;
use crate::errors::error;
use crate::home::Home;
use crate::storage;
use serde::Serialize;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::path::PathBuf;

/// The rows that were taken over, and those that are lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rescued {
    /// The new path of the damaged database.
    pub aside: String,
    /// Rows that were taken over.
    pub rows: u64,
    /// Rows that are known to be lost.
    pub lost: u64,
    /// Tables of which something can't be read.
    pub torn: Vec<String>,
    /// Documents of knowledge bases that lost something.
    pub documents: u64,
}

/// Rescues the database of a data folder, of the usual one unless another is named. `None` when the database is sound,
/// or when there is none.
///
/// # Errors
/// Another program has the folder open, a newer version wrote it, or the disk takes no writes.
pub fn rescue(data_dir: Option<PathBuf>, language: Language) -> Result<Option<Rescued>, UserError> {
    let home = Home::open(data_dir, language)?;
    let in_use = || {
        error(
            ErrorCode::Storage,
            language.runtime().shidi_runs(),
            language.runtime().quit_first(),
        )
    };
    let lock = match home.lock() {
        Ok(Some(lock)) => lock,
        Ok(None) => return Err(in_use()),
        Err(cause) => {
            let cause = shidi_store::StoreError::of_files(cause, home.folder());
            return Err(storage::explain(&cause, language));
        }
    };
    if !home.database().exists() {
        return Ok(None);
    }
    let rescued = shidi_store::rescue(&home.database(), clock::now());
    drop(lock);
    let rescued = rescued.map_err(|cause| storage::explain(&cause, language))?;
    Ok(rescued.map(|rescued| Rescued {
        aside: rescued.aside.display().to_string(),
        rows: rescued.rows,
        lost: rescued.lost,
        torn: rescued.torn,
        documents: rescued.documents,
    }))
}
