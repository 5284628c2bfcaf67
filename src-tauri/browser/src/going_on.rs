//! Goes on with a call that a browser tells of while nobody in this process waits for it (F11.2). A task that rested
//! for the page when an earlier process ended goes on with the answer. A call that nobody waits for any more is let go
//! of.
//!
//! Tasks go on by themselves only where this process stays: a command that ends at once leaves them to `shidi resume`.

use crate::Pages;
use shidi_protocol::{RunId, RunStatus};
use shidi_space::storage;
use std::sync::{Arc, Weak};

/// The runs that rest for pages.
pub trait Runs: Send + Sync {
    /// Whether this process works on a run, or holds it while it waits.
    fn is_held(&self, run: &RunId) -> bool;

    /// Goes on with a run that its process has left.
    fn take_up(self: Arc<Self>, run: RunId);
}

/// Takes up the run whose call was answered. The run must wait for a page of this browser, and nobody may have taken it
/// up.
pub(crate) fn take_up(pages: &Arc<Pages>, browser: &str, call: &str) {
    let Some(told) = ReportedCall::new(pages, browser, call).filter(|_| pages.space.stays()) else {
        return;
    };
    pages
        .space
        .tasks
        .clone()
        .spawn_blocking(move || match told.waits() {
            Waits::Itself => {}
            Waits::ToBeTakenUp => {
                if let Some(runs) = told.pages.runs() {
                    runs.take_up(told.run);
                }
            }
            Waits::NoMore => told.pages.settle_name(&told.browser, &told.call),
        });
}

/// Tells the browser to let go of a call that its page works on, if the call is over here. While the browser was away,
/// the task was stopped, or its site withdrawn.
pub(crate) fn let_go(pages: &Arc<Pages>, browser: &str, call: &str) {
    let Some(told) = ReportedCall::new(pages, browser, call) else {
        return;
    };
    pages.space.tasks.clone().spawn_blocking(move || {
        if matches!(told.waits(), Waits::NoMore) {
            told.pages.cancel(&told.browser, &told.call);
        }
    });
}

impl Pages {
    fn runs(&self) -> Option<Arc<dyn Runs>> {
        self.runs.get().and_then(Weak::upgrade)
    }
}

/// A call that a browser told of.
struct ReportedCall {
    pages: Arc<Pages>,
    browser: String,
    /// As the browser knows it.
    call: String,
    run: RunId,
    number: String,
}

/// How a run stands to a call that nobody in this process waits for.
enum Waits {
    /// The run is at work, or interrupted. Its user goes on with the run, and then it asks.
    Itself,
    ToBeTakenUp,
    /// The call is over, or its run, or that is erased.
    NoMore,
}

impl ReportedCall {
    fn new(pages: &Arc<Pages>, browser: &str, call: &str) -> Option<Self> {
        let (run, number) = call.split_once('.')?;
        Some(Self {
            pages: Arc::clone(pages),
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
        let row = match self.pages.space.store.run(&self.run) {
            Ok(Some(row)) if self.pages.runs().is_none_or(|runs| !runs.is_held(&self.run)) => row,
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
        let calls = self.pages.space.store.calls(&self.run).unwrap_or_default();
        calls
            .iter()
            .any(|record| record.call.id.0.to_string() == self.number && record.outcome.is_some())
    }
}
