//! The engine of a data space: the features, the workers, and the runs in memory.

pub mod incognito;

use crate::blob_store;
use crate::clock;
use crate::config::Config;
use crate::config::settings::{Sensing, Settings};
use crate::errors::internal;
use crate::front_page::OfBrowser;
use crate::home::Home;
use crate::ids;
use crate::limits::{AFTER_RUN_WAIT, TRACES_SWEPT_EVERY};
use crate::memory_folder;
use crate::post_run::AfterRuns;
use crate::registry::Registry;
use crate::run::{self, LearningQueue, Run};
use crate::shared::Shared;
use crate::space::{Space, child_program};
use crate::storage;
use crate::usage::Spending;
use crate::workers::Workers;
use incognito::Beside;
use parking_lot::Mutex;
use shidi_assistants::Assistants;
use shidi_bad_cases::{BadCases, Trials};
use shidi_browser::{PAGE, Pages, Runs};
use shidi_capture::{self as capture, Capture, CaptureState};
use shidi_changes as changes;
use shidi_code_index::CodeIndex;
use shidi_embedding::Embeddings;
use shidi_jobs::Jobs;
use shidi_local_model::LocalModel;
use shidi_locales::Language;
use shidi_mcp::McpServers;
use shidi_memory::evicting;
use shidi_memory::experience;
use shidi_models::KeyRing;
use shidi_plugins::Plugins;
use shidi_protocol::{DesktopSignal, Reply, RunId, SessionId, UserError};
use shidi_saved_prompts::SavedPrompts;
use shidi_scheduler::Scheduler;
use shidi_skills::Skills;
use shidi_space::segment_numbers::SegmentNumbers;
use shidi_store::Store;
use shidi_trace::{Target, Traces};
use shidi_web::Web;
use shidi_workflow_runs::Workflows;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};

pub struct Engine {
    space: Arc<Space>,
    pub workers: Workers,
    pub capture: Arc<Capture>,
    pub traces: Traces,
    pub after_runs: AfterRuns,
    pub learning_queue: LearningQueue,
    pub embeddings: Arc<Embeddings>,
    pub code: Arc<CodeIndex>,
    pub registry: Arc<Registry>,
    /// Places for sub-agents.
    pub sub_agents: Semaphore,
    pub jobs: Arc<Jobs>,
    pub local_model: Arc<LocalModel>,
    pub mcp_servers: Arc<McpServers>,
    pub pages: Arc<Pages>,
    pub web: Arc<Web>,
    pub saved_prompts: Arc<SavedPrompts>,
    pub bad_cases: Arc<BadCases>,
    pub skills: Arc<Skills>,
    pub plugins: Arc<Plugins>,
    pub workflows: Arc<Workflows>,
    pub scheduler: Arc<Scheduler>,
    pub assistants: Arc<Assistants>,
    pub segment_numbers: SegmentNumbers,
    runs: Mutex<HashMap<RunId, Arc<Run>>>,
    /// The engines of incognito sessions; one of them has none beside it.
    beside: Option<Beside>,
}

/// An engine is used as the space that it works in.
impl Deref for Engine {
    type Target = Arc<Space>;

    fn deref(&self) -> &Arc<Space> {
        &self.space
    }
}

impl Engine {
    /// Opens everything that a request may need; nothing here asks the network or the keychain.
    ///
    /// # Errors
    /// A configuration or a database that can't be read, as a sentence with its remedy.
    pub fn open(
        home: &Home,
        desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
        looking: CaptureState,
        trials: Option<Arc<dyn Trials>>,
        language: Language,
    ) -> Result<Arc<Self>, UserError> {
        shidi_models::install_tls();
        let config = Config::read(&home.config(), language)?;
        let keys = KeyRing::new().with_file(home.keys());
        let store = Store::open(&home.database(), shidi_store::OpenOptions::default())
            .map_err(|cause| storage::explain(&cause, language))?;
        let registry = Registry::open(&store, &[PAGE, shidi_workflow_runs::NAME])
            .map(Arc::new)
            .map_err(|cause| storage::explain(&cause, language))?;
        let traces = Traces::begin(store.clone(), &Handle::current())
            .map_err(|cause| internal(language, &cause.to_string()))?;
        traces.keep_steps(config.upkeep.trace_days > 0);
        traces.send_steps(target(&config));
        let spending = Spending::new(store.clone());
        let shared = Shared::new((config, home.folder()), keys, spending, desktop, language)?;
        let space = Arc::new(Space::new(Arc::new(shared), store, home.clone(), None));
        let pages = Pages::open(Arc::clone(&space), Arc::clone(&registry))?;
        let embeddings = Embeddings::new(Arc::clone(&space));
        let engine = Arc::new(Self {
            traces,
            after_runs: AfterRuns::default(),
            learning_queue: LearningQueue::default(),
            code: CodeIndex::new(Arc::clone(&space), Arc::clone(&embeddings)),
            embeddings,
            registry: Arc::clone(&registry),
            sub_agents: run::places(),
            jobs: Arc::new(Jobs::new(Some(home.jobs()), child_program())),
            local_model: LocalModel::new(Arc::clone(&space)),
            assistants: Assistants::new(Arc::clone(&space), Arc::clone(&registry)),
            mcp_servers: McpServers::new(Arc::clone(&space), Arc::clone(&registry)),
            workers: Workers::default(),
            capture: Capture::new(
                Arc::clone(&space),
                Arc::new(looking),
                Arc::new(OfBrowser(Arc::clone(&pages))),
            ),
            pages,
            web: Web::new(Arc::clone(&space)),
            saved_prompts: SavedPrompts::new(Arc::clone(&space)),
            bad_cases: BadCases::new(Arc::clone(&space), trials),
            skills: Skills::new(Arc::clone(&space)),
            plugins: Plugins::new(Arc::clone(&space), Arc::clone(&registry)),
            workflows: Workflows::new(Arc::clone(&space), Arc::clone(&registry)),
            scheduler: Scheduler::new(Arc::clone(&space)),
            segment_numbers: SegmentNumbers::default(),
            runs: Mutex::default(),
            beside: Some(Beside::default()),
            space,
        });
        engine.pages.go_on_with(&engine);
        engine
            .pages
            .tell_forms_to(shidi_memory::preferences::learner(&engine));
        engine.workflows.run_by(&engine);
        engine.scheduler.answered_by(&engine, Self::serve);
        engine.bad_cases.answered_by(&engine, Self::serve);
        engine.jobs.tell_through(&engine.space);
        run::broken_off::take_up(&engine);
        engine.begin_looking();
        memory_folder::sweep(home);
        engine.begin_sweeping();
        evicting::begin(&engine);
        shidi_mcp::begin(&engine.mcp_servers)?;
        run::take_up(&engine);
        if engine.stays() {
            run::take_up_models(&engine);
            engine.embeddings.begin();
        }
        Ok(engine)
    }

    /// The space in which it works.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
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
        let days = self.config().upkeep.trace_days;
        Traces::drop_older(&self.store, clock::now(), days);
    }

    /// Follows the window in front where there are windows of ours. A command that ends at once has no use for this.
    fn begin_looking(self: &Arc<Self>) {
        let engine = Arc::clone(self);
        let begin = move || {
            let swept = changes::take_over(&engine).and_then(|()| changes::drop_old(&engine));
            if let Err(cause) = swept.and_then(|()| blob_store::sweep(&engine)) {
                tracing::warn!(%cause, "unused files were not looked for");
            }
            if !engine.stays() {
                return;
            }
            capture::follow_sensors(&engine.capture);
            engine.follow_selections();
            if let Err(cause) = capture::follow(&engine.capture) {
                tracing::info!(%cause, "windows are not followed");
            }
        };
        self.background.spawn_blocking_on(begin, &self.tasks);
    }

    /// Tells the windows of what their user selects, where they want that.
    fn follow_selections(self: &Arc<Self>) {
        let engine = Arc::downgrade(self);
        let tell = move |signal| {
            let told = engine.upgrade().is_some_and(|engine| engine.signal(signal));
            tracing::debug!(told, "a selection is news");
        };
        capture::follow_selections(&self.capture, Arc::new(tell));
    }

    /// Sets a value in the configuration; it holds from the next question on.
    ///
    /// # Errors
    /// As [`Config::set`].
    pub fn configure(self: &Arc<Self>, key: &str, value: &str) -> Result<(), UserError> {
        let before = Settings::clone(&self.config());
        self.space.shared().configure(key, value, self.home.folder())?;
        let config = self.config().clone();
        if config.memory != before.memory {
            evicting::follow(self, &config);
        }
        if config.otlp != before.otlp {
            self.traces.send_steps(target(&config));
        }
        self.embeddings.follow();
        if config.upkeep.trace_days != before.upkeep.trace_days {
            self.traces.keep_steps(config.upkeep.trace_days > 0);
            self.sweep_traces();
        }
        if config.privacy != before.privacy {
            self.pages.ask_anew();
            // Some toolkits are offered only while the user has their sensor on.
            self.registry.changed(self);
            if config.privacy.sensing == Sensing::Paused {
                capture::pause(&self.capture);
            }
            if self.stays() {
                capture::follow_sensors(&self.capture);
            }
        }
        if self.stays() {
            self.follow_selections();
        }
        self.tell(&Reply::ConfigChanged {
            key: key.to_owned(),
            value: value.to_owned(),
        });
        Ok(())
    }

    /// The run of that id, if it is in memory: at work, or waiting with its program alive.
    pub fn run(&self, run: &RunId) -> Option<Arc<Run>> {
        self.runs.lock().get(run).cloned()
    }

    /// The run that `text` names: one in memory, or as [`ids::whole_run_id`] finds it.
    ///
    /// # Errors
    /// No such run, or storage trouble.
    pub fn whole_run_id(&self, text: &RunId) -> Result<RunId, UserError> {
        match self.run(text) {
            Some(run) => Ok(run.id().clone()),
            None => ids::whole_run_id(self, text),
        }
    }

    /// The run that is at work or waits in a session, and hears what is said there.
    pub fn run_of(&self, session: &SessionId) -> Option<Arc<Run>> {
        let runs = self.runs_of(session);
        runs.into_iter().find(|run| !run.is_given())
    }

    /// All runs of a session that are at work or wait.
    pub fn runs_of(&self, session: &SessionId) -> Vec<Arc<Run>> {
        let runs = self.runs.lock();
        let of_session = runs.values().filter(|run| run.session() == session);
        of_session.cloned().collect()
    }

    /// All runs in memory.
    pub fn runs(&self) -> Vec<Arc<Run>> {
        self.runs.lock().values().cloned().collect()
    }

    pub fn add_run(&self, run: &Arc<Run>) {
        self.runs.lock().insert(run.id().clone(), Arc::clone(run));
    }

    /// Adds it unless it is there already: two may take up the same run at the same time. Returns the one that is.
    pub fn add_run_once(&self, run: &Arc<Run>) -> Option<Arc<Run>> {
        match self.runs.lock().entry(run.id().clone()) {
            Entry::Occupied(there) => Some(Arc::clone(there.get())),
            Entry::Vacant(place) => {
                place.insert(Arc::clone(run));
                None
            }
        }
    }

    pub fn remove_run(&self, run: &RunId) {
        self.runs.lock().remove(run);
    }

    /// Ends the workers and writes what is buffered. Runs at work stay as their record left them; sub-agents whose task is
    /// over end.
    pub async fn close(self: Arc<Self>) {
        incognito::end_all(&self).await;
        for run in self.runs() {
            run.end_with_task().await;
        }
        for run in self.runs() {
            run.abandon();
        }
        self.workers.end_all();
        self.after_runs.end().await;
        self.learning_queue.end().await;
        self.embeddings.end().await;
        // An incognito session shares them and ends none.
        if !self.is_incognito() {
            shidi_mcp::end(&self.mcp_servers).await;
            capture::end_sensors(&self.capture);
        }
        self.code.end();
        // The database is another program's when nobody holds it any more.
        self.background.close();
        if tokio::time::timeout(AFTER_RUN_WAIT, self.background.wait())
            .await
            .is_err()
        {
            tracing::info!("work in the background was cut off by the end of the process");
        }
        // Each holds the engine: the database would stay open. Who follows a step of a workflow finds its run at rest.
        self.runs.lock().retain(|_, run| run.is_step());
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

impl Runs for Engine {
    fn is_held(&self, run: &RunId) -> bool {
        self.run(run).is_some()
    }

    fn take_up(self: Arc<Self>, run: RunId) {
        self.tasks.clone().spawn(async move {
            if let Err(cause) = run::resume(&self, &run).await {
                tracing::warn!(
                    cause.message,
                    "a run whose page has answered can't go on by itself"
                );
            }
        });
    }
}

/// The address that steps of traces are sent to as well, if there is one.
fn target(config: &Config) -> Option<Target> {
    Target::named(&config.otlp.endpoint.0, config.otlp.content)
}
