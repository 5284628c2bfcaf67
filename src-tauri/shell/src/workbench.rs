//! The workbench: an ordinary window, built on demand and destroyed when closed, so that it costs nothing
//! unused. The page decides on its content. Functions that take windows run on the main thread.

use crate::desktop::Desktop;
use crate::geometry::Size;
use crate::panel::{self, ActedAt};
use crate::wish::BenchPlace;
use crate::words;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Emitter, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};

/// Name of the window, in capabilities and events.
pub const LABEL: &str = "workbench";
/// The first size, in logical pixels.
const SIZE: Size = Size {
    width: 1200,
    height: 760,
};
const SIZE_MIN: Size = Size {
    width: 480,
    height: 400,
};

/// Opens the workbench, at `at` if given, or brings the open one to the front.
pub fn open(app: &AppHandle, at: Option<BenchPlace>) {
    if let Some(at) = at {
        app.state::<Desktop>().want_place(at);
    }
    let Some(window) = app.get_webview_window(LABEL) else {
        if let Err(error) = build(app) {
            tracing::error!(%error, "The workbench could not be opened");
        }
        return;
    };
    panel::raise(&window, ActedAt::Now);
    if let Err(error) = app.emit_to(LABEL, "workbench-wanted", ()) {
        tracing::warn!(%error, "The workbench was not told what is wanted");
    }
}

/// Closes the workbench; its page and its streams end with it.
pub fn close(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(error) = window.destroy()
    {
        tracing::warn!(%error, "The workbench could not be closed");
    }
}

/// Moves the workbench off the screen for a look at the area below, until [`comes_back`].
#[cfg(target_os = "linux")]
pub fn steps_aside(app: &AppHandle) {
    use gtk::prelude::*;
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    // A window that is hidden or minimised covers nothing.
    if !window.is_visible().unwrap_or_default() || window.is_minimized().unwrap_or_default() {
        return;
    }
    if let Ok(window) = window.gtk_window() {
        ASIDE.set(Some(window.position()));
        window.hide();
    }
}

/// Puts the workbench back at its place, without taking the focus.
#[cfg(target_os = "linux")]
pub fn comes_back(app: &AppHandle) {
    use gtk::glib::object::Cast;
    use gtk::prelude::*;
    let (Some((x, y)), Some(window)) = (ASIDE.take(), app.get_webview_window(LABEL)) else {
        return;
    };
    if let Ok(window) = window.gtk_window() {
        crate::shape::mean_the_place(window.upcast_ref());
        window.set_focus_on_map(false);
        window.move_(x, y);
        window.show();
        window.set_focus_on_map(true);
    }
}

#[cfg(target_os = "linux")]
thread_local! {
    /// The workbench's place before a look.
    static ASIDE: std::cell::Cell<Option<(i32, i32)>> = const { std::cell::Cell::new(None) };
}

/// Does nothing: on these platforms `senses` leaves the window out of pictures.
#[cfg(not(target_os = "linux"))]
pub fn steps_aside(_app: &AppHandle) {}

#[cfg(not(target_os = "linux"))]
pub fn comes_back(_app: &AppHandle) {}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let desktop = app.state::<Desktop>();
    let handle = app.clone();
    let mut builder = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("workbench.html".into()))
        .title(words::workbench_title(desktop.language()))
        .inner_size(f64::from(SIZE.width), f64::from(SIZE.height))
        .min_inner_size(f64::from(SIZE_MIN.width), f64::from(SIZE_MIN.height))
        .visible(false)
        .on_navigation(|url| url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost"))
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .on_page_load(move |window, load| match load.event() {
            PageLoadEvent::Started => handle.state::<Desktop>().streams_of(LABEL).close_all(),
            // A window without its page would be blank.
            PageLoadEvent::Finished => {
                let window = window.clone();
                panel::on_main(&handle, move |_| panel::raise(&window, ActedAt::Now));
            }
        });
    if let Some(folder) = desktop.page_folder() {
        builder = builder.data_directory(folder);
    }
    let window = builder.build()?;
    let handle = app.clone();
    window.on_window_event(move |event| {
        if matches!(event, WindowEvent::Destroyed) {
            handle.state::<Desktop>().streams_of(LABEL).close_all();
        }
    });
    prepare(&window, app)
}

/// Closes the window when its page's process is gone, since it would be empty; opening it again starts afresh.
#[cfg(target_os = "linux")]
fn prepare(window: &WebviewWindow, app: &AppHandle) -> tauri::Result<()> {
    let app = app.clone();
    panel::spare_and_follow(window, move || {
        crate::lean::take_drivers_back();
        close(&app);
    })
}

#[cfg(not(target_os = "linux"))]
fn prepare(_window: &WebviewWindow, _app: &AppHandle) -> tauri::Result<()> {
    Ok(())
}
