//! Self-evaluation: local rules judge whether an answer meets its question before the answer is final. Where
//! the user wishes so, the fast model then judges answers of longer work (`fast_model.rs`).
//!
//! An answer that hides a failed program goes back to the model, at most [`limits::RETRIGGERS_MAX`] times.

use super::{Ending, Next, Step};
use crate::bounds;
use crate::effect::Effect;
use crate::limits;
use crate::parameters;
use crate::prompt;
use crate::run_context::RunContext;
use shidi_protocol::{CallRecord, CallState, ExecId, Ground, RunEventKind, SegmentKind};

/// Words of which an honest answer holds at least one, when it tells of a failure or a way round. A bare *not*
/// is left out: most answers of some length hold one.
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

/// Passes an answer without a fault to the fast model, or sends the task back with the fault named.
///
/// The answer stays the standing answer unless a better one comes: a second thought must not cost an answer.
pub fn judge(context: &mut RunContext, answer: String) -> Step {
    context.state.outdated = false;
    if context.state.unheard {
        return Next::Conclude { answer }.into();
    }
    match lack(context, &answer) {
        Some(lack) if context.state.retriggers < limits::RETRIGGERS_MAX => {
            context.state.retriggers += 1;
            context.state.standing_answer = Some(answer);
            let reminded = context.add(SegmentKind::Reminder, lack, None);
            Step::new(vec![reminded], Next::Think)
        }
        Some(_) => Next::complete(answer).into(),
        None => Next::Check { answer }.into(),
    }
}

/// Ends the run with a judged answer, unless the user has said something that the model has not read yet.
pub fn conclude(context: &mut RunContext, answer: String) -> Step {
    if !context.state.unheard {
        return Next::complete(answer).into();
    }
    if !has_another_round(context) {
        let told = too_late(context);
        return Step::new(vec![told], Next::complete(answer));
    }
    context.state.standing_answer = Some(answer);
    let reminder = "The user added something after you were asked, so your answer is not final: it knows nothing of that. \
                    Write the whole answer again, with what they added.";
    let reminded = hear_out(context, reminder);
    Step::new(vec![reminded], Next::Think)
}

/// Ends a run in which the model sees no way. A run goes on if the model has not read the user's last words yet.
pub fn surrender(context: &mut RunContext, reasons: String) -> Step {
    if !context.state.unheard || !has_another_round(context) {
        return Next::End(Ending::GaveUp { reasons }).into();
    }
    let said = context.add(SegmentKind::Evaluation, reasons, None);
    let reminder = "The user added something after you were asked. Look whether it helps before you give up.";
    let reminded = hear_out(context, reminder);
    Step::new(vec![said, reminded], Next::Think)
}

/// Ends a run that can't go on. A standing answer that knows all the user's words is given in place of
/// `ending`. An outdated answer is given together with `ending`.
pub fn break_off(context: &mut RunContext, ending: Ending) -> Step {
    let is_current = context.state.has_current_answer();
    match context.state.standing_answer.take() {
        None => Next::End(ending).into(),
        Some(answer) if is_current => Step::new(vec![Effect::Stop], Next::complete(answer)),
        Some(text) => Step::new(
            vec![Effect::Show(RunEventKind::Answer { text })],
            Next::End(ending),
        ),
    }
}

/// Whether the bounds of the task leave room for the model to be asked once more.
fn has_another_round(context: &RunContext) -> bool {
    context.state.round < context.settings.rounds_max && bounds::reached(context).is_none()
}

/// Has the model asked once more because the user has said something. Each time costs a round, so that a
/// talkative user keeps no task alive beyond its bound.
fn hear_out(context: &mut RunContext, reminder: &str) -> Effect {
    context.state.round += 1;
    context.add(SegmentKind::Reminder, reminder, None)
}

fn too_late(context: &mut RunContext) -> Effect {
    let text = context.say().said_too_late();
    context.add_news("", text)
}

/// The fault of an answer, worded as a reminder for the model.
fn lack(context: &RunContext, answer: &str) -> Option<String> {
    if prompt::is_of_example(context, answer) {
        let lack = "You wrote the answer of an example. Answer the user's own words, by what [Output] holds if there is one.";
        return Some(lack.to_owned());
    }
    if prompt::is_undone(context, answer) && !tells_of_it(answer) {
        let lack = "No file was made or changed in this task. If the user wants that, do it now by one program; if not, \
                    answer again.";
        return Some(lack.to_owned());
    }
    let mut own = context.own_segments().rev();
    let last = own.find(|segment| segment.kind() == SegmentKind::Output)?;
    let was_refused = last
        .exec
        .is_some_and(|exec| ends_with_refusal(context, exec, last.text()));
    let asks = || parameters::are_asked_for(last.text(), answer);
    if !last.failed() || was_refused || tells_of_it(answer) || asks() {
        return None;
    }
    let lack = "The last program failed, and the answer does not say so. Mend the program, or tell the user what failed.";
    Some(lack.to_owned())
}

fn tells_of_it(answer: &str) -> bool {
    let lowered = answer.to_lowercase();
    TELLING.iter().any(|word| lowered.contains(word))
}

/// Whether a program ended because the user refused one of its calls. The answer need not tell the user of that
/// refusal.
fn ends_with_refusal(context: &RunContext, exec: ExecId, output: &str) -> bool {
    let by_user = |record: &&CallRecord| {
        let ground = record.grounds.last();
        record.call.exec == exec
            && record.state == CallState::Refused
            && matches!(ground, Some(Ground::User { approved: false, .. }))
    };
    let outcomes = context
        .calls
        .values()
        .filter(by_user)
        .filter_map(|record| record.outcome.as_ref());
    let mut errors = outcomes.filter_map(|outcome| outcome.error.as_ref());
    errors.any(|error| output.trim_end().ends_with(&error.message))
}
