//! Learns from runs that are over: after the answer, on threads that nobody waits for, each run once.
//!
//! A run's wait to be learned from is written with its end, and goes with the lessons. So a crash in between neither
//! loses nor repeats them. Local rules work at once. A program that stays asks the fast model, or the next question's
//! work does, one run at a time. Whatever that model does, what the rules found stands.

use super::{Run, Workspace, resume};
use crate::limits::{LEARNINGS_QUEUED, LEARNINGS_TAKEN_UP};
use crate::space::Space;
use shidi_memory::extract::learn_by_rules;
use shidi_protocol::RunId;
use shidi_store::{Learning, LearningStep};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedRwLockReadGuard, RwLock};
use tokio_util::sync::CancellationToken;

/// How long those who read memory, and the end of the program, wait for rules at work. Each takes some milliseconds, on a
/// busy disk far longer. A reader then goes without; what an end cuts off is learned at the next start.
const RULES_AWAITED: Duration = Duration::from_secs(10);

/// The learning that is under way.
#[derive(Default)]
pub struct LearningQueue {
    /// Held by rules at work.
    rules: Arc<RwLock<()>>,
    /// One run after the other.
    model: Mutex<()>,
    waiting: AtomicUsize,
    has_taken_up: AtomicBool,
    ends: CancellationToken,
}

impl LearningQueue {
    /// Returns when rules that are at work are done.
    pub async fn settled(&self) {
        if tokio::time::timeout(RULES_AWAITED, self.rules.write())
            .await
            .is_err()
        {
            tracing::warn!("what was learned last is not in memory yet");
        }
    }

    /// Asks no model any more, and waits for the rules.
    pub async fn end(&self) {
        self.ends.cancel();
        self.settled().await;
    }

    /// At once, so that whoever reads memory next waits for them. `None` while somebody waits for others.
    fn begin_rules(&self) -> Option<OwnedRwLockReadGuard<()>> {
        Arc::clone(&self.rules).try_read_owned().ok()
    }

    /// Rules that could not begin at once begin behind whoever waits. `None` once the program ends: what comes then is
    /// left to the next start.
    async fn begin_late(&self, begun: Option<OwnedRwLockReadGuard<()>>) -> Option<OwnedRwLockReadGuard<()>> {
        if begun.is_some() {
            return begun;
        }
        tokio::select! {
            biased;
            () = self.ends.cancelled() => None,
            at_work = Arc::clone(&self.rules).read_owned() => Some(at_work),
        }
    }
}

/// Learns from a run that has just ended.
pub fn after(run: &Arc<Run>) {
    let run = Arc::clone(run);
    let workspace = Arc::clone(&run.workspace);
    let begun = workspace.running.learning_queue.begin_rules();
    let tasks = workspace.tasks.clone();
    tasks.spawn(async move {
        let queue = &workspace.running.learning_queue;
        let Some(at_work) = queue.begin_late(begun).await else {
            return;
        };
        let id = run.id().clone();
        apply_rules(&workspace, vec![id]).await;
        drop(at_work);
        if workspace.stays() {
            ask_model(queue, &run).await;
        }
    });
}

/// Takes up what an earlier program left: what rules find at once.
pub fn take_up(space: &Arc<Space>, queue: &LearningQueue) {
    let left = space.store.learnings(LEARNINGS_TAKEN_UP).unwrap_or_else(|cause| {
        tracing::warn!(%cause, "it is not known what is still to be learned");
        Vec::new()
    });
    let by_rules = |learning: &&Learning| learning.step == LearningStep::Rules;
    let runs: Vec<RunId> = left
        .iter()
        .filter(by_rules)
        .map(|learning| learning.run.clone())
        .collect();
    let Some(at_work) = queue.begin_rules().filter(|_| !runs.is_empty()) else {
        return;
    };
    let space = Arc::clone(space);
    let tasks = space.tasks.clone();
    tasks.spawn(async move {
        apply_rules(&space, runs).await;
        drop(at_work);
    });
}

/// Asks the fast model about what earlier programs left; once, and only where something else is asked of models anyway.
pub fn take_up_models(workspace: &Arc<Workspace>) {
    let queue = &workspace.running.learning_queue;
    if queue.has_taken_up.swap(true, Ordering::Relaxed) {
        return;
    }
    let workspace = Arc::clone(workspace);
    let tasks = workspace.tasks.clone();
    tasks.spawn(async move {
        let left = workspace.store.learnings(LEARNINGS_TAKEN_UP).unwrap_or_default();
        for learning in left
            .into_iter()
            .filter(|learning| learning.step == LearningStep::Model)
        {
            match resume::of_record(&workspace, &learning.run).await {
                Ok(run) => ask_model(&workspace.running.learning_queue, &run).await,
                Err(cause) => tracing::warn!(%cause.message, "a run is not learned from"),
            }
            if workspace.running.learning_queue.ends.is_cancelled() {
                return;
            }
        }
    });
}

async fn apply_rules(space: &Arc<Space>, runs: Vec<RunId>) {
    let own = Arc::clone(space);
    let applied = move || {
        for run in runs {
            if let Err(cause) = learn_by_rules(&own, &run) {
                tracing::warn!(%cause, "nothing was learned from a run");
            }
        }
    };
    if let Err(cause) = tokio::task::spawn_blocking(applied).await {
        tracing::error!(%cause, "learning by rules broke off");
    }
}

async fn ask_model(queue: &LearningQueue, run: &Arc<Run>) {
    if queue.waiting.fetch_add(1, Ordering::Relaxed) < LEARNINGS_QUEUED {
        let _turn = queue.model.lock().await;
        if let Err(cause) = run.learn(&queue.ends).await {
            tracing::warn!(%cause, "a model's view of a run was not kept");
        }
    }
    queue.waiting.fetch_sub(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rules_that_come_while_somebody_waits_have_their_turn_and_none_once_the_program_ends() {
        let queue = LearningQueue::default();
        let first = queue.begin_rules();
        assert!(first.is_some());
        let mut reads = Box::pin(queue.settled());
        let waits = tokio::select! {
            biased;
            () = &mut reads => false,
            () = std::future::ready(()) => true,
        };
        assert!(waits, "rules are at work");
        let begun = queue.begin_rules();
        assert!(begun.is_none());
        drop(first);
        reads.await;
        let late = queue.begin_late(begun).await;
        assert!(late.is_some(), "they are not left to the next start");
        queue.ends.cancel();
        assert!(queue.begin_late(None).await.is_none());
    }
}
