//! Calls that pages perform: said once to the browser however often it comes back, answered by the page or the person
//! in front of it, and taken over once.
//!
//! A browser knows a call by its run and number and performs it once. After a restart of ours it is first asked what
//! came of a call; one that it never heard of is given to it when it tells of the page again.

use super::{Line, Page, Pages, State, going_on};
use crate::engine::{Engine, held};
use crate::registry;
use shidi_peers::PAGE;
use shidi_peers::companion::Told;
use shidi_protocol::{Call, CallOutcome, PageRef, RunId, SITE};
use std::sync::Arc;
use tokio::sync::oneshot;

/// A call that a page is to answer.
pub(super) struct OpenCall {
    page: PageRef,
    call: Call,
    /// The browser knows nothing of it, and the page isn't known: it is given when it is.
    is_wanted: bool,
    answer: oneshot::Sender<CallOutcome>,
}

/// Whether a call is for a page.
pub fn is_for_page(call: &Call) -> bool {
    call.toolkit == PAGE
}

/// Scheme, host and port of a page of the web.
pub fn site_of(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    is_web.then(|| url.origin().ascii_serialization())
}

/// How the browser knows a call.
fn name(run: &RunId, call: &Call) -> String {
    format!("{run}.{}", call.id.0)
}

impl Pages {
    /// Gives a call to its page, now or when its browser is there; the answer may take as long as a person takes.
    ///
    /// # Errors
    /// What the program is told at once: the site isn't allowed, the page offers no such tool.
    pub fn give(
        &self,
        run: &RunId,
        page: &PageRef,
        call: &Call,
    ) -> Result<oneshot::Receiver<CallOutcome>, Box<CallOutcome>> {
        let mut state = held(&self.state);
        if !state.table.sites.contains(&page.site) {
            let outcome = CallOutcome::failure("PermissionError", not_allowed(&page.site));
            return Err(Box::new(outcome));
        }
        let name = name(run, call);
        let told = match state.page(page) {
            Some(found) => {
                order(&name, page, found, call).ok_or_else(|| Box::new(registry::missing(call)))?
            }
            // Known to it from before a restart, or never: it is the browser that can tell.
            None => question(&name, page),
        };
        state.say(&page.browser, told);
        let (answer, answered) = oneshot::channel();
        let open = OpenCall {
            page: page.clone(),
            call: call.clone(),
            is_wanted: false,
            answer,
        };
        state.calls.insert(name, open);
        Ok(answered)
    }

    /// A call's result is on record: the browser need not keep it.
    pub fn settle(&self, run: &RunId, page: &PageRef, call: &Call) {
        self.settle_name(&page.browser, &name(run, call));
    }

    /// The same for a call that is known by its name alone.
    pub(super) fn settle_name(&self, browser: &str, call: &str) {
        let call = call.to_owned();
        held(&self.state).say(browser, Told::Settled { call });
    }

    /// Nobody waits for a call any more.
    pub fn withdraw(&self, run: &RunId, page: &PageRef, call: &Call) {
        let call = name(run, call);
        let mut state = held(&self.state);
        state.calls.remove(&call);
        state.say(&page.browser, Told::Cancel { call });
    }

    /// This process waits for a call no more, another one will.
    pub fn leave(&self, run: &RunId, call: &Call) {
        held(&self.state).calls.remove(&name(run, call));
    }
}

impl State {
    fn say(&self, browser: &str, told: Told) {
        if let Some(line) = self.line_of(browser) {
            line.tell(told);
        }
    }

    /// A browser that has come back is asked about what it is waited for.
    pub(super) fn ask_again(&self, browser: &str, line: &Line) {
        let open = self.calls.iter().filter(|(_, open)| open.page.browser == browser);
        for (name, open) in open {
            line.tell(question(name, &open.page));
        }
    }

    /// The browser knows nothing of a call: the page gets it now, or when the browser tells of the page.
    pub(super) fn unknown(&mut self, browser: &str, name: &str) {
        if let Some(open) = self.calls.get_mut(name)
            && open.page.browser == browser
        {
            open.is_wanted = true;
            self.give_wanted(browser);
        }
    }

    /// Gives what is wanted to pages of a browser that are known now.
    pub(super) fn give_wanted(&mut self, browser: &str) {
        let is_ready = |open: &OpenCall| {
            open.is_wanted && open.page.browser == browser && self.page(&open.page).is_some()
        };
        let ready: Vec<String> = self
            .calls
            .iter()
            .filter(|(_, open)| is_ready(open))
            .map(|(name, _)| name.clone())
            .collect();
        for name in ready {
            let Some(open) = self.calls.get(&name) else {
                continue;
            };
            let found = self.page(&open.page);
            match found.and_then(|found| order(&name, &open.page, found, &open.call)) {
                Some(told) => {
                    self.say(browser, told);
                    if let Some(open) = self.calls.get_mut(&name) {
                        open.is_wanted = false;
                    }
                }
                None => {
                    let outcome = registry::missing(&open.call);
                    self.answered(browser, &name, outcome);
                }
            }
        }
    }

    /// Hands an answer to whoever waits for it; a run that nobody has taken up since a restart is taken up.
    pub(super) fn answered_to(
        &mut self,
        engine: &Arc<Engine>,
        browser: &str,
        name: &str,
        outcome: CallOutcome,
    ) {
        if self.calls.contains_key(name) {
            self.answered(browser, name, outcome);
        } else {
            going_on::take_up(engine, browser, name);
        }
    }

    fn answered(&mut self, browser: &str, name: &str, outcome: CallOutcome) {
        // Nobody may answer for another browser's pages.
        if self
            .calls
            .get(name)
            .is_none_or(|open| open.page.browser != browser)
        {
            return;
        }
        if let Some(open) = self.calls.remove(name)
            && open.answer.send(outcome).is_err()
        {
            tracing::debug!("nobody waited for a page's answer any more");
        }
    }
}

/// What the browser is told of a call; `None` where the page has no such tool any more.
fn order(name: &str, page: &PageRef, found: &Page, call: &Call) -> Option<Told> {
    let mut args = call.args.clone();
    args.remove(SITE);
    let (tool, arguments) = found.toolkit.call(&call.method, &args)?;
    Some(Told::Call {
        call: name.to_owned(),
        tab: page.tab,
        document: page.document.clone(),
        site: page.site.clone(),
        tool: tool.name.clone(),
        arguments,
    })
}

fn question(name: &str, page: &PageRef) -> Told {
    Told::Again {
        call: name.to_owned(),
        tab: page.tab,
        document: page.document.clone(),
        site: page.site.clone(),
    }
}

fn not_allowed(site: &str) -> String {
    format!("The user does not allow the tools of {site}; they can: shidi companion allow {site}")
}
