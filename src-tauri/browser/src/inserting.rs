//! Puts a text where the user was writing in a page: by the user's own click, and for no task.
//!
//! The companion knows the field that had the focus, and refuses those that hold secrets. Nothing is tried twice.

use crate::Pages;
use crate::forms::own_call;
use shidi_protocol::PageRef;

/// The method of the companion that does it.
const INSERT: &str = "insert";

impl Pages {
    /// Inserts a text at the caret of the field that the user left; whether it stands there now.
    pub(crate) async fn insert(&self, page: &PageRef, text: &str) -> bool {
        self.perform_once(page, own_call(INSERT, [("text", text.to_owned())]))
            .await
            == Some(true)
    }
}
