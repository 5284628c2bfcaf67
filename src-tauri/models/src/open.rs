//! Turns the user's configuration into a model that can be asked.
//!
//! The keychain is not read when the environment holds the key or the provider needs none. Reading it costs
//! more than the rest of the start.

use crate::Model;
use crate::anthropic::Anthropic;
use crate::chat::{Chat, Endpoint, Http, LIST_MS, Timeouts, Wire, is_loopback};
use crate::choice::ModelChoice;
use crate::completions::Completions;
use crate::embedding::Embedder;
use crate::failure::{failure, own_failure};
use crate::gemini::Gemini;
use crate::keys::{KeyError, KeyRing};
use crate::known::ProfiledModel;
use crate::listing::{self, FoundServer, Listed};
use crate::offline::OfflinePlanner;
use crate::openai::{Dialect, OpenAi};
use crate::presets::{CUSTOM, KeyNeed, Preset, WireFormat, preset};
use crate::prices::{Price, PriceTable};
use crate::profiles::{Profile, Profiles};
use crate::proxy::Proxy;
use crate::sampling::{Refusals, RoleSampling, SamplingRules, Temperatures};
use crate::served_file::FileServer;
use reqwest::Url;
use secrecy::SecretString;
use shidi_locales::Models as Sentences;
use shidi_protocol::{Brief, FailureKind, Message, ModelFailure, ModelRequest, ModelRole, RunId, Speaker};
use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Milliseconds that a model may take for a test's question: a local model is loaded first.
const TEST_MS: u64 = 60_000;
/// The same where the model is loaded from its file first, which may lie on a slow disk.
const TEST_OF_FILE_MS: u64 = 600_000;
/// Milliseconds that a test waits for a server which loads its model, so that the test ends with that reason.
const TEST_LOADING_MS: u64 = 50_000;
/// Tokens of a test's answer; models that think need some before the first word.
const TEST_TOKENS: u32 = 512;
/// Characters of a test's answer that are shown.
const TEST_CHARS: usize = 80;

/// The user's settings beside keys and choices.
#[derive(Debug, Clone, Default)]
pub struct ModelSettings {
    pub patience: Timeouts,
    pub proxy: Proxy,
    pub prices: PriceTable,
    pub profiles: Profiles,
    pub temperatures: Temperatures,
    /// Top-p, seed and penalties; a temperature in it counts for nothing.
    pub sampling: RoleSampling,
}

impl ModelSettings {
    /// The built-in tables and the system's proxy.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            prices: PriceTable::built_in(),
            profiles: Profiles::built_in(),
            ..Self::default()
        }
    }
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    pub model: String,
    pub ms: u64,
    /// The answer, shortened.
    pub said: String,
}

/// A test's patience with a server that loads its model.
fn of_test(patience: Timeouts) -> Timeouts {
    Timeouts {
        loading_ms: patience.loading_ms.min(TEST_LOADING_MS),
        ..patience
    }
}

/// Opens models. One per process, since this value keeps the connections.
pub struct Models {
    keys: KeyRing,
    http: Arc<Http>,
    settings: ModelSettings,
    refusals: Refusals,
    /// Who serves the user's model file, once somebody does.
    files: Arc<OnceLock<Weak<dyn FileServer>>>,
}

impl Models {
    #[must_use]
    pub fn new(keys: KeyRing) -> Self {
        Self::with(keys, ModelSettings::built_in())
    }

    #[must_use]
    pub fn with(keys: KeyRing, settings: ModelSettings) -> Self {
        Self {
            keys,
            http: Arc::new(Http::through(settings.proxy.clone())),
            settings,
            refusals: Refusals::default(),
            files: Arc::default(),
        }
    }

    /// The same value with other settings. The file of keys stays open, and models' refusals stay known.
    #[must_use]
    pub fn configured(&self, settings: ModelSettings) -> Self {
        Self {
            refusals: self.refusals.clone(),
            files: Arc::clone(&self.files),
            ..Self::with(self.keys.clone(), settings)
        }
    }

    #[must_use]
    pub fn keys(&self) -> &KeyRing {
        &self.keys
    }

    /// The profile of a provider's model.
    #[must_use]
    pub fn profile(&self, provider: &str, model: &str) -> Profile {
        self.settings.profiles.profile(provider, model)
    }

    #[must_use]
    pub fn price(&self, provider: &str, model: &str) -> Option<Price> {
        self.settings.prices.price(provider, model)
    }

    /// Opens the chosen model, or the offline planner when none is chosen. Asks a server only when the server
    /// is local and no model was named.
    ///
    /// # Errors
    /// When the provider is unknown or not built yet, its key is missing, or the address is invalid.
    pub async fn open(&self, choice: &ModelChoice) -> Result<Arc<dyn Model>, ModelFailure> {
        self.open_sampled(choice, RoleSampling::default()).await
    }

    /// Opens a model that is to choose its words as wished.
    ///
    /// # Errors
    /// As [`Models::open`].
    pub async fn open_sampled(
        &self,
        choice: &ModelChoice,
        wished: RoleSampling,
    ) -> Result<Arc<dyn Model>, ModelFailure> {
        self.open_patient(choice, wished, self.settings.patience).await
    }

    /// As [`Models::open_sampled`], with a patience of the caller's.
    async fn open_patient(
        &self,
        choice: &ModelChoice,
        wished: RoleSampling,
        patience: Timeouts,
    ) -> Result<Arc<dyn Model>, ModelFailure> {
        if choice.is_empty() {
            return Ok(Arc::new(OfflinePlanner::new()));
        }
        if choice.is_of_file() {
            return Ok(Arc::new(self.open_file(wished).await?));
        }
        let (preset, mut endpoint) = self.endpoint(choice).await?;
        let wire = wire_to(&preset, &endpoint);
        if endpoint.model.is_empty() {
            let listed = listing::list(&preset, &endpoint, &*wire, &self.http, LIST_MS).await?;
            endpoint.model = listed.into_iter().next().map(|model| model.id).ok_or_else(|| {
                own_failure(
                    FailureKind::NoSuchModel,
                    preset.name,
                    Sentences::server_without_models,
                )
            })?;
        }
        let profile = self.profile(&endpoint.provider, &endpoint.model);
        let price = self.price(&endpoint.provider, &endpoint.model);
        let sampling = self.sampling(
            wished,
            profile,
            [&endpoint.provider, &endpoint.base_url, &endpoint.model],
        );
        let opened = |endpoint: Endpoint, wire| {
            let chat = Chat::new(endpoint, wire, patience, price, &self.http)?;
            Ok(chat.sampled(sampling.clone()))
        };
        let completions = completions(&preset, profile);
        let completions = completions
            .map(|wire| opened(endpoint.clone(), wire))
            .transpose()?;
        let chat = opened(endpoint, wire)?;
        Ok(Arc::new(ProfiledModel {
            chat,
            completions,
            is_refused: AtomicBool::new(false),
            profile,
        }))
    }

    fn sampling(&self, wished: RoleSampling, profile: Profile, name: [&str; 3]) -> SamplingRules {
        SamplingRules {
            wished,
            own: self.settings.temperatures,
            set: self.settings.sampling,
            profile: profile.temperature,
            refusals: self.refusals.clone(),
            name: name.join(" "),
        }
    }

    /// Opens an embedding model. Connects to no server.
    ///
    /// # Errors
    /// As [`Models::open`], and when no model is named or the provider has no embedding models.
    pub async fn open_embedder(&self, choice: &ModelChoice) -> Result<Embedder, ModelFailure> {
        let (preset, endpoint) = self.endpoint(choice).await?;
        // A provider's default model is a chat model, so the embedding model must be named.
        let named = choice.model.as_deref().unwrap_or_default().trim().to_owned();
        let endpoint = Endpoint {
            model: named,
            ..endpoint
        };
        let wire = wire(&preset, &endpoint.model);
        let price = self.price(&endpoint.provider, &endpoint.model);
        Embedder::new(
            endpoint,
            preset.wire,
            wire,
            self.settings.patience,
            price,
            &self.http,
        )
    }

    /// Lists the models that a provider offers.
    ///
    /// # Errors
    /// As [`Models::open`], and any failure of the server; takes at most 10 s.
    pub async fn list(&self, choice: &ModelChoice) -> Result<Vec<Listed>, ModelFailure> {
        if choice.is_of_file() {
            return self.list_file().await;
        }
        let (preset, endpoint) = self.endpoint(choice).await?;
        let wire = wire(&preset, "");
        listing::list(&preset, &endpoint, &*wire, &self.http, LIST_MS).await
    }

    /// Tests address and key without asking a model. A given key is tested in place of the kept one.
    ///
    /// # Errors
    /// As [`Models::list`].
    pub async fn check_key(
        &self,
        choice: &ModelChoice,
        key: Option<SecretString>,
    ) -> Result<(), ModelFailure> {
        if choice.is_of_file() {
            return self.file_server()?.outline().await.map(drop);
        }
        let (preset, endpoint) = match key {
            Some(key) => {
                let (preset, endpoint) = unkeyed(choice)?;
                let key = Some(key);
                (preset, Endpoint { key, ..endpoint })
            }
            None => self.endpoint(choice).await?,
        };
        let wire = wire(&preset, "");
        match preset.test_path {
            Some(path) => listing::check_key(&endpoint, &*wire, &self.http, path).await,
            None => listing::list(&preset, &endpoint, &*wire, &self.http, LIST_MS)
                .await
                .map(|_| ()),
        }
    }

    /// Asks the chosen model one tiny question; takes at most a minute, and longer only where a file is loaded.
    ///
    /// # Errors
    /// As [`Model::ask`].
    pub async fn try_out(&self, choice: &ModelChoice) -> Result<Tested, ModelFailure> {
        let patience = of_test(self.settings.patience);
        let model = self
            .open_patient(choice, RoleSampling::default(), patience)
            .await?;
        let request = ModelRequest {
            run: RunId::from("test"),
            role: ModelRole::General,
            messages: vec![Message::text(Speaker::User, "Answer with the one word: ok")],
            tools: Vec::new(),
            max_output_tokens: TEST_TOKENS,
            completion: None,
            parts: Vec::new(),
            brief: Brief::default(),
        };
        let started = Instant::now();
        let (mut nobody, cancel) = (|_| {}, CancellationToken::new());
        let asking = model.ask(&request, &mut nobody, &cancel);
        let most = if choice.is_of_file() {
            TEST_OF_FILE_MS
        } else {
            TEST_MS
        };
        let reply = tokio::time::timeout(Duration::from_millis(most), asking)
            .await
            .map_err(|_| {
                let seconds = most / 1000;
                own_failure(FailureKind::Timeout, model.provider(), |say| {
                    say.no_answer_within(seconds)
                })
            })??;
        Ok(Tested {
            model: reply.model,
            ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            said: reply.text.trim().chars().take(TEST_CHARS).collect(),
        })
    }

    /// Looks for model servers on this machine; takes at most about a second.
    pub async fn find_servers(&self) -> Vec<FoundServer> {
        listing::find_servers(crate::presets(), wire, Arc::clone(&self.http)).await
    }

    async fn endpoint(&self, choice: &ModelChoice) -> Result<(Preset, Endpoint), ModelFailure> {
        let (preset, endpoint) = unkeyed(choice)?;
        let key = match preset.key {
            KeyNeed::NotNeeded => self.keys.from_environment(preset.name),
            // A gateway on this machine that speaks the provider's format may need no key.
            KeyNeed::Needed if is_here(&endpoint) => self.keys.get(preset.name).await.unwrap_or_default(),
            KeyNeed::Needed => Some(self.needed_key(preset.name).await?),
            KeyNeed::IfKept => self.key_if_kept(&endpoint).await,
        };
        Ok((preset, Endpoint { key, ..endpoint }))
    }

    async fn needed_key(&self, provider: &str) -> Result<SecretString, ModelFailure> {
        match self.keys.get(provider).await {
            Ok(Some(key)) => Ok(key),
            Ok(None) => Err(failure(FailureKind::NoKey, provider, "")),
            Err(error @ KeyError::FileLocked { .. }) => {
                Err(own_failure(FailureKind::KeysLocked, provider, |say| {
                    error.sentence(say.language())
                }))
            }
            // Without keychain and file no key can be kept.
            Err(KeyError::Absent { .. }) => Err(failure(FailureKind::NoKey, provider, "")),
            Err(error) => Err(own_failure(FailureKind::NoKey, provider, |say| {
                error.sentence(say.language())
            })),
        }
    }

    /// The key for an address without a preset. A server on this machine gets only a key of this process's
    /// environment. A server further away also gets a kept key.
    async fn key_if_kept(&self, endpoint: &Endpoint) -> Option<SecretString> {
        let given = self
            .keys
            .from_environment(CUSTOM.name)
            .or_else(|| self.keys.from_environment("openai"));
        if given.is_some() || is_here(endpoint) {
            return given;
        }
        // A failing keychain must not block a server that needs no key.
        self.keys.get(CUSTOM.name).await.unwrap_or_default()
    }
}

/// Whether an endpoint is on this machine.
fn is_here(endpoint: &Endpoint) -> bool {
    Url::parse(&endpoint.base_url).is_ok_and(|url| is_loopback(&url))
}

/// Whether an endpoint is on this machine or in a network of the user's own.
fn is_near(endpoint: &Endpoint) -> bool {
    let Ok(url) = Url::parse(&endpoint.base_url) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let is_private = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => address.is_unique_local(),
        Err(_) => host.ends_with(".local") || !host.contains('.'),
    };
    is_private || is_loopback(&url)
}

/// The preset and endpoint of a choice, without the key.
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
                own_failure(FailureKind::Refused, name, |say| {
                    say.no_such_provider(known_names(), name)
                })
            })?,
        (None, Some(url)) => preset_at(url),
        (None, None) => *preset("openai").unwrap_or(&CUSTOM),
    };
    let base_url = base_url.unwrap_or_else(|| preset.base_url.to_owned());
    if base_url.is_empty() {
        return Err(own_failure(
            FailureKind::Unreachable,
            preset.name,
            Sentences::no_address,
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
        socket: None,
    };
    Ok((preset, endpoint))
}

/// The preset whose server an address names, or [`CUSTOM`]. Any program may listen at a local port, so a port
/// names no preset.
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

/// The wire of a provider's model.
fn wire(preset: &Preset, model: &str) -> Box<dyn Wire> {
    match preset.wire {
        WireFormat::OpenAiChat => Box::new(OpenAi::of(preset.name)),
        WireFormat::AnthropicMessages => Box::new(Anthropic::of(model)),
        WireFormat::GeminiGenerate => Box::new(Gemini::of(model)),
    }
}

/// The wire for questions. A server nearby is asked to report how much of the prompt is read. The server of
/// llama.cpp reports, and the others ignore the field. A server that refuses the field is asked again without
/// it.
fn wire_to(preset: &Preset, endpoint: &Endpoint) -> Box<dyn Wire> {
    let may_be_llama = preset.name == "llamacpp" || preset.name == CUSTOM.name && is_near(endpoint);
    if may_be_llama && preset.wire == WireFormat::OpenAiChat {
        return Box::new(OpenAi::of(preset.name).with_progress());
    }
    wire(preset, &endpoint.model)
}

/// The wire for filling holes, where a provider's model has one.
fn completions(preset: &Preset, profile: Profile) -> Option<Box<dyn Wire>> {
    let way = profile.fim.filter(|_| preset.wire == WireFormat::OpenAiChat)?;
    let dialect = Dialect::of(preset.name);
    Some(Box::new(Completions { way, dialect }))
}

fn known_names() -> String {
    crate::presets()
        .iter()
        .map(|preset| preset.name)
        .collect::<Vec<_>>()
        .join(", ")
}

mod file;
#[cfg(test)]
mod tests;
