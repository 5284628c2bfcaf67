//! Choices of the user in forms (F6.3). Browsers tell of them where the user switched that on for a site. The user's
//! own click gives them back to a form.
//!
//! Browsers notice nothing of any other site. Their reports are judged again here: the site by the page that Shidi
//! knows, the texts by the gate.

use crate::PageAnswer;
use crate::limits::FILL_WAIT;
use crate::table::Table;
use crate::{Page, Pages, Standing, State};
use parking_lot::Mutex;
use serde_json::Value;
use shidi_mcp_client::PAGE;
use shidi_mcp_client::companion::{ToBrowser, UsedForm};
use shidi_protocol::{
    Call, CallId, ChosenValue, ExecId, FieldKind, FormNews, FormPlace, FormUse, JsonMap, PageRef, RunId,
    UserError, reply,
};
use shidi_space::privacy;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The method of the companion that gives a field its value.
const FILL: &str = "fill";

/// Parts of an address's path that are kept of a use, and characters of one: longer ones are no words.
const PATH_PARTS: usize = 6;
const PATH_PART_CHARACTERS: usize = 24;

/// What a tick takes.
const ON: &str = "on";
const OFF: &str = "off";

/// Learns from what is said of forms.
pub type Learner = Arc<dyn Fn(FormNews) -> Result<(), UserError> + Send + Sync>;

/// Uses of forms that browsers have told of, until they are learned from.
#[derive(Default)]
pub(crate) struct UseQueue {
    queue: Mutex<VecDeque<FormUse>>,
    learning: Mutex<()>,
}

impl Pages {
    /// From now on `learner` is told of forms.
    pub fn tell_forms_to(&self, learner: Learner) {
        self.learner.get_or_init(|| learner);
    }

    /// Notices what is chosen in forms of `site`, or no longer; then what was noticed is erased.
    ///
    /// # Errors
    /// A disk that refuses.
    pub(crate) fn learn(&self, site: &str, on: bool) -> Result<(), UserError> {
        self.decide_of_site(site, on, |table| &mut table.learned)?;
        self.state.lock().tell_of_site(site);
        let _one_at_a_time = self.uses.learning.lock();
        // What was told of before is noticed no more, either.
        self.uses.queue.lock().retain(|used| on || used.site != site);
        match self.learner.get() {
            Some(learner) if !on => learner(FormNews::Unlearned {
                site: site.to_owned(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Tells the learner of a use of a form, as far as the gate lets it through.
    pub(crate) fn used_form(self: &Arc<Self>, browser: &str, (tab, document): (i64, &str), used: UsedForm) {
        let known = self.state.lock().learned_page(browser, tab, document);
        let Some((site, url, title, browser)) = known else {
            return;
        };
        let gate = privacy::gate(&self.space, self.front().as_ref());
        if privacy::page_passed(&gate, &title, &url).is_none() {
            return;
        }
        let mut values: Vec<ChosenValue> = used.values.into_iter().filter(is_clean).collect();
        for chosen in &mut values {
            chosen
                .options
                .retain(|option| privacy::text_passed(option) == *option);
        }
        if values.is_empty() {
            return;
        }
        let used = FormUse {
            site,
            // Forms without a name are told apart by what ends them.
            form: privacy::text_passed(if used.form.is_empty() {
                &used.button
            } else {
                &used.form
            }),
            document: document.to_owned(),
            values,
            button: privacy::text_passed(&used.button),
            place: FormPlace {
                browser,
                tab,
                path: privacy::text_passed(&path_pattern(&url)),
            },
        };
        self.uses.queue.lock().push_back(used);
        // Off the way of what the browser says next: it waits for the disk.
        let pages = Arc::clone(self);
        self.space.tasks.spawn_blocking(move || pages.learn_queued());
    }

    /// Learns what is queued, in the order in which it came: of one document the latest use counts.
    fn learn_queued(&self) {
        let _one_at_a_time = self.uses.learning.lock();
        let Some(learner) = self.learner.get() else {
            return;
        };
        loop {
            let Some(used) = self.uses.queue.lock().pop_front() else {
                return;
            };
            if let Err(cause) = learner(FormNews::Used(used)) {
                tracing::warn!(cause.message, "a use of a form was not kept");
            }
        }
    }

    /// Gives fields of a page their values, one after the other; nothing is pressed. Where the page is silent, or gone, the
    /// rest is left as it is. Several options of one field are left to its user.
    pub(crate) async fn fill_in(&self, page: &PageRef, values: &[ChosenValue]) -> reply::FilledForm {
        let (mut filled, mut missed) = (Vec::new(), Vec::new());
        let mut answers = true;
        for chosen in values {
            let mut holds = false;
            // A page that is gone takes nothing more.
            let is_one = !matches!(chosen.kind, FieldKind::Choices | FieldKind::Steps);
            if answers && is_one && self.view(page).is_some() {
                let args = [("field", chosen.name.clone()), ("value", written(&chosen.value))];
                let answered = self.perform_once(page, own_call(FILL, args)).await;
                answers = answered.is_some();
                holds = answered == Some(true);
            }
            let list = if holds { &mut filled } else { &mut missed };
            list.push(chosen.name.clone());
        }
        reply::FilledForm { filled, missed }
    }

    /// Has the companion perform a call in a page by the user's own click, for no task. Returns whether the call is
    /// done, or nothing where the page does not answer.
    pub(crate) async fn perform_once(&self, page: &PageRef, call: Call) -> Option<bool> {
        // No task has this name: what comes too late is let go of.
        let run = RunId::mint();
        let answered = self.give(&run, page, &call).ok()?;
        let Ok(Ok(answer)) = tokio::time::timeout(FILL_WAIT, answered).await else {
            self.withdraw(&run, page, &call);
            return None;
        };
        self.settle(&run, page, &call);
        // A PDF has no form.
        let PageAnswer::Outcome(outcome) = answer else {
            return Some(false);
        };
        Some(outcome.error.is_none() && outcome.data.get("done") == Some(&Value::Bool(true)))
    }
}

impl State {
    /// Site, address and title of a page on whose site uses of forms are noticed, and its browser's own name.
    fn learned_page(
        &self,
        browser: &str,
        tab: i64,
        document: &str,
    ) -> Option<(String, String, String, String)> {
        let line = self.line_of(browser)?;
        let is_it = |page: &&Page| page.tab == tab && page.document == document;
        let page = line.pages.iter().find(is_it)?;
        let texts = [&page.site, &page.url, &page.title, &line.name];
        let [site, url, title, name] = texts.map(String::clone);
        self.table
            .learned
            .contains(&page.site)
            .then_some((site, url, title, name))
    }

    /// Tells the browsers that show a page of a site what the user decided about it.
    pub(crate) fn tell_of_site(&self, site: &str) {
        let shown = self.lines.values().filter(|line| line.has_front);
        let shown = shown.filter(|line| matches!(line.standing, Standing::LetIn { .. }));
        for line in shown.filter(|line| line.pages.last().is_some_and(|page| page.site == site)) {
            line.tell(decided_of(&self.table, site.to_owned()));
        }
    }
}

/// What the user decided about a site.
pub(crate) fn decided_of(table: &Table, site: String) -> ToBrowser {
    ToBrowser::Site {
        allowed: table.sites.contains(&site),
        learn: table.learned.contains(&site),
        site,
    }
}

/// Whether nothing secret stands in a value: with a gap in it, it could not be chosen again.
fn is_clean(chosen: &ChosenValue) -> bool {
    let text = written(&chosen.value);
    privacy::text_passed(&text) == text && privacy::text_passed(&chosen.name) == chosen.name
}

/// The path of an address without what names one thing: parts with figures or signs in them, and long ones.
fn path_pattern(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let before = rest.split(['?', '#']).next().unwrap_or_default();
    let path = before.split_once('/').map_or("", |(_, path)| path);
    let is_word = |part: &str| {
        let mut signs = part.chars();
        part.len() <= PATH_PART_CHARACTERS
            && signs.all(|sign| sign.is_ascii_alphabetic() || matches!(sign, '-' | '_' | '.'))
    };
    let parts = path.split('/').filter(|part| !part.is_empty()).take(PATH_PARTS);
    let parts = parts.map(|part| if is_word(part) { part } else { "*" });
    format!("/{}", parts.collect::<Vec<_>>().join("/"))
}

/// A value as a field takes it.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) => if *on { ON } else { OFF }.to_owned(),
        other => other.to_string(),
    }
}

/// A call of what the companion itself can do.
pub(crate) fn own_call<const COUNT: usize>(method: &str, args: [(&str, String); COUNT]) -> Call {
    let args = args
        .into_iter()
        .map(|(name, value)| (name.to_owned(), Value::from(value)));
    Call {
        id: CallId::default(),
        exec: ExecId::default(),
        toolkit: PAGE.to_owned(),
        method: method.to_owned(),
        args: JsonMap::from_iter(args),
        line: 0,
        places: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_words_and_nothing_that_names_one_thing() {
        for (address, pattern) in [
            ("https://a.example", "/"),
            ("https://a.example/?q=secret", "/"),
            ("https://a.example/issues?page=1#top", "/issues"),
            ("https://a.example/orders/2026-117/edit", "/orders/*/edit"),
            ("https://a.example/u/me@a.example/mail-box", "/u/*/mail-box"),
            ("https://a.example/%E8%AE%A2%E5%8D%95/list", "/*/list"),
            (
                "https://a.example/reset/abcdefghijklmnopqrstuvwxyzabc",
                "/reset/*",
            ),
            ("https://a.example/a/b/c/d/e/f/g", "/a/b/c/d/e/f"),
        ] {
            assert_eq!(path_pattern(address), pattern, "{address}");
        }
    }
}
