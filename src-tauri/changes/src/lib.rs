//! What tasks changed in files (F7.7: a write can be undone): `earlier/SESSION/RUN/CALL` in the data folder holds what stood
//! there before. It goes with its session, or when it is old.

mod limits;

use crate::limits::{CHANGES_LISTED_MAX, EARLIER_KEPT};
use shidi_locales::Language;
use shidi_protocol::request::changes as request;
use shidi_protocol::{
    CallId, ChangeRequest, ErrorCode, FileChange, Moment, Reply, SessionId, UserError, reply, reply_to,
};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::ids;
use shidi_toolkits::{Change, ToolError};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the changes of programs are that belong to no session.
const WITHOUT_SESSION: &str = "exec";

/// Carries out what a person wants to know or to take back.
///
/// # Errors
/// No such change, one that can't be taken back, with what is left to do.
pub fn perform(space: &Space, action: ChangeRequest) -> Result<Reply, UserError> {
    match action {
        ChangeRequest::List { session } => {
            let session = session.map(|session| ids::whole_session_id(space, &session));
            let session = session.transpose()?;
            let mut kept: Vec<Kept> = all(space, session.as_ref()).collect();
            kept.sort_by_key(|kept| std::cmp::Reverse(kept.place_in_time()));
            let shown = kept.iter().take(CHANGES_LISTED_MAX).map(Kept::shown);
            let changes = shown.collect();
            Ok(reply_to::<request::List>(reply::Changes { changes }))
        }
        ChangeRequest::Show { change } => {
            let kept = named(space, &change)?;
            let (change, diff) = (kept.shown(), kept.diff());
            Ok(reply_to::<request::Show>(reply::Changed { change, diff }))
        }
        ChangeRequest::Undo { change } => {
            let kept = named(space, &change)?;
            let undone = Change::undo(&kept.folder);
            let change = undone.map_err(|cause| explained(&cause, space.language()))?;
            let (change, diff) = (Kept { change, ..kept }.shown(), String::new());
            Ok(reply_to::<request::Undo>(reply::Changed { change, diff }))
        }
    }
}

/// Where a call keeps what stood in a file before it changes it; `None` where nothing is left on a disk.
pub fn folder_of(space: &Space, session: Option<&SessionId>, run: &str, call: CallId) -> Option<PathBuf> {
    let session = session.map_or(WITHOUT_SESSION, SessionId::as_str);
    Some(
        space
            .home
            .earlier()?
            .join(session)
            .join(run)
            .join(call.to_string()),
    )
}

/// Drops what is old, and what belonged to sessions that are gone. Trouble is logged: it costs space only.
pub fn sweep(space: &Space) {
    let Some(earlier) = space.home.earlier() else {
        return;
    };
    for session in folders_in(&earlier) {
        let name = name_of(&session);
        let is_gone =
            name != WITHOUT_SESSION && matches!(space.store.session(&SessionId::from(name)), Ok(None));
        for run in folders_in(&session) {
            let age = fs::metadata(&run).and_then(|facts| facts.modified());
            let age = age.ok().and_then(|at| at.elapsed().ok()).unwrap_or_default();
            if (is_gone || age > EARLIER_KEPT)
                && let Err(cause) = fs::remove_dir_all(&run)
            {
                tracing::warn!(%cause, "what stood in a file before could not be dropped");
            }
        }
        // Goes when nothing is left in it.
        fs::remove_dir(&session).unwrap_or_default();
    }
}

/// A change with the folder that it is kept in.
struct Kept {
    session: Option<SessionId>,
    id: String,
    folder: PathBuf,
    change: Change,
}

impl Kept {
    fn shown(&self) -> FileChange {
        let count = |lines: usize| u32::try_from(lines).unwrap_or(u32::MAX);
        FileChange {
            id: self.id.clone(),
            session: self.session.clone(),
            path: self.change.path.display().to_string(),
            created: self.change.created,
            added: count(self.change.added),
            removed: count(self.change.removed),
            undone: self.change.undone,
            at: self.change.at,
        }
    }

    /// Calls of one program may fall into the same millisecond: then the later call is the newer.
    fn place_in_time(&self) -> (Moment, u64) {
        let call = name_of(&self.folder).parse().unwrap_or_default();
        (self.change.at, call)
    }

    /// What is different now from what stood there before.
    fn diff(&self) -> String {
        let now = fs::read(&self.change.path).unwrap_or_default();
        let before = Change::earlier(&self.folder).unwrap_or_default();
        shidi_toolkits::unified(&self.change.path, &before, &now)
    }
}

fn all(space: &Space, of: Option<&SessionId>) -> impl Iterator<Item = Kept> {
    let earlier = space.home.earlier().unwrap_or_default();
    let of = of.cloned();
    let sessions = folders_in(&earlier).into_iter().filter(move |folder| {
        of.as_ref()
            .is_none_or(|session| name_of(folder) == session.as_str())
    });
    let runs = sessions.flat_map(|folder| folders_in(&folder));
    runs.flat_map(|folder| folders_in(&folder)).filter_map(kept)
}

fn kept(folder: PathBuf) -> Option<Kept> {
    let change = Change::read(&folder)?;
    let run = folder.parent()?;
    let session = name_of(run.parent()?);
    Some(Kept {
        session: (session != WITHOUT_SESSION).then(|| SessionId::from(session)),
        id: format!("{}/{}", name_of(run), name_of(&folder)),
        folder,
        change,
    })
}

/// The one change that a person's words name.
fn named(space: &Space, text: &str) -> Result<Kept, UserError> {
    let mut found: Vec<Kept> = all(space, None)
        .filter(|kept| text == "last" || kept.id.starts_with(text) || kept.id.ends_with(text))
        .collect();
    if text == "last" {
        found.sort_by_key(Kept::place_in_time);
        found.drain(..found.len().saturating_sub(1));
    }
    let language = space.language();
    let hint = language.changes().see_changes();
    match found.len() {
        0 => Err(error(
            ErrorCode::NotFound,
            language.changes().no_such_change(text),
            hint,
        )),
        1 => Ok(found.remove(0)),
        _ => Err(error(
            ErrorCode::Input,
            language.changes().several_changes(text),
            hint,
        )),
    }
}

fn explained(cause: &ToolError, language: Language) -> UserError {
    let (message, hint) = match cause {
        ToolError::Undone(path) => (
            language.changes().undone_before(path),
            language.changes().nothing_to_do().to_owned(),
        ),
        ToolError::ChangedSince { path, earlier } => (
            language.changes().changed_again_since(path),
            language.changes().earlier_content(earlier.display()),
        ),
        ToolError::NothingKept(path) => (
            language.changes().nothing_kept(path),
            language.changes().nothing_to_do().to_owned(),
        ),
        ToolError::Protected(path) => (
            language.changes().protected(path),
            language.changes().check_disk().to_owned(),
        ),
        ToolError::Meanwhile(path) => (
            language.changes().changed_meanwhile(path),
            language.changes().check_disk().to_owned(),
        ),
        other => (
            language.changes().not_undone(other),
            language.changes().check_disk().to_owned(),
        ),
    };
    error(ErrorCode::Input, message, hint)
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

fn name_of(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
