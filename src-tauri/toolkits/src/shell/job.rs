//! Background jobs on the disk: a folder each, which tells the job's state by itself (F8.6).
//!
//! A job's supervisor holds the lock of its folder. So nobody needs a process number, which another process may
//! have by now, and a restart changes no answer. The supervisor inherits the lock already taken: at no moment
//! does a job that has begun look lost.

use super::command::Ended;
use super::output::BoundedOutput;
use super::sandbox::SandboxSpec;
use super::supervisor;
use super::{NotRun, Order};
use crate::limits::{JOB_CONNECTIONS_BYTES_MAX, JOB_ENDS_WITHIN, JOB_OUTPUT_BYTES_MAX, JOB_RECORD_BYTES_MAX};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shidi_protocol::{Moment, RunId, SessionId};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Files of a job's folder.
pub(super) const RECORD: &str = "job.json";
pub(super) const LOCK: &str = "lock";
pub(super) const BEGINS: &str = "begins";
pub(super) const OLDER: &str = "older";
pub(super) const NEWER: &str = "newer";
/// The file that exists when some of the job's output was cut.
pub(super) const CUT: &str = "cut";
pub(super) const ENDED: &str = "ended.json";
/// The file that exists when the job is to end.
pub(super) const STOP: &str = "stop";
/// The file that exists when somebody was told of the job's end.
const TOLD: &str = "told";
/// What became of the job's connections, and how many of the lines were told of.
const CONNECTIONS: &str = "connections";
const CONNECTIONS_TOLD: &str = "connections-told";

/// Facts of a job that are known from its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub id: String,
    pub session: SessionId,
    pub run: RunId,
    pub command: String,
    pub began: Moment,
    /// What it may reach; nothing where the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<AllowedHost>,
}

/// A host that a job may reach, as it was decided on before the job began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedHost {
    /// In the spelling of permissions.
    pub host: String,
    /// Whether it was allowed as one of this computer or its network.
    #[serde(default)]
    pub local: bool,
}

/// Who supervises a job.
#[derive(Debug, Clone, Copy)]
pub struct Supervision<'a> {
    /// A program that calls [`crate::work_as_child`] first.
    pub program: &'a Path,
    /// The proxy of the user's settings. The proxy's address may hold a password, and is never written down.
    pub proxy: &'a str,
}

/// Everything that a job's supervisor needs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) facts: Facts,
    pub(super) inside: SandboxSpec,
    pub(super) seconds: u64,
}

/// How and when a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub ended: Ended,
    pub at: Moment,
}

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Running,
    Ended(End),
    /// The supervisor is gone without a record of the end: the machine went off, or the supervisor was killed.
    Lost,
}

/// A job by its folder.
#[derive(Debug, Clone)]
pub struct Job {
    folder: PathBuf,
    pub facts: Facts,
}

impl Job {
    /// Begins a job in a new folder below `jobs`, with a supervisor of its own.
    ///
    /// # Errors
    /// No sandbox can be built, or the disk or the system fails; nothing runs then.
    pub fn begin(
        jobs: &Path,
        facts: Facts,
        order: &Order,
        supervision: Supervision<'_>,
    ) -> Result<Self, NotRun> {
        super::sandbox::checked(&order.inside).map_err(NotRun::SandboxUnavailable)?;
        let folder = jobs.join(&facts.id);
        let begun =
            make_private(&folder).and_then(|()| supervisor::start(&folder, &facts, order, supervision));
        match begun {
            Ok(()) => Ok(Self { folder, facts }),
            Err(cause) => {
                // A job that did not begin leaves no folder.
                fs::remove_dir_all(&folder).unwrap_or_default();
                Err(NotRun::Failed {
                    cause: cause.to_string(),
                })
            }
        }
    }

    /// The job of `folder`; `None` where there is none.
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

    /// Waits on this thread until the job has no supervisor.
    pub fn wait(&self) {
        match File::open(self.folder.join(LOCK)).and_then(|lock| lock.lock_shared()) {
            // A job without a lock has no supervisor.
            Ok(()) | Err(_) => {}
        }
    }

    /// The job's output so far, both streams in their order: the beginning and the end.
    #[must_use]
    pub fn output(&self) -> String {
        let mut kept = BoundedOutput::new(JOB_OUTPUT_BYTES_MAX * 4);
        let is_cut = self.folder.join(CUT).exists();
        kept.add(&bytes(&self.folder.join(BEGINS)));
        if is_cut {
            kept.add(b"\n[cut]\n");
        }
        kept.add(&bytes(&self.folder.join(OLDER)));
        kept.add(&bytes(&self.folder.join(NEWER)));
        kept.text()
    }

    /// The end of the job's output so far, at most `bytes_max` bytes, from the beginning of a line.
    #[must_use]
    pub fn last_output(&self, bytes_max: usize) -> String {
        let (mut end, mut is_whole) = (Vec::new(), true);
        for name in [NEWER, OLDER, BEGINS] {
            let before = end_of(&self.folder.join(name), bytes_max - end.len());
            is_whole &= before.is_whole;
            end = [before.bytes, end].concat();
            if end.len() >= bytes_max || !is_whole {
                break;
            }
        }
        let mut kept = BoundedOutput::new(bytes_max * 2);
        kept.add(if is_whole { &end } else { from_a_line_on(&end) });
        kept.text()
    }

    /// Asks the supervisor to end the job.
    ///
    /// # Errors
    /// The disk is full, or the job's folder is gone.
    pub fn stop(&self) -> io::Result<()> {
        File::create(self.folder.join(STOP)).map(drop)
    }

    /// Ends the job and erases its folder. A job that doesn't end in time loses its folder, and ends by that.
    ///
    /// # Errors
    /// A folder that can't be removed.
    pub fn erase(&self) -> io::Result<()> {
        if self.is_supervised() {
            // A folder that is gone already is just as good.
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

    /// Writes down what became of a connection: one line, within a bound.
    ///
    /// # Errors
    /// The bound is reached, the disk is full, or the folder is gone.
    pub fn note_connection(&self, line: &str) -> io::Result<()> {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(self.folder.join(CONNECTIONS))?;
        let size = file.metadata()?.len() + line.len() as u64;
        if size >= JOB_CONNECTIONS_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        file.write_all(format!("{line}\n").as_bytes())
    }

    /// What became of the job's connections so far, a line for each.
    #[must_use]
    pub fn connections(&self) -> String {
        let mut bytes = Vec::new();
        let file = File::open(self.folder.join(CONNECTIONS));
        match file.map(|file| file.take(JOB_CONNECTIONS_BYTES_MAX).read_to_end(&mut bytes)) {
            // A job without such a file has reached nobody.
            Ok(_) | Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// How many lines of [`Job::connections`] were told of.
    #[must_use]
    pub fn connections_told(&self) -> usize {
        read(&self.folder.join(CONNECTIONS_TOLD)).unwrap_or_default()
    }

    /// Notes how many were told of. If the note can't be written, they are told twice.
    pub fn tell_connections(&self, lines: usize) {
        write(&self.folder, CONNECTIONS_TOLD, &lines).unwrap_or_default();
    }

    /// Whether somebody was told that the job has ended.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.folder.join(TOLD).exists()
    }

    /// Notes that somebody was told of the end. If the note can't be written, the end is told twice at most.
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

/// Writes a file, complete or not at all.
pub(super) fn write(folder: &Path, name: &str, value: &impl Serialize) -> io::Result<()> {
    shidi_atomic_write::write(&folder.join(name), &serde_json::to_vec(value)?)
}

fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let most = JOB_OUTPUT_BYTES_MAX as u64 * 2;
    match File::open(path).map(|file| file.take(most).read_to_end(&mut bytes)) {
        // An unreadable output counts as not printed yet.
        Ok(_) | Err(_) => bytes,
    }
}

/// The end of a file.
struct EndOf {
    bytes: Vec<u8>,
    /// Whether the bytes are the whole file.
    is_whole: bool,
}

fn end_of(path: &Path, bytes_max: usize) -> EndOf {
    let read = || -> io::Result<EndOf> {
        let mut file = File::open(path)?;
        let most = bytes_max as u64;
        let from = file.metadata()?.len().saturating_sub(most);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        let is_whole = from == 0;
        Ok(EndOf { bytes, is_whole })
    };
    // An unreadable output counts as not printed yet.
    read().unwrap_or(EndOf {
        bytes: Vec::new(),
        is_whole: true,
    })
}

/// The bytes without a first line whose beginning is missing. A single line only loses its first, cut character.
fn from_a_line_on(bytes: &[u8]) -> &[u8] {
    /// Most bytes of a UTF-8 character after its first.
    const FOLLOWING_MAX: usize = 3;
    let line = bytes.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
    let cut = || {
        let head = bytes.iter().take(FOLLOWING_MAX);
        head.take_while(|byte| **byte & 0xc0 == 0x80).count()
    };
    let from = line.filter(|from| *from < bytes.len()).unwrap_or_else(cut);
    &bytes[from..]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn job(folder: &Path) -> Job {
        Job {
            folder: folder.to_owned(),
            facts: Facts {
                id: "job-1".to_owned(),
                session: SessionId::from("s"),
                run: RunId::from("r"),
                command: "make".to_owned(),
                began: Moment(1),
                hosts: Vec::new(),
            },
        }
    }

    #[test]
    fn the_end_of_the_output_is_had_without_the_rest_and_begins_with_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path());
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(job.last_output(100), "");
        put(BEGINS, "一\n二\n三\n");
        assert_eq!(job.last_output(100), "一\n二\n三\n");
        assert_eq!(job.last_output(9), "二\n三\n");
        put(OLDER, "four\nfive\n");
        put(NEWER, "six\n");
        assert_eq!(job.last_output(8), "six\n");
        assert_eq!(job.last_output(11), "five\nsix\n");
        assert!(job.last_output(100).starts_with("一\n"));
        put(NEWER, &"长".repeat(100));
        assert_eq!(job.last_output(10), "长长长");
    }

    #[test]
    fn what_became_of_connections_is_written_down_line_by_line_within_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let job = job(folder.path());
        assert_eq!((job.connections(), job.connections_told()), (String::new(), 0));
        job.note_connection("one").unwrap();
        job.note_connection("two").unwrap();
        job.tell_connections(2);
        assert_eq!(
            (job.connections().as_str(), job.connections_told()),
            ("one\ntwo\n", 2)
        );
        let long = "x".repeat(usize::try_from(JOB_CONNECTIONS_BYTES_MAX).unwrap());
        assert!(job.note_connection(&long).is_err());
        assert_eq!(job.connections(), "one\ntwo\n");
    }

    #[test]
    fn a_job_of_an_earlier_version_may_reach_nobody() {
        let old =
            r#"{"id":"job-1","session":"s","run":"r","command":"make","began":"1970-01-01T00:00:00.001Z"}"#;
        let facts: Facts = serde_json::from_str(old).unwrap();
        assert_eq!(facts.hosts, []);
    }
}
