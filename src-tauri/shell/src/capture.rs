//! Looks at the screen with our own windows hidden, and asks about the view.
//!
//! The runtime captures, and decides on keeping and withholding.

use crate::ball::Reason;
use crate::connection::RuntimeConnection;
use crate::mood::Happening;
use crate::moods::Moods;
use crate::page_window;
use crate::places::BallPlaces;
use crate::settings::LiveSettings;
use crate::summon::{ActedAt, ShownBy};
use crate::system::{ball, region, window};
use crate::{panel, words, workbench};
use parking_lot::Mutex;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, LookAt, Request, ScreenView, SessionId, UserError, reply};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Emitter, Manager};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

/// Time for the display to draw the area below our windows: four frames. Compositors need one, and uncovered
/// programs two.
const UNCOVERED_AFTER: Duration = Duration::from_millis(66);
/// Longest wait for a view.
const LOOK_LIMIT: Duration = Duration::from_secs(15);
/// Time in which a picked region may be captured before our windows come back.
const PICKED_STAYS: Duration = Duration::from_millis(500);

/// The look that is under way.
#[derive(Debug, Default)]
pub struct LookState {
    under_way: AtomicBool,
    /// Whether the panel was shown before our windows were hidden for a look.
    hidden: Mutex<Option<bool>>,
}

/// The right to make one look; it ends when the value is dropped.
struct LookTurn<'a>(&'a AtomicBool);

impl Drop for LookTurn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl LookState {
    /// The right to make one look; `None` while another look is under way.
    fn begin(&self) -> Option<LookTurn<'_>> {
        let was_looking = self.under_way.swap(true, Ordering::AcqRel);
        (!was_looking).then(|| LookTurn(&self.under_way))
    }

    fn is_under_way(&self) -> bool {
        self.under_way.load(Ordering::Acquire)
    }

    /// Notes whether the panel was shown before our windows were hidden, unless they are hidden already.
    fn note_hidden(&self, was_shown: bool) {
        self.hidden.lock().get_or_insert(was_shown);
    }

    /// Whether the panel was shown before our windows were hidden; the note is then cleared.
    fn take_hidden(&self) -> bool {
        self.hidden.lock().take().unwrap_or_default()
    }
}

/// Captures the monitor, then opens the panel with the view.
pub fn ask_screen(app: &AppHandle) {
    let app = app.clone();
    spawn(async move {
        let seen = look(&app, LookAt::Monitor, None, Afterwards::PanelShown).await;
        let told = match seen {
            Ok(view) => app.emit_to(page_window::PANEL, "screen-looked", view),
            Err(error) => app.emit_to(page_window::PANEL, "screen-failed", error),
        };
        if let Err(error) = told {
            tracing::warn!(%error, "The panel was not told what was seen");
        }
    });
}

/// The panel's state after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Afterwards {
    /// The panel is as before the look.
    AsBefore,
    PanelShown,
}

/// Looks with our windows hidden, for an incognito session if one is named. They come back whatever happens.
///
/// # Errors
/// The runtime's error, or that the runtime does not answer in time.
pub async fn look(
    app: &AppHandle,
    what: LookAt,
    session: Option<SessionId>,
    afterwards: Afterwards,
) -> Result<ScreenView, UserError> {
    let (moods, language) = (app.state::<Moods>(), app.state::<LiveSettings>().language());
    let state = app.state::<LookState>();
    let Some(_turn) = state.begin() else {
        let (message, hint) = words::looks_already(language);
        return Err(UserError::new(ErrorCode::Input, message).hint(hint));
    };
    moods.note(&Happening::LookBegan);
    let covers = what != LookAt::Facts;
    if covers {
        hide_windows(app).await;
    }
    let seen = timeout(
        LOOK_LIMIT,
        ask(&app.state::<RuntimeConnection>(), language, what, session),
    )
    .await;
    moods.note(&Happening::LookEnded);
    if covers || afterwards == Afterwards::PanelShown {
        show_windows(app, afterwards).await;
    }
    seen.unwrap_or_else(|_| {
        let (message, hint) = words::look_took_too_long(language);
        Err(UserError::new(ErrorCode::System, message).hint(hint))
    })
}

/// What is selected in the window in front. Our windows stay: no picture is taken.
///
/// # Errors
/// The runtime's error, or that the runtime does not answer in time.
pub async fn selected(app: &AppHandle) -> Result<ScreenView, UserError> {
    let language = app.state::<LiveSettings>().language();
    let connection = app.state::<RuntimeConnection>();
    let asked = ask(&connection, language, LookAt::Selection, None);
    timeout(LOOK_LIMIT, asked).await.unwrap_or_else(|_| {
        let (message, hint) = words::look_took_too_long(language);
        Err(UserError::new(ErrorCode::System, message).hint(hint))
    })
}

async fn ask(
    connection: &RuntimeConnection,
    language: Language,
    what: LookAt,
    session: Option<SessionId>,
) -> Result<ScreenView, UserError> {
    let closing = || {
        let (message, hint) = words::closing(language);
        UserError::new(ErrorCode::Cancelled, message).hint(hint)
    };
    let mut replies = connection
        .send(Request::Look {
            what,
            session,
            to: None,
        })
        .ok_or_else(closing)?;
    let reply::Looked { view } = replies.end().await?;
    Ok(view)
}

/// Lets the user drag a rectangle over the ball's monitor; `None` when the user leaves it. Our windows stay
/// hidden for a moment, so that the region can be captured without them.
pub async fn pick_region(app: &AppHandle) -> Option<LookAt> {
    hide_windows(app).await;
    let (answer, picked) = oneshot::channel();
    window::on_main(app, move |app| {
        let language = app.state::<LiveSettings>().language();
        region::pick(&app.state::<BallPlaces>(), language, answer);
    });
    let picked = picked.await.ok().flatten();
    if picked.is_none() {
        show_windows(app, Afterwards::AsBefore).await;
        return None;
    }
    let later = app.clone();
    spawn(async move {
        sleep(PICKED_STAYS).await;
        if !later.state::<LookState>().is_under_way() {
            show_windows(&later, Afterwards::AsBefore).await;
        }
    });
    picked
}

async fn hide_windows(app: &AppHandle) {
    let (done, hidden) = oneshot::channel();
    window::on_main(app, move |app| {
        let was_shown = panel::steps_aside(app);
        app.state::<LookState>().note_hidden(was_shown);
        ball::hide_for(Reason::Look);
        workbench::steps_aside(app);
        if done.send(()).is_err() {
            tracing::debug!("Nobody waits for the windows to be hidden");
        }
    });
    if hidden.await.is_ok() {
        sleep(UNCOVERED_AFTER).await;
    }
}

async fn show_windows(app: &AppHandle, afterwards: Afterwards) {
    let (done, shown) = oneshot::channel();
    window::on_main(app, move |app| {
        ball::show_for(Reason::Look);
        workbench::comes_back(app);
        let was_shown = app.state::<LookState>().take_hidden();
        match afterwards {
            Afterwards::PanelShown => panel::show(app, ShownBy::Screen, ActedAt::Now),
            Afterwards::AsBefore if was_shown => panel::comes_back(app),
            Afterwards::AsBefore => {}
        }
        if done.send(()).is_err() {
            tracing::debug!("Nobody waits for the windows to be shown");
        }
    });
    // Whether the windows came back or the program is ending, nothing is left to do.
    shown.await.unwrap_or_default();
}
