//! Numbers a run's events and hands them to everybody who watches.

use crate::clock;
use crate::limits::{OFFERED_WITH_ROOM, REPLIES_QUEUED};
use crate::space::Space;
use parking_lot::Mutex;
use shidi_protocol::{Reply, RunEvent, RunEventKind, RunId, RunStatus};
use tokio::sync::mpsc;

pub struct Emitter {
    inner: Mutex<Inner>,
}

struct Inner {
    seq: u32,
    watchers: Vec<mpsc::Sender<Reply>>,
}

impl Emitter {
    /// An emitter whose first event comes after number `seq`.
    pub fn after(seq: u32) -> Self {
        Self {
            inner: Mutex::new(Inner {
                seq,
                watchers: Vec::new(),
            }),
        }
    }

    pub fn subscribe(&self) -> mpsc::Receiver<Reply> {
        let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
        self.inner.lock().watchers.push(sender);
        receiver
    }

    /// The number of the last event.
    pub fn seq(&self) -> u32 {
        self.inner.lock().seq
    }

    /// Sends an event; a watcher that doesn't keep up is dropped and opens the session again.
    pub fn emit(&self, space: &Space, run: &RunId, kind: RunEventKind) {
        let mut inner = self.inner.lock();
        inner.seq += 1;
        let event = RunEvent {
            kind,
            run: run.clone(),
            seq: inner.seq,
            time: clock::now(),
        };
        inner
            .watchers
            .retain(|watcher| watcher.try_send(Reply::Event { event: event.clone() }).is_ok());
        space.broadcast(&event);
    }

    /// Offers the watchers of this run an event that may come later or never. Nobody is let go who is behind.
    /// Returns whether it was sent.
    pub fn offer(&self, run: &RunId, kind: RunEventKind) -> bool {
        let event = self.preview(run, kind);
        let inner = self.inner.lock();
        let has_room = |watcher: &mpsc::Sender<Reply>| watcher.capacity() > OFFERED_WITH_ROOM;
        let is_sent = inner.watchers.iter().all(has_room);
        for watcher in inner.watchers.iter().filter(|_| is_sent) {
            // Whoever is gone is let go with the next event.
            watcher
                .try_send(Reply::Event { event: event.clone() })
                .unwrap_or_default();
        }
        is_sent
    }

    /// Passes on an event of a sub-agent, which everybody else has seen already.
    pub fn relay(&self, event: &RunEvent) {
        self.tell(&Reply::Event { event: event.clone() });
    }

    /// An event as it would be sent next, for cards that are kept beside the run.
    pub fn preview(&self, run: &RunId, kind: RunEventKind) -> RunEvent {
        RunEvent {
            kind,
            run: run.clone(),
            seq: self.seq(),
            time: clock::now(),
        }
    }

    /// Tells the watchers of this run alone.
    pub fn tell(&self, reply: &Reply) {
        let told = |watcher: &mpsc::Sender<Reply>| watcher.try_send(reply.clone()).is_ok();
        self.inner.lock().watchers.retain(told);
    }

    /// Tells the watchers that nothing follows, and lets them go.
    pub fn finish(&self, run: &RunId, status: RunStatus) {
        for watcher in self.inner.lock().watchers.drain(..) {
            if watcher
                .try_send(Reply::Ended {
                    run: run.clone(),
                    status,
                })
                .is_err()
            {
                tracing::debug!("a watcher had gone before the end");
            }
        }
    }
}
