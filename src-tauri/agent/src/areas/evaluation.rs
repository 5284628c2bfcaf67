//! Self-evaluation: judges by local rules whether an answer meets its question before it is final; where the user wishes
//! so, the fast model judges the answers of longer work as the second step (`enquiry.rs`).
//!
//! What failed though it can be done goes back to its source, at most [`limits::RETRIGGERS_MAX`] times.

use super::{cognition, enquiry, expression};
use crate::effect::Effect;
use crate::limits;
use crate::situation::Situation;
use shidi_protocol::{CallRecord, CallState, ExecId, Ground, SegmentKind};

/// Words of which an answer has at least one when it tells of a failure, or of another way round it.
const TELLING: [&str; 31] = [
    "fail",
    "error",
    "exception",
    "n't",
    "n’t",
    "not ",
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

/// Ends the run with the answer that stands; where there is none, as `end` says.
pub fn keep(situation: &mut Situation, end: impl FnOnce(&mut Situation) -> Vec<Effect>) -> Vec<Effect> {
    let Some(answer) = situation.state.standing_answer.take() else {
        return end(situation);
    };
    let mut effects = vec![Effect::Stop];
    effects.extend(expression::complete(situation, answer));
    effects
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
