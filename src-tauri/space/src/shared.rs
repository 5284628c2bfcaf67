//! The parts that each process has once: settings, language, models, limits of the day, and the watchers.
//!
//! Every data space of the process shares it. The process knows no feature: features take what they need of it.

use crate::assistant_bounds::KnownAssistants;
use crate::config::Config;
use crate::config::settings::{Seed, Share};
use crate::limits::REPLIES_QUEUED;
use crate::tables;
use crate::usage::{Limits, Spending};
use parking_lot::{Mutex, MutexGuard};
use shidi_locales::Language;
use shidi_models::{KeyRing, ModelSettings, Models, RoleSampling, Temperatures, Timeouts};
use shidi_protocol::{DesktopSignal, Reply, RunEvent, Sampling, UserError};
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

pub struct Shared {
    /// Where asynchronous work goes, also from threads that are none of its own.
    pub tasks: Handle,
    /// What models were asked for, and what may still be.
    pub spending: Arc<Spending>,
    /// The language of the start; windows follow the setting.
    first_language: Language,
    language: Mutex<Language>,
    models: Mutex<Arc<Models>>,
    config: Mutex<Config>,
    watchers: Mutex<Vec<mpsc::Sender<Reply>>>,
    desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    /// What the files of assistants say.
    pub assistants: Arc<KnownAssistants>,
}

impl Shared {
    /// Takes the settings of `folder`, the data folder, and the keys that models need.
    ///
    /// # Errors
    /// Tables of prices or profiles that can't be read.
    pub fn new(
        (config, folder): (Config, &Path),
        keys: KeyRing,
        spending: Spending,
        desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
        language: Language,
    ) -> Result<Self, UserError> {
        let settings = model_settings(&config, folder, language)?;
        spending.limit(limits(&config));
        let shared = Self {
            tasks: Handle::current(),
            spending: Arc::new(spending),
            first_language: language,
            language: Mutex::new(language),
            models: Mutex::new(Arc::new(Models::with(keys, settings))),
            config: Mutex::new(config),
            watchers: Mutex::default(),
            desktop,
            assistants: Arc::default(),
        };
        shared.follow_language(&mut shared.config());
        Ok(shared)
    }

    /// The settings as they now are.
    pub fn config(&self) -> MutexGuard<'_, Config> {
        self.config.lock()
    }

    /// The language of sentences as it is now.
    pub fn language(&self) -> Language {
        *self.language.lock()
    }

    /// Models as they are now configured.
    pub fn models(&self) -> Arc<Models> {
        Arc::clone(&self.models.lock())
    }

    /// Sets a value in the configuration of `folder`, the data folder. Models, limits and language follow at once.
    ///
    /// # Errors
    /// As [`Config::set`].
    pub fn configure(&self, key: &str, value: &str, folder: &Path) -> Result<(), UserError> {
        let mut config = self.config();
        config.set(key, value)?;
        self.follow_language(&mut config);
        let settings = model_settings(&config, folder, self.language())?;
        let models = Arc::new(self.models().configured(settings));
        *self.models.lock() = models;
        self.spending.limit(limits(&config));
        Ok(())
    }

    /// A command speaks the language of its own call; windows speak the one that is set.
    fn follow_language(&self, config: &mut Config) {
        let set = Language::known(&config.desktop.language.0).filter(|_| self.stays());
        let language = set.unwrap_or(self.first_language);
        *self.language.lock() = language;
        config.speak(language);
    }

    /// Adds somebody who sees the events of every run, and is told first that it does.
    pub fn watch(&self) -> mpsc::Receiver<Reply> {
        let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
        let mut watchers = self.watchers.lock();
        if sender.try_send(Reply::Watching).is_ok() {
            watchers.push(sender);
        }
        receiver
    }

    /// Shows an event to those who watch every run.
    pub fn broadcast(&self, event: &RunEvent) {
        self.tell(&Reply::Event { event: event.clone() });
    }

    /// Tells those who watch; one who doesn't keep up is dropped.
    pub fn tell(&self, reply: &Reply) {
        self.watchers
            .lock()
            .retain(|watcher| watcher.try_send(reply.clone()).is_ok());
    }

    /// Whether this process has windows, and so goes on when its question is answered.
    pub fn stays(&self) -> bool {
        self.desktop.is_some()
    }

    /// Hands a signal to the windows; false when this process has none.
    pub fn signal(&self, signal: DesktopSignal) -> bool {
        self.desktop
            .as_ref()
            .is_some_and(|desktop| desktop.send(signal).is_ok())
    }
}

fn model_settings(config: &Config, folder: &Path, language: Language) -> Result<ModelSettings, UserError> {
    Ok(ModelSettings {
        patience: Timeouts {
            idle_ms: u64::from(config.upkeep.idle_timeout_s) * 1_000,
            ..Timeouts::default()
        },
        // The configuration was checked when it was read or set.
        proxy: config.reach.proxy.clone(),
        prices: tables::prices(folder, language)?,
        profiles: tables::profiles(folder, language)?,
        temperatures: temperatures(config),
        sampling: sampling(config),
    })
}

/// What the user set; `auto` names no temperature.
fn temperatures(config: &Config) -> Temperatures {
    Temperatures {
        coder: config.temperature.coder.0,
        general: config.temperature.general.0,
        fast: config.temperature.fast.0,
    }
}

/// What the user set beside the temperature.
fn sampling(config: &Config) -> RoleSampling {
    let (top_p, seed) = (&config.top_p, &config.seed);
    let (presence, frequency) = (&config.presence_penalty, &config.frequency_penalty);
    RoleSampling {
        coder: sent(top_p.coder, seed.coder, presence.coder, frequency.coder),
        general: sent(top_p.general, seed.general, presence.general, frequency.general),
        fast: sent(top_p.fast, seed.fast, presence.fast, frequency.fast),
    }
}

fn sent(top_p: Share, seed: Seed, presence_penalty: Share, frequency_penalty: Share) -> Sampling {
    Sampling {
        temperature: None,
        top_p: top_p.0,
        seed: seed.0,
        presence_penalty: presence_penalty.0,
        frequency_penalty: frequency_penalty.0,
    }
}

fn limits(config: &Config) -> Limits {
    Limits {
        tokens: Some(u64::from(config.upkeep.budget_tokens)).filter(|tokens| *tokens > 0),
        usd: config.upkeep.budget_usd.0,
    }
}
