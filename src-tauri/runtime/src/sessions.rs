//! Listing, showing, searching, switching and deleting what is stored: sessions and runs.

use crate::blob_store;
use crate::engine::Engine;
use crate::errors::error;
use crate::ids::{no_session, run_elsewhere, whole_run_id, whole_session_id};
use crate::limits::TITLE_CHARACTERS_MAX;
use crate::run::at_rest;
use crate::storage;
use crate::stored_events;
use crate::versions::{self, Line};
use shidi_changes as changes;
use shidi_memory::sites;
use shidi_protocol::{ErrorCode, RunId, SessionId, UserError, reply};
use shidi_store::{HeadMove, RunState, StoreError, Write};
use std::sync::Arc;

pub fn list(engine: &Engine, limit: u32) -> Result<reply::Sessions, UserError> {
    let sessions = engine
        .store
        .sessions(limit)
        .map_err(|cause| explain(engine, &cause))?;
    Ok(reply::Sessions { sessions })
}

pub fn search(engine: &Engine, text: &str, limit: u32) -> Result<reply::Sessions, UserError> {
    let sessions = engine
        .store
        .search_sessions(text, limit)
        .map_err(|cause| explain(engine, &cause))?;
    Ok(reply::Sessions { sessions })
}

/// Shows a session by its id, or by the beginning or end of it. `last` is the newest one.
pub fn show(engine: &Engine, session: &SessionId) -> Result<reply::Session, UserError> {
    let id = whole_session_id(engine, session)?;
    let detail = engine
        .store
        .session_detail(&id)
        .map_err(|cause| explain(engine, &cause))?;
    let detail = detail.ok_or_else(|| no_session(engine, session))?;
    let line = Line::shown(engine, &id).map_err(|cause| explain(engine, &cause))?;
    let mut session = versions::shown(detail, &line);
    for run in &mut session.runs {
        run.awaiting = engine.run(&run.id).and_then(|run| run.awaited());
    }
    session.events = stored_events::of_session(&session, |run| engine.run(&run.id).is_some());
    Ok(reply::Session { session })
}

/// Gives a session another title.
pub fn rename(engine: &Engine, session: &SessionId, named: &str) -> Result<reply::Done, UserError> {
    let session = whole_session_id(engine, session)?;
    let title = title(named);
    if title.is_empty() {
        let language = engine.language();
        return Err(error(
            ErrorCode::Input,
            language.runtime().no_title(),
            language.runtime().title_example(),
        ));
    }
    engine
        .store
        .commit(Write::RenameSession { session, title })
        .map_err(|cause| explain(engine, &cause))?;
    Ok(reply::Done)
}

/// A title as it is kept: one line, of a length that lists can show.
pub fn title(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TITLE_CHARACTERS_MAX).collect()
}

/// Deletes a session with everything that belongs to it, stopping its run first.
pub async fn delete(engine: &Arc<Engine>, session: &SessionId) -> Result<reply::Done, UserError> {
    let id = whole_session_id(engine, session)?;
    for run in engine.runs_of(&id) {
        run.cancel().await;
    }
    for run in engine.store.runs(&id).map_err(|cause| explain(engine, &cause))? {
        engine.pages.withdraw_of(&engine.store, &run.run);
    }
    // Indexes of its folders can be made again where another session works in them.
    match shidi_folders::of_session(engine, &id) {
        Ok(folders) => engine.code.forget(&folders),
        Err(cause) => tracing::warn!(%cause, "what is indexed for the session was not dropped"),
    }
    let whole = id.clone();
    let deleting = engine.aside(move |space| {
        let deleted = changes::take_over(space).and_then(|()| blob_store::delete_session(space, &whole));
        deleted.map_err(|cause| storage::explain(&cause, space.language()))
    });
    deleting.await?;
    let jobs = Arc::clone(&engine.jobs);
    if let Err(cause) = tokio::task::spawn_blocking(move || jobs.erase_of(&id)).await {
        tracing::warn!(%cause, "the session's jobs were not erased");
    }
    Ok(reply::Done)
}

/// Shows another version, with the newest of what followed it.
///
/// # Errors
/// No such session, no such run in it, a task at work in it, or storage trouble.
pub fn switch_version(
    engine: &Engine,
    session: &SessionId,
    run: &RunId,
) -> Result<reply::Session, UserError> {
    let session = whole_session_id(engine, session)?;
    let run = whole_run_id(engine, run)?;
    let stored = |cause: StoreError| storage::explain(&cause, engine.language());
    // First of all: what begins from here on is seen as another head, or as a run.
    let was = engine.store.head(&session).map_err(stored)?;
    if engine.run_of(&session).is_some() {
        return Err(versions::busy(engine));
    }
    let runs = engine.store.runs(&session).map_err(stored)?;
    if !runs.iter().any(|row| row.run == run) {
        return Err(run_elsewhere(engine, &run));
    }
    let head = versions::newest_after(&runs, run);
    if was.as_ref() != Some(&head) && !moved(engine, &session, &runs, (was, head)).map_err(stored)? {
        return Err(versions::busy(engine));
    }
    show(engine, &session)
}

/// Moves what is shown, unless a task begins meanwhile: it stays where that one belongs. Returns whether it moved.
fn moved(
    engine: &Engine,
    session: &SessionId,
    runs: &[RunState],
    (from, to): (Option<RunId>, RunId),
) -> Result<bool, StoreError> {
    let shows = |from: Option<&RunId>, run: &RunId| {
        let to = HeadMove {
            from: from.cloned(),
            run: run.clone(),
            title: versions::first_question(engine, runs, run)?,
        };
        let session = session.clone();
        engine.store.commit(Write::MoveHead { session, to })
    };
    shows(from.as_ref(), &to)?;
    if engine.run_of(session).is_none() && engine.store.head(session)?.as_ref() == Some(&to) {
        engine.workers.leave(session);
        return Ok(true);
    }
    if let Some(from) = from {
        shows(Some(&to), &from)?;
    }
    Ok(false)
}

/// Erases all that belongs to a site: its sessions, then what is remembered of it.
///
/// # Errors
/// An address that names no site, or storage trouble.
pub async fn forget_site(engine: &Arc<Engine>, address: &str) -> Result<reply::Done, UserError> {
    // Statements that runs have just left are erased with the rest.
    engine.learning_queue.settled().await;
    let (site, about) = sites::about(engine, address)?;
    for session in &about {
        delete(engine, session).await?;
    }
    sites::forget(engine, site)?;
    Ok(reply::Done)
}

/// The newest run that can be continued.
pub fn newest_open_run(engine: &Engine) -> Result<RunId, UserError> {
    let open = engine
        .store
        .open_runs()
        .map_err(|cause| explain(engine, &cause))?;
    let mut open = open
        .into_iter()
        .filter(|row| !at_rest::works_for_nobody(engine, row) && !at_rest::is_for_a_step(row));
    open.next_back().map(|row| row.run).ok_or_else(|| {
        error(
            ErrorCode::NotFound,
            engine.language().runtime().nothing_to_resume(),
            engine.language().runtime().ask_something_new(),
        )
    })
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.language())
}
