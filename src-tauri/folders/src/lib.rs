//! The folders that a session may work in (F7.3), and the folders that the session is granted. Files in them say how to
//! work there.
//!
//! `toolkits` and the permissions of `agent` decide on the use of a granted folder. A running task hears of the folder
//! from the runtime.

mod limits;
mod resolve;

pub use resolve::folder_at;

use crate::limits::{FOLDERS_MAX, RECENT_MAX, SESSIONS_LOOKED_AT};
use shidi_protocol::{ErrorCode, SessionId, UserError, WorkFolder, WorkFolders};
use shidi_space::errors::error;
use shidi_space::{Space, ids, storage};
use shidi_store::{Session, StoreError, Write};
use std::path::{Path, PathBuf};

/// Files of a folder that say how to work there: what other programs know, then what is meant for Shidi.
const PROJECT_FILES: [&str; 2] = ["AGENTS.md", "SHIDI.md"];

/// The folders of a session as it is kept.
///
/// # Errors
/// Trouble with storage.
pub fn of_session(space: &Space, session: &SessionId) -> Result<Vec<PathBuf>, StoreError> {
    let row = space.store.session(session)?;
    Ok(row
        .map(|row| row.folders.into_iter().map(PathBuf::from).collect())
        .unwrap_or_default())
}

/// The folders that programs of a run may work in, each once. They come from the question, the session, and the
/// settings.
#[must_use]
pub fn of_run(of_session: &[PathBuf], of_question: &[String], of_settings: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let of_question = of_question.iter().map(PathBuf::from);
    let others = of_session.iter().chain(of_settings).cloned();
    for folder in of_question.chain(others) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// The work folders of a session, or of one that is to begin, as people see them.
///
/// # Errors
/// No such session; trouble with storage.
pub fn list(space: &Space, session: Option<&SessionId>, paths: &[String]) -> Result<WorkFolders, UserError> {
    let known = session.map(|session| ids::whole_session_id(space, session));
    let kept = match known.transpose()? {
        Some(session) => row(space, &session)?.folders,
        None => Vec::new(),
    };
    let all: Vec<&String> = kept.iter().chain(paths.iter().take(FOLDERS_MAX)).collect();
    let folders: Vec<WorkFolder> = all.iter().map(|path| shown(Path::new(path))).collect();
    let recent = recent(space, &folders).map_err(|cause| storage::explain(&cause, space.language()))?;
    Ok(WorkFolders {
        folders,
        recent,
        unconfined: None,
    })
}

/// Grants a folder to a session. The grant is kept before this returns.
///
/// # Errors
/// No such session, a place that is no folder, more folders than one session has; trouble with storage.
pub fn grant(space: &Space, session: &SessionId, path: &str) -> Result<SessionId, UserError> {
    let folder = folder_at(path).map_err(|wrong| wrong.explained(path, space.language()))?;
    change(space, session, |folders| {
        if folders.iter().any(|known| Path::new(known) == folder) {
            return Ok(());
        }
        if folders.len() >= FOLDERS_MAX {
            let language = space.language();
            return Err(error(
                ErrorCode::Input,
                language.folders().bounded(FOLDERS_MAX),
                language.folders().take_one_back(),
            ));
        }
        folders.push(folder.display().to_string());
        Ok(())
    })
}

/// Takes a folder back from a session; one that it does not have is taken back already.
///
/// # Errors
/// No such session; trouble with storage.
pub fn withdraw(space: &Space, session: &SessionId, path: &str) -> Result<SessionId, UserError> {
    change(space, session, |folders| {
        folders.retain(|known| known != path);
        Ok(())
    })
}

/// The files of these folders that say how to work there, in the order of the folders.
#[must_use]
pub fn project_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let files = folders
        .iter()
        .flat_map(|folder| names_in(folder).map(|name| folder.join(name)));
    files.collect()
}

fn names_in(folder: &Path) -> impl Iterator<Item = &'static str> {
    // A link may lead anywhere, and what it leads to was not granted.
    let is_there = |name: &&str| {
        folder
            .join(name)
            .symlink_metadata()
            .is_ok_and(|facts| facts.is_file())
    };
    PROJECT_FILES.into_iter().filter(move |name| is_there(name))
}

fn shown(folder: &Path) -> WorkFolder {
    WorkFolder {
        path: folder.display().to_string(),
        project_files: names_in(folder).map(str::to_owned).collect(),
    }
}

fn recent(space: &Space, but: &[WorkFolder]) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    for summary in space.store.sessions(SESSIONS_LOOKED_AT)? {
        for folder in space
            .store
            .session(&summary.id)?
            .map(|row| row.folders)
            .unwrap_or_default()
        {
            let is_new = !found.contains(&folder) && !but.iter().any(|known| known.path == folder);
            if is_new && Path::new(&folder).is_dir() {
                found.push(folder);
            }
        }
        if found.len() >= RECENT_MAX {
            break;
        }
    }
    found.truncate(RECENT_MAX);
    Ok(found)
}

fn change(
    space: &Space,
    session: &SessionId,
    change: impl FnOnce(&mut Vec<String>) -> Result<(), UserError>,
) -> Result<SessionId, UserError> {
    let id = ids::whole_session_id(space, session)?;
    let mut row = row(space, &id)?;
    change(&mut row.folders)?;
    let written = space.store.commit(Write::SetFolders {
        session: id.clone(),
        folders: row.folders,
    });
    written.map_err(|cause| storage::explain(&cause, space.language()))?;
    Ok(id)
}

fn row(space: &Space, session: &SessionId) -> Result<Session, UserError> {
    let found = space.store.session(session);
    let found = found.map_err(|cause| storage::explain(&cause, space.language()))?;
    found.ok_or_else(|| {
        error(
            ErrorCode::NotFound,
            space.language().space().no_such_session(session),
            space.language().space().see_sessions(),
        )
    })
}
