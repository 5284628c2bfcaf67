//! The ball on platforms where it is a page in a web view of its own (compiled there, not tried yet).
//!
//! It shows a mood that it is told by the event `ball-mood`; the page does the rest.

use crate::desktop::Desktop;
use crate::geometry::{Area, Place, Screen, Size, ball_place};
use crate::mood::Mood;
use crate::panel::{self, ActedAt, ShownBy};
use crate::words::{self, Language};
use serde::Serialize;
use tauri::menu::{Menu, MenuItem};
use tauri::{
    AppHandle, DragDropEvent, Emitter, Listener, LogicalPosition, Manager, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder, WindowEvent,
};
use tokio::sync::watch;

const LABEL: &str = "ball";
const SIZE: Size = Size {
    width: 56,
    height: 56,
};
const OPEN: &str = "open";
const QUIT: &str = "quit";

/// What the page is told.
#[derive(Debug, Clone, Serialize)]
struct Told {
    mood: &'static str,
    /// Cards that wait for the user.
    cards: u32,
    /// Part of the known work that is done, 0 to 1.
    progress: Option<f64>,
    /// What a screen reader says.
    name: String,
}

impl Told {
    fn of(mood: Mood, language: Language) -> Self {
        let (word, cards, progress) = match mood {
            Mood::Idle => ("idle", 0, None),
            Mood::Looking => ("looking", 0, None),
            Mood::Thinking(progress) => (
                "thinking",
                0,
                progress.percent().map(|percent| f64::from(percent) / 100.0),
            ),
            Mood::NeedsYou { cards } => ("needs", cards, None),
            Mood::Suggests => ("suggests", 0, None),
            Mood::Error => ("error", 0, None),
            Mood::Paused => ("paused", 0, None),
            Mood::Dropping => ("dropping", 0, None),
        };
        Self {
            mood: word,
            cards,
            progress,
            name: words::ball_name(mood, language),
        }
    }
}

/// Puts the ball on the screen; from then on it shows what `moods` says. Then `then` is done.
pub fn show(
    app: &AppHandle,
    language: Language,
    mut moods: watch::Receiver<Mood>,
    then: impl FnOnce() + 'static,
) {
    let window = match build(app, language) {
        Ok(window) => window,
        Err(error) => return tracing::error!(%error, "The ball could not be shown"),
    };
    place(app, &window);
    listen(app, &window, language);
    then();
    tauri::async_runtime::spawn(async move {
        loop {
            let told = Told::of(*moods.borrow_and_update(), language);
            if let Err(error) = window.emit("ball-mood", told) {
                tracing::warn!(%error, "The ball was not told its mood");
            }
            if moods.changed().await.is_err() {
                return;
            }
        }
    });
}

fn build(app: &AppHandle, language: Language) -> tauri::Result<WebviewWindow> {
    let side = f64::from(SIZE.width);
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::App("ball.html".into()))
        .title(words::ball_name(Mood::Idle, language))
        .inner_size(side, side)
        .min_inner_size(side, side)
        .max_inner_size(side, side)
        .decorations(false)
        .shadow(false)
        .transparent(true)
        .always_on_top(true)
        .skip_taskbar(true)
        .visible_on_all_workspaces(true)
        .focused(false)
        .build()
}

fn place(app: &AppHandle, window: &WebviewWindow) {
    let screens = screens(window);
    let desktop = app.state::<Desktop>();
    let Some(place) = ball_place(desktop.remembered_place(&screens), SIZE, &screens) else {
        return;
    };
    if let Err(error) = window.set_position(LogicalPosition::new(place.x, place.y)) {
        tracing::warn!(%error, "The ball could not be moved");
    }
    desktop.ball_at(Area { place, size: SIZE }, screens);
}

fn listen(app: &AppHandle, window: &WebviewWindow, language: Language) {
    let (handle, ball) = (app.clone(), window.clone());
    window.on_window_event(move |event| match event {
        WindowEvent::Moved(position) => {
            let place: LogicalPosition<i32> = position.to_logical(ball.scale_factor().unwrap_or(1.0));
            let place = Place {
                x: place.x,
                y: place.y,
            };
            let (desktop, screens) = (handle.state::<Desktop>(), screens(&ball));
            desktop.remember(place, &screens);
            desktop.ball_at(Area { place, size: SIZE }, screens);
        }
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            panel::attach(&handle, paths.clone(), ActedAt::Now);
        }
        _ => {}
    });
    let handle = app.clone();
    window.listen("ball-click", move |_| {
        panel::toggle(&handle, ShownBy::Ball, ActedAt::Now)
    });
    let (handle, ball) = (app.clone(), window.clone());
    window.listen("ball-menu", move |_| {
        if let Err(error) = menu(&handle, language).and_then(|menu| ball.popup_menu(&menu)) {
            tracing::warn!(%error, "The menu could not be shown");
        }
    });
    app.on_menu_event(|app, event| match event.id().as_ref() {
        OPEN => panel::show(app, ShownBy::Ball, ActedAt::Now),
        QUIT => app.exit(0),
        _ => {}
    });
}

fn menu(app: &AppHandle, language: Language) -> tauri::Result<Menu<tauri::Wry>> {
    let open = MenuItem::with_id(app, OPEN, words::menu_open(language), true, None::<&str>)?;
    let quit = MenuItem::with_id(app, QUIT, words::menu_quit(language), true, None::<&str>)?;
    Menu::with_items(app, &[&open, &quit])
}

fn screens(window: &WebviewWindow) -> Vec<Screen> {
    let primary = window.primary_monitor().ok().flatten();
    let all = window.available_monitors().unwrap_or_default();
    all.iter()
        .map(|monitor| {
            let scale = monitor.scale_factor();
            let at = monitor.position().to_logical::<i32>(scale);
            let size = monitor.size().to_logical::<i32>(scale);
            let whole = Area::new(at.x, at.y, size.width, size.height);
            let is_primary = primary
                .as_ref()
                .is_some_and(|primary| primary.position() == monitor.position());
            Screen {
                whole,
                free: whole,
                primary: is_primary,
            }
        })
        .collect()
}
