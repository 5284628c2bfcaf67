//! The modules of the system prompt (F4.1, F4.2): their order and their values.

use super::composition;
use super::small::{self, NextStep};
use crate::common_mistakes;
use crate::compaction;
use crate::formats::{Format, Hole};
use crate::limits;
use crate::parameters::Waiting;
use crate::prompt_templates::{self, OwnModules, PromptError};
use crate::rendering;
use crate::run_context::RunContext;
use crate::skills;
use crate::state::LESSONS;
use minijinja::{Value, context};
use shidi_locales::Language;
use shidi_protocol::{Experience, ExperienceKind, MemoryHit, PromptPart, Segment, is_unseen, tokens};

/// A module as it stands in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub name: &'static str,
    pub text: String,
    /// Whether the user wrote the module.
    pub own: bool,
    /// Whether a task can be done without the module where the window is small.
    pub droppable: bool,
    /// Tokens that the module itself left out.
    pub left_out: u32,
}

impl Rendered {
    pub fn tokens(&self) -> u32 {
        tokens::estimate(&self.text)
    }
}

/// The module of earlier runs' lessons. Its text changes with every question, so it stands behind the transcript.
const EXPERIENCE: &str = LESSONS;

/// The module of common mistakes. It stands where the lessons do.
const MISTAKES: &str = "mistakes";

/// The module of recalled records. Its text changes with every question, so it stands behind the transcript.
const MEMORY: &str = "memory";

/// Characters of the date at the start of a written time.
const DATE_LENGTH: usize = "2026-11-22".len();

/// Modules that are left out first.
const DROPPABLE: [&str; 3] = ["principles", SKILLS, "environment"];

/// The module of skills that may be loaded.
const SKILLS: &str = "skills";

/// The module of an assistant's own words.
const ASSISTANT: &str = "assistant";

/// Modules in their order: constant ones first, so that caches hold the longest prefix.
const ORDER: [&str; 9] = [
    "platform",
    ASSISTANT,
    "mechanism",
    "output_format",
    "foundations",
    "principles",
    "toolkits",
    SKILLS,
    "environment",
];

/// Renders the modules of the system prompt, in their order; modules without text are left out.
///
/// # Errors
/// [`PromptError::Template`] with the module's name.
pub fn system(context: &RunContext) -> Result<Vec<Rendered>, PromptError> {
    let settings = &context.settings;
    let format = settings.format;
    let is_small = small::is_meant(context);
    let order: &[&str] = if is_small { &small::ORDER } else { &ORDER };
    let skills = offered(context);
    let values = context! {
        skills => &skills.described,
        named_skills => &skills.named,
        toolkits => match is_small {
            true => small::toolkits(context),
            false => composition::toolkits(context),
        },
        rounds_max => settings.rounds_max,
        environment => &settings.environment,
        assistant => &settings.assistant,
        persona => settings.persona.as_ref().map(|persona| persona.title(language(context))),
        persona_prompt => settings.persona.as_ref().map(|persona| persona.prompt(language(context))),
        persona_languages => settings.persona.as_ref().map(|persona| persona.languages.join(", ")),
        calls => format.is_of_calls(),
        drafts => format == Format::Fim,
    };
    let mut modules = Vec::new();
    for name in order.iter().copied() {
        let file = match (name, format) {
            ("output_format", Format::Fenced) => "output_fenced",
            ("output_format", Format::Tool) => "output_tool",
            ("output_format", Format::Json) => "output_json",
            ("output_format", Format::Relay) => "output_relay",
            ("output_format", Format::Fim) => "output_fim",
            // Formats whose model writes no Python get no rules of Python. Tools declared to the provider are
            // not described twice.
            ("foundations", Format::Json | Format::Relay) | ("toolkits", Format::Json) => continue,
            (SKILLS, _) if skills.is_empty() || composition::is_line(context, SKILLS) => continue,
            (ASSISTANT, _) if settings.persona.is_none() => continue,
            (name, _) => name,
        };
        let text = render(context, file, &values)?;
        if !text.is_empty() {
            let own = is_own(context, file);
            modules.push(Rendered {
                name: file,
                text,
                own,
                droppable: DROPPABLE.contains(&file),
                left_out: if file == SKILLS { skills.left_out } else { 0 },
            });
        }
    }
    Ok(modules)
}

/// The worked examples of a small model's prompt, as steps, with their parts for the trace. None for other models.
///
/// # Errors
/// As [`system`].
pub fn examples(context: &RunContext) -> Result<(Vec<Segment>, Vec<PromptPart>), PromptError> {
    if !small::is_meant(context) {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut steps = Vec::new();
    let mut left_out = Vec::new();
    for example in small::examples(context) {
        let name = small::part_of(example);
        match composition::left_out(context, &name) {
            Some(why) => left_out.push(PromptPart {
                short: Some(why),
                ..PromptPart::named(&name)
            }),
            None => steps.extend(steps_of(context, example)?),
        }
    }
    let part = PromptPart {
        tokens: steps.iter().map(compaction::weight).sum(),
        own: is_own(context, small::EXAMPLES),
        ..PromptPart::named(small::EXAMPLES)
    };
    let parts = std::iter::once(part).chain(left_out);
    Ok((steps, parts.collect()))
}

fn steps_of(context: &RunContext, example: &str) -> Result<Vec<Segment>, PromptError> {
    let text = render(context, small::EXAMPLES, &context! { example })?;
    Ok(small::steps(&text))
}

/// Whether an answer begins with the sentence that ends one of the examples: small models repeat what they have read.
pub fn is_of_example(context: &RunContext, answer: &str) -> bool {
    let ends_so = |example: &str| {
        let steps = steps_of(context, example).unwrap_or_default();
        let said = steps.last().map(Segment::text);
        said.is_some_and(|said| small::first_sentence(said) == small::first_sentence(answer))
    };
    small::is_meant(context) && small::examples(context).into_iter().any(ends_so)
}

/// Tokens of one example, whether it is left out or not.
///
/// # Errors
/// As [`system`].
pub fn example_tokens(context: &RunContext, example: &str) -> Result<u32, PromptError> {
    let steps = steps_of(context, example)?;
    Ok(steps.iter().map(compaction::weight).sum())
}

/// Tokens of the list of skills, whether a line stands in its place or not.
///
/// # Errors
/// As [`system`].
pub fn skills_tokens(context: &RunContext) -> Result<u32, PromptError> {
    let skills = offered(context);
    if skills.is_empty() {
        return Ok(0);
    }
    let values = context! {
        skills => &skills.described,
        named_skills => &skills.named,
        calls => context.settings.format.is_of_calls(),
    };
    Ok(tokens::estimate(&render(context, SKILLS, &values)?))
}

/// The last line of a small model's prompt.
///
/// # Errors
/// As [`system`].
pub fn next_step(context: &RunContext, step: &NextStep) -> Result<String, PromptError> {
    match step {
        NextStep::Answer => render(context, "after_output", &context! {}),
        NextStep::Compute => render(context, "by_program", &context! {}),
        NextStep::Mend { line, code } => {
            render(context, "after_failure", &context! { line, code => quoted(code) })
        }
        NextStep::Without { code } => render(context, "without", &context! { code => quoted(code) }),
        NextStep::AskUser { about } => render(context, "ask_user", &context! { about => in_line(about) }),
        NextStep::Choose { calls } => render(context, "choose", &context! { calls }),
        NextStep::Fill(Waiting { call, about }) => {
            let (call, about) = (marked(call), in_line(about));
            render(context, "fill", &context! { call, about })
        }
    }
}

/// A line of a model's program that ends no mark around it.
fn quoted(code: &str) -> String {
    let code: String = code.chars().take(limits::QUOTED_CHARACTERS).collect();
    rendering::harmless(&code).replace('`', "'")
}

/// Words of whoever wrote a workflow, within one line of ours.
fn in_line(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    quoted(&words.join(" "))
}

/// A call that ends neither its mark nor its line. What could stands within texts of Python alone. There an escape means
/// the same.
fn marked(call: &str) -> String {
    let is_ending = |letter: char| matches!(letter, '`' | '<') || letter.is_control() || is_unseen(letter);
    let written = call.chars().map(|letter| match is_ending(letter) {
        true => escape(letter),
        false => letter.to_string(),
    });
    written.collect()
}

fn escape(letter: char) -> String {
    match u32::from(letter) {
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// The skills as the prompt names them; none where the toolkit that loads them is off.
fn offered(context: &RunContext) -> skills::Shown {
    let settings = &context.settings;
    let is_on = settings
        .toolkits
        .iter()
        .any(|toolkit| toolkit.name == skills::NAME);
    let offered = if is_on { settings.skills.as_slice() } else { &[] };
    let mut shown = skills::shown(offered, limits::SKILLS_TOKENS_MAX);
    for (_, told) in &mut shown.described {
        *told = rendering::harmless(told).replace("</", "< /");
    }
    shown
}

/// The first `most` lessons of earlier runs; `None` when there are none, or the module is switched off.
///
/// # Errors
/// As [`system`].
pub fn experience(context: &RunContext, most: usize) -> Result<Option<Rendered>, PromptError> {
    let lessons = context.lessons.iter();
    let chosen = lessons.filter(|one| !common_mistakes::is_one(one)).take(most);
    let (warnings, examples): (Vec<_>, Vec<_>) = chosen.partition(|one| one.kind == ExperienceKind::Warning);
    if warnings.is_empty() && examples.is_empty() {
        return Ok(None);
    }
    let told = |list: Vec<&Experience>| list.into_iter().map(taught).collect::<Vec<Value>>();
    let values = context! { examples => told(examples), warnings => told(warnings) };
    let text = render(context, EXPERIENCE, &values)?;
    let rendered = Rendered {
        name: EXPERIENCE,
        own: is_own(context, EXPERIENCE),
        text,
        droppable: true,
        left_out: 0,
    };
    Ok(Some(rendered).filter(|module| !module.text.is_empty()))
}

/// The first `most` common mistakes; `None` when there are none, or the module is switched off.
///
/// # Errors
/// As [`system`].
pub fn mistakes(context: &RunContext, most: usize) -> Result<Option<Rendered>, PromptError> {
    let known = context.lessons.iter().filter(|one| common_mistakes::is_one(one));
    let chosen = common_mistakes::fitting(known).into_iter().take(most);
    // A line can't end the module around it.
    let line = |one: &Experience| rendering::harmless(&common_mistakes::line(one)).replace("</", "< /");
    let lines: Vec<String> = chosen.map(line).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    let text = render(context, MISTAKES, &context! { mistakes => lines })?;
    let rendered = Rendered {
        name: MISTAKES,
        own: is_own(context, MISTAKES),
        text,
        droppable: true,
        left_out: 0,
    };
    Ok(Some(rendered).filter(|module| !module.text.is_empty()))
}

/// The first `most` records of memory; `None` when there are none, or the module is switched off.
///
/// # Errors
/// As [`system`].
pub fn memory(context: &RunContext, most: usize) -> Result<Option<Rendered>, PromptError> {
    let told: Vec<Value> = context.recalled.iter().take(most).map(told).collect();
    if told.is_empty() {
        return Ok(None);
    }
    let text = render(context, MEMORY, &context! { memories => told })?;
    let own = is_own(context, MEMORY);
    let rendered = Rendered {
        name: MEMORY,
        text,
        own,
        droppable: true,
        left_out: 0,
    };
    Ok(Some(rendered).filter(|module| !module.text.is_empty()))
}

/// An experience whose text can't end the element or the fence around it.
fn taught(experience: &Experience) -> Value {
    let safe = |text: &str, characters: usize| {
        let cut: String = text.chars().take(characters).collect();
        rendering::harmless(&cut)
            .replace("</", "< /")
            .replace("```", "` ` `")
    };
    context! {
        goal => safe(&experience.goal, limits::TAUGHT_GOAL_CHARACTERS).replace(['"', '\n'], " "),
        lesson => safe(&experience.lesson, limits::TAUGHT_LESSON_CHARACTERS),
        error => safe(&experience.error, limits::TAUGHT_GOAL_CHARACTERS),
        code => safe(&experience.code, limits::TAUGHT_CODE_CHARACTERS),
    }
}

fn told(hit: &MemoryHit) -> Value {
    let time = hit.time.to_string();
    // A record's text can't end the module around it.
    let text = rendering::harmless(&hit.text).replace("</", "< /");
    context! { kind => hit.kind.name(), text, date => time.get(..DATE_LENGTH).unwrap_or(&time) }
}

/// The question, in words, for the text of a hole.
///
/// # Errors
/// As [`system`].
pub fn draft(context: &RunContext, hole: &Hole) -> Result<String, PromptError> {
    let values = context! { head => &hole.head, tail => hole.tail };
    render(context, "draft", &values)
}

/// A module that stands alone, with nothing of the run to fill in.
///
/// # Errors
/// As [`system`].
pub fn plain(context: &RunContext, name: &'static str) -> Result<String, PromptError> {
    let languages: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
    render(context, name, &context! { languages })
}

/// A module that belongs to no run and has no values to fill in.
///
/// # Errors
/// As [`system`].
pub fn of_no_run(own: &OwnModules, language: &str, name: &'static str) -> Result<String, PromptError> {
    prompt_templates::render(own, prompt_templates::addressed_in(language), name, &context! {})
}

/// Whether the user wrote that module.
pub(super) fn is_own(context: &RunContext, name: &str) -> bool {
    let own = &context.settings.own_modules;
    own.text(language(context), name).is_some()
}

fn language(context: &RunContext) -> &'static str {
    prompt_templates::addressed_in(&context.state.language)
}

fn render(context: &RunContext, name: &'static str, values: &Value) -> Result<String, PromptError> {
    prompt_templates::render(&context.settings.own_modules, language(context), name, values)
}
