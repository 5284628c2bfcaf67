//! Schedules of a data folder (F9.5): kept, taken up when they are due, and each time on record.
//!
//! A time has four records: due, dispatched, started, finished. The next time is written in the transaction that takes one
//! up, so that a kill neither loses nor repeats one. What a schedule starts is asked for as its user would ask, with the
//! list of calls that was kept with it and nothing more: whatever else it wants to do waits for its user.

mod limits;
mod performer;
mod records;
mod requests;

pub use performer::begin;
pub use requests::answer;

use shidi_protocol::Request;
use shidi_space::Space;
use shidi_space::replies::Replies;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};
use tokio::sync::{Notify, Semaphore};

/// Answers requests as it answers those of a user.
pub trait Answers: Send + Sync {
    fn serve(self: Arc<Self>, request: Request) -> Replies;
}

/// The schedules of a data folder.
pub struct Scheduler {
    space: Arc<Space>,
    /// Empty before it is there.
    answers: OnceLock<Weak<dyn Answers>>,
    /// Said when a time may have changed.
    changed: Arc<Notify>,
    is_at_work: AtomicBool,
    /// What is asked goes one after the other: after a night's sleep everything is due at once.
    places: Semaphore,
    /// One change of the table after the other.
    changing: tokio::sync::Mutex<()>,
}

impl Scheduler {
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        Arc::new(Self {
            space,
            answers: OnceLock::new(),
            changed: Arc::default(),
            is_at_work: AtomicBool::new(false),
            places: Semaphore::new(1),
            changing: tokio::sync::Mutex::default(),
        })
    }

    /// What schedules start is answered by this.
    pub fn answered_by<A: Answers + 'static>(&self, answers: &Arc<A>) {
        let answers = Arc::downgrade(answers) as Weak<dyn Answers>;
        if self.answers.set(answers).is_err() {
            tracing::debug!("who answers schedules was known before");
        }
    }

    /// The replies to a request; `None` when the process ends.
    fn serve(&self, request: Request) -> Option<Replies> {
        let answers = self.answers.get().and_then(Weak::upgrade)?;
        Some(answers.serve(request))
    }
}
