//! Workflows of a data folder (F9.5): listed, edited, run. A run is durable, goes on after a kill, and does nothing twice.
//!
//! What the engine (`shidi_workflow`) wants done is done by programs of the sandbox, one for each attempt of a step, in a session
//! of its own: so a step asks, is recorded and traced as every program is, and is found again after a kill. A model's answer is
//! asked for here. Nothing in this crate permits a call.

mod answers;
mod attempt;
mod by_name;
mod callers;
mod case_files;
mod checking;
mod drafts;
mod drawing;
mod evidence;
mod facts;
#[cfg(test)]
mod fixture;
mod limits;
mod nested;
mod orders;
mod performer;
mod plan;
mod program;
mod records;
mod requests;
mod shelf;
mod standing;
mod starting;
mod toolkit;

pub use answers::Exchange;
pub use attempt::ModelRun;
pub use by_name::dialogue_of;
pub use drafts::{Done, draft};
pub use requests::answer;
pub use toolkit::{Caller, Definition, NAME, is_for_one, outcome, outcome_of_tool};

use async_trait::async_trait;
use orders::Order;
use parking_lot::Mutex;
use shelf::Shelf;
use shidi_protocol::{Ask, Reply, RunId, ToolkitSpec, UserError};
use shidi_space::Space;
use shidi_space::registry::Registry;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};
use tokio::sync::mpsc;

/// Runs the programs of steps as it runs every program.
#[async_trait]
pub trait Programs: Send + Sync {
    /// Begins the run of a given program.
    async fn begin(self: Arc<Self>, ask: Ask) -> Result<(RunId, mpsc::Receiver<Reply>), UserError>;

    /// Goes on with one, or watches one that is at work or rests in this process.
    async fn take_up(self: Arc<Self>, run: RunId) -> Result<(RunId, mpsc::Receiver<Reply>), UserError>;

    /// Stops one; whether its record says so.
    async fn stop(self: Arc<Self>, run: RunId) -> bool;

    /// Whether this process works on it, or holds it while it waits.
    fn is_held(&self, run: &RunId) -> bool;

    /// What programs may call.
    fn toolkits(&self) -> Vec<ToolkitSpec>;

    /// Keeps the trace of a run that is on record and has asked a model once.
    fn keep_trace(&self, run: &ModelRun, exchange: &Exchange);
}

/// The workflows of a data folder, and the runs that this process works on.
pub struct Workflows {
    space: Arc<Space>,
    registry: Arc<Registry>,
    /// Empty before it is there.
    programs: OnceLock<Weak<dyn Programs>>,
    at_work: Mutex<HashMap<RunId, mpsc::UnboundedSender<Order>>>,
    /// One change of the folder after the other.
    changing: tokio::sync::Mutex<()>,
}

impl Workflows {
    #[must_use]
    pub fn new(space: Arc<Space>, registry: Arc<Registry>) -> Arc<Self> {
        // Whoever asks for what is offered has to ask what the files of assistants leave of it.
        registry.assistants.get_or_init(|| Arc::clone(&space.assistants));
        let workflows = Arc::new(Self {
            space,
            registry,
            programs: OnceLock::new(),
            at_work: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        });
        workflows.offer();
        workflows
    }

    /// Programs of steps are run by this.
    pub fn run_by<P: Programs + 'static>(&self, programs: &Arc<P>) {
        let programs = Arc::downgrade(programs) as Weak<dyn Programs>;
        if self.programs.set(programs).is_err() {
            tracing::debug!("who runs the programs of steps was known before");
        }
    }

    fn programs(&self) -> Result<Arc<dyn Programs>, String> {
        let programs = self.programs.get().and_then(Weak::upgrade);
        programs.ok_or_else(|| self.space.language().workflow_runs().process_ends().to_owned())
    }

    fn toolkits(&self) -> Vec<ToolkitSpec> {
        self.programs()
            .map(|programs| programs.toolkits())
            .unwrap_or_default()
    }

    fn is_held(&self, run: &RunId) -> bool {
        self.programs().is_ok_and(|programs| programs.is_held(run))
    }

    fn is_at_work(&self, run: &RunId) -> bool {
        self.at_work.lock().contains_key(run)
    }

    fn has_left(&self, run: &RunId) {
        self.at_work.lock().remove(run);
    }

    fn shelf(&self) -> Shelf {
        Shelf {
            folder: self.space.home.folder().join("workflows"),
            language: self.space.language(),
            plugins: shidi_bundles::kept(self.space.home.folder(), self.space.language()),
        }
    }
}
