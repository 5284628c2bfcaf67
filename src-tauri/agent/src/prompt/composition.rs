//! Composes a prompt from what its parts brought in earlier tasks (F12.5), and measures what it brought in this one.
//!
//! Counts come in with the settings, by assistant and kind of task. A toolkit that tasks of the kind hardly ever use
//! stands as one line. So does the list of skills. That line shows the way to the rest. Lessons and a worked example
//! have no line: they are left out once tasks without them came out no worse. Modules whose use nobody can count are never
//! left out, and rules of safety and form are among them. The first request of a task chooses, and its state keeps the
//! choice. All its prompts are composed alike, and counted as they were. Pure.

mod labels;
mod measurement;
mod omission;
mod shares;

pub use measurement::measured;
pub(super) use omission::{left_out, without};

use super::{modules, small};
use crate::formats::Format;
use crate::limits;
use crate::parameters;
use crate::results;
use crate::run_context::RunContext;
use crate::skills;
use crate::state::{ComposedPrompt, LESSONS};
use crate::tool_index;
use shidi_protocol::{
    Body, PartStanding, PromptPart, PromptPartCounts, PromptPartKind, Segment, SegmentKind, ShortenedPart,
    TaskKind, ToolkitSpec,
};
use std::collections::BTreeMap;

/// Toolkits that are never shortened: how a program speaks, and the way to all others.
const KEPT: [&str; 2] = ["user", tool_index::NAME];

/// Sources of context that make a task one about a page.
const OF_PAGE: [&str; 2] = ["page", "selection"];

/// What may stand in a part's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Substitute {
    /// It always stands whole.
    None,
    /// A line that leads to it.
    Line,
    /// Nothing, so that no task can ask for it.
    Nothing,
}

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
    let substitute = substitute(counts);
    let (with, without) = (failed(whole, done), failed(short, short_done));
    let is_hardly_used =
        whole >= limits::SHORTENED_TASKS_MIN && shares::bounds(used, whole).1 < limits::SHORTENED_USE_MAX;
    if substitute == Substitute::None || counts.saved() < limits::SHORTENED_TOKENS_MIN {
        PartStanding::Kept
    } else if asked > 0 {
        PartStanding::AskedBack
    } else if shares::is_greater(without, with) {
        PartStanding::FailedMore
    } else if is_hardly_used && substitute == Substitute::Line {
        PartStanding::Short
    } else if is_hardly_used {
        match shares::is_within(without, with, limits::LEFT_OUT_FAILED_MORE_MAX) {
            true => PartStanding::LeftOut,
            false => PartStanding::Tried,
        }
    } else if f64::from(used) >= f64::from(whole) * limits::SHORTENED_USE_MAX && used > 0 {
        PartStanding::Used
    } else {
        PartStanding::Unmeasured
    }
}

fn substitute(counts: &PromptPartCounts) -> Substitute {
    match (counts.what, counts.part.as_str()) {
        (PromptPartKind::Toolkit, name) if KEPT.contains(&name) => Substitute::None,
        (PromptPartKind::Toolkit, _) | (PromptPartKind::Module, skills::NAME) => Substitute::Line,
        (PromptPartKind::Module, LESSONS) | (PromptPartKind::Example, _) => Substitute::Nothing,
        (PromptPartKind::Module, _) => Substitute::None,
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
    let is_on = !context.settings.measured.is_empty();
    let has_lines = has_texts(context) && !tool_index::is_index(&context.settings.toolkits);
    let short = match is_on && has_lines {
        true => dispensable(context, kind),
        false => BTreeMap::new(),
    };
    let left_out = match is_on {
        true => omission::chosen(context, kind).into_iter().collect(),
        false => BTreeMap::new(),
    };
    ComposedPrompt {
        kind,
        short,
        left_out,
    }
}

/// The counts of a part in tasks of the kind.
fn counted<'a>(
    context: &'a RunContext,
    kind: TaskKind,
    what: PromptPartKind,
    part: &str,
) -> Option<&'a PromptPartCounts> {
    let mut counts = context.settings.measured.iter();
    counts.find(|counts| counts.kind == kind && counts.what == what && counts.part == part)
}

/// The toolkits that tasks of the kind hardly ever use, as far as this session does not speak of them. The one of skills is
/// among them where their list is as little used.
fn dispensable(context: &RunContext, kind: TaskKind) -> BTreeMap<String, ShortenedPart> {
    let settings = &context.settings;
    let asked_for = tool_index::asked_for(context);
    let short = |toolkit: &ToolkitSpec, what: PromptPartKind| {
        let counts = counted(context, kind, what, &toolkit.name)?;
        let is_short = standing(counts) == PartStanding::Short && !is_named(context, toolkit);
        let why = ShortenedPart {
            used: counts.used,
            of: counts.whole,
            saved: counts.saved(),
            left_out: None,
        };
        is_short.then(|| (toolkit.name.clone(), why))
    };
    // An outline says how the results are read.
    let is_outlines = |name: &str| name == results::TOOLKIT && context.state.left_behind.is_some();
    let is_wanted = |toolkit: &&ToolkitSpec| {
        let name = toolkit.name.as_str();
        asked_for.contains(&name) || is_outlines(name)
    };
    let whole = tool_index::whole(&settings.toolkits, &asked_for).into_iter();
    let whole = whole.filter(|toolkit| !is_wanted(toolkit));
    let toolkits = whole.filter_map(|toolkit| short(toolkit, PromptPartKind::Toolkit));
    let mut of_skills = settings.toolkits.iter();
    let of_skills = of_skills.find(|toolkit| toolkit.name == skills::NAME && !is_skill_meant(context));
    let of_skills = of_skills.and_then(|toolkit| short(toolkit, PromptPartKind::Module));
    toolkits.chain(of_skills).collect()
}

/// Whether the user speaks of a skill on offer, or wrote the module that lists them.
fn is_skill_meant(context: &RunContext) -> bool {
    let offered = context.settings.skills.iter();
    let offered: Vec<String> = offered
        .map(|skill| format!("{} {}", skill.name, skill.description))
        .collect();
    let is_spoken_of = |segment: &Segment| {
        let mut offered = offered.iter();
        segment.is(&SegmentKind::User) && offered.any(|skill| parameters::share_a_word(segment.text(), skill))
    };
    modules::is_own(context, skills::NAME) || context.segments.iter().any(is_spoken_of)
}

/// Whether the toolkit's line stands in place of the module of that name.
pub(super) fn is_line(context: &RunContext, module: &str) -> bool {
    let short = shortened(context);
    short.iter().any(|(toolkit, _)| toolkit.name == module)
}

/// How the next prompt is composed.
fn composed(context: &RunContext) -> ComposedPrompt {
    let composed = context.state.composed.clone();
    composed.unwrap_or_else(|| chosen(context))
}

/// The toolkits that stand as one line in the next prompt, and why. An index has lines of its own: once a server that
/// comes makes one of the toolkits, nothing is shortened.
fn shortened(context: &RunContext) -> Vec<(&ToolkitSpec, ShortenedPart)> {
    let short = composed(context).short;
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
