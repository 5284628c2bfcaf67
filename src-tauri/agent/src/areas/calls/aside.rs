//! Calls that no program makes. A command at work wants to reach a host, or a server at work asks the user something.
//!
//! They have cards, decisions and records as any call. Only their result goes to nobody, and they end with the call for
//! which they were made. A replay makes none of these calls again.

use super::{ask, ask_approval_of, record};
use crate::effect::Effect;
use crate::forms;
use crate::hosts::{self, Standing};
use crate::limits;
use crate::run_context::RunContext;
use crate::server_questions;
use shidi_protocol::{Call, CallId, CallOutcome, CallRecord, CallState, Class, Verdict};

/// Asks a person about a host that the command `by` wants to reach, unless that is decided or asked already.
pub fn host_asked(context: &mut RunContext, by: CallId, call: Call) -> Vec<Effect> {
    if hosts::standing(context, &call) != Standing::Unasked {
        return Vec::new();
    }
    let Some(call) = made_for(context, by, call) else {
        return Vec::new();
    };
    let swayed = crate::addresses::is_swayed(context, &call, Class::Connect);
    let decision = context.settings.grants.decide(&call, Class::Connect, swayed);
    if decision.verdict != Verdict::Ask {
        return Vec::new();
    }
    context.asked_by.insert(call.id, by);
    let mut effects = record::shown(&call);
    let record = CallRecord {
        grounds: vec![decision.ground],
        ..record::record(context, call, Class::Connect, CallState::Approval)
    };
    effects.extend(ask_approval_of(context, record));
    effects
}

/// Puts before the user what a server asks that is at work for the call `by`.
pub fn server_asked(context: &mut RunContext, by: CallId, call: Call) -> Vec<Effect> {
    let Some(call) = made_for(context, by, call) else {
        return Vec::new();
    };
    if !matches!(forms::of(&call), Some(Ok(_))) {
        return Vec::new();
    }
    context.asked_by.insert(call.id, by);
    let mut effects = record::shown(&call);
    effects.extend(ask(context, call, Class::Read));
    effects
}

/// Closes a question of a server that waits no longer for its answer.
pub fn server_ask_ended(context: &mut RunContext, by: CallId, number: u64) -> Vec<Effect> {
    let asked = server_questions::asked(context, by, number).map(|record| record.call.id);
    asked.map_or_else(Vec::new, |id| close(context, &[id]))
}

/// The call with an id beside the ids of the program. `None` if `by` is not at work, or has asked too often.
fn made_for(context: &RunContext, by: CallId, call: Call) -> Option<Call> {
    let is_at_work = |record: &&CallRecord| record.state == CallState::Intended;
    let maker = context.calls.get(&by).filter(is_at_work)?;
    let (exec, line) = (maker.call.exec, maker.call.line);
    let id = next(context);
    let is_one_too_many = id.0 - CallId::ASIDE.0 >= limits::CALLS_ASIDE_MAX;
    (!is_one_too_many).then_some(Call {
        id,
        exec,
        line,
        ..call
    })
}

/// Closes what still waits for a call that has ended. A person who decides later decides on nothing.
pub fn close_of(context: &mut RunContext, by: CallId) -> Vec<Effect> {
    let asked: Vec<CallId> = context
        .asked_by
        .iter()
        .filter(|(_, command)| **command == by)
        .map(|(id, _)| *id)
        .collect();
    context.asked_by.retain(|_, command| *command != by);
    close(context, &asked)
}

/// Closes what waited when the process ended: its maker has ended with that.
pub fn close_all(context: &mut RunContext) -> Vec<Effect> {
    let aside: Vec<CallId> = context.calls.keys().copied().filter(|id| id.is_aside()).collect();
    context.asked_by.clear();
    close(context, &aside)
}

fn close(context: &mut RunContext, ids: &[CallId]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for id in ids {
        let waits = |record: &&CallRecord| {
            matches!(
                record.state,
                CallState::Approval | CallState::Question | CallState::Intended
            )
        };
        let Some(record) = context.calls.get(id).filter(waits).cloned() else {
            continue;
        };
        context.open.remove(id);
        context.decided.remove(id);
        if record.state == CallState::Intended {
            context.in_flight = context.in_flight.saturating_sub(1);
        }
        let why = match record.state {
            CallState::Question => "The server waits for it no longer",
            CallState::Approval | CallState::Intended | CallState::Done | CallState::Refused => {
                "The command ended first"
            }
        };
        let outcome = CallOutcome::failure("TimeoutError", why).own();
        effects.extend(record::close(context, record, outcome, CallState::Refused));
    }
    effects
}

fn next(context: &RunContext) -> CallId {
    let last = context.calls.keys().next_back().filter(|id| id.is_aside());
    last.map_or(CallId::ASIDE, |id| id.next())
}
