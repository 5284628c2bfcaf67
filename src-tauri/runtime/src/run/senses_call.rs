//! Calls that look at the desktop or the clipboard, and the pictures that the model gets of them.

use super::Run;
use super::calls::performed;
use shidi_capture::{self as capture, Caller};
use shidi_protocol::Call;
use std::path::PathBuf;
use std::sync::Arc;

impl Run {
    pub(super) async fn perform_by_senses(self: Arc<Self>, call: Call) {
        let caller = Caller {
            session: self.session(),
            run: self.id(),
            model: self.model.as_ref(),
        };
        let performing = capture::perform(&self.features().capture, &call, caller);
        performed(Arc::clone(&self), call.id, performing).await;
    }

    /// Pictures that its programs have taken.
    pub(super) fn looked_at(&self) -> Vec<PathBuf> {
        let views = capture::views(self.mind.lock().context().calls.values());
        capture::pictures(&self.features().capture, &views)
    }
}
