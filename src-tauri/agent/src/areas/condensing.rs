//! Condensing: keeps the transcript that the model sees within its window (F4.6), before the model is asked.
//!
//! Shortens old outputs in batches; at four fifths of the window lets the fast model write a summary. When that model
//! fails, a digest by rules takes its place: a compaction never fails, and never follows another without new work.

use super::{cognition, expression};
use crate::compaction::{self, Plan};
use crate::effect::{Effect, Record};
use crate::limits;
use crate::prompt::{self, PromptError, tokens};
use crate::situation::Situation;
use crate::state::Phase;
use shidi_protocol::{FailureKind, ModelFailure, ModelReply, RunEventKind, SegmentKind};

/// Shortens old outputs when that is worth it, and begins a compaction when it is due. `None`: the model can be asked.
///
/// # Errors
/// When the prompt can't be built, so that nobody knows how long it is.
pub fn before_asking(situation: &mut Situation) -> Result<Option<Vec<Effect>>, PromptError> {
    if situation.settings.offline {
        return Ok(None); // the offline planner reads the question alone
    }
    shorten(situation);
    let window = situation.settings.window_tokens;
    let size = prompt::size(situation)?;
    // In a small window the answer needs more than the fifth that is left.
    let room = window.saturating_sub(prompt::output_tokens(situation));
    let is_due = size > room.min(window / 100 * limits::COMPACTION_PERCENT);
    let is_asked = std::mem::take(&mut situation.state.compaction_asked);
    if !is_due && !is_asked {
        return Ok(None);
    }
    let Some(plan) = compaction::plan(&situation.segments, window) else {
        return Ok(None);
    };
    if situation.state.summaries_failed >= limits::SUMMARIES_FAILED_MAX {
        let body = compaction::digest(&plan.covered);
        return write(situation, &plan, &body).map(Some);
    }
    situation.state.summary_overflows = 0;
    ask_summary(situation, &plan).map(Some)
}

/// Takes the user's own wish for a shorter conversation.
pub fn asked(situation: &mut Situation, language: String) -> Vec<Effect> {
    if situation.own_segments().next().is_some() || situation.state.only_compacts {
        situation.state.compaction_asked = true;
        return vec![situation.buffer()];
    }
    situation.state.started = situation.now;
    situation.state.stretch = situation.now;
    situation.state.language = language;
    situation.state.only_compacts = true;
    let mut effects = vec![Effect::Show(situation.started())];
    effects.extend(again(situation));
    effects
}

/// Begins the compaction that a run is there for.
pub fn again(situation: &mut Situation) -> Vec<Effect> {
    let Some(plan) = compaction::plan(&situation.segments, situation.settings.window_tokens) else {
        let text = expression::by_language(
            situation,
            "对话还短，没有可压缩的",
            "The conversation is short: there is nothing to compact yet",
        );
        let mut effects = vec![Effect::Show(RunEventKind::Notification {
            source: String::new(),
            text: text.to_owned(),
        })];
        effects.extend(expression::finished(situation));
        return effects;
    };
    shorten(situation);
    let begun = if situation.settings.offline {
        let body = compaction::digest(&plan.covered);
        write(situation, &plan, &body)
    } else {
        ask_summary(situation, &plan)
    };
    begun.unwrap_or_else(|error| cognition::no_prompt(situation, &error))
}

/// After a compaction: the model is asked at last, unless the compaction was all and the user has said nothing since.
fn go_on(situation: &mut Situation) -> Vec<Effect> {
    situation.state.only_compacts &= !situation.state.unheard;
    if situation.state.only_compacts {
        expression::finished(situation)
    } else {
        cognition::ask_now(situation)
    }
}

/// Takes the summary, and goes on with the task.
pub fn summarised(situation: &mut Situation, reply: &ModelReply) -> Vec<Effect> {
    situation.state.usage.add(&reply.usage);
    let text = match reply.text.split_once("</think>") {
        Some((_, rest)) if reply.text.trim_start().starts_with("<think>") => rest,
        Some(_) | None => &reply.text,
    };
    let text = text.trim();
    if text.is_empty() {
        situation.state.summaries_failed += 1;
        return condense(situation, None);
    }
    situation.state.summaries_failed = 0;
    condense(situation, Some(text))
}

/// The summary could not be had: what happened is put together by rules.
pub fn not_summarised(situation: &mut Situation, failure: &ModelFailure) -> Vec<Effect> {
    if failure.kind == FailureKind::Cancelled {
        return expression::cancelled(situation);
    }
    if failure.kind == FailureKind::ContextLength
        && situation.state.summary_overflows < limits::SUMMARY_OVERFLOWS_MAX
        && let Some(plan) = compaction::plan(&situation.segments, situation.settings.window_tokens)
    {
        situation.state.summary_overflows += 1;
        return ask_summary(situation, &plan).unwrap_or_else(|error| cognition::no_prompt(situation, &error));
    }
    situation.state.summaries_failed += 1;
    condense(situation, None)
}

/// Asks the fast model; what it is given is shorter each time that it had no place for it.
fn ask_summary(situation: &mut Situation, plan: &Plan) -> Result<Vec<Effect>, PromptError> {
    situation.state.phase = Phase::Condensing;
    let request = prompt::assemble_summary(situation, plan)?;
    Ok(vec![situation.commit(), Effect::AskModel(Box::new(request))])
}

/// The model says that the prompt is too long for it, whatever we had counted: the window is taken for smaller, and a
/// compaction tried. `None` when nothing can be left out any more.
pub fn too_long(situation: &mut Situation) -> Option<Vec<Effect>> {
    if situation.state.overflows >= limits::OVERFLOWS_MAX {
        return None;
    }
    let size = prompt::size(situation).ok()?;
    let smaller = situation.settings.window_tokens.min(size) / 100 * limits::OVERFLOW_PERCENT;
    let counted = std::mem::replace(&mut situation.settings.window_tokens, smaller);
    let is_shorter = compaction::plan(&situation.segments, smaller).is_some()
        || prompt::leaves_out_segments(situation).unwrap_or_default();
    if !is_shorter {
        // The same words once more would be refused once more.
        situation.settings.window_tokens = counted;
        return None;
    }
    situation.state.overflows += 1;
    situation.state.compaction_asked = true;
    Some(cognition::think(situation))
}

fn condense(situation: &mut Situation, body: Option<&str>) -> Vec<Effect> {
    let plan = compaction::plan(&situation.segments, situation.settings.window_tokens);
    let written = match plan {
        Some(plan) => {
            let body = body.map_or_else(|| compaction::digest(&plan.covered), str::to_owned);
            write(situation, &plan, &body)
        }
        // Only a record that changed under us leads here: the task goes on as it is.
        None => Ok(Vec::new()),
    };
    match written {
        Ok(mut effects) => {
            if effects.is_empty() {
                effects.extend(go_on(situation));
            }
            effects
        }
        Err(error) => cognition::no_prompt(situation, &error),
    }
}

/// Writes the summary, tells of it, and asks the model at last.
fn write(situation: &mut Situation, plan: &Plan, body: &str) -> Result<Vec<Effect>, PromptError> {
    let before_tokens = prompt::size(situation)?;
    let appendix = within(&compaction::appendix(&plan.covered), plan.frees / 4);
    let most = summary_tokens_max(situation.settings.window_tokens).min(plan.frees / 2);
    let body = format!("{}\n{appendix}", within(body, most));
    let text = compaction::written(&plan.cover, &body);
    // For the model alone: people go on reading the transcript as it was.
    drop(situation.add(SegmentKind::Summary, text, None));
    let after_tokens = prompt::size(situation)?;
    let mut effects = vec![
        situation.commit(),
        Effect::Show(RunEventKind::Compacted {
            before_tokens,
            after_tokens,
        }),
    ];
    effects.extend(go_on(situation));
    Ok(effects)
}

/// Tokens that a summary may have.
pub fn summary_tokens_max(window_tokens: u32) -> u32 {
    (window_tokens / 100 * limits::SUMMARY_PERCENT_MAX)
        .clamp(limits::SUMMARY_TOKENS_MIN, limits::SUMMARY_TOKENS_MAX)
}

/// As many lines of a text as fit, from its beginning; a single long line is cut.
fn within(text: &str, tokens_max: u32) -> String {
    if tokens::estimate(text) <= tokens_max {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut left = tokens_max;
    for line in text.split_inclusive('\n') {
        let cost = tokens::estimate(line) + 1;
        if cost > left {
            let rest = usize::try_from(left).unwrap_or_default();
            kept.extend(line.chars().take(rest));
            break;
        }
        left -= cost;
        kept.push_str(line);
    }
    format!("{} …", kept.trim_end())
}

fn shorten(situation: &mut Situation) {
    let Some(cuts) = compaction::cuts(&situation.segments, situation.settings.window_tokens) else {
        return;
    };
    for (handle, segment) in cuts.whole {
        situation.note(Record::Result {
            handle,
            text: segment.text,
            tainted: segment.tainted,
        });
    }
    drop(situation.add(SegmentKind::Summary, compaction::written_cut(cuts.through), None));
}
