//! What is remembered: statements, and decisions about calls. Listing, searching, forgetting.

use crate::clock;
use crate::engine::Engine;
use crate::storage;
use crate::words::error;
use shidi_agent::permissions::Pattern;
use shidi_protocol::{ErrorCode, MemoryHit, MemoryRecord, RememberedRule, Reply, UserError, Verdict};
use shidi_store::{HitSource, MemoryFilter, SearchScope, StoreError, Write};

/// Records that fit `text` best, or the newest when it is empty.
pub fn search(engine: &Engine, text: &str, limit: u32) -> Result<Reply, UserError> {
    let hits = if text.trim().is_empty() {
        newest(engine, limit)
    } else {
        fitting(engine, text, limit)
    };
    let hits = hits.map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Memories { hits })
}

pub fn rules(engine: &Engine) -> Result<Reply, UserError> {
    let rules = engine.store.rules().map_err(|cause| explain(engine, &cause))?;
    let shown = |rule: shidi_store::Rule| RememberedRule {
        pattern: rule.pattern,
        verdict: rule.verdict,
        created: rule.created,
    };
    Ok(Reply::Rules {
        rules: rules.into_iter().map(shown).collect(),
    })
}

/// Remembers a decision of the user about a family of calls, in place of an earlier one about the same family.
///
/// # Errors
/// What is no pattern, with an example of one.
pub fn set_rule(engine: &Engine, pattern: &str, verdict: Verdict) -> Result<Reply, UserError> {
    let pattern = Pattern::parse(pattern).map_err(|cause| {
        let example = "files.read(path=/srv/*)";
        error(
            ErrorCode::Input,
            cause.to_string(),
            format!("{}: {example}", engine.words().pick("例如", "For example")),
        )
    })?;
    let rule = shidi_store::Rule {
        pattern: pattern.to_string(),
        verdict,
        created: clock::now(),
    };
    engine
        .store
        .commit(Write::PutRule(rule))
        .map_err(|cause| explain(engine, &cause))?;
    rules(engine)
}

/// Forgets a decision; the calls that it covered ask again from the next question on.
pub fn forget_rule(engine: &Engine, pattern: String) -> Result<Reply, UserError> {
    let known = engine.store.rules().map_err(|cause| explain(engine, &cause))?;
    if !known.iter().any(|rule| rule.pattern == pattern) {
        return Err(error(
            ErrorCode::NotFound,
            format!(
                "{} {pattern}",
                engine.words().pick("没有记住这条", "This is not remembered:")
            ),
            engine.words().pick(
                "看看有哪些：shidi config rules",
                "See which there are: shidi config rules",
            ),
        ));
    }
    engine
        .store
        .commit(Write::DeleteRule { pattern })
        .map_err(|cause| explain(engine, &cause))?;
    rules(engine)
}

fn newest(engine: &Engine, limit: u32) -> Result<Vec<MemoryHit>, StoreError> {
    let records = engine.store.memories(&MemoryFilter::default(), 0, limit)?;
    let shown = |record: MemoryRecord| MemoryHit {
        id: record.id.as_str().to_owned(),
        text: record.text,
        time: record.time,
        session: record.source.session,
        untrusted: record.tainted,
    };
    Ok(records.into_iter().map(shown).collect())
}

fn fitting(engine: &Engine, text: &str, limit: u32) -> Result<Vec<MemoryHit>, StoreError> {
    let hits = engine.store.search(text, &SearchScope::Memory, limit)?;
    let shown = |hit: shidi_store::Hit| match hit.source {
        HitSource::Memory { memory, session, .. } => Some(MemoryHit {
            id: memory.as_str().to_owned(),
            text: hit.excerpt,
            time: hit.time,
            session,
            untrusted: hit.tainted,
        }),
        HitSource::Segment { .. } => None,
    };
    Ok(hits.into_iter().filter_map(shown).collect())
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
