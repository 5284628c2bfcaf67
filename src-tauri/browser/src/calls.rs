//! Calls that pages perform. A call is said once to the browser, however often that comes back. The page or the person
//! in front answers, and the answer is taken over once.
//!
//! A browser knows a call by its run and number and performs it once. After a restart of ours the browser is first
//! asked for the outcome of a call. A call that the browser never heard of is given when the browser tells of the page
//! again.

use crate::hands::{self, HOST, OPEN};
use crate::{Line, Page, Pages, State, going_on};
use serde_json::Value;
use shidi_mcp_client::PAGE;
use shidi_mcp_client::companion::{TO_BROWSER_BYTES_MAX, ToBrowser};
use shidi_protocol::{Call, CallOutcome, PageRef, RunId, SITE};
use shidi_space::registry;
use shidi_space::storage;
use shidi_store::Store;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A call that a page is to answer.
pub(crate) struct OpenCall {
    page: PageRef,
    call: Call,
    /// The browser knows nothing of it, and the page isn't known: it is given when it is.
    is_wanted: bool,
    answer: oneshot::Sender<PageAnswer>,
}

/// What becomes of a call that was given to a page.
#[derive(Debug)]
pub enum PageAnswer {
    Outcome(Box<CallOutcome>),
    /// The page is a PDF, as is known by now: [`Pages::in_pdf`] performs the call.
    InPdf,
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

/// The call as it is decided on and recorded. A call to a page names the page's site, and the host that the call opens.
#[must_use]
pub fn named(mut call: Call, page: &PageRef) -> Call {
    call.args.insert(SITE.to_owned(), Value::from(page.site.as_str()));
    if call.method == OPEN {
        let url = call.text("url");
        let host = site_of(url).unwrap_or_default();
        call.args.insert(HOST.to_owned(), Value::from(host));
    }
    call
}

/// How the browser knows a call.
fn name(run: &RunId, call: &Call) -> String {
    format!("{run}.{}", call.id.0)
}

impl Pages {
    /// Gives a call to its page, now or when its browser is there. The answer may take as long as a person takes.
    ///
    /// # Errors
    /// The program is told at once: the site isn't allowed, or the browser was forgotten. Other errors are a tool that
    /// the page does not offer, and arguments that are too long.
    pub fn give(
        &self,
        run: &RunId,
        page: &PageRef,
        call: &Call,
    ) -> Result<oneshot::Receiver<PageAnswer>, Box<CallOutcome>> {
        let mut state = self.state.lock();
        let name = name(run, call);
        let refused = state.refusal(page, call);
        if let Some(refused) = refused {
            // The call may have been given before a restart.
            state.say(&page.browser, ToBrowser::Cancel { call: name });
            return Err(Box::new(refused));
        }
        let (answer, answered) = oneshot::channel();
        let told = match state.page(page) {
            Some(found) if is_read_of_file(found, call) => {
                answer.send(PageAnswer::InPdf).unwrap_or_default();
                return Ok(answered);
            }
            Some(found) => order(&name, page, found, call)?,
            None => None,
        };
        // Known to it from before a restart, or never: it is the browser that can tell.
        state.say(&page.browser, told.unwrap_or_else(|| question(&name, page)));
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
    pub(crate) fn settle_name(&self, browser: &str, call: &str) {
        let call = call.to_owned();
        self.state.lock().say(browser, ToBrowser::Settled { call });
    }

    /// A call that a page still works on is over here.
    pub(crate) fn cancel(&self, browser: &str, call: &str) {
        let call = call.to_owned();
        self.state.lock().say(browser, ToBrowser::Cancel { call });
    }

    /// Nobody waits for a call any more.
    pub fn withdraw(&self, run: &RunId, page: &PageRef, call: &Call) {
        let call = name(run, call);
        let mut state = self.state.lock();
        state.calls.remove(&call);
        state.say(&page.browser, ToBrowser::Cancel { call });
    }

    /// The same for a run that is not in memory, by its record.
    pub fn withdraw_of(&self, store: &Store, run: &RunId) {
        let asked = store.run(run).ok().flatten();
        let asked = asked.and_then(|row| Some(storage::read_state(&row).ok()?.1));
        let Some(page) = asked.and_then(|ask| ask.page) else {
            return;
        };
        for record in store.calls(run).unwrap_or_default() {
            if is_for_page(&record.call) && record.outcome.is_none() {
                self.withdraw(run, &page, &record.call);
            }
        }
    }

    /// This process waits for a call no more, another one will.
    pub fn leave(&self, run: &RunId, call: &Call) {
        self.state.lock().calls.remove(&name(run, call));
    }
}

impl State {
    fn say(&self, browser: &str, told: ToBrowser) {
        if let Some(line) = self.line_of(browser) {
            line.tell(told);
        }
    }

    /// A browser that has come back is asked about what it is waited for.
    pub(crate) fn ask_again(&self, browser: &str, line: &Line) {
        let open = self.calls.iter().filter(|(_, open)| open.page.browser == browser);
        for (name, open) in open {
            line.tell(question(name, &open.page));
        }
    }

    /// The browser knows nothing of a call: the page gets it now, or when the browser tells of the page.
    pub(crate) fn unknown(&mut self, browser: &str, name: &str) {
        if let Some(open) = self.calls.get_mut(name)
            && open.page.browser == browser
        {
            open.is_wanted = true;
            self.give_wanted(browser);
        }
    }

    /// Gives what is wanted to pages of a browser that are known now.
    pub(crate) fn give_wanted(&mut self, browser: &str) {
        let of_browser = |open: &OpenCall| open.is_wanted && open.page.browser == browser;
        let wanted = self.calls.iter().filter(|(_, open)| of_browser(open));
        let orders: Vec<_> = wanted
            .filter_map(|(name, open)| {
                let found = self.page(&open.page)?;
                if is_read_of_file(found, &open.call) {
                    return Some((name.clone(), Err(PageAnswer::InPdf)));
                }
                let order = order(name, &open.page, found, &open.call);
                let order =
                    order.and_then(|told| told.ok_or_else(|| Box::new(registry::missing(&open.call))));
                Some((name.clone(), order.map_err(PageAnswer::Outcome)))
            })
            .collect();
        for (name, order) in orders {
            match order {
                Ok(told) => {
                    self.say(browser, told);
                    if let Some(open) = self.calls.get_mut(&name) {
                        open.is_wanted = false;
                    }
                }
                Err(answer) => self.answer(browser, &name, answer),
            }
        }
    }

    /// Why nothing of a page may be called now.
    fn refusal(&self, page: &PageRef, call: &Call) -> Option<CallOutcome> {
        if !hands::is_own(&call.method) && !self.table.sites.contains(&page.site) {
            return Some(not_allowed(&page.site));
        }
        let is_known = self.table.browsers.contains_key(&page.browser);
        (!is_known).then(forgotten)
    }

    /// Ends what is open at pages that `concerned` picks: the browser lets go of it, the program is told why.
    pub(crate) fn end_calls(&mut self, concerned: impl Fn(&PageRef) -> bool, why: &CallOutcome) {
        let ended = self.calls.iter().filter(|(_, open)| concerned(&open.page));
        let ended: Vec<(String, String)> = ended
            .map(|(name, open)| (name.clone(), open.page.browser.clone()))
            .collect();
        for (call, browser) in ended {
            self.say(&browser, ToBrowser::Cancel { call: call.clone() });
            self.answered(&browser, &call, why.clone());
        }
    }

    /// A document is gone: what was to be given to it can't be any more.
    pub(crate) fn end_wanted(&mut self, browser: &str, tab: i64, document: &str) {
        let is_its = |page: &PageRef| page.browser == browser && page.tab == tab && page.document == document;
        let wanted = self
            .calls
            .iter()
            .filter(|(_, open)| open.is_wanted && is_its(&open.page));
        let wanted: Vec<String> = wanted.map(|(name, _)| name.clone()).collect();
        for name in wanted {
            self.answered(browser, &name, CallOutcome::failure("RuntimeError", CLOSED));
        }
    }

    /// Hands an answer to the task that waits for it. A run that nobody has taken up since a restart is taken up.
    pub(crate) fn answered_to(
        &mut self,
        pages: &Arc<Pages>,
        browser: &str,
        name: &str,
        outcome: CallOutcome,
    ) {
        if self.calls.contains_key(name) {
            self.answered(browser, name, outcome);
        } else {
            going_on::take_up(pages, browser, name);
        }
    }

    /// A page works on a call since before the connection. Where nobody waits for the call any more, it is let go of.
    pub(crate) fn still_running(&self, pages: &Arc<Pages>, browser: &str, name: &str) {
        if !self.calls.contains_key(name) {
            going_on::let_go(pages, browser, name);
        }
    }

    fn answered(&mut self, browser: &str, name: &str, outcome: CallOutcome) {
        self.answer(browser, name, PageAnswer::Outcome(Box::new(outcome)));
    }

    fn answer(&mut self, browser: &str, name: &str, answer: PageAnswer) {
        // Nobody may answer for another browser's pages.
        if self
            .calls
            .get(name)
            .is_none_or(|open| open.page.browser != browser)
        {
            return;
        }
        if let Some(open) = self.calls.remove(name)
            && open.answer.send(answer).is_err()
        {
            tracing::debug!("nobody waited for a page's answer any more");
        }
    }
}

/// Whether no browser performs a call: the page is a PDF, whose viewer nobody may ask.
fn is_read_of_file(found: &Page, call: &Call) -> bool {
    found.pdf.is_some() && call.method != OPEN
}

/// What the browser is told of a call; `None` where the page has no such tool any more.
///
/// # Errors
/// Arguments that no browser takes in one message.
fn order(
    name: &str,
    page: &PageRef,
    found: &Page,
    call: &Call,
) -> Result<Option<ToBrowser>, Box<CallOutcome>> {
    let mut args = call.args.clone();
    args.remove(SITE);
    let own = hands::is_own(&call.method);
    let (tool, arguments) = if own {
        args.remove(HOST);
        (call.method.clone(), args)
    } else {
        let Some((tool, arguments)) = found.toolkit.call(&call.method, &args) else {
            return Ok(None);
        };
        (tool.name.clone(), arguments)
    };
    let told = ToBrowser::Call {
        call: name.to_owned(),
        tab: page.tab,
        document: page.document.clone(),
        site: page.site.clone(),
        tool,
        arguments,
        own,
    };
    let bytes = serde_json::to_vec(&told).map_or(usize::MAX, |text| text.len());
    if bytes > TO_BROWSER_BYTES_MAX {
        return Err(Box::new(CallOutcome::failure("ValueError", TOO_LONG)));
    }
    Ok(Some(told))
}

fn question(name: &str, page: &PageRef) -> ToBrowser {
    ToBrowser::Again {
        call: name.to_owned(),
        tab: page.tab,
        document: page.document.clone(),
        site: page.site.clone(),
    }
}

/// What programs are told.
const TOO_LONG: &str = "The arguments are too long for a page: a megabyte at most";
const FORGOTTEN: &str =
    "The user forgot the browser of this page; what was begun there may have been done: look at it";
const CLOSED: &str = "The page was closed or has changed before it was asked; nothing was done there";

/// What a program is told where the user does not allow a site.
pub(crate) fn not_allowed(site: &str) -> CallOutcome {
    let message =
        format!("The user does not allow the tools of {site}; they can: shidi companion allow {site}");
    CallOutcome::failure("PermissionError", message)
}

/// What a program is told where the user forgot the browser.
pub(crate) fn forgotten() -> CallOutcome {
    CallOutcome::failure("RuntimeError", FORGOTTEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdfs::PdfPlace;
    use crate::{LineId, Standing};
    use serde_json::json;
    use shidi_mcp_client::toolkit_of_page;
    use tokio::sync::mpsc;
    use tokio_util::sync::CancellationToken;

    const SITE_OF_PAGE: &str = "https://a.example";

    fn page(pdf: Option<PdfPlace>) -> Page {
        Page {
            tab: 1,
            document: "d".to_owned(),
            site: SITE_OF_PAGE.to_owned(),
            url: "https://a.example/tides.pdf".to_owned(),
            title: String::new(),
            tools: Vec::new(),
            toolkit: toolkit_of_page(SITE_OF_PAGE, std::iter::empty(), std::iter::empty()),
            pdf,
            acts: 0,
        }
    }

    fn open_call(method: &str, answer: oneshot::Sender<PageAnswer>) -> OpenCall {
        let call = json!({"id": 1, "exec": 1, "toolkit": "page", "method": method, "args": {}, "line": 1});
        OpenCall {
            page: PageRef {
                browser: "b".to_owned(),
                tab: 1,
                document: "d".to_owned(),
                site: SITE_OF_PAGE.to_owned(),
            },
            call: serde_json::from_value(call).unwrap(),
            is_wanted: false,
            answer,
        }
    }

    /// What becomes of a call whose browser has come back: its answer, and what the browser is told.
    fn after_coming_back(method: &str, pdf: Option<PdfPlace>) -> (Option<PageAnswer>, Option<ToBrowser>) {
        let (out, mut said) = mpsc::channel(4);
        let (answer, mut answered) = oneshot::channel();
        let line = Line {
            name: String::new(),
            standing: Standing::LetIn {
                browser: "b".to_owned(),
            },
            out,
            ended: CancellationToken::new(),
            pages: vec![page(pdf)],
            has_front: true,
        };
        let mut state = State::default();
        state.lines.insert(LineId(1), line);
        state.calls.insert("r.1".to_owned(), open_call(method, answer));
        state.unknown("b", "r.1");
        (answered.try_recv().ok(), said.try_recv().ok())
    }

    #[test]
    fn a_call_that_waited_for_its_browser_comes_back_where_the_page_is_a_pdf() {
        let pdf = || Some(PdfPlace::Browser);
        assert!(matches!(
            after_coming_back("read", pdf()),
            (Some(PageAnswer::InPdf), None)
        ));
        for (method, pdf) in [("read", None), (OPEN, pdf())] {
            assert!(
                matches!(
                    after_coming_back(method, pdf),
                    (None, Some(ToBrowser::Call { .. }))
                ),
                "{method}"
            );
        }
    }
}
