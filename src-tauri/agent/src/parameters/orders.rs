//! Orders that wait: calls of an ability that were not started, since the user has yet to say something (F9.2).

use super::{ability, described, filled};
use crate::literal::literal;
use crate::run_context::RunContext;
use shidi_protocol::{CallRecord, MethodSpec, Moment};

/// Characters of a call that waits. A longer one is left to the transcript, since a part of a value is another value.
const WAITING_CHARACTERS_MAX: usize = 2_000;

/// A call that was not started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The call with what is known, and the open ones as `name=…`.
    pub call: String,
    /// The first open one.
    pub about: String,
}

/// The call about which the user was asked before the last words.
#[must_use]
pub fn waiting(context: &RunContext) -> Option<Waiting> {
    let turn = filled::turn(context)?;
    let before = filled::turn_at(context, Moment(turn.0 - 1))?;
    let (last, method) = calls(context).max_by_key(|(record, _)| record.started)?;
    if last.started < before || last.started >= turn {
        return None;
    }
    order(last, method)
}

/// Calls of abilities in the conversation, with their methods.
fn calls(context: &RunContext) -> impl Iterator<Item = (&CallRecord, &MethodSpec)> {
    let records = context.earlier_calls.iter().chain(context.calls.values());
    let toolkits = &context.settings.toolkits;
    records.filter_map(move |record| Some((record, ability(toolkits, &record.call)?)))
}

fn order(record: &CallRecord, method: &MethodSpec) -> Option<Waiting> {
    let open = filled::open(record, method)?;
    let known = filled::listed(record, method);
    let written = method.parameters.iter().filter_map(|parameter| {
        let known = known.iter().find(|(other, _)| other.name == parameter.name);
        match known {
            Some((_, value)) => Some(format!("{}={}", parameter.name, literal(value))),
            None => parameter.asked.then(|| format!("{}=…", parameter.name)),
        }
    });
    let call = format!(
        "{}({})",
        record.call.tool(),
        written.collect::<Vec<_>>().join(", ")
    );
    (call.chars().count() <= WAITING_CHARACTERS_MAX).then(|| Waiting {
        call,
        about: described(open),
    })
}
