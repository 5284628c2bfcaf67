//! What the user chooses in forms (F6.3): told on by browsers where the user switched that on for a site, and given back to
//! a form by the user's own click.
//!
//! Browsers notice nothing of any other site. What they tell is judged again here: the site by the page that Shidi knows, the
//! texts by the gate.

use crate::limits::FILL_WAIT;
use crate::table::Table;
use crate::{Page, Pages, Standing, State};
use serde_json::Value;
use shidi_mcp_client::PAGE;
use shidi_mcp_client::companion::{Told, UsedForm};
use shidi_protocol::{
    Call, CallId, ChosenValue, ExecId, FormNews, FormUse, JsonMap, PageRef, RunId, UserError, reply,
};
use shidi_space::privacy;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The method of the companion that gives a field its value.
const FILL: &str = "fill";

/// What a tick takes.
const ON: &str = "on";
const OFF: &str = "off";

/// Learns from what is said of forms.
pub type Learner = Arc<dyn Fn(FormNews) -> Result<(), UserError> + Send + Sync>;

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
        match self.learner.get() {
            Some(learner) if !on => learner(FormNews::Unlearned {
                site: site.to_owned(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Tells the learner of a use of a form, as far as the gate lets it through.
    pub(crate) fn used_form(&self, browser: &str, (tab, document): (i64, &str), used: UsedForm) {
        let known = self.state.lock().learned_page(browser, tab, document);
        let Some((site, url, title, browser)) = known else {
            return;
        };
        let gate = privacy::gate(&self.space, self.front().as_ref());
        if privacy::page_passed(&gate, &title, &url).is_none() {
            return;
        }
        let values: Vec<ChosenValue> = used.values.into_iter().filter(is_clean).collect();
        if let Some(learner) = self.learner.get().cloned().filter(|_| !values.is_empty()) {
            let news = FormNews::Used(FormUse {
                site,
                form: privacy::text_passed(&used.form),
                document: document.to_owned(),
                values,
                button: privacy::text_passed(&used.button),
                browser,
            });
            // Off the way of what the browser says next: it waits for the disk.
            self.space.tasks.spawn_blocking(move || {
                if let Err(cause) = learner(news) {
                    tracing::warn!(cause.message, "a use of a form was not kept");
                }
            });
        }
    }

    /// Gives fields of a page their values, one after the other; nothing is pressed.
    pub(crate) async fn fill_in(&self, page: &PageRef, values: &[ChosenValue]) -> reply::FilledForm {
        let (mut filled, mut missed) = (Vec::new(), Vec::new());
        for value in values {
            let holds = self.give_value(page, value).await;
            let list = if holds { &mut filled } else { &mut missed };
            list.push(value.name.clone());
        }
        reply::FilledForm { filled, missed }
    }

    /// Gives one field its value. Of several chosen options each is a tick of its own where the field is no list.
    async fn give_value(&self, page: &PageRef, chosen: &ChosenValue) -> bool {
        let Value::Array(wanted) = &chosen.value else {
            return self.put(page, &chosen.name, &written(&chosen.value)).await;
        };
        let mut holds = true;
        for option in wanted.iter().map(written) {
            holds &= self.put(page, &chosen.name, &option).await || self.put(page, &option, ON).await;
        }
        holds
    }

    async fn put(&self, page: &PageRef, field: &str, value: &str) -> bool {
        // A page that is gone takes nothing more.
        let args = [("field", field.to_owned()), ("value", value.to_owned())];
        self.view(page).is_some() && self.perform_once(page, own_call(FILL, args)).await
    }

    /// Has the companion do something in a page by the user's own click, for no task; whether it is done.
    pub(crate) async fn perform_once(&self, page: &PageRef, call: Call) -> bool {
        // No task has this name: what comes too late is let go of.
        let run = RunId::mint();
        let Ok(answered) = self.give(&run, page, &call) else {
            return false;
        };
        let Ok(Ok(outcome)) = tokio::time::timeout(FILL_WAIT, answered).await else {
            self.withdraw(&run, page, &call);
            return false;
        };
        self.settle(&run, page, &call);
        outcome.error.is_none() && outcome.data.get("done") == Some(&Value::Bool(true))
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
pub(crate) fn decided_of(table: &Table, site: String) -> Told {
    Told::Site {
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
