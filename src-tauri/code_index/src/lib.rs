//! Folders of code (S4): definitions and their places, their callers, and the layout of a repository, for few tokens.
//!
//! Files are read by confined readers, a program of its own (`shidi-reader`). Each call asks by the rules of `files`
//! which files it may see. The index (`index.rs`) only saves reading the files again. Whatever is answered is a
//! stranger's text.

mod answers;
mod index;
mod kept;
mod limits;
mod meaning;
mod reader;
mod vectors;

use crate::index::{Folder, View};
use crate::limits::{
    BACKGROUND_TIME, CALL_TIME, FILES_MAX, FOLDERS_HELD_MAX, LOOKED_FOR_DEPTH, SOURCES_BYTES_MAX,
};
use parking_lot::Mutex;
use serde_json::Value;
use shidi_embedding::Embeddings;
use shidi_protocol::{Call, CallOutcome};
use shidi_reader::language::Language;
use shidi_reader::limits::FILE_BYTES_MAX;
use shidi_space::Space;
use shidi_space::space::reader_program;
use shidi_toolkits::Environment;
use shidi_toolkits::code::{self, CodeQuery, Scope, SourceFile, SourceFiles};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The indexes of a data space.
pub struct CodeIndex {
    space: Arc<Space>,
    embeddings: Arc<Embeddings>,
    /// The folders that were asked for last, the newest last.
    held: Mutex<Vec<Arc<Folder>>>,
    ended: AtomicBool,
}

/// What a look at a folder brought.
struct Looked {
    folder: Arc<Folder>,
    view: View,
    asked: CodeQuery,
}

/// Whether a call is one of this toolkit.
#[must_use]
pub fn is_for_code(call: &Call) -> bool {
    call.toolkit == code::NAME
}

/// Whether one of these folders holds source code in a language that is read.
#[must_use]
pub fn applies(folders: &[PathBuf]) -> bool {
    code::holds(folders, LOOKED_FOR_DEPTH, &is_code)
}

fn is_code(path: &Path) -> bool {
    Language::of(path).is_some()
}

/// Leaves out what is beyond the bound of all files together, and says so.
fn bound(found: &mut SourceFiles) {
    let mut bytes = 0_u64;
    let fits = found.files.iter().position(|file| {
        // What is too large by itself is not read.
        bytes += if file.bytes <= FILE_BYTES_MAX {
            file.bytes
        } else {
            0
        };
        bytes > SOURCES_BYTES_MAX
    });
    if let Some(fits) = fits {
        found.files.truncate(fits);
        found.cut = true;
    }
}

impl CodeIndex {
    #[must_use]
    pub fn new(space: Arc<Space>, embeddings: Arc<Embeddings>) -> Arc<Self> {
        Arc::new(Self {
            space,
            embeddings,
            held: Mutex::default(),
            ended: AtomicBool::new(false),
        })
    }

    /// Performs a call of the toolkit. `environment` is that of the call: what it does not let `files` read is not seen here.
    pub async fn perform(self: Arc<Self>, call: Call, environment: Environment) -> CallOutcome {
        let asked = match code::asked(&call, environment) {
            Ok(asked) => asked,
            Err(refused) => return *refused,
        };
        let own = Arc::clone(&self);
        let looking = tokio::task::spawn_blocking(move || own.look(asked));
        let looked = match looking.await {
            Ok(Ok(looked)) => looked,
            Ok(Err(refused)) => return *refused,
            Err(cause) => return CallOutcome::failure("RuntimeError", cause.to_string()),
        };
        let Looked { folder, view, asked } = &looked;
        let near = match asked.method.as_str() {
            code::FIND if !answers::is_defined(view, &asked.name) => {
                meaning::nearest(&self.embeddings, folder, view, &asked.name).await
            }
            _ => None,
        };
        let own = Arc::clone(&self);
        let answering = tokio::task::spawn_blocking(move || {
            // While files are read in the background, their reader keeps the index when it is done.
            if looked.view.unread == 0 {
                own.keep(&looked.folder);
            }
            let answer = answers::answer(&looked.asked, &looked.view, near.as_deref());
            CallOutcome::success(Value::from(answer.text), answer.summary)
        });
        let answered = answering.await;
        answered.unwrap_or_else(|cause| CallOutcome::failure("RuntimeError", cause.to_string()))
    }

    /// Drops what is known of folders: their session is gone, or may not work there any more.
    pub fn forget(&self, folders: &[PathBuf]) {
        self.held.lock().retain(|held| !folders.contains(&held.root));
        if let Some(place) = self.place() {
            folders.iter().for_each(|folder| kept::drop_of(&place, folder));
        }
    }

    /// Ends what is read in the background, soon.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Reads what is new for some seconds, and sees what is known then.
    fn look(self: &Arc<Self>, asked: CodeQuery) -> Result<Looked, Box<CallOutcome>> {
        let began = Instant::now();
        let mut found = asked.scope.files(FILES_MAX, &is_code)?;
        bound(&mut found);
        let folder = self.folder(&asked.scope.root);
        let stale = folder.stale(&found.files);
        if !stale.is_empty() {
            let name = asked.name.as_str();
            let read = folder.read(
                &asked.scope,
                (stale, name),
                &reader_program(),
                began + CALL_TIME,
                &self.ended,
            );
            read.map_err(|cause| {
                Box::new(CallOutcome::failure(
                    "OSError",
                    format!(
                        "code can't be read: {} can't be started ({cause}); the user installs Shidi again",
                        reader_program().display()
                    ),
                ))
            })?;
            self.read_on(&folder, &asked.scope, &found.files);
        }
        let view = folder.view(&asked.scope, &found.files, found.cut);
        Ok(Looked { folder, view, asked })
    }

    /// Reads what is left in the background.
    fn read_on(self: &Arc<Self>, folder: &Arc<Folder>, scope: &Scope, files: &[SourceFile]) {
        let stale = folder.stale(files);
        if stale.is_empty() || !folder.begin_reading_on() {
            return;
        }
        let (own, folder, scope) = (Arc::clone(self), Arc::clone(folder), scope.clone());
        let read = move || {
            let until = Instant::now() + BACKGROUND_TIME;
            if let Err(cause) = folder.read(&scope, (stale, ""), &reader_program(), until, &own.ended) {
                tracing::info!(%cause, "a folder of code is not read in the background");
            }
            folder.end_reading_on();
            own.keep(&folder);
        };
        self.space.background.spawn_blocking_on(read, &self.space.tasks);
    }

    /// The index of a folder: held, kept, or a new one.
    fn folder(&self, root: &Path) -> Arc<Folder> {
        let mut held = self.held.lock();
        let place = held.iter().position(|folder| folder.root == root);
        let folder = match place {
            Some(place) => held.remove(place),
            None => Arc::new(kept::opened(self.place().as_deref(), root)),
        };
        held.push(Arc::clone(&folder));
        if held.len() > FOLDERS_HELD_MAX {
            held.remove(0);
        }
        folder
    }

    fn keep(&self, folder: &Folder) {
        let Some(place) = self.place() else { return };
        // Whoever forgot it meanwhile wants it to be gone.
        let is_held = self.held.lock().iter().any(|held| held.root == folder.root);
        if let (true, Err(cause)) = (is_held, kept::keep(&place, folder)) {
            tracing::info!(%cause, "an index of code is not kept");
        }
    }

    /// Where indexes are kept; nowhere for a session that leaves nothing.
    fn place(&self) -> Option<PathBuf> {
        if self.space.is_incognito() {
            return None;
        }
        Some(self.space.home.files()?.join("code"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beyond_the_bound_of_all_together_are_left_out_with_a_word() {
        let file = |bytes| SourceFile {
            relative: PathBuf::from("a.rs"),
            bytes,
            modified: 0,
        };
        let of = |bytes: u64, number: usize| {
            let mut found = SourceFiles {
                files: vec![file(bytes); number],
                cut: false,
            };
            bound(&mut found);
            (found.files.len(), found.cut)
        };
        assert_eq!(of(FILE_BYTES_MAX, 128), (128, false));
        assert_eq!(of(FILE_BYTES_MAX, 130), (128, true));
        assert_eq!(of(FILE_BYTES_MAX + 1, 500), (500, false), "none of them is read");
    }
}
