//! Which hosts the commands of a run may reach by now: pure, for every connection anew.
//!
//! A host is asked about as a call `shell.connect(host=…)`, whoever asks: the program itself, or a command whose
//! connection waits. A permission that a person gave holds for the commands of this run. The permission ends when
//! the run first reads foreign words, since the person gave it in other circumstances.

use crate::addresses::is_swayed;
use crate::run_context::RunContext;
use shidi_protocol::{Call, CallRecord, CallState, Class, Ground, Moment, Verdict};

/// Arguments that tell one host from another.
const TOLD_APART_BY: [&str; 2] = ["host", "network"];

/// How a host stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Allowed,
    /// A rule refuses it, or a person has.
    Refused,
    /// A person is being asked.
    Waits {
        since: Moment,
    },
    /// Nobody was asked yet.
    Unasked,
}

/// How the host of a call stands.
#[must_use]
pub fn standing(context: &RunContext, call: &Call) -> Standing {
    let swayed = is_swayed(context, call, Class::Connect);
    let decision = context.settings.grants.decide(call, Class::Connect, swayed);
    match decision.verdict {
        Verdict::Allow => return Standing::Allowed,
        Verdict::Deny => return Standing::Refused,
        Verdict::Ask => {}
    }
    let asked = context
        .calls
        .values()
        .filter(|record| is_same(&record.call, call));
    let of_last = asked.max_by_key(|record| (record.ended.unwrap_or(record.started), record.call.id));
    let Some(last) = of_last else {
        return Standing::Unasked;
    };
    match last.state {
        CallState::Done if is_ok(last) && holds(last, swayed) => Standing::Allowed,
        CallState::Refused if was_refused(last) => Standing::Refused,
        // About to be performed, which is no more than to be written down.
        CallState::Approval | CallState::Intended | CallState::Question => {
            Standing::Waits { since: last.started }
        }
        CallState::Done | CallState::Refused => Standing::Unasked,
    }
}

fn is_same(one: &Call, other: &Call) -> bool {
    let mut told_apart_by = TOLD_APART_BY.into_iter();
    one.tool() == other.tool() && told_apart_by.all(|name| one.args.get(name) == other.args.get(name))
}

fn is_ok(record: &CallRecord) -> bool {
    record
        .outcome
        .as_ref()
        .is_some_and(shidi_protocol::CallOutcome::ok)
}

/// Whether a decision was made in the circumstances of now.
fn holds(record: &CallRecord, swayed: bool) -> bool {
    let was_swayed = |ground: &Ground| matches!(ground, Ground::Table { tainted: true, .. });
    !swayed || record.grounds.iter().any(was_swayed)
}

fn was_refused(record: &CallRecord) -> bool {
    record
        .grounds
        .iter()
        .any(|ground| matches!(ground, Ground::User { approved: false, .. }))
}
