//! What a client of the older era has said for its whole conversation.
//!
//! It says how much of the log it wants, and which resources it hears of.
//!
//! In the newer era each request says such things itself, and has a conversation of its own.

use crate::changes::{Change, Subscribed};
use crate::limits::SUBSCRIPTIONS_MAX;
use crate::severity::Severity;
use parking_lot::Mutex;
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::{CancellationToken, DropGuard};

/// One conversation; dropping it ends what is told to its client.
pub struct Session {
    level: Mutex<Severity>,
    pub subscribed: Subscribed,
    /// Whatever changes between the leave for a subscription and its beginning waits here.
    listening: Mutex<Vec<Receiver<Change>>>,
    pub ended: CancellationToken,
    _ending: DropGuard,
}

impl Session {
    pub fn new() -> Self {
        let ended = CancellationToken::new();
        Self {
            level: Mutex::new(Severity::Info),
            subscribed: Subscribed::default(),
            listening: Mutex::default(),
            _ending: ended.clone().drop_guard(),
            ended,
        }
    }

    pub fn set_level(&self, level: Severity) {
        *self.level.lock() = level;
    }

    pub fn level(&self) -> Severity {
        *self.level.lock()
    }

    /// Whether there was room for one more address.
    pub fn subscribe(&self, address: String) -> bool {
        let mut subscribed = self.subscribed.lock();
        let has_room = subscribed.len() < SUBSCRIPTIONS_MAX || subscribed.contains(&address);
        if has_room {
            subscribed.insert(address);
        }
        has_room
    }

    pub fn unsubscribe(&self, address: &str) {
        self.subscribed.lock().remove(address);
    }

    /// Keeps what changes from now on for a subscription that is about to begin.
    pub fn will_listen(&self, changes: Receiver<Change>) {
        self.listening.lock().push(changes);
    }

    pub fn listening(&self) -> Option<Receiver<Change>> {
        self.listening.lock().pop()
    }
}
