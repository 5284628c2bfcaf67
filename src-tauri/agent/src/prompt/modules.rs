//! The modules of the system prompt (F4.1, F4.2), rendered from template files.
//!
//! Built-in modules lie in `assets/prompts/`, one file per language and module; files of the same name in the data
//! folder take their place. A module without text is switched off.

use super::tokens;
use crate::abilities;
use crate::formats::{Format, Hole};
use crate::limits;
use crate::situation::Situation;
use minijinja::{Environment, Value, context};
use shidi_protocol::{Experience, ExperienceKind, MemoryHit};
use std::collections::BTreeMap;
use std::sync::OnceLock;

#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    #[error("prompt module `{module}`: {source}")]
    Template {
        module: String,
        source: minijinja::Error,
    },
}

/// Modules that the user wrote in place of ours, by `language/name`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnModules {
    texts: BTreeMap<String, String>,
}

impl OwnModules {
    /// Whether there is a module of that name to take the place of.
    #[must_use]
    pub fn is_known(language: &str, name: &str) -> bool {
        built_in(language, name).is_some()
    }

    /// The names of all modules.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LANGUAGES[0].1.iter().map(|(name, _)| *name)
    }

    /// Puts a module in place of the built-in one.
    ///
    /// # Errors
    /// What is wrong with the template, with its line.
    pub fn put(&mut self, language: &str, name: &str, text: String) -> Result<(), String> {
        Environment::new()
            .template_from_named_str(name, &text)
            .map_err(|problem| problem.to_string())?;
        self.texts.insert(format!("{language}/{name}"), text);
        Ok(())
    }

    fn text(&self, language: &str, name: &str) -> Option<&str> {
        self.texts.get(&format!("{language}/{name}")).map(String::as_str)
    }
}

/// A module as it stands in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub name: &'static str,
    pub text: String,
    /// Whether the user wrote it.
    pub own: bool,
    /// Whether a task can be done without it where the window is small.
    pub droppable: bool,
}

impl Rendered {
    pub fn tokens(&self) -> u32 {
        tokens::estimate(&self.text)
    }
}

/// The module of what earlier runs taught. It changes with every question and stands behind the transcript.
const EXPERIENCE: &str = "experience";

/// The module of what memory brought in. It changes with every question and stands behind the transcript.
const MEMORY: &str = "memory";

/// Characters of a date in a time as we write it.
const DATE_LENGTH: usize = "2026-11-22".len();

/// Modules that are left out first.
const DROPPABLE: [&str; 2] = ["principles", "environment"];

/// Modules in their order: what never changes first, so that caches hold the longest prefix.
const ORDER: [&str; 7] = [
    "platform",
    "mechanism",
    "output_format",
    "foundations",
    "principles",
    "toolkits",
    "environment",
];

macro_rules! texts {
    ($language:literal: $($name:literal),*) => {
        &[$((
            $name,
            include_str!(concat!("../../../../assets/prompts/", $language, "/", $name, ".xml")),
        )),*]
    };
}

macro_rules! language {
    ($language:literal) => {
        (
            $language,
            texts!(
                $language: "platform", "mechanism", "output_fenced", "output_tool", "output_json", "output_relay",
                "output_fim", "foundations", "principles", "toolkits", "environment", "draft", "compact", "perceive", "check",
                "look_up", "experience", "lesson", "vote", "learn", "memory"
            ),
        )
    };
}

type Texts = &'static [(&'static str, &'static str)];

/// The language of the modules: the model is addressed in the user's language.
const LANGUAGES: [(&str, Texts); 2] = [language!("en"), language!("zh")];

fn built_in(language: &str, name: &str) -> Option<&'static str> {
    let (_, texts) = LANGUAGES.iter().find(|(known, _)| *known == language)?;
    texts
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| *text)
}

/// Renders the modules of the system prompt, in their order; those without text are left out.
///
/// # Errors
/// [`PromptError::Template`] with the module's name.
pub fn system(situation: &Situation) -> Result<Vec<Rendered>, PromptError> {
    let settings = &situation.settings;
    let format = settings.format;
    let values = context! {
        toolkits => abilities::rendered(&settings.toolkits),
        rounds_max => settings.rounds_max,
        environment => &settings.environment,
        assistant => &settings.assistant,
        calls => format.is_of_calls(),
    };
    let mut modules = Vec::new();
    for name in ORDER {
        let file = match (name, format) {
            ("output_format", Format::Fenced) => "output_fenced",
            ("output_format", Format::Tool) => "output_tool",
            ("output_format", Format::Json) => "output_json",
            ("output_format", Format::Relay) => "output_relay",
            ("output_format", Format::Fim) => "output_fim",
            // Rules of Python for those who write it; tools that are declared to the provider not twice.
            ("foundations", Format::Json | Format::Relay) | ("toolkits", Format::Json) => continue,
            (name, _) => name,
        };
        let text = render(situation, file, &values)?;
        if !text.is_empty() {
            let own = is_own(situation, file);
            modules.push(Rendered {
                name: file,
                text,
                own,
                droppable: DROPPABLE.contains(&file),
            });
        }
    }
    Ok(modules)
}

/// What earlier runs taught, the first `most` of it; `None` when that is nothing, or the module is switched off.
///
/// # Errors
/// As [`system`].
pub fn experience(situation: &Situation, most: usize) -> Result<Option<Rendered>, PromptError> {
    let chosen = situation.taught.get(..most).unwrap_or(&situation.taught);
    let (warnings, examples): (Vec<_>, Vec<_>) =
        chosen.iter().partition(|one| one.kind == ExperienceKind::Warning);
    if chosen.is_empty() {
        return Ok(None);
    }
    let told = |list: Vec<&Experience>| list.into_iter().map(taught).collect::<Vec<Value>>();
    let values = context! { examples => told(examples), warnings => told(warnings) };
    let text = render(situation, EXPERIENCE, &values)?;
    let rendered = Rendered {
        name: EXPERIENCE,
        own: is_own(situation, EXPERIENCE),
        text,
        droppable: true,
    };
    Ok(Some(rendered).filter(|module| !module.text.is_empty()))
}

/// What memory brought in, the first `most` of it; `None` when that is nothing, or the module is switched off.
///
/// # Errors
/// As [`system`].
pub fn memory(situation: &Situation, most: usize) -> Result<Option<Rendered>, PromptError> {
    let told: Vec<Value> = situation.recalled.iter().take(most).map(told).collect();
    if told.is_empty() {
        return Ok(None);
    }
    let text = render(situation, MEMORY, &context! { memories => told })?;
    let own = is_own(situation, MEMORY);
    let rendered = Rendered {
        name: MEMORY,
        text,
        own,
        droppable: true,
    };
    Ok(Some(rendered).filter(|module| !module.text.is_empty()))
}

/// An experience that can't end the element or the fence in which it stands.
fn taught(experience: &Experience) -> Value {
    let safe = |text: &str, characters: usize| {
        let cut: String = text.chars().take(characters).collect();
        cut.replace("</", "< /").replace("```", "` ` `")
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
    // What was kept can't end the module that it stands in.
    let text = hit.text.replace("</", "< /");
    context! { kind => hit.kind.name(), text, date => time.get(..DATE_LENGTH).unwrap_or(&time) }
}

/// Asks in words for what stands in a hole.
///
/// # Errors
/// As [`system`].
pub fn draft(situation: &Situation, hole: &Hole) -> Result<String, PromptError> {
    let values = context! { head => &hole.head, tail => hole.tail };
    render(situation, "draft", &values)
}

/// A module that stands alone and needs nothing filled in.
///
/// # Errors
/// As [`system`].
pub fn plain(situation: &Situation, name: &'static str) -> Result<String, PromptError> {
    render(situation, name, &context! {})
}

/// A module of no run, which needs nothing filled in.
///
/// # Errors
/// As [`system`].
pub fn of_no_run(own: &OwnModules, language: &str, name: &'static str) -> Result<String, PromptError> {
    render_in(own, known(language), name, &context! {})
}

/// Whether the user wrote that module.
fn is_own(situation: &Situation, name: &str) -> bool {
    let own = &situation.settings.own_modules;
    own.text(language(situation), name).is_some()
}

fn language(situation: &Situation) -> &'static str {
    known(&situation.state.language)
}

fn known(language: &str) -> &'static str {
    if language == "zh" { "zh" } else { "en" }
}

fn render(situation: &Situation, name: &'static str, values: &Value) -> Result<String, PromptError> {
    render_in(&situation.settings.own_modules, language(situation), name, values)
}

fn render_in(
    own: &OwnModules,
    language: &'static str,
    name: &'static str,
    values: &Value,
) -> Result<String, PromptError> {
    let rendered = match own.text(language, name) {
        Some(own) => Environment::new().render_named_str(name, own, values),
        None => templates().and_then(|templates| {
            templates
                .get_template(&format!("{language}/{name}"))?
                .render(values)
        }),
    };
    let rendered = rendered.map_err(|source| PromptError::Template {
        module: format!("{language}/{name}"),
        source,
    })?;
    Ok(rendered.trim().to_owned())
}

fn templates() -> Result<&'static Environment<'static>, minijinja::Error> {
    static TEMPLATES: OnceLock<Environment<'static>> = OnceLock::new();
    if let Some(templates) = TEMPLATES.get() {
        return Ok(templates);
    }
    let mut environment = Environment::new();
    for (language, texts) in LANGUAGES {
        for (name, text) in texts {
            environment.add_template_owned(format!("{language}/{name}"), *text)?;
        }
    }
    Ok(TEMPLATES.get_or_init(|| environment))
}
