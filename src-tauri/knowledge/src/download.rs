//! How an address becomes a file: another feature's work, which the runtime lends.

use async_trait::async_trait;
use shidi_protocol::{Unreadable, UserError};
use shidi_space::Space;
use shidi_space::progress::ProgressReporter;
use std::path::PathBuf;

/// Brings what stands at an address into the data folder.
#[async_trait]
pub trait Download: Send + Sync {
    /// Fetches `url`, which the user named, and tells how far it is.
    ///
    /// # Errors
    /// What was fetched can't be kept.
    async fn download(
        &self,
        space: &Space,
        url: &str,
        told: &mut ProgressReporter,
    ) -> Result<Downloaded, UserError>;
}

/// What became of an address.
pub enum Downloaded {
    Kept(PathBuf),
    Unreachable { reason: Unreadable, detail: String },
}
