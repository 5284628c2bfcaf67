//! Tells of a task that is over which parts stood in its prompt, and which of them it used.
//!
//! Where nobody can tell whether a part was used, it counts as used: what is counted too often only stays. Pure.

use super::{has_texts, omission};
use crate::common_mistakes;
use crate::prompt::{Frame, modules, small};
use crate::prompt_templates::PromptError;
use crate::run_context::RunContext;
use crate::skills;
use crate::state::{ComposedPrompt, LESSONS};
use crate::tool_index;
use serde_json::Value;
use shidi_protocol::{
    CallRecord, Experience, ExperienceKind, MeasuredPart, MeasuredPrompt, PromptPart, PromptPartKind,
    RunStatus, ToolkitSpec,
};

/// Modules that not every task has, beside the list of skills. The others hold rules, and are not measured.
const OPTIONAL: [&str; 6] = [
    "assistant",
    "principles",
    "environment",
    LESSONS,
    "mistakes",
    "memory",
];

/// The method that brings a toolkit's description back.
const DESCRIBE: &str = "describe";

/// What the prompt of a task that is over came to. `None` of one that says nothing: without a model, of a sub-agent, or
/// stopped by its user. A small model's prompt says something of its examples alone. One with tools that are declared one by
/// one says nothing: it can't be compared with the others.
///
/// # Errors
/// [`PromptError`] when a template can't be rendered.
pub fn measured(context: &RunContext) -> Result<Option<MeasuredPrompt>, PromptError> {
    let (settings, state) = (&context.settings, &context.state);
    let is_asked = !settings.offline && settings.program.is_none() && settings.under.is_none();
    let done = match state.status {
        Some(RunStatus::Completed) => true,
        Some(RunStatus::Failed | RunStatus::GaveUp) => false,
        Some(RunStatus::Cancelled | RunStatus::Suspended) | None => return Ok(None),
    };
    let Some(composed) = state.composed.as_ref().filter(|_| is_asked) else {
        return Ok(None);
    };
    if state.usage.model_calls == 0 {
        return Ok(None);
    }
    let frame = Frame::of(context)?;
    let parts = match has_texts(context) {
        true => {
            let mut parts = modules_of(context, &frame);
            parts.extend(list_of_skills(context, composed, &frame)?);
            parts.extend(toolkits_of(context, composed));
            parts
        }
        false => example_of(context, composed)?.into_iter().collect(),
    };
    if parts.is_empty() {
        return Ok(None);
    }
    let shortened = parts.iter().filter(|part| part.is_short);
    let saved: u32 = shortened
        .map(|part| part.tokens.saturating_sub(part.line_tokens))
        .sum();
    Ok(Some(MeasuredPrompt {
        assistant: settings.assistant.clone(),
        kind: composed.kind,
        done,
        tokens: frame.tokens().saturating_add(saved),
        parts,
    }))
}

/// The modules that stood there, or would have. The list of skills may stand as a line, and is measured apart.
fn modules_of(context: &RunContext, frame: &Frame) -> Vec<MeasuredPart> {
    let is_there = |part: &&PromptPart| part.tokens > 0 || part.short.is_some();
    let is_measured = |part: &&PromptPart| OPTIONAL.contains(&part.name.as_str());
    let module = |part: &PromptPart| MeasuredPart {
        what: PromptPartKind::Module,
        part: part.name.clone(),
        tokens: part.short.map_or(part.tokens, |why| why.saved),
        line_tokens: 0,
        is_short: part.short.is_some(),
        is_used: part.name == LESSONS && are_lessons_used(context),
    };
    let parts = frame.parts.iter().filter(is_there).filter(is_measured);
    parts.map(module).collect()
}

/// Whether the task may have used a lesson: it called one of its tools. Warnings always count: they are used by what
/// is not called. So do lessons without tools.
fn are_lessons_used(context: &RunContext) -> bool {
    let is_called = |tool: &String| {
        let mut records = context.calls.values();
        let named = tool.split_once('.');
        records.any(|record| named == Some((record.call.toolkit.as_str(), record.call.method.as_str())))
    };
    let is_used = |lesson: &Experience| {
        lesson.kind == ExperienceKind::Warning
            || lesson.calls.is_empty()
            || lesson.calls.iter().any(is_called)
    };
    let lessons = context.lessons.iter();
    lessons.filter(|one| !common_mistakes::is_one(one)).any(is_used)
}

/// The list of skills, which a task uses that loads one.
fn list_of_skills(
    context: &RunContext,
    composed: &ComposedPrompt,
    frame: &Frame,
) -> Result<Option<MeasuredPart>, PromptError> {
    let is_short = composed.short.contains_key(skills::NAME);
    let mut parts = frame.parts.iter();
    let is_whole = parts.any(|part| part.name == skills::NAME && part.tokens > 0);
    let mut toolkits = context.settings.toolkits.iter();
    let toolkit = toolkits.find(|toolkit| toolkit.name == skills::NAME);
    let Some(toolkit) = toolkit.filter(|_| is_short || is_whole) else {
        return Ok(None);
    };
    Ok(Some(MeasuredPart {
        what: PromptPartKind::Module,
        part: skills::NAME.to_owned(),
        tokens: modules::skills_tokens(context)?,
        line_tokens: tool_index::weights(toolkit).1,
        is_short,
        is_used: context.calls.values().any(|record| is_use(record, skills::NAME)),
    }))
}

/// The example that a small model's prompt may do without. A task uses it that goes the way it shows.
fn example_of(context: &RunContext, composed: &ComposedPrompt) -> Result<Option<MeasuredPart>, PromptError> {
    let Some(example) = omission::example(context) else {
        return Ok(None);
    };
    let part = small::part_of(example);
    Ok(Some(MeasuredPart {
        what: PromptPartKind::Example,
        tokens: modules::example_tokens(context, example)?,
        line_tokens: 0,
        is_short: composed.left_out.contains_key(&part),
        is_used: small::is_followed(context, example),
        part,
    }))
}

/// Toolkits that stood in full, or would have without counts.
fn toolkits_of(context: &RunContext, composed: &ComposedPrompt) -> Vec<MeasuredPart> {
    let settings = &context.settings;
    let asked_for = tool_index::asked_for(context);
    let part = |toolkit: &ToolkitSpec| {
        let (tokens, line_tokens) = tool_index::weights(toolkit);
        MeasuredPart {
            what: PromptPartKind::Toolkit,
            part: toolkit.name.clone(),
            tokens,
            line_tokens,
            is_short: composed.short.contains_key(&toolkit.name),
            is_used: context.calls.values().any(|record| is_use(record, &toolkit.name)),
        }
    };
    let whole = tool_index::whole(&settings.toolkits, &asked_for);
    whole.into_iter().map(part).collect()
}

/// Whether a call is one of the toolkit, or asks what it can do.
fn is_use(record: &CallRecord, name: &str) -> bool {
    let call = &record.call;
    let about = || {
        let about = call.args.get("name").and_then(Value::as_str)?;
        about.split('.').next()
    };
    call.toolkit == name
        || call.toolkit == tool_index::NAME && call.method == DESCRIBE && about() == Some(name)
}
