//! Programs of a workflow's steps run as every program does. A program may call a workflow, whose end it waits for.

use super::calls::performed;
use super::{Run, Workspace};
use crate::limits::WINDOW_TOKENS_DEFAULT;
use crate::run;
use async_trait::async_trait;
use shidi_agent::Event;
use shidi_protocol::{
    Ask, Call, CallOutcome, Reply, RunEventKind, RunId, ToolkitSpec, UserError, WorkflowStatus,
};
use shidi_trace::{ChatFacts, SingleChat, Tree};
use shidi_workflow_runs::{
    Caller, Definition, Exchange, ModelRun, Programs, dialogue_of, outcome, outcome_of_tool,
};
use std::sync::Arc;
use tokio::sync::mpsc;

#[async_trait]
impl Programs for Workspace {
    async fn begin(self: Arc<Self>, ask: Ask) -> Result<(RunId, mpsc::Receiver<Reply>), UserError> {
        let (run, replies) = run::begin(&self, ask).await?;
        Ok((run.id().clone(), replies))
    }

    async fn take_up(self: Arc<Self>, run: RunId) -> Result<(RunId, mpsc::Receiver<Reply>), UserError> {
        let (run, replies) = run::resume(&self, &run).await?;
        Ok((run.id().clone(), replies))
    }

    async fn stop(self: Arc<Self>, run: RunId) -> bool {
        let stopped = self.cancel(&run).await;
        if let Err(error) = &stopped {
            tracing::warn!(error.message, "a step's program can't be stopped");
        }
        stopped.is_ok()
    }

    fn is_held(&self, run: &RunId) -> bool {
        self.running.get(run).is_some()
    }

    fn toolkits(&self) -> Vec<ToolkitSpec> {
        self.features.toolkits(None)
    }

    fn keep_trace(&self, run: &ModelRun, exchange: &Exchange) {
        let traces = &self.features.traces;
        if !traces.is_wanted() {
            return;
        }
        traces.take(Tree::of_single_chat(&SingleChat {
            run: &run.run,
            session: &run.session,
            assistant: &run.assistant,
            facts: ChatFacts {
                provider: &exchange.provider,
                model: &exchange.model,
                window_tokens: exchange.window_tokens.unwrap_or(WINDOW_TOKENS_DEFAULT),
            },
            request: &exchange.request,
            began: exchange.began,
            first: exchange.first,
            ended: exchange.ended,
            answer: &exchange.answer,
            status: run.status,
            usage: &run.usage,
        }));
    }
}

impl Run {
    /// Sees a workflow through to its end. Where it waits for the user, so does this run.
    pub(super) async fn perform_workflow(self: Arc<Self>, call: Call) {
        performed(Arc::clone(&self), call.id, self.of_workflow(&call)).await;
    }

    async fn of_workflow(self: &Arc<Self>, call: &Call) -> CallOutcome {
        let mut rests = false;
        loop {
            let begun = self.features().workflows.called(self.caller(call), call).await;
            let mut replies = match begun {
                Ok(replies) => replies,
                Err(error) => return CallOutcome::failure("ValueError", error.message),
            };
            while let Some(reply) = replies.recv().await {
                match reply {
                    Reply::WorkflowRun { run } if run.ended.is_some() => {
                        self.drive_blocking(Event::Spent { usage: run.usage }).await;
                        return match self.features().plugins.is_for_one(call) {
                            true => outcome_of_tool(&run, call, shidi_plugins::RESULT),
                            false => outcome(&run),
                        };
                    }
                    Reply::WorkflowRun { run } if run.status == WorkflowStatus::Waiting && !rests => {
                        rests = true;
                        run.waiting
                            .iter()
                            .for_each(|card| self.emitter.relay(&card.event));
                        self.drive_blocking(Event::CallRests { call: call.id }).await;
                    }
                    Reply::Event { event }
                        if rests && !matches!(event.kind, RunEventKind::RunStarted { .. }) =>
                    {
                        rests = false;
                        self.drive_blocking(Event::CallGoesOn { call: call.id }).await;
                    }
                    Reply::Failed { error } => return CallOutcome::failure("RuntimeError", error.message),
                    _ => {}
                }
            }
        }
    }

    fn caller(&self, call: &Call) -> Caller {
        let ask = &self.facts.ask;
        let mind = self.mind.lock();
        Caller {
            run: self.id().clone(),
            call: call.id,
            folders: self
                .folders()
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            approve: ask.approve.clone(),
            own_list: ask.own_list,
            mode: ask.mode,
            assistant: ask.assistant.clone(),
            unattended: ask.unattended || ask.under.is_some(),
            dialogue: dialogue_of(&mind.context().segments),
            tainted: mind.state().tainted,
            bounds: self.bounds().to_vec(),
            tool: self.tool(call),
        }
    }

    /// The tool of a plugin that a call is for, if that is as it was reviewed.
    fn tool(&self, call: &Call) -> Option<Definition> {
        let tool = self.features().plugins.definition(call)?;
        Some(Definition {
            name: tool.name,
            text: tool.text,
            functions: tool.functions,
            bounds: tool.permissions,
        })
    }

    /// Whether it is a step of a workflow.
    pub(crate) fn is_step(&self) -> bool {
        self.facts.ask.task.is_some()
    }

    /// What its programs may call at most; empty for any other run than that of a plugin's tool.
    pub(super) fn bounds(&self) -> &[Vec<String>] {
        let task = self.facts.ask.task.as_ref();
        task.map(|task| task.bounds.as_slice()).unwrap_or_default()
    }
}
