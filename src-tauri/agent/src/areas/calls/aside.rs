//! Calls that no program makes: a command at work wants to reach a host, and its connection waits for the decision.
//!
//! They have cards, decisions and records as any call. Only their result goes to nobody, and they end with the command: a
//! replay makes none of them again.

use super::{ask_approval_of, record};
use crate::effect::Effect;
use crate::hosts::{self, Standing};
use crate::limits;
use crate::run_context::RunContext;
use shidi_protocol::{Call, CallId, CallOutcome, CallRecord, CallState, Class, Verdict};

/// Asks a person about a host that the command `by` wants to reach, unless that is decided or asked already.
pub fn host_asked(context: &mut RunContext, by: CallId, call: Call) -> Vec<Effect> {
    let is_at_work = |record: &&CallRecord| record.state == CallState::Intended;
    let Some(command) = context.calls.get(&by).filter(is_at_work) else {
        return Vec::new();
    };
    let (exec, line) = (command.call.exec, command.call.line);
    let id = next(context);
    if hosts::standing(context, &call) != Standing::Unasked
        || id.0 - CallId::ASIDE.0 >= limits::CALLS_ASIDE_MAX
    {
        return Vec::new();
    }
    let call = Call {
        id,
        exec,
        line,
        ..call
    };
    let swayed = crate::addresses::is_swayed(context, &call, Class::Connect);
    let decision = context.settings.grants.decide(&call, Class::Connect, swayed);
    if decision.verdict != Verdict::Ask {
        return Vec::new();
    }
    context.asked_by.insert(id, by);
    let mut effects = record::shown(&call);
    let record = CallRecord {
        grounds: vec![decision.ground],
        ..record::record(context, call, Class::Connect, CallState::Approval)
    };
    effects.extend(ask_approval_of(context, record));
    effects
}

/// Closes what still waits for a command that has ended. A person who decides later decides on nothing.
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

/// Closes what waited when the process ended: its command has ended with that.
pub fn close_all(context: &mut RunContext) -> Vec<Effect> {
    let aside: Vec<CallId> = context.calls.keys().copied().filter(|id| id.is_aside()).collect();
    context.asked_by.clear();
    close(context, &aside)
}

fn close(context: &mut RunContext, ids: &[CallId]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for id in ids {
        let waits = |record: &&CallRecord| matches!(record.state, CallState::Approval | CallState::Intended);
        let Some(record) = context.calls.get(id).filter(waits).cloned() else {
            continue;
        };
        context.open.remove(id);
        context.decided.remove(id);
        if record.state == CallState::Intended {
            context.in_flight = context.in_flight.saturating_sub(1);
        }
        let outcome = CallOutcome::failure("TimeoutError", "The command ended first").own();
        effects.extend(record::close(context, record, outcome, CallState::Refused));
    }
    effects
}

fn next(context: &RunContext) -> CallId {
    let last = context.calls.keys().next_back().filter(|id| id.is_aside());
    last.map_or(CallId::ASIDE, |id| id.next())
}
