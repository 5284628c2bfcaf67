//! From what the user configured to a model that can be asked.
//!
//! The keychain is left alone when the environment holds the key or the provider needs none: reading it costs more
//! than the rest of the start.

use crate::Model;
use crate::failure::failure;
use crate::keys::KeyRing;
use crate::offline::OfflinePlanner;
use crate::openai::{self, Endpoint, Http, OpenAiChat, Patience};
use crate::presets::{CUSTOM, KeyNeed, Preset, WireFormat, preset};
use reqwest::Url;
use secrecy::SecretString;
use shidi_protocol::{FailureKind, ModelFailure};
use std::sync::Arc;

/// What the user configured; all empty means no language model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelChoice {
    /// Name of a preset.
    pub provider: Option<String>,
    /// An OpenAI-compatible address, in place of the preset's.
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
}

/// Opens models. One per process, as it keeps the connections.
pub struct Models {
    keys: KeyRing,
    http: Http,
    patience: Patience,
}

impl Models {
    #[must_use]
    pub fn new(keys: KeyRing) -> Self {
        Self::with_patience(keys, Patience::default())
    }

    #[must_use]
    pub fn with_patience(keys: KeyRing, patience: Patience) -> Self {
        Self {
            keys,
            http: Http::default(),
            patience,
        }
    }

    #[must_use]
    pub fn keys(&self) -> &KeyRing {
        &self.keys
    }

    /// Opens the chosen model, or the offline planner when none is chosen. Asks a server only when it is a local one
    /// and no model was named.
    ///
    /// # Errors
    /// When the provider is unknown or not built yet, its key is missing, or the address is none.
    pub async fn open(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, ModelFailure> {
        if choice.is_empty() {
            return Ok(Arc::new(OfflinePlanner::new()));
        }
        let (preset, mut endpoint) = self.endpoint(choice).await?;
        if endpoint.model.is_empty() {
            let names = openai::list_models(&endpoint, "/models", &self.http).await?;
            endpoint.model = names.into_iter().next().ok_or_else(|| {
                failure(
                    FailureKind::NoSuchModel,
                    preset.name,
                    "the server offers no model; load one or name it with --model",
                )
            })?;
        }
        Ok(Arc::new(OpenAiChat::new(endpoint, self.patience, &self.http)?))
    }

    /// Tests address and key, and lists the names of the models there. A key that is given is tested in place of the
    /// kept one.
    ///
    /// # Errors
    /// As [`Models::open`], and whatever the server answers; at most 10 s.
    pub async fn test(
        &self,
        choice: &ModelChoice,
        key: Option<SecretString>,
    ) -> Result<Vec<String>, ModelFailure> {
        let (preset, endpoint) = match key {
            Some(key) => {
                let (preset, endpoint) = unkeyed(choice)?;
                (
                    preset,
                    Endpoint {
                        key: Some(key),
                        ..endpoint
                    },
                )
            }
            None => self.endpoint(choice).await?,
        };
        openai::list_models(&endpoint, preset.test_path, &self.http).await
    }

    async fn endpoint(&self, choice: &ModelChoice) -> Result<(Preset, Endpoint), ModelFailure> {
        let (preset, endpoint) = unkeyed(choice)?;
        let key = match preset.key {
            KeyNeed::NotNeeded => self.keys.from_environment(preset.name),
            KeyNeed::Needed => Some(self.needed_key(preset.name).await?),
            KeyNeed::IfKept => self.key_if_kept(&endpoint).await,
        };
        Ok((preset, Endpoint { key, ..endpoint }))
    }

    async fn needed_key(&self, provider: &str) -> Result<SecretString, ModelFailure> {
        let missing = |detail: String| failure(FailureKind::Key, provider, &detail);
        match self.keys.get(provider).await {
            Ok(Some(key)) => Ok(key),
            Ok(None) => Err(missing(format!(
                "no key is kept for {provider}; set one with: shidi key set {provider}"
            ))),
            Err(error) => Err(missing(format!("{error}; {}", error.remedy()))),
        }
    }

    /// The key for an address without a preset. A server on this machine gets only a key that was meant for this
    /// process; one further away also a kept one.
    async fn key_if_kept(&self, endpoint: &Endpoint) -> Option<SecretString> {
        let given = self
            .keys
            .from_environment(CUSTOM.name)
            .or_else(|| self.keys.from_environment("openai"));
        let url = Url::parse(&endpoint.base_url).ok()?;
        if given.is_some() || openai::is_loopback(&url) {
            return given;
        }
        // A keychain that fails must not keep a server that needs no key from being asked.
        self.keys.get(CUSTOM.name).await.unwrap_or_default()
    }
}

/// Everything of an endpoint but its key.
fn unkeyed(choice: &ModelChoice) -> Result<(Preset, Endpoint), ModelFailure> {
    let word = |word: &Option<String>| {
        word.as_deref()
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
    };
    let (provider, base_url) = (word(&choice.provider), word(&choice.base_url));
    let preset = match (&provider, &base_url) {
        (Some(name), _) => *preset(name)
            .or((name == CUSTOM.name).then_some(&CUSTOM))
            .ok_or_else(|| {
                failure(
                    FailureKind::Refused,
                    name,
                    &format!("no provider is called {name:?}; known are: {}", known_names()),
                )
            })?,
        (None, Some(url)) => preset_at(url),
        (None, None) => *preset("openai").unwrap_or(&CUSTOM),
    };
    if preset.wire == WireFormat::Unsupported {
        let detail = format!(
            "{} is not supported yet; use an OpenAI-compatible provider such as openrouter",
            preset.title
        );
        return Err(failure(FailureKind::Refused, preset.name, &detail));
    }
    let base_url = base_url.unwrap_or_else(|| preset.base_url.to_owned());
    if base_url.is_empty() {
        return Err(failure(
            FailureKind::Unreachable,
            preset.name,
            "no address is configured; give one with --model-url",
        ));
    }
    let model = word(&choice.model)
        .or(preset.default_model.map(str::to_owned))
        .unwrap_or_default();
    let endpoint = Endpoint {
        provider: preset.name.to_owned(),
        base_url,
        model,
        key: None,
    };
    Ok((preset, endpoint))
}

/// The preset whose server an address names, or [`CUSTOM`]. Local ports prove nothing: anybody may listen there.
fn preset_at(url: &str) -> Preset {
    let host = |text: &str| {
        Url::parse(text)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
    };
    let Some(wanted) = host(url) else { return CUSTOM };
    let hosted = crate::presets()
        .iter()
        .filter(|preset| preset.key == KeyNeed::Needed);
    hosted
        .into_iter()
        .find(|preset| host(preset.base_url).as_ref() == Some(&wanted))
        .copied()
        .unwrap_or(CUSTOM)
}

fn known_names() -> String {
    crate::presets()
        .iter()
        .map(|preset| preset.name)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests;
