//! What earlier calls of an ability were filled with, in this conversation (F9.2).
//!
//! A call that was made counts with all its values. One that was not started counts with those that its refusal
//! listed as known. Several that were made for the same words are several orders: none is a correction of another.

use super::sources::is_of_plugin;
use super::words::is_blank;
use super::{KNOWN, NOT_STARTED, shown};
use crate::limits;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Call, CallRecord, CallState, Ground, MethodSpec, Moment, ParameterSpec, SegmentKind};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The value that a parameter has from earlier calls.
#[derive(Debug, Clone)]
pub struct Filled<'a> {
    pub value: &'a Value,
    /// Its values in other calls that were made for the same words.
    pub beside: Vec<&'a Value>,
    /// When a call first had the value.
    pub since: Moment,
    /// Whether such a call was made.
    pub was_made: bool,
}

/// The parameters that are filled before a call, by their names.
pub fn of<'a>(context: &'a RunContext, call: &Call, method: &MethodSpec) -> BTreeMap<String, Filled<'a>> {
    let turn = turn(context);
    // What was made for the words under way is another order. So is each call of a plugin's tool that was made.
    let is_other = is_of_plugin(context, call);
    let is_beside = |record: &CallRecord| {
        was_made(record) && (is_other || turn.is_none_or(|turn| record.started >= turn))
    };
    let mut calls = before(context, call);
    calls.retain(|record| !is_beside(record));
    let names = method.parameters.iter().map(|parameter| &parameter.name);
    let filled = |name: &String| Some((name.clone(), value_of(context, &calls, method, name)?));
    names.filter_map(filled).collect()
}

/// When the user last said something.
pub fn turn(context: &RunContext) -> Option<Moment> {
    turn_at(context, Moment(i64::MAX))
}

/// When the user last said something before a moment.
pub fn turn_at(context: &RunContext, moment: Moment) -> Option<Moment> {
    let mut newest = context.segments.iter().rev();
    newest
        .find(|segment| segment.kind() == SegmentKind::User && segment.time <= moment)
        .map(|segment| segment.time)
}

/// Earlier calls of the same ability, the newest first.
fn before<'a>(context: &'a RunContext, call: &Call) -> Vec<&'a CallRecord> {
    let own = context
        .calls
        .values()
        .rev()
        .filter(|record| record.call.id < call.id);
    let all = own.chain(context.earlier_calls.iter().rev());
    let same = all.filter(|record| record.call.toolkit == call.toolkit && record.call.method == call.method);
    let mut calls: Vec<&CallRecord> = same.collect();
    calls.sort_by_key(|record| Reverse(record.started));
    calls.truncate(limits::FILLED_CALLS_MAX);
    calls
}

fn value_of<'a>(
    context: &RunContext,
    calls: &[&'a CallRecord],
    method: &MethodSpec,
    name: &str,
) -> Option<Filled<'a>> {
    let calls = calls.iter().copied();
    let mut values = calls.filter_map(|record| Some((record, known(record, method, name)?)));
    let (newest, value) = values.next()?;
    let turn = turn_at(context, newest.started);
    let mut filled = Filled {
        value,
        beside: Vec::new(),
        since: newest.started,
        was_made: was_made(newest),
    };
    let mut is_unbroken = true;
    for (record, other) in values {
        is_unbroken &= other == value;
        if is_unbroken {
            filled.since = record.started;
            filled.was_made |= was_made(record);
        } else if was_made(record) && turn_at(context, record.started) == turn {
            filled.beside.push(other);
        }
    }
    Some(filled)
}

/// The value that a call knew for a parameter.
fn known<'a>(record: &'a CallRecord, method: &MethodSpec, name: &str) -> Option<&'a Value> {
    let value = record.call.args.get(name).filter(|value| !is_blank(value))?;
    // Nobody has looked at the values of a call that its user was not even asked about.
    let is_barred = record.state == CallState::Refused && matches!(record.grounds.as_slice(), [Ground::Own]);
    let is_known = match refusal(record) {
        Some(told) => is_listed(told, &record.call, method, name),
        None => !is_barred,
    };
    is_known.then_some(value)
}

/// Whether a call was made, or waits to be.
fn was_made(record: &CallRecord) -> bool {
    record.state != CallState::Refused && refusal(record).is_none()
}

/// What a call was told that was not started.
fn refusal(record: &CallRecord) -> Option<&str> {
    let error = record.outcome.as_ref()?.error.as_ref()?;
    error
        .message
        .contains(NOT_STARTED)
        .then_some(error.message.as_str())
}

/// The parameters that a call's refusal listed as known, with their values.
pub fn listed<'a>(record: &'a CallRecord, method: &'a MethodSpec) -> Vec<(&'a ParameterSpec, &'a Value)> {
    let Some(told) = refusal(record) else {
        return Vec::new();
    };
    let listed = method.parameters.iter().filter_map(|parameter| {
        let value = record.call.args.get(&parameter.name)?;
        is_listed(told, &record.call, method, &parameter.name).then_some((parameter, value))
    });
    listed.collect()
}

/// The first parameter to be asked for that a call's refusal did not list as known. A call that was made has none.
pub fn open<'a>(record: &CallRecord, method: &'a MethodSpec) -> Option<&'a ParameterSpec> {
    refusal(record)?;
    let known = listed(record, method);
    let is_known = |parameter: &ParameterSpec| known.iter().any(|(other, _)| other.name == parameter.name);
    let mut asked = method.parameters.iter().filter(|parameter| parameter.asked);
    asked.find(|parameter| !is_known(parameter))
}

/// Whether a refusal names a parameter among those that are known, in the order of the method.
fn is_listed(told: &str, call: &Call, method: &MethodSpec, wanted: &str) -> bool {
    let Some((_, mut rest)) = told.rsplit_once(KNOWN) else {
        return false;
    };
    for parameter in &method.parameters {
        let Some(value) = call.args.get(&parameter.name) else {
            continue;
        };
        let entry = format!("{}={}", parameter.name, shown(value));
        if let Some(after) = rest.strip_prefix(&entry) {
            if parameter.name == wanted {
                return true;
            }
            rest = after.strip_prefix(", ").unwrap_or(after);
        }
    }
    false
}
