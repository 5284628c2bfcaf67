//! The tray: the same menu as the ball's, for users who look for a program there. Without a tray, only this
//! menu is missing.

use crate::desktop::Desktop;
use crate::menu::{self, Deed};
use crate::panel::{self, ActedAt};
use crate::words;
use tauri::{AppHandle, Manager};

#[cfg(target_os = "linux")]
#[path = "tray/bus.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "tray/other.rs"]
mod system;

#[cfg(not(target_os = "linux"))]
pub use system::menu;
pub use system::show;

/// The menu's lines with their texts, in groups.
fn lines(app: &AppHandle) -> Vec<Vec<(Deed, String)>> {
    let desktop = app.state::<Desktop>();
    let worded = |deed: Deed| (deed, words::menu(&deed, desktop.language()));
    desktop
        .menu_lines()
        .into_iter()
        .map(|group| group.into_iter().map(worded).collect())
        .collect()
}

fn perform(app: &AppHandle, deed: Deed) {
    panel::on_main(app, move |app| menu::perform(app, deed, ActedAt::Now));
}
