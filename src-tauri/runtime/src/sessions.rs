//! Listing, showing, searching and deleting what is stored: sessions and runs.

use crate::changes;
use crate::clock;
use crate::engine::Engine;
use crate::kept_files;
use crate::limits::TITLE_CHARACTERS_MAX;
use crate::looking;
use crate::run::no_run;
use crate::storage;
use crate::words::error;
use shidi_agent::Phase;
use shidi_protocol::{ErrorCode, Moment, Reply, RunId, RunStatus, SessionId, TraceQuery, UserError};
use shidi_store::{RunState, StoreError, Write};
use std::sync::Arc;

pub fn list(engine: &Engine, limit: u32) -> Result<Reply, UserError> {
    let sessions = engine
        .store
        .sessions(limit)
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Sessions { sessions })
}

pub fn search(engine: &Engine, text: &str, limit: u32) -> Result<Reply, UserError> {
    let sessions = engine
        .store
        .search_sessions(text, limit)
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Sessions { sessions })
}

/// Shows a session by its id, or by the beginning or end of it. `last` is the newest one.
pub fn show(engine: &Engine, session: &SessionId) -> Result<Reply, UserError> {
    let id = whole_session_id(engine, session)?;
    let detail = engine
        .store
        .session_detail(&id)
        .map_err(|cause| explain(engine, &cause))?;
    let mut session = detail.ok_or_else(|| no_session(engine, session))?;
    for run in &mut session.runs {
        run.awaiting = engine.run(&run.id).and_then(|run| run.awaited());
    }
    Ok(Reply::Session { session })
}

/// Gives a session another title.
pub fn rename(engine: &Engine, session: &SessionId, named: &str) -> Result<Reply, UserError> {
    let session = whole_session_id(engine, session)?;
    let title = title(named);
    if title.is_empty() {
        let words = engine.words();
        return Err(error(
            ErrorCode::Input,
            words.pick("没有写新的名字", "There is no new title"),
            words.pick(
                "例如：shidi session rename last 搬家",
                "For example: shidi session rename last moving",
            ),
        ));
    }
    engine
        .store
        .commit(Write::RenameSession { session, title })
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Done)
}

/// A title as it is kept: one line, of a length that lists can show.
pub fn title(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TITLE_CHARACTERS_MAX).collect()
}

/// Deletes a session with everything that belongs to it, stopping its run first.
pub async fn delete(engine: &Arc<Engine>, session: &SessionId) -> Result<Reply, UserError> {
    let id = whole_session_id(engine, session)?;
    if let Some(run) = engine.run_of(&id) {
        run.cancel().await;
    }
    for run in engine.store.runs(&id).map_err(|cause| explain(engine, &cause))? {
        engine.pages.withdraw_of(&engine.store, &run.run);
    }
    let looks = engine
        .store
        .looks_sent(Some(&id))
        .map_err(|cause| explain(engine, &cause))?;
    engine
        .store
        .commit(Write::DeleteSession(id.clone()))
        .map_err(|cause| explain(engine, &cause))?;
    kept_files::drop_unused(engine);
    changes::sweep(engine);
    looking::erase_captures(engine, &looks);
    let jobs = Arc::clone(&engine.jobs);
    if let Err(cause) = tokio::task::spawn_blocking(move || jobs.erase_of(&id)).await {
        tracing::warn!(%cause, "the session's jobs were not erased");
    }
    Ok(Reply::Done)
}

/// The run that `text` names in full, by its beginning or its end; `last` is the newest one.
pub fn whole_run_id(engine: &Engine, text: &RunId) -> Result<RunId, UserError> {
    if engine.run(text).is_some() {
        return Ok(text.clone());
    }
    if text.as_str() == "last" {
        let traces = engine
            .store
            .traces(&TraceQuery {
                limit: 1,
                ..TraceQuery::default()
            })
            .map_err(|cause| explain(engine, &cause))?;
        return traces
            .into_iter()
            .next()
            .map(|trace| trace.run)
            .ok_or_else(|| no_run(engine, text));
    }
    let found = engine
        .store
        .find_run(text.as_str())
        .map_err(|cause| explain(engine, &cause))?;
    found.ok_or_else(|| no_run(engine, text))
}

/// The newest run that can be continued.
pub fn newest_open_run(engine: &Engine) -> Result<RunId, UserError> {
    let open = engine
        .store
        .open_runs()
        .map_err(|cause| explain(engine, &cause))?;
    open.into_iter().next_back().map(|row| row.run).ok_or_else(|| {
        error(
            ErrorCode::NotFound,
            engine
                .words()
                .pick("没有可以继续的任务", "There is no run to continue"),
            engine
                .words()
                .pick("问一个新问题：shidi ask …", "Ask something new: shidi ask …"),
        )
    })
}

/// Marks a run that no process works on as cancelled.
pub fn cancel_at_rest(engine: &Engine, id: &RunId) -> Result<(), UserError> {
    let row = engine.store.run(id).map_err(|cause| explain(engine, &cause))?;
    let row = row.ok_or_else(|| no_run(engine, id))?;
    if row.status.is_some_and(|status| status != RunStatus::Suspended) {
        return Ok(());
    }
    engine
        .store
        .commit(Write::PutRun(Box::new(stopped(row, clock::now()))))
        .map_err(|cause| explain(engine, &cause))?;
    engine.jobs.stop_of(id);
    engine.pages.withdraw_of(&engine.store, id);
    Ok(())
}

/// The row of a run that was stopped where it stood.
pub fn stopped(mut row: RunState, now: Moment) -> RunState {
    row.status = Some(RunStatus::Cancelled);
    row.ended = Some(now);
    row.waiting.clear();
    if let Some(mind) = row.state.get_mut("mind") {
        mind["status"] = serde_json::json!(RunStatus::Cancelled);
        mind["phase"] = serde_json::json!(Phase::Ended);
    }
    row
}

/// The session that `text` names in full, by its beginning or its end; `last` is the newest one.
pub fn whole_session_id(engine: &Engine, text: &SessionId) -> Result<SessionId, UserError> {
    if text.as_str() == "last" {
        let newest = engine
            .store
            .sessions(1)
            .map_err(|cause| explain(engine, &cause))?;
        return newest
            .into_iter()
            .next()
            .map(|session| session.id)
            .ok_or_else(|| no_session(engine, text));
    }
    let found = engine
        .store
        .find_session(text.as_str())
        .map_err(|cause| explain(engine, &cause))?;
    found.ok_or_else(|| no_session(engine, text))
}

/// The sentence for a name that names no session.
pub fn no_session(engine: &Engine, text: &SessionId) -> UserError {
    error(
        ErrorCode::NotFound,
        format!(
            "{} {text}",
            engine.words().pick("没有这个会话", "There is no session")
        ),
        engine.words().pick(
            "看看有哪些：shidi session list",
            "See which there are: shidi session list",
        ),
    )
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
