//! What the user does with what is remembered: finding, reading, writing, correcting, erasing, taking elsewhere (F6.6).

pub mod evicting;
pub(crate) mod exchange;
pub mod learning;
mod line;
pub mod meaning;
pub mod placing;
pub mod settling;
mod sites;
mod statements;
pub(crate) mod until;
pub mod writing;

pub use line::record as record_of_line;
pub use until::moment_of;

use crate::clock;
use crate::engine::Engine;
use crate::limits::{LISTED_MAX, MEMORY_OWNERS_MAX, MEMORY_TEXT_CHARS_MAX};
use crate::storage;
use crate::words::error;
use shidi_protocol::{
    Contrary, ErrorCode, MemoryCount, MemoryDeed, MemoryId, MemoryKind, MemoryOrigin, MemoryQuery,
    MemoryRecord, MemoryScope, MemoryScopes, Moment, Reply, UserError,
};
use shidi_senses::redacted;
use shidi_store::{Batch, Ended, MemoryFilter, StoreError, Write};
use std::sync::Arc;

pub mod recalling;

pub async fn perform(engine: &Arc<Engine>, deed: MemoryDeed) -> Result<Reply, UserError> {
    engine.learner.settled().await;
    match deed {
        MemoryDeed::Find {
            text,
            kinds,
            scopes,
            page,
            limit,
        } => {
            let sought = (text, page);
            find(engine, sought, kinds, scopes, limit).await
        }
        MemoryDeed::List {
            kinds,
            scopes,
            ended,
            offset,
            limit,
        } => {
            let ended = whether(ended);
            let kinds = if kinds.is_empty() { remembered() } else { kinds };
            let filter = MemoryFilter { kinds, scopes, ended };
            records(
                engine,
                engine.store.memories(&filter, offset, limit.min(LISTED_MAX)),
            )
        }
        MemoryDeed::Show { memory } => show(engine, &memory),
        MemoryDeed::Export { path } => aside(engine, move |engine| exchange::export(engine, &path)).await,
        MemoryDeed::ImportFile { path } => aside(engine, move |engine| exchange::import(engine, &path)).await,
        MemoryDeed::Stats { scopes, ended } => stats(engine, scopes, ended).await,
        MemoryDeed::Add {
            text,
            kind,
            scope,
            tags,
            until,
        } => {
            let mut record = MemoryRecord::new(MemoryId::mint(), kind, stated(engine, &text)?, clock::now());
            record.scope = scope;
            record.tags = tags;
            record.until = ahead(engine, until)?;
            add(engine, record)
        }
        MemoryDeed::Edit { memory, text } => edit(engine, &memory, &text),
        MemoryDeed::Pin { memory, pinned } => {
            let memory = whole(engine, &memory)?;
            commit(engine, Write::PinMemory { memory, pinned }).map(|()| Reply::Done)
        }
        MemoryDeed::Limit { memory, until } => limit(engine, &memory, until),
        MemoryDeed::Delete { memory } => {
            commit(engine, Write::DeleteMemory(whole(engine, &memory)?)).map(|()| Reply::Done)
        }
        MemoryDeed::ForgetSite { address } => sites::forget(engine, &address).await,
        MemoryDeed::Visits { address, limit } => sites::visits(engine, &address, limit.min(LISTED_MAX)),
        MemoryDeed::Import { records } => import(engine, records),
        MemoryDeed::ImportLines { lines } => exchange::import_lines(engine, &lines),
        MemoryDeed::ExportLines { after } => {
            exchange::exported(engine, after).map(|(lines, next)| Reply::Lines { lines, next })
        }
    }
}

/// What fits a text and a page best, where the user looks.
async fn find(
    engine: &Engine,
    (text, page): (String, Option<String>),
    kinds: Vec<MemoryKind>,
    scopes: Vec<MemoryScope>,
    limit: u32,
) -> Result<Reply, UserError> {
    if text.trim().is_empty() && page.is_none() {
        return Err(unsaid(engine));
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
    found(engine, query).await
}

fn limit(engine: &Engine, memory: &str, until: Option<Moment>) -> Result<Reply, UserError> {
    let until = ahead(engine, until)?;
    let memory = whole(engine, memory)?;
    commit(engine, Write::LimitMemory { memory, until }).map(|()| Reply::Done)
}

async fn found(engine: &Engine, query: MemoryQuery) -> Result<Reply, UserError> {
    let near = meaning::near(engine, &query.text).await;
    let hits = engine.store.recall_near(&query, near.as_ref());
    let hits = hits.map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Memories { hits })
}

/// Every kind but pieces of documents, which have lists of their own and come back from their files.
fn remembered() -> Vec<MemoryKind> {
    let kinds = MemoryKind::ALL.into_iter();
    kinds.filter(|kind| *kind != MemoryKind::Chunk).collect()
}

fn ahead(engine: &Engine, until: Option<Moment>) -> Result<Option<Moment>, UserError> {
    until
        .map(|moment| until::ahead(moment, engine.words()))
        .transpose()
}

fn add(engine: &Engine, record: MemoryRecord) -> Result<Reply, UserError> {
    let kept = settling::keep(&engine.store, record).map_err(|cause| explain(engine, &cause))?;
    Ok(one(kept))
}

async fn stats(engine: &Engine, scopes: Vec<MemoryScope>, ended: bool) -> Result<Reply, UserError> {
    let filter = MemoryFilter {
        kinds: Vec::new(),
        scopes,
        ended: whether(ended),
    };
    let counts = engine.store.memory_counts(&filter);
    let counts = counts.map_err(|cause| explain(engine, &cause))?;
    let owners = engine.store.memory_owners(MEMORY_OWNERS_MAX);
    let owners = owners.map_err(|cause| explain(engine, &cause))?;
    let counts = counts
        .into_iter()
        .map(|(kind, records)| MemoryCount { kind, records });
    Ok(Reply::MemoryStats {
        counts: counts.collect(),
        owners,
        room: Some(evicting::room(engine).map_err(|cause| explain(engine, &cause))?),
        meaning: meaning::state(engine)
            .await
            .map_err(|cause| explain(engine, &cause))?,
    })
}

fn whether(ended: bool) -> Ended {
    if ended { Ended::Included } else { Ended::LeftOut }
}

/// Work on files, which may take seconds, where it holds nobody up.
pub(crate) async fn aside(
    engine: &Arc<Engine>,
    work: impl FnOnce(&Engine) -> Result<Reply, UserError> + Send + 'static,
) -> Result<Reply, UserError> {
    let own = Arc::clone(engine);
    match tokio::task::spawn_blocking(move || work(&own)).await {
        Ok(reply) => reply,
        Err(cause) => Err(error(
            ErrorCode::Internal,
            cause.to_string(),
            engine.words().pick("再试一次", "Try again"),
        )),
    }
}

/// What is remembered and fits `text` best, or the newest when it is empty; not what was said in sessions.
pub async fn search(engine: &Engine, text: &str, limit: u32) -> Result<Reply, UserError> {
    let limit = limit.min(LISTED_MAX);
    let kinds = remembered().into_iter();
    let kinds = kinds.filter(|kind| *kind != MemoryKind::Conversation).collect();
    let hits = if text.trim().is_empty() {
        let filter = MemoryFilter {
            kinds,
            scopes: Vec::new(),
            ended: Ended::LeftOut,
        };
        let newest = engine.store.memories(&filter, 0, limit);
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
        return found(engine, query).await;
    };
    let hits = hits.map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Memories { hits })
}

/// A new statement in place of another; the user said it, whoever said the first.
fn edit(engine: &Engine, memory: &str, text: &str) -> Result<Reply, UserError> {
    let old = whole(engine, memory)?;
    let text = stated(engine, text)?;
    let found = engine
        .store
        .memory(&old)
        .map_err(|cause| explain(engine, &cause))?;
    let before = found.ok_or_else(|| unknown(engine, memory))?;
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
        engine,
        Write::SupersedeMemory {
            old,
            new: Box::new(new.clone()),
        },
    )?;
    Ok(one(new))
}

fn import(engine: &Engine, records: Vec<MemoryRecord>) -> Result<Reply, UserError> {
    let mut batch = Batch::default();
    for mut record in records {
        record.text = stated(engine, &record.text)?;
        batch.push(Write::PutMemory(Box::new(record)));
    }
    commit(engine, batch)?;
    Ok(Reply::Done)
}

fn unsaid(engine: &Engine) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        words.pick("没有说要找什么", "It does not say what to look for"),
        words.pick("列出全部：shidi memory list", "List all of it: shidi memory list"),
    )
}

/// A text that can be remembered: no secret stays in it.
fn stated(engine: &Engine, text: &str) -> Result<String, UserError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(error(
            ErrorCode::Input,
            engine
                .words()
                .pick("没有要记的内容", "There is nothing to remember"),
            engine
                .words()
                .pick("写一句完整的话", "Write one complete sentence"),
        ));
    }
    if text.chars().count() > MEMORY_TEXT_CHARS_MAX {
        return Err(error(
            ErrorCode::Input,
            engine.words().pick(
                "这段话太长，记不下",
                "The text is too long to be remembered as one record",
            ),
            format!(
                "{} {MEMORY_TEXT_CHARS_MAX}",
                engine.words().pick(
                    "请分成几条，每条字数不超过",
                    "Make several of it; characters of one at most:"
                )
            ),
        ));
    }
    Ok(redacted(text))
}

fn whole(engine: &Engine, memory: &str) -> Result<MemoryId, UserError> {
    let found = engine
        .store
        .find_memory(memory)
        .map_err(|cause| explain(engine, &cause))?;
    found.ok_or_else(|| unknown(engine, memory))
}

fn unknown(engine: &Engine, memory: &str) -> UserError {
    error(
        ErrorCode::NotFound,
        format!(
            "{} {memory}",
            engine
                .words()
                .pick("没有这条记忆：", "Nothing is remembered under")
        ),
        engine.words().pick(
            "看看有哪些：shidi memory list",
            "See what there is: shidi memory list",
        ),
    )
}

fn records(engine: &Engine, found: Result<Vec<MemoryRecord>, StoreError>) -> Result<Reply, UserError> {
    let records = found.map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::MemoryRecords {
        records,
        contradicted: Vec::new(),
    })
}

fn one(record: MemoryRecord) -> Reply {
    Reply::MemoryRecords {
        records: vec![record],
        contradicted: Vec::new(),
    }
}

/// A record with its history and what contradicts it.
fn show(engine: &Engine, memory: &str) -> Result<Reply, UserError> {
    let id = whole(engine, memory)?;
    let read = || {
        let records = engine.store.memory_versions(&id)?;
        let others = engine.store.contradictions(&id)?;
        let contrary = |other: MemoryRecord| Contrary {
            id: other.id,
            text: other.text,
            time: other.time,
            untrusted: other.tainted,
        };
        Ok(Reply::MemoryRecords {
            records,
            contradicted: others.into_iter().map(contrary).collect(),
        })
    };
    read().map_err(|cause| explain(engine, &cause))
}

fn commit(engine: &Engine, batch: impl Into<Batch>) -> Result<(), UserError> {
    engine
        .store
        .commit(batch)
        .map_err(|cause| explain(engine, &cause))
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
