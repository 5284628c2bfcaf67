//! Embeddings for finding by meaning, where the user chose a model that makes them (F6.4). `indexer.rs` gives texts their
//! vectors in the background, `query.rs` gives a question its own. Without the model, or while it is slow, words alone
//! find.

mod examination;
mod indexer;
mod limits;
mod query;

use crate::limits::VECTOR_QUESTIONS_PAUSED_FOR;
use parking_lot::Mutex;
use query::Trouble;
use shidi_space::Space;
use shidi_store::QueryVector;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What is known of the chosen model while the process lives.
pub struct Embeddings {
    space: Arc<Space>,
    state: Mutex<State>,
    /// The user chose another model.
    changed: Notify,
    /// Whether this process gives texts their vectors: one that runs something does.
    begun: AtomicBool,
    work: TaskTracker,
    ended: CancellationToken,
}

#[derive(Default)]
struct State {
    /// Until then no question waits for a model that failed.
    paused_until: Option<Instant>,
    /// Whether it was asked anything, and why the last request failed.
    was_asked: bool,
    trouble: Option<Trouble>,
    /// The last question and its vector: windows ask the same several times.
    last: Option<(String, QueryVector)>,
}

impl Embeddings {
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        Arc::new(Self {
            space,
            state: Mutex::default(),
            changed: Notify::new(),
            begun: AtomicBool::new(false),
            work: TaskTracker::new(),
            ended: CancellationToken::new(),
        })
    }

    /// The space whose texts have the vectors.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// The settings of models changed: looks for texts without vectors at once, and forgets about earlier trouble.
    pub fn follow(&self) {
        *self.state.lock() = State::default();
        self.changed.notify_one();
    }

    fn note(&self, trouble: Option<Trouble>) {
        let mut state = self.state.lock();
        state.was_asked = true;
        state.paused_until = trouble
            .is_some()
            .then(|| Instant::now() + VECTOR_QUESTIONS_PAUSED_FOR);
        state.trouble = trouble;
    }

    fn is_paused(&self) -> bool {
        self.state
            .lock()
            .paused_until
            .is_some_and(|until| Instant::now() < until)
    }

    fn known(&self, model: &str, question: &str) -> Option<QueryVector> {
        let state = self.state.lock();
        let (text, near) = state.last.as_ref()?;
        (text == question && near.model == model).then(|| near.clone())
    }
}
