//! The tray on macOS and Windows (compiled there, not tried yet).

use super::{lines, perform};
use crate::desktop::Desktop;
use crate::menu::Deed;
use crate::panel;
use tauri::async_runtime::spawn;
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Wry};

/// Shows the tray; its menu follows the mood and the language.
pub fn show(app: &AppHandle) {
    let tray = match menu(app).and_then(|menu| build(app, &menu)) {
        Ok(tray) => tray,
        Err(error) => return tracing::warn!(%error, "There is no tray"),
    };
    let (mut moods, mut settings) = {
        let desktop = app.state::<Desktop>();
        (desktop.moods(), desktop.settings())
    };
    let app = app.clone();
    spawn(async move {
        loop {
            tokio::select! {
                changed = moods.changed() => if changed.is_err() { return },
                changed = settings.changed() => if changed.is_err() { return },
            }
            let tray = tray.clone();
            panel::on_main(&app, move |app| {
                let done = menu(app).and_then(|menu| tray.set_menu(Some(menu)));
                if let Err(error) = done {
                    tracing::warn!(%error, "The tray's menu could not be changed");
                }
            });
        }
    });
}

fn build(app: &AppHandle, menu: &Menu<Wry>) -> tauri::Result<TrayIcon> {
    let mut tray = TrayIconBuilder::new().menu(menu).on_menu_event(|app, event| {
        let deeds = lines(app).concat();
        let chosen = deeds.iter().find(|(deed, _)| id(*deed) == event.id().as_ref());
        if let Some((deed, _)) = chosen {
            perform(app, *deed);
        }
    });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)
}

/// The menu with its present lines.
pub fn menu(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::new(app)?;
    for (number, group) in lines(app).into_iter().enumerate() {
        if number > 0 {
            menu.append(&PredefinedMenuItem::separator(app)?)?;
        }
        for (deed, text) in group {
            let item = MenuItem::with_id(app, id(deed), text, true, None::<&str>)?;
            menu.append(&item as &dyn IsMenuItem<Wry>)?;
        }
    }
    Ok(menu)
}

fn id(deed: Deed) -> &'static str {
    match deed {
        Deed::Waiting { .. } => "waiting",
        Deed::Open | Deed::OpenAgain => "open",
        Deed::AskScreen => "ask-screen",
        Deed::NewSession => "new-session",
        Deed::Pause => "pause",
        Deed::Resume => "resume",
        Deed::Workbench => "workbench",
        Deed::Settings => "settings",
        Deed::Quit => "quit",
    }
}
