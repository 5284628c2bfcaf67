//! Memories of the user, and the lessons of runs. They share one crate, since both are kept, recalled and taken
//! elsewhere alike.
//!
//! Here is what the user does with it: finding, reading, writing, correcting, erasing, taking elsewhere (F6.6).

pub mod evicting;
mod exchange;
pub mod experience;
mod expiry;
pub mod extract;
mod limits;
mod line;
pub mod preferences;
pub mod recall;
pub mod reconcile;
pub mod sites;
mod statement_rules;
mod tools;

pub use expiry::moment_of;
pub use tools::MemoryTools;

use crate::limits::{MEMORY_OWNERS_MAX, MEMORY_TEXT_CHARS_MAX};
use shidi_embedding::Embeddings;
use shidi_protocol::request::memory as request;
use shidi_protocol::{
    Contrary, ErrorCode, MemoryCount, MemoryId, MemoryKind, MemoryOrigin, MemoryQuery, MemoryRecord,
    MemoryRequest, MemoryScope, MemoryScopes, Moment, Reply, UserError, reply, reply_to,
};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::error;
use shidi_space::limits::LISTED_MAX;
use shidi_space::storage;
use shidi_store::{Batch, Ended, MemoryFilter, MemoryWrite, StoreError, Write};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Answers a request about what is remembered; what runs have just left is in memory by then.
///
/// # Errors
/// No such record, a text or a moment that can't be kept, or storage trouble.
pub async fn perform(embeddings: &Arc<Embeddings>, action: MemoryRequest) -> Result<Reply, UserError> {
    let space = embeddings.space();
    Ok(match action {
        MemoryRequest::Find {
            text,
            kinds,
            scopes,
            page,
            limit,
        } => {
            let sought = (text, page);
            reply_to::<request::Find>(find(embeddings, sought, kinds, scopes, limit).await?)
        }
        MemoryRequest::List {
            kinds,
            scopes,
            ended,
            offset,
            limit,
        } => {
            let place = (offset, limit.min(LISTED_MAX));
            reply_to::<request::List>(list(space, kinds, scopes, ended, place)?)
        }
        MemoryRequest::Show { memory } => reply_to::<request::Show>(show(space, &memory)?),
        MemoryRequest::Export { path } => {
            let exported = space.aside(move |space| exchange::export(space, &path));
            reply_to::<request::Export>(exported.await?)
        }
        MemoryRequest::ImportFile { path } => {
            let imported = space.aside(move |space| exchange::import(space, &path));
            reply_to::<request::ImportFile>(imported.await?)
        }
        MemoryRequest::Stats { scopes, ended } => {
            reply_to::<request::Stats>(stats(embeddings, scopes, ended).await?)
        }
        MemoryRequest::Add {
            text,
            kind,
            scope,
            tags,
            until,
            tainted,
        } => {
            let mut record = MemoryRecord::new(MemoryId::mint(), kind, stated(space, &text)?, clock::now());
            record.scope = scope;
            record.tags = tags;
            record.tainted = tainted;
            record.until = ahead(space, until)?;
            reply_to::<request::Add>(add(space, record)?)
        }
        MemoryRequest::Edit { memory, text } => reply_to::<request::Edit>(edit(space, &memory, &text)?),
        MemoryRequest::Pin { memory, pinned } => reply_to::<request::Pin>(pin(space, &memory, pinned)?),
        MemoryRequest::Limit { memory, until } => reply_to::<request::Limit>(limit(space, &memory, until)?),
        MemoryRequest::Delete { memory } => reply_to::<request::Delete>(delete(space, &memory)?),
        MemoryRequest::Visits { address, limit } => {
            reply_to::<request::Visits>(visits(space, address, limit).await?)
        }
        action @ (MemoryRequest::Preferences { .. }
        | MemoryRequest::KeepPreference { .. }
        | MemoryRequest::DeclinePreference { .. }
        | MemoryRequest::ChangePreference { .. }) => preferences::perform(space, action).await?,
        MemoryRequest::Import { records } => reply_to::<request::Import>(import(space, records)?),
        action @ (MemoryRequest::DroppedGuesses { .. }
        | MemoryRequest::OfferGuess { .. }
        | MemoryRequest::ForgetSite { .. }
        | MemoryRequest::ExportLines) => sites::perform(space, action)?,
    })
}

/// Earlier questions about a page, with what came of them.
async fn visits(space: &Arc<Space>, address: String, limit: u32) -> Result<reply::Visits, UserError> {
    let visits = space.aside(move |space| sites::visits(space, &address, limit.min(LISTED_MAX)));
    visits.await
}

/// Everything remembered, in pieces.
pub fn exported(space: &Arc<Space>) -> mpsc::Receiver<Reply> {
    exchange::exported(space)
}

/// The records that fit a text and a page best, where the user looks.
async fn find(
    embeddings: &Arc<Embeddings>,
    (text, page): (String, Option<String>),
    kinds: Vec<MemoryKind>,
    scopes: Vec<MemoryScope>,
    limit: u32,
) -> Result<reply::Memories, UserError> {
    if text.trim().is_empty() && page.is_none() {
        return Err(unsaid(embeddings.space()));
    }
    let scopes = match scopes.is_empty() {
        true => MemoryScopes::Everything,
        false => MemoryScopes::These(scopes),
    };
    let query = MemoryQuery {
        text,
        kinds,
        scopes,
        page,
        except: None,
        now: clock::now(),
        limit: limit.min(LISTED_MAX),
    };
    found(embeddings, query).await
}

/// Records of these kinds, or of all remembered kinds. `place` tells where the list begins and how long it may be.
fn list(
    space: &Space,
    kinds: Vec<MemoryKind>,
    scopes: Vec<MemoryScope>,
    ended: bool,
    (offset, limit): (u32, u32),
) -> Result<reply::MemoryRecords, UserError> {
    let kinds = if kinds.is_empty() { remembered() } else { kinds };
    let ended = whether(ended);
    let filter = MemoryFilter { kinds, scopes, ended };
    records(space, space.store.memories(&filter, offset, limit))
}

fn delete(space: &Space, memory: &str) -> Result<reply::Done, UserError> {
    commit(space, Write::Memory(MemoryWrite::Delete(whole(space, memory)?)))?;
    // The erased record may have been a preference that a window offers.
    preferences::tell(space)?;
    Ok(reply::Done)
}

fn pin(space: &Space, memory: &str, pinned: bool) -> Result<reply::Done, UserError> {
    let memory = whole(space, memory)?;
    commit(space, Write::Memory(MemoryWrite::Pin { memory, pinned })).map(|()| reply::Done)
}

fn limit(space: &Space, memory: &str, until: Option<Moment>) -> Result<reply::Done, UserError> {
    let until = ahead(space, until)?;
    let memory = whole(space, memory)?;
    commit(space, Write::Memory(MemoryWrite::Limit { memory, until })).map(|()| reply::Done)
}

async fn found(embeddings: &Arc<Embeddings>, query: MemoryQuery) -> Result<reply::Memories, UserError> {
    let space = embeddings.space();
    let near = embeddings.near(&query.text).await;
    let searched = space.aside(move |space| {
        let hits = space.store.recall_near(&query, near.as_ref());
        hits.map_err(|cause| explain(space, &cause))
    });
    let hits = searched.await?;
    Ok(reply::Memories { hits })
}

/// Every kind but pieces of documents, which have lists of their own and come back from their files.
fn remembered() -> Vec<MemoryKind> {
    let kinds = MemoryKind::ALL.into_iter();
    kinds.filter(|kind| *kind != MemoryKind::Chunk).collect()
}

fn ahead(space: &Space, until: Option<Moment>) -> Result<Option<Moment>, UserError> {
    until
        .map(|moment| expiry::ahead(moment, space.language()))
        .transpose()
}

fn add(space: &Space, record: MemoryRecord) -> Result<reply::MemoryRecords, UserError> {
    let kept = reconcile::keep(&space.store, record).map_err(|cause| explain(space, &cause))?;
    Ok(one(kept))
}

/// Remembers what its user selected in a window, by their click: the words are others'. `url` is the address of its page.
/// No record comes back where the same was known before: to forget that one would undo more than this.
///
/// # Errors
/// Nothing but blanks, a long text, storage trouble.
pub fn remember_selected(space: &Space, text: &str, url: &str) -> Result<reply::MemoryRecords, UserError> {
    let mut record = MemoryRecord::new(
        MemoryId::mint(),
        MemoryKind::Knowledge,
        stated(space, text)?,
        clock::now(),
    );
    record.tainted = true;
    if !url.is_empty() {
        let site = shidi_store::canonical(url);
        record.scope = MemoryScope::Site(site.clone());
        record.source.site = Some(site);
    }
    let minted = record.id.clone();
    let mut kept = add(space, record)?;
    kept.records.retain(|record| record.id == minted);
    Ok(kept)
}

async fn stats(
    embeddings: &Arc<Embeddings>,
    scopes: Vec<MemoryScope>,
    ended: bool,
) -> Result<reply::MemoryStats, UserError> {
    let space = embeddings.space();
    let filter = MemoryFilter {
        kinds: Vec::new(),
        scopes,
        ended: whether(ended),
    };
    let counts = space.store.memory_counts(&filter);
    let counts = counts.map_err(|cause| explain(space, &cause))?;
    let owners = space.store.memory_owners(MEMORY_OWNERS_MAX);
    let owners = owners.map_err(|cause| explain(space, &cause))?;
    let counts = counts
        .into_iter()
        .map(|(kind, records)| MemoryCount { kind, records });
    Ok(reply::MemoryStats {
        counts: counts.collect(),
        owners,
        room: Some(evicting::room(space).map_err(|cause| explain(space, &cause))?),
        meaning: embeddings
            .progress()
            .await
            .map_err(|cause| explain(space, &cause))?,
    })
}

fn whether(ended: bool) -> Ended {
    if ended { Ended::Included } else { Ended::LeftOut }
}

/// What is remembered and fits `text` best, or the newest when it is empty; not what was said in sessions.
pub async fn search(
    embeddings: &Arc<Embeddings>,
    text: &str,
    limit: u32,
) -> Result<reply::Memories, UserError> {
    let space = embeddings.space();
    let limit = limit.min(LISTED_MAX);
    let kinds = remembered().into_iter();
    let kinds = kinds.filter(|kind| *kind != MemoryKind::Conversation).collect();
    let hits = if text.trim().is_empty() {
        let filter = MemoryFilter {
            kinds,
            scopes: Vec::new(),
            ended: Ended::LeftOut,
        };
        let newest = space.store.memories(&filter, 0, limit);
        newest.map(|records| records.into_iter().map(shidi_store::listed).collect())
    } else {
        let query = MemoryQuery {
            text: text.to_owned(),
            kinds,
            scopes: MemoryScopes::Everything,
            page: None,
            except: None,
            now: clock::now(),
            limit,
        };
        return found(embeddings, query).await;
    };
    let hits = hits.map_err(|cause| explain(space, &cause))?;
    Ok(reply::Memories { hits })
}

/// A new statement in place of another; the user said it, whoever said the first.
fn edit(space: &Space, memory: &str, text: &str) -> Result<reply::MemoryRecords, UserError> {
    let old = whole(space, memory)?;
    let text = stated(space, text)?;
    let found = space.store.memory(&old).map_err(|cause| explain(space, &cause))?;
    let before = found.ok_or_else(|| unknown(space, memory))?;
    let now = clock::now();
    let new = MemoryRecord {
        id: MemoryId::mint(),
        text,
        origin: MemoryOrigin::Told,
        time: now,
        valid_from: now,
        valid_to: None,
        superseded_by: None,
        tainted: false,
        data: None,
        ..before
    };
    commit(
        space,
        Write::Memory(MemoryWrite::Supersede {
            old,
            new: Box::new(new.clone()),
        }),
    )?;
    Ok(one(new))
}

fn import(space: &Space, records: Vec<MemoryRecord>) -> Result<reply::Done, UserError> {
    let mut batch = Batch::default();
    for mut record in records {
        record.text = stated(space, &record.text)?;
        batch.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
    }
    commit(space, batch)?;
    Ok(reply::Done)
}

/// An address that names no site.
fn no_site(space: &Space) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.memory().no_site(),
        language.memory().site_example(),
    )
}

fn unsaid(space: &Space) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.memory().nothing_to_look_for(),
        language.memory().list_memory(),
    )
}

/// A text that can be remembered: no secret stays in it.
fn stated(space: &Space, text: &str) -> Result<String, UserError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(error(
            ErrorCode::Input,
            space.language().memory().nothing_to_remember(),
            space.language().memory().write_sentence(),
        ));
    }
    if text.chars().count() > MEMORY_TEXT_CHARS_MAX {
        return Err(error(
            ErrorCode::Input,
            space.language().memory().text_too_long(),
            space.language().memory().make_several(MEMORY_TEXT_CHARS_MAX),
        ));
    }
    Ok(redacted(text))
}

fn whole(space: &Space, memory: &str) -> Result<MemoryId, UserError> {
    let found = space
        .store
        .find_memory(memory)
        .map_err(|cause| explain(space, &cause))?;
    found.ok_or_else(|| unknown(space, memory))
}

fn unknown(space: &Space, memory: &str) -> UserError {
    error(
        ErrorCode::NotFound,
        space.language().memory().no_such_memory(memory),
        space.language().memory().see_memory(),
    )
}

fn records(
    space: &Space,
    found: Result<Vec<MemoryRecord>, StoreError>,
) -> Result<reply::MemoryRecords, UserError> {
    let records = found.map_err(|cause| explain(space, &cause))?;
    Ok(reply::MemoryRecords {
        records,
        contradicted: Vec::new(),
    })
}

fn one(record: MemoryRecord) -> reply::MemoryRecords {
    reply::MemoryRecords {
        records: vec![record],
        contradicted: Vec::new(),
    }
}

/// A record with its history and what contradicts it.
fn show(space: &Space, memory: &str) -> Result<reply::MemoryRecords, UserError> {
    let id = whole(space, memory)?;
    let read = || {
        let records = space.store.memory_versions(&id)?;
        let others = space.store.contradictions(&id)?;
        let contrary = |other: MemoryRecord| Contrary {
            id: other.id,
            text: other.text,
            time: other.time,
            untrusted: other.tainted,
        };
        Ok(reply::MemoryRecords {
            records,
            contradicted: others.into_iter().map(contrary).collect(),
        })
    };
    read().map_err(|cause| explain(space, &cause))
}

fn commit(space: &Space, batch: impl Into<Batch>) -> Result<(), UserError> {
    space.store.commit(batch).map_err(|cause| explain(space, &cause))
}

fn explain(space: &Space, cause: &StoreError) -> UserError {
    storage::explain(cause, space.language())
}
