//! The tray over the session bus, as all desktops of today have it: no system library, no window.

use crate::drawing::icon::{self, Pixels};
use crate::linux::theme::has_session_bus;
use crate::menu::MenuAction;
use crate::moods::Moods;
use crate::settings::LiveSettings;
use crate::words;
use ksni::menu::{MenuItem, StandardItem};
use ksni::{Icon, ToolTip, Tray, TrayMethods};
use tauri::AppHandle;
use tauri::async_runtime::spawn;

/// Shows the tray icon now, and whenever a tray appears; follows the mood and the language. `chosen` gets the
/// action of a chosen line.
pub fn show(
    app: &AppHandle,
    moods: &Moods,
    settings: &LiveSettings,
    chosen: impl Fn(&AppHandle, MenuAction) + Send + 'static,
) {
    if !has_session_bus() {
        return;
    }
    let app = app.clone();
    let entry = Entry {
        moods: moods.clone(),
        settings: settings.clone(),
        chosen: Box::new(move |action| chosen(&app, action)),
        icon: icons(),
    };
    let (mut moods, mut settings) = (moods.subscribe(), settings.subscribe());
    spawn(async move {
        let handle = match entry.assume_sni_available(true).spawn().await {
            Ok(handle) => handle,
            Err(error) => return tracing::debug!(%error, "There is no tray"),
        };
        loop {
            tokio::select! {
                changed = moods.changed() => if changed.is_err() { return },
                changed = settings.changed() => if changed.is_err() { return },
            }
            moods.mark_unchanged();
            settings.mark_unchanged();
            if handle.update(|_| ()).await.is_none() {
                return;
            }
        }
    });
}

struct Entry {
    moods: Moods,
    settings: LiveSettings,
    chosen: Box<dyn Fn(MenuAction) + Send>,
    icon: Vec<Icon>,
}

impl Tray for Entry {
    fn id(&self) -> String {
        "dev.shidi.desktop".to_owned()
    }

    fn title(&self) -> String {
        let mood = *self.moods.subscribe().borrow();
        words::ball_name(mood, self.settings.language())
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: self.title(),
            ..ToolTip::default()
        }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        self.icon.clone()
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.chosen)(MenuAction::Open);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = Vec::new();
        for group in words::menu_lines(self.moods.menu_lines(), self.settings.language()) {
            if !items.is_empty() {
                items.push(MenuItem::Separator);
            }
            items.extend(group.into_iter().map(|(action, text)| {
                let item = StandardItem {
                    // A single underscore would mark an access key there.
                    label: text.replace('_', "__"),
                    activate: Box::new(move |entry: &mut Self| (entry.chosen)(action)),
                    ..StandardItem::default()
                };
                MenuItem::Standard(item)
            }));
        }
        items
    }
}

/// The program's icon; none if it can't be read.
fn icons() -> Vec<Icon> {
    let pixels = icon::pixels().into_iter();
    pixels
        .map(|Pixels { width, height, data }| Icon { width, height, data })
        .collect()
}
