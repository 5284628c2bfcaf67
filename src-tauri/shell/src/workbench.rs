//! The workbench: an ordinary window, built on demand and destroyed when closed, so that it costs nothing
//! unused. The page decides on its content. Functions that take windows run on the main thread.

use crate::geometry::Size;
use crate::page_window::{self, WORKBENCH as LABEL};
use crate::settings::LiveSettings;
use crate::shell_command::BenchPlace;
use crate::streams::PageStreams;
use crate::summon::ActedAt;
use crate::system::window;
use crate::words;
use parking_lot::Mutex;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Emitter, Manager, WindowEvent};

/// The first size, in logical pixels.
const SIZE: Size = Size {
    width: 1200,
    height: 760,
};
const SIZE_MIN: Size = Size {
    width: 480,
    height: 400,
};

/// The place at which the workbench must open.
#[derive(Debug, Default)]
pub struct WantedPlace(Mutex<Option<BenchPlace>>);

impl WantedPlace {
    /// The place is given out once.
    #[must_use]
    pub fn take(&self) -> Option<BenchPlace> {
        self.0.lock().take()
    }
}

/// Opens the workbench, at `at` if given, or brings the open one to the front.
pub fn open(app: &AppHandle, at: Option<BenchPlace>) {
    if let Some(at) = at {
        *app.state::<WantedPlace>().0.lock() = Some(at);
    }
    let Some(window) = app.get_webview_window(LABEL) else {
        if let Err(error) = build(app) {
            tracing::error!(%error, "The workbench could not be opened");
        }
        return;
    };
    window::raise(&window, ActedAt::Now);
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
pub fn steps_aside(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        window::steps_aside(&window);
    }
}

/// Puts the workbench back at its place, without taking the focus.
pub fn comes_back(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        window::comes_back(&window);
    }
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let language = app.state::<LiveSettings>().language();
    let handle = app.clone();
    let builder = page_window::builder(app, LABEL, "workbench.html")
        .title(words::workbench_title(language))
        .inner_size(f64::from(SIZE.width), f64::from(SIZE.height))
        .min_inner_size(f64::from(SIZE_MIN.width), f64::from(SIZE_MIN.height))
        .on_page_load(move |window, load| match load.event() {
            PageLoadEvent::Started => handle.state::<PageStreams>().of(LABEL).close_all(),
            // A window without its page would be blank.
            PageLoadEvent::Finished => {
                let window = window.clone();
                window::on_main(&handle, move |_| window::raise(&window, ActedAt::Now));
            }
        });
    let window = builder.build()?;
    let handle = app.clone();
    window.on_window_event(move |event| {
        if matches!(event, WindowEvent::Destroyed) {
            handle.state::<PageStreams>().of(LABEL).close_all();
        }
    });
    // A window whose page's process is gone is empty; opening it again starts afresh.
    let handle = app.clone();
    window::prepare(&window, move || close(&handle))
}
