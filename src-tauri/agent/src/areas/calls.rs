//! Calls from code: permission, questions, results; and after a restart, replay from the record.
//!
//! Each call passes here before it is performed. A read is recorded with its result; a side effect has a durable
//! intent before it happens and its result after (DESIGN §2), so that none is ever repeated in silence.

use super::{approvals, expression, own_calls};
use crate::asking;
use crate::effect::Effect;
use crate::foreign::{self, Arriving};
use crate::limits;
use crate::origins;
use crate::permissions::{self, Decision};
use crate::situation::Situation;
use serde_json::Value;
use shidi_protocol::{
    Call, CallId, CallOutcome, CallRecord, CallState, Class, Ground, RunEventKind, RunStatus, SegmentKind,
    Verdict,
};

/// Takes a call that the program asks for.
pub fn requested(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    situation.is_blocked = false;
    let recorded = recorded(situation, situation.requested as usize);
    situation.requested += 1;
    if let Some(record) = recorded {
        let waits = record.state == CallState::Approval && is_same(&record.call, &call);
        let has_moved = waits && record.call.places != call.places;
        return if has_moved {
            asked_anew(situation, call, class, record)
        } else {
            replayed(situation, &call, record)
        };
    }
    let id = situation.state.last_call.next();
    situation.state.last_call = id;
    let call = Call { id, ..call };
    if id.0 > limits::CALLS_MAX {
        let outcome = CallOutcome::failure(
            "RuntimeError",
            format!("The run has made {} calls, the most allowed", limits::CALLS_MAX),
        )
        .own();
        return vec![give(situation, id, outcome)];
    }
    let mut effects = shown(&call);
    effects.extend(permitted(situation, call, class));
    effects
}

/// Takes the result of a call that was performed.
pub fn returned(situation: &mut Situation, id: CallId, outcome: CallOutcome) -> Vec<Effect> {
    let Some(record) = situation.calls.get(&id).cloned() else {
        return Vec::new();
    };
    if record.state == CallState::Done {
        return Vec::new();
    }
    if !situation.resting.remove(&id) {
        situation.in_flight = situation.in_flight.saturating_sub(1);
    }
    close(situation, record, outcome, CallState::Done)
}

fn permitted(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    match asking::of(&call) {
        Some(Ok(_)) => return ask(situation, call, class),
        Some(Err(problem)) => {
            let record = record(situation, call, class, CallState::Intended);
            let outcome = CallOutcome::failure("ValueError", problem);
            return close(situation, record, outcome, CallState::Done);
        }
        None => {}
    }
    if let Some(effects) = own_calls::perform(situation, &call, class) {
        return effects;
    }
    if call.toolkit == HOST {
        let record = record(situation, call, class, CallState::Intended);
        return perform(situation, record);
    }
    let grants = &situation.settings.grants;
    let Decision { verdict, ground } = grants.decide(&call, class, situation.state.tainted);
    let reason = ground.sentence("en");
    let of_state = |state| CallRecord {
        grounds: vec![ground],
        ..record(situation, call, class, state)
    };
    match verdict {
        Verdict::Allow => {
            let record = of_state(CallState::Intended);
            perform(situation, record)
        }
        Verdict::Ask => {
            let record = of_state(CallState::Approval);
            ask_approval_of(situation, record)
        }
        Verdict::Deny => {
            let outcome = CallOutcome::failure("PermissionError", format!("Not allowed: {reason}")).own();
            let record = of_state(CallState::Refused);
            close(situation, record, outcome, CallState::Refused)
        }
    }
}

pub(super) fn perform(situation: &mut Situation, record: CallRecord) -> Vec<Effect> {
    situation.in_flight += 1;
    let (call, class) = (record.call.clone(), record.class);
    let mut effects = Vec::new();
    if class.has_side_effect() || lasts(situation, &call) {
        situation.put_call(record);
        effects.push(situation.commit());
    } else {
        situation.calls.insert(call.id, record);
    }
    effects.push(Effect::PerformCall { call, class });
    effects
}

/// Seconds from which on a pause is on record before it begins: a restart goes on with what is left of it.
const PAUSE_ON_RECORD_S: f64 = 2.0;

/// Whether a call is on record before it is performed, so that it has the same number after a restart: what is known
/// by it, and a pause of some length.
fn lasts(situation: &Situation, call: &Call) -> bool {
    let is_long = || {
        call.args
            .get("seconds")
            .and_then(Value::as_f64)
            .is_some_and(|seconds| seconds >= PAUSE_ON_RECORD_S)
    };
    let is_pause = matches!(call.toolkit.as_str(), "system" | HOST) && call.method == "sleep";
    is_idempotent(situation, call) || is_pause && is_long()
}

fn is_idempotent(situation: &Situation, call: &Call) -> bool {
    method(situation, call).is_some_and(|method| method.idempotent)
}

fn ask(situation: &mut Situation, call: Call, class: Class) -> Vec<Effect> {
    let record = record(situation, call, class, CallState::Question);
    let question = waiting_card(situation, &record);
    situation.open.insert(record.call.id);
    situation.put_call(record);
    vec![situation.commit(), Effect::Show(question)]
}

fn ask_approval_of(situation: &mut Situation, record: CallRecord) -> Vec<Effect> {
    let card = waiting_card(situation, &record);
    situation.open.insert(record.call.id);
    situation.put_call(record);
    vec![situation.commit(), Effect::Show(card)]
}

/// The event that shows a call which waits for the user.
pub fn waiting_card(situation: &Situation, record: &CallRecord) -> RunEventKind {
    let call = &record.call;
    if record.state == CallState::Question {
        let asked = asking::of(call).and_then(Result::ok);
        let (text, fields) = asked.map(|asked| (asked.text, asked.fields)).unwrap_or_default();
        return RunEventKind::Question {
            call: call.id,
            text,
            fields,
        };
    }
    RunEventKind::ApprovalNeeded {
        call: call.id,
        tool: call.tool(),
        args: call.args.clone(),
        class: record.class,
        origin: origins::of(situation, call),
        family: permissions::kind(record.class, call, method(situation, call))
            .map(|kind| kind.to_string())
            .unwrap_or_default(),
    }
}

/// The `ordinal`-th call recorded for the execution under way, if the record reaches that far.
fn recorded(situation: &Situation, ordinal: usize) -> Option<CallRecord> {
    let exec = situation.exec()?;
    situation
        .calls
        .values()
        .filter(|record| record.call.exec == exec)
        .nth(ordinal)
        .cloned()
}

fn replayed(situation: &mut Situation, call: &Call, record: CallRecord) -> Vec<Effect> {
    if !is_same(&record.call, call) {
        let detail = format!(
            "call {}: {} was recorded, {} came",
            record.call.id,
            record.call.tool(),
            call.tool()
        );
        return expression::diverged(situation, &detail);
    }
    match (record.state, record.outcome.clone()) {
        (CallState::Done | CallState::Refused, Some(outcome)) => {
            let order = record.answered.unwrap_or(situation.state.answers + 1);
            situation.state.answers = situation.state.answers.max(order);
            vec![Effect::AnswerCall {
                call: record.call.id,
                outcome,
                order,
            }]
        }
        (CallState::Approval | CallState::Question, _) => {
            let id = record.call.id;
            let mut effects = shown(&record.call);
            if !situation.decided.contains_key(&id)
                && let Some(ground) = approvals::covered(situation, &record)
            {
                effects.extend(approvals::pass(situation, record, ground));
                return effects;
            }
            effects.push(Effect::Show(waiting_card(situation, &record)));
            situation.open.insert(id);
            if let Some(decision) = situation.decided.remove(&id) {
                effects.extend(approvals::decided(situation, id, decision));
            }
            effects
        }
        // Whether it happened before the crash nobody knows: the user decides, nothing is repeated in silence.
        (CallState::Intended, _)
            if record.class.has_side_effect() && !is_idempotent(situation, &record.call) =>
        {
            let mut effects = shown(&record.call);
            effects.push(situation.add(
                SegmentKind::Notification,
                unknown_effect(situation, &record.call),
                None,
            ));
            effects.extend(ask_approval_of(
                situation,
                CallRecord {
                    state: CallState::Approval,
                    ..record
                },
            ));
            effects
        }
        (CallState::Intended | CallState::Done | CallState::Refused, _) => perform(
            situation,
            CallRecord {
                state: CallState::Intended,
                ..record
            },
        ),
    }
}

/// Whether the program comes back with the call that was recorded.
fn is_same(recorded: &Call, call: &Call) -> bool {
    recorded.tool() == call.tool() && recorded.args == call.args
}

/// Asks about a call that leads elsewhere than when it was asked about, unless a rule refuses it by now: what the user
/// saw, and perhaps decided on, was another place.
fn asked_anew(situation: &mut Situation, call: Call, class: Class, record: CallRecord) -> Vec<Effect> {
    let id = record.call.id;
    situation.decided.remove(&id);
    let call = Call { id, ..call };
    let mut effects = shown(&call);
    let grants = &situation.settings.grants;
    let decision = grants.decide(&call, class, situation.state.tainted);
    effects.extend(match decision.verdict {
        Verdict::Deny => permitted(situation, call, class),
        Verdict::Ask | Verdict::Allow => ask_approval_of(
            situation,
            CallRecord {
                call,
                class,
                ..record
            },
        ),
    });
    effects
}

fn unknown_effect(situation: &Situation, call: &Call) -> String {
    match situation.state.interface() {
        "zh" => format!(
            "{} 在中断前可能已经执行过。请核对后再决定要不要做一次",
            call.tool()
        ),
        _ => format!(
            "{} may have happened before the interruption. Check, then decide whether to do it again",
            call.tool()
        ),
    }
}

pub(super) fn close(
    situation: &mut Situation,
    record: CallRecord,
    outcome: CallOutcome,
    state: CallState,
) -> Vec<Effect> {
    let id = record.call.id;
    situation.is_blocked = false;
    let outcome = foreign::settled(&record.call, outcome);
    situation.takes_in(Arriving::Answer {
        call: &record.call,
        outcome: &outcome,
    });
    let order = situation.state.answers + 1;
    situation.state.answers = order;
    if situation.state.status == Some(RunStatus::Suspended) {
        situation.state.stretch = situation.now;
    }
    situation.state.status = None;
    situation.state.reason = None;
    let done = RunEventKind::CallDone {
        call: id,
        ok: outcome.ok(),
        summary: outcome.summary.clone(),
        ms: situation.now.since(record.started),
        grounds: record.grounds.clone(),
    };
    let for_people = record.call.toolkit != HOST;
    let record = CallRecord {
        state,
        outcome: Some(outcome.clone()),
        answered: Some(order),
        ended: Some(situation.now),
        ..record
    };
    let happened = record.class.has_side_effect();
    situation.put_call(record);
    // What is shown as done is known to be done after a crash: nobody is asked about it once more.
    let written = if happened {
        situation.commit()
    } else {
        situation.buffer()
    };
    let mut effects = vec![written];
    if for_people {
        effects.push(Effect::Show(done));
    }
    effects.push(Effect::AnswerCall {
        call: id,
        outcome,
        order,
    });
    effects
}

fn give(situation: &mut Situation, id: CallId, outcome: CallOutcome) -> Effect {
    situation.state.answers += 1;
    Effect::AnswerCall {
        call: id,
        outcome,
        order: situation.state.answers,
    }
}

pub(super) fn waiting(situation: &Situation, id: CallId) -> Option<CallRecord> {
    let waits = |record: &&CallRecord| matches!(record.state, CallState::Approval | CallState::Question);
    situation.calls.get(&id).filter(waits).cloned()
}

pub(super) fn record(situation: &Situation, call: Call, class: Class, state: CallState) -> CallRecord {
    CallRecord {
        run: situation.run.clone(),
        call,
        class,
        state,
        // What is asked of the table or of a person gets that ground in its place.
        grounds: vec![Ground::Own],
        outcome: None,
        answered: None,
        started: situation.now,
        ended: None,
    }
}

/// What the interpreter itself asks of its host (the clock, entropy) is recorded for the replay but shown to nobody.
const HOST: &str = "host";

fn shown(call: &Call) -> Vec<Effect> {
    let Call {
        id,
        exec,
        toolkit,
        method,
        args,
        line,
        places: _,
    } = call.clone();
    if toolkit == HOST {
        return Vec::new();
    }
    vec![Effect::Show(RunEventKind::Call {
        exec,
        call: id,
        toolkit,
        method,
        args,
        line,
    })]
}

/// The declaration of a call's tool as the program under way knows it.
pub(super) fn method<'a>(situation: &'a Situation, call: &Call) -> Option<&'a shidi_protocol::MethodSpec> {
    let borrowed = situation.state.borrowed.iter();
    borrowed
        .chain(&situation.settings.toolkits)
        .filter(|toolkit| toolkit.name == call.toolkit)
        .find_map(|toolkit| toolkit.method(&call.method))
}

pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
