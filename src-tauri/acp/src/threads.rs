//! The sessions that an editor has open, as long as it lives: their folder, their mode, what they are at.

use crate::limits::SESSIONS_MAX;
use crate::prompt::shown;
use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_locales::Acp;
use shidi_protocol::{CallId, ErrorCode, Mode, RunId, UserError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;

/// A session as its editor has it.
#[derive(Debug, Clone, Default)]
pub struct Thread {
    /// The folder that it works in; `None` where the editor named none that could be granted.
    pub folder: Option<String>,
    /// `None` as long as the editor has chosen none.
    pub mode: Option<Mode>,
    /// A question that the next prompt answers.
    pub question: Option<(RunId, CallId)>,
    /// A run that waits for a decision since before the session was opened here: it is asked about first.
    pub undecided: Option<RunId>,
    /// Whether what waits was begun elsewhere: in which folder, nobody says.
    pub begun_elsewhere: bool,
    /// Sentences that the editor is told before the next answer.
    pub notes: Vec<String>,
    /// Cancels the prompt that is at work.
    at_work: Option<CancellationToken>,
    /// The thread was closed while a prompt is at work, and goes with that.
    is_closing: bool,
}

/// The open sessions by their ids.
#[derive(Debug, Default)]
pub struct Threads(Mutex<BTreeMap<String, Thread>>);

impl Threads {
    /// Opens a session, or takes up one that is open.
    ///
    /// # Errors
    /// Too many are open, or it is at work.
    pub fn open(&self, id: &str, thread: Thread, say: Acp) -> Result<(), UserError> {
        let mut threads = self.0.lock();
        let known = threads.get(id);
        if known.is_some_and(|known| known.at_work.is_some()) {
            return Err(input(say.session_busy().to_owned()));
        }
        if known.is_none() && threads.len() >= SESSIONS_MAX {
            return Err(input(say.too_many_sessions(SESSIONS_MAX)));
        }
        threads.insert(id.to_owned(), thread);
        Ok(())
    }

    /// Begins a prompt in a session, which is at work until [`Threads::rest`].
    ///
    /// # Errors
    /// No such session, or one that is at work.
    pub fn begin(&self, id: &str, stop: &CancellationToken, say: Acp) -> Result<Thread, UserError> {
        let mut threads = self.0.lock();
        let thread = threads.get_mut(id).ok_or_else(|| no_session(id, say))?;
        if thread.at_work.is_some() {
            return Err(input(say.session_busy().to_owned()));
        }
        thread.at_work = Some(stop.clone());
        let begun = thread.clone();
        thread.notes.clear();
        Ok(begun)
    }

    /// The prompt of a session is over; a question may be left.
    pub fn rest(&self, id: &str, question: Option<(RunId, CallId)>) {
        self.ended(id, |thread| {
            thread.undecided = None;
            thread.begun_elsewhere = false;
            thread.question = question;
        });
    }

    /// The prompt of a session came to nothing: what the session waited for, and what was to be told, stays.
    pub fn put_back(&self, id: &str, before: Thread) {
        self.ended(id, |thread| {
            thread.undecided = before.undecided;
            thread.question = before.question;
            thread.notes = before.notes;
        });
    }

    fn ended(&self, id: &str, change: impl FnOnce(&mut Thread)) {
        let mut threads = self.0.lock();
        let Some(thread) = threads.get_mut(id) else {
            return;
        };
        if thread.is_closing {
            threads.remove(id);
            return;
        }
        thread.at_work = None;
        change(thread);
    }

    /// Cancels what a session is at.
    pub fn cancel(&self, id: &str) {
        if let Some(stop) = self.0.lock().get(id).and_then(|thread| thread.at_work.as_ref()) {
            stop.cancel();
        }
    }

    /// Closes a session; what it is at is cancelled. Until that is over the session can't be opened again: two prompts
    /// of it would follow one run.
    pub fn close(&self, id: &str) {
        self.cancel(id);
        let mut threads = self.0.lock();
        match threads.get_mut(id) {
            Some(thread) if thread.at_work.is_some() => thread.is_closing = true,
            _ => drop(threads.remove(id)),
        }
    }

    /// Sets when a session asks, from its next question on.
    ///
    /// # Errors
    /// No such session or mode; a run is at work or waits, which keeps the mode that it began with.
    pub fn set_mode(&self, id: &str, named: &str, say: Acp) -> Result<(), UserError> {
        let mode = serde_json::from_value::<Mode>(Value::from(named));
        let mode = mode.map_err(|_| input(say.no_such_mode(shown(named))))?;
        let mut threads = self.0.lock();
        let thread = threads.get_mut(id).ok_or_else(|| no_session(id, say))?;
        if thread.at_work.is_some() || thread.question.is_some() || thread.undecided.is_some() {
            return Err(input(say.mode_is_kept().to_owned()));
        }
        thread.mode = Some(mode);
        Ok(())
    }
}

/// The folder of an editor as one to work in; where it is too wide, a sentence in its place.
///
/// # Errors
/// No absolute path, or no folder.
pub fn folder(cwd: &str, say: Acp) -> Result<Result<String, String>, UserError> {
    let path = Path::new(cwd);
    if !path.is_absolute() {
        return Err(input(say.folder_not_absolute().to_owned()));
    }
    if !path.is_dir() {
        return Err(input(say.folder_no_folder(shown(cwd))));
    }
    // An editor without a project names the home folder. To grant it would grant everything.
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    let is_too_wide = whole.parent().is_none() || home.is_some_and(|home: PathBuf| home.starts_with(&whole));
    match is_too_wide {
        true => Ok(Err(say.folder_too_wide(shown(cwd)))),
        false => Ok(Ok(cwd.to_owned())),
    }
}

/// The modes as editors list them.
#[must_use]
pub fn modes(current: Mode, say: Acp) -> Value {
    let mode = |mode: Mode, name: &str, about: &str| json!({"id": mode, "name": name, "description": about});
    json!({
        "currentModeId": current,
        "availableModes": [
            mode(Mode::Ask, say.mode_ask(), say.mode_ask_about()),
            mode(Mode::Risky, say.mode_risky(), say.mode_risky_about()),
            mode(Mode::Trust, say.mode_trust(), say.mode_trust_about()),
        ],
    })
}

pub fn no_session(id: &str, say: Acp) -> UserError {
    UserError::new(ErrorCode::NotFound, say.no_such_session(shown(id)))
}

fn input(said: String) -> UserError {
    UserError::new(ErrorCode::Input, said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;

    #[test]
    fn a_session_at_work_takes_no_second_prompt_until_it_rests() {
        let (threads, say) = (Threads::default(), Language::En.acp());
        let stop = CancellationToken::new();
        assert_eq!(
            threads.begin("a", &stop, say).unwrap_err().code,
            ErrorCode::NotFound
        );
        threads.open("a", Thread::default(), say).unwrap();
        threads.begin("a", &stop, say).unwrap();
        assert!(threads.begin("a", &stop, say).is_err());
        assert!(threads.open("a", Thread::default(), say).is_err());
        threads.cancel("a");
        assert!(stop.is_cancelled());
        threads.rest("a", None);
        threads.begin("a", &CancellationToken::new(), say).unwrap();
    }

    #[test]
    fn a_session_that_was_closed_at_work_opens_again_once_its_prompt_is_over() {
        let (threads, say) = (Threads::default(), Language::En.acp());
        threads.open("a", Thread::default(), say).unwrap();
        threads.begin("a", &CancellationToken::new(), say).unwrap();
        threads.close("a");
        assert!(threads.open("a", Thread::default(), say).is_err());
        threads.rest("a", Some((RunId::from("r"), CallId(1))));
        threads.open("a", Thread::default(), say).unwrap();
        assert!(
            threads
                .begin("a", &CancellationToken::new(), say)
                .unwrap()
                .question
                .is_none()
        );
    }

    #[test]
    fn a_run_keeps_its_mode_and_says_so() {
        let (threads, say) = (Threads::default(), Language::En.acp());
        threads.open("a", Thread::default(), say).unwrap();
        threads.set_mode("a", "trust", say).unwrap();
        threads.begin("a", &CancellationToken::new(), say).unwrap();
        assert!(threads.set_mode("a", "ask", say).is_err());
        threads.rest("a", Some((RunId::from("r"), CallId(1))));
        assert!(threads.set_mode("a", "ask", say).is_err());
        threads.put_back("a", Thread::default());
        threads.set_mode("a", "ask", say).unwrap();
    }

    #[test]
    fn a_folder_is_a_project_and_never_everything() {
        let say = Language::En.acp();
        assert!(folder("here", say).is_err());
        assert!(folder("/no/such/folder", say).is_err());
        assert!(folder("/", say).unwrap().is_err());
        let own = env!("CARGO_MANIFEST_DIR");
        assert_eq!(folder(own, say).unwrap().unwrap(), own);
        let home = std::env::home_dir().unwrap();
        if home.is_dir() {
            assert!(folder(&home.to_string_lossy(), say).unwrap().is_err());
        }
    }
}
