//! Expression: how an answer reaches the user, and how a run ends. The model's text is passed on unchanged and
//! never summarised again.

use super::{Ending, Next, Step};
use crate::effect::Effect;
use crate::failures;
use crate::run_context::RunContext;
use crate::state::Phase;
use shidi_protocol::{Finish, RunEventKind, RunStatus, SegmentKind, UserError};

/// Says the model's own answer, and whether it was cut; self-evaluation then judges the answer.
pub fn answer(context: &mut RunContext, text: String, finish: Finish) -> Step {
    let mut effects = vec![context.add(SegmentKind::Express, text.clone(), None)];
    if let Some(notice) = cut(context, finish) {
        effects.push(context.add_news("", notice));
    }
    Step::new(effects, Next::Judge { answer: text })
}

fn cut(context: &RunContext, finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Stop | Finish::ToolCalls => None,
        Finish::Length => Some(context.say().answer_cut()),
        Finish::Filtered => Some(context.say().answer_filtered()),
        Finish::Repeated => Some(context.say().answer_repeats()),
    }
}

/// Ends a run.
pub fn end(context: &mut RunContext, ending: Ending) -> Vec<Effect> {
    let mut effects = Vec::new();
    if !matches!(ending, Ending::Completed { .. }) {
        effects.push(Effect::Stop);
    }
    let (status, reason, error, said) = match ending {
        Ending::Completed { answer } => {
            let said = answer.map(|text| Effect::Show(RunEventKind::Answer { text }));
            (RunStatus::Completed, None, None, said)
        }
        Ending::GaveUp { reasons } => {
            let said = context.add(SegmentKind::Evaluation, reasons.clone(), None);
            (RunStatus::GaveUp, Some(reasons), None, Some(said))
        }
        Ending::Cancelled => (RunStatus::Cancelled, None, None, None),
        Ending::Failed { error } => (RunStatus::Failed, Some(error.message.clone()), Some(*error), None),
    };
    context.state.phase = Phase::Ended;
    context.state.status = Some(status);
    context.state.reason.clone_from(&reason);
    context.state.error.clone_from(&error);
    effects.push(context.commit());
    effects.extend(said);
    effects.extend(told(context, status, reason, error));
    effects
}

/// Ends a run whose record can't be written. No commit is tried: only durable things are promised.
pub fn storage_failed(context: &mut RunContext, message: &str) -> Vec<Effect> {
    let error = failures::of_storage(context, message);
    context.state.phase = Phase::Ended;
    let mut effects = vec![Effect::Stop];
    effects.extend(told(
        context,
        RunStatus::Failed,
        Some(message.to_owned()),
        Some(error),
    ));
    effects
}

/// Tells watchers, and then the runtime, how the run ended.
fn told(
    context: &RunContext,
    status: RunStatus,
    reason: Option<String>,
    error: Option<UserError>,
) -> [Effect; 2] {
    [
        Effect::Show(context.ended(status, reason.clone(), error.clone())),
        Effect::End {
            status,
            reason,
            error,
        },
    ]
}
