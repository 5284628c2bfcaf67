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
    let (engine, browser, run) = (Arc::clone(engine), browser.to_owned(), RunId::from(run));
    let tasks = engine.tasks.clone();
    tasks.spawn(async move {
        if !rests_for(&engine, &run, &browser) {
            return;
        }
        if let Err(cause) = run::resume(&engine, &run).await {
            tracing::warn!(
                cause.message,
                "a run whose page has answered can't go on by itself"
            );
        }
    });
}

fn rests_for(engine: &Engine, run: &RunId, browser: &str) -> bool {
    let row = engine.store.run(run).ok().flatten();
    let row = row.filter(|row| row.status == Some(RunStatus::Suspended) && engine.run(run).is_none());
    let ask = row.and_then(|row| Some(storage::read_state(&row).ok()?.1));
    ask.and_then(|ask| ask.page)
        .is_some_and(|page| page.browser == browser)
}
