//! The panel: built beforehand and hidden, so that it appears at once.
//!
//! Every summon shows the panel beside the ball, with the focus truly in its input. The page decides on its
//! content. All functions run on the main thread.

use crate::geometry::Size;
use crate::keys::{Focus, Press};
use crate::mood::Happening;
use crate::moods::Moods;
use crate::notices::Notice;
use crate::page::{Lost, Page, Summoned};
use crate::page_window::{self, PANEL as LABEL};
use crate::places::BallPlaces;
use crate::settings::LiveSettings;
use crate::shell_command::{PendingCommands, ShellCommand};
use crate::streams::PageStreams;
use crate::summon::{ActedAt, ShownBy};
use crate::system::window::{self, is_among, on_main, put, raise};
use crate::{notifications, words};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::time::Instant;
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, DragDropEvent, Emitter, Manager, WebviewWindow, WindowEvent};

/// The first size, in logical pixels.
const SIZE: Size = Size {
    width: 420,
    height: 640,
};
const SIZE_MIN: Size = Size {
    width: 360,
    height: 480,
};
const SIZE_MAX: Size = Size {
    width: 560,
    height: 900,
};

/// Builds the panel and leaves it hidden.
///
/// # Errors
/// The web view can't be created.
pub fn build(app: &AppHandle) -> tauri::Result<()> {
    let language = app.state::<LiveSettings>().language();
    let handle = app.clone();
    let builder = page_window::builder(app, LABEL, "panel.html")
        .title(words::panel_title(language))
        .inner_size(f64::from(SIZE.width), f64::from(SIZE.height))
        .min_inner_size(f64::from(SIZE_MIN.width), f64::from(SIZE_MIN.height))
        .max_inner_size(f64::from(SIZE_MAX.width), f64::from(SIZE_MAX.height))
        .decorations(false)
        .transparent(true)
        .shadow(false)
        .skip_taskbar(true)
        .visible_on_all_workspaces(true)
        .on_page_load(move |_, load| match load.event() {
            PageLoadEvent::Started => handle.state::<PageStreams>().of(LABEL).close_all(),
            PageLoadEvent::Finished => loaded(&handle),
        });
    let window = builder.build()?;
    let handle = app.clone();
    window.on_window_event(move |event| match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            hide(&handle);
        }
        // The program that the files come from still has the keyboard.
        WindowEvent::DragDrop(DragDropEvent::Drop { .. }) => on_main(&handle, |app| {
            if let Some(panel) = self::window(app) {
                raise(&panel, ActedAt::Now);
            }
        }),
        _ => {}
    });
    let handle = app.clone();
    window::prepare_panel(&window, SIZE, move || restore(&handle))
}

/// Notes that the page is there, and shows the panel if it was summoned before.
fn loaded(app: &AppHandle) {
    app.state::<Moods>().note(&Happening::PageLoaded);
    let summoned = app.state::<Mutex<Page>>().lock().loaded();
    if let Some(by) = summoned {
        on_main(app, move |app| show(app, by, ActedAt::Now));
    }
}

/// Loads the page anew after its process is gone, such as for lack of memory, and shows it as before. The store
/// holds questions and answers; the page itself keeps an unfinished input. A page that is lost repeatedly is
/// hidden, the user is told, and the next summon tries once more.
fn restore(app: &AppHandle) {
    let Some(panel) = window(app) else { return };
    let wanted = panel.is_visible().unwrap_or_default().then_some(ShownBy::Start);
    app.state::<PageStreams>().of(LABEL).close_all();
    let lost = app.state::<Mutex<Page>>().lock().lost(wanted, Instant::now());
    match lost {
        Lost::LoadsAgain => {
            tracing::warn!("The panel's page was lost; it is loaded again");
            load_again(&panel);
        }
        Lost::LeftAlone => {
            app.state::<Moods>().note(&Happening::PageLeftAlone);
            let language = app.state::<LiveSettings>().language();
            eprintln!("{}", words::notice(Notice::PanelLost, language));
            hide(app);
            notifications::show(app, Notice::PanelLost, String::new(), None);
        }
    }
}

fn load_again(panel: &WebviewWindow) {
    if let Err(error) = panel.reload() {
        tracing::error!(%error, "The panel could not be loaded again");
    }
}

/// Sets the window's title in the user's language.
pub fn speak(app: &AppHandle) {
    let Some(panel) = window(app) else { return };
    let title = words::panel_title(app.state::<LiveSettings>().language());
    if let Err(error) = panel.set_title(title) {
        tracing::warn!(%error, "The panel could not be renamed");
    }
}

/// The panel, once it is built.
#[must_use]
pub fn window(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LABEL)
}

/// Shows the panel, or hides it if the user is looking at it.
pub fn toggle(app: &AppHandle, by: ShownBy, at: ActedAt) {
    if app.state::<Mutex<Page>>().lock().take_summon_back() {
        return;
    }
    // The panel is not built yet: `show` keeps the summon.
    let Some(panel) = window(app) else {
        return show(app, by, at);
    };
    let in_front = by == ShownBy::Ball || panel.is_focused().unwrap_or_default();
    if in_front && panel.is_visible().unwrap_or_default() {
        hide(app)
    } else {
        show(app, by, at)
    }
}

/// Toggles the panel by the keys: while they are grabbed, no window knows whether it has the focus.
pub fn toggle_by_keys(app: &AppHandle, press: &Press) {
    if app.state::<Mutex<Page>>().lock().take_summon_back() {
        return;
    }
    let Some(panel) = window(app) else {
        return show(app, ShownBy::Hotkey, press.at);
    };
    let in_front = match &press.focus {
        Focus::In(windows) => is_among(&panel, windows),
        Focus::Unknown => panel.is_focused().unwrap_or_default(),
    };
    tracing::debug!(in_front, visible = ?panel.is_visible(), "The panel is toggled by the keys");
    // The window manager may still call a window focused that was just hidden.
    if in_front && panel.is_visible().unwrap_or_default() {
        hide(app)
    } else {
        show(app, ShownBy::Hotkey, press.at)
    }
}

/// Shows the panel with a command for its page.
pub fn show_with(app: &AppHandle, command: Option<ShellCommand>, by: ShownBy, at: ActedAt) {
    if let Some(command) = command {
        app.state::<Mutex<PendingCommands>>().lock().add(command);
    }
    show(app, by, at);
    if let Err(error) = app.emit_to(LABEL, "panel-command", ()) {
        tracing::warn!(%error, "The panel was not told what is wanted");
    }
}

/// Hides the panel for a look at the area below it; returns whether it was shown.
pub fn steps_aside(app: &AppHandle) -> bool {
    let Some(panel) = window(app) else { return false };
    let was_shown = panel.is_visible().unwrap_or_default();
    if was_shown && let Err(error) = panel.hide() {
        tracing::warn!(%error, "The panel could not be hidden");
    }
    was_shown
}

/// Shows the panel again after a look, unchanged.
pub fn comes_back(app: &AppHandle) {
    let Some(panel) = window(app) else { return };
    let place = app.state::<BallPlaces>().panel_place(size_of(&panel));
    if let Some(place) = place {
        put(&panel, place);
    }
    raise(&panel, ActedAt::Now);
    if let Some(place) = place {
        put(&panel, place);
    }
}

/// Shows the panel beside the ball, with the focus in its input.
pub fn show(app: &AppHandle, by: ShownBy, at: ActedAt) {
    let summoned = app.state::<Mutex<Page>>().lock().summon(by);
    tracing::debug!(?by, ?summoned, "The panel is summoned");
    let Some(panel) = window(app) else { return };
    match summoned {
        Summoned::Ready => {}
        Summoned::Kept => return,
        Summoned::LoadsAgain => return load_again(&panel),
    }
    let places = app.state::<BallPlaces>();
    let place = places.panel_place(fit(&panel, &places));
    if let Some(place) = place {
        put(&panel, place);
    }
    raise(&panel, at);
    // Some window managers choose a place of their own at the first show, despite an earlier request.
    if let Some(place) = place {
        put(&panel, place);
    }
    app.state::<Moods>().note(&Happening::PanelShown);
    notifications::withdraw(app);
    if let Err(error) = panel.emit("panel-shown", by) {
        tracing::warn!(%error, "The panel was not told that it is shown");
    }
}

/// Hides the panel; the window manager gives the focus back.
pub fn hide(app: &AppHandle) {
    tracing::debug!("The panel is hidden");
    let Some(panel) = window(app) else { return };
    if let Err(error) = panel.hide() {
        tracing::warn!(%error, "The panel could not be hidden");
    }
    app.state::<Moods>().note(&Happening::PanelHidden);
}

/// Shows the panel with files that were dropped on the ball.
pub fn attach(app: &AppHandle, paths: Vec<PathBuf>, at: ActedAt) {
    show(app, ShownBy::Ball, at);
    let Some(panel) = window(app) else { return };
    if let Err(error) = panel.emit("ball-dropped", paths) {
        tracing::warn!(%error, "The panel was not told of the files");
    }
}

/// Keeps the panel above other windows, or lets it sink again.
pub fn keep_on_top(app: &AppHandle, pinned: bool) {
    let Some(panel) = window(app) else { return };
    if let Err(error) = panel.set_always_on_top(pinned) {
        tracing::warn!(%error, "The panel's layer could not be changed");
    }
}

/// Shrinks a panel that its screen has no room for; returns its size.
fn fit(panel: &WebviewWindow, places: &BallPlaces) -> Size {
    let wanted = size_of(panel);
    let size = places.panel_size(wanted).unwrap_or(wanted);
    if size != wanted
        && let Err(error) = window::resize(panel, size)
    {
        tracing::warn!(%error, "The panel could not be resized");
    }
    size
}

fn size_of(panel: &WebviewWindow) -> Size {
    let size = panel.inner_size().ok().zip(panel.scale_factor().ok());
    let size = size.map(|(physical, scale)| physical.to_logical::<i32>(scale));
    size.map_or(SIZE, |size| Size {
        width: size.width,
        height: size.height,
    })
}
