//! The step of learning that asks no model: a run that waits for it is learned from by rules, once.
//!
//! What is found and the end of the wait are one transaction. So a crash in between neither loses nor repeats them.

use super::{Finished, Learns, by_rules};
use crate::limits::LEARNING_ATTEMPTS_MAX;
use shidi_protocol::RunId;
use shidi_space::Space;
use shidi_store::{LearningStep, StoreError, Write};

/// Learns by rules from a run that waits for it. Where a model may find more, the run waits for that then.
///
/// # Errors
/// The store can't be read or written.
pub fn learn_by_rules(space: &Space, run: &RunId) -> Result<(), StoreError> {
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
