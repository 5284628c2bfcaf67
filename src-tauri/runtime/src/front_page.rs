//! Tells captures which page is in front and what stands in it, as the browsers that were let in say.

use async_trait::async_trait;
use shidi_browser::Pages;
use shidi_capture::FrontPage;
use shidi_protocol::{Content, PageRef, PageView, PdfRead};
use std::sync::Arc;
use std::time::Duration;

/// The page in front of a browser.
pub struct OfBrowser(pub Arc<Pages>);

#[async_trait]
impl FrontPage for OfBrowser {
    fn front(&self) -> Option<PageView> {
        self.0.front()
    }

    async fn read(&self, page: &PageRef, most: Duration) -> Option<Content> {
        let read = self.0.read(page, most).await;
        read.inspect_err(|why| tracing::info!(?why, "the page in front was not read"))
            .ok()
    }

    async fn pdf(&self, page: &PageRef, documents: Option<std::path::PathBuf>) -> PdfRead {
        self.0.pdf_text(page, documents).await
    }

    fn acts(&self, page: &PageRef) -> Option<u32> {
        self.0.view(page).map(|page| page.acts)
    }

    fn look_away(&self) {
        self.0.look_away();
    }
}
