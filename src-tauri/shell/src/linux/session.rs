//! The desktop session: its display, and its end.

use crate::words;
use gtk::glib::object::ObjectExt as _;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::AppHandle;

/// SIGINT and SIGTERM.
const ENDING: [i32; 2] = [2, 15];

/// Known once the display is open.
static IS_X11: AtomicBool = AtomicBool::new(true);

/// Opens the display, without which the window library would panic. X11 is preferred: only there can a window
/// choose its place and stay on top.
///
/// # Errors
/// There is no display.
pub fn open_display(language: Language) -> Result<(), UserError> {
    gtk::gdk::set_allowed_backends("x11,*");
    gtk::init().map_err(|_| UserError::new(ErrorCode::System, words::no_display(language)))?;
    let display = gtk::gdk::Display::default();
    IS_X11.store(
        display.is_some_and(|display| display.is::<gdkx11::X11Display>()),
        Ordering::Relaxed,
    );
    Ok(())
}

/// Whether the windows are X11's: under Wayland they are as well, where the desktop serves both.
pub fn is_x11() -> bool {
    IS_X11.load(Ordering::Relaxed)
}

/// Closes the program as the menu does when the session ends, or on Ctrl+C.
pub fn end_on_signals(app: &AppHandle) {
    for signal in ENDING {
        let app = app.clone();
        gtk::glib::unix_signal_add_local(signal, move || {
            app.exit(0);
            gtk::glib::ControlFlow::Continue
        });
    }
}
