//! Answers requests: one function per request, each a few lines between the protocol and the room that does it.

use crate::config::settings::{self, Sensing, local_model};
use crate::errors::error;
use crate::incognito::Spaces;
use crate::limits::{LISTED_MAX, REPLIES_QUEUED};
use crate::replies::{Answered, Replies};
use crate::run::{self, Workspace};
use crate::space::{Purpose, Space};
use crate::{
    branching, doctor, exec, ids, rule_requests, session_file, sessions, tool_switches, variables,
    work_folders,
};
use shidi_agent::Decided;
use shidi_capture as capture;
use shidi_changes as changes;
use shidi_memory::experience;
use shidi_protocol::{
    CallId, DesktopSignal, ErrorCode, ExperienceRequest, MemoryRequest, Replay, Reply, Request, RunId,
    SkillRequest, TraceQuery, UserError, WorkflowRequest, reply, reply_to, request,
};
use shidi_trace::TraceReader;
use shidi_web::NamedAddresses;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Answers one request; work goes on when the replies are dropped.
pub fn serve(spaces: &Arc<Spaces>, request: Request) -> Replies {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let (spaces, workspace) = (Arc::clone(spaces), spaces.of(&request));
    workspace.tasks.clone().spawn(async move {
        let answered = workspace.answer(request, &spaces).await;
        // Whoever only listens must not hold the database at the end.
        drop((spaces, workspace));
        match answered {
            Ok(Answered::One(reply)) => send(&sender, *reply).await,
            Ok(Answered::Stream(mut replies)) => {
                loop {
                    let next = tokio::select! {
                        next = replies.recv() => next,
                        // At once: some things last as long as somebody listens.
                        () = sender.closed() => return,
                    };
                    let Some(reply) = next else { return };
                    if sender.send(reply).await.is_err() {
                        return;
                    }
                }
            }
            Err(error) => send(&sender, Reply::Failed { error }).await,
        }
    });
    Replies::new(receiver)
}

impl Workspace {
    fn trace_reader<T>(&self, read: impl FnOnce(&TraceReader<'_>) -> T) -> T {
        read(&TraceReader {
            space: self,
            traces: &self.features.traces,
            is_at_work: &|run| self.running.get(run).is_some(),
        })
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one line for each request, and every request here"
    )]
    async fn answer(self: &Arc<Self>, request: Request, spaces: &Arc<Spaces>) -> Result<Answered, UserError> {
        let reply = match request {
            Request::Ask(ask) => return Ok(Answered::Stream(run::start(self, *ask).await?)),
            Request::SessionCompact { session } => {
                let session = ids::whole_session_id(self, &session)?;
                return run::compact(self, session).await.map(Answered::Stream);
            }
            Request::Resume { run } => return self.resume(run).await.map(Answered::Stream),
            Request::Approve { run, call, always } => {
                return self.decide(run, Some(call), Decided::Approved { always }).await;
            }
            Request::Refuse { run, call, reason } => {
                return self.decide(run, Some(call), Decided::Refused { reason }).await;
            }
            Request::Answer { run, call, text } => {
                return self.decide(run, call, Decided::Answered { text }).await;
            }
            Request::Incognito => return spaces.begin(Purpose::Conversation).await.map(Answered::Stream),
            Request::TryOut => return spaces.begin(Purpose::TryOut).await.map(Answered::Stream),
            Request::Watch => {
                let watched = self.watch();
                self.features.jobs.take_up_earlier().await;
                shidi_scheduler::begin_for_windows(&self.features.scheduler);
                return Ok(Answered::Stream(watched));
            }
            Request::Cancel { run } => reply_to::<request::Cancel>(self.cancel(&run).await?),
            Request::Inspect { source, .. } => {
                let (servers, space) = (Arc::clone(&self.features.mcp_servers), Arc::clone(self));
                let source = async move { shidi_mcp::as_file(&servers, &space, source).await };
                return Ok(Answered::Stream(shidi_attachments::inspect(
                    self,
                    &NamedAddresses,
                    source,
                )));
            }
            Request::ReplayPreview(replay) => reply_to::<Replay>(run::preview(self, &replay)?),
            Request::Exec(request) => return exec::execute(self, request).await,
            Request::SessionList { limit } => {
                reply_to::<request::SessionList>(sessions::list(self, limit.min(LISTED_MAX))?)
            }
            Request::SessionShow { session } => {
                reply_to::<request::SessionShow>(sessions::show(self, &session)?)
            }
            Request::SessionSearch { text, limit } => {
                let found = self.aside(move |space| sessions::search(space, &text, limit.min(LISTED_MAX)));
                reply_to::<request::SessionSearch>(found.await?)
            }
            Request::SessionExport { session } => {
                return session_file::export(self, &session).map(Answered::Stream);
            }
            Request::SessionImport { path } => {
                reply_to::<request::SessionImport>(sessions::show(self, &session_file::import(self, &path)?)?)
            }
            Request::SessionRename { session, title } => {
                reply_to::<request::SessionRename>(sessions::rename(self, &session, &title)?)
            }
            Request::SessionDelete { session } => {
                reply_to::<request::SessionDelete>(sessions::delete(self, &session).await?)
            }
            Request::SessionBranch { session, before } => reply_to::<request::SessionBranch>(sessions::show(
                self,
                &branching::branch(self, &session, before.as_ref())?,
            )?),
            Request::SessionSwitch { session, run } => reply_to::<request::SessionSwitch>(
                self.switched(sessions::switch_version(self, &session, &run)?),
            ),
            Request::ConfigList => reply_to::<request::ConfigList>(self.config_reply()),
            Request::ConfigSet { key, value } => {
                reply_to::<request::ConfigSet>(self.configured(&key, &value)?)
            }
            Request::MemorySearch { text, limit } => reply_to::<request::MemorySearch>(
                shidi_memory::search(&self.features.embeddings, &text, limit).await?,
            ),
            Request::Experience {
                action: ExperienceRequest::ExportLines,
            } => return Ok(Answered::Stream(experience::exported(self))),
            Request::Memory {
                action: MemoryRequest::ExportLines,
            } => {
                self.running.learning_queue.settled().await;
                return Ok(Answered::Stream(shidi_memory::exported(self)));
            }
            Request::Memory {
                action: MemoryRequest::ForgetSite { address },
            } => reply_to::<request::memory::ForgetSite>(sessions::forget_site(self, &address).await?),
            Request::Experience { action } => {
                experience::perform(self, self.features.toolkits(None), action).await?
            }
            Request::Memory { action } => {
                self.running.learning_queue.settled().await;
                shidi_memory::perform(&self.features.embeddings, action).await?
            }
            Request::Knowledge { action } => {
                return shidi_knowledge::answer(&self.features.embeddings, &NamedAddresses, action).await;
            }
            Request::Mcp { action } => shidi_mcp::perform(&self.features.mcp_servers, action).await?,
            Request::Pages { action } => shidi_browser::perform(&self.features.pages, action).await?,
            Request::Assistants { action } => self.features.assistants.answer(action).await?,
            Request::BadCases { action } => return self.features.bad_cases.answer(action).await,
            Request::SavedPrompts { action } => self.features.saved_prompts.answer(action).await?,
            Request::Plugins { action } => {
                let answered = self.features.plugins.answer(action).await?;
                // What a plugin brings is among them.
                self.features.workflows.changed();
                answered
            }
            Request::Skills {
                action: SkillRequest::FromRun { run, name },
            } => reply_to::<shidi_protocol::request::skills::FromRun>(run::as_skill(
                &self.features,
                run,
                name,
            )?),
            Request::Skills { action } => self.features.skills.answer(action).await?,
            Request::Workflows {
                action: WorkflowRequest::FromRun { run, name },
            } => reply_to::<shidi_protocol::request::workflows::FromRun>(run::as_workflow(
                &self.features,
                run,
                name,
            )?),
            Request::Workflows { action } => {
                return shidi_workflow_runs::answer(&self.features.workflows, action).await;
            }
            Request::Schedules { action } => {
                if action == shidi_protocol::ScheduleRequest::Watch {
                    self.features.jobs.take_up_earlier().await;
                }
                return shidi_scheduler::answer(&self.features.scheduler, action).await;
            }
            Request::Changes { action } => changes::perform(self, action)?,
            Request::Folders { action } => work_folders::perform(self, action)?.into(),
            Request::Variables { session, action } => variables::perform(self, &session, action).await?,
            Request::Jobs { session, action } => {
                shidi_jobs::people::perform((self, &self.features.jobs), &session, action)
                    .await?
                    .into()
            }
            Request::Tools { action } => tool_switches::perform(&self.features, action)?.into(),
            Request::RuleList => reply_to::<request::RuleList>(rule_requests::rules(self)?),
            Request::RuleSet { pattern, verdict } => {
                reply_to::<request::RuleSet>(rule_requests::set_rule(self, &pattern, verdict)?)
            }
            Request::RuleDelete { pattern } => {
                reply_to::<request::RuleDelete>(rule_requests::forget_rule(self, pattern)?)
            }
            Request::KeySet {
                provider,
                key,
                unchecked,
            } => {
                // A key of a team's knowledge bases or of a search belongs to no model's provider. Such a key is
                // checked when it is used.
                let is_other = provider == shidi_knowledge::KEY || shidi_web::is_key(&provider);
                let unchecked = unchecked || is_other;
                reply_to::<request::KeySet>(
                    shidi_providers::keys::set(self, &provider, key, unchecked).await?,
                )
            }
            Request::KeyList => reply_to::<request::KeyList>(shidi_providers::keys::list(self).await?),
            Request::KeyTest { provider } if provider == shidi_knowledge::KEY => {
                shidi_knowledge::test_key(self).await?;
                reply_to::<request::KeyTest>(reply::Done)
            }
            Request::KeyTest { provider } if shidi_web::is_key(&provider) => {
                self.features.web.test_key().await?;
                reply_to::<request::KeyTest>(reply::Done)
            }
            Request::KeyTest { provider } => {
                reply_to::<request::KeyTest>(shidi_providers::keys::test(self, &provider).await?)
            }
            Request::KeyDelete { provider } => {
                reply_to::<request::KeyDelete>(shidi_providers::keys::delete(self, &provider).await?)
            }
            Request::KeysUnlock { passphrase } => {
                reply_to::<request::KeysUnlock>(shidi_providers::keys::unlock(self, passphrase).await?)
            }
            Request::ProviderList => reply_to::<request::ProviderList>(shidi_providers::list(self).await?),
            Request::ModelList { provider } => {
                reply_to::<request::ModelList>(shidi_providers::models(self, &provider).await?)
            }
            Request::ModelTest { provider, model, url } => {
                reply_to::<request::ModelTest>(shidi_providers::test(self, &provider, model, url).await?)
            }
            Request::ServersFind => {
                reply_to::<request::ServersFind>(shidi_providers::find_servers(self).await?)
            }
            Request::LocalModelShow => {
                reply_to::<request::LocalModelShow>(self.features.local_model.show().await)
            }
            Request::LocalModelUse { file } => {
                for (key, value) in self.features.local_model.chosen(&file).await? {
                    self.features.configure(key, &value)?;
                }
                reply_to::<request::LocalModelUse>(self.features.local_model.show().await)
            }
            Request::LocalModelCatalogue => {
                reply_to::<request::LocalModelCatalogue>(self.features.local_model.catalogue().await)
            }
            Request::LocalModelDownload { id, folder } => {
                self.features.local_model.download(&id, folder.as_deref()).await?;
                if let Some(folder) = &folder {
                    self.features.configure(local_model::folder, folder)?;
                }
                reply_to::<request::LocalModelDownload>(self.features.local_model.catalogue().await)
            }
            Request::LocalModelDownloadStop { id } => {
                self.features.local_model.stop_download(&id);
                reply_to::<request::LocalModelDownloadStop>(self.features.local_model.catalogue().await)
            }
            Request::LocalModelRemove { id } => {
                reply_to::<request::LocalModelRemove>(self.features.local_model.remove(&id).await?)
            }
            Request::Spending { days } => {
                reply_to::<request::Spending>(shidi_providers::spending(self, days)?)
            }
            Request::TraceList(query) => {
                reply_to::<TraceQuery>(self.trace_reader(|reader| reader.list(query))?)
            }
            Request::TraceStatistics { days } => reply_to::<request::TraceStatistics>(
                shidi_trace::statistics(self, &self.features.traces, days).await?,
            ),
            Request::Dashboard { action } => {
                shidi_trace::dashboard(self, &self.features.traces, action).await?
            }
            Request::TraceShow { run } => {
                reply_to::<request::TraceShow>(self.trace_reader(|reader| reader.show(&run))?)
            }
            Request::TraceSteps { run, after, limit } => {
                reply_to::<request::TraceSteps>(self.trace_reader(|reader| reader.steps(&run, after, limit))?)
            }
            Request::TraceStep { run, span } => {
                reply_to::<request::TraceStep>(self.trace_reader(|reader| reader.step(&run, span))?)
            }
            Request::Doctor => reply_to::<request::Doctor>(doctor::examine(&self.features).await),
            Request::Look { what, to, .. } => reply_to::<request::Look>(with_habits(
                self,
                capture::look(&self.features.capture, what, to).await?,
            )),
            Request::LookShow { id } => reply_to::<request::LookShow>(with_habits(
                self,
                capture::show(&self.features.capture, &id).await?,
            )),
            Request::LookForget { id } => {
                reply_to::<request::LookForget>(capture::forget(&self.features.capture, &id))
            }
            Request::LookHeld => reply_to::<request::LookHeld>(capture::held(&self.features.capture)),
            Request::LookPin { id, on } => {
                reply_to::<request::LookPin>(capture::pin(&self.features.capture, &id, on)?)
            }
            Request::LookSuggest { id, .. } => {
                return Ok(Answered::Stream(capture::suggest(&self.features.capture, id)));
            }
            Request::LookWatch => return Ok(Answered::Stream(capture::watch(&self.features.capture).await?)),
            Request::LookLedger { limit } => {
                reply_to::<request::LookLedger>(capture::ledger(&self.features.capture, limit)?)
            }
            Request::LookInsert { window, text } => {
                reply_to::<request::LookInsert>(capture::insert(&self.features.capture, window, text).await?)
            }
            Request::LookRemember { id } => {
                let selected = capture::selected(&self.features.capture, &id)?;
                reply_to::<request::LookRemember>(shidi_memory::remember_selected(
                    self,
                    &selected.text,
                    &selected.url,
                )?)
            }
            Request::Sensors => reply_to::<request::Sensors>(capture::sensors(&self.features.capture)),
            Request::Desktop { signal } => reply_to::<request::Desktop>(self.to_desktop(signal)?),
        };
        Ok(Answered::One(Box::new(reply)))
    }

    /// Whoever shows the session has to read it again.
    fn switched(&self, shown: reply::Session) -> reply::Session {
        let session = shown.session.summary.id.clone();
        self.tell(&Reply::SessionChanged { session });
        shown
    }

    fn configured(&self, key: &str, value: &str) -> Result<reply::Config, UserError> {
        self.features.configure(key, value)?;
        Ok(self.config_reply())
    }

    fn config_reply(&self) -> reply::Config {
        let config = self.config();
        reply::Config {
            path: config.path().display().to_string(),
            entries: config.entries(),
        }
    }

    async fn resume(self: &Arc<Self>, run: Option<RunId>) -> Result<mpsc::Receiver<Reply>, UserError> {
        let id = match run {
            Some(run) => self.whole_run_id(&run)?,
            None => sessions::newest_open_run(self)?,
        };
        let (run, replies) = run::resume(self, &id).await?;
        if run.status() == Some(shidi_protocol::RunStatus::Suspended) {
            // It rests in this very process: nothing will happen until somebody decides.
            run.show_waiting();
        }
        Ok(replies)
    }

    async fn decide(
        self: &Arc<Self>,
        run: RunId,
        call: Option<CallId>,
        decision: Decided,
    ) -> Result<Answered, UserError> {
        let id = self.whole_run_id(&run)?;
        let replies = run::decide(self, &id, call, decision).await?;
        Ok(Answered::Stream(replies))
    }

    fn to_desktop(&self, signal: DesktopSignal) -> Result<reply::Done, UserError> {
        let sensing = match signal {
            DesktopSignal::Pause => Some(Sensing::Paused),
            DesktopSignal::Resume => Some(Sensing::On),
            DesktopSignal::Show
            | DesktopSignal::Toggle
            | DesktopSignal::Quit
            | DesktopSignal::Open { .. }
            | DesktopSignal::AskScreen => None,
            DesktopSignal::SelectionMade { .. } | DesktopSignal::SelectionOver { .. } => {
                let say = self.language().runtime();
                return Err(error(
                    ErrorCode::Input,
                    say.selection_not_told(),
                    say.selection_by_link(),
                ));
            }
        };
        if let Some(sensing) = sensing {
            self.features
                .configure(settings::privacy::sensing, sensing.name())?;
        }
        // Looking is paused here; windows only show it.
        if self.signal(signal) || sensing.is_some() {
            return Ok(reply::Done);
        }
        Err(error(
            ErrorCode::System,
            self.language().runtime().desktop_not_running(),
            self.language().runtime().start_desktop(),
        ))
    }
}

async fn send(sender: &mpsc::Sender<Reply>, reply: Reply) {
    if sender.send(reply).await.is_err() {
        tracing::debug!("nobody waited for the reply");
    }
}

/// A view with what the user asks again and again about the site of its page.
fn with_habits(space: &Space, mut looked: reply::Looked) -> reply::Looked {
    if let Some(page) = &looked.view.page {
        looked.view.habits = shidi_memory::sites::habits(space, &page.url);
        looked.view.dropped = shidi_memory::sites::dropped(space, &page.page.site);
    }
    looked
}
