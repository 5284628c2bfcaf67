//! Tells a run's trace what happens. Nothing here may fail or wait: a trace is no reason for a run to stop.

use super::Run;
use crate::clock;
use shidi_agent::{Effect, Mind, Phase};
use shidi_protocol::{ModelFailure, ModelReply, ModelRequest, Moment};
use shidi_trace::{ChatFacts, Draft, Tree};
use std::sync::Arc;

impl Run {
    /// The trace of a run whose question came at `began`.
    pub(super) fn begin_trace(&self, began: Moment) {
        if !self.features().traces.is_wanted() {
            return;
        }
        let mind = self.mind.lock();
        self.trace.lock().begin(began, mind.context());
    }

    /// The trace of a run that is taken up from its record goes on.
    pub(super) fn restore_trace(&self) {
        if !self.features().traces.is_wanted() {
            return;
        }
        let spans = self.workspace.store.spans(self.id()).unwrap_or_else(|cause| {
            tracing::warn!(%cause, "the trace of a run does not go on");
            Vec::new()
        });
        if spans.is_empty() {
            // Steps that were not written yet died with their process. A run that goes on begins its trace anew.
            if self.mind.lock().state().phase != Phase::Ended {
                self.begin_trace(clock::now());
            }
            return;
        }
        let retriggers = self.mind.lock().state().retriggers;
        let (tree, drafts) = Tree::restored(self.id().clone(), spans, retriggers, None);
        *self.trace.lock() = tree;
        self.features().traces.take(drafts);
    }

    /// An effect of the mind; called under its lock, in order.
    pub(super) fn trace(&self, mind: &Mind, effect: &Effect) {
        let drafts = self.trace.lock().observe(clock::now(), mind.context(), effect);
        self.hand_in(drafts);
    }

    /// A model is asked; the number of the step.
    pub(super) fn trace_chat(&self, request: &Arc<ModelRequest>) -> Option<u32> {
        let window_tokens = self.mind.lock().context().settings.window_tokens;
        let facts = ChatFacts {
            provider: self.model.provider(),
            model: self.model.name(),
            window_tokens,
        };
        let (step, drafts) = self
            .trace
            .lock()
            .chat_begins(clock::now(), Arc::clone(request), facts);
        self.hand_in(drafts);
        step
    }

    pub(super) fn trace_answer(
        &self,
        step: Option<u32>,
        first: Option<Moment>,
        answer: &Result<ModelReply, ModelFailure>,
    ) {
        let drafts = self.trace.lock().chat_ends(clock::now(), step, first, answer);
        self.hand_in(drafts);
    }

    /// A word of the answer is shown.
    pub(super) fn trace_word(&self) {
        let drafts = self.trace.lock().spoke(clock::now());
        self.hand_in(drafts);
    }

    fn hand_in(&self, drafts: Vec<Draft>) {
        if !drafts.is_empty() {
            self.features().traces.take(drafts);
        }
    }
}
