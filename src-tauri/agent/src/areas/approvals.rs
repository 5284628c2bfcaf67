//! Approvals: what a person decided on a call that waits, and what that decision covers beside it.

use super::{calls, resting};
use crate::asking::{self, Answer};
use crate::effect::{Effect, Record};
use crate::permissions;
use crate::situation::{Decided, Situation};
use shidi_protocol::{
    CallId, CallOutcome, CallRecord, CallState, Ground, RunEventKind, SegmentKind, Verdict,
};

/// A person decided on a waiting call. When a replayed program has not come back to that call yet, the decision
/// is kept until it does.
pub fn decided(situation: &mut Situation, id: CallId, decision: Decided) -> Vec<Effect> {
    let Some(record) = calls::waiting(situation, id) else {
        return Vec::new();
    };
    if !situation.open.remove(&id) {
        situation.decided.insert(id, decision);
        return Vec::new();
    }
    match (record.state, decision) {
        (CallState::Approval, Decided::Approved { always }) => approved(situation, record, always),
        (CallState::Approval, Decided::Refused { reason }) => refused(situation, record, reason),
        (CallState::Question, Decided::Answered { text }) => answered(situation, record, &text),
        (CallState::Question, Decided::Refused { reason }) => refused(situation, record, reason),
        (
            CallState::Approval
            | CallState::Question
            | CallState::Intended
            | CallState::Done
            | CallState::Refused,
            _,
        ) => {
            situation.open.insert(id);
            Vec::new()
        }
    }
}

fn approved(situation: &mut Situation, record: CallRecord, always: bool) -> Vec<Effect> {
    let method = calls::method(situation, &record.call);
    // What has no kind is approved for this time.
    let kind = permissions::kind(record.class, &record.call, method).filter(|_| always);
    let always = kind.is_some();
    if let Some(pattern) = kind {
        situation.note(Record::Rule {
            pattern: pattern.to_string(),
            verdict: Verdict::Allow,
        });
        situation.settings.grants.rules.push(permissions::Rule {
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
            },
        )
    };
    effects.extend(calls::perform(situation, record));
    if always {
        effects.extend(let_through(situation));
    }
    effects
}

/// A family that was just approved covers the calls of it that wait beside the one that the user saw.
fn let_through(situation: &mut Situation) -> Vec<Effect> {
    let waiting = situation
        .calls
        .values()
        .filter(|record| record.state == CallState::Approval && situation.open.contains(&record.call.id));
    let covered = waiting.filter_map(|record| Some((record.clone(), covered(situation, record)?)));
    let covered: Vec<(CallRecord, Ground)> = covered.collect();
    let mut effects = Vec::new();
    for (record, ground) in covered {
        situation.open.remove(&record.call.id);
        effects.extend(pass(situation, record, ground));
    }
    effects
}

/// The rule that covers a waiting call by now. A call of which nobody knows whether it has happened is covered by none:
/// the user decides about it.
pub(super) fn covered(situation: &Situation, record: &CallRecord) -> Option<Ground> {
    let was_asked_about = match record.grounds.last()? {
        Ground::Table { verdict, .. } | Ground::Rule { verdict, .. } => *verdict == Verdict::Ask,
        Ground::Own | Ground::Beforehand { .. } | Ground::User { .. } => false,
    };
    let grants = &situation.settings.grants;
    let decision = grants.decide(&record.call, record.class, situation.state.tainted);
    let by_rule = matches!(decision.ground, Ground::Rule { .. });
    (was_asked_about && by_rule && decision.verdict == Verdict::Allow).then_some(decision.ground)
}

/// Performs a call that waited, for a ground that there is now.
pub(super) fn pass(situation: &mut Situation, record: CallRecord, ground: Ground) -> Vec<Effect> {
    let mut effects = vec![Effect::Show(RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: None,
    })];
    let record = CallRecord {
        state: CallState::Intended,
        ..with_ground(record, ground)
    };
    effects.extend(calls::perform(situation, record));
    effects
}

fn with_ground(mut record: CallRecord, ground: Ground) -> CallRecord {
    record.grounds.push(ground);
    record
}

/// The program sees the reason, and so does the model.
fn refused(situation: &mut Situation, record: CallRecord, reason: Option<String>) -> Vec<Effect> {
    let because = reason
        .as_deref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    let outcome =
        CallOutcome::failure("PermissionError", format!("The user refused this call{because}")).own();
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: false,
        reason,
    };
    let record = with_ground(
        record,
        Ground::User {
            approved: false,
            always: false,
        },
    );
    let mut effects = vec![Effect::Show(decided)];
    effects.extend(calls::close(situation, record, outcome, CallState::Refused));
    effects
}

fn answered(situation: &mut Situation, record: CallRecord, text: &str) -> Vec<Effect> {
    let Answer { data, said } = match asking::answer(&record.call, text, situation.state.interface()) {
        Ok(answer) => answer,
        Err(problem) => return still_asked(situation, &record, problem),
    };
    let decided = RunEventKind::Decided {
        call: record.call.id,
        approved: true,
        reason: Some(said.clone()),
    };
    let segment = situation.add(SegmentKind::User, said.clone(), None);
    let mut effects = vec![Effect::Show(decided), segment];
    effects.extend(calls::close(
        situation,
        record,
        CallOutcome::success(data, said),
        CallState::Done,
    ));
    effects
}

/// What does not fit the card is told, and the card goes on waiting.
fn still_asked(situation: &mut Situation, record: &CallRecord, problem: String) -> Vec<Effect> {
    situation.open.insert(record.call.id);
    let told = RunEventKind::Notification {
        source: String::new(),
        text: problem,
    };
    let card = calls::waiting_card(situation, record);
    let mut effects = vec![Effect::Show(told), Effect::Show(card)];
    effects.extend(resting::suspend(situation));
    effects
}
