//! The ball on platforms where it is a page in its own web view (compiled there, not tried yet).
//!
//! The event `ball-mood` gives the page the mood to show; the page does the rest.

use crate::ball::{BallEvent, BallHandles, Reason};
use crate::geometry::{Area, Place, Screen, Size, ball_place, snapped};
use crate::mood::Mood;
use crate::other::{tray, window};
use crate::places::BallPlaces;
use crate::summon::ActedAt;
use crate::words;
use serde::Serialize;
use shidi_locales::Language;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tauri::{
    AppHandle, DragDropEvent, Emitter, Listener, LogicalPosition, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder, WindowEvent,
};

const LABEL: &str = "ball";
const SIZE: Size = Size {
    width: 56,
    height: 56,
};
/// Time without movement after which the ball counts as let go.
const SETTLED_AFTER: Duration = Duration::from_millis(400);

/// The mood, as the page gets it.
#[derive(Debug, Clone, Serialize)]
struct MoodMessage {
    mood: &'static str,
    /// Cards that wait for the user.
    cards: u32,
    /// Share of the known work that is done, 0 to 1.
    progress: Option<f64>,
    /// The name that a screen reader says.
    name: String,
}

impl MoodMessage {
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

thread_local! {
    /// The ball, for callers that ask to hide it, with the reasons why it is hidden.
    static BALL: RefCell<(Option<WebviewWindow>, Vec<Reason>)> = const { RefCell::new((None, Vec::new())) };
}

/// Puts the ball on the screen; from then on it shows the mood. `on_event` gets the user's acts on the ball. Then
/// `then` is called.
pub fn show(
    app: &AppHandle,
    handles: BallHandles,
    on_event: impl Fn(&AppHandle, BallEvent) + Clone + Send + 'static,
    then: impl FnOnce() + 'static,
) {
    let window = match build(app, handles.settings.language()) {
        Ok(window) => window,
        Err(error) => return tracing::error!(%error, "The ball could not be shown"),
    };
    BALL.with_borrow_mut(|(known, _)| *known = Some(window.clone()));
    place(&handles.places, &window);
    listen(app, &window, &handles, &on_event);
    then();
    let (mut moods, mut settings) = (handles.moods.subscribe(), handles.settings.subscribe());
    tauri::async_runtime::spawn(async move {
        loop {
            let told = MoodMessage::of(*moods.borrow_and_update(), handles.settings.language());
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

fn place(places: &BallPlaces, window: &WebviewWindow) {
    let screens = screens(window);
    let Some(place) = ball_place(places.remembered(&screens), SIZE, &screens) else {
        return;
    };
    if let Err(error) = window.set_position(LogicalPosition::new(place.x, place.y)) {
        tracing::warn!(%error, "The ball could not be moved");
    }
    places.ball_at(Area { place, size: SIZE }, screens);
}

fn listen(
    app: &AppHandle,
    window: &WebviewWindow,
    handles: &BallHandles,
    on_event: &(impl Fn(&AppHandle, BallEvent) + Clone + Send + 'static),
) {
    let (handle, ball, places) = (app.clone(), window.clone(), handles.places.clone());
    let (moves, dropped) = (Arc::new(AtomicU64::new(0)), on_event.clone());
    window.on_window_event(move |event| match event {
        WindowEvent::Moved(_) => rest_soon(&handle, &ball, &places, &moves),
        WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
            dropped(&handle, BallEvent::Dropped(paths.clone(), ActedAt::Now));
        }
        _ => {}
    });
    let (handle, clicked) = (app.clone(), on_event.clone());
    window.listen("ball-click", move |_| {
        clicked(&handle, BallEvent::Clicked(ActedAt::Now));
    });
    let (handle, ball, handles) = (app.clone(), window.clone(), handles.clone());
    window.listen("ball-menu", move |_| {
        let menu = tray::menu(&handle, &handles.moods, &handles.settings);
        if let Err(error) = menu.and_then(|menu| ball.popup_menu(&menu)) {
            tracing::warn!(%error, "The menu could not be shown");
        }
    });
}

/// Sends the ball to the nearest edge once it has not moved for some time.
fn rest_soon(app: &AppHandle, ball: &WebviewWindow, places: &BallPlaces, moves: &Arc<AtomicU64>) {
    let number = moves.fetch_add(1, Ordering::AcqRel) + 1;
    let (app, ball, places, moves) = (app.clone(), ball.clone(), places.clone(), moves.clone());
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SETTLED_AFTER).await;
        if moves.load(Ordering::Acquire) == number {
            window::on_main(&app, move |_| rest(&places, &ball));
        }
    });
}

fn rest(places: &BallPlaces, ball: &WebviewWindow) {
    let Ok(position) = ball.outer_position() else {
        return;
    };
    let at: LogicalPosition<i32> = position.to_logical(ball.scale_factor().unwrap_or(1.0));
    let screens = screens(ball);
    let Some(place) = snapped(Place { x: at.x, y: at.y }, SIZE, &screens) else {
        return;
    };
    if let Err(error) = ball.set_position(LogicalPosition::new(place.x, place.y)) {
        tracing::warn!(%error, "The ball could not be moved");
    }
    places.remember(place, &screens);
    places.ball_at(Area { place, size: SIZE }, screens);
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
