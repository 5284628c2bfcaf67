//! Reports of how far a piece of work is, to whoever waits for its reply.

use crate::limits::PROGRESS_PAUSE;
use shidi_protocol::Reply;
use std::time::Instant;
use tokio::sync::mpsc;

/// Tells how far something is, not more often than a person sees.
pub struct ProgressReporter {
    sender: mpsc::Sender<Reply>,
    what: String,
    last: Option<Instant>,
}

impl ProgressReporter {
    pub fn new(sender: &mpsc::Sender<Reply>, what: &str) -> Self {
        Self {
            sender: sender.clone(),
            what: what.to_owned(),
            last: None,
        }
    }

    pub fn tell(&mut self, done: u64, total: u64) {
        if self.last.is_some_and(|last| last.elapsed() < PROGRESS_PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let what = self.what.clone();
        // One who does not listen misses progress, not the result.
        if let Err(cause) = self.sender.try_send(Reply::Progress { done, total, what }) {
            tracing::debug!(%cause, "progress was not told");
        }
    }
}
