//! The tray on macOS and Windows (compiled there, not tried yet).

use crate::menu::MenuAction;
use crate::moods::Moods;
use crate::other::window;
use crate::settings::LiveSettings;
use crate::words;
use tauri::async_runtime::spawn;
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Wry};

/// Shows the tray; its menu follows the mood and the language. `chosen` gets the action of a chosen line.
pub fn show(
    app: &AppHandle,
    moods: &Moods,
    settings: &LiveSettings,
    chosen: impl Fn(&AppHandle, MenuAction) + Send + Sync + 'static,
) {
    let (moods, settings) = (moods.clone(), settings.clone());
    let tray = menu(app, &moods, &settings).and_then(|menu| build(app, &menu, moods.clone(), chosen));
    let tray = match tray {
        Ok(tray) => tray,
        Err(error) => return tracing::warn!(%error, "There is no tray"),
    };
    let (mut new_mood, mut new_settings) = (moods.subscribe(), settings.subscribe());
    let app = app.clone();
    spawn(async move {
        loop {
            tokio::select! {
                changed = new_mood.changed() => if changed.is_err() { return },
                changed = new_settings.changed() => if changed.is_err() { return },
            }
            let (tray, moods, settings) = (tray.clone(), moods.clone(), settings.clone());
            window::on_main(&app, move |app| {
                let done = menu(app, &moods, &settings).and_then(|menu| tray.set_menu(Some(menu)));
                if let Err(error) = done {
                    tracing::warn!(%error, "The tray's menu could not be changed");
                }
            });
        }
    });
}

fn build(
    app: &AppHandle,
    menu: &Menu<Wry>,
    moods: Moods,
    chosen: impl Fn(&AppHandle, MenuAction) + Send + Sync + 'static,
) -> tauri::Result<TrayIcon> {
    let mut tray = TrayIconBuilder::new()
        .menu(menu)
        .on_menu_event(move |app, event| {
            let actions = moods.menu_lines().concat();
            if let Some(action) = actions
                .into_iter()
                .find(|action| id(*action) == event.id().as_ref())
            {
                chosen(app, action);
            }
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)
}

/// The menu with its present lines.
pub fn menu(app: &AppHandle, moods: &Moods, settings: &LiveSettings) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::new(app)?;
    for (number, group) in words::menu_lines(moods.menu_lines(), settings.language())
        .into_iter()
        .enumerate()
    {
        if number > 0 {
            menu.append(&PredefinedMenuItem::separator(app)?)?;
        }
        for (action, text) in group {
            let item = MenuItem::with_id(app, id(action), text, true, None::<&str>)?;
            menu.append(&item as &dyn IsMenuItem<Wry>)?;
        }
    }
    Ok(menu)
}

fn id(action: MenuAction) -> &'static str {
    match action {
        MenuAction::Waiting { .. } => "waiting",
        MenuAction::Open | MenuAction::OpenAgain => "open",
        MenuAction::AskScreen => "ask-screen",
        MenuAction::NewSession => "new-session",
        MenuAction::Assistants => "assistants",
        MenuAction::Pause => "pause",
        MenuAction::Resume => "resume",
        MenuAction::Workbench => "workbench",
        MenuAction::Settings => "settings",
        MenuAction::Quit => "quit",
    }
}
