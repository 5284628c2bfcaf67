//! Calls to the web. Each host was permitted before. A redirect to another host is decided on here as a call of its
//! own. Where a person would have to be asked, the program is told the address instead.

use super::Run;
use super::calls::performed;
use shidi_agent::addresses::{is_swayed, is_typed};
use shidi_agent::permissions::Decision;
use shidi_protocol::{Call, Class, Verdict};
use shidi_web::{Caller, Follows};
use std::sync::{Arc, Weak};

/// The argument that names an address.
const URL: &str = shidi_toolkits::web::URL;

impl Run {
    /// Has a call performed that fetches, searches or downloads.
    pub(super) async fn perform_on_web(self: Arc<Self>, call: Call, class: Class) {
        let id = call.id;
        let caller = self.caller_of(&call, class);
        let performing = self.features().web.perform(call, caller);
        performed(Arc::clone(&self), id, performing).await;
    }

    fn caller_of(self: &Arc<Self>, call: &Call, class: Class) -> Caller {
        let address = call.args.get(URL).and_then(|url| url.as_str());
        let is_typed = address.is_some_and(|address| is_typed(self.mind.lock().context(), address));
        let (run, asked) = (Arc::downgrade(self), call.clone());
        let follows: Follows = Arc::new(move |next| may_follow(&run, &asked, class, next));
        Caller {
            session: self.session().clone(),
            environment: self.environment(call.id, class),
            is_typed,
            follows,
        }
    }
}

/// Whether the same call with that address would be performed without asking anybody.
fn may_follow(run: &Weak<Run>, call: &Call, class: Class, next: &str) -> bool {
    let Some(run) = run.upgrade() else { return false };
    let mut onward = call.clone();
    onward.args.insert(URL.to_owned(), next.into());
    let onward = run.features().web.named(onward);
    let mind = run.mind.lock();
    let context = mind.context();
    let swayed = is_swayed(context, &onward, class);
    let Decision { verdict, .. } = context.settings.grants.decide(&onward, class, swayed);
    verdict == Verdict::Allow
}
