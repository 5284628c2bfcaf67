//! The messages with one browser, from its first word to the end of the connection.
//!
//! Before the user has let it in, a browser is shown its code and heard no further. Everything it says was bounded by
//! the peers' reader, and is data.

use crate::calls::{forgotten, not_allowed};
use crate::forms::decided_of;
use crate::limits::{BROWSERS_ASKING_MAX, BROWSERS_MAX};
use crate::table::{self, Browser};
use crate::{Line, LineId, Page, Pages, Standing, State, Tools, changed};
use shidi_mcp_client::companion::{FromBrowser, Refusal, ToBrowser};
use shidi_protocol::{CallOutcome, UserError};
use shidi_space::errors::internal;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The version of the messages that both sides speak.
const VERSION: u32 = 1;
/// Bytes of a browser's token.
const TOKEN_BYTES: usize = 32;
/// Bytes of the id under which a browser is listed.
const ID_BYTES: usize = 4;
/// One more than the highest code.
const CODES: u32 = 1_000_000;

/// Answers a browser's first words; `None` where there is nothing more to say.
pub fn greet(
    pages: &Pages,
    (version, name, token): (u32, String, Option<String>),
    out: mpsc::Sender<ToBrowser>,
    ended: CancellationToken,
) -> Option<LineId> {
    let refuse = |reason| tell(&out, ToBrowser::Refused { reason });
    if version != VERSION {
        refuse(Refusal::Version);
        return None;
    }
    let mut state = pages.state.lock();
    let standing = match token {
        Some(token) => match state.table.browser_of(&token) {
            Some(browser) => Standing::LetIn {
                browser: browser.to_owned(),
            },
            None => {
                refuse(Refusal::Forgotten);
                return None;
            }
        },
        None => Standing::Asks {
            code: state.fresh_code()?,
        },
    };
    state.last += 1;
    let id = LineId(state.last);
    let line = Line {
        name,
        standing,
        out,
        ended,
        pages: Vec::new(),
        has_front: false,
    };
    match &line.standing {
        Standing::Asks { code } => line.tell(ToBrowser::Pair { code: code.clone() }),
        Standing::LetIn { browser } => {
            line.tell(ToBrowser::Welcome);
            state.ask_again(browser, &line);
        }
    }
    state.lines.insert(id, line);
    drop(state);
    changed(pages, Tools::AsBefore);
    Some(id)
}

/// Takes what a browser says after its first words.
pub fn hear(pages: &Arc<Pages>, id: LineId, heard: FromBrowser) {
    let mut state = pages.state.lock();
    let Some(Standing::LetIn { browser }) = state.lines.get(&id).map(|line| &line.standing) else {
        return;
    };
    let browser = browser.clone();
    let tools = match heard {
        FromBrowser::Hello { .. } => return,
        FromBrowser::Returned { call, value } => {
            let outcome = CallOutcome::success(value, "the page answered");
            return state.answered_to(pages, &browser, &call, outcome);
        }
        FromBrowser::Failed { call, message } => {
            let outcome = CallOutcome::failure("RuntimeError", message);
            return state.answered_to(pages, &browser, &call, outcome);
        }
        FromBrowser::Unknown { call } => return state.unknown(&browser, &call),
        FromBrowser::Running { call } => return state.still_running(pages, &browser, &call),
        FromBrowser::Content(told) => {
            drop(state);
            return pages.piece(id, told);
        }
        FromBrowser::PdfPiece(told) => {
            drop(state);
            return pages.pdf_piece(id, &told);
        }
        FromBrowser::NotRead { ask, message } => {
            drop(state);
            return pages.not_read(id, &ask, message);
        }
        FromBrowser::Page(open) => {
            drop(state);
            let page = Page::passed(pages, &open);
            state = pages.state.lock();
            match page {
                Some(page) => state.looked_at((id, &browser), page, open.focused),
                None => state.looked_away(id),
            }
        }
        FromBrowser::Used { tab, document, used } => {
            drop(state);
            return pages.used_form(&browser, (tab, &document), used);
        }
        FromBrowser::NoPage => state.looked_away(id),
        FromBrowser::Acted { tab, document } => state.acted(id, tab, &document),
        FromBrowser::Gone { tab, document } => {
            state.end_wanted(&browser, tab, &document);
            state.closed(id, tab, &document)
        }
        FromBrowser::Forget => {
            drop(state);
            return forget(pages, browser);
        }
    };
    drop(state);
    changed(pages, tools);
}

/// The browser's user does not want it to be let in any more.
fn forget(pages: &Arc<Pages>, browser: String) {
    let pages = Arc::clone(pages);
    let tasks = pages.space.tasks.clone();
    tasks.spawn_blocking(move || match pages.forget(&browser) {
        Ok(_) => changed(&pages, Tools::Changed),
        Err(cause) => tracing::warn!(cause.message, "a browser could not be forgotten"),
    });
}

/// The connection has ended.
pub fn part(pages: &Pages, id: LineId) {
    let mut state = pages.state.lock();
    let line = state.lines.remove(&id);
    state.reads.retain(|_, read| !read.is_of(id));
    state.fetches.retain(|_, fetch| !fetch.is_of(id));
    drop(state);
    if line.is_some() {
        changed(pages, Tools::Changed);
    }
}

impl Pages {
    /// Lets the browser in that shows `code`; whether there is one.
    ///
    /// # Errors
    /// Too many browsers, no randomness, or a disk that refuses.
    pub(crate) fn let_in(&self, code: &str) -> Result<bool, UserError> {
        let language = self.space.language();
        let _one_at_a_time = self.deciding.lock();
        let asking = {
            let state = self.state.lock();
            let id = state.line_asking(code);
            id.and_then(|id| Some((id, state.lines.get(&id)?.name.clone())))
        };
        let Some((id, name)) = asking else {
            return Ok(false);
        };
        let token = random(TOKEN_BYTES).ok_or_else(|| internal(language, "no randomness"))?;
        let browser = random(ID_BYTES).ok_or_else(|| internal(language, "no randomness"))?;
        let mut decided = self.decided();
        if decided.browsers.len() >= BROWSERS_MAX {
            return Err(crate::requests::too_many(language));
        }
        let hash = table::hash(&token);
        decided
            .browsers
            .insert(browser.clone(), Browser { name, token: hash });
        self.decide(decided)?;
        if let Some(line) = self.state.lock().lines.get_mut(&id) {
            line.standing = Standing::LetIn { browser };
            line.tell(ToBrowser::Paired { token });
            line.tell(ToBrowser::Welcome);
        }
        Ok(true)
    }

    /// Turns away the browser that shows `code`; whether there is one.
    pub(crate) fn decline(&self, code: &str) -> bool {
        let mut state = self.state.lock();
        let Some(id) = state.line_asking(code) else {
            return false;
        };
        state.turn_away(id, Refusal::Declined);
        true
    }

    /// Forgets a browser, and ends what it was to do; whether it was known.
    ///
    /// # Errors
    /// A disk that refuses.
    pub(crate) fn forget(&self, browser: &str) -> Result<bool, UserError> {
        let _one_at_a_time = self.deciding.lock();
        let mut decided = self.decided();
        if decided.browsers.remove(browser).is_none() {
            return Ok(false);
        }
        self.decide(decided)?;
        let mut state = self.state.lock();
        state.end_calls(|page| page.browser == browser, &forgotten());
        let last = state.last_pdf.as_ref();
        if last.is_some_and(|(page, _)| page.browser == browser) {
            state.last_pdf = None;
        }
        let is_its = |line: &Line| matches!(&line.standing, Standing::LetIn { browser: id } if id == browser);
        let lines: Vec<LineId> = state
            .lines
            .iter()
            .filter(|(_, line)| is_its(line))
            .map(|(id, _)| *id)
            .collect();
        for id in lines {
            state.turn_away(id, Refusal::Forgotten);
        }
        Ok(true)
    }

    /// Lets programs call what pages of `site` offer, or no longer; then what is open there ends.
    ///
    /// # Errors
    /// A disk that refuses.
    pub(crate) fn allow(&self, site: &str, on: bool) -> Result<(), UserError> {
        self.decide_of_site(site, on, |table| &mut table.sites)?;
        let mut state = self.state.lock();
        if !on {
            state.end_calls(|page| page.site == site, &not_allowed(site));
        }
        state.tell_of_site(site);
        Ok(())
    }

    /// Puts a site on one of the lists of the table, or takes it off.
    ///
    /// # Errors
    /// A disk that refuses.
    pub(crate) fn decide_of_site(
        &self,
        site: &str,
        on: bool,
        list: fn(&mut table::Table) -> &mut BTreeSet<String>,
    ) -> Result<(), UserError> {
        let _one_at_a_time = self.deciding.lock();
        let mut decided = self.decided();
        let list = list(&mut decided);
        let is_other = if on {
            list.insert(site.to_owned())
        } else {
            list.remove(site)
        };
        if is_other { self.decide(decided) } else { Ok(()) }
    }

    fn decided(&self) -> table::Table {
        self.state.lock().table.clone()
    }

    /// Writes what is decided now, then keeps it.
    fn decide(&self, table: table::Table) -> Result<(), UserError> {
        table::write(
            &table::file(self.space.home.folder()),
            &table,
            self.space.language(),
        )?;
        self.state.lock().table = table;
        Ok(())
    }
}

impl State {
    /// Six digits that no other browser shows; `None` where too many ask already, or there is no randomness.
    fn fresh_code(&self) -> Option<String> {
        let shown: Vec<&String> = self.lines.values().filter_map(Line::code).collect();
        if shown.len() >= BROWSERS_ASKING_MAX {
            return None;
        }
        loop {
            let mut bytes = [0; 4];
            getrandom::fill(&mut bytes).ok()?;
            let code = format!("{:06}", u32::from_le_bytes(bytes) % CODES);
            if !shown.contains(&&code) {
                return Some(code);
            }
        }
    }

    fn line_asking(&self, code: &str) -> Option<LineId> {
        let mut lines = self.lines.iter();
        lines
            .find(|(_, line)| line.code().is_some_and(|shown| shown == code))
            .map(|(id, _)| *id)
    }

    fn turn_away(&mut self, id: LineId, reason: Refusal) {
        if let Some(line) = self.lines.remove(&id) {
            line.tell(ToBrowser::Refused { reason });
            line.ended.cancel();
        }
    }

    fn looked_at(&mut self, (id, browser): (LineId, &str), page: Page, focused: bool) -> Tools {
        let site = page.site.clone();
        let is_new = self.put(id, page, focused);
        if let Some(line) = self.lines.get(&id) {
            line.tell(decided_of(&self.table, site));
        }
        self.give_wanted(browser);
        if is_new { Tools::Changed } else { Tools::AsBefore }
    }

    fn looked_away(&mut self, id: LineId) -> Tools {
        if let Some(line) = self.lines.get_mut(&id) {
            line.has_front = false;
        }
        Tools::AsBefore
    }

    fn acted(&mut self, id: LineId, tab: i64, document: &str) -> Tools {
        let pages = self
            .lines
            .get_mut(&id)
            .into_iter()
            .flat_map(|line| &mut line.pages);
        for page in pages.filter(|page| page.tab == tab && page.document == document) {
            page.acts = page.acts.wrapping_add(1);
        }
        Tools::AsBefore
    }

    fn closed(&mut self, id: LineId, tab: i64, document: &str) -> Tools {
        let Some(line) = self.lines.get_mut(&id) else {
            return Tools::AsBefore;
        };
        let is_it = |page: &Page| page.tab == tab && page.document == document;
        let last = self.last_pdf.as_ref();
        if last.is_some_and(|(page, _)| page.tab == tab && page.document == document) {
            self.last_pdf = None;
        }
        line.has_front = line.has_front && !line.pages.last().is_some_and(is_it);
        line.pages.retain(|page| !is_it(page));
        Tools::Changed
    }
}

impl Line {
    fn code(&self) -> Option<&String> {
        match &self.standing {
            Standing::Asks { code } => Some(code),
            Standing::LetIn { .. } => None,
        }
    }

    /// Says something; a browser that does not keep up is parted from, and starts again.
    pub(crate) fn tell(&self, told: ToBrowser) {
        if !tell(&self.out, told) {
            self.ended.cancel();
        }
    }
}

fn tell(out: &mpsc::Sender<ToBrowser>, told: ToBrowser) -> bool {
    out.try_send(told).is_ok()
}

/// Random bytes in hexadecimal.
fn random(count: usize) -> Option<String> {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes).ok()?;
    Some(hex::encode(bytes))
}
