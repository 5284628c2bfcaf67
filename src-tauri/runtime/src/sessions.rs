//! Listing, showing, searching, switching and deleting what is stored: sessions and runs.

use crate::blob_store;
use crate::errors::error;
use crate::ids::{no_session, run_elsewhere, whole_run_id, whole_session_id};
use crate::limits::TITLE_CHARACTERS_MAX;
use crate::run::{Workspace, at_rest};
use crate::space::Space;
use crate::stored_events;
use crate::versions::{self, Line};
use shidi_changes as changes;
use shidi_memory::sites;
use shidi_protocol::{ErrorCode, RunId, SessionId, UserError, reply};
use shidi_store::{HeadMove, RunState, StoreError, Write};
use std::sync::Arc;

pub fn list(space: &Space, limit: u32) -> Result<reply::Sessions, UserError> {
    let sessions = space.stored(space.store.sessions(limit))?;
    Ok(reply::Sessions { sessions })
}

pub fn search(space: &Space, text: &str, limit: u32) -> Result<reply::Sessions, UserError> {
    let sessions = space.stored(space.store.search_sessions(text, limit))?;
    Ok(reply::Sessions { sessions })
}

/// Shows a session by its id, or by the beginning or end of it. `last` is the newest one.
pub fn show(workspace: &Workspace, session: &SessionId) -> Result<reply::Session, UserError> {
    let id = whole_session_id(workspace, session)?;
    let detail = workspace.stored(workspace.store.session_detail(&id))?;
    let detail = detail.ok_or_else(|| no_session(workspace, session))?;
    let line = workspace.stored(Line::shown(workspace, &id))?;
    let mut session = versions::shown(detail, &line);
    for run in &mut session.runs {
        run.awaiting = workspace.running.get(&run.id).and_then(|run| run.awaited());
    }
    session.events = stored_events::of_session(&session, |run| workspace.running.get(&run.id).is_some());
    Ok(reply::Session { session })
}

/// Gives a session another title.
pub fn rename(space: &Space, session: &SessionId, named: &str) -> Result<reply::Done, UserError> {
    let session = whole_session_id(space, session)?;
    let title = title(named);
    if title.is_empty() {
        let language = space.language();
        return Err(error(
            ErrorCode::Input,
            language.runtime().no_title(),
            language.runtime().title_example(),
        ));
    }
    space.stored(space.store.commit(Write::RenameSession { session, title }))?;
    Ok(reply::Done)
}

/// A title as it is kept: one line, of a length that lists can show.
pub fn title(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(TITLE_CHARACTERS_MAX).collect()
}

/// Deletes a session with everything that belongs to it, stopping its run first.
pub async fn delete(workspace: &Workspace, session: &SessionId) -> Result<reply::Done, UserError> {
    let id = whole_session_id(workspace, session)?;
    for run in workspace.running.all_of(&id) {
        run.cancel().await;
    }
    for run in workspace.stored(workspace.store.runs(&id))? {
        workspace.features.pages.withdraw_of(&workspace.store, &run.run);
    }
    // Indexes of its folders can be made again where another session works in them.
    match shidi_folders::of_session(workspace, &id) {
        Ok(folders) => workspace.features.code.forget(&folders),
        Err(cause) => tracing::warn!(%cause, "what is indexed for the session was not dropped"),
    }
    let whole = id.clone();
    let deleting = workspace.aside(move |space| {
        let deleted = changes::take_over(space).and_then(|()| blob_store::delete_session(space, &whole));
        space.stored(deleted)
    });
    deleting.await?;
    let jobs = Arc::clone(&workspace.features.jobs);
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
    workspace: &Workspace,
    session: &SessionId,
    run: &RunId,
) -> Result<reply::Session, UserError> {
    let session = whole_session_id(workspace, session)?;
    let run = whole_run_id(workspace, run)?;
    // First of all: what begins from here on is seen as another head, or as a run.
    let was = workspace.stored(workspace.store.head(&session))?;
    if workspace.running.of(&session).is_some() {
        return Err(versions::busy(workspace));
    }
    let runs = workspace.stored(workspace.store.runs(&session))?;
    if !runs.iter().any(|row| row.run == run) {
        return Err(run_elsewhere(workspace, &run));
    }
    let head = versions::newest_after(&runs, run);
    if was.as_ref() != Some(&head) && !workspace.stored(moved(workspace, &session, &runs, (was, head)))? {
        return Err(versions::busy(workspace));
    }
    show(workspace, &session)
}

/// Moves what is shown, unless a task begins meanwhile: it stays where that one belongs. Returns whether it moved.
fn moved(
    workspace: &Workspace,
    session: &SessionId,
    runs: &[RunState],
    (from, to): (Option<RunId>, RunId),
) -> Result<bool, StoreError> {
    let shows = |from: Option<&RunId>, run: &RunId| {
        let to = HeadMove {
            from: from.cloned(),
            run: run.clone(),
            title: versions::first_question(workspace, runs, run)?,
        };
        let session = session.clone();
        workspace.store.commit(Write::MoveHead { session, to })
    };
    shows(from.as_ref(), &to)?;
    if workspace.running.of(session).is_none() && workspace.store.head(session)?.as_ref() == Some(&to) {
        workspace.running.workers.leave(session);
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
pub async fn forget_site(workspace: &Workspace, address: &str) -> Result<reply::Done, UserError> {
    // Statements that runs have just left are erased with the rest.
    workspace.running.learning_queue.settled().await;
    let (site, about) = sites::about(workspace, address)?;
    for session in &about {
        delete(workspace, session).await?;
    }
    sites::forget(workspace, site)?;
    Ok(reply::Done)
}

/// The newest run that can be continued.
pub fn newest_open_run(space: &Space) -> Result<RunId, UserError> {
    let open = space.stored(space.store.open_runs())?;
    let mut open = open
        .into_iter()
        .filter(|row| !at_rest::works_for_nobody(space, row) && !at_rest::is_for_a_step(row));
    open.next_back().map(|row| row.run).ok_or_else(|| {
        error(
            ErrorCode::NotFound,
            space.language().runtime().nothing_to_resume(),
            space.language().runtime().ask_something_new(),
        )
    })
}
