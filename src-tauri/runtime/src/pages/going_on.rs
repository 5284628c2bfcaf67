//! A task that rested for a page when an earlier process ended goes on when the page has answered (F11.2).
//!
//! Only where this process stays: a command that ends at once leaves it to `shidi resume`.

use crate::engine::Engine;
use crate::run;
use crate::storage;
use shidi_protocol::{RunId, RunStatus};
use std::sync::Arc;

/// Takes up the run that a call belongs to, if that waits for a page of this browser and nobody has taken it up.
pub(super) fn take_up(engine: &Arc<Engine>, browser: &str, call: &str) {
    let Some((run, _)) = call.split_once('.').filter(|_| engine.stays()) else {
        return;
    };
    let (engine, browser, call, run) = (
        Arc::clone(engine),
        browser.to_owned(),
        call.to_owned(),
        RunId::from(run),
    );
    let tasks = engine.tasks.clone();
    tasks.spawn(async move {
        match waits(&engine, &run, &browser) {
            Waits::Itself => {}
            Waits::ToBeTakenUp => {
                if let Err(cause) = run::resume(&engine, &run).await {
                    tracing::warn!(
                        cause.message,
                        "a run whose page has answered can't go on by itself"
                    );
                }
            }
            Waits::NoMore => engine.pages.settle_name(&browser, &call),
        }
    });
}

/// How a run stands to an answer that nobody in this process waits for.
enum Waits {
    /// It is at work, or interrupted: its user goes on with it, and then it asks.
    Itself,
    ToBeTakenUp,
    /// It is over, or erased.
    NoMore,
}

fn waits(engine: &Engine, run: &RunId, browser: &str) -> Waits {
    let row = match engine.store.run(run) {
        Ok(Some(row)) if engine.run(run).is_none() => row,
        Ok(None) => return Waits::NoMore,
        Ok(Some(_)) | Err(_) => return Waits::Itself,
    };
    let page = || storage::read_state(&row).ok().and_then(|(_, ask)| ask.page);
    match row.status {
        None => Waits::Itself,
        Some(RunStatus::Suspended) if page().is_some_and(|page| page.browser == browser) => {
            Waits::ToBeTakenUp
        }
        Some(RunStatus::Suspended) => Waits::Itself,
        Some(_) => Waits::NoMore,
    }
}
