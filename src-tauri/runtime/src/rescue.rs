//! Takes what can be read out of a damaged database into a new one: when the user asks for it, and nobody has the data
//! folder open.

use crate::clock;
use crate::connection::OpenOptions;
use crate::home::Home;
use crate::storage;
use crate::words::{Words, error};
use serde::Serialize;
use shidi_protocol::{ErrorCode, UserError};

/// What was taken over and what is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rescued {
    /// Where the damaged database is now.
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

/// Rescues the database of a data folder; `None` when it is sound, or when there is none.
///
/// # Errors
/// Another program has the folder open, a newer version wrote it, or the disk takes no writes.
pub fn rescue(options: &OpenOptions) -> Result<Option<Rescued>, UserError> {
    let words = Words::of(options.language.as_deref());
    let home = Home::open(options.data_dir.clone(), words)?;
    let in_use = || {
        error(
            ErrorCode::Storage,
            words.pick("师弟正在运行", "Shidi is running"),
            words.pick("先结束它：shidi quit", "End it first: shidi quit"),
        )
    };
    let lock = match home.lock() {
        Ok(Some(lock)) => lock,
        Ok(None) => return Err(in_use()),
        Err(cause) => {
            let cause = shidi_store::StoreError::of_files(cause, home.folder());
            return Err(storage::explain(&cause, words));
        }
    };
    if !home.database().exists() {
        return Ok(None);
    }
    let rescued = shidi_store::rescue(&home.database(), clock::now());
    drop(lock);
    let rescued = rescued.map_err(|cause| storage::explain(&cause, words))?;
    Ok(rescued.map(|rescued| Rescued {
        aside: rescued.aside.display().to_string(),
        rows: rescued.rows,
        lost: rescued.lost,
        torn: rescued.torn,
        documents: rescued.documents,
    }))
}
