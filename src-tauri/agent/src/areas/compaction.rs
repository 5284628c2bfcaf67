//! Compaction: keeps the transcript that the model sees within its window (F4.6), before the model is asked.
//!
//! Shortens old outputs in batches; at four fifths of the window lets the fast model write a summary. When that model
//! fails, a digest by rules takes its place. A compaction never fails, and never follows another without new work.

use super::{Ending, Next, Step};
use crate::compaction::{self, Plan};
use crate::effect::{Effect, Record};
use crate::failures;
use crate::limits;
use crate::prompt;
use crate::prompt_templates::PromptError;
use crate::run_context::RunContext;
use crate::state::Phase;
use shidi_protocol::{Body, FailureKind, ModelFailure, ModelReply, RunEventKind, SummaryBody, tokens};

/// Makes room before the model is asked. Shortens old outputs when that is worth the loss, and begins a compaction
/// when one is due.
pub fn make_room(context: &mut RunContext) -> Step {
    if context.settings.offline {
        return Next::Ask.into(); // the offline planner reads the question alone
    }
    shorten(context);
    due(context).unwrap_or_else(|error| no_prompt(context, &error))
}

/// Begins the compaction that is due, if any.
fn due(context: &mut RunContext) -> Result<Step, PromptError> {
    let window = context.settings.window_tokens;
    let size = prompt::size(context)?;
    // In a small window the answer needs more than the fifth that is left.
    let room = window.saturating_sub(prompt::output_tokens(context));
    let is_due = size > room.min(window / 100 * limits::COMPACTION_PERCENT);
    let is_asked = std::mem::take(&mut context.state.compaction_asked);
    if !is_due && !is_asked {
        return Ok(Next::Ask.into());
    }
    let Some(plan) = compaction::plan(&context.segments, window) else {
        return Ok(Next::Ask.into());
    };
    // The summary is of the whole conversation: an outline would be all that later questions get of it.
    context.state.left_behind = None;
    if context.state.summaries_failed >= limits::SUMMARIES_FAILED_MAX {
        let body = compaction::digest(&plan.covered);
        return write(context, &plan, &body);
    }
    context.state.summary_overflows = 0;
    ask_summary(context, &plan)
}

fn no_prompt(context: &RunContext, error: &PromptError) -> Step {
    Next::Break(Ending::failed(failures::of_prompt(context, error))).into()
}

/// Takes the user's own wish for a shorter conversation.
pub fn asked(context: &mut RunContext, language: String) -> Step {
    if context.own_segments().next().is_some() || context.state.only_compacts {
        context.state.compaction_asked = true;
        return vec![context.buffer()].into();
    }
    context.state.started = context.now;
    context.state.stretch = context.now;
    context.state.language = language;
    context.state.only_compacts = true;
    let started = Effect::Show(context.started());
    again(context).after(vec![started])
}

/// Begins the compaction that a run is there for.
pub fn again(context: &mut RunContext) -> Step {
    let Some(plan) = compaction::plan(&context.segments, context.settings.window_tokens) else {
        let text = context.say().nothing_to_compact();
        let told = Effect::Show(RunEventKind::Notification {
            source: String::new(),
            text: text.to_owned(),
        });
        return Step::new(vec![told], Next::End(Ending::Completed { answer: None }));
    };
    shorten(context);
    let begun = if context.settings.offline {
        let body = compaction::digest(&plan.covered);
        write(context, &plan, &body)
    } else {
        ask_summary(context, &plan)
    };
    begun.unwrap_or_else(|error| no_prompt(context, &error))
}

/// After a compaction the model is asked at last. The exception is a run that only compacts, when the user has said
/// nothing since.
fn go_on(context: &mut RunContext) -> Next {
    context.state.only_compacts &= !context.state.unheard;
    if context.state.only_compacts {
        Next::End(Ending::Completed { answer: None })
    } else {
        Next::Ask
    }
}

/// Takes the summary, and goes on with the task.
pub fn summarised(context: &mut RunContext, reply: &ModelReply) -> Step {
    context.state.usage.add(&reply.usage);
    let text = match reply.text.split_once("</think>") {
        Some((_, rest)) if reply.text.trim_start().starts_with("<think>") => rest,
        Some(_) | None => &reply.text,
    };
    let text = text.trim();
    if text.is_empty() {
        context.state.summaries_failed += 1;
        return condense(context, None);
    }
    context.state.summaries_failed = 0;
    condense(context, Some(text))
}

/// The summary could not be had: what happened is put together by rules.
pub fn not_summarised(context: &mut RunContext, failure: &ModelFailure) -> Step {
    if failure.kind == FailureKind::Cancelled {
        return Next::End(Ending::Cancelled).into();
    }
    if failure.kind == FailureKind::ContextLength
        && context.state.summary_overflows < limits::SUMMARY_OVERFLOWS_MAX
        && let Some(plan) = compaction::plan(&context.segments, context.settings.window_tokens)
    {
        context.state.summary_overflows += 1;
        return ask_summary(context, &plan).unwrap_or_else(|error| no_prompt(context, &error));
    }
    context.state.summaries_failed += 1;
    condense(context, None)
}

/// Asks the fast model; what it is given is shorter each time that it had no place for it.
fn ask_summary(context: &mut RunContext, plan: &Plan) -> Result<Step, PromptError> {
    context.state.phase = Phase::Condensing;
    let request = prompt::assemble_summary(context, plan)?;
    Ok(vec![context.commit(), Effect::AskModel(Box::new(request))].into())
}

/// The model says that the prompt is too long for it, whatever we had counted. The window is taken for smaller, and a
/// compaction tried. False when nothing can be left out any more.
pub fn takes_less(context: &mut RunContext) -> bool {
    if context.state.overflows >= limits::OVERFLOWS_MAX {
        return false;
    }
    let Ok(size) = prompt::size(context) else {
        return false;
    };
    let smaller = context.settings.window_tokens.min(size) / 100 * limits::OVERFLOW_PERCENT;
    let counted = std::mem::replace(&mut context.settings.window_tokens, smaller);
    let is_shorter = compaction::plan(&context.segments, smaller).is_some()
        || prompt::leaves_out_segments(context).unwrap_or_default();
    if !is_shorter {
        // The same words once more would be refused once more.
        context.settings.window_tokens = counted;
        return false;
    }
    context.state.overflows += 1;
    context.state.compaction_asked = true;
    true
}

fn condense(context: &mut RunContext, body: Option<&str>) -> Step {
    let plan = compaction::plan(&context.segments, context.settings.window_tokens);
    // Only a record that changed under us leaves nothing to write: the task goes on as it is.
    let Some(plan) = plan else {
        return go_on(context).into();
    };
    let body = body.map_or_else(|| compaction::digest(&plan.covered), str::to_owned);
    write(context, &plan, &body).unwrap_or_else(|error| no_prompt(context, &error))
}

/// Writes the summary, tells of it, and asks the model at last.
fn write(context: &mut RunContext, plan: &Plan, body: &str) -> Result<Step, PromptError> {
    let before_tokens = prompt::size(context)?;
    let appendix = within(&compaction::appendix(&plan.covered), plan.frees / 4);
    let most = summary_tokens_max(context.settings.window_tokens).min(plan.frees / 2);
    let body = format!("{}\n{appendix}", within(body, most));
    let body = Body::Summary(SummaryBody {
        through: plan.through,
        kept: plan.kept.clone(),
        text: body.trim().to_owned(),
    });
    // For the model alone: people go on reading the transcript as it was.
    drop(context.add_body(body, None));
    let after_tokens = prompt::size(context)?;
    let effects = vec![
        context.commit(),
        Effect::Show(RunEventKind::Compacted {
            before_tokens,
            after_tokens,
        }),
    ];
    Ok(Step::new(effects, go_on(context)))
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

fn shorten(context: &mut RunContext) {
    let Some(cuts) = compaction::cuts(&context.segments, context.settings.window_tokens) else {
        return;
    };
    for (handle, segment) in cuts.whole {
        context.note(Record::Result {
            handle,
            text: segment.text().to_owned(),
            tainted: segment.tainted,
        });
    }
    drop(context.add_body(
        Body::Cut {
            through: cuts.through,
        },
        None,
    ));
}
