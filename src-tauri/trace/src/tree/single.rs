//! The trace of a run that asks a model once and has no mind: a step of a workflow. All of it is told at its end.

use super::{ChatFacts, Draft, Tree};
use shidi_protocol::{ModelFailure, ModelReply, ModelRequest, Moment, RunId, RunStatus, SessionId, Usage};
use std::sync::Arc;

/// A question to a model that is a run by itself.
#[derive(Debug, Clone, Copy)]
pub struct SingleChat<'a> {
    pub run: &'a RunId,
    pub session: &'a SessionId,
    pub assistant: &'a str,
    pub facts: ChatFacts<'a>,
    pub request: &'a Arc<ModelRequest>,
    pub began: Moment,
    /// When the first piece of the answer came.
    pub first: Option<Moment>,
    pub ended: Moment,
    pub answer: &'a Result<ModelReply, ModelFailure>,
    pub status: RunStatus,
    pub usage: &'a Usage,
}

impl Tree {
    /// The steps of such a run: its root, and the question below it.
    #[must_use]
    pub fn of_single_chat(chat: &SingleChat<'_>) -> Vec<Draft> {
        let mut tree = Self::new(chat.run.clone());
        tree.began = chat.began;
        tree.early = None;
        let mut drafts = Vec::new();
        tree.begin_root(chat.began, (chat.assistant, chat.session), &mut drafts);
        let (step, asked) = tree.chat_begins(chat.began, Arc::clone(chat.request), chat.facts);
        drafts.extend(asked);
        drafts.extend(tree.chat_ends(chat.ended, step, chat.first, chat.answer));
        tree.ended(chat.ended, chat.status, None, chat.usage, &mut drafts);
        drafts
    }
}
