//! Tells watchers which answer counts. An answer that was sent back does not count. The answer counts again where the
//! run ends without another answer.

use crate::effect::Effect;
use crate::run_context::RunContext;
use shidi_protocol::{Body, RunEventKind, sent_back};

/// The effects, with what they mean for the answer that was given last.
pub fn told(context: &RunContext, effects: Vec<Effect>) -> Vec<Effect> {
    let is_news = effects.iter().any(|effect| is_reminder(effect) || is_end(effect));
    if !is_news || sent_back(context.own_segments()).is_none() {
        return effects;
    }
    let standing = |stands| Effect::Show(RunEventKind::Standing { stands });
    let mut told = Vec::with_capacity(effects.len() + 2);
    let mut is_over = false;
    for effect in effects {
        let sends_back = is_reminder(&effect);
        if is_end(&effect) && !std::mem::replace(&mut is_over, true) {
            told.push(standing(true));
        }
        told.push(effect);
        if sends_back {
            told.push(standing(false));
        }
    }
    told
}

fn is_reminder(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Show(RunEventKind::Segment {
            body: Body::Reminder { .. },
            ..
        })
    )
}

/// Whether an effect says how a run ends: with its answer, or without one.
fn is_end(effect: &Effect) -> bool {
    let is_answer = matches!(effect, Effect::Show(RunEventKind::Answer { .. }));
    let is_over = matches!(effect, Effect::Show(RunEventKind::RunEnded { status, .. }) if status.is_over());
    is_answer || is_over
}
