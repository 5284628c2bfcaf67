//! One call: its record, how it is shown, performed and closed.
//!
//! A read is recorded with its result. A side effect has a durable intent before it happens, and its result
//! after (DESIGN §2). So no side effect is ever repeated in silence.

use crate::effect::Effect;
use crate::foreign::{self, Arriving};
use crate::forms;
use crate::provenance;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{
    Call, CallId, CallOutcome, CallRecord, CallState, Class, Ground, HOST_TOOLKIT, MethodSpec, RunEventKind,
    RunStatus,
};

/// A call that waits for a person.
pub fn waiting(context: &RunContext, id: CallId) -> Option<CallRecord> {
    let waits = |record: &&CallRecord| matches!(record.state, CallState::Approval | CallState::Question);
    context.calls.get(&id).filter(waits).cloned()
}

/// The record of a call that begins now.
pub fn record(context: &RunContext, call: Call, class: Class, state: CallState) -> CallRecord {
    CallRecord {
        run: context.run.clone(),
        call,
        class,
        state,
        // A call that the permission table decides gets the table's ground in its place.
        grounds: vec![Ground::Own],
        outcome: None,
        answered: None,
        started: context.now,
        ended: None,
    }
}

/// Shows a call, unless the interpreter itself makes it.
pub fn shown(call: &Call) -> Vec<Effect> {
    let Call {
        id,
        exec,
        toolkit,
        method,
        args,
        line,
        places: _,
    } = call.clone();
    if toolkit == HOST_TOOLKIT {
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
pub fn method<'a>(context: &'a RunContext, call: &Call) -> Option<&'a MethodSpec> {
    let pinned_toolkits = context.state.pinned_toolkits.iter();
    pinned_toolkits
        .chain(&context.settings.toolkits)
        .filter(|toolkit| toolkit.name == call.toolkit)
        .find_map(|toolkit| toolkit.method(&call.method))
}

/// A value as text; a string without its quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Has a permitted call performed. A call with an effect is durable before the effect.
pub fn perform(context: &mut RunContext, record: CallRecord) -> Vec<Effect> {
    context.in_flight += 1;
    let (call, class) = (record.call.clone(), record.class);
    let mut effects = Vec::new();
    if class.has_side_effect() || lasts(context, &call) {
        context.put_call(record);
        effects.push(context.commit());
    } else {
        context.calls.insert(call.id, record);
    }
    effects.push(Effect::PerformCall { call, class });
    effects
}

/// Seconds from which a pause is recorded before the pause begins. After a restart only the remainder is waited for.
const PAUSE_ON_RECORD_S: f64 = 2.0;

/// Whether a call must be recorded before it is performed, so that a restart gives it the same number.
/// Idempotent calls are known by their number; long pauses go on from their start.
fn lasts(context: &RunContext, call: &Call) -> bool {
    let is_long = || {
        call.args
            .get("seconds")
            .and_then(Value::as_f64)
            .is_some_and(|seconds| seconds >= PAUSE_ON_RECORD_S)
    };
    let is_pause = matches!(call.toolkit.as_str(), "system" | HOST_TOOLKIT) && call.method == "sleep";
    is_idempotent(context, call) || is_pause && is_long()
}

/// Whether a call may be made once more without a second effect.
pub fn is_idempotent(context: &RunContext, call: &Call) -> bool {
    method(context, call).is_some_and(|method| method.idempotent)
}

/// The event that shows a call which waits for the user.
pub fn waiting_card(context: &RunContext, record: &CallRecord) -> RunEventKind {
    let call = &record.call;
    if record.state == CallState::Question {
        let asked = forms::of(call).and_then(Result::ok);
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
        origin: provenance::of(context, call),
        family: context
            .settings
            .grants
            .kind(record.class, call, method(context, call))
            .map(|kind| kind.to_string())
            .unwrap_or_default(),
    }
}

/// Whether the program that made a call is under way.
pub fn is_of_program(context: &RunContext, call: &Call) -> bool {
    Some(call.exec) == context.exec()
}

/// Closes a call whose program has ended. People are told, and no program is answered.
pub fn close_late(context: &mut RunContext, record: CallRecord, outcome: CallOutcome) -> Vec<Effect> {
    let outcome = foreign::settled(&record.call, outcome);
    context.takes_in(Arriving::Answer {
        call: &record.call,
        outcome: &outcome,
    });
    let done = RunEventKind::CallDone {
        call: record.call.id,
        ok: outcome.ok(),
        summary: outcome.summary.clone(),
        ms: context.now.since(record.started),
        grounds: record.grounds.clone(),
        pictures: outcome.pictures.clone(),
        files: outcome.files.clone(),
    };
    let for_people = record.call.toolkit != HOST_TOOLKIT;
    let happened = record.class.has_side_effect();
    // It counts as no refusal: nobody has refused it.
    context.put_call(CallRecord {
        state: CallState::Done,
        outcome: Some(outcome),
        ended: Some(context.now),
        ..record
    });
    let written = if happened {
        context.commit()
    } else {
        context.buffer()
    };
    let shown = for_people.then_some(Effect::Show(done));
    [written].into_iter().chain(shown).collect()
}

/// Closes a call with its outcome, for the record, for people and for the program.
pub fn close(
    context: &mut RunContext,
    record: CallRecord,
    outcome: CallOutcome,
    state: CallState,
) -> Vec<Effect> {
    let id = record.call.id;
    context.is_blocked = false;
    let outcome = foreign::settled(&record.call, outcome);
    context.takes_in(Arriving::Answer {
        call: &record.call,
        outcome: &outcome,
    });
    let order = (!id.is_aside()).then(|| context.state.answers + 1);
    context.state.answers = order.unwrap_or(context.state.answers);
    if context.state.status == Some(RunStatus::Suspended) {
        context.state.stretch = context.now;
    }
    context.state.status = None;
    context.state.reason = None;
    let done = RunEventKind::CallDone {
        call: id,
        ok: outcome.ok(),
        summary: outcome.summary.clone(),
        ms: context.now.since(record.started),
        grounds: record.grounds.clone(),
        pictures: outcome.pictures.clone(),
        files: outcome.files.clone(),
    };
    let for_people = record.call.toolkit != HOST_TOOLKIT;
    let record = CallRecord {
        state,
        outcome: Some(outcome.clone()),
        answered: order,
        ended: Some(context.now),
        ..record
    };
    let happened = record.class.has_side_effect();
    context.put_call(record);
    // A call that people saw as done must be durable as done. After a crash nobody is asked about the call again.
    let written = if happened {
        context.commit()
    } else {
        context.buffer()
    };
    let mut effects = vec![written];
    if for_people {
        effects.push(Effect::Show(done));
    }
    effects.push(match order {
        Some(order) => Effect::AnswerCall {
            call: id,
            outcome,
            order,
        },
        None => Effect::AsideDecided,
    });
    effects
}
