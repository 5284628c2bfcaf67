//! Notifications of the desktop, one at a time; a reminder stands beside the others until its user has seen it.
//!
//! A notification names the tool at most, since it may stand on a locked screen. A reminder says the words that it was
//! given to tell. Only reminders are shown over a full-screen window and in quiet hours: one that comes later is none.

use crate::menu::MenuAction;
use crate::moods::Moods;
use crate::notices::{ClickPlace, Clicked, Notice, Notification};
use crate::settings::LiveSettings;
use crate::system::{notifications, window};
use crate::waiting_notices::{OverdueNotice, WaitingNotice, WaitingNotices};
use crate::words;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tauri::{AppHandle, Manager};

/// How often is looked whether the quiet hours are over, which are told in minutes. A changed setting is looked at at once.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Whether notifications may be shown, and what a click on one does.
pub struct Notifications {
    /// Whether a full-screen window is in front.
    full_screen: AtomicBool,
    clicked: Clicked,
    waiting: Mutex<Waiting>,
}

/// What waits until the quiet hours are over.
#[derive(Default)]
struct Waiting {
    /// Whether somebody waits for their end.
    is_watched: bool,
    notices: WaitingNotices,
}

impl Notifications {
    #[must_use]
    pub fn new(clicked: Clicked) -> Self {
        Self {
            full_screen: AtomicBool::new(false),
            clicked,
            waiting: Mutex::default(),
        }
    }

    /// Notes whether a full-screen window is in front.
    #[cfg(target_os = "linux")]
    pub fn note_full_screen(&self, is_there: bool) {
        self.full_screen.store(is_there, Ordering::Release);
    }
}

/// Shows a notification, unless a full-screen window is in front, or once the quiet hours are over. A click on it leads
/// to `place`. Returns whether it is shown, or will be.
pub fn show(app: &AppHandle, notice: Notice, detail: String, place: Option<ClickPlace>) -> bool {
    if notice != Notice::Reminder {
        if is_quiet(app) {
            let notice = WaitingNotice {
                notice,
                detail,
                place,
            };
            wait(app, notice);
            return true;
        }
        if is_full_screen(app) {
            return false;
        }
    }
    let text = words::notice(notice, app.state::<LiveSettings>().language());
    post(app, text.to_owned(), detail, place, notice == Notice::Reminder);
    true
}

fn post(app: &AppHandle, text: String, detail: String, place: Option<ClickPlace>, stays: bool) {
    let language = app.state::<LiveSettings>().language();
    let notification = Notification {
        title: words::panel_title(language),
        text,
        detail,
        open: words::menu(&MenuAction::Open, language),
        place,
        stays,
    };
    let clicked = app.state::<Notifications>().clicked;
    window::on_main(app, move |app| notifications::show(app, notification, clicked));
}

fn is_quiet(app: &AppHandle) -> bool {
    let time = jiff::Zoned::now().time();
    let minute = u16::try_from(time.hour()).unwrap_or(0) * 60 + u16::try_from(time.minute()).unwrap_or(0);
    app.state::<LiveSettings>().is_quiet(minute)
}

fn is_full_screen(app: &AppHandle) -> bool {
    app.state::<Notifications>().full_screen.load(Ordering::Acquire)
}

fn wait(app: &AppHandle, notice: WaitingNotice) {
    let own = app.state::<Notifications>();
    let mut waiting = own.waiting.lock();
    waiting.notices.add(notice);
    if !std::mem::replace(&mut waiting.is_watched, true) {
        tauri::async_runtime::spawn(tell_when_over(app.clone()));
    }
}

/// Waits for the end of the quiet hours, and of a film, and tells what has waited. Its first look is after a while: a card
/// that waits is known by then.
async fn tell_when_over(app: AppHandle) {
    let mut settings = app.state::<LiveSettings>().subscribe();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            changed = settings.changed() => if changed.is_err() {
                return;
            },
        }
        if !is_quiet(&app) && !is_full_screen(&app) {
            tell_what_waited(&app);
            return;
        }
    }
}

fn tell_what_waited(app: &AppHandle) {
    let Waiting { mut notices, .. } = std::mem::take(&mut *app.state::<Notifications>().waiting.lock());
    let moods = app.state::<Moods>();
    let overdue = notices.take(|run, call| moods.read(|state| state.is_waiting(run, call)));
    let language = app.state::<LiveSettings>().language();
    match overdue {
        OverdueNotice::Nothing => {}
        OverdueNotice::One(WaitingNotice {
            notice,
            detail,
            place,
        }) => post(
            app,
            words::notice(notice, language).to_owned(),
            detail,
            place,
            false,
        ),
        OverdueNotice::Several { count, place } => post(
            app,
            words::notices_waited(count, language),
            String::new(),
            place,
            false,
        ),
    }
}

/// Withdraws the shown notification, and what waits: the user has seen their events.
pub fn withdraw(app: &AppHandle) {
    let own = app.state::<Notifications>();
    let mut waiting = own.waiting.lock();
    waiting.notices.clear();
    drop(waiting);
    window::on_main(app, |_| notifications::withdraw());
}
