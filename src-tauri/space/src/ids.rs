//! Sessions and runs by the names that people give: an id in full, its beginning or its end, or `last`.

use crate::errors::error;
use crate::space::Space;
use crate::storage;
use shidi_protocol::{ErrorCode, RunId, SessionId, TraceQuery, UserError};
use shidi_store::RunState;

/// The run that `text` names in full, by its beginning or its end; `last` is the newest one.
pub fn whole_run_id(space: &Space, text: &RunId) -> Result<RunId, UserError> {
    if text.as_str() == "last" {
        let traces = space
            .store
            .traces(&TraceQuery {
                limit: 1,
                ..TraceQuery::default()
            })
            .map_err(|cause| storage::explain(&cause, space.language()))?;
        return traces
            .into_iter()
            .next()
            .map(|trace| trace.run)
            .ok_or_else(|| no_run(space, text));
    }
    let found = space
        .store
        .find_run(text.as_str())
        .map_err(|cause| storage::explain(&cause, space.language()))?;
    found.ok_or_else(|| no_run(space, text))
}

/// What is stored of a run itself.
///
/// # Errors
/// No such run, or storage trouble.
pub fn row_of_run(space: &Space, id: &RunId) -> Result<RunState, UserError> {
    let row = space.stored(space.store.run(id))?;
    row.ok_or_else(|| no_run(space, id))
}

/// The session that `text` names in full, by its beginning or its end; `last` is the newest one.
pub fn whole_session_id(space: &Space, text: &SessionId) -> Result<SessionId, UserError> {
    if text.as_str() == "last" {
        let newest = space
            .store
            .sessions(1)
            .map_err(|cause| storage::explain(&cause, space.language()))?;
        return newest
            .into_iter()
            .next()
            .map(|session| session.id)
            .ok_or_else(|| no_session(space, text));
    }
    let found = space
        .store
        .find_session(text.as_str())
        .map_err(|cause| storage::explain(&cause, space.language()))?;
    found.ok_or_else(|| no_session(space, text))
}

/// The sentence for an id that names no run.
pub fn no_run(space: &Space, id: &RunId) -> UserError {
    error(
        ErrorCode::NotFound,
        space.language().space().no_such_run(id),
        space.language().space().see_runs(),
    )
}

/// The sentence for a run of another session.
pub fn run_elsewhere(space: &Space, run: &RunId) -> UserError {
    error(
        ErrorCode::NotFound,
        space.language().space().no_such_run_here(run),
        space.language().space().see_session(),
    )
}

/// The sentence for a name that names no session.
pub fn no_session(space: &Space, text: &SessionId) -> UserError {
    error(
        ErrorCode::NotFound,
        space.language().space().no_such_session(text),
        space.language().space().see_sessions(),
    )
}
