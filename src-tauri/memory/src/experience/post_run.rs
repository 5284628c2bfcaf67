//! The work after a run is over, off the answer's path. Each run's is done on a task of its own, and never as a failure
//! of the run. A process that ends waits for it, but not for long: what is done here must bear being cut off.

use super::outcome::learn;
use shidi_protocol::RunId;
use shidi_space::Space;
use shidi_space::limits::AFTER_RUN_WAIT;
use std::sync::Arc;
use tokio_util::task::TaskTracker;

/// Runs that are over and not yet dealt with.
#[derive(Debug, Default)]
pub struct AfterRuns {
    tasks: TaskTracker,
}

impl AfterRuns {
    /// Begins what is done after that run; returns at once.
    pub fn begin(&self, space: &Arc<Space>, run: &RunId) {
        let (of, run) = (Arc::clone(space), run.clone());
        let done = async move {
            learn(&of, &run).await;
        };
        self.tasks.spawn_on(done, &space.tasks);
    }

    /// Waits for what is under way; what takes longer is dropped.
    pub async fn end(&self) {
        self.tasks.close();
        if tokio::time::timeout(AFTER_RUN_WAIT, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::info!("what follows a run was cut off by the end of the process");
        }
    }
}
