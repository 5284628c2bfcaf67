//! Asks the fast model for the lessons of a finished run. The question is one call, within a time, counted and traced
//! with the run.

use super::Run;
use super::beside::spent;
use crate::limits::LEARNING_TIMEOUT;
use shidi_agent::learning_prompt;
use shidi_memory::extract::{Finished, LEARNING_ATTEMPTS_MAX, Learns, model};
use shidi_protocol::{MemoryRecord, ModelReply, ModelRequest, Usage};
use shidi_store::{LearningStep, StoreError, Write};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A request to the fast model, and the run that it is about.
struct LearningRequest {
    finished: Finished,
    known: Vec<MemoryRecord>,
    request: ModelRequest,
}

impl Run {
    /// Asks, and writes the lessons. A call that fails is tried again at the next start. A useless answer is not asked
    /// for again.
    pub(crate) async fn learn(self: &Arc<Self>, ends: &CancellationToken) -> Result<(), StoreError> {
        let run = Arc::clone(self);
        let Some(asked) = blocking(move || run.prepared()).await? else {
            return Ok(());
        };
        let request = Arc::new(asked.request.clone());
        let reply = match self.ask_beside(&request, LEARNING_TIMEOUT, ends).await {
            Ok(reply) => reply,
            Err(failure) => {
                tracing::info!(?failure.kind, "nothing was learned by a model");
                let run = Arc::clone(self);
                return match spent(&failure) {
                    Some(usage) => blocking(move || run.count(usage)).await,
                    None => Ok(()),
                };
            }
        };
        let run = Arc::clone(self);
        blocking(move || run.keep(&asked, &reply)).await
    }

    /// The question, when the run still waits for it.
    fn prepared(&self) -> Result<Option<LearningRequest>, StoreError> {
        let waiting = self.workspace.store.learning(self.id())?;
        let Some(waiting) = waiting.filter(|learning| learning.step == LearningStep::Model) else {
            return Ok(None);
        };
        let nothing = |run: &Self| {
            run.workspace
                .store
                .commit(run.end_of_learning(Vec::new()))
                .map(|()| None)
        };
        let read = Finished::read(&self.workspace, self.id())?;
        let Some((finished, Learns::ByModel)) = read.filter(|_| waiting.attempts < LEARNING_ATTEMPTS_MAX)
        else {
            return nothing(self);
        };
        let known = model::known_to(&self.workspace, &finished)?;
        let facts: Vec<String> = known.iter().map(|record| record.text.clone()).collect();
        let request = learning_prompt::request(self.mind.lock().context(), &facts);
        let Some(request) = request else {
            return nothing(self);
        };
        // Before anything is asked: a process that dies of it asks no third time.
        self.workspace
            .store
            .commit(Write::TryLearning(self.id().clone()))?;
        Ok(Some(LearningRequest {
            finished,
            known,
            request,
        }))
    }

    fn keep(&self, asked: &LearningRequest, reply: &ModelReply) -> Result<(), StoreError> {
        let mut found = vec![self.usage(reply.usage)];
        match learning_prompt::learned(&reply.text, asked.finished.tainted) {
            Some(learned) => {
                found.extend(model::by_model(
                    &self.workspace,
                    &asked.finished,
                    &asked.known,
                    learned,
                )?);
            }
            None => tracing::info!("the fast model's view of a run can't be read"),
        }
        self.workspace.store.commit(self.end_of_learning(found))
    }

    /// Counts what was asked in vain.
    fn count(&self, usage: Usage) -> Result<(), StoreError> {
        self.workspace.store.commit(self.usage(usage))
    }

    fn usage(&self, usage: Usage) -> Write {
        Write::AddUsage {
            run: self.id().clone(),
            usage: Usage {
                model_calls: usage.model_calls.max(1),
                ..usage
            },
        }
    }

    fn end_of_learning(&self, found: Vec<Write>) -> Write {
        Write::EndLearning {
            run: self.id().clone(),
            step: LearningStep::Model,
            found,
            next: None,
        }
    }
}

/// Reads and writes of the store may wait for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|cause| {
        tracing::error!(%cause, "learning broke off");
        Err(StoreError::Closed)
    })
}
