//! Tells captures which page is in front, as the browsers that were let in say.

use shidi_browser::Pages;
use shidi_capture::FrontPage;
use shidi_protocol::PageView;
use std::sync::Arc;

/// The page in front of a browser.
pub struct OfBrowser(pub Arc<Pages>);

impl FrontPage for OfBrowser {
    fn front(&self) -> Option<PageView> {
        self.0.front()
    }

    fn look_away(&self) {
        self.0.look_away();
    }
}
