//! The runs of a space in memory, and what they work with: the space, its features, and each other.

use super::learning_queue::LearningQueue;
use super::sub_agents::places;
use super::{Run, at_rest, broken_off, resume};
use crate::features::Features;
use crate::ids;
use crate::limits::AFTER_RUN_WAIT;
use crate::space::Space;
use crate::workers::Workers;
use parking_lot::Mutex;
use shidi_browser::Runs;
use shidi_memory::experience::AfterRuns;
use shidi_protocol::{RunId, SessionId, UserError, reply};
use shidi_space::segment_numbers::SegmentNumbers;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A space with its features, and the runs that work in it.
pub struct Workspace {
    pub features: Features,
    pub running: Running,
}

/// The runs in memory: at work, or waiting with their programs alive.
pub struct Running {
    runs: Mutex<HashMap<RunId, Arc<Run>>>,
    pub workers: Workers,
    /// Places for sub-agents.
    pub sub_agents: Semaphore,
    pub segment_numbers: SegmentNumbers,
    pub after_runs: AfterRuns,
    pub learning_queue: LearningQueue,
}

/// It is used as the space that it works in.
impl Deref for Workspace {
    type Target = Arc<Space>;

    fn deref(&self) -> &Arc<Space> {
        &self.features
    }
}

impl Workspace {
    /// Nothing runs yet.
    pub fn new(features: Features) -> Self {
        let running = Running {
            runs: Mutex::default(),
            workers: Workers::default(),
            sub_agents: places(),
            segment_numbers: SegmentNumbers::default(),
            after_runs: AfterRuns::default(),
            learning_queue: LearningQueue::default(),
        };
        Self { features, running }
    }

    /// The run that `text` names: one in memory, or as [`ids::whole_run_id`] finds it.
    ///
    /// # Errors
    /// No such run, or storage trouble.
    pub fn whole_run_id(&self, text: &RunId) -> Result<RunId, UserError> {
        match self.running.get(text) {
            Some(run) => Ok(run.id().clone()),
            None => ids::whole_run_id(self, text),
        }
    }

    /// Stops a run, wherever it is at work.
    ///
    /// # Errors
    /// No such run, storage trouble.
    pub async fn cancel(&self, run: &RunId) -> Result<reply::Cancelled, UserError> {
        let id = self.whole_run_id(run)?;
        let (mut over, mut ended) = (None, None);
        if let Some(run) = self.running.get(&id) {
            run.cancel().await;
        } else {
            if let Some(before) = at_rest::cancel_at_rest(&self.features, &id)? {
                (over, ended) = (before.status, before.ended);
            }
            broken_off::end_orphans(&self.features, &self.running)?;
        }
        Ok(reply::Cancelled { over, ended })
    }

    /// Ends the workers and the features, and writes what is buffered. Runs at work stay as their record left them;
    /// sub-agents whose task is over end.
    pub async fn close(self: Arc<Self>) {
        self.running.end().await;
        self.features.end().await;
        // The database is another program's when nobody holds it any more.
        self.background.close();
        if tokio::time::timeout(AFTER_RUN_WAIT, self.background.wait())
            .await
            .is_err()
        {
            tracing::info!("work in the background was cut off by the end of the process");
        }
        // Each holds the space: the database would stay open. Who follows a step of a workflow finds its run at rest.
        self.running.runs.lock().retain(|_, run| run.is_step());
        let last = move || {
            self.features.traces.end();
            self.store.flush()
        };
        match tokio::task::spawn_blocking(last).await {
            Ok(Ok(())) => {}
            Ok(Err(cause)) => tracing::error!(%cause, "the last writes failed"),
            Err(cause) => tracing::error!(%cause, "the last writes did not end"),
        }
    }
}

impl Running {
    /// The run of that id, if it is in memory.
    pub fn get(&self, run: &RunId) -> Option<Arc<Run>> {
        self.runs.lock().get(run).cloned()
    }

    /// The run that is at work or waits in a session, and hears what is said there.
    pub fn of(&self, session: &SessionId) -> Option<Arc<Run>> {
        let runs = self.all_of(session);
        runs.into_iter().find(|run| !run.is_given())
    }

    /// All runs of a session that are at work or wait.
    pub fn all_of(&self, session: &SessionId) -> Vec<Arc<Run>> {
        let runs = self.runs.lock();
        let of_session = runs.values().filter(|run| run.session() == session);
        of_session.cloned().collect()
    }

    pub fn all(&self) -> Vec<Arc<Run>> {
        self.runs.lock().values().cloned().collect()
    }

    pub fn add(&self, run: &Arc<Run>) {
        self.runs.lock().insert(run.id().clone(), Arc::clone(run));
    }

    /// Adds it unless it is there already: two may take up the same run at the same time. Returns the one that is.
    pub fn add_once(&self, run: &Arc<Run>) -> Option<Arc<Run>> {
        match self.runs.lock().entry(run.id().clone()) {
            Entry::Occupied(there) => Some(Arc::clone(there.get())),
            Entry::Vacant(place) => {
                place.insert(Arc::clone(run));
                None
            }
        }
    }

    pub fn remove(&self, run: &RunId) {
        self.runs.lock().remove(run);
    }

    /// Lets go of the runs, and ends what works for them and after them.
    async fn end(&self) {
        for run in self.all() {
            run.end_with_task().await;
        }
        for run in self.all() {
            run.abandon();
        }
        self.workers.end_all();
        self.after_runs.end().await;
        self.learning_queue.end().await;
    }
}

impl Runs for Workspace {
    fn is_held(&self, run: &RunId) -> bool {
        self.running.get(run).is_some()
    }

    fn take_up(self: Arc<Self>, run: RunId) {
        self.tasks.clone().spawn(async move {
            if let Err(cause) = resume::resume(&self, &run).await {
                tracing::warn!(
                    cause.message,
                    "a run whose page has answered can't go on by itself"
                );
            }
        });
    }
}
