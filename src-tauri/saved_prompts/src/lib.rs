//! Prompts of one's own: texts with fields that are used again and again. Each is one Markdown file in the data
//! folder.
//!
//! A filled prompt is put where its user writes. The user reads it there, and sends it as their own words. So a
//! selection or a text on a page never becomes part of it. The field names the thing, and the thing itself goes along
//! as data.

mod file;
mod foreign;
mod limits;
mod requests;
mod shelf;
mod template;

use shidi_protocol::{Reply, SavedPromptRequest, UserError};
use shidi_space::Space;
use std::path::PathBuf;
use std::sync::Arc;

/// The prompts of a data folder.
pub struct SavedPrompts {
    space: Arc<Space>,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
}

impl SavedPrompts {
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        Arc::new(Self {
            space,
            changing: tokio::sync::Mutex::default(),
        })
    }

    /// Answers what a person asks of prompts.
    ///
    /// # Errors
    /// No such prompt or file, a field that is not filled, a name that is taken, trouble with the disk.
    pub async fn answer(self: &Arc<Self>, request: SavedPromptRequest) -> Result<Reply, UserError> {
        requests::answer(self, request).await
    }

    /// Where they lie; `prompts/` holds what replaces the program's own.
    fn folder(&self) -> PathBuf {
        self.space.home.folder().join("saved-prompts")
    }
}
