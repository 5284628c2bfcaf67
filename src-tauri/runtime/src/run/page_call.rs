//! Calls that the run's page performs. They may take as long as a person takes, and the run rests meanwhile.

use super::Run;
use crate::limits::PAGE_RESTS_AFTER;
use crate::registry;
use shidi_agent::Event;
use shidi_browser::PageAnswer;
use shidi_protocol::{Call, CallId, CallOutcome, PageRef};
use std::sync::Arc;

impl Run {
    /// The call as it is decided on and recorded.
    pub(super) fn named(&self, call: Call) -> Call {
        if shidi_web::is_for_web(&call) {
            return self.features().web.named(call);
        }
        if shidi_jobs::is_for_the_shell(&call) {
            return shidi_jobs::with_host(call);
        }
        match &self.facts.ask.page {
            Some(page) if shidi_browser::is_for_page(&call) => shidi_browser::named(call, page),
            Some(_) | None => call,
        }
    }

    /// Has a call performed by the page, and rests while that waits for somebody.
    pub(super) async fn perform_on_page(self: Arc<Self>, call: Call) {
        let Some(page) = self.facts.ask.page.clone() else {
            let outcome = registry::missing(&call);
            return self.returned(call.id, outcome).await;
        };
        let outcome = tokio::select! {
            outcome = self.answer_of_page(&page, &call) => outcome,
            () = self.cancel.cancelled() => {
                // A process that ends leaves the call to its record: another one asks what came of it.
                if self.is_stopped() {
                    self.features().pages.withdraw(self.id(), &page, &call);
                } else {
                    self.features().pages.leave(self.id(), &call);
                }
                return;
            }
        };
        self.returned(call.id, outcome.untrusted()).await;
        self.features().pages.settle(self.id(), &page, &call);
    }

    async fn answer_of_page(self: &Arc<Self>, page: &PageRef, call: &Call) -> CallOutcome {
        let pages = &self.features().pages;
        // A page is known to be a PDF once its browser has told of it: then the call comes back.
        loop {
            if let Some(outcome) = pages.in_pdf(page, call, &self.workspace.home).await {
                return outcome;
            }
            let mut answer = match pages.give(self.id(), page, call) {
                Ok(answer) => answer,
                Err(outcome) => return *outcome,
            };
            let answered = match tokio::time::timeout(PAGE_RESTS_AFTER, &mut answer).await {
                Ok(answered) => answered,
                Err(_) => {
                    self.drive_blocking(Event::CallRests { call: call.id }).await;
                    answer.await
                }
            };
            match answered {
                Ok(PageAnswer::Outcome(outcome)) => return *outcome,
                Ok(PageAnswer::InPdf) => {
                    self.drive_blocking(Event::CallGoesOn { call: call.id }).await;
                }
                Err(_) => {
                    return CallOutcome::failure("RuntimeError", "The page does not answer any more");
                }
            }
        }
    }

    pub(super) async fn returned(self: &Arc<Self>, call: CallId, outcome: CallOutcome) {
        self.drive_blocking(Event::CallReturned { call, outcome }).await;
    }

    /// Whether the program waits for its page: that time is not its own.
    pub(super) fn waits_for_page(&self) -> bool {
        let mind = self.mind.lock();
        let mut calls = mind.context().calls.values();
        calls.any(|record| record.outcome.is_none() && shidi_browser::is_for_page(&record.call))
    }
}
