//! Follows the runtime: runs that begin, wait and end, and a configuration that changes. These events become
//! the mood, notifications, and news for the panel's page.

use super::{Desktop, locked, settings_of};
use crate::mood::Happening;
use crate::notices::{self, Notice};
use crate::panel;
use crate::wish::Wish;
use shidi_protocol::{AskingBrowser, JobView, PageRequest, Reply, Request, RunEvent, RunEventKind};
use std::sync::atomic::Ordering;
use tauri::{AppHandle, Emitter};

/// Sessions searched for waiting cards at start.
const SESSIONS_MAX: u32 = 200;

impl Desktop {
    /// Follows every run and the configuration from now on, and finds cards that already wait.
    pub async fn follow(&self, app: &AppHandle) {
        let Some(mut events) = self.send(Request::Watch) else {
            return;
        };
        self.find_waiting().await;
        if let Some(Reply::Pages { pages }) = self
            .ask(Request::Pages {
                action: PageRequest::List,
            })
            .await
        {
            self.note_browsers(app, pages.asking);
        }
        while let Some(reply) = events.next().await {
            match reply {
                Reply::Event { event } => self.note_event(app, event),
                Reply::ConfigChanged { .. } => self.read_settings(app).await,
                Reply::Pages { pages } => self.note_browsers(app, pages.asking),
                Reply::JobChanged { job } => self.note_job(app, job),
                _ => {}
            }
        }
    }

    fn note_event(&self, app: &AppHandle, event: RunEvent) {
        let told = {
            let state = locked(&self.state);
            notices::notice_of(&event, &state).map(|notice| {
                let detail = match &event.kind {
                    RunEventKind::ApprovalNeeded { tool, .. } => tool.clone(),
                    _ => String::new(),
                };
                (notice, detail, state.place_of(&event))
            })
        };
        if let Some((notice, detail, place)) = told {
            self.tell(app, notice, detail, place);
        }
        self.note(&Happening::Run(Box::new(event)));
    }

    fn note_job(&self, app: &AppHandle, job: JobView) {
        let told = notices::notice_of_job(&job, &locked(&self.state));
        if let Some(notice) = told {
            let place = Wish::Run {
                session: job.session,
                run: job.run,
            };
            self.tell(app, notice, String::new(), Some(place));
        }
    }

    fn note_browsers(&self, app: &AppHandle, asking: Vec<AskingBrowser>) {
        // A notification shows neither the browser's self-chosen name nor its code, which belongs into the panel.
        let codes = asking.into_iter().map(|browser| browser.code).collect();
        let told = notices::notice_of_browsers(&codes, &locked(&self.state));
        if let Some(notice) = told {
            self.tell(app, notice, String::new(), None);
        }
        self.note(&Happening::BrowsersAsk(codes));
    }

    /// Shows a notification, unless a full-screen window is in front.
    pub fn tell(&self, app: &AppHandle, notice: Notice, detail: String, place: Option<Wish>) {
        if !self.full_screen.load(Ordering::Acquire) {
            notices::show(app, notice, detail, place);
        }
    }

    async fn read_settings(&self, app: &AppHandle) {
        let Some(Reply::Config { entries, .. }) = self.ask(Request::ConfigList).await else {
            return;
        };
        let settings = settings_of(&entries);
        self.settings
            .send_if_modified(|known| std::mem::replace(known, settings.clone()) != settings);
        self.tell_changed(app);
    }

    pub(super) fn tell_changed(&self, app: &AppHandle) {
        if let Err(error) = app.emit_to(panel::LABEL, "desktop-changed", self.state()) {
            tracing::warn!(%error, "The panel was not told of the change");
        }
    }

    async fn find_waiting(&self) {
        let Some(Reply::Sessions { sessions }) = self.ask(Request::SessionList { limit: SESSIONS_MAX }).await
        else {
            return;
        };
        for session in sessions.into_iter().filter(|session| session.waiting > 0) {
            let shown = self.ask(Request::SessionShow { session: session.id }).await;
            if let Some(Reply::Session { session }) = shown {
                let id = session.summary.id;
                for run in session.runs.into_iter().filter(|run| !run.waiting.is_empty()) {
                    let (session, run) = (id.clone(), Box::new(run));
                    self.note(&Happening::Found { session, run });
                }
            }
        }
    }

    /// The first reply to a request that has one.
    async fn ask(&self, request: Request) -> Option<Reply> {
        self.send(request)?.next().await
    }
}
