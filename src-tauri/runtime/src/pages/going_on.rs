//! What becomes of a call that a browser tells of while nobody in this process waits for it (F11.2): a task that rested
//! for the page when an earlier process ended goes on with the answer, and a call that nobody waits for any more is let
//! go of.
//!
//! Tasks go on by themselves only where this process stays: a command that ends at once leaves them to `shidi resume`.

use crate::engine::Engine;
use crate::run;
use crate::storage;
use shidi_protocol::{RunId, RunStatus};
use std::sync::Arc;

/// Takes up the run whose call was answered, if that waits for a page of this browser and nobody has taken it up.
pub(super) fn take_up(engine: &Arc<Engine>, browser: &str, call: &str) {
    let Some(told) = Told::new(engine, browser, call).filter(|_| engine.stays()) else {
        return;
    };
    engine.tasks.clone().spawn(async move {
        match told.waits() {
            Waits::Itself => {}
            Waits::ToBeTakenUp => {
                if let Err(cause) = run::resume(&told.engine, &told.run).await {
                    tracing::warn!(
                        cause.message,
                        "a run whose page has answered can't go on by itself"
                    );
                }
            }
            Waits::NoMore => told.engine.pages.settle_name(&told.browser, &told.call),
        }
    });
}

/// Tells the browser to let go of a call that its page works on, if the call is over here: its task was stopped, or its
/// site withdrawn, while the browser was away.
pub(super) fn let_go(engine: &Arc<Engine>, browser: &str, call: &str) {
    let Some(told) = Told::new(engine, browser, call) else {
        return;
    };
    engine.tasks.clone().spawn_blocking(move || {
        if matches!(told.waits(), Waits::NoMore) {
            told.engine.pages.cancel(&told.browser, &told.call);
        }
    });
}

/// A call that a browser told of.
struct Told {
    engine: Arc<Engine>,
    browser: String,
    /// As the browser knows it.
    call: String,
    run: RunId,
    number: String,
}

/// How a run stands to a call that nobody in this process waits for.
enum Waits {
    /// It is at work, or interrupted: its user goes on with it, and then it asks.
    Itself,
    ToBeTakenUp,
    /// The call is over, or its run, or that is erased.
    NoMore,
}

impl Told {
    fn new(engine: &Arc<Engine>, browser: &str, call: &str) -> Option<Self> {
        let (run, number) = call.split_once('.')?;
        Some(Self {
            engine: Arc::clone(engine),
            browser: browser.to_owned(),
            call: call.to_owned(),
            run: RunId::from(run),
            number: number.to_owned(),
        })
    }

    fn waits(&self) -> Waits {
        if self.is_over() {
            return Waits::NoMore;
        }
        let row = match self.engine.store.run(&self.run) {
            Ok(Some(row)) if self.engine.run(&self.run).is_none() => row,
            Ok(None) => return Waits::NoMore,
            Ok(Some(_)) | Err(_) => return Waits::Itself,
        };
        let page = || storage::read_state(&row).ok().and_then(|(_, ask)| ask.page);
        match row.status {
            None => Waits::Itself,
            Some(RunStatus::Suspended) if page().is_some_and(|page| page.browser == self.browser) => {
                Waits::ToBeTakenUp
            }
            Some(RunStatus::Suspended) => Waits::Itself,
            Some(_) => Waits::NoMore,
        }
    }

    /// Whether the call's outcome is on record, whatever its run does now.
    fn is_over(&self) -> bool {
        let calls = self.engine.store.calls(&self.run).unwrap_or_default();
        calls
            .iter()
            .any(|record| record.call.id.0.to_string() == self.number && record.outcome.is_some())
    }
}
