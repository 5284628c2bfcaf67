//! The ball on platforms where it is a page in a web view of its own (compiled there, not tried yet).
//!
//! The event `ball-mood` gives the page the mood to show; the page does the rest.

use crate::desktop::Desktop;
use crate::geometry::{Area, Place, Screen, Size, ball_place, snapped};
use crate::mood::Mood;
use crate::panel::{self, ActedAt, ShownBy};
use crate::settings::Settings;
use crate::tray;
use crate::words::{self, Language};
use serde::Serialize;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
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
/// Time without movement after which the ball counts as let go.
const SETTLED_AFTER: Duration = Duration::from_millis(400);

/// The mood, as the page gets it.
#[derive(Debug, Clone, Serialize)]
struct Told {
    mood: &'static str,
    /// Cards that wait for the user.
    cards: u32,
    /// Share of the known work that is done, 0 to 1.
    progress: Option<f64>,
    /// The name that a screen reader says.
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

/// Why the ball is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The user wants no ball.
    Settings,
    /// The screen is being captured.
    Look,
}

thread_local! {
    /// The ball, for callers that ask to hide it, with the reasons why it is hidden.
    static BALL: RefCell<(Option<WebviewWindow>, Vec<Reason>)> = const { RefCell::new((None, Vec::new())) };
}

/// Puts the ball on the screen; from then on it shows the moods of `moods`. Then `then` is called.
pub fn show(
    app: &AppHandle,
    mut settings: watch::Receiver<Settings>,
    mut moods: watch::Receiver<Mood>,
    then: impl FnOnce() + 'static,
) {
    let language = app.state::<Desktop>().language();
    let window = match build(app, language) {
        Ok(window) => window,
        Err(error) => return tracing::error!(%error, "The ball could not be shown"),
    };
    BALL.with_borrow_mut(|(known, _)| *known = Some(window.clone()));
    place(app, &window);
    listen(app, &window);
    then();
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        loop {
            let language = app.state::<Desktop>().language();
            let told = Told::of(*moods.borrow_and_update(), language);
            if let Err(error) = window.emit("ball-mood", told) {
                tracing::warn!(%error, "The ball was not told its mood");
            }
            tokio::select! {
                changed = moods.changed() => if changed.is_err() { return },
                changed = settings.changed() => if changed.is_err() { return },
            }
            settings.mark_unchanged();
        }
    });
}

/// Hides the ball until [`show_for`] the same reason. Main thread only.
pub fn hide_for(reason: Reason) {
    BALL.with_borrow_mut(|(ball, reasons)| {
        reasons.push(reason);
        if let Some(Err(error)) = ball.as_ref().map(WebviewWindow::hide) {
            tracing::warn!(%error, "The ball could not be hidden");
        }
    });
}

/// Shows the ball again, unless there is another reason to hide it. Main thread only.
pub fn show_for(reason: Reason) {
    BALL.with_borrow_mut(|(ball, reasons)| {
        reasons.retain(|known| *known != reason);
        let shown = ball
            .as_ref()
            .filter(|_| reasons.is_empty())
            .map(WebviewWindow::show);
        if let Some(Err(error)) = shown {
            tracing::warn!(%error, "The ball could not be shown");
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

fn listen(app: &AppHandle, window: &WebviewWindow) {
    let (handle, ball) = (app.clone(), window.clone());
    let moves = Arc::new(AtomicU64::new(0));
    window.on_window_event(move |event| match event {
        WindowEvent::Moved(_) => rest_soon(&handle, &ball, &moves),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            panel::attach(&handle, paths.clone(), ActedAt::Now);
        }
        _ => {}
    });
    let handle = app.clone();
    window.listen("ball-click", move |_| {
        let desktop = handle.state::<Desktop>();
        match desktop.click_target().filter(|_| !desktop.is_panel_shown()) {
            Some(wish) => panel::show_with(&handle, Some(wish), ShownBy::Ball, ActedAt::Now),
            None => panel::toggle(&handle, ShownBy::Ball, ActedAt::Now),
        }
    });
    let (handle, ball) = (app.clone(), window.clone());
    window.listen("ball-menu", move |_| {
        if let Err(error) = tray::menu(&handle).and_then(|menu| ball.popup_menu(&menu)) {
            tracing::warn!(%error, "The menu could not be shown");
        }
    });
}

/// Sends the ball to the nearest edge once it has not moved for some time.
fn rest_soon(app: &AppHandle, ball: &WebviewWindow, moves: &Arc<AtomicU64>) {
    let number = moves.fetch_add(1, Ordering::AcqRel) + 1;
    let (app, ball, moves) = (app.clone(), ball.clone(), moves.clone());
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SETTLED_AFTER).await;
        if moves.load(Ordering::Acquire) == number {
            panel::on_main(&app, move |app| rest(app, &ball));
        }
    });
}

fn rest(app: &AppHandle, ball: &WebviewWindow) {
    let Ok(position) = ball.outer_position() else {
        return;
    };
    let at: LogicalPosition<i32> = position.to_logical(ball.scale_factor().unwrap_or(1.0));
    let (desktop, screens) = (app.state::<Desktop>(), screens(ball));
    let Some(place) = snapped(Place { x: at.x, y: at.y }, SIZE, &screens) else {
        return;
    };
    if let Err(error) = ball.set_position(LogicalPosition::new(place.x, place.y)) {
        tracing::warn!(%error, "The ball could not be moved");
    }
    desktop.remember(place, &screens);
    desktop.ball_at(Area { place, size: SIZE }, screens);
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
