//! Work on our windows that only GTK, WebKit and X11 can do. They are the focus for the user, the place, and the
//! page's process.

use crate::geometry::{Place, Size};
use crate::linux::layers::{Layer, LayerKeyboard, Level};
use crate::linux::{lean, session, shape};
use crate::summon::ActedAt;
use gtk::glib::object::Cast;
use gtk::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tauri::{AppHandle, WebviewWindow};
use webkit2gtk::{CacheModel, HardwareAccelerationPolicy, SettingsExt, WebContextExt, WebViewExt};

/// Radius of the panel's corners, as on its page, in pixels.
const CORNER_PX: i32 = 12;

thread_local! {
    /// The place of a window that stands aside for a look.
    static ASIDE: Cell<Option<(i32, i32)>> = const { Cell::new(None) };
    /// The panel as a layer, where the compositor has layers.
    static PANEL: RefCell<Option<(Layer, Rc<LayerKeyboard>)>> = const { RefCell::new(None) };
}

/// Calls `act` on the main thread, which alone may touch windows. The window library's own queue takes some
/// milliseconds more.
///
/// Always as a source of its own. `MainContext::invoke` would run the act on the calling thread whenever the
/// main loop is between two turns. Both threads would then wait for each other for ever.
///
/// Before the events of the display under X11 alone. Under Wayland an act that comes before them finds the display's
/// reading begun and not ended. Code that asks the display then waits for ever.
pub fn on_main(app: &AppHandle, act: impl FnOnce(&AppHandle) + Send + 'static) {
    let mut act = Some((act, app.clone()));
    let priority = match session::is_x11() {
        true => gtk::glib::Priority::HIGH,
        false => gtk::glib::Priority::DEFAULT,
    };
    gtk::glib::idle_add_full(priority, move || {
        if let Some((act, app)) = act.take() {
            act(&app);
        }
        gtk::glib::ControlFlow::Break
    });
}

/// Prepares the panel. The web view has the keyboard inside its window, and the corners are cut where no compositor
/// blends them. The panel is a layer of that size where the compositor has layers. `lost` is called when the page's
/// process is gone.
pub fn prepare_panel(
    panel: &WebviewWindow,
    size: Size,
    lost: impl Fn() + Clone + Send + 'static,
) -> tauri::Result<()> {
    prepare(panel, lost)?;
    panel.with_webview(|view| view.inner().grab_focus())?;
    let window = panel.gtk_window()?;
    shape::keep_rounded(window.upcast_ref(), CORNER_PX);
    // Whoever summons it over a full-screen window wants to see it.
    let layer = Layer::of(window.upcast_ref(), Level::Overlay, size);
    PANEL.set(layer.map(|layer| {
        let keyboard = LayerKeyboard::of(&layer);
        (layer, keyboard)
    }));
    Ok(())
}

/// Drops parts of a window's web view that are not used. `lost` is called when the page's process is gone; the
/// next process gets the graphics driver.
pub fn prepare(window: &WebviewWindow, lost: impl Fn() + Clone + Send + 'static) -> tauri::Result<()> {
    window.with_webview(move |view| {
        let view = view.inner();
        leave_out(&view);
        view.connect_web_process_terminated(move |_, _| {
            let lost = lost.clone();
            gtk::glib::idle_add_local_once(move || {
                lean::take_drivers_back();
                lost();
            });
        });
    })
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

/// Moves the panel, and tells the window manager that the place is deliberate. Otherwise the manager would choose
/// another place at the first show.
pub fn put(panel: &WebviewWindow, place: Place) {
    if with_layer(|layer| layer.put(place)).is_some() {
        return;
    }
    let Place { x, y } = place;
    match panel.gtk_window() {
        Ok(window) => {
            shape::mean_the_place(window.upcast_ref());
            window.move_(x, y);
        }
        Err(error) => tracing::warn!(%error, "The panel could not be moved"),
    }
}

/// Gives the panel another size.
pub fn resize(panel: &WebviewWindow, size: Size) -> tauri::Result<()> {
    match with_layer(|layer| layer.resize(size)) {
        Some(()) => Ok(()),
        None => panel.set_size(tauri::LogicalSize::new(size.width, size.height)),
    }
}

/// Acts on the panel's layer, if it is one.
fn with_layer<T>(act: impl FnOnce(&Layer) -> T) -> Option<T> {
    PANEL.with_borrow(|panel| panel.as_ref().map(|(layer, _)| act(layer)))
}

/// Shows the window and takes the focus on behalf of the user. A plain request counts as stealing and is refused.
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
        PANEL.with_borrow(|panel| {
            if let Some((_, keyboard)) = panel.as_ref().filter(|(layer, _)| layer.is_of(&window)) {
                keyboard.ask();
            }
        });
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

/// Moves a window off the screen for a look at the area below, until [`comes_back`].
pub fn steps_aside(window: &WebviewWindow) {
    // A window that is hidden or minimised covers nothing.
    if !window.is_visible().unwrap_or_default() || window.is_minimized().unwrap_or_default() {
        return;
    }
    if let Ok(window) = window.gtk_window() {
        ASIDE.set(Some(window.position()));
        window.hide();
    }
}

/// Puts the window back at its place, without taking the focus.
pub fn comes_back(window: &WebviewWindow) {
    let Some((x, y)) = ASIDE.take() else { return };
    if let Ok(window) = window.gtk_window() {
        shape::mean_the_place(window.upcast_ref());
        window.set_focus_on_map(false);
        window.move_(x, y);
        window.show();
        window.set_focus_on_map(true);
    }
}
