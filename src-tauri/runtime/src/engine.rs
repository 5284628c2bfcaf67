//! What lives as long as the process: the store, the configuration, the models, the workers, and the runs at work.

pub mod incognito;

use crate::after::AfterRuns;
use crate::changes;
use crate::clock;
use crate::config::Config;
use crate::experience;
use crate::home::Home;
use crate::jobs::Jobs;
use crate::limits::{AFTER_RUN_WAIT, REPLIES_QUEUED, TRACES_SWEPT_EVERY};
use crate::looking::{self, Looking};
use crate::memory::evicting;
use crate::memory::learning::{self, Learner};
use crate::memory::meaning::Meaning;
use crate::memory::placing;
use crate::memory_folder;
use crate::pages::Pages;
use crate::peers::{self, Peers};
use crate::registry::Registry;
use crate::run::{self, Run};
use crate::spending::{Limits, Spending};
use crate::storage;
use crate::tables;
use crate::traces::{Target, Traces};
use crate::words::{Words, internal};
use crate::workers::Workers;
use incognito::Leaves;
use shidi_models::{KeyRing, ModelSettings, Models, Patience, Proxy, Temperature, Temperatures};
use shidi_protocol::{DesktopSignal, Reply, RunEvent, RunId, SessionId, UserError};
use shidi_store::Store;
use shidi_toolkits::Library;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::task::TaskTracker;

pub struct Engine {
    pub store: Store,
    pub workers: Workers,
    /// The language of the start, and the one that holds now: windows follow the setting.
    first_words: Words,
    words: Arc<Mutex<Words>>,
    pub home: Home,
    /// `None` where what is read of documents can't be kept.
    pub library: Option<Library>,
    pub looking: Arc<Looking>,
    /// Where asynchronous work goes, also from threads that are none of its own.
    pub tasks: Handle,
    /// What models were asked for, and what may still be.
    pub spending: Arc<Spending>,
    pub traces: Traces,
    pub after_runs: AfterRuns,
    pub learner: Learner,
    pub meaning: Arc<Meaning>,
    pub registry: Arc<Registry>,
    /// Places for sub-agents.
    pub sub_agents: Semaphore,
    pub jobs: Arc<Jobs>,
    pub peers: Arc<Peers>,
    pub pages: Arc<Pages>,
    /// Work of a moment that nobody waits for but the end.
    pub background: TaskTracker,
    /// Outlives a change of the configuration, as the file of keys may be open.
    keys: KeyRing,
    desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    models: Arc<Mutex<Arc<Models>>>,
    config: Arc<Mutex<Config>>,
    runs: Mutex<HashMap<RunId, Arc<Run>>>,
    watchers: Arc<Mutex<Vec<mpsc::Sender<Reply>>>>,
    leaves: Leaves,
}

impl Engine {
    /// Opens everything that a request may need; nothing here asks the network or the keychain.
    ///
    /// # Errors
    /// A configuration or a database that can't be read, as a sentence with its remedy.
    pub fn open(
        home: &Home,
        desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
        looking: Looking,
        words: Words,
    ) -> Result<Arc<Self>, UserError> {
        shidi_models::install_tls();
        let config = Config::read(&home.config(), words)?;
        let keys = KeyRing::new().with_file(home.keys());
        let models = open_models(&config, &keys, home.folder(), words)?;
        let store = Store::open(&home.database(), shidi_store::OpenOptions::default())
            .map_err(|cause| storage::explain(&cause, words))?;
        let registry = Registry::open(&store).map_err(|cause| storage::explain(&cause, words))?;
        let spending = Arc::new(Spending::new(store.clone()));
        spending.limit(limits(&config));
        let traces = Traces::begin(store.clone(), &Handle::current())
            .map_err(|cause| internal(words, &cause.to_string()))?;
        traces.keep_steps(config.number("trace_days") > 0);
        traces.send_steps(target(&config));
        let engine = Arc::new(Self {
            store,
            traces,
            after_runs: AfterRuns::default(),
            learner: Learner::default(),
            meaning: Arc::default(),
            registry: Arc::new(registry),
            sub_agents: run::places(),
            jobs: Arc::new(Jobs::new(Some(home.jobs()), child_program())),
            peers: Arc::default(),
            pages: Arc::new(Pages::open(home.folder(), words)?),
            background: TaskTracker::new(),
            spending,
            keys,
            workers: Workers::default(),
            first_words: words,
            words: Arc::new(Mutex::new(words)),
            home: home.clone(),
            library: library(home),
            looking: Arc::new(looking),
            tasks: Handle::current(),
            desktop,
            models: Arc::new(Mutex::new(models)),
            config: Arc::new(Mutex::new(config)),
            runs: Mutex::default(),
            watchers: Arc::default(),
            leaves: Leaves::default(),
        });
        engine.follow_language(&mut engine.config());
        engine.jobs.tell_through(&engine);
        engine.begin_looking();
        memory_folder::sweep(home);
        engine.begin_sweeping();
        evicting::begin(&engine);
        peers::begin(&engine)?;
        learning::take_up(&engine);
        if engine.stays() {
            learning::take_up_models(&engine);
            placing::begin(&engine);
        }
        Ok(engine)
    }

    /// Drops traces that are too old, now and again and again; ends with the engine.
    fn begin_sweeping(self: &Arc<Self>) {
        self.sweep();
        let engine = Arc::downgrade(self);
        self.tasks.spawn(async move {
            loop {
                tokio::time::sleep(TRACES_SWEPT_EVERY).await;
                match engine.upgrade() {
                    Some(engine) => engine.sweep(),
                    None => return,
                }
            }
        });
    }

    fn sweep(self: &Arc<Self>) {
        self.sweep_traces();
        let engine = Arc::clone(self);
        // Off the way of a start.
        let sweep = move || {
            if let Err(cause) = experience::sweep(&engine) {
                tracing::warn!(cause.message, "experiences are not swept");
            }
        };
        self.background.spawn_blocking_on(sweep, &self.tasks);
    }

    fn sweep_traces(&self) {
        let days = self.config().number("trace_days");
        Traces::drop_older(&self.store, clock::now(), days);
    }

    /// Follows the window in front where there are windows of ours; a command that ends at once has no use for it.
    fn begin_looking(self: &Arc<Self>) {
        let engine = Arc::clone(self);
        let begin = move || {
            looking::sweep_captures(&engine);
            changes::sweep(&engine);
            if engine.desktop.is_some()
                && let Err(cause) = looking::follow(&engine)
            {
                tracing::info!(%cause, "windows are not followed");
            }
        };
        self.background.spawn_blocking_on(begin, &self.tasks);
    }

    /// The settings as they now are.
    pub fn config(&self) -> MutexGuard<'_, Config> {
        held(&self.config)
    }

    /// The language of sentences as it is now.
    pub fn words(&self) -> Words {
        *held(&self.words)
    }

    /// A command speaks the language of its own call; windows speak the one that is set.
    fn follow_language(&self, config: &mut Config) {
        let words = match config.text("language") {
            set @ ("zh" | "en") if self.desktop.is_some() => Words::of(Some(set)),
            _ => self.first_words,
        };
        *held(&self.words) = words;
        config.speak(words);
    }

    /// Models as they are now configured.
    pub fn models(&self) -> Arc<Models> {
        Arc::clone(&held(&self.models))
    }

    /// Sets a value in the configuration; it holds from the next question on.
    ///
    /// # Errors
    /// As [`Config::set`].
    pub fn configure(&self, key: &str, value: &str) -> Result<(), UserError> {
        let mut config = self.config();
        config.set(key, value)?;
        self.follow_language(&mut config);
        *held(&self.models) = open_models(&config, &self.keys, self.home.folder(), self.words())?;
        self.spending.limit(limits(&config));
        let days = config.number("trace_days");
        if key.starts_with("memory.") && key.contains("_max") {
            evicting::follow(self, &config);
        }
        if key.starts_with("otlp.") {
            self.traces.send_steps(target(&config));
        }
        self.meaning.follow();
        drop(config);
        if key == "trace_days" {
            self.traces.keep_steps(days > 0);
            self.sweep_traces();
        }
        if key.starts_with("privacy.") {
            self.pages.ask_anew();
        }
        if key == "privacy.sensing" && value == "paused" {
            looking::pause(self);
        }
        self.tell(&Reply::ConfigChanged {
            key: key.to_owned(),
            value: value.to_owned(),
        });
        Ok(())
    }

    /// The run of that id, if it is in memory: at work, or waiting with its program alive.
    pub fn run(&self, run: &RunId) -> Option<Arc<Run>> {
        held(&self.runs).get(run).cloned()
    }

    /// The run that is at work or waits in a session.
    pub fn run_of(&self, session: &SessionId) -> Option<Arc<Run>> {
        held(&self.runs)
            .values()
            .find(|run| run.session() == session)
            .cloned()
    }

    /// All runs in memory.
    pub fn runs(&self) -> Vec<Arc<Run>> {
        held(&self.runs).values().cloned().collect()
    }

    pub fn add_run(&self, run: &Arc<Run>) {
        held(&self.runs).insert(run.id().clone(), Arc::clone(run));
    }

    /// Adds it unless it is there already: two may take up the same run at the same time. Returns the one that is.
    pub fn add_run_once(&self, run: &Arc<Run>) -> Option<Arc<Run>> {
        match held(&self.runs).entry(run.id().clone()) {
            Entry::Occupied(there) => Some(Arc::clone(there.get())),
            Entry::Vacant(place) => {
                place.insert(Arc::clone(run));
                None
            }
        }
    }

    pub fn remove_run(&self, run: &RunId) {
        held(&self.runs).remove(run);
    }

    /// Adds somebody who sees the events of every run.
    pub fn watch(&self) -> mpsc::Receiver<Reply> {
        let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
        held(&self.watchers).push(sender);
        receiver
    }

    /// Shows an event to those who watch every run.
    pub fn broadcast(&self, event: &RunEvent) {
        self.tell(&Reply::Event { event: event.clone() });
    }

    /// Toolkits came, changed, went or were switched: runs follow with their next step, windows at once.
    pub fn toolkits_changed(&self) {
        self.registry.touch();
        self.tell(&Reply::ToolsChanged);
    }

    /// Tells those who watch; one who doesn't keep up is dropped.
    pub fn tell(&self, reply: &Reply) {
        held(&self.watchers).retain(|watcher| watcher.try_send(reply.clone()).is_ok());
    }

    /// Whether this process goes on when its question is answered.
    pub fn stays(&self) -> bool {
        self.desktop.is_some()
    }

    /// Hands a signal to the windows; false when this process has none.
    pub fn signal(&self, signal: DesktopSignal) -> bool {
        self.desktop
            .as_ref()
            .is_some_and(|desktop| desktop.send(signal).is_ok())
    }

    /// Ends the workers and writes what is buffered. Runs at work stay as their record left them.
    pub async fn close(self: Arc<Self>) {
        incognito::end_all(&self).await;
        for run in self.runs() {
            run.abandon();
        }
        self.workers.end_all();
        self.after_runs.end().await;
        self.learner.end().await;
        placing::end(&self).await;
        peers::end(&self).await;
        // The database is another program's when nobody holds it any more.
        self.background.close();
        if tokio::time::timeout(AFTER_RUN_WAIT, self.background.wait())
            .await
            .is_err()
        {
            tracing::info!("work in the background was cut off by the end of the process");
        }
        let engine = Arc::clone(&self);
        let last = move || {
            engine.traces.end();
            engine.store.flush()
        };
        match tokio::task::spawn_blocking(last).await {
            Ok(Ok(())) => {}
            Ok(Err(cause)) => tracing::error!(%cause, "the last writes failed"),
            Err(cause) => tracing::error!(%cause, "the last writes did not end"),
        }
    }
}

/// What is read of documents, where it may be kept.
fn library(home: &Home) -> Option<Library> {
    Some(Library::new(home.documents()?, child_program()))
}

/// The program that works as a child of this one: the command line beside this program, which starts fastest, else this one.
pub fn child_program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let beside = own.with_file_name(format!("shidi{}", std::env::consts::EXE_SUFFIX));
    if beside.is_file() { beside } else { own }
}

fn open_models(
    config: &Config,
    keys: &KeyRing,
    folder: &Path,
    words: Words,
) -> Result<Arc<Models>, UserError> {
    let settings = ModelSettings {
        patience: Patience {
            idle_ms: u64::from(config.number("idle_timeout_s")) * 1_000,
            ..Patience::default()
        },
        // The configuration was checked when it was read or set.
        proxy: Proxy::named(config.text("proxy")).unwrap_or_default(),
        prices: tables::prices(folder, words)?,
        profiles: tables::profiles(folder, words)?,
        temperatures: temperatures(config),
    };
    Ok(Arc::new(Models::with(keys.clone(), settings)))
}

/// What the user set; `auto` names no temperature.
fn temperatures(config: &Config) -> Temperatures {
    Temperatures {
        coder: Temperature::named(config.text("temperature.coder")),
        general: Temperature::named(config.text("temperature.general")),
        fast: Temperature::named(config.text("temperature.fast")),
    }
}

/// Where steps of traces are sent besides, if anywhere.
fn target(config: &Config) -> Option<Target> {
    Target::named(config.text("otlp.endpoint"), config.text("otlp.content"))
}

fn limits(config: &Config) -> Limits {
    Limits {
        tokens: config
            .text("budget_tokens")
            .parse()
            .ok()
            .filter(|tokens| *tokens > 0),
        usd: config.text("budget_usd").parse().ok().filter(|usd| *usd > 0.0),
    }
}

/// Locks; a panic elsewhere must not take everything down with it.
pub fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
