//! The texts of the prompt's modules, as templates: built in, or the user's own in their place.
//!
//! Built-in modules lie in `assets/prompts/`, one file per language and module; files of the same name in the data
//! folder take their place. A module without text is switched off.

use minijinja::{Environment, Value};
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

/// Modules that the user wrote in place of built-in ones, by `language/name`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnModules {
    texts: BTreeMap<String, String>,
}

impl OwnModules {
    /// Whether a built-in module of that name exists.
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
    /// The fault of the template, with its line.
    pub fn put(&mut self, language: &str, name: &str, text: String) -> Result<(), String> {
        Environment::new()
            .template_from_named_str(name, &text)
            .map_err(|problem| problem.to_string())?;
        self.texts.insert(format!("{language}/{name}"), text);
        Ok(())
    }

    pub(crate) fn text(&self, language: &str, name: &str) -> Option<&str> {
        self.texts.get(&format!("{language}/{name}")).map(String::as_str)
    }
}

macro_rules! texts {
    ($language:literal: $($name:literal),*) => {
        &[$((
            $name,
            include_str!(concat!("../../../assets/prompts/", $language, "/", $name, ".xml")),
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
                "look_up", "experience", "lesson", "vote", "learn", "memory", "think", "extract", "validate"
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

/// Renders a module of a language with its values.
///
/// # Errors
/// [`PromptError::Template`] with the module's name.
pub fn render(
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
