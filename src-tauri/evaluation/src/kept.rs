//! Attempts that are kept: one file for each, written whole, so that an interrupted evaluation goes on where it was.

use crate::suite::Case;
use crate::trial::Trial;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::PathBuf;

/// The form of what is kept, and of what decides whether it is the same attempt.
const FORM: u32 = 1;

/// The folder of kept attempts.
pub struct AttemptStore {
    folder: PathBuf,
}

/// The name under which an attempt is kept: it changes with the task, and with all that `conditions` tells.
#[must_use]
pub fn key(case: &Case, attempt: u32, conditions: &serde_json::Value) -> String {
    let situation = format!("{:?}", case.setup);
    let named: Vec<&str> = case.variables_named();
    let whole = json!([
        FORM,
        env!("CARGO_PKG_VERSION"),
        case.turns,
        situation,
        named,
        attempt,
        conditions
    ]);
    // A task without one is kept under the name that it always had.
    let history = match case.history.is_empty() {
        true => String::new(),
        false => format!("{:?}", case.history),
    };
    hex::encode(Sha256::digest(format!("{whole}{history}")))
}

impl AttemptStore {
    /// Keeps in `folder`, which is created where it is not there.
    ///
    /// # Errors
    /// A folder that can't be created.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// The attempt of that key, if it is kept and can be read.
    #[must_use]
    pub fn trial(&self, key: &str) -> Option<Trial> {
        let bytes = fs::read(self.path(key)).ok()?;
        let read: Result<Trial, _> = serde_json::from_slice(&bytes);
        read.inspect_err(|cause| tracing::warn!(%cause, key, "a kept attempt can't be read and is made anew"))
            .ok()
    }

    /// Keeps an attempt.
    ///
    /// # Errors
    /// A disk that takes no more.
    pub fn keep(&self, key: &str, trial: &Trial) -> io::Result<()> {
        let bytes = serde_json::to_vec(trial).map_err(io::Error::other)?;
        shidi_atomic_write::write(&self.path(key), &bytes)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}
