//! Resting: a run that can only wait, for a person or for a sub-agent that waits for one, and what sets it going.

use super::expression;
use crate::effect::Effect;
use crate::situation::Situation;
use shidi_protocol::{CallId, CallState, RunStatus};

/// Whoever performs a call waits for a person: so does the run, once nothing else is under way.
pub fn rests(situation: &mut Situation, id: CallId) -> Vec<Effect> {
    let is_open = situation
        .calls
        .get(&id)
        .is_some_and(|record| record.state == CallState::Intended);
    if !is_open || !situation.resting.insert(id) {
        return Vec::new();
    }
    situation.in_flight = situation.in_flight.saturating_sub(1);
    if situation.is_blocked {
        suspend(situation)
    } else {
        Vec::new()
    }
}

/// What a call waited for was decided elsewhere: the run is at work again.
pub fn goes_on(situation: &mut Situation, id: CallId) -> Vec<Effect> {
    if !situation.resting.remove(&id) {
        return Vec::new();
    }
    situation.in_flight += 1;
    if situation.state.status != Some(RunStatus::Suspended) {
        return Vec::new();
    }
    situation.state.stretch = situation.now;
    situation.state.status = None;
    situation.state.reason = None;
    vec![situation.commit()]
}

/// Every open call waits for a person: the run rests until one decides.
pub fn suspend(situation: &mut Situation) -> Vec<Effect> {
    situation.is_blocked = true;
    let waits = is_waiting(situation);
    if situation.in_flight > 0 || !waits && situation.resting.is_empty() {
        return Vec::new();
    }
    situation.state.status = Some(RunStatus::Suspended);
    situation.state.worked_ms += situation.now.since(situation.state.stretch);
    let reason = match (situation.state.interface(), waits) {
        ("zh", true) => "等你决定",
        ("zh", false) => "子任务在等你决定",
        (_, true) => "Waits for you to decide",
        (_, false) => "A sub-agent waits for you to decide",
    };
    situation.state.reason = Some(reason.to_owned());
    vec![
        situation.commit(),
        Effect::Show(expression::ended(
            situation,
            RunStatus::Suspended,
            Some(reason.to_owned()),
            None,
        )),
        Effect::Suspend,
    ]
}

/// Whether anything waits for a person.
pub fn is_waiting(situation: &Situation) -> bool {
    situation
        .calls
        .values()
        .any(|record| matches!(record.state, CallState::Approval | CallState::Question))
}
