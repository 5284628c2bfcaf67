//! The supervisor of a job: this very program, started with [`FLAG`] and the job's folder. The supervisor has a
//! process group of its own.
//!
//! The supervisor outlives the program that began the job and holds the folder's lock as its standard input. The
//! supervisor writes down the job's output within bounds, and at last how the job ended. The job ends with its
//! supervisor, and so does its way to the network.

use super::Order;
use super::command::{self, Ended, Stream};
use super::job::{self, End, Facts, Job, Record, Supervision};
use super::sandbox::SandboxUnavailable;
use super::way_out::WayOut;
use crate::limits::{JOB_LOOKED_AT_EVERY, JOB_OUTPUT_BYTES_MAX};
use shidi_protocol::Moment;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// The first argument that makes the program a supervisor; the second is the folder of the job.
const FLAG: &str = "--supervise-job";

/// Where a supervisor finds the proxy of the user's settings.
pub const PROXY: &str = "SHIDI_JOB_PROXY";

/// What names the proxy of the user's surroundings. A supervisor has nothing else of them.
const SURROUNDINGS: [&str; 8] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

/// Supervises a job if the program was started for that; `None` otherwise. Must be called before anything else
/// in `main`. `way_out` serves the connections of a job that may reach a host.
#[must_use]
pub fn run_if_asked(way_out: impl Fn(&Job) -> Box<dyn WayOut>) -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == OsStr::new(FLAG)).then(|| match arguments.next().map(PathBuf::from) {
        Some(folder) => supervise(&folder, way_out),
        None => ExitCode::FAILURE,
    })
}

/// Starts the supervisor of a job; it holds the lock before anybody can look.
pub(super) fn start(
    folder: &Path,
    facts: &Facts,
    order: &Order,
    supervision: Supervision<'_>,
) -> io::Result<()> {
    let lock = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(folder.join(job::LOCK))?;
    lock.lock()?;
    let record = Record {
        facts: facts.clone(),
        inside: order.inside.clone(),
        seconds: order.timeout.as_secs(),
    };
    job::write(folder, job::RECORD, &record)?;
    let mut command = Command::new(supervision.program);
    command.args([OsStr::new(FLAG), folder.as_os_str()]).env_clear();
    let mut names = vec!["PATH", "LANG"];
    if !facts.hosts.is_empty() {
        command.env(PROXY, supervision.proxy);
        names.extend(SURROUNDINGS);
    }
    for name in names {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .current_dir("/")
        .stdin(lock)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    // This thread waits for the child as long as the program runs; afterwards the system does.
    std::thread::spawn(move || child.wait().map(drop).unwrap_or_default());
    Ok(())
}

fn supervise(folder: &Path, way_out: impl Fn(&Job) -> Box<dyn WayOut>) -> ExitCode {
    let Some(record) = job::read::<Record>(&folder.join(job::RECORD)) else {
        return ExitCode::FAILURE;
    };
    let job = Job::at(folder).filter(|job| !job.facts.hosts.is_empty());
    let way_out = job.as_ref().map(way_out);
    let mut output = match Output::begin(folder) {
        Ok(output) => output,
        Err(_) => return ExitCode::FAILURE,
    };
    // The folder is gone when its session was deleted.
    let is_wanted = || !folder.join(job::STOP).exists() && folder.join(job::RECORD).exists();
    let pace = command::Pace {
        timeout: Duration::from_secs(record.seconds),
        looked_at_every: JOB_LOOKED_AT_EVERY,
    };
    let mut take = |_: Stream, bytes: &[u8]| output.add(bytes);
    let ended = match command::run(
        &record.facts.command,
        &record.inside,
        way_out.as_deref(),
        pace,
        &is_wanted,
        &mut take,
    ) {
        Ok(ended) => ended,
        Err(cause) => {
            output.add(said(&cause).as_bytes());
            Ended::Exited { code: 126 }
        }
    };
    let at = Moment::from(jiff::Timestamp::now());
    match job::write(folder, job::ENDED, &End { ended, at }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn said(cause: &SandboxUnavailable) -> String {
    match cause {
        SandboxUnavailable::Refused { cause } => cause.clone(),
        SandboxUnavailable::System | SandboxUnavailable::Missing => "bubblewrap is missing".to_owned(),
    }
}

/// A job's output, within three times a bound: its beginning, and its end in two files that take turns.
struct Output {
    folder: PathBuf,
    begins: File,
    begun: usize,
    newer: File,
    new: usize,
}

impl Output {
    fn begin(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            begins: File::create(folder.join(job::BEGINS))?,
            begun: 0,
            newer: File::create(folder.join(job::NEWER))?,
            new: 0,
        })
    }

    /// Writes as much as the bounds allow; a full disk costs output, not the job.
    fn add(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(JOB_OUTPUT_BYTES_MAX.saturating_sub(self.begun)));
        self.begun += first.len();
        self.begins.write_all(first).unwrap_or_default();
        if self.new + rest.len() > JOB_OUTPUT_BYTES_MAX {
            self.turn().unwrap_or_default();
        }
        self.new += rest.len();
        self.newer.write_all(rest).unwrap_or_default();
    }

    fn turn(&mut self) -> io::Result<()> {
        let (older, newer) = (self.folder.join(job::OLDER), self.folder.join(job::NEWER));
        if older.exists() {
            File::create(self.folder.join(job::CUT))?;
        }
        fs::rename(&newer, older)?;
        self.newer = File::create(newer)?;
        self.new = 0;
        Ok(())
    }
}
