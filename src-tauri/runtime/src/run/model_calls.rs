//! Calls that a model answers for a program. They have a bound of time and of their number per run. An answer in
//! another form is asked for once more.

use super::Run;
use super::beside::spent;
use crate::limits::MODEL_CALL_TIMEOUT;
use shidi_agent::model_calls::{ModelCall, corrected};
use shidi_agent::{Event, limits};
use shidi_protocol::{Call, CallOutcome, FailureKind, ModelFailure, ModelRequest};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Run {
    /// Asks a model, and answers the call.
    pub(super) async fn ask_for_program(self: Arc<Self>, call: Call, asked: ModelCall) {
        let mut events = Vec::new();
        let outcome = match self.answered_by_model(&asked, &mut events).await {
            Ok(outcome) => outcome,
            // The call rests where the process ends, and nobody waits for its result where the run was stopped.
            Err(failure) if failure.kind == FailureKind::Cancelled => {
                if self.is_stopping() {
                    self.drive_all_blocking(events).await;
                }
                return;
            }
            Err(failure) => {
                let why = shidi_agent::model_error(self.language().code(), &failure);
                CallOutcome::failure("RuntimeError", why.message)
            }
        };
        // An answer is made of what the program gave: it is as foreign as that.
        let is_own = !self.mind.lock().state().tainted;
        events.push(Event::CallReturned {
            call: call.id,
            outcome: if is_own {
                outcome.own()
            } else {
                outcome.untrusted()
            },
        });
        self.drive_all_blocking(events).await;
    }

    async fn answered_by_model(
        &self,
        asked: &ModelCall,
        events: &mut Vec<Event>,
    ) -> Result<CallOutcome, ModelFailure> {
        if self.model.is_offline() || self.is_given() {
            return Ok(CallOutcome::failure("RuntimeError", NO_MODEL));
        }
        if self.model_calls.fetch_add(1, Ordering::Relaxed) >= limits::MODEL_CALLS_MAX {
            let message = format!(
                "A task asks a model at most {} times in its programs",
                limits::MODEL_CALLS_MAX
            );
            return Ok(CallOutcome::failure("RuntimeError", message));
        }
        let request = asked.request(self.mind.lock().context());
        let request = match request {
            Ok(request) => request,
            Err(cause) => return Ok(CallOutcome::failure("RuntimeError", cause.to_string())),
        };
        let reply = self.counted(&request, events).await?;
        let fault = match asked.outcome(&reply) {
            Ok(outcome) => return Ok(outcome),
            Err(fault) => fault,
        };
        let reply = self.counted(&corrected(request, &reply, &fault), events).await?;
        let again = asked.outcome(&reply);
        Ok(again.unwrap_or_else(|fault| {
            CallOutcome::failure("ValueError", format!("The model's answer is of no use: {fault}"))
        }))
    }

    /// Asks, and notes what it took.
    async fn counted(&self, request: &ModelRequest, events: &mut Vec<Event>) -> Result<String, ModelFailure> {
        let request = Arc::new(request.clone());
        match self.ask_beside(&request, MODEL_CALL_TIMEOUT, &self.cancel).await {
            Ok(reply) => {
                events.push(Event::Spent { usage: reply.usage });
                Ok(reply.text)
            }
            Err(failure) => {
                events.extend(spent(&failure).map(|usage| Event::Spent { usage }));
                Err(failure)
            }
        }
    }
}

/// What a program is told where no language model answers.
const NO_MODEL: &str = "No language model goes with this task, so none can be asked";
