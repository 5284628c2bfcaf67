//! How an address becomes a file: work of the web, which the runtime lends to features.

use crate::progress::ProgressReporter;
use crate::space::Space;
use async_trait::async_trait;
use shidi_protocol::{Unreadable, UserError};
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
