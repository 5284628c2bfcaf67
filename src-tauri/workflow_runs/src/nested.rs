//! Runs that the program of a step has called: where the program is stopped, they end with it.

use crate::Workflows;
use crate::callers::caller_of;
use crate::evidence::task_of;
use crate::limits::RUNS_LISTED_MAX;
use crate::orders::Until;
use crate::starting;
use shidi_protocol::RunId;
use shidi_space::storage;
use shidi_store::{Store, StoreError};
use std::sync::Arc;

impl Workflows {
    /// The runs that a program or a sub-agent of it has called and that have not ended.
    pub(crate) async fn called_by(&self, program: &RunId) -> Vec<RunId> {
        let (caller, language) = (program.clone(), self.space.language());
        let looked = self.space.aside(move |space| {
            let called = called_by(&space.store, &caller);
            called.map_err(|cause| storage::explain(&cause, language))
        });
        looked.await.unwrap_or_else(|error| {
            tracing::warn!(error.message, "runs that a step has called are not looked for");
            Vec::new()
        })
    }

    /// Cancels runs, all at the same time, and waits for their ends. One that can't be ended stays among those that are open.
    pub(crate) async fn cancel_called(self: &Arc<Self>, called: &[RunId]) {
        let mut ending = Vec::new();
        for run in called {
            match starting::cancel(self, run).await {
                Ok(told) => ending.push((run, told)),
                Err(error) => {
                    tracing::warn!(error.message, %run, "a run that a step has called can't be cancelled");
                }
            }
        }
        for (run, mut told) in ending {
            while told.recv().await.is_some() {}
            // One that waits for a person lets go early whoever watches until then.
            if let Some(mut told) = starting::watched(self, run, Until::End) {
                while told.recv().await.is_some() {}
            }
        }
    }
}

fn called_by(store: &Store, program: &RunId) -> Result<Vec<RunId>, StoreError> {
    let mut called = Vec::new();
    for row in store.open_workflow_runs(RUNS_LISTED_MAX)? {
        let Some(by) = caller_of(&row) else { continue };
        let is_its = by == *program
            || store
                .run(&by)?
                .is_some_and(|by| task_of(&by).as_ref() == Some(program));
        if is_its {
            called.push(row.run);
        }
    }
    Ok(called)
}
