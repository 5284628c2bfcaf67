//! Which model is chosen: by its provider, its address and its name, or by a text that holds them. Pure.

use crate::presets::{CUSTOM, FILE, preset};

/// The configured model; an empty choice means no language model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelChoice {
    /// Name of the preset.
    pub provider: Option<String>,
    /// An address in place of the preset's; without a provider, an OpenAI-compatible server's.
    pub base_url: Option<String>,
    pub model: Option<String>,
}

impl ModelChoice {
    /// Whether no language model is configured, so that the offline planner answers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [&self.provider, &self.base_url, &self.model]
            .iter()
            .all(|word| word.as_deref().is_none_or(str::is_empty))
            || self.provider.as_deref() == Some("offline")
    }

    /// Whether it is the user's model file, which has no address.
    #[must_use]
    pub fn is_of_file(&self) -> bool {
        self.provider
            .as_deref()
            .is_some_and(|provider| provider.eq_ignore_ascii_case(FILE.name))
    }

    /// The choice that a text means where this choice is the default. The text is `NAME`, `PROVIDER:NAME`, or
    /// either with `@ADDRESS` behind it.
    #[must_use]
    pub fn beside(&self, text: &str) -> Self {
        let (text, address) = addressed(text.trim());
        let own = |provider: &str| {
            self.base_url
                .clone()
                .filter(|_| self.provider.as_deref() == Some(provider))
        };
        let named = |model: &str| Some(model.to_owned()).filter(|model| !model.is_empty());
        match (text.split_once(':'), address) {
            (Some((provider, model)), _) if preset(provider).is_some() || provider == CUSTOM.name => Self {
                base_url: address.map(str::to_owned).or_else(|| own(provider)),
                provider: Some(provider.to_ascii_lowercase()),
                model: named(model),
            },
            // An address of its own belongs to no provider: the format of OpenAI is assumed.
            (_, Some(address)) => Self {
                provider: None,
                base_url: Some(address.to_owned()),
                model: named(text),
            },
            (_, None) => Self {
                model: Some(text.to_owned()),
                ..self.clone()
            },
        }
    }
}

/// A name and the address behind it: `qwen3@http://localhost:8000/v1`. Names may hold an `@` themselves.
fn addressed(text: &str) -> (&str, Option<&str>) {
    let at = ["@http://", "@https://"].iter().find_map(|mark| text.find(mark));
    at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])))
}
