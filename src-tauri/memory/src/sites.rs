//! The user's actions on all that belongs to a page or site: seeing the questions there, forgetting it.

mod guesses;
mod outcome;

use crate::{commit, explain, no_site, preferences};
use shidi_protocol::{SessionId, UserError, reply};
use shidi_space::Space;
use shidi_store::{FormWrite, GuessWrite, MemoryGroup, MemoryWrite, Write, canonical};
use std::collections::BTreeSet;

pub(crate) use guesses::perform;
pub use guesses::{answered, dropped};

/// Questions that are offered of those that come again: more are a list to read.
const HABITS_MAX: u32 = 2;

/// Sessions about one page or site that are erased with it.
const SITE_SESSIONS_MAX: u32 = 10_000;

/// The questions about a page, newest first, the newest of them with what came of each.
///
/// # Errors
/// An address that names no site, or storage trouble.
pub fn visits(space: &Space, address: &str, limit: u32) -> Result<reply::Visits, UserError> {
    if canonical(address).is_empty() {
        return Err(no_site(space));
    }
    let visits = space.store.page_visits(address, limit);
    let mut visits = visits.map_err(|cause| explain(space, &cause))?;
    if let Err(cause) = outcome::complete(space, &mut visits) {
        tracing::warn!(%cause, "what came of earlier questions is not known");
    }
    Ok(reply::Visits { visits })
}

/// What the user asks again and again about pages of a site: two questions at most, the most frequent first.
#[must_use]
pub fn habits(space: &Space, address: &str) -> Vec<String> {
    let habits = space.store.habits(address, HABITS_MAX);
    // A summon does without them.
    habits
        .inspect_err(|cause| tracing::warn!(%cause, "what is asked about a site is not known"))
        .unwrap_or_default()
}

/// A site by its address, and the sessions that were about it.
///
/// # Errors
/// An address that names no site, or storage trouble.
pub fn about(space: &Space, address: &str) -> Result<(String, BTreeSet<SessionId>), UserError> {
    let site = canonical(address);
    if site.is_empty() {
        return Err(no_site(space));
    }
    let about = space
        .store
        .visits(&site, SITE_SESSIONS_MAX)
        .map_err(|cause| explain(space, &cause))?;
    Ok((site, about.into_iter().map(|visit| visit.session).collect()))
}

/// Erases what is remembered of a site. Its sessions go first: they can't be found any more when the records are gone.
///
/// # Errors
/// Storage trouble.
pub fn forget(space: &Space, site: String) -> Result<(), UserError> {
    let noticed = Write::Form(FormWrite::Forget { site: site.clone() });
    let offered = Write::Guess(GuessWrite::Forget { site: site.clone() });
    let remembered = Write::Memory(MemoryWrite::DeleteGroup(MemoryGroup::Site(site)));
    commit(space, vec![noticed, offered, remembered])?;
    preferences::tell(space)
}
