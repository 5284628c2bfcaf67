//! Composes a prompt from what its parts brought in earlier tasks (F12.5), and measures what it brought in this one.
//!
//! Counts come in with the settings, by assistant and kind of task. A toolkit that tasks of the kind hardly ever use
//! stands as one line. That line shows the way to its description. Modules are only counted, never left out: rules of
//! safety and form are among them. The first request of a task chooses, and its state keeps the choice. All its prompts
//! are composed alike, and counted as they were. Pure.

mod labels;
mod shares;

use super::{Frame, small};
use crate::formats::Format;
use crate::limits;
use crate::parameters;
use crate::prompt_templates::PromptError;
use crate::results;
use crate::run_context::RunContext;
use crate::skills;
use crate::state::ComposedPrompt;
use crate::tool_index;
use serde_json::Value;
use shidi_protocol::{
    Body, CallRecord, MeasuredPart, MeasuredPrompt, PartStanding, PromptPart, PromptPartCounts,
    PromptPartKind, RunStatus, Segment, SegmentKind, ShortenedPart, TaskKind, ToolkitSpec,
};
use std::collections::BTreeMap;

/// Toolkits that are never shortened: how a program speaks, and the way to all others.
const KEPT: [&str; 2] = ["user", tool_index::NAME];

/// Modules that not every task has. The others hold rules, and are not measured.
const OPTIONAL: [&str; 7] = [
    "assistant",
    "principles",
    "skills",
    "environment",
    "experience",
    "mistakes",
    "memory",
];

/// Sources of context that make a task one about a page.
const OF_PAGE: [&str; 2] = ["page", "selection"];

/// The method that brings a toolkit's description back.
const DESCRIBE: &str = "describe";

/// What counts of earlier tasks say of a part.
#[must_use]
pub fn standing(counts: &PromptPartCounts) -> PartStanding {
    let PromptPartCounts {
        whole,
        used,
        done,
        short,
        asked,
        short_done,
        ..
    } = *counts;
    let is_kept = counts.what == PromptPartKind::Module || KEPT.contains(&counts.part.as_str());
    if is_kept || counts.saved() < limits::SHORTENED_TOKENS_MIN {
        PartStanding::Kept
    } else if asked > 0 {
        PartStanding::AskedBack
    } else if shares::is_greater(failed(short, short_done), failed(whole, done)) {
        PartStanding::FailedMore
    } else if whole >= limits::SHORTENED_TASKS_MIN
        && shares::bounds(used, whole).1 < limits::SHORTENED_USE_MAX
    {
        PartStanding::Short
    } else if f64::from(used) >= f64::from(whole) * limits::SHORTENED_USE_MAX && used > 0 {
        PartStanding::Used
    } else {
        PartStanding::Unmeasured
    }
}

/// Tasks that failed, of all.
fn failed(tasks: u32, done: u32) -> (u32, u32) {
    (tasks.saturating_sub(done), tasks)
}

/// The kind of a task, by what goes along with its question.
fn kind(context: &RunContext) -> TaskKind {
    if !context.attachments.is_empty() {
        TaskKind::Attached
    } else if context.own_segments().any(is_of_page) {
        TaskKind::Page
    } else if small::may_write(context) {
        TaskKind::Folder
    } else {
        TaskKind::Plain
    }
}

fn is_of_page(segment: &Segment) -> bool {
    match &segment.body {
        Body::Context(piece) => OF_PAGE.contains(&piece.source.as_str()),
        _ => false,
    }
}

/// Whether the prompt holds texts of toolkits that a line may stand for. Tools that are declared one by one have no line,
/// and a small model's prompt has nothing but lines.
fn has_texts(context: &RunContext) -> bool {
    context.settings.format != Format::Json && !small::is_meant(context)
}

/// Chooses how the prompts of the task are composed, unless that is chosen.
pub fn compose(context: &mut RunContext) {
    if context.state.composed.is_none() {
        context.state.composed = Some(chosen(context));
    }
}

fn chosen(context: &RunContext) -> ComposedPrompt {
    let kind = kind(context);
    let is_open = !context.settings.measured.is_empty() && has_texts(context);
    let short = match is_open && !tool_index::is_index(&context.settings.toolkits) {
        true => dispensable(context, kind),
        false => BTreeMap::new(),
    };
    ComposedPrompt { kind, short }
}

/// The toolkits that tasks of the kind hardly ever use, as far as this session does not speak of them.
fn dispensable(context: &RunContext, kind: TaskKind) -> BTreeMap<String, ShortenedPart> {
    let settings = &context.settings;
    let asked_for = tool_index::asked_for(context);
    let of_kind = |counts: &&PromptPartCounts| counts.kind == kind && counts.what == PromptPartKind::Toolkit;
    let counted = |toolkit: &ToolkitSpec| {
        let mut counts = settings.measured.iter().filter(of_kind);
        counts.find(|counts| counts.part == toolkit.name)
    };
    // An outline says how the results are read.
    let is_outlines = |name: &str| name == results::TOOLKIT && context.state.left_behind.is_some();
    let whole = tool_index::whole(&settings.toolkits, &asked_for).into_iter();
    let short = whole.filter_map(|toolkit| {
        let counts = counted(toolkit).filter(|counts| standing(counts) == PartStanding::Short)?;
        let name = toolkit.name.as_str();
        let is_wanted = asked_for.contains(&name) || is_outlines(name) || is_named(context, toolkit);
        let why = ShortenedPart {
            used: counts.used,
            of: counts.whole,
            saved: counts.saved(),
        };
        (!is_wanted).then(|| (toolkit.name.clone(), why))
    });
    short.collect()
}

/// The toolkits that stand as one line in the next prompt, and why. An index has lines of its own: once a server that
/// comes makes one of the toolkits, nothing is shortened.
fn shortened(context: &RunContext) -> Vec<(&ToolkitSpec, ShortenedPart)> {
    let composed = context.state.composed.clone();
    let short = composed.unwrap_or_else(|| chosen(context)).short;
    let toolkits = &context.settings.toolkits;
    if short.is_empty() || !has_texts(context) || tool_index::is_index(toolkits) {
        return Vec::new();
    }
    let toolkits = toolkits.iter();
    let shortened = toolkits.filter_map(|toolkit| Some((toolkit, *short.get(&toolkit.name)?)));
    shortened.collect()
}

/// The toolkits as the prompt shows them.
pub(super) fn toolkits(context: &RunContext) -> String {
    let short = shortened(context);
    let short: Vec<&str> = short.iter().map(|(toolkit, _)| toolkit.name.as_str()).collect();
    let asked_for = tool_index::asked_for(context);
    tool_index::composed(&context.settings.toolkits, &asked_for, &short)
}

/// The shortened toolkits for the trace. Their line is weighed with the module that holds it.
pub(super) fn parts(context: &RunContext) -> Vec<PromptPart> {
    let part = |(toolkit, why): (&ToolkitSpec, ShortenedPart)| PromptPart {
        short: Some(why),
        ..PromptPart::named(&toolkit.name)
    };
    shortened(context).into_iter().map(part).collect()
}

/// Whether the session speaks of a toolkit. The user does by a word of its index. The assistant, a loaded skill and
/// programs of earlier tasks do by its name. What is whole for one of these stays so, for the caches of prompts.
fn is_named(context: &RunContext, toolkit: &ToolkitSpec) -> bool {
    let name = toolkit.name.as_str();
    let methods = toolkit.methods.iter().map(|method| method.name.replace('_', " "));
    let index = format!("{name} {} {}", methods.collect::<Vec<_>>().join(" "), toolkit.doc);
    let is_assistants = context.settings.persona.as_ref().is_some_and(|persona| {
        let mut prompts = persona.prompt.values();
        prompts.any(|prompt| has_word(prompt, name))
    });
    let is_skills = |segment: &Segment| {
        let skill = skills::held(segment);
        skill.is_some_and(|skill| has_word(&skill.text, name))
    };
    let is_users = |segment: &Segment| {
        let text = segment.text();
        let speaks = || parameters::share_a_word(text, &index) || labels::share_a_word(text, toolkit);
        segment.is(&SegmentKind::User) && (has_word(text, name) || speaks())
    };
    let is_used = |segment: &Segment| {
        segment.is(&SegmentKind::Python) && segment.run != context.run && has_word(segment.text(), name)
    };
    let mut segments = context.segments.iter();
    is_assistants || segments.any(|segment| is_users(segment) || is_used(segment) || is_skills(segment))
}

/// Whether a text has that name, and not within a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).any(|word| word == name)
}

/// What the prompt of a task that is over came to. `None` of one that says nothing: without a model, of a sub-agent, or
/// stopped by its user. Prompts without texts of toolkits can't be compared with the others, and say nothing either.
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
    let Some(composed) = state.composed.as_ref().filter(|_| is_asked && has_texts(context)) else {
        return Ok(None);
    };
    if state.usage.model_calls == 0 {
        return Ok(None);
    }
    let toolkits = measured_toolkits(context, composed);
    let shortened = toolkits.iter().filter(|part| part.is_short);
    let saved: u32 = shortened
        .map(|part| part.tokens.saturating_sub(part.line_tokens))
        .sum();
    let frame = Frame::of(context)?;
    let modules = frame.parts.iter().filter(|part| part.tokens > 0);
    let modules = modules
        .filter(|part| OPTIONAL.contains(&part.name.as_str()))
        .map(module);
    Ok(Some(MeasuredPrompt {
        assistant: settings.assistant.clone(),
        kind: composed.kind,
        done,
        tokens: frame.tokens().saturating_add(saved),
        parts: modules.chain(toolkits).collect(),
    }))
}

fn module(part: &PromptPart) -> MeasuredPart {
    MeasuredPart {
        what: PromptPartKind::Module,
        part: part.name.clone(),
        tokens: part.tokens,
        line_tokens: 0,
        is_short: false,
        is_used: false,
    }
}

/// Toolkits that stood in full, or would have without counts.
fn measured_toolkits(context: &RunContext, composed: &ComposedPrompt) -> Vec<MeasuredPart> {
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
