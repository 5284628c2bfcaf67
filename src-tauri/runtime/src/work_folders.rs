//! Joins the folders that a session may work in with the work of its runs. Also says whether commands can be confined.

use crate::run::Workspace;
use shidi_jobs::no_walls;
use shidi_protocol::{FolderRequest, SessionId, UserError, reply};
use shidi_toolkits::shell;
use std::path::PathBuf;

/// Carries out what a person wants of work folders.
///
/// # Errors
/// No such session or folder; trouble with storage.
pub fn perform(workspace: &Workspace, action: FolderRequest) -> Result<reply::Folders, UserError> {
    let (session, paths) = match action {
        FolderRequest::List { session, paths } => (session, paths),
        FolderRequest::Grant { session, path } => {
            let session = shidi_folders::grant(workspace, &session, &path)?;
            (Some(told(workspace, session)?), Vec::new())
        }
        FolderRequest::Withdraw { session, path } => {
            let session = shidi_folders::withdraw(workspace, &session, &path)?;
            workspace.features.code.forget(&[PathBuf::from(&path)]);
            (Some(told(workspace, session)?), Vec::new())
        }
    };
    let mut folders = shidi_folders::list(workspace, session.as_ref(), &paths)?;
    let trouble = shell::ready().err();
    folders.unconfined = trouble.map(|cause| no_walls(workspace.language(), &cause));
    Ok(reply::Folders { folders })
}

/// Lets the session's runs know at once.
fn told(workspace: &Workspace, session: SessionId) -> Result<SessionId, UserError> {
    let folders = workspace.stored(shidi_folders::of_session(workspace, &session))?;
    for run in workspace.running.all_of(&session) {
        run.regrant(&folders);
    }
    Ok(session)
}
