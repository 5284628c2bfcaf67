//! Notifications of the desktop, one at a time.
//!
//! A notification names the tool at most, since it may stand on a locked screen; a reminder says what its user wrote to
//! be told. Only reminders are shown over a full-screen window.

use crate::menu::MenuAction;
use crate::notices::{Clicked, Notice, Notification};
use crate::settings::LiveSettings;
use crate::shell_command::ShellCommand;
use crate::system::{notifications, window};
use crate::words;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::{AppHandle, Manager};

/// Whether notifications may be shown, and what a click on one does.
pub struct Notifications {
    /// Whether a full-screen window is in front.
    full_screen: AtomicBool,
    clicked: Clicked,
}

impl Notifications {
    #[must_use]
    pub fn new(clicked: Clicked) -> Self {
        Self {
            full_screen: AtomicBool::new(false),
            clicked,
        }
    }

    /// Notes whether a full-screen window is in front.
    #[cfg(target_os = "linux")]
    pub fn note_full_screen(&self, is_there: bool) {
        self.full_screen.store(is_there, Ordering::Release);
    }
}

/// Shows a notification, unless a full-screen window is in front; a click on it leads to `place`.
pub fn show(app: &AppHandle, notice: Notice, detail: String, place: Option<ShellCommand>) {
    let own = app.state::<Notifications>();
    // A reminder that comes later is none.
    if own.full_screen.load(Ordering::Acquire) && notice != Notice::Reminder {
        return;
    }
    let language = app.state::<LiveSettings>().language();
    let notification = Notification {
        title: words::panel_title(language),
        text: words::notice(notice, language).to_owned(),
        detail,
        open: words::menu(&MenuAction::Open, language),
        place,
    };
    let clicked = own.clicked;
    window::on_main(app, move |app| notifications::show(app, notification, clicked));
}

/// Withdraws the shown notification: the user has seen its event.
pub fn withdraw(app: &AppHandle) {
    window::on_main(app, |_| notifications::withdraw());
}
