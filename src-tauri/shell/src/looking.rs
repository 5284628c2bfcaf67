//! Looks at the screen with our own windows hidden, and asks about the view.
//!
//! The runtime captures, and decides on keeping and withholding.

use crate::desktop::Desktop;
use crate::mood::Happening;
use crate::panel::{self, ActedAt, ShownBy};
use crate::{ball, words, workbench};
use shidi_protocol::{ErrorCode, LookAt, Reply, Request, ScreenView, SessionId, UserError};
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

/// Captures the monitor, then opens the panel with the view.
pub fn ask_screen(app: &AppHandle) {
    let app = app.clone();
    spawn(async move {
        let seen = look(&app, LookAt::Monitor, None, Afterwards::PanelShown).await;
        let told = match seen {
            Ok(view) => app.emit_to(panel::LABEL, "screen-looked", view),
            Err(error) => app.emit_to(panel::LABEL, "screen-failed", error),
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
    let desktop = app.state::<Desktop>();
    let Some(_turn) = desktop.begin_look() else {
        let (message, hint) = words::looks_already(desktop.language());
        return Err(UserError::new(ErrorCode::Input, message).hint(hint));
    };
    desktop.note(&Happening::LookBegan);
    let covers = what != LookAt::Facts;
    if covers {
        hide_windows(app).await;
    }
    let seen = timeout(LOOK_LIMIT, ask(&desktop, what, session)).await;
    desktop.note(&Happening::LookEnded);
    if covers || afterwards == Afterwards::PanelShown {
        show_windows(app, afterwards).await;
    }
    seen.unwrap_or_else(|_| {
        let (message, hint) = words::look_took_too_long(desktop.language());
        Err(UserError::new(ErrorCode::System, message).hint(hint))
    })
}

async fn ask(desktop: &Desktop, what: LookAt, session: Option<SessionId>) -> Result<ScreenView, UserError> {
    let closing = || {
        let (message, hint) = words::closing(desktop.language());
        UserError::new(ErrorCode::Cancelled, message).hint(hint)
    };
    let mut replies = desktop
        .send(Request::Look { what, session })
        .ok_or_else(closing)?;
    while let Some(reply) = replies.next().await {
        match reply {
            Reply::Looked { view } => return Ok(view),
            Reply::Failed { error } => return Err(error),
            other => tracing::debug!(?other, "A look has no such reply"),
        }
    }
    Err(closing())
}

/// Lets the user drag a rectangle over the ball's monitor; `None` when the user leaves it. Our windows stay
/// hidden for a moment, so that the region can be captured without them.
pub async fn pick_region(app: &AppHandle) -> Option<LookAt> {
    hide_windows(app).await;
    let (answer, picked) = oneshot::channel();
    panel::on_main(app, move |app| crate::region::pick(app, answer));
    let picked = picked.await.ok().flatten();
    if picked.is_none() {
        show_windows(app, Afterwards::AsBefore).await;
        return None;
    }
    let later = app.clone();
    spawn(async move {
        sleep(PICKED_STAYS).await;
        if !later.state::<Desktop>().is_looking() {
            show_windows(&later, Afterwards::AsBefore).await;
        }
    });
    picked
}

async fn hide_windows(app: &AppHandle) {
    let (done, hidden) = oneshot::channel();
    panel::on_main(app, move |app| {
        let was_shown = panel::steps_aside(app);
        app.state::<Desktop>().note_hidden(was_shown);
        ball::hide_for(ball::Reason::Look);
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
    panel::on_main(app, move |app| {
        ball::show_for(ball::Reason::Look);
        workbench::comes_back(app);
        let was_shown = app.state::<Desktop>().take_hidden();
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
