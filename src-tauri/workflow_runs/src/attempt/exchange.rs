//! Keeps a step's question to a model with its answer, as a run in the session of the attempt. So it has a trace, and its
//! tokens are counted, as those of programs. A record that can't be kept is no reason for a step to fail.

use super::Attempt;
use crate::answers::Exchange;
use crate::facts::session_of;
use serde_json::json;
use shidi_agent::{Phase, RunState};
use shidi_protocol::{Ask, JsonMap, RunId, RunStatus, SegmentId, SessionId, Under, Usage, WorkflowTask};
use shidi_space::assistants::USUAL;
use shidi_space::storage;
use shidi_store::{StoreError, Write};

/// The run that stands for a question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRun {
    pub run: RunId,
    pub session: SessionId,
    pub assistant: String,
    pub status: RunStatus,
    pub usage: Usage,
}

impl Attempt {
    /// Keeps a question with its answer, and its trace.
    pub(super) async fn keep(&self, step: &str, exchange: &Exchange, usage: &Usage) {
        let run = ModelRun {
            run: RunId::mint(),
            session: session_of(&self.run, self.attempt),
            assistant: self.facts.assistant.clone().unwrap_or_else(|| USUAL.to_owned()),
            status: status_of(exchange, self.cancel.is_cancelled()),
            usage: *usage,
        };
        let mut rows = self.room(&JsonMap::new());
        rows.push(Write::PutRun(Box::new(self.row(step, &run, exchange))));
        match (self.written(rows).await, self.workflows.programs()) {
            (Ok(true), Ok(programs)) => programs.keep_trace(&run, exchange),
            (Ok(_), _) => tracing::debug!("a workflow's run is gone, or its process ends"),
            (Err(message), _) => {
                tracing::warn!(message, "what a step has asked a model is not on record");
            }
        }
    }

    /// Writes rows of a run that is still there; whether it is. One that was deleted must leave no session behind.
    async fn written(&self, rows: Vec<Write>) -> Result<bool, String> {
        let (run, language) = (self.run.clone(), self.workflows.space.language());
        let written = self.workflows.space.aside(move |space| {
            let explain = |cause: StoreError| storage::explain(&cause, language);
            let is_there = space.store.workflow_run(&run).map_err(explain)?.is_some();
            if is_there {
                space.store.commit(rows).map_err(explain)?;
            }
            Ok(is_there)
        });
        written.await.map_err(|error| error.message)
    }

    fn row(&self, step: &str, run: &ModelRun, exchange: &Exchange) -> shidi_store::RunState {
        let task = WorkflowTask {
            run: self.run.clone(),
            attempt: self.attempt.0,
            tainted: self.tainted,
            bounds: self.facts.bounds.clone(),
        };
        // The usage of a run that was called is in that of its caller.
        let under = self.facts.by.as_ref().map(|by| {
            Box::new(Under {
                run: by.run.clone(),
                call: by.call,
                toolkits: Vec::new(),
                tainted: self.tainted,
            })
        });
        let ask = Ask {
            program: None,
            under,
            ..self.facts.ask(step, String::new(), task)
        };
        let failure = exchange.answer.as_ref().err();
        let failure = failure.filter(|_| run.status == RunStatus::Failed);
        let language = self.workflows.space.language();
        let error = failure.map(|failure| shidi_agent::model_error(language.code(), failure));
        let mind = RunState {
            phase: Phase::Ended,
            status: Some(run.status),
            tainted: self.tainted,
            language: self.facts.language.clone(),
            usage: run.usage,
            error: error.clone(),
            ..RunState::new(exchange.began, SegmentId::default())
        };
        shidi_store::RunState {
            run: run.run.clone(),
            session: run.session.clone(),
            parent: None,
            status: Some(run.status),
            state: json!({ "mind": mind, "ask": ask }),
            question: ask.text.clone(),
            usage: run.usage,
            offline: false,
            waiting: Vec::new(),
            started: exchange.began,
            ended: Some(exchange.ended),
            reason: None,
            error,
            seq: 0,
            build: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

fn status_of(exchange: &Exchange, is_cancelled: bool) -> RunStatus {
    match &exchange.answer {
        Ok(_) => RunStatus::Completed,
        Err(_) if is_cancelled => RunStatus::Cancelled,
        Err(_) => RunStatus::Failed,
    }
}
