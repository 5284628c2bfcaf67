//! The modules of the system prompt (F4.1), rendered from the template files in `assets/prompts/`.

use super::stubs;
use crate::formats::Format;
use crate::situation::Situation;
use minijinja::{Environment, context};
use std::sync::OnceLock;

#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    #[error("prompt module `{module}`: {source}")]
    Template {
        module: String,
        source: minijinja::Error,
    },
}

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
    ($language:literal) => {
        [
            (
                "platform",
                include_str!(concat!("../../../../assets/prompts/", $language, "/platform.xml")),
            ),
            (
                "mechanism",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/mechanism.xml"
                )),
            ),
            (
                "output_fenced",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/output_fenced.xml"
                )),
            ),
            (
                "output_tool",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/output_tool.xml"
                )),
            ),
            (
                "foundations",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/foundations.xml"
                )),
            ),
            (
                "principles",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/principles.xml"
                )),
            ),
            (
                "toolkits",
                include_str!(concat!("../../../../assets/prompts/", $language, "/toolkits.xml")),
            ),
            (
                "environment",
                include_str!(concat!(
                    "../../../../assets/prompts/",
                    $language,
                    "/environment.xml"
                )),
            ),
        ]
    };
}

/// The language of the modules: the model is addressed in the user's language.
const LANGUAGES: [(&str, [(&str, &str); 8]); 2] = [("en", texts!("en")), ("zh", texts!("zh"))];

/// Renders the system prompt.
///
/// # Errors
/// [`PromptError::Template`] with the module's name.
pub fn system(situation: &Situation) -> Result<String, PromptError> {
    let language = if situation.state.language == "zh" {
        "zh"
    } else {
        "en"
    };
    let templates = templates().map_err(|source| PromptError::Template {
        module: language.to_owned(),
        source,
    })?;
    let settings = &situation.settings;
    let values = context! {
        toolkits => stubs::render(&settings.toolkits),
        rounds_max => settings.rounds_max,
        environment => &settings.environment,
        assistant => &settings.assistant,
    };
    let mut prompt = String::new();
    for module in ORDER {
        let file = match (module, settings.format) {
            ("output_format", Format::Fenced) => "output_fenced",
            ("output_format", Format::Tool) => "output_tool",
            (module, _) => module,
        };
        let render = || {
            templates
                .get_template(&format!("{language}/{file}"))?
                .render(&values)
        };
        let text = render().map_err(|source| PromptError::Template {
            module: file.to_owned(),
            source,
        })?;
        prompt.push_str(text.trim());
        prompt.push_str("\n\n");
    }
    prompt.truncate(prompt.trim_end().len());
    Ok(prompt)
}

fn templates() -> Result<&'static Environment<'static>, minijinja::Error> {
    static TEMPLATES: OnceLock<Environment<'static>> = OnceLock::new();
    if let Some(templates) = TEMPLATES.get() {
        return Ok(templates);
    }
    let mut environment = Environment::new();
    for (language, texts) in LANGUAGES {
        for (name, text) in texts {
            environment.add_template_owned(format!("{language}/{name}"), text)?;
        }
    }
    Ok(TEMPLATES.get_or_init(|| environment))
}
