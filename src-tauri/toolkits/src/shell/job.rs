//! Background jobs as they lie on the disk: a folder each, that tells by itself how the job stands (F8.6).
//!
//! Whoever supervises a job holds the lock of its folder; so nobody needs a number of a process, which another may have by
//! now, and a restart of the program or of the machine changes nothing in what can be told. The lock is handed over
//! already taken: there is no moment in which a job that has begun looks as if it were lost.

use super::command::Ended;
use super::output::Kept;
use super::supervisor;
use super::walls::Inside;
use super::{NotRun, Order};
use crate::limits::{JOB_ENDS_WITHIN, JOB_OUTPUT_BYTES_MAX, JOB_RECORD_BYTES_MAX};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shidi_protocol::{Moment, RunId, SessionId};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Files of a job's folder.
pub(super) const RECORD: &str = "job.json";
pub(super) const LOCK: &str = "lock";
pub(super) const BEGINS: &str = "begins";
pub(super) const OLDER: &str = "older";
pub(super) const NEWER: &str = "newer";
/// There when something was cut out of what the job printed.
pub(super) const CUT: &str = "cut";
pub(super) const ENDED: &str = "ended.json";
/// There when the job is to end.
pub(super) const STOP: &str = "stop";
/// There when somebody was told that it has ended.
const TOLD: &str = "told";

/// What is known of a job from its beginning on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub id: String,
    pub session: SessionId,
    pub run: RunId,
    pub command: String,
    pub began: Moment,
}

/// Everything that its supervisor needs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) facts: Facts,
    pub(super) inside: Inside,
    pub(super) seconds: u64,
}

/// How a job came to its end, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub ended: Ended,
    pub at: Moment,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Running,
    Ended(End),
    /// Whoever supervised it is gone without a word: the machine went off, or somebody ended it.
    Lost,
}

/// A job by its folder.
#[derive(Debug, Clone)]
pub struct Job {
    folder: PathBuf,
    pub facts: Facts,
}

impl Job {
    /// Begins a job in a new folder below `jobs`; `program` is started as its supervisor.
    ///
    /// # Errors
    /// No walls can be built, or the disk or the system fails; nothing runs then.
    pub fn begin(jobs: &Path, facts: Facts, order: &Order, program: &Path) -> Result<Self, NotRun> {
        super::walls::checked(&order.inside).map_err(NotRun::NoWalls)?;
        let folder = jobs.join(&facts.id);
        let begun = make_private(&folder).and_then(|()| supervisor::start(&folder, &facts, order, program));
        match begun {
            Ok(()) => Ok(Self { folder, facts }),
            Err(cause) => {
                // What did not begin leaves nothing that looks like a job.
                fs::remove_dir_all(&folder).unwrap_or_default();
                Err(NotRun::Failed {
                    cause: cause.to_string(),
                })
            }
        }
    }

    /// The job of that folder; `None` where there is none.
    #[must_use]
    pub fn at(folder: &Path) -> Option<Self> {
        let record: Record = read(&folder.join(RECORD))?;
        Some(Self {
            folder: folder.to_owned(),
            facts: record.facts,
        })
    }

    #[must_use]
    pub fn standing(&self) -> Standing {
        if self.is_supervised() {
            return Standing::Running;
        }
        match read(&self.folder.join(ENDED)) {
            Some(end) => Standing::Ended(end),
            None => Standing::Lost,
        }
    }

    fn is_supervised(&self) -> bool {
        let lock = File::open(self.folder.join(LOCK));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Waits on this thread until nobody supervises it any more.
    pub fn wait(&self) {
        match File::open(self.folder.join(LOCK)).and_then(|lock| lock.lock_shared()) {
            // Without a lock nobody supervises it.
            Ok(()) | Err(_) => {}
        }
    }

    /// What it has printed so far, both streams as they came: the beginning and the end.
    #[must_use]
    pub fn output(&self) -> String {
        let mut kept = Kept::new(JOB_OUTPUT_BYTES_MAX * 4);
        let is_cut = self.folder.join(CUT).exists();
        kept.add(&bytes(&self.folder.join(BEGINS)));
        if is_cut {
            kept.add(b"\n[cut]\n");
        }
        kept.add(&bytes(&self.folder.join(OLDER)));
        kept.add(&bytes(&self.folder.join(NEWER)));
        kept.text()
    }

    /// Asks its supervisor to end it.
    ///
    /// # Errors
    /// The disk is full or its folder is gone.
    pub fn stop(&self) -> io::Result<()> {
        File::create(self.folder.join(STOP)).map(drop)
    }

    /// Ends it and erases everything of it. What of it doesn't end in time loses its folder, which ends it, too.
    ///
    /// # Errors
    /// A folder that can't be removed.
    pub fn erase(&self) -> io::Result<()> {
        if self.is_supervised() {
            // A folder that is gone meanwhile is what is wanted.
            self.stop().unwrap_or_default();
            let until = Instant::now() + JOB_ENDS_WITHIN;
            while self.is_supervised() && Instant::now() < until {
                std::thread::sleep(crate::limits::COMMAND_STOPPED_WITHIN);
            }
        }
        match fs::remove_dir_all(&self.folder) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Whether somebody was told that it has ended.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.folder.join(TOLD).exists()
    }

    /// Somebody was told. That it can't be written costs at most that it is told twice.
    pub fn tell(&self) {
        File::create(self.folder.join(TOLD)).map(drop).unwrap_or_default();
    }
}

/// All jobs below a folder, the oldest first.
#[must_use]
pub fn all(jobs: &Path) -> Vec<Job> {
    let Ok(entries) = fs::read_dir(jobs) else {
        return Vec::new();
    };
    let mut found: Vec<Job> = entries
        .flatten()
        .filter_map(|entry| Job::at(&entry.path()))
        .collect();
    found.sort_by(|one, other| (one.facts.began, &one.facts.id).cmp(&(other.facts.began, &other.facts.id)));
    found
}

pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let mut text = Vec::new();
    File::open(path)
        .ok()?
        .take(JOB_RECORD_BYTES_MAX)
        .read_to_end(&mut text)
        .ok()?;
    serde_json::from_slice(&text).ok()
}

/// Writes a file whole or not at all.
pub(super) fn write(folder: &Path, name: &str, value: &impl Serialize) -> io::Result<()> {
    let beside = folder.join(format!("{name}.new"));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&beside)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    file.sync_all()?;
    fs::rename(beside, folder.join(name))
}

fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let most = JOB_OUTPUT_BYTES_MAX as u64 * 2;
    match File::open(path).map(|file| file.take(most).read_to_end(&mut bytes)) {
        // What can't be read was not printed yet.
        Ok(_) | Err(_) => bytes,
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if let Some(parent) = folder.parent() {
        builder.recursive(true).create(parent)?;
    }
    builder.recursive(false).create(folder)
}
