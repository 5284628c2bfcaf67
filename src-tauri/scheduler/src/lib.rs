//! Schedules of a data folder (F9.5): kept, taken up when they are due, and each time on record.
//!
//! A time has four records: due, dispatched, started, finished; or it is skipped, with a reason. The next time is written in
//! the transaction that takes one up, so that a kill neither loses nor repeats one. What a schedule starts is asked for as its
//! user would ask, in the mode that asks for everything, and the list of calls that was kept with it is all that it may do by
//! itself.

mod clock;
mod events;
mod limits;
mod performer;
mod records;
mod requests;
mod sight;
mod toolkit;

pub use performer::{begin, begin_for_windows, stays};
pub use requests::{answer, only_watches};
pub use toolkit::{is_for_schedules, perform};

use crate::clock::Clock;
use parking_lot::Mutex;
use shidi_protocol::Request;
use shidi_space::Space;
use shidi_space::replies::{Answerer, Replies};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::{Notify, Semaphore};

/// The schedules of a data folder.
pub struct Scheduler {
    space: Arc<Space>,
    clock: Clock,
    /// Empty before it is there.
    answers: Answerer,
    /// Said when a time may have changed.
    changed: Arc<Notify>,
    is_at_work: AtomicBool,
    /// Schedules of which a time is at work here.
    at_work: Mutex<HashSet<String>>,
    /// What is asked goes one after the other: after a night's sleep everything is due at once.
    places: Semaphore,
    /// One change of the table after the other.
    changing: tokio::sync::Mutex<()>,
    looks: sight::Looks,
    /// Schedules whose file could not be looked at when a run of theirs ended.
    unseen: Mutex<HashSet<String>>,
}

impl Scheduler {
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        Self::by(Clock::of_this_computer(), space)
    }

    fn by(clock: Clock, space: Arc<Space>) -> Arc<Self> {
        Arc::new(Self {
            space,
            clock,
            answers: Answerer::default(),
            changed: Arc::default(),
            is_at_work: AtomicBool::new(false),
            at_work: Mutex::default(),
            places: Semaphore::new(1),
            changing: tokio::sync::Mutex::default(),
            looks: sight::Looks::default(),
            unseen: Mutex::default(),
        })
    }

    /// What schedules start is answered by this.
    pub fn answered_by<A: Send + Sync + 'static>(
        &self,
        answers: &Arc<A>,
        serve: fn(&Arc<A>, Request) -> Replies,
    ) {
        self.answers.is(answers, serve);
    }

    /// The replies to a request; `None` when the process ends.
    fn serve(&self, request: Request) -> Option<Replies> {
        self.answers.serve(request)
    }
}
