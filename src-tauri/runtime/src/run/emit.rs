//! Numbers a run's events and hands them to everybody who watches.

use crate::clock;
use crate::engine::{Engine, held};
use crate::limits::REPLIES_QUEUED;
use shidi_protocol::{Reply, RunEvent, RunEventKind, RunId, RunStatus};
use std::sync::Mutex;
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
        held(&self.inner).watchers.push(sender);
        receiver
    }

    /// The number of the last event.
    pub fn seq(&self) -> u32 {
        held(&self.inner).seq
    }

    /// Sends an event; a watcher that doesn't keep up is dropped and opens the session again.
    pub fn emit(&self, engine: &Engine, run: &RunId, kind: RunEventKind) {
        let mut inner = held(&self.inner);
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
        engine.broadcast(&event);
    }

    /// Passes on an event of a sub-agent, which everybody else has seen already.
    pub fn relay(&self, event: &RunEvent) {
        let passed =
            |watcher: &mpsc::Sender<Reply>| watcher.try_send(Reply::Event { event: event.clone() }).is_ok();
        held(&self.inner).watchers.retain(passed);
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

    /// Tells the watchers that nothing follows, and lets them go.
    pub fn finish(&self, run: &RunId, status: RunStatus) {
        for watcher in held(&self.inner).watchers.drain(..) {
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
