//! How a file or folder looks from outside: whether it has changed, without reading it.
//!
//! A disk that does not answer holds up nobody: each look has a thread of its own, and is waited for only so long.

use crate::limits::{FOLDER_ENTRIES_MAX, LOOK_WITHIN, LOOKS_AT_ONE_MAX};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use shidi_protocol::{Moment, ScheduleTime};
use std::collections::HashMap;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::oneshot;

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The same while nothing changes.
    pub mark: String,
    /// When it was changed last.
    pub changed: Moment,
}

/// The times of schedules, and how their files were then.
pub type Sights = HashMap<String, (ScheduleTime, io::Result<Option<Sight>>)>;

/// How it is at a path now; of a folder, what lies directly in it. `None` where nothing is.
fn sight(path: &Path) -> io::Result<Option<Sight>> {
    let own = match std::fs::metadata(path) {
        Ok(own) => own,
        Err(cause)
            if matches!(
                cause.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(cause) => return Err(cause),
    };
    let mut entries = vec![(String::new(), own.len(), changed(&own))];
    if own.is_dir() {
        // Its own length and time tell nothing of a file in it that is written to.
        let inside = std::fs::read_dir(path)?.flatten().take(FOLDER_ENTRIES_MAX);
        entries = inside
            .filter_map(|entry| {
                let data = entry.metadata().ok()?;
                Some((
                    entry.file_name().to_string_lossy().into_owned(),
                    data.len(),
                    changed(&data),
                ))
            })
            .collect();
        entries.sort();
    }
    let mut digest = Sha256::new();
    for (name, length, changed) in &entries {
        digest.update(format!("{name}\0{length}\0{}\n", changed.0));
    }
    Ok(Some(Sight {
        mark: hex::encode(digest.finalize()),
        changed: entries
            .iter()
            .map(|(_, _, changed)| *changed)
            .max()
            .unwrap_or(Moment(0))
            .max(came(&own)),
    }))
}

fn changed(data: &Metadata) -> Moment {
    let since = data
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let milliseconds = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    Moment(milliseconds.unwrap_or_default())
}

/// When it came there: a file that was moved or unpacked keeps the time of its last change, and a folder tells of what left it.
fn came(data: &Metadata) -> Moment {
    #[cfg(unix)]
    let status = {
        use std::os::unix::fs::MetadataExt;
        Moment(data.ctime() * 1000 + data.ctime_nsec() / 1_000_000)
    };
    #[cfg(not(unix))]
    let status = Moment(0);
    changed(data).max(status)
}

/// The path with the user's own folder in the place of `~`.
pub fn whole(path: &str) -> PathBuf {
    match (path.strip_prefix('~'), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        _ => PathBuf::from(path),
    }
}

/// Looks that are under way.
#[derive(Default)]
pub struct Looks {
    /// How many look at a path.
    at: Arc<Mutex<HashMap<PathBuf, usize>>>,
}

impl Looks {
    /// How it is at a path; `TimedOut` where the disk does not answer.
    pub async fn at(&self, path: &Path) -> io::Result<Option<Sight>> {
        self.within(LOOK_WITHIN, path, sight).await
    }

    async fn within<T: Send + 'static>(
        &self,
        bound: Duration,
        path: &Path,
        look: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let looking = Looking::begin(&self.at, path).ok_or(io::ErrorKind::TimedOut)?;
        let (sender, seen) = oneshot::channel();
        let thread = std::thread::Builder::new().name("look".to_owned());
        thread.spawn(move || {
            let seen = look(&looking.path);
            drop(looking);
            if sender.send(seen).is_err() {
                tracing::debug!("a look came too late");
            }
        })?;
        match tokio::time::timeout(bound, seen).await {
            Ok(Ok(seen)) => seen,
            Ok(Err(_)) => Err(io::ErrorKind::Other.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// A look that is counted until it is over.
struct Looking {
    path: PathBuf,
    all: Arc<Mutex<HashMap<PathBuf, usize>>>,
}

impl Looking {
    /// `None` where too many hang already.
    fn begin(all: &Arc<Mutex<HashMap<PathBuf, usize>>>, path: &Path) -> Option<Self> {
        let mut counts = all.lock();
        let count = counts.entry(path.to_owned()).or_default();
        if *count >= LOOKS_AT_ONE_MAX {
            return None;
        }
        *count += 1;
        Some(Self {
            path: path.to_owned(),
            all: Arc::clone(all),
        })
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut counts = self.all.lock();
        if let Some(count) = counts.get_mut(&self.path) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_folder_changes_with_what_lies_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = || {
            let sight = sight(folder.path()).expect("a look");
            sight.map(|sight| sight.mark)
        };
        let before = mark();
        assert_eq!(before, mark());
        std::fs::write(folder.path().join("a.csv"), "1").expect("a file");
        assert_ne!(mark(), before);
        let gone = sight(&folder.path().join("b.csv")).expect("a look");
        assert_eq!(gone, None);
    }

    #[cfg(unix)]
    #[test]
    fn what_may_not_be_looked_at_is_not_gone() {
        let long = "a".repeat(300);
        assert!(sight(Path::new(&format!("/{long}"))).is_err());
    }

    #[tokio::test]
    async fn a_disk_that_does_not_answer_is_waited_for_only_so_long() {
        let looks = Looks::default();
        let path = Path::new("/far");
        let (answers, hangs) = mpsc::channel::<()>();
        let hangs = Arc::new(Mutex::new(hangs));
        let hang = || {
            let hangs = Arc::clone(&hangs);
            move |_: &Path| {
                hangs.lock().recv().ok();
                Ok(())
            }
        };
        for _ in 0..=LOOKS_AT_ONE_MAX {
            let seen = looks.within(Duration::from_millis(10), path, hang()).await;
            assert_eq!(seen.map_err(|cause| cause.kind()), Err(io::ErrorKind::TimedOut));
        }
        assert_eq!(looks.at.lock().get(path), Some(&LOOKS_AT_ONE_MAX), "no more hang");
        drop(answers);
        assert!(looks.at(Path::new("/")).await.expect("a look").is_some());
    }
}
