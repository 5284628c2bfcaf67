//! Questions of servers in the middle of a call. Tells how a question stands by now, and the permissions for the whole
//! task. Pure.
//!
//! A question is a call of `user` that no program makes. Its arguments are the card, and the number by which its maker knows
//! it again.

use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{CallId, CallOutcome, CallRecord, CallState};

pub use crate::forms::{ELICIT, SAMPLE};

/// The toolkit of such calls.
pub const TOOLKIT: &str = "user";

/// Arguments of such calls beside those of the card: its maker's number, and the server.
pub const NUMBER: &str = "number";
pub const SERVER: &str = "server";

/// The member of an answer that says what the user chose, and the choice that holds for the whole task.
pub const ACTION: &str = "action";
pub const FOR_TASK: &str = "task";

/// How a question stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    Waits,
    /// The user has answered, or declined.
    Ended(CallOutcome),
    /// Nobody is asked: the call has ended, or has asked too much.
    Gone,
}

/// How the question with that number stands that was asked for the call `by`.
#[must_use]
pub fn standing(context: &RunContext, by: CallId, number: u64) -> Standing {
    let Some(record) = asked(context, by, number) else {
        return Standing::Gone;
    };
    match (record.state, &record.outcome) {
        (CallState::Question, _) => Standing::Waits,
        (_, Some(outcome)) => Standing::Ended(outcome.clone()),
        (_, None) => Standing::Gone,
    }
}

/// The record of the question with that number, as long as the call `by` is at work.
pub(crate) fn asked(context: &RunContext, by: CallId, number: u64) -> Option<&CallRecord> {
    let made_for = context.asked_by.iter().filter(|(_, maker)| **maker == by);
    let mut records = made_for.filter_map(|(id, _)| context.calls.get(id));
    records.find(|record| {
        record.call.toolkit == TOOLKIT && record.call.args.get(NUMBER).and_then(Value::as_u64) == Some(number)
    })
}

/// Whether the user has allowed a server's questions to a model for the whole task.
#[must_use]
pub fn is_allowed(context: &RunContext, server: &str) -> bool {
    let is_of = |record: &&CallRecord| {
        let call = &record.call;
        call.id.is_aside()
            && (call.toolkit.as_str(), call.method.as_str()) == (TOOLKIT, SAMPLE)
            && call.args.get(SERVER).and_then(Value::as_str) == Some(server)
    };
    let chosen = |record: &CallRecord| {
        let outcome = record.outcome.as_ref()?;
        let action = outcome.data.get(ACTION)?.as_str()?;
        Some(record.state == CallState::Done && action == FOR_TASK)
    };
    context
        .calls
        .values()
        .filter(is_of)
        .any(|record| chosen(record).unwrap_or_default())
}
