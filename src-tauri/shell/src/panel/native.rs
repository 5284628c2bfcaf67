//! The parts of the panel that only GTK, WebKit and X11 can do: the focus for the user, the place, the page's
//! process.

use super::{ActedAt, Place};
use crate::shape;
use gtk::glib::object::Cast;
use gtk::prelude::*;
use tauri::{AppHandle, WebviewWindow};
use webkit2gtk::{CacheModel, HardwareAccelerationPolicy, SettingsExt, WebContextExt, WebViewExt};

/// Radius of the panel's corners, as on its page, in pixels.
const CORNER_PX: i32 = 12;

/// Queues an act on the main loop directly: the window library's own queue takes some milliseconds more.
///
/// Always as a source of its own. `MainContext::invoke` would run the act on the calling thread whenever the
/// main loop is between two turns. Both threads would then wait for each other for ever.
pub fn queue(act: impl FnOnce() + Send + 'static) {
    let mut act = Some(act);
    gtk::glib::idle_add_full(gtk::glib::Priority::HIGH, move || {
        if let Some(act) = act.take() {
            act();
        }
        gtk::glib::ControlFlow::Break
    });
}

/// Gives the web view the keyboard inside its window, and cuts the corners where no compositor blends them.
pub fn prepare(panel: &WebviewWindow, app: &AppHandle) -> tauri::Result<()> {
    let handle = app.clone();
    panel.with_webview(move |view| {
        let view = view.inner();
        leave_out(&view);
        restore_when_lost(&view, handle);
        view.grab_focus();
    })?;
    let window = panel.gtk_window()?;
    shape::keep_rounded(window.upcast_ref(), CORNER_PX);
    Ok(())
}

/// Prepares another window of ours: drops unused parts, and reports the loss of its page's process.
pub fn spare_and_follow(
    window: &WebviewWindow,
    lost: impl Fn() + Clone + Send + 'static,
) -> tauri::Result<()> {
    window.with_webview(move |view| {
        let view = view.inner();
        leave_out(&view);
        view.connect_web_process_terminated(move |_, _| {
            let lost = lost.clone();
            gtk::glib::idle_add_local_once(lost);
        });
    })
}

fn restore_when_lost(view: &webkit2gtk::WebView, app: AppHandle) {
    view.connect_web_process_terminated(move |_, _| {
        let app = app.clone();
        gtk::glib::idle_add_local_once(move || super::restore(&app));
    });
}

/// Drops parts of the web view that a panel of text never uses; `BALL.md` has the figures.
fn leave_out(view: &webkit2gtk::WebView) {
    if let Some(settings) = WebViewExt::settings(view) {
        settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        for unused in [
            "enable-media",
            "enable-webaudio",
            "enable-webgl",
            "enable-page-cache",
        ] {
            settings.set_property(unused, false);
        }
    }
    if let Some(context) = view.context() {
        context.set_cache_model(CacheModel::DocumentViewer);
    }
}

/// Whether the panel is one of the given X11 windows.
pub fn is_among(panel: &WebviewWindow, windows: &[u32]) -> bool {
    let window = panel.gtk_window().ok().and_then(|window| window.window());
    let own = window
        .and_downcast::<gdkx11::X11Window>()
        .map(|window| window.xid());
    own.is_some_and(|own| windows.iter().any(|window| u64::from(*window) == own))
}

/// Moves the panel, and tells the window manager that the place is deliberate: it would choose another at the
/// first show.
pub fn put(panel: &WebviewWindow, Place { x, y }: Place) {
    match panel.gtk_window() {
        Ok(window) => {
            crate::shape::mean_the_place(window.upcast_ref());
            window.move_(x, y);
        }
        Err(error) => tracing::warn!(%error, "The panel could not be moved"),
    }
}

/// Shows the window and takes the focus on behalf of the user: a plain request counts as stealing and is refused.
pub fn raise(panel: &WebviewWindow, at: ActedAt) {
    let window = match panel.gtk_window() {
        Ok(window) => window,
        Err(error) => return tracing::warn!(%error, "The panel could not be shown"),
    };
    if !window.is_realized() {
        window.realize();
    }
    let display_window = window.window().and_downcast::<gdkx11::X11Window>();
    let Some(display_window) = display_window else {
        window.show_all();
        return window.present();
    };
    let time = match at {
        ActedAt::Display(time) => time,
        ActedAt::Now => gdkx11::functions::x11_get_server_time(&display_window),
    };
    display_window.set_user_time(time);
    window.show_all();
    window.present_with_time(time);
}
