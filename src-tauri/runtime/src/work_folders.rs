//! Joins the folders that a session may work in with the work of its runs. Also says whether commands can be confined.

use crate::engine::Engine;
use shidi_jobs::no_walls;
use shidi_protocol::{FolderRequest, SessionId, UserError, reply};
use shidi_space::storage;
use shidi_toolkits::shell;
use std::path::PathBuf;
use std::sync::Arc;

/// Carries out what a person wants of work folders.
///
/// # Errors
/// No such session or folder; trouble with storage.
pub fn perform(engine: &Arc<Engine>, action: FolderRequest) -> Result<reply::Folders, UserError> {
    let (session, paths) = match action {
        FolderRequest::List { session, paths } => (session, paths),
        FolderRequest::Grant { session, path } => {
            let session = shidi_folders::grant(engine, &session, &path)?;
            (Some(told(engine, session)?), Vec::new())
        }
        FolderRequest::Withdraw { session, path } => {
            let session = shidi_folders::withdraw(engine, &session, &path)?;
            engine.code.forget(&[PathBuf::from(&path)]);
            (Some(told(engine, session)?), Vec::new())
        }
    };
    let mut folders = shidi_folders::list(engine, session.as_ref(), &paths)?;
    let trouble = shell::ready().err();
    folders.unconfined = trouble.map(|cause| no_walls(engine.language(), &cause));
    Ok(reply::Folders { folders })
}

/// Lets the session's runs know at once.
fn told(engine: &Arc<Engine>, session: SessionId) -> Result<SessionId, UserError> {
    let folders = shidi_folders::of_session(engine, &session);
    let folders = folders.map_err(|cause| storage::explain(&cause, engine.language()))?;
    for run in engine.runs_of(&session) {
        run.regrant(&folders);
    }
    Ok(session)
}
