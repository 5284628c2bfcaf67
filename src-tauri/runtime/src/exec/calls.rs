//! The calls of a program of `shidi exec`: what takes time goes on beside the rest, and ends with the program.

use super::Execution;
use crate::clock;
use crate::limits;
use crate::permission_rules;
use crate::registry::{self, Performer};
use crate::run::serving::{Calls, Next, Waited};
use crate::run::{host, pause};
use crate::store_tools::StoreTools;
use serde_json::Value;
use shidi_agent::{foreign, tool_index};
use shidi_executor::PendingCall;
use shidi_jobs as jobs;
use shidi_protocol::{Call, CallId, CallOutcome, Class, ExecId, ExecutedCall, Moment};
use shidi_toolkits::Environment;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// A call's result, from wherever it was performed.
type Performed = (CallId, CallOutcome);

/// The calls of one program.
pub struct CallsOfProgram<'a> {
    execution: &'a Execution,
    results: (SyncSender<Option<Performed>>, Receiver<Option<Performed>>),
    /// Each call as far as it has come, and when it began.
    made: BTreeMap<CallId, (ExecutedCall, Moment)>,
    pub said: String,
    /// Whether something that the user did not write has been read, in this program or by what it goes on from.
    pub tainted: bool,
}

impl<'a> CallsOfProgram<'a> {
    pub fn new(execution: &'a Execution, tainted: bool) -> Self {
        let results = sync_channel(limits::PROGRAM_CALLS as usize + 1);
        let (given, cancel) = (results.0.clone(), execution.cancel.clone());
        execution.engine.tasks.spawn(async move {
            cancel.cancelled().await;
            if given.try_send(None).is_err() {
                tracing::debug!("the program had ended");
            }
        });
        Self {
            execution,
            results,
            made: BTreeMap::new(),
            said: String::new(),
            tainted,
        }
    }

    /// All that were made, in their order; those that the program did not wait for until its end.
    pub fn listed(&mut self) -> Vec<ExecutedCall> {
        let made = std::mem::take(&mut self.made).into_values();
        made.filter(|(call, _)| call.toolkit != "host")
            .map(|(call, _)| call)
            .collect()
    }

    fn has(&mut self, call: &Call, outcome: CallOutcome) {
        let outcome = foreign::settled(call, outcome);
        // At once: the next call is judged before this result is taken.
        self.tainted |= outcome.untrusted;
        if self.results.0.try_send(Some((call.id, outcome))).is_err() {
            tracing::debug!("more results than calls");
        }
    }

    /// Performs what takes time beside the program.
    fn begin(&self, call: &Call, performing: impl Future<Output = CallOutcome> + Send + 'static) {
        let (results, cancel) = (self.results.0.clone(), self.execution.cancel.clone());
        let call = call.clone();
        self.execution.engine.tasks.spawn(async move {
            let outcome = tokio::select! {
                outcome = performing => outcome,
                () = cancel.cancelled() => return,
            };
            let outcome = foreign::settled(&call, outcome);
            if results.try_send(Some((call.id, outcome))).is_err() {
                tracing::debug!("the program had ended before its answer came");
            }
        });
    }

    fn perform(&mut self, call: Call) {
        let execution = self.execution;
        if let Some(seconds) = pause(&call) {
            self.begin(&call, async move {
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                CallOutcome::success(Value::Null, "waited").own()
            });
            return;
        }
        if let Some(outcome) = self.own(&call) {
            self.has(&call, outcome);
            return;
        }
        let own = || shidi_toolkits::class_of(&call, &execution.environment(call.id, Class::Read));
        let class = execution.engine.registry.class_of(&call).unwrap_or_else(own);
        if let Some(refused) = execution.refused(&call, class, self.tainted) {
            self.has(&call, refused);
            return;
        }
        let assistant = execution.assistant.as_deref();
        match execution.engine.registry.performer(&call, assistant) {
            Performer::BuiltIn => {}
            Performer::SwitchedOff => return self.has(&call, registry::switched_off(&call)),
            Performer::Dynamic(toolkit) => {
                let performing = toolkit.perform(call.clone());
                return self.begin(&call, async move { performing.await.untrusted() });
            }
        }
        if jobs::is_for_the_shell(&call) {
            let engine = Arc::clone(&execution.engine);
            let (caller, environment) = (execution.caller(), execution.environment(call.id, class));
            let command = call.clone();
            self.begin(&call, async move {
                jobs::perform((&engine, &engine.jobs), caller, command, environment).await
            });
            return;
        }
        let outcome = self.built_in(&call, class);
        self.has(&call, outcome);
    }

    /// The outcome of a call that needs no permission, since nothing leaves the program.
    fn own(&mut self, call: &Call) -> Option<CallOutcome> {
        match (call.toolkit.as_str(), call.method.as_str()) {
            ("host", _) => Some(host(call)),
            ("user", "say") => {
                let text = call.args.get("text").and_then(Value::as_str);
                self.said.push_str(text.unwrap_or_default());
                self.said.push('\n');
                Some(CallOutcome::success(Value::Null, "said"))
            }
            ("user", _) => Some(CallOutcome::failure(
                "PermissionError",
                "There is nobody to ask in shidi exec",
            )),
            ("system", "compress") => {
                let message = "There is no conversation to shorten in shidi exec";
                Some(CallOutcome::failure("RuntimeError", message).own())
            }
            _ => {
                let assistant = self.execution.assistant.as_deref();
                tool_index::perform(call, &self.execution.engine.toolkits(assistant))
            }
        }
    }

    fn built_in(&self, call: &Call, class: Class) -> CallOutcome {
        let execution = self.execution;
        let kept = StoreTools {
            embeddings: &execution.engine.embeddings,
            session: execution.session.as_ref(),
            assistant: execution.assistant.as_deref(),
            tainted: self.tainted,
        };
        let environment = Environment {
            withheld: permission_rules::left_out(execution.grants.withheld(call, class)),
            ..execution.environment(call.id, class)
        };
        let performed = shidi_toolkits::perform(call, &environment).or_else(|| kept.perform(call));
        performed.unwrap_or_else(|| {
            CallOutcome::failure(
                "RuntimeError",
                format!("{} needs a conversation: use shidi ask", call.tool()),
            )
            .own()
        })
    }
}

impl Calls for CallsOfProgram<'_> {
    fn request(&mut self, id: CallId, pending: PendingCall) {
        let call = Call {
            id,
            exec: ExecId(1),
            toolkit: pending.toolkit,
            method: pending.method,
            args: pending.args,
            line: pending.line,
            places: BTreeMap::new(),
        };
        let call = shidi_toolkits::placed(call, &self.execution.environment(id, Class::Read));
        let made = ExecutedCall {
            toolkit: call.toolkit.clone(),
            method: call.method.clone(),
            args: call.args.clone(),
            ok: false,
            ms: 0,
        };
        self.made.insert(id, (made, clock::now()));
        self.perform(call);
    }

    fn next(&mut self, most: Duration) -> Next {
        match self.results.1.recv_timeout(most) {
            Ok(Some((call, outcome))) => {
                self.tainted |= outcome.untrusted;
                if let Some((made, began)) = self.made.get_mut(&call) {
                    made.ok = outcome.ok();
                    made.ms = clock::now().since(*began);
                }
                Next::Result {
                    call,
                    outcome,
                    waited: Waited::ForWork,
                }
            }
            Err(RecvTimeoutError::Timeout) => Next::OutOfTime,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Next::TakenAway,
        }
    }
}
