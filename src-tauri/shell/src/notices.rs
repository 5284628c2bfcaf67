//! Notifications of the desktop: events while the panel was hidden, one at a time.
//!
//! A notification names the tool at most, since it may stand on a locked screen. None is shown over a
//! full-screen window.

use crate::desktop::Desktop;
use crate::mood::State;
use crate::wish::Wish;
use shidi_protocol::{JobState, JobView, RunEvent, RunEventKind, RunStatus};
use std::collections::BTreeSet;
use tauri::{AppHandle, Manager};

/// The event that a notification tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    Approval,
    Question,
    Answered,
    Failed,
    /// A background job has ended with success.
    JobEnded,
    /// A background job has ended without success.
    JobFailed,
    /// A browser's companion asks to be let in.
    Browser,
    /// The panel's page was lost repeatedly.
    PanelLost,
}

/// The notice for an event, if it is worth one, in the state after the event. `before` is the state that still
/// knew the run.
#[must_use]
pub fn notice_of(event: &RunEvent, before: &State) -> Option<Notice> {
    if before.is_panel_shown() {
        return None;
    }
    match &event.kind {
        RunEventKind::ApprovalNeeded { .. } => Some(Notice::Approval),
        RunEventKind::Question { .. } => Some(Notice::Question),
        RunEventKind::RunEnded { status, .. } if before.was_asked_here(&event.run) => match status {
            RunStatus::Completed => Some(Notice::Answered),
            RunStatus::Failed | RunStatus::GaveUp => Some(Notice::Failed),
            RunStatus::Suspended | RunStatus::Cancelled => None,
        },
        RunEventKind::RunEnded { .. }
        | RunEventKind::RunStarted { .. }
        | RunEventKind::Context { .. }
        | RunEventKind::Recalled { .. }
        | RunEventKind::Segment { .. }
        | RunEventKind::Delta { .. }
        | RunEventKind::Retracted
        | RunEventKind::Standing { .. }
        | RunEventKind::Awaiting { .. }
        | RunEventKind::Code { .. }
        | RunEventKind::Call { .. }
        | RunEventKind::CallDone { .. }
        | RunEventKind::Decided { .. }
        | RunEventKind::Card { .. }
        | RunEventKind::Output { .. }
        | RunEventKind::Variables { .. }
        | RunEventKind::Todo { .. }
        | RunEventKind::Notification { .. }
        | RunEventKind::Compacted { .. }
        | RunEventKind::Answer { .. } => None,
    }
}

/// The notice for a background job's end. None if the user is looking, has stopped the job, or its task goes on
/// with the result by itself.
#[must_use]
pub fn notice_of_job(job: &JobView, state: &State) -> Option<Notice> {
    let is_stopped = job.how.as_deref() == Some("stopped");
    if job.state == JobState::Running || is_stopped || state.is_panel_shown() || state.is_at_work(&job.run) {
        return None;
    }
    Some(if job.exit_code == Some(0) {
        Notice::JobEnded
    } else {
        Notice::JobFailed
    })
}

/// Whether browsers with these codes deserve a notice; `before` knows the codes that asked already.
#[must_use]
pub fn notice_of_browsers(codes: &BTreeSet<String>, before: &State) -> Option<Notice> {
    let is_news = !before.is_panel_shown() && codes.iter().any(|code| !before.is_asking(code));
    is_news.then_some(Notice::Browser)
}

/// Shows a notification; a click on it opens the panel where `place` says.
pub fn show(app: &AppHandle, notice: Notice, detail: String, place: Option<Wish>) {
    let language = app.state::<Desktop>().language();
    let told = Told {
        title: crate::words::panel_title(language),
        text: crate::words::notice(notice, language).to_owned(),
        detail,
        open: crate::words::menu(&crate::menu::Deed::Open, language),
        place,
    };
    crate::panel::on_main(app, move |app| system::show(app, told));
}

/// Withdraws the shown notification: the user has seen its event.
pub fn withdraw(app: &AppHandle) {
    crate::panel::on_main(app, |_| system::withdraw());
}

/// A notification's texts in the user's language.
struct Told {
    title: &'static str,
    text: String,
    detail: String,
    /// The label of the action.
    open: String,
    place: Option<Wish>,
}

/// Sends notifications over the session bus, on the main loop.
#[cfg(target_os = "linux")]
mod system {
    use super::Told;
    use crate::panel::{self, ActedAt, ShownBy};
    use crate::theme::has_session_bus;
    use crate::wish::Wish;
    use gtk::gio::{self, BusType, DBusCallFlags, DBusConnection, DBusSignalFlags};
    use gtk::glib::{self, ToVariant, Variant, VariantDict, VariantTy};
    use std::cell::RefCell;
    use tauri::AppHandle;

    const NAME: &str = "org.freedesktop.Notifications";
    const OBJECT: &str = "/org/freedesktop/Notifications";
    /// Longest wait for the desktop's answer, in milliseconds; no other work waits for it.
    const ANSWER_LIMIT_MS: i32 = 5_000;
    /// The desktop decides how long a notification stays.
    const USUAL_TIME: i32 = -1;

    #[derive(Default)]
    struct Shown {
        bus: Option<DBusConnection>,
        /// The shown notification's number, or 0; the next one replaces it.
        number: u32,
        place: Option<Wish>,
    }

    thread_local! {
        static SHOWN: RefCell<Shown> = RefCell::default();
    }

    pub fn show(app: &AppHandle, told: Told) {
        if !has_session_bus() {
            return;
        }
        let app = app.clone();
        glib::MainContext::default().spawn_local(async move {
            if let Err(error) = send(&app, told).await {
                tracing::debug!(%error, "The desktop shows no notifications");
            }
        });
    }

    pub fn withdraw() {
        let (bus, number) =
            SHOWN.with_borrow_mut(|shown| (shown.bus.clone(), std::mem::take(&mut shown.number)));
        let Some(bus) = bus.filter(|_| number != 0) else {
            return;
        };
        glib::MainContext::default().spawn_local(async move {
            let asked = (number,).to_variant();
            if let Err(error) = call(&bus, "CloseNotification", &asked, None).await {
                tracing::debug!(%error, "A notification could not be taken back");
            }
        });
    }

    async fn send(app: &AppHandle, told: Told) -> Result<(), glib::Error> {
        let bus = gio::bus_get_future(BusType::Session).await?;
        let before = SHOWN.with_borrow_mut(|shown| {
            if shown.bus.replace(bus.clone()).is_none() {
                listen(app, &bus);
            }
            shown.number
        });
        let hints = VariantDict::new(None);
        hints.insert_value("desktop-entry", &"dev.shidi.desktop".to_variant());
        let body = if told.detail.is_empty() {
            told.text
        } else {
            format!("{}: {}", told.text, told.detail)
        };
        let asked = Variant::tuple_from_iter([
            "Shidi".to_variant(),
            before.to_variant(),
            "shidi-desktop".to_variant(),
            told.title.to_variant(),
            // Some desktops read the body as markup.
            glib::markup_escape_text(&body).as_str().to_variant(),
            vec!["default".to_owned(), told.open].to_variant(),
            hints.end(),
            USUAL_TIME.to_variant(),
        ]);
        let answer = call(&bus, "Notify", &asked, VariantTy::new("(u)").ok()).await?;
        SHOWN.with_borrow_mut(|shown| {
            shown.number = answer.child_value(0).get().unwrap_or_default();
            shown.place = told.place;
        });
        Ok(())
    }

    async fn call(
        bus: &DBusConnection,
        method: &str,
        asked: &Variant,
        answer: Option<&VariantTy>,
    ) -> Result<Variant, glib::Error> {
        let flags = DBusCallFlags::NONE;
        bus.call_future(
            Some(NAME),
            OBJECT,
            NAME,
            method,
            Some(asked),
            answer,
            flags,
            ANSWER_LIMIT_MS,
        )
        .await
    }

    /// Subscribes to clicks; the subscription lives as long as the program.
    fn listen(app: &AppHandle, bus: &DBusConnection) {
        let app = app.clone();
        let _subscription = bus.signal_subscribe(
            Some(NAME),
            Some(NAME),
            Some("ActionInvoked"),
            Some(OBJECT),
            None,
            DBusSignalFlags::NONE,
            move |_, _, _, _, _, invoked| {
                let number: u32 = invoked.child_value(0).get().unwrap_or_default();
                let place = SHOWN.with_borrow_mut(|shown| {
                    (shown.number == number && number != 0).then(|| shown.place.take())
                });
                if let Some(place) = place {
                    panel::show_with(&app, place, ShownBy::Start, ActedAt::Now);
                }
            },
        );
    }
}

/// Compiled there, not tried yet. A click does nothing.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::Told;
    use tauri::AppHandle;

    pub fn show(_app: &AppHandle, told: Told) {
        let mut notification = notify_rust::Notification::new();
        notification
            .summary(told.title)
            .body(&format!("{} {}", told.text, told.detail));
        if let Err(error) = notification.show() {
            tracing::debug!(%error, "The desktop shows no notifications");
        }
    }

    pub fn withdraw() {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mood::Happening;
    use shidi_protocol::{CallId, Moment, RunId, SessionId, Usage};

    fn event(kind: RunEventKind) -> RunEvent {
        RunEvent {
            kind,
            run: RunId::from("a"),
            seq: 1,
            time: Moment(0),
        }
    }

    fn ended(status: RunStatus) -> RunEvent {
        event(RunEventKind::RunEnded {
            status,
            reason: None,
            error: None,
            usage: Usage::default(),
            ms: 1,
        })
    }

    fn state(happenings: &[Happening]) -> State {
        happenings.iter().fold(State::default(), State::after)
    }

    #[test]
    fn only_what_the_user_does_not_see_and_waits_for_is_told() {
        let started = Happening::Run(Box::new(event(RunEventKind::RunStarted {
            session: SessionId::from("s"),
            assistant: String::new(),
            models: Vec::new(),
            offline: false,
            under: None,
        })));
        let question = event(RunEventKind::Question {
            call: CallId(1),
            text: String::new(),
            fields: None,
        });
        let in_view = [Happening::PanelShown, started.clone()];
        let away = [Happening::PanelShown, started.clone(), Happening::PanelHidden];
        let completed = ended(RunStatus::Completed);
        assert_eq!(notice_of(&question, &state(&in_view)), None);
        assert_eq!(notice_of(&question, &state(&away)), Some(Notice::Question));
        assert_eq!(notice_of(&completed, &state(&away)), Some(Notice::Answered));
        assert_eq!(
            notice_of(&ended(RunStatus::GaveUp), &state(&away)),
            Some(Notice::Failed)
        );
        assert_eq!(notice_of(&ended(RunStatus::Cancelled), &state(&away)), None);
        // The user watches a terminal.
        assert_eq!(notice_of(&completed, &state(&[started])), None);
    }

    #[test]
    fn the_end_of_a_background_job_is_told_to_who_does_not_look() {
        let job = |state: JobState, how: Option<&str>, exit_code: Option<i32>| JobView {
            id: "job-1".into(),
            session: SessionId::from("s"),
            run: RunId::from("a"),
            command: "make".into(),
            state,
            how: how.map(str::to_owned),
            exit_code,
            began: Moment(0),
            ended: None,
            lines: String::new(),
        };
        let done = job(JobState::Ended, Some("exited"), Some(0));
        assert_eq!(notice_of_job(&done, &state(&[])), Some(Notice::JobEnded));
        assert_eq!(notice_of_job(&done, &state(&[Happening::PanelShown])), None);
        let failed = job(JobState::Ended, Some("exited"), Some(2));
        assert_eq!(notice_of_job(&failed, &state(&[])), Some(Notice::JobFailed));
        let lost = job(JobState::Lost, None, None);
        assert_eq!(notice_of_job(&lost, &state(&[])), Some(Notice::JobFailed));
        let stopped = job(JobState::Ended, Some("stopped"), None);
        assert_eq!(notice_of_job(&stopped, &state(&[])), None);
        assert_eq!(
            notice_of_job(&job(JobState::Running, None, None), &state(&[])),
            None
        );
        let at_work = Happening::Run(Box::new(event(RunEventKind::RunStarted {
            session: SessionId::from("s"),
            assistant: String::new(),
            models: Vec::new(),
            offline: false,
            under: None,
        })));
        assert_eq!(notice_of_job(&done, &state(&[at_work])), None, "its task goes on");
    }

    #[test]
    fn a_browser_that_asks_is_told_of_once_and_not_to_who_looks_at_the_panel() {
        let codes = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
        let first: BTreeSet<String> = codes(&["482913"]);
        assert_eq!(notice_of_browsers(&first, &state(&[])), Some(Notice::Browser));
        assert_eq!(notice_of_browsers(&first, &state(&[Happening::PanelShown])), None);
        let known = state(&[Happening::BrowsersAsk(first.clone())]);
        assert_eq!(notice_of_browsers(&first, &known), None);
        assert_eq!(
            notice_of_browsers(&codes(&["482913", "100000"]), &known),
            Some(Notice::Browser)
        );
        assert_eq!(notice_of_browsers(&codes(&[]), &known), None);
    }
}
