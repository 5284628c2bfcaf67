//! Watches the runtime: runs that begin, wait and end, and a configuration that changes. These events become
//! the mood, notifications, and news for the panel's page.

use crate::connection::RuntimeConnection;
use crate::desktop_state;
use crate::hotkey;
use crate::mood::{Happening, State};
use crate::moods::Moods;
use crate::notices::{self, ClickPlace, Notice};
use crate::notifications;
use crate::settings::{LiveSettings, Settings};
use crate::shell_command::{BenchPlace, ShellCommand};
use crate::skips::Skips;
use shidi_protocol::{
    AskingBrowser, JobView, Reply, Request, RunEvent, RunEventKind, ScheduleRunView, reply, request,
};
use tauri::{AppHandle, Manager};

/// Sessions searched for waiting cards at start.
const SESSIONS_MAX: u32 = 200;

/// Watches every run and the configuration from now on, and finds cards that already wait.
pub async fn watch(app: &AppHandle) {
    let (connection, moods) = (app.state::<RuntimeConnection>(), app.state::<Moods>());
    let Some(events) = connection.send(Request::Watch) else {
        return;
    };
    // First: what changes while the rest is read is told.
    let mut events = match events.watching().await {
        Ok(events) => events,
        Err(error) => {
            tracing::warn!(%error, "Nothing is told of what happens");
            return;
        }
    };
    hotkey::read_assistants(app).await;
    find_waiting(&connection, &moods).await;
    if let Some(reply::Pages { pages }) = connection.ask(request::pages::List).await {
        note_browsers(app, &moods, pages.asking);
    }
    let mut skips = Skips::default();
    while let Some(reply) = events.next().await {
        match reply {
            Reply::Event { event } => note_event(app, &moods, event),
            Reply::ConfigChanged { .. } => read_settings(app, &connection).await,
            Reply::AssistantsChanged => hotkey::read_assistants(app).await,
            Reply::Pages { pages } => note_browsers(app, &moods, pages.asking),
            Reply::JobChanged { job } => note_job(app, &moods, job),
            Reply::ScheduleChanged { run, told } => note_schedule(app, &moods, &mut skips, (run, told)),
            _ => {}
        }
    }
}

fn note_event(app: &AppHandle, moods: &Moods, event: RunEvent) {
    let told = |state: &State| {
        let notice = notices::notice_of(&event, state)?;
        let detail = match &event.kind {
            RunEventKind::ApprovalNeeded { tool, .. } => tool.clone(),
            _ => String::new(),
        };
        Some((notice, detail, state.place_of(&event).map(ClickPlace::Panel)))
    };
    if let Some((notice, detail, place)) = moods.read(told) {
        notifications::show(app, notice, detail, place);
    }
    moods.note(&Happening::Run(Box::new(event)));
}

fn note_job(app: &AppHandle, moods: &Moods, job: JobView) {
    if let Some(notice) = moods.read(|state| notices::notice_of_job(&job, state)) {
        let place = ClickPlace::Panel(ShellCommand::Run {
            session: job.session,
            run: job.run,
        });
        notifications::show(app, notice, String::new(), Some(place));
    }
}

fn note_schedule(
    app: &AppHandle,
    moods: &Moods,
    skips: &mut Skips,
    (run, told): (ScheduleRunView, Option<String>),
) {
    let goes_on = skips.goes_on(&run);
    let notice = moods.read(|state| notices::notice_of_schedule(&run, told.as_deref(), state));
    let Some(notice) = notice.filter(|_| !goes_on) else {
        return;
    };
    let (schedule, due) = (run.schedule, run.due);
    let place = match (run.session, run.run) {
        (Some(session), Some(run)) => ClickPlace::Panel(ShellCommand::Run { session, run }),
        (Some(_) | None, _) => ClickPlace::Workbench(BenchPlace::Section {
            section: "schedules".to_owned(),
        }),
    };
    // A notification may stand on a locked screen. It holds a text that its user wrote for it, or our own reason.
    let skipped = (notice == Notice::ScheduleMissed).then_some(run.reason).flatten();
    if notifications::show(app, notice, told.or(skipped).unwrap_or_default(), Some(place)) {
        skips.note_told(&schedule, due);
    }
}

fn note_browsers(app: &AppHandle, moods: &Moods, asking: Vec<AskingBrowser>) {
    // A notification shows neither the browser's self-chosen name nor its code, which belongs into the panel.
    let codes = asking.into_iter().map(|browser| browser.code).collect();
    if let Some(notice) = moods.read(|state| notices::notice_of_browsers(&codes, state)) {
        notifications::show(app, notice, String::new(), None);
    }
    moods.note(&Happening::BrowsersAsk(codes));
}

async fn read_settings(app: &AppHandle, connection: &RuntimeConnection) {
    let Some(reply::Config { entries, .. }) = connection.ask(request::ConfigList).await else {
        return;
    };
    app.state::<LiveSettings>()
        .replace(Settings::of_entries(&entries));
    desktop_state::tell_changed(app);
    // Keys that a setting names are no assistant's any more, and those that it gives up may be.
    hotkey::read_assistants(app).await;
}

async fn find_waiting(connection: &RuntimeConnection, moods: &Moods) {
    let listed = request::SessionList { limit: SESSIONS_MAX };
    let Some(reply::Sessions { sessions }) = connection.ask(listed).await else {
        return;
    };
    for session in sessions.into_iter().filter(|session| session.waiting > 0) {
        let shown = connection.ask(request::SessionShow { session: session.id }).await;
        if let Some(reply::Session { session }) = shown {
            let id = session.summary.id;
            for run in session.runs.into_iter().filter(|run| !run.waiting.is_empty()) {
                let (session, run) = (id.clone(), Box::new(run));
                moods.note(&Happening::Found { session, run });
            }
        }
    }
}
