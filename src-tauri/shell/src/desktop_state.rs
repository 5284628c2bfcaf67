//! The state of the desktop program, as its pages may know it.

use crate::hotkey::{HotkeyState, Hotkeys};
use crate::keys::Action;
use crate::page_window;
use crate::settings::LiveSettings;
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager};

/// Keys that are ours, language and version.
#[derive(Debug, Clone, Serialize)]
pub struct DesktopState {
    /// The keys that summon the panel, if they are ours.
    hotkey: Option<String>,
    /// Why the keys are not ours, with the remedy.
    notice: Option<String>,
    hotkeys: Vec<HotkeyState>,
    /// The code of the language.
    language: &'static str,
    version: &'static str,
}

impl DesktopState {
    #[must_use]
    pub fn of(hotkeys: &Hotkeys, settings: &LiveSettings) -> Self {
        let hotkeys = hotkeys.states();
        let summon = hotkeys
            .iter()
            .find(|state| state.action == Action::Summon.setting());
        Self {
            hotkey: summon
                .filter(|state| state.notice.is_none())
                .map(|state| state.keys.clone()),
            notice: summon.and_then(|state| state.notice.clone()),
            hotkeys,
            language: settings.language().code(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Tells the pages of both windows that the state has changed.
pub fn tell_changed(app: &AppHandle) {
    let state = DesktopState::of(&app.state::<Hotkeys>(), &app.state::<LiveSettings>());
    for window in [page_window::PANEL, page_window::WORKBENCH] {
        if let Err(error) = app.emit_to(window, "desktop-changed", &state) {
            tracing::warn!(%error, window, "A page was not told of the change");
        }
    }
}
