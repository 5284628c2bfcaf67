//! The page that a browser vouches for: another feature's knowledge, which the runtime lends.

use async_trait::async_trait;
use shidi_protocol::{Content, PageRef, PageView, PdfRead};
use std::path::PathBuf;
use std::time::Duration;

/// Whoever knows which page is in front.
#[async_trait]
pub trait FrontPage: Send + Sync {
    /// The page in front, if a browser that was let in tells of one.
    fn front(&self) -> Option<PageView>;

    /// What stands in a page, as far as its browser tells within `most`.
    async fn read(&self, page: &PageRef, most: Duration) -> Option<Content>;

    /// The text of a PDF that a browser shows, after the gate. `documents` is where texts of documents may lie.
    async fn pdf(&self, page: &PageRef, documents: Option<PathBuf>) -> PdfRead;

    /// How often somebody acted in a page after it was read; `None` once it is gone.
    fn acts(&self, page: &PageRef) -> Option<u32>;

    /// Forgets what is in front: the user paused.
    fn look_away(&self);
}
