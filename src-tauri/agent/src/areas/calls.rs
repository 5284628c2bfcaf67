//! Calls from code: permission, questions, results; and after a restart, replay from the record.
//!
//! Each call passes here before it is performed.

pub mod approvals;
pub mod aside;
mod builtin_calls;
mod record;
pub mod suspension;

use super::{Ending, Next, Step};
use crate::addresses::is_swayed;
use crate::compaction;
use crate::effect::Effect;
use crate::failures;
use crate::foreign::Arriving;
use crate::forms;
use crate::limits;
use crate::parameters;
use crate::permissions::Decision;
use crate::run_context::RunContext;
use crate::skills;
use record::{close, is_idempotent, is_of_program, method, perform, record, shown};
use shidi_locales::Language;
use shidi_protocol::{
    Body, Call, CallId, CallOutcome, CallRecord, CallState, Class, ContextPiece, HOST_TOOLKIT, RunEventKind,
    SegmentKind, Verdict,
};

pub use record::waiting_card;

/// Withdraws the calls of an ended program that still wait for a person. A decision that comes later decides on nothing.
pub fn program_ended(context: &mut RunContext) -> Vec<Effect> {
    let exec = context.exec();
    let waits = |record: &&CallRecord| {
        let is_open = matches!(record.state, CallState::Approval | CallState::Question);
        is_open && !record.call.id.is_aside() && Some(record.call.exec) == exec
    };
    let waiting: Vec<CallRecord> = context.calls.values().filter(waits).cloned().collect();
    // Nobody waits for a command or server that it left at work, and nobody is asked on their behalf.
    let mut effects = aside::close_all(context);
    for call in waiting {
        context.open.remove(&call.call.id);
        context.decided.remove(&call.call.id);
        let outcome = CallOutcome::failure("RuntimeError", "The program ended first").own();
        effects.extend(record::close_late(context, call, outcome));
    }
    effects
}

/// Takes a call that the program asks for; `barred` is what it is refused with, whatever its user would say.
pub fn requested(context: &mut RunContext, call: Call, class: Class, barred: Option<CallOutcome>) -> Step {
    context.is_blocked = false;
    let recorded = recorded(context, context.requested as usize);
    context.requested += 1;
    if let Some(record) = recorded {
        let waits = record.state == CallState::Approval && is_same(&record.call, &call);
        let has_moved = waits && record.call.places != call.places;
        return if has_moved {
            asked_anew(context, call, class, record).into()
        } else {
            replayed(context, &call, record)
        };
    }
    let id = context.state.last_call.next();
    context.state.last_call = id;
    let call = Call { id, ..call };
    if id.0 > limits::CALLS_MAX {
        let outcome = CallOutcome::failure(
            "RuntimeError",
            format!("The run has made {} calls, the most allowed", limits::CALLS_MAX),
        )
        .own();
        return vec![give(context, id, outcome)].into();
    }
    let mut effects = shown(&call);
    effects.extend(match barred {
        Some(outcome) => {
            let record = record(context, call, class, CallState::Refused);
            close(context, record, outcome, CallState::Refused)
        }
        None => permitted(context, call, class),
    });
    effects.into()
}

/// Takes the result of a call that was performed.
pub fn returned(context: &mut RunContext, id: CallId, outcome: CallOutcome) -> Vec<Effect> {
    let Some(record) = context.calls.get(&id).cloned() else {
        return Vec::new();
    };
    if record.state == CallState::Done {
        return Vec::new();
    }
    // A program may end before a call that it no longer awaits. The next one knows nothing of that call.
    if !id.is_aside() && !is_of_program(context, &record.call) {
        return record::close_late(context, record, outcome);
    }
    if !context.resting.remove(&id) {
        context.in_flight = context.in_flight.saturating_sub(1);
    }
    let (outcome, skill) = skills::taken(&record.call, outcome);
    let mut effects = skill.map_or_else(Vec::new, |skill| take_skill(context, skill));
    effects.extend(aside::close_of(context, id));
    effects.extend(close(context, record, outcome, CallState::Done));
    effects
}

/// Puts a skill that was loaded into the conversation, unless it stands there.
fn take_skill(context: &mut RunContext, skill: ContextPiece) -> Vec<Effect> {
    let seen = compaction::view_without(&context.segments, context.state.left_behind);
    if skills::is_held(seen.iter().map(AsRef::as_ref), &skill) {
        return Vec::new();
    }
    context.takes_in(Arriving::Along(&skill));
    let items = vec![skill.item()];
    let shown = Effect::Show(RunEventKind::Context { items });
    vec![shown, context.add_body(Body::Context(skill), None)]
}

fn permitted(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    match forms::of(&call) {
        Some(Ok(_)) => return ask(context, call, class),
        Some(Err(problem)) => {
            let record = record(context, call, class, CallState::Intended);
            let outcome = CallOutcome::failure("ValueError", problem);
            return close(context, record, outcome, CallState::Done);
        }
        None => {}
    }
    if let Some(effects) = builtin_calls::perform(context, &call, class) {
        return effects;
    }
    if call.toolkit == HOST_TOOLKIT {
        let record = record(context, call, class, CallState::Intended);
        return perform(context, record);
    }
    let open = method(context, &call).and_then(|method| parameters::problem(context, &call, method));
    if let Some(problem) = open {
        let record = record(context, call, class, CallState::Intended);
        let outcome = CallOutcome::failure("ValueError", problem).own();
        return close(context, record, outcome, CallState::Done);
    }
    let grants = &context.settings.grants;
    let Decision { verdict, ground } = grants.decide(&call, class, is_swayed(context, &call, class));
    let reason = ground.sentence(Language::SOURCE);
    let of_state = |state| CallRecord {
        grounds: vec![ground],
        ..record(context, call, class, state)
    };
    match verdict {
        Verdict::Allow => {
            let record = of_state(CallState::Intended);
            perform(context, record)
        }
        Verdict::Ask => {
            let record = of_state(CallState::Approval);
            ask_approval_of(context, record)
        }
        Verdict::Deny => {
            let outcome = CallOutcome::failure("PermissionError", format!("Not allowed: {reason}")).own();
            let record = of_state(CallState::Refused);
            close(context, record, outcome, CallState::Refused)
        }
    }
}

fn ask(context: &mut RunContext, call: Call, class: Class) -> Vec<Effect> {
    let record = record(context, call, class, CallState::Question);
    let question = waiting_card(context, &record);
    context.open.insert(record.call.id);
    context.put_call(record);
    vec![context.commit(), Effect::Show(question)]
}

fn ask_approval_of(context: &mut RunContext, record: CallRecord) -> Vec<Effect> {
    let card = waiting_card(context, &record);
    context.open.insert(record.call.id);
    context.put_call(record);
    vec![context.commit(), Effect::Show(card)]
}

/// The `ordinal`-th call recorded for the execution under way; `None` beyond the last recorded one.
fn recorded(context: &RunContext, ordinal: usize) -> Option<CallRecord> {
    let exec = context.exec()?;
    context
        .calls
        .values()
        .filter(|record| record.call.exec == exec && !record.call.id.is_aside())
        .nth(ordinal)
        .cloned()
}

fn replayed(context: &mut RunContext, call: &Call, record: CallRecord) -> Step {
    if !is_same(&record.call, call) {
        let detail = format!(
            "call {}: {} was recorded, {} came",
            record.call.id,
            record.call.tool(),
            call.tool()
        );
        let error = failures::of_replay(context, &detail);
        return Next::Break(Ending::failed(error)).into();
    }
    taken_up(context, record).into()
}

/// Goes on with a recorded call from the state in which the record left it.
fn taken_up(context: &mut RunContext, record: CallRecord) -> Vec<Effect> {
    match (record.state, record.outcome.clone()) {
        (CallState::Done | CallState::Refused, Some(outcome)) => {
            let order = record.answered.unwrap_or(context.state.answers + 1);
            context.state.answers = context.state.answers.max(order);
            vec![Effect::AnswerCall {
                call: record.call.id,
                outcome,
                order,
            }]
        }
        (CallState::Approval | CallState::Question, _) => {
            let id = record.call.id;
            let mut effects = shown(&record.call);
            if !context.decided.contains_key(&id)
                && let Some(ground) = approvals::covered(context, &record)
            {
                effects.extend(approvals::pass(context, record, ground));
                return effects;
            }
            effects.push(Effect::Show(waiting_card(context, &record)));
            context.open.insert(id);
            if let Some(decision) = context.decided.remove(&id) {
                effects.extend(approvals::decided(context, id, decision));
            }
            effects
        }
        // Nobody knows whether the call happened before the crash. The user decides, so that no effect is
        // repeated in silence.
        (CallState::Intended, _)
            if record.class.has_side_effect() && !is_idempotent(context, &record.call) =>
        {
            let mut effects = shown(&record.call);
            effects.push(context.add(
                SegmentKind::Notification,
                unknown_effect(context, &record.call),
                None,
            ));
            effects.extend(ask_approval_of(
                context,
                CallRecord {
                    state: CallState::Approval,
                    ..record
                },
            ));
            effects
        }
        (CallState::Intended | CallState::Done | CallState::Refused, _) => perform(
            context,
            CallRecord {
                state: CallState::Intended,
                ..record
            },
        ),
    }
}

/// Whether a replayed program makes the same call that the record holds.
fn is_same(recorded: &Call, call: &Call) -> bool {
    recorded.tool() == call.tool() && recorded.args == call.args
}

/// Asks the user again about a call whose path leads elsewhere than when the user saw it. Any decision so far
/// was about the other place, so it is dropped. A rule that refuses the call by now needs no question.
fn asked_anew(context: &mut RunContext, call: Call, class: Class, record: CallRecord) -> Vec<Effect> {
    let id = record.call.id;
    context.decided.remove(&id);
    let call = Call { id, ..call };
    let mut effects = shown(&call);
    let grants = &context.settings.grants;
    let decision = grants.decide(&call, class, is_swayed(context, &call, class));
    effects.extend(match decision.verdict {
        Verdict::Deny => permitted(context, call, class),
        Verdict::Ask | Verdict::Allow => ask_approval_of(
            context,
            CallRecord {
                call,
                class,
                ..record
            },
        ),
    });
    effects
}

fn unknown_effect(context: &RunContext, call: &Call) -> String {
    context.say().may_have_happened(call.tool())
}

fn give(context: &mut RunContext, id: CallId, outcome: CallOutcome) -> Effect {
    context.state.answers += 1;
    Effect::AnswerCall {
        call: id,
        outcome,
        order: context.state.answers,
    }
}
