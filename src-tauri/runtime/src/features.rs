//! The features of a data space: how they are made and joined, follow the settings, and end. They know nothing of runs.
//!
//! A feature is a crate. What it needs of the process or of another feature is handed to it here, by its name.

mod offered;

use crate::clock;
use crate::config::Config;
use crate::config::settings::{Sensing, Settings};
use crate::errors::internal;
use crate::front_page::OfBrowser;
use crate::registry::Registry;
use crate::space::{Space, child_program};
use crate::storage;
use shidi_assistants::Assistants;
use shidi_bad_cases::{BadCases, Trials};
use shidi_browser::{PAGE, Pages};
use shidi_capture::{self as capture, Capture, CaptureState};
use shidi_code_index::CodeIndex;
use shidi_embedding::Embeddings;
use shidi_jobs::Jobs;
use shidi_local_model::LocalModel;
use shidi_mcp::McpServers;
use shidi_memory::{evicting, preferences};
use shidi_plugins::Plugins;
use shidi_protocol::{Reply, UserError};
use shidi_saved_prompts::SavedPrompts;
use shidi_scheduler::Scheduler;
use shidi_skills::Skills;
use shidi_trace::{Target, Traces};
use shidi_web::Web;
use shidi_workflow_runs::Workflows;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

pub struct Features {
    space: Arc<Space>,
    pub capture: Arc<Capture>,
    pub traces: Traces,
    pub embeddings: Arc<Embeddings>,
    pub code: Arc<CodeIndex>,
    pub registry: Arc<Registry>,
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
}

/// Features are used as the space that they work in.
impl Deref for Features {
    type Target = Arc<Space>;

    fn deref(&self) -> &Arc<Space> {
        &self.space
    }
}

impl Features {
    /// The features of the space that is recorded.
    ///
    /// # Errors
    /// Trouble with storage, or a file of browsers that can't be read.
    pub fn new(
        space: Arc<Space>,
        looking: CaptureState,
        trials: Option<Arc<dyn Trials>>,
    ) -> Result<Self, UserError> {
        let registry = Registry::open(&space.store, &[PAGE, shidi_workflow_runs::NAME])
            .map(Arc::new)
            .map_err(|cause| storage::explain(&cause, space.language()))?;
        let traces = traces(&space)?;
        traces.send_steps(target(&space.config()));
        let pages = Pages::open(Arc::clone(&space), Arc::clone(&registry))?;
        pages.tell_forms_to(preferences::learner(&space));
        let front = Arc::new(OfBrowser(Arc::clone(&pages)));
        let jobs = Jobs::new(Some(space.home.jobs()), child_program());
        jobs.tell_through(&space);
        let embeddings = Embeddings::new(Arc::clone(&space));
        Ok(Self {
            capture: Capture::new(Arc::clone(&space), Arc::new(looking), front),
            traces,
            code: CodeIndex::new(Arc::clone(&space), Arc::clone(&embeddings)),
            embeddings,
            jobs: Arc::new(jobs),
            local_model: LocalModel::new(Arc::clone(&space)),
            mcp_servers: McpServers::new(Arc::clone(&space), Arc::clone(&registry)),
            pages,
            web: Web::new(Arc::clone(&space)),
            saved_prompts: SavedPrompts::new(Arc::clone(&space)),
            bad_cases: BadCases::new(Arc::clone(&space), trials),
            skills: Skills::new(Arc::clone(&space)),
            plugins: Plugins::new(Arc::clone(&space), Arc::clone(&registry)),
            workflows: Workflows::new(Arc::clone(&space), Arc::clone(&registry)),
            scheduler: Scheduler::new(Arc::clone(&space)),
            assistants: Assistants::new(Arc::clone(&space), Arc::clone(&registry)),
            registry,
            space,
        })
    }

    /// The features of an incognito space. Each stands here by its name: what is shared may keep nothing of the space. A
    /// try-out has more of its own.
    ///
    /// # Errors
    /// There is no thread for its traces.
    pub fn of_incognito(&self, space: Arc<Space>) -> Result<Self, UserError> {
        let embeddings = Embeddings::new(Arc::clone(&space));
        let features = Self {
            capture: self.capture.of(Arc::clone(&space)),
            traces: traces(&space)?,
            code: CodeIndex::new(Arc::clone(&space), Arc::clone(&embeddings)),
            embeddings,
            registry: Arc::clone(&self.registry),
            jobs: Arc::new(Jobs::new(None, PathBuf::new())),
            local_model: Arc::clone(&self.local_model),
            mcp_servers: Arc::clone(&self.mcp_servers),
            pages: Arc::clone(&self.pages),
            web: Web::new(Arc::clone(&space)),
            saved_prompts: Arc::clone(&self.saved_prompts),
            bad_cases: Arc::clone(&self.bad_cases),
            skills: Arc::clone(&self.skills),
            plugins: Arc::clone(&self.plugins),
            workflows: Arc::clone(&self.workflows),
            scheduler: Arc::clone(&self.scheduler),
            assistants: Arc::clone(&self.assistants),
            space,
        };
        Ok(match features.is_try_out() {
            true => features.of_try_out(),
            false => features,
        })
    }

    /// These with what follows the draft of a try-out: who asks what its assistant may do asks the draft. Runs of its
    /// workflows are in memory, as everything of the session.
    fn of_try_out(self) -> Self {
        let space = Arc::clone(&self.space);
        let registry = Arc::new(self.registry.for_assistants(Arc::clone(&space.assistants)));
        Self {
            skills: Skills::new(Arc::clone(&space)),
            workflows: Workflows::new(Arc::clone(&space), Arc::clone(&registry)),
            assistants: Assistants::new(space, Arc::clone(&registry)),
            registry,
            ..self
        }
    }

    /// Sets a value in the configuration; it holds from the next question on.
    ///
    /// # Errors
    /// As [`Config::set`].
    pub fn configure(&self, key: &str, value: &str) -> Result<(), UserError> {
        let before = Settings::clone(&self.config());
        self.shared().configure(key, value, self.home.folder())?;
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
            Traces::drop_older(&self.store, clock::now(), config.upkeep.trace_days);
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
            // As it is kept: people write a switch in several ways.
            value: config.given(key).to_owned(),
        });
        Ok(())
    }

    /// Tells the windows of what their user selects, where they want that.
    pub fn follow_selections(&self) {
        let space = Arc::downgrade(&self.space);
        let tell = move |signal| {
            let told = space.upgrade().is_some_and(|space| space.signal(signal));
            tracing::debug!(told, "a selection is news");
        };
        capture::follow_selections(&self.capture, Arc::new(tell));
    }

    /// Ends those of this space. What incognito sessions share ends with the space that is recorded.
    pub async fn end(&self) {
        self.embeddings.end().await;
        if !self.is_incognito() {
            shidi_mcp::end(&self.mcp_servers).await;
            capture::end_sensors(&self.capture);
        }
        self.code.end();
    }
}

fn traces(space: &Space) -> Result<Traces, UserError> {
    let traces = Traces::begin(space.store.clone(), &space.tasks)
        .map_err(|cause| internal(space.language(), &cause.to_string()))?;
    traces.keep_steps(space.config().upkeep.trace_days > 0);
    Ok(traces)
}

/// The address that steps of traces are sent to as well, if there is one.
fn target(config: &Config) -> Option<Target> {
    Target::named(&config.otlp.endpoint.0, config.otlp.content)
}
