//! Self-evaluation: judges by local rules whether an answer meets its question before it is final; where the user wishes
//! so, the fast model judges the answers of longer work as the second step (`enquiry.rs`).
//!
//! What failed though it can be done goes back to its source, at most [`limits::RETRIGGERS_MAX`] times.

use super::{bounds, cognition, enquiry, expression};
use crate::effect::Effect;
use crate::limits;
use crate::situation::Situation;
use shidi_protocol::{CallRecord, CallState, ExecId, Ground, RunEventKind, SegmentKind};

/// Words of which an answer has at least one when it tells of a failure, or of another way round it. A bare *not* is none of
/// them: it stands in most answers of some length.
const TELLING: [&str; 38] = [
    "fail",
    "error",
    "exception",
    "n't",
    "n’t",
    "could not",
    "did not",
    "does not work",
    "not able",
    "not allowed",
    "not exist",
    "not found",
    "not possible",
    "cannot",
    "unable",
    "impossible",
    "no such",
    "missing",
    "invalid",
    "wrong",
    "instead",
    "by hand",
    "manually",
    "没",
    "失败",
    "错",
    "不能",
    "不了",
    "找不到",
    "不存在",
    "不行",
    "无法",
    "未能",
    "未找到",
    "异常",
    "手动",
    "手工",
    "手算",
];

/// Ends the run with `answer`, or sends the task back with what is missing.
///
/// What is sent back stands unless a better answer comes: a second thought must not cost what was there.
pub fn finish(situation: &mut Situation, answer: String) -> Vec<Effect> {
    situation.state.outdated = false;
    if situation.state.unheard {
        return conclude(situation, answer);
    }
    match lack(situation, &answer) {
        Some(lack) if situation.state.retriggers < limits::RETRIGGERS_MAX => {
            situation.state.retriggers += 1;
            situation.state.standing_answer = Some(answer);
            let mut effects = vec![situation.add(SegmentKind::Reminder, lack, None)];
            effects.extend(cognition::think(situation));
            effects
        }
        Some(_) => expression::complete(situation, answer),
        None => match enquiry::check(situation, &answer) {
            Some(effects) => effects,
            None => expression::complete(situation, answer),
        },
    }
}

/// Ends the run with an answer that was judged, unless the user has said something that the model has not read yet.
pub fn conclude(situation: &mut Situation, answer: String) -> Vec<Effect> {
    if !situation.state.unheard {
        return expression::complete(situation, answer);
    }
    if !has_another_round(situation) {
        let mut effects = vec![too_late(situation)];
        effects.extend(expression::complete(situation, answer));
        return effects;
    }
    situation.state.standing_answer = Some(answer);
    let reminder = "The user added something after you were asked, so your answer is not final: it knows nothing of that. \
                    Write the whole answer again, with what they added.";
    hear_out(situation, reminder)
}

/// Ends a run in which the model sees no way, unless the user has said something that it has not read yet.
pub fn given_up(situation: &mut Situation, reasons: String) -> Vec<Effect> {
    if !situation.state.unheard || !has_another_round(situation) {
        return expression::gave_up(situation, reasons);
    }
    let mut effects = vec![situation.add(SegmentKind::Evaluation, reasons, None)];
    let reminder = "The user added something after you were asked. Look whether it helps before you give up.";
    effects.extend(hear_out(situation, reminder));
    effects
}

/// Ends the run with the answer that stands; where there is none, as `end` says. An answer that does not know all that the
/// user said is given, and the end told all the same.
pub fn keep(situation: &mut Situation, end: impl FnOnce(&mut Situation) -> Vec<Effect>) -> Vec<Effect> {
    let Some(answer) = situation.state.standing_answer.take() else {
        return end(situation);
    };
    if situation.state.outdated || situation.state.unheard {
        let mut effects = vec![Effect::Show(RunEventKind::Answer { text: answer })];
        effects.extend(end(situation));
        return effects;
    }
    let mut effects = vec![Effect::Stop];
    effects.extend(expression::complete(situation, answer));
    effects
}

/// Whether an answer stands that knows all that the user said.
pub fn stands(situation: &Situation) -> bool {
    let state = &situation.state;
    state.standing_answer.is_some() && !state.outdated && !state.unheard
}

/// Whether the bounds of the task leave room for the model to be asked once more.
fn has_another_round(situation: &Situation) -> bool {
    situation.state.round < situation.settings.rounds_max && bounds::reached(situation).is_none()
}

/// Asks the model once more, as the user has said something. It costs a round: people who go on talking keep no task
/// alive beyond its bound.
fn hear_out(situation: &mut Situation, reminder: &str) -> Vec<Effect> {
    situation.state.round += 1;
    let mut effects = vec![situation.add(SegmentKind::Reminder, reminder, None)];
    effects.extend(cognition::think(situation));
    effects
}

fn too_late(situation: &mut Situation) -> Effect {
    let text = expression::by_language(
        situation,
        "这次任务的轮数或用量已到上限，你后来补充的没有处理。请再问一次",
        "The task had reached its bounds: what you added was not taken up. Ask it again",
    );
    situation.add_news("", text)
}

/// What an answer lacks, as a reminder for the model.
fn lack(situation: &Situation, answer: &str) -> Option<String> {
    let mut own = situation.own_segments().rev();
    let last = own.find(|segment| segment.kind == SegmentKind::Output)?;
    let was_refused = last
        .exec
        .is_some_and(|exec| ends_with_refusal(situation, exec, &last.text));
    if !last.failed || was_refused || tells_of_it(answer) {
        return None;
    }
    let lack = "The last program failed, and the answer does not say so. Mend the program, or tell the user what failed.";
    Some(lack.to_owned())
}

fn tells_of_it(answer: &str) -> bool {
    let lowered = answer.to_lowercase();
    TELLING.iter().any(|word| lowered.contains(word))
}

/// Whether what ended a program is that the user refused a call of it: of that the user knows.
fn ends_with_refusal(situation: &Situation, exec: ExecId, output: &str) -> bool {
    let by_user = |record: &&CallRecord| {
        let ground = record.grounds.last();
        record.call.exec == exec
            && record.state == CallState::Refused
            && matches!(ground, Some(Ground::User { approved: false, .. }))
    };
    let outcomes = situation
        .calls
        .values()
        .filter(by_user)
        .filter_map(|record| record.outcome.as_ref());
    let mut errors = outcomes.filter_map(|outcome| outcome.error.as_ref());
    errors.any(|error| output.trim_end().ends_with(&error.message))
}
