//! Calls that look at the desktop or the clipboard, and the pictures that the model gets of them.

use super::Run;
use shidi_agent::Event;
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
        let outcome = tokio::select! {
            outcome = capture::perform(&self.engine.capture, &call, caller) => outcome,
            () = self.cancel.cancelled() => return,
        };
        let call = call.id;
        self.drive_blocking(Event::CallReturned { call, outcome }).await;
    }

    /// Pictures that its programs have taken.
    pub(super) fn looked_at(&self) -> Vec<PathBuf> {
        let views = capture::views(self.mind.lock().context().calls.values());
        capture::pictures(&self.engine.capture, &views)
    }
}
