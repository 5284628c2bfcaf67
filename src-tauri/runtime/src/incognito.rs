//! The spaces of a process: the one that is recorded, and one for each session that leaves nothing (F6.6). The store and
//! the files of such a session are in memory. It goes with the client that opened it. A try-out is such a session:
//! the draft of an assistant has its bases, workflows and plugins there.
//!
//! Such a session knows nothing of what is remembered, and learns nothing: it has another store. Settings, models, limits
//! of the day, the gate of the screen and watchers are those of the process. The user's rules hold as well. The sums of the
//! day's tokens stay, and so do the effects that its programs were allowed to have outside.

use crate::errors::{error, internal};
use crate::limits::{INCOGNITO_END_WAIT, INCOGNITO_MAX};
use crate::memory_folder::MemoryFolder;
use crate::run::Workspace;
use crate::space::{Incognito, Purpose, Space};
use crate::storage;
use parking_lot::Mutex;
use shidi_protocol::{
    Ask, AssistantRequest, ChangeRequest, ErrorCode, FolderRequest, Reply, Request, RunId, SessionId,
    UserError,
};
use shidi_store::{OpenOptions, Store};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Each space with its features and runs.
pub struct Spaces {
    pub recorded: Arc<Workspace>,
    /// Those of incognito sessions, each kept by a task until its session has ended.
    open: Mutex<Vec<Arc<Workspace>>>,
    kept: TaskTracker,
    ends: CancellationToken,
}

impl Spaces {
    pub fn new(recorded: Arc<Workspace>) -> Self {
        Self {
            recorded,
            open: Mutex::default(),
            kept: TaskTracker::new(),
            ends: CancellationToken::new(),
        }
    }

    /// Opens a session that leaves nothing. The session lasts as long as its replies are listened to.
    ///
    /// # Errors
    /// Too many are open, or there is no thread or memory for one.
    pub async fn begin(self: &Arc<Self>, purpose: Purpose) -> Result<mpsc::Receiver<Reply>, UserError> {
        let recorded = Arc::clone(&self.recorded);
        let language = recorded.language();
        let session = SessionId::mint();
        let id = session.clone();
        let opened = tokio::task::spawn_blocking(move || beside(&recorded, id, purpose)).await;
        let opened = opened.unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))?;
        {
            let mut open = self.open.lock();
            if open.len() >= INCOGNITO_MAX {
                return Err(error(
                    ErrorCode::Input,
                    language.runtime().incognito_full(INCOGNITO_MAX),
                    language.runtime().end_one_first(),
                ));
            }
            open.push(Arc::clone(&opened));
        }
        let (sender, receiver) = mpsc::channel(1);
        let spaces = Arc::clone(self);
        let kept = async move {
            if sender.send(Reply::Incognito { session }).await.is_ok() {
                tokio::select! {
                    () = sender.closed() => {}
                    () = spaces.ends.cancelled() => {}
                }
            }
            spaces.end(opened).await;
        };
        self.kept.spawn_on(kept, &self.recorded.tasks);
        Ok(receiver)
    }

    /// The space that answers: the one of the session or run that is named.
    pub fn of(&self, request: &Request) -> Arc<Workspace> {
        let open = self.open.lock();
        let owner = open.iter().find(|known| known.owns(request));
        Arc::clone(owner.unwrap_or(&self.recorded))
    }

    /// Ends all of them: first the sessions that leave nothing, those too that are ending.
    pub async fn close(self: Arc<Self>) {
        self.ends.cancel();
        self.kept.close();
        if tokio::time::timeout(INCOGNITO_END_WAIT, self.kept.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                "an incognito session did not end in time; its files in memory go with the next start"
            );
        }
        Arc::clone(&self.recorded).close().await;
    }

    async fn end(&self, ended: Arc<Workspace>) {
        self.open.lock().retain(|known| !Arc::ptr_eq(known, &ended));
        ended.cancel_all().await;
        if ended.is_try_out() {
            let stopping = ended.features.workflows.stop_all();
            if tokio::time::timeout(INCOGNITO_END_WAIT, stopping).await.is_err() {
                tracing::warn!("a workflow of a try-out did not end in time");
            }
            // A step that began meanwhile.
            ended.cancel_all().await;
        }
        Arc::clone(&ended).close().await;
        // Whoever still holds the space must not keep its files.
        ended.remove_files();
    }
}

/// A space beside the recorded one, whose session leaves nothing.
fn beside(recorded: &Workspace, session: SessionId, purpose: Purpose) -> Result<Arc<Workspace>, UserError> {
    let store = Store::in_memory(OpenOptions::default())
        .map_err(|cause| storage::explain(&cause, recorded.language()))?;
    let files = MemoryFolder::make(&recorded.home);
    let folder = files.as_ref().map(|folder| folder.path().to_owned());
    let home = recorded.home.with_files_in(folder);
    let incognito = Incognito {
        session,
        purpose,
        user: recorded.store.clone(),
        files,
    };
    let space = Space::new(Arc::clone(recorded.shared()), store, home, Some(incognito));
    let features = recorded.features.of_incognito(Arc::new(space))?;
    let workspace = Arc::new(Workspace::new(features));
    if workspace.is_try_out() {
        workspace.features.workflows.run_by(&workspace);
    }
    Ok(workspace)
}

impl Workspace {
    /// Whether a request is about something of this space.
    #[expect(
        clippy::too_many_lines,
        reason = "one line for each request, and every request here"
    )]
    fn owns(&self, request: &Request) -> bool {
        match request {
            Request::Ask(ask) => self.has_asked(ask),
            Request::Changes { action } => self.has_change(action),
            Request::Assistants { action } => self.has_tried(action),
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
            | Request::TryOut
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

    fn has_tried(&self, action: &AssistantRequest) -> bool {
        match action {
            AssistantRequest::Try { session, .. } => self.has_session(session),
            AssistantRequest::List
            | AssistantRequest::Show { .. }
            | AssistantRequest::Check { .. }
            | AssistantRequest::Review { .. }
            | AssistantRequest::Install { .. }
            | AssistantRequest::Approve { .. }
            | AssistantRequest::Write { .. }
            | AssistantRequest::Save { .. }
            | AssistantRequest::Export { .. }
            | AssistantRequest::Remove { .. } => false,
        }
    }

    async fn cancel_all(&self) {
        for run in self.running.all() {
            run.cancel().await;
        }
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
        self.running.get(run).is_some() || self.store.run(run).is_ok_and(|found| found.is_some())
    }

    fn has_change(&self, action: &ChangeRequest) -> bool {
        match action {
            ChangeRequest::List { session, run, .. } => {
                self.has(session.as_ref()) || run.as_ref().is_some_and(|run| self.has_run(run))
            }
            ChangeRequest::UndoRun { run } => self.has_run(run),
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
