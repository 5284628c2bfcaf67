//! Resting: a run that can only wait, for a person, for a sub-agent that waits for one, or for a page, and what sets it
//! going.

use super::expression;
use crate::effect::Effect;
use crate::situation::Situation;
use shidi_protocol::{CallId, CallState, RunStatus, SITE};

/// Whoever performs a call waits for a person or a page: so does the run, once nothing else is under way.
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

/// Every open call waits for somebody: the run rests until one of them has done something.
pub fn suspend(situation: &mut Situation) -> Vec<Effect> {
    situation.is_blocked = true;
    let waits = is_waiting(situation);
    if situation.in_flight > 0 || !waits && situation.resting.is_empty() {
        return Vec::new();
    }
    situation.state.status = Some(RunStatus::Suspended);
    situation.state.worked_ms += situation.now.since(situation.state.stretch);
    let reason = if waits {
        decision_needed(situation)
    } else {
        waits_for_others(situation)
    };
    situation.state.reason = Some(reason.clone());
    vec![
        situation.commit(),
        Effect::Show(expression::ended(
            situation,
            RunStatus::Suspended,
            Some(reason),
            None,
        )),
        Effect::Suspend,
    ]
}

fn decision_needed(situation: &Situation) -> String {
    match situation.state.interface() {
        "zh" => "等你决定",
        _ => "Waits for you to decide",
    }
    .to_owned()
}

/// What the run says of calls that others perform: a page is named, the user has to find it.
fn waits_for_others(situation: &Situation) -> String {
    let mut resting = situation.resting.iter().filter_map(|id| situation.calls.get(id));
    let site = resting.find_map(|record| record.call.args.get(SITE)?.as_str());
    match (situation.state.interface(), site) {
        ("zh", None) => "子任务在等你决定".to_owned(),
        (_, None) => "A sub-agent waits for you to decide".to_owned(),
        ("zh", Some(site)) => format!("等页面 {site}"),
        (_, Some(site)) => format!("Waits for the page {site}"),
    }
}

/// Whether anything waits for a person.
pub fn is_waiting(situation: &Situation) -> bool {
    situation
        .calls
        .values()
        .any(|record| matches!(record.state, CallState::Approval | CallState::Question))
}
