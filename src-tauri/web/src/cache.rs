//! Pages that were fetched, for the session that fetched them: asked for twice they cost one request.
//!
//! In memory alone, so that nothing of a session outlives the process.

use crate::limits::{CACHED_BYTES_MAX, CACHED_FOR, CACHED_PAGES_MAX};
use parking_lot::Mutex;
use shidi_protocol::{CallOutcome, SessionId};
use std::collections::VecDeque;
use std::time::Instant;

#[derive(Default)]
pub(crate) struct Cache {
    /// Oldest first.
    pages: Mutex<VecDeque<Page>>,
}

struct Page {
    session: SessionId,
    address: String,
    fetched: Instant,
    bytes: usize,
    outcome: CallOutcome,
}

impl Cache {
    pub(crate) fn get(&self, session: &SessionId, address: &str) -> Option<CallOutcome> {
        let mut pages = self.pages.lock();
        pages.retain(|page| page.fetched.elapsed() < CACHED_FOR);
        let found = pages
            .iter()
            .find(|page| page.session == *session && page.address == address);
        found.map(|page| page.outcome.clone())
    }

    /// Keeps a page of `bytes`, and drops the oldest ones where there are too many.
    pub(crate) fn put(&self, session: &SessionId, address: &str, bytes: usize, outcome: CallOutcome) {
        let mut pages = self.pages.lock();
        pages.retain(|page| page.session != *session || page.address != address);
        pages.push_back(Page {
            session: session.clone(),
            address: address.to_owned(),
            fetched: Instant::now(),
            bytes,
            outcome,
        });
        let mut kept: usize = pages.iter().map(|page| page.bytes).sum();
        while pages.len() > CACHED_PAGES_MAX || kept > CACHED_BYTES_MAX {
            let Some(dropped) = pages.pop_front() else { return };
            kept -= dropped.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_is_kept_for_its_session_and_the_oldest_go() {
        let cache = Cache::default();
        let (one, other) = (SessionId::from("one"), SessionId::from("other"));
        let page = |text: &str| CallOutcome::success(json!(text), "");
        cache.put(&one, "a", 10, page("first"));
        cache.put(&one, "a", 10, page("second"));
        assert_eq!(
            cache.get(&one, "a").map(|found| found.data),
            Some(json!("second"))
        );
        assert!(cache.get(&other, "a").is_none());
        for number in 0..CACHED_PAGES_MAX {
            cache.put(&one, &number.to_string(), 1, page("x"));
        }
        assert!(cache.get(&one, "a").is_none());
        assert!(cache.get(&one, "0").is_some());
        cache.put(&one, "large", CACHED_BYTES_MAX, page("y"));
        assert!(cache.get(&one, "large").is_some());
        assert!(cache.get(&one, "0").is_none());
    }
}
