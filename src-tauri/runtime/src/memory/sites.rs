//! What the user does with all that belongs to a page or site: seeing what was asked there, forgetting it.

use super::{commit, explain};
use crate::engine::Engine;
use crate::sessions;
use crate::words::error;
use shidi_protocol::{ErrorCode, Reply, UserError};
use shidi_store::{MemoryGroup, Write, canonical};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Sessions about one page or site that are erased with it.
const SITE_SESSIONS_MAX: u32 = 10_000;

pub fn visits(engine: &Engine, address: &str, limit: u32) -> Result<Reply, UserError> {
    if canonical(address).is_empty() {
        return Err(no_site(engine));
    }
    let visits = engine.store.page_visits(address, limit);
    let visits = visits.map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Visits { visits })
}

/// Erases the sessions first: what stands in them can't be found any more when the records are gone.
pub async fn forget(engine: &Arc<Engine>, address: &str) -> Result<Reply, UserError> {
    let site = canonical(address);
    if site.is_empty() {
        return Err(no_site(engine));
    }
    let about = engine
        .store
        .visits(&site, SITE_SESSIONS_MAX)
        .map_err(|cause| explain(engine, &cause))?;
    let about: BTreeSet<_> = about.into_iter().map(|visit| visit.session).collect();
    for session in &about {
        sessions::delete(engine, session).await?;
    }
    commit(engine, Write::DeleteMemories(MemoryGroup::Site(site)))?;
    Ok(Reply::Done)
}

fn no_site(engine: &Engine) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        words.pick("没有说明是哪个网站", "No site was named"),
        words.pick("例如：https://example.com", "For example: https://example.com"),
    )
}
