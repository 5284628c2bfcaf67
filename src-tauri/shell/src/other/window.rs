//! Our windows on macOS and Windows (compiled there, not tried yet).

use crate::geometry::{Place, Size};
use crate::summon::ActedAt;
use tauri::{AppHandle, LogicalPosition, WebviewWindow};

/// Calls `act` on the main thread, which alone may touch windows.
pub fn on_main(app: &AppHandle, act: impl FnOnce(&AppHandle) + Send + 'static) {
    let handle = app.clone();
    if let Err(error) = app.run_on_main_thread(move || act(&handle)) {
        tracing::warn!(%error, "The windows are gone");
    }
}

/// Needs no preparation: these systems bring a lost page back themselves.
pub fn prepare_panel(
    _panel: &WebviewWindow,
    _size: Size,
    _lost: impl Fn() + Clone + Send + 'static,
) -> tauri::Result<()> {
    Ok(())
}

/// Needs no preparation either.
pub fn prepare(_window: &WebviewWindow, _lost: impl Fn() + Clone + Send + 'static) -> tauri::Result<()> {
    Ok(())
}

/// Whether the panel is one of the given windows of an X display, which is not there.
pub fn is_among(_panel: &WebviewWindow, _windows: &[u32]) -> bool {
    false
}

/// Moves the panel.
pub fn put(panel: &WebviewWindow, Place { x, y }: Place) {
    if let Err(error) = panel.set_position(LogicalPosition::new(x, y)) {
        tracing::warn!(%error, "The panel could not be moved");
    }
}

/// Gives the panel another size.
pub fn resize(panel: &WebviewWindow, size: Size) -> tauri::Result<()> {
    panel.set_size(tauri::LogicalSize::new(size.width, size.height))
}

/// Shows the window and takes the focus.
pub fn raise(panel: &WebviewWindow, _at: ActedAt) {
    if let Err(error) = panel.show().and_then(|()| panel.set_focus()) {
        tracing::warn!(%error, "The panel could not be shown");
    }
}

/// Does nothing: `senses` leaves the window out of pictures.
pub fn steps_aside(_window: &WebviewWindow) {}

pub fn comes_back(_window: &WebviewWindow) {}
