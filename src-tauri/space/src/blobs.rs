//! Keeps the files of a space in step with their rows. One gate serves both, and files of earlier layouts are taken
//! over.
//!
//! This file knows no file; `blob_store.rs` does.

use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use shidi_store::{Store, StoreError, TAKEN_OVER, Write};
use std::collections::HashSet;

#[derive(Default)]
pub struct Blobs {
    gate: Mutex<()>,
    /// Kinds of files of earlier layouts that have their rows.
    taken_over: Mutex<HashSet<&'static str>>,
}

impl Blobs {
    /// Held from a look at a file to the row that follows from it. Also held from the end of a row to the end of
    /// its file.
    pub fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock()
    }

    /// Takes a kind of files over, unless that was done for this data folder; whoever comes meanwhile waits.
    ///
    /// # Errors
    /// What `work` says, storage trouble.
    pub fn take_over(
        &self,
        store: &Store,
        kind: &'static str,
        work: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut taken_over = self.taken_over.lock();
        if taken_over.contains(kind) {
            return Ok(());
        }
        let key = format!("{TAKEN_OVER}{kind}");
        if store.setting(&key)? != Some(Value::Bool(true)) {
            work()?;
            let value = Value::Bool(true);
            store.buffer(Write::PutSetting { key, value })?;
        }
        taken_over.insert(kind);
        Ok(())
    }

    /// Whether that kind has its rows.
    pub fn is_taken_over(&self, kind: &str) -> bool {
        self.taken_over.lock().contains(kind)
    }
}
