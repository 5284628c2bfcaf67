//! The texts of the prompt's modules, as templates: built in, or the user's own in their place.
//!
//! Built-in modules lie in `assets/prompts/`, one file per language and module. Files of the same name in the data
//! folder take their place. A module without text is switched off. Which languages there are is listed by the build.

use minijinja::{Environment, Value};
use shidi_locales::Language;
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
        let names = texts(Language::SOURCE.code()).unwrap_or_default().iter();
        names.map(|(name, _)| *name)
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

    /// The text of a built-in module.
    #[must_use]
    pub fn built_in(language: &str, name: &str) -> Option<&'static str> {
        built_in(language, name)
    }

    pub(crate) fn text(&self, language: &str, name: &str) -> Option<&str> {
        self.texts.get(&format!("{language}/{name}")).map(String::as_str)
    }
}

type Texts = &'static [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/prompts.rs"));

/// The language in which a model is addressed: the user's, where it has modules, else the source language.
pub fn addressed_in(language: &str) -> &'static str {
    let own = FOLDERS.iter().find(|(known, _)| *known == language);
    own.map_or(Language::SOURCE.code(), |(known, _)| known)
}

fn texts(language: &str) -> Option<Texts> {
    let folder = FOLDERS.iter().find(|(known, _)| *known == language);
    folder.map(|(_, texts)| *texts)
}

fn built_in(language: &str, name: &str) -> Option<&'static str> {
    let text = texts(language)?.iter().find(|(known, _)| *known == name);
    text.map(|(_, text)| *text)
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
    for (language, texts) in FOLDERS {
        for (name, text) in *texts {
            environment.add_template_owned(format!("{language}/{name}"), *text)?;
        }
    }
    Ok(TEMPLATES.get_or_init(|| environment))
}
