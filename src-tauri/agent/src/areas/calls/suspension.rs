//! Suspension: a run rests when it can only wait for a person, a waiting sub-agent, or a page. This file also
//! sets the run going again.

use super::record::is_of_program;
use crate::effect::Effect;
use crate::run_context::RunContext;
use shidi_protocol::{CallId, CallState, RunStatus, SITE};

/// The toolkit whose methods are the user's workflows.
const WORKFLOWS: &str = "workflows";

/// Notes that a call's performer waits for a person or a page. The run rests too, once nothing else is under way.
pub fn rests(context: &mut RunContext, id: CallId) -> Vec<Effect> {
    let is_open = context
        .calls
        .get(&id)
        .is_some_and(|record| record.state == CallState::Intended && is_of_program(context, &record.call));
    if !is_open || !context.resting.insert(id) {
        return Vec::new();
    }
    context.in_flight = context.in_flight.saturating_sub(1);
    if context.is_blocked {
        suspend(context)
    } else {
        Vec::new()
    }
}

/// Notes that a resting call goes on after a decision made elsewhere: the run is at work again.
pub fn goes_on(context: &mut RunContext, id: CallId) -> Vec<Effect> {
    if !context.resting.remove(&id) {
        return Vec::new();
    }
    context.in_flight += 1;
    if context.state.status != Some(RunStatus::Suspended) {
        return Vec::new();
    }
    context.state.stretch = context.now;
    context.state.status = None;
    context.state.reason = None;
    vec![context.commit()]
}

/// Suspends the run when every open call waits for somebody. The run rests until one of them has acted.
pub fn suspend(context: &mut RunContext) -> Vec<Effect> {
    context.is_blocked = true;
    let waits = is_waiting(context);
    if context.in_flight > 0 || !waits && context.resting.is_empty() {
        return Vec::new();
    }
    context.state.status = Some(RunStatus::Suspended);
    context.state.worked_ms += context.now.since(context.state.stretch);
    let reason = if waits {
        decision_needed(context)
    } else {
        waits_for_others(context)
    };
    context.state.reason = Some(reason.clone());
    vec![
        context.commit(),
        Effect::Show(context.ended(RunStatus::Suspended, Some(reason), None)),
        Effect::Suspend,
    ]
}

fn decision_needed(context: &RunContext) -> String {
    context.say().waits_for_you().to_owned()
}

/// The reason shown while others perform the waiting calls. A page is named, for the user has to find the page.
fn waits_for_others(context: &RunContext) -> String {
    let mut resting = context.resting.iter().filter_map(|id| context.calls.get(id));
    if resting.clone().any(|record| record.call.toolkit == WORKFLOWS) {
        return context.say().workflow_waits_for_you().to_owned();
    }
    let site = resting.find_map(|record| record.call.args.get(SITE)?.as_str());
    match site {
        None => context.say().sub_agent_waits_for_you().to_owned(),
        Some(site) => context.say().waits_for_page(site),
    }
}

/// Whether anything waits for a person.
pub fn is_waiting(context: &RunContext) -> bool {
    context
        .calls
        .values()
        .any(|record| matches!(record.state, CallState::Approval | CallState::Question))
}
