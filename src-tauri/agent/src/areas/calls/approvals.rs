//! Approvals: a person's decision on a waiting call, and the other waiting calls that the decision covers.

use super::{record, suspension};
use crate::addresses::is_swayed;
use crate::effect::{Effect, Record};
use crate::event::Decided;
use crate::forms::{self, Answer};
use crate::permissions;
use crate::run_context::RunContext;
use shidi_protocol::{
    CallId, CallOutcome, CallRecord, CallState, Ground, RunEventKind, SegmentKind, Verdict,
};

/// Takes a person's decision on a waiting call. A decision on a call that a replayed program has not made again
/// yet is kept until then.
pub fn decided(context: &mut RunContext, id: CallId, decision: Decided) -> Vec<Effect> {
    let Some(record) = record::waiting(context, id) else {
        return Vec::new();
    };
    if !context.open.remove(&id) {
        context.decided.insert(id, decision);
        return Vec::new();
    }
    match (record.state, decision) {
        (CallState::Approval, Decided::Approved { always }) => approved(context, record, always),
        (CallState::Approval, Decided::Refused { reason }) => refused(context, record, reason),
        (CallState::Question, Decided::Answered { text }) => answered(context, record, &text),
        (CallState::Question, Decided::Refused { reason }) => refused(context, record, reason),
        (
            CallState::Approval
            | CallState::Question
            | CallState::Intended
            | CallState::Done
            | CallState::Refused,
            _,
        ) => {
            context.open.insert(id);
            Vec::new()
        }
    }
}

fn approved(context: &mut RunContext, record: CallRecord, always: bool) -> Vec<Effect> {
    let method = record::method(context, &record.call);
    // A call without a kind is approved for this time alone.
    let kind = context.settings.grants.kind(record.class, &record.call, method);
    let kind = kind.filter(|_| always);
    let always = kind.is_some();
    if let Some(pattern) = kind {
        context.note(Record::Rule {
            pattern: pattern.to_string(),
            verdict: Verdict::Allow,
        });
        context.settings.grants.rules.push(permissions::Rule {
            pattern,
            verdict: Verdict::Allow,
        });
    }
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: None,
    };
    let mut effects = vec![Effect::Show(decided)];
    let record = CallRecord {
        state: CallState::Intended,
        ..with_ground(
            record,
            Ground::User {
                approved: true,
                always,
                reason: None,
            },
        )
    };
    effects.extend(record::perform(context, record));
    if always {
        effects.extend(let_through(context));
    }
    effects
}

/// Lets other waiting calls of a family pass once the user has approved that family.
fn let_through(context: &mut RunContext) -> Vec<Effect> {
    let waiting = context
        .calls
        .values()
        .filter(|record| record.state == CallState::Approval && context.open.contains(&record.call.id));
    let covered = waiting.filter_map(|record| Some((record.clone(), covered(context, record)?)));
    let covered: Vec<(CallRecord, Ground)> = covered.collect();
    let mut effects = Vec::new();
    for (record, ground) in covered {
        context.open.remove(&record.call.id);
        effects.extend(pass(context, record, ground));
    }
    effects
}

/// The rule that covers a waiting call by now. No rule covers a call that may have happened before a crash: the
/// user decides about that call.
pub fn covered(context: &RunContext, record: &CallRecord) -> Option<Ground> {
    let was_asked_about = match record.grounds.last()? {
        Ground::Table { verdict, .. } | Ground::Rule { verdict, .. } => *verdict == Verdict::Ask,
        Ground::Own | Ground::Beforehand { .. } | Ground::User { .. } => false,
    };
    let grants = &context.settings.grants;
    let decision = grants.decide(
        &record.call,
        record.class,
        is_swayed(context, &record.call, record.class),
    );
    let by_rule = matches!(decision.ground, Ground::Rule { .. });
    (was_asked_about && by_rule && decision.verdict == Verdict::Allow).then_some(decision.ground)
}

/// Performs a call that waited, on the ground that now allows the call.
pub fn pass(context: &mut RunContext, record: CallRecord, ground: Ground) -> Vec<Effect> {
    let mut effects = vec![Effect::Show(RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: None,
    })];
    let record = CallRecord {
        state: CallState::Intended,
        ..with_ground(record, ground)
    };
    effects.extend(record::perform(context, record));
    effects
}

fn with_ground(mut record: CallRecord, ground: Ground) -> CallRecord {
    record.grounds.push(ground);
    record
}

/// Refuses a call. The program and the model both see the person's reason.
fn refused(context: &mut RunContext, record: CallRecord, reason: Option<String>) -> Vec<Effect> {
    let because = reason
        .as_deref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    let outcome =
        CallOutcome::failure("PermissionError", format!("The user refused this call{because}")).own();
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: false,
        reason: reason.clone(),
    };
    let record = with_ground(
        record,
        Ground::User {
            approved: false,
            always: false,
            reason,
        },
    );
    let mut effects = vec![Effect::Show(decided)];
    effects.extend(record::close(context, record, outcome, CallState::Refused));
    effects
}

fn answered(context: &mut RunContext, record: CallRecord, text: &str) -> Vec<Effect> {
    let Answer { data, said } = match forms::answer(&record.call, text, context.state.interface()) {
        Ok(answer) => answer,
        Err(problem) => return still_asked(context, &record, problem),
    };
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: Some(said.clone()),
    };
    let mut effects = vec![Effect::Show(decided)];
    // What a server is told is no word to the model.
    if !record.call.id.is_aside() {
        effects.push(context.add(SegmentKind::User, said.clone(), None));
    }
    effects.extend(record::close(
        context,
        record,
        CallOutcome::success(data, said),
        CallState::Done,
    ));
    effects
}

/// Tells the person why an answer does not fit the card; the card goes on waiting.
fn still_asked(context: &mut RunContext, record: &CallRecord, problem: String) -> Vec<Effect> {
    context.open.insert(record.call.id);
    let told = RunEventKind::Notification {
        source: String::new(),
        text: problem,
    };
    let card = record::waiting_card(context, record);
    let mut effects = vec![Effect::Show(told), Effect::Show(card)];
    // Whoever waits for an answer beside the program doesn't make it wait.
    if !record.call.id.is_aside() {
        effects.extend(suspension::suspend(context));
    }
    effects
}
