//! Learns from runs that are over: after the answer, on threads that nobody waits for, each run once.
//!
//! A run's wait to be learned from is written with its end, and goes with the lessons. So a crash in between neither
//! loses nor repeats them. Local rules work at once. A program that stays asks the fast model, or the next question's
//! work does, one run at a time. Whatever that model does, what the rules found stands.

use super::{Run, Workspace, resume};
use crate::limits::{LEARNING_ATTEMPTS_MAX, LEARNINGS_QUEUED, LEARNINGS_TAKEN_UP};
use crate::space::Space;
use shidi_memory::extract::{Finished, Learns, by_rules};
use shidi_protocol::RunId;
use shidi_store::{Learning, LearningStep, StoreError, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedRwLockReadGuard, RwLock};
use tokio_util::sync::CancellationToken;

/// How long those who read memory, and the end of the program, wait for rules at work: some milliseconds each.
const RULES_AWAITED: Duration = Duration::from_secs(2);

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

    /// `None` once somebody waits for the end of the rules: what comes now is left to the next start.
    fn begin_rules(&self) -> Option<OwnedRwLockReadGuard<()>> {
        Arc::clone(&self.rules).try_read_owned().ok()
    }
}

/// Learns from a run that has just ended.
pub fn after(run: &Arc<Run>) {
    let run = Arc::clone(run);
    let workspace = Arc::clone(&run.workspace);
    let Some(at_work) = workspace.running.learning_queue.begin_rules() else {
        return;
    };
    let tasks = workspace.tasks.clone();
    tasks.spawn(async move {
        let id = run.id().clone();
        apply_rules(&workspace, vec![id]).await;
        drop(at_work);
        if workspace.stays() {
            ask_model(&workspace.running.learning_queue, &run).await;
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
            if let Err(cause) = apply(&own, &run) {
                tracing::warn!(%cause, "nothing was learned from a run");
            }
        }
    };
    if let Err(cause) = tokio::task::spawn_blocking(applied).await {
        tracing::error!(%cause, "learning by rules broke off");
    }
}

fn apply(space: &Space, run: &RunId) -> Result<(), StoreError> {
    let step = LearningStep::Rules;
    let Some(waiting) = space
        .store
        .learning(run)?
        .filter(|learning| learning.step == step)
    else {
        return Ok(());
    };
    let end = |found: Vec<Write>, next: Option<LearningStep>| Write::EndLearning {
        run: run.clone(),
        step,
        found,
        next,
    };
    if waiting.attempts >= LEARNING_ATTEMPTS_MAX {
        return space.store.commit(end(Vec::new(), None));
    }
    space.store.buffer(Write::TryLearning(run.clone()))?;
    let Some((finished, learns)) = Finished::read(space, run)? else {
        return space.store.commit(end(Vec::new(), None));
    };
    if learns == Learns::Nothing {
        return space.store.commit(end(Vec::new(), None));
    }
    let found = by_rules(space, &finished)?;
    let is_for_model = learns == Learns::ByModel && finished.is_worth_a_model();
    space
        .store
        .commit(end(found, is_for_model.then_some(LearningStep::Model)))
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
