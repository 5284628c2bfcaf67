//! Sessions that leave nothing (F6.6). Each has an engine of its own, whose store and files are in memory. The engine
//! goes with the client that opened it.
//!
//! Such an engine knows nothing of what is remembered, and learns nothing: it has another store. The engine around it
//! gives its settings, models, limits of the day, gate of the screen and watchers. The user's rules hold as well. The
//! sums of the day's tokens stay, and so do the effects that its programs were allowed to have outside.

use super::Engine;
use crate::errors::{error, internal};
use crate::limits::{INCOGNITO_END_WAIT, INCOGNITO_MAX};
use crate::memory_folder::MemoryFolder;
use crate::post_run::AfterRuns;
use crate::registry;
use crate::run::{self, LearningQueue};
use crate::space::{Incognito, Space};
use crate::storage;
use crate::workers::Workers;
use parking_lot::Mutex;
use shidi_code_index::CodeIndex;
use shidi_embedding::Embeddings;
use shidi_jobs::Jobs;
use shidi_protocol::{
    Ask, ChangeRequest, ErrorCode, FolderRequest, Reply, Request, RunId, SessionId, ToolkitSource,
    ToolkitSpec, UserError,
};
use shidi_space::call_bounds;
use shidi_space::segment_numbers::SegmentNumbers;
use shidi_store::{OpenOptions, Store};
use shidi_toolkits::{FILES, PRODUCING, code, shell};
use shidi_trace::Traces;
use shidi_web::Web;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The toolkits by which programs reach what is remembered, or leave something.
const OF_MEMORY: [&str; 4] = ["memory", "knowledge", "schedule", shidi_workflow_runs::NAME];

/// The engines of sessions that leave nothing, each kept by a task until its session has ended.
#[derive(Default)]
pub(super) struct Beside {
    open: Mutex<Vec<Arc<Engine>>>,
    kept: TaskTracker,
    ends: CancellationToken,
}

/// Opens a session that leaves nothing. The session lasts as long as its replies are listened to.
///
/// # Errors
/// Too many are open, or there is no thread or memory for one.
pub async fn begin(engine: &Arc<Engine>) -> Result<mpsc::Receiver<Reply>, UserError> {
    let language = engine.language();
    let Some(beside) = &engine.beside else {
        return Err(internal(language, "an incognito session opens no other"));
    };
    let around = Arc::clone(engine);
    let session = SessionId::mint();
    let id = session.clone();
    let opened = tokio::task::spawn_blocking(move || around.beside(id)).await;
    let own = opened.unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))?;
    {
        let mut open = beside.open.lock();
        if open.len() >= INCOGNITO_MAX {
            return Err(too_many(engine));
        }
        open.push(Arc::clone(&own));
    }
    let (sender, receiver) = mpsc::channel(1);
    let (engine, ends) = (Arc::clone(engine), beside.ends.clone());
    let tasks = engine.tasks.clone();
    let kept = async move {
        if sender.send(Reply::Incognito { session }).await.is_ok() {
            tokio::select! {
                () = sender.closed() => {}
                () = ends.cancelled() => {}
            }
        }
        end(&engine, own).await;
    };
    beside.kept.spawn_on(kept, &tasks);
    Ok(receiver)
}

/// The engine that answers: the one of the session or run that is named.
pub fn engine_for(engine: &Arc<Engine>, request: &Request) -> Arc<Engine> {
    let Some(beside) = &engine.beside else {
        return Arc::clone(engine);
    };
    let owner = beside
        .open
        .lock()
        .iter()
        .find(|known| known.owns(request))
        .cloned();
    owner.unwrap_or_else(|| Arc::clone(engine))
}

/// Ends all sessions that leave nothing, those too that are ending.
pub async fn end_all(engine: &Arc<Engine>) {
    let Some(beside) = &engine.beside else {
        return;
    };
    beside.ends.cancel();
    beside.kept.close();
    if tokio::time::timeout(INCOGNITO_END_WAIT, beside.kept.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            "an incognito session did not end in time; its files in memory go with the next start"
        );
    }
}

async fn end(engine: &Arc<Engine>, own: Arc<Engine>) {
    if let Some(beside) = &engine.beside {
        beside.open.lock().retain(|known| !Arc::ptr_eq(known, &own));
    }
    for run in own.runs() {
        run.cancel().await;
    }
    // An engine beside another has none beside it.
    Box::pin(Arc::clone(&own).close()).await;
    // Whoever still holds the engine must not keep its files.
    own.remove_files();
}

fn too_many(engine: &Engine) -> UserError {
    let language = engine.language();
    error(
        ErrorCode::Input,
        language.runtime().incognito_full(INCOGNITO_MAX),
        language.runtime().end_one_first(),
    )
}

impl Engine {
    /// An engine beside this one, whose sessions leave nothing.
    fn beside(&self, session: SessionId) -> Result<Arc<Self>, UserError> {
        let language = self.language();
        let store =
            Store::in_memory(OpenOptions::default()).map_err(|cause| storage::explain(&cause, language))?;
        let traces = Traces::begin(store.clone(), &self.tasks)
            .map_err(|cause| internal(language, &cause.to_string()))?;
        traces.keep_steps(self.config().upkeep.trace_days > 0);
        let files = MemoryFolder::make(&self.home);
        let home = self
            .home
            .with_files_in(files.as_ref().map(|folder| folder.path().to_owned()));
        let incognito = Incognito {
            session,
            user: self.store.clone(),
            files,
        };
        let space = Space::new(Arc::clone(self.shared()), store, home, Some(incognito));
        let space = Arc::new(space);
        let embeddings = Embeddings::new(Arc::clone(&space));
        Ok(Arc::new(Self {
            traces,
            after_runs: AfterRuns::default(),
            learning_queue: LearningQueue::default(),
            code: CodeIndex::new(Arc::clone(&space), Arc::clone(&embeddings)),
            embeddings,
            workers: Workers::default(),
            capture: self.capture.of(Arc::clone(&space)),
            segment_numbers: SegmentNumbers::default(),
            runs: Mutex::default(),
            registry: Arc::clone(&self.registry),
            sub_agents: run::places(),
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
            beside: None,
            space,
        }))
    }

    /// What programs of that assistant may call: nothing of memory where it is not read.
    pub fn toolkits(&self, assistant: Option<&str>) -> Vec<ToolkitSpec> {
        let declared = shidi_knowledge::toolkits(self, assistant);
        let mut toolkits = self.registry.offered(declared, assistant);
        if self.is_incognito() {
            // Runs of plugins' tools are kept, too.
            let is_kept = |toolkit: &ToolkitSpec| {
                OF_MEMORY.contains(&toolkit.name.as_str()) || toolkit.source == ToolkitSource::Plugin
            };
            toolkits.retain(|toolkit| !is_kept(toolkit));
        }
        toolkits
    }

    /// The toolkits that programs of that run may call. A sub-agent has only its chosen toolkits, and no sub-agents of
    /// its own.
    ///
    /// Commands have nowhere to run without a granted folder, and a plain question is not to pay for their description.
    pub fn toolkits_of(&self, ask: &Ask, folders: &[PathBuf]) -> Vec<ToolkitSpec> {
        let mut toolkits = self.toolkits(ask.assistant.as_deref());
        let page = ask.page.as_ref().and_then(|page| self.pages.toolkit(page));
        let page = self
            .registry
            .switched_on(page.into_iter().collect(), ask.assistant.as_deref());
        toolkits.extend(page);
        let is_told_why = ask.program.is_some();
        toolkits.retain(|toolkit| is_told_why || !folders.is_empty() || toolkit.name != shell::NAME);
        toolkits.retain(|toolkit| is_told_why || shidi_capture::applies(&self.capture, &toolkit.name));
        let has_code =
            |toolkit: &ToolkitSpec| toolkit.name != code::NAME || shidi_code_index::applies(folders);
        toolkits.retain(|toolkit| is_told_why || has_code(toolkit));
        if !is_told_why && folders.is_empty() {
            for toolkit in &mut toolkits {
                let is_files = toolkit.name == FILES;
                toolkit
                    .methods
                    .retain(|method| !is_files || !PRODUCING.contains(&method.name.as_str()));
            }
        }
        if let Some(task) = &ask.task {
            for ToolkitSpec { name, methods, .. } in &mut toolkits {
                methods.retain(|method| call_bounds::offers(&task.bounds, name, &method.name));
            }
            toolkits.retain(|toolkit| !toolkit.methods.is_empty());
        }
        if let Some(under) = &ask.under {
            let is_chosen = |name: &str| {
                let needed = registry::ALWAYS_ON.contains(&name) || name == "results";
                under.toolkits.is_empty() || needed || under.toolkits.iter().any(|chosen| chosen == name)
            };
            toolkits.retain(|toolkit| toolkit.name != "agents" && is_chosen(&toolkit.name));
        }
        toolkits
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one line for each request, and every request here"
    )]
    fn owns(&self, request: &Request) -> bool {
        match request {
            Request::Ask(ask) => self.has_asked(ask),
            Request::Changes { action } => self.has_change(action),
            Request::Folders { action } => self.has_folders(action),
            Request::ReplayPreview(replay) => self.has_run(&replay.run),
            Request::Exec(exec) => self.has(exec.session.as_ref()),
            Request::Inspect { session, .. }
            | Request::Look { session, .. }
            | Request::LookSuggest { session, .. } => self.has(session.as_ref()),
            Request::SessionShow { session }
            | Request::SessionDelete { session }
            | Request::SessionExport { session }
            | Request::SessionRename { session, .. }
            | Request::SessionBranch { session, .. }
            | Request::SessionSwitch { session, .. }
            | Request::SessionCompact { session }
            | Request::Variables { session, .. }
            | Request::Jobs { session, .. } => self.has_session(session),
            Request::Resume { run } => run.as_ref().is_some_and(|run| self.has_run(run)),
            Request::Approve { run, .. }
            | Request::Refuse { run, .. }
            | Request::Answer { run, .. }
            | Request::Cancel { run }
            | Request::TraceShow { run }
            | Request::TraceSteps { run, .. }
            | Request::TraceStep { run, .. } => self.has_run(run),
            Request::LookShow { id } => self.has_look(id),
            Request::Incognito
            | Request::Watch
            | Request::SessionList { .. }
            | Request::SessionSearch { .. }
            | Request::SessionImport { .. }
            | Request::ConfigList
            | Request::ConfigSet { .. }
            | Request::MemorySearch { .. }
            | Request::Knowledge { .. }
            | Request::Memory { .. }
            | Request::Experience { .. }
            | Request::RuleList
            | Request::RuleSet { .. }
            | Request::RuleDelete { .. }
            | Request::KeySet { .. }
            | Request::KeyList
            | Request::KeyTest { .. }
            | Request::Tools { .. }
            | Request::Mcp { .. }
            | Request::SavedPrompts { .. }
            | Request::BadCases { .. }
            | Request::Plugins { .. }
            | Request::Skills { .. }
            | Request::Workflows { .. }
            | Request::Schedules { .. }
            | Request::Assistants { .. }
            | Request::Pages { .. }
            | Request::KeyDelete { .. }
            | Request::KeysUnlock { .. }
            | Request::ProviderList
            | Request::ModelList { .. }
            | Request::ModelTest { .. }
            | Request::ServersFind
            | Request::LocalModelShow
            | Request::LocalModelUse { .. }
            | Request::LocalModelCatalogue
            | Request::LocalModelDownload { .. }
            | Request::LocalModelDownloadStop { .. }
            | Request::LocalModelRemove { .. }
            | Request::Spending { .. }
            | Request::TraceList(_)
            | Request::TraceStatistics { .. }
            | Request::Dashboard { .. }
            | Request::Doctor
            | Request::LookForget { .. }
            | Request::LookHeld
            | Request::LookPin { .. }
            | Request::LookWatch
            | Request::LookLedger { .. }
            | Request::LookInsert { .. }
            | Request::LookRemember { .. }
            | Request::Sensors
            | Request::Desktop { .. } => false,
        }
    }

    fn has_asked(&self, ask: &Ask) -> bool {
        let replayed = ask.replay.as_ref().map(|replay| &replay.run);
        let run = replayed.or(ask.instead.as_ref());
        self.has(ask.session.as_ref()) || run.is_some_and(|run| self.has_run(run))
    }

    fn has_folders(&self, action: &FolderRequest) -> bool {
        match action {
            FolderRequest::List { session, .. } => self.has(session.as_ref()),
            FolderRequest::Grant { session, .. } | FolderRequest::Withdraw { session, .. } => {
                self.has_session(session)
            }
        }
    }

    fn has(&self, session: Option<&SessionId>) -> bool {
        session.is_some_and(|session| self.has_session(session))
    }

    fn has_session(&self, session: &SessionId) -> bool {
        self.begins(session) || self.store.session(session).is_ok_and(|found| found.is_some())
    }

    fn has_run(&self, run: &RunId) -> bool {
        self.run(run).is_some() || self.store.run(run).is_ok_and(|found| found.is_some())
    }

    fn has_change(&self, action: &ChangeRequest) -> bool {
        match action {
            ChangeRequest::List { session } => {
                session.as_ref().is_some_and(|session| self.has_session(session))
            }
            ChangeRequest::Show { change } | ChangeRequest::Undo { change } => {
                let run = change.split('/').next().unwrap_or_default();
                self.has_run(&RunId::from(run.to_owned()))
            }
        }
    }

    fn has_look(&self, id: &str) -> bool {
        let sent = self.store.looks_sent(None);
        sent.is_ok_and(|looks| looks.iter().any(|look| look.id == id))
    }
}
