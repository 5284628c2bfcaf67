//! A run as an added toolkit sees it during one of its calls: folders, progress, a person and a model.

use super::Run;
use super::beside::spent;
use crate::blob_store;
use crate::limits::{KEPT_BY_CALLS_BYTES_MAX, MODEL_CALL_TIMEOUT, SERVER_ANSWERED_WITHIN};
use crate::registry::CallingRun;
use async_trait::async_trait;
use serde_json::Value;
use shidi_agent::server_questions::{self, NUMBER, Standing, TOOLKIT};
use shidi_agent::{Event, limits};
use shidi_protocol::{
    Call, CallId, CallOutcome, ExecId, JsonMap, Message, ModelReply, ModelRequest, ModelRole, RunEventKind,
    RunId,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A run, and its call that is at work.
pub(super) struct ServedCall {
    pub(super) run: Arc<Run>,
    pub(super) call: CallId,
}

#[async_trait]
impl CallingRun for ServedCall {
    fn id(&self) -> &RunId {
        self.run.id()
    }

    fn leaves_nothing(&self) -> bool {
        self.run.workspace.is_incognito()
    }

    fn folders(&self) -> Vec<PathBuf> {
        self.run.folders()
    }

    fn is_attended(&self) -> bool {
        self.run.facts.ask.is_attended() && !self.run.is_stopped()
    }

    fn shows(&self, progress: Value) {
        let card = RunEventKind::Card {
            id: format!("progress of {}", self.call),
            kind: "progress".to_owned(),
            data: progress,
        };
        self.run.emitter.emit(&self.run.workspace, self.run.id(), card);
    }

    async fn asks(&self, method: &'static str, mut card: JsonMap) -> Option<CallOutcome> {
        let mut decided = self.run.asides_decided.subscribe();
        let number = self.run.questions.fetch_add(1, Ordering::Relaxed);
        card.insert(NUMBER.to_owned(), number.into());
        let (by, call) = (self.call, question(method, card));
        let _asked = QuestionGuard(self, number);
        self.run.drive_blocking(Event::ServerAsked { by, call }).await;
        let answered = async {
            loop {
                match self.stands(number) {
                    Standing::Waits => decided.changed().await.ok()?,
                    Standing::Ended(outcome) => return Some(outcome),
                    Standing::Gone => return None,
                }
            }
        };
        tokio::select! {
            answered = answered => answered,
            () = tokio::time::sleep(SERVER_ANSWERED_WITHIN) => None,
            () = self.run.cancel.cancelled() => None,
        }
    }

    async fn keeps(&self, name: String, bytes: Vec<u8>) -> Option<PathBuf> {
        let run = Arc::clone(&self.run);
        let kept = run.kept_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        if kept.saturating_add(bytes.len()) > KEPT_BY_CALLS_BYTES_MAX {
            return None;
        }
        let keeping = tokio::task::spawn_blocking(move || {
            let of = (run.session(), run.id());
            let kept = blob_store::keep_with_run(&run.workspace, of, &name, &bytes);
            kept.inspect_err(|cause| tracing::warn!(%cause, "a file of a call was not kept"))
                .ok()
        });
        keeping.await.ok().flatten()
    }

    fn has_allowed(&self, server: &str) -> bool {
        server_questions::is_allowed(self.run.mind.lock().context(), server)
    }

    async fn asks_model(&self, messages: Vec<Message>, tokens_max: u32) -> Result<ModelReply, String> {
        let run = &self.run;
        if run.model.is_offline() || run.is_given() {
            return Err("No language model goes with the task".to_owned());
        }
        if run.model_calls.fetch_add(1, Ordering::Relaxed) >= limits::MODEL_CALLS_MAX {
            return Err("The task has asked models often enough".to_owned());
        }
        let request = Arc::new(ModelRequest {
            run: run.id().clone(),
            role: ModelRole::General,
            messages,
            tools: Vec::new(),
            max_output_tokens: tokens_max,
            completion: None,
            brief: Default::default(),
            parts: Vec::new(),
        });
        let answer = run.ask_beside(&request, MODEL_CALL_TIMEOUT, &run.cancel).await;
        let usage = match &answer {
            Ok(reply) => Some(reply.usage),
            Err(failure) => spent(failure),
        };
        if let Some(usage) = usage {
            run.drive_blocking(Event::Spent { usage }).await;
        }
        // What a provider says of its user's account is none of the server's business.
        answer.map_err(|_| "The model did not answer".to_owned())
    }
}

impl ServedCall {
    fn stands(&self, number: u64) -> Standing {
        server_questions::standing(self.run.mind.lock().context(), self.call, number)
    }
}

fn question(method: &str, args: JsonMap) -> Call {
    Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: TOOLKIT.to_owned(),
        method: method.to_owned(),
        args,
        line: 0,
        places: BTreeMap::new(),
    }
}

/// A question for as long as somebody waits for its answer; its card goes with it.
struct QuestionGuard<'a>(&'a ServedCall, u64);

impl Drop for QuestionGuard<'_> {
    fn drop(&mut self) {
        let Self(served, number) = *self;
        if served.stands(number) != Standing::Waits {
            return;
        }
        let (run, by) = (Arc::clone(&served.run), served.call);
        let tasks = run.workspace.tasks.clone();
        tasks.spawn(async move { run.drive_blocking(Event::ServerAskEnded { by, number }).await });
    }
}
