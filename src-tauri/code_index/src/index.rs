//! The index of one folder: the outline of each file, read anew where a file is new or changed.
//!
//! Which files a call may see is decided with each call; here is only what was read of them. Work is done in slices: a call
//! takes some seconds, and what is left is read in the background.

use crate::limits::READERS_MAX;
use crate::reader::Reader;
use crate::vectors::Vectors;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use shidi_reader::language::Language;
use shidi_reader::limits::FILE_BYTES_MAX;
use shidi_reader::outline::Outline;
use shidi_toolkits::code::{Scope, SourceFile};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Time in which files are looked through for a name, so that those that hold it are read first.
const ORDERED_WITHIN: Duration = Duration::from_millis(900);
/// Files up to which their order does not matter.
const ORDERED_FROM: usize = 150;

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexedFile {
    bytes: u64,
    modified: u64,
    pub(crate) language: Language,
    /// `None` of a file that can't be read.
    pub(crate) outline: Option<Outline>,
}

/// The index of one folder.
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
    files: Mutex<HashMap<String, Arc<IndexedFile>>>,
    /// Vectors of the files, where the user chose a model for them.
    pub(crate) vectors: Mutex<Vectors>,
    /// Held by whoever reads files: two would read the same ones.
    work: Mutex<()>,
    is_read_on: AtomicBool,
    is_changed: AtomicBool,
}

/// A file as answers see it.
pub(crate) struct Seen {
    /// Its path below the folder, with slashes.
    pub(crate) path: String,
    pub(crate) known: Arc<IndexedFile>,
    /// Whether it tests others.
    pub(crate) is_test: bool,
}

/// The files that a call may see.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) files: Vec<Seen>,
    /// Files that are not read yet.
    pub(crate) unread: usize,
    /// Files that can't be read.
    pub(crate) unreadable: usize,
    /// Whether there are more files than are looked at.
    pub(crate) is_cut: bool,
}

impl View {
    /// All definitions that a name may mean, each with its file.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&Seen, &shidi_reader::outline::Symbol)> {
        self.files.iter().flat_map(|file| {
            let symbols = file.known.outline.iter().flat_map(|outline| &outline.symbols);
            symbols
                .filter(|symbol| symbol.kind.is_findable())
                .map(move |symbol| (file, symbol))
        })
    }
}

impl Seen {
    pub(crate) fn outline(&self) -> Option<&Outline> {
        self.known.outline.as_ref()
    }
}

impl Folder {
    pub(crate) fn new(root: PathBuf, files: HashMap<String, IndexedFile>, vectors: Vectors) -> Self {
        let files = files.into_iter().map(|(path, known)| (path, Arc::new(known)));
        Self {
            root,
            files: Mutex::new(files.collect()),
            vectors: Mutex::new(vectors),
            work: Mutex::default(),
            is_read_on: AtomicBool::new(false),
            is_changed: AtomicBool::new(false),
        }
    }

    /// The files that are new or changed.
    pub(crate) fn stale(&self, sources: &[SourceFile]) -> Vec<SourceFile> {
        let files = self.files.lock();
        let is_stale = |source: &&SourceFile| {
            let known = written(&source.relative).and_then(|path| files.get(&path));
            !known.is_some_and(|known| known.bytes == source.bytes && known.modified == source.modified)
        };
        sources.iter().filter(is_stale).cloned().collect()
    }

    /// Reads files until the time is over or `ended` says so. Files that hold `name` come first.
    ///
    /// # Errors
    /// No reader can be started.
    pub(crate) fn read(
        &self,
        scope: &Scope,
        (mut stale, name): (Vec<SourceFile>, &str),
        program: &Path,
        until: Instant,
        ended: &AtomicBool,
    ) -> io::Result<()> {
        let Some(_work) = self.work.try_lock_until(until) else {
            return Ok(());
        };
        // Somebody else may have read some of them meanwhile.
        stale = self.stale(&stale);
        if !name.is_empty() && stale.len() > ORDERED_FROM {
            order(&mut stale, scope, name);
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let readers = cores.min(READERS_MAX).min(stale.len().div_ceil(8));
        let next = AtomicUsize::new(0);
        let read_on = || -> io::Result<()> {
            let mut reader = Reader::new(program.to_owned());
            while Instant::now() < until && !ended.load(Ordering::Relaxed) {
                let Some(source) = stale.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                self.read_one(scope, source, &mut reader)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..readers).map(|_| scope.spawn(read_on)).collect();
            let own = read_on();
            let others = others.into_iter().map(|other| other.join().unwrap_or(Ok(())));
            others.fold(own, |all, other| all.and(other))
        })
    }

    fn read_one(&self, scope: &Scope, source: &SourceFile, reader: &mut Reader) -> io::Result<()> {
        let (Some(path), Some(language)) = (written(&source.relative), Language::of(&source.relative)) else {
            return Ok(());
        };
        let is_small = source.bytes <= FILE_BYTES_MAX;
        let text = is_small
            .then(|| scope.text(&source.relative, FILE_BYTES_MAX))
            .flatten();
        let outline = match text {
            Some(text) => reader.read(language, text)?,
            None => None,
        };
        let known = IndexedFile {
            bytes: source.bytes,
            modified: source.modified,
            language,
            outline,
        };
        self.files.lock().insert(path, Arc::new(known));
        self.is_changed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// What is known of the files that a call may see and asks about.
    pub(crate) fn view(&self, scope: &Scope, sources: &[SourceFile], is_cut: bool) -> View {
        let files = self.files.lock();
        let mut view = View {
            is_cut,
            ..View::default()
        };
        for source in sources
            .iter()
            .filter(|source| source.relative.starts_with(&scope.within))
        {
            let Some(path) = written(&source.relative) else {
                continue;
            };
            match files.get(&path) {
                Some(known) if known.bytes == source.bytes && known.modified == source.modified => {
                    view.unreadable += usize::from(known.outline.is_none());
                    view.files.push(Seen {
                        is_test: is_test(&path),
                        path,
                        known: Arc::clone(known),
                    });
                }
                Some(_) | None => view.unread += 1,
            }
        }
        view
    }

    /// Whether nobody reads on in the background yet; whoever hears so does.
    pub(crate) fn begin_reading_on(&self) -> bool {
        !self.is_read_on.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn end_reading_on(&self) {
        self.is_read_on.store(false, Ordering::Release);
    }

    /// Whether something was read since this was asked last.
    pub(crate) fn take_changed(&self) -> bool {
        self.is_changed.swap(false, Ordering::AcqRel)
    }

    pub(crate) fn change(&self) {
        self.is_changed.store(true, Ordering::Relaxed);
    }

    /// All that is known, without the files that are gone.
    pub(crate) fn known(&self) -> Vec<(String, Arc<IndexedFile>)> {
        let mut files = self.files.lock();
        files.retain(|path, _| self.root.join(path).symlink_metadata().is_ok());
        files
            .iter()
            .map(|(path, known)| (path.clone(), Arc::clone(known)))
            .collect()
    }
}

/// A path below the folder as it is kept; `None` of one that is no text.
fn written(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    Some(if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.to_owned()
    })
}

/// Puts the files first that hold a name.
fn order(stale: &mut [SourceFile], scope: &Scope, name: &str) {
    let last = name.rsplit(['.', ':']).next().unwrap_or(name);
    let until = Instant::now() + ORDERED_WITHIN;
    let holds = |source: &SourceFile| {
        let is_looked_at = Instant::now() < until && source.bytes <= FILE_BYTES_MAX;
        let text = is_looked_at
            .then(|| scope.text(&source.relative, FILE_BYTES_MAX))
            .flatten();
        text.is_some_and(|text| text.contains(last))
    };
    stale.sort_by_cached_key(|source| !holds(source));
}

/// Whether a file tests others, by its path.
fn is_test(path: &str) -> bool {
    const FOLDERS: [&str; 7] = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "testdata",
        "testing",
        "benches",
    ];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let ends = ["_test", ".test", ".spec", "_spec", "tests"];
    folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || stem.starts_with("test_")
        || stem == "test"
        || stem == "conftest"
        || ends.iter().any(|end| stem.ends_with(end))
}

#[cfg(test)]
impl IndexedFile {
    pub(crate) fn for_test(language: Language, outline: Option<Outline>) -> Self {
        Self {
            bytes: 0,
            modified: 0,
            language,
            outline,
        }
    }
}

#[cfg(test)]
impl Folder {
    /// Everything, in the order of names.
    pub(crate) fn view_of_all(&self) -> View {
        let mut files: Vec<Seen> = self
            .files
            .lock()
            .iter()
            .map(|(path, known)| Seen {
                is_test: is_test(path),
                path: path.clone(),
                known: Arc::clone(known),
            })
            .collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        View {
            files,
            ..View::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_by_their_folders_and_names() {
        for path in [
            "tests/a.rs",
            "a/__tests__/b.ts",
            "a/store_test.go",
            "src/x/tests.rs",
            "test_a.py",
            "a.spec.ts",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/contest.rs", "latest/a.py", "src/testable.go", "protest.py"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
