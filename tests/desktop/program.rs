//! A program under observation: started, weighed with all its children, ended.
//!
//! It ends only what it started.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time between two weighings; a program has settled when both agree.
const SETTLE: Duration = Duration::from_secs(2);
/// Weighings at most.
const WEIGHINGS_MAX: u32 = 10;
/// Two weighings agree when they differ by less than this share.
const AGREE: f64 = 0.005;

pub struct Program {
    child: Child,
    pub started: Instant,
}

/// What a program with all its children costs.
#[derive(Debug, Clone, Default)]
pub struct Weight {
    /// Proportional set size of all processes, in MB.
    pub total_mb: f64,
    /// The same, process by process.
    pub parts: Vec<(String, f64)>,
}

impl Program {
    /// Starts a program with its data in `folder`.
    ///
    /// # Errors
    /// It doesn't start.
    pub fn start(program: &Path, arguments: &[&str], folder: &Path) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).env("SHIDI_DATA_DIR", folder);
        Self::spawn(command)
    }

    /// Starts what a command describes.
    ///
    /// # Errors
    /// It doesn't start.
    pub fn spawn(mut command: Command) -> std::io::Result<Self> {
        let started = Instant::now();
        let child = command
            .env("LANG", "C.UTF-8")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .spawn()?;
        Ok(Self { child, started })
    }

    /// Asks it to end, as the end of a session does.
    ///
    /// # Errors
    /// `kill` doesn't start.
    pub fn ask_to_end(&self) -> std::io::Result<()> {
        Command::new("kill")
            .arg("-TERM")
            .arg(self.child.id().to_string())
            .status()
            .map(drop)
    }

    /// Waits for the end; `None` when it doesn't come within `limit`.
    ///
    /// # Errors
    /// The process is not ours.
    pub fn await_end(&mut self, limit: Duration) -> std::io::Result<Option<i32>> {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status.code().unwrap_or(-1)));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(None)
    }

    /// Weighs it until two weighings agree.
    #[must_use]
    pub fn settled_weight(&self) -> Weight {
        let mut last = self.weight();
        for _ in 0..WEIGHINGS_MAX {
            std::thread::sleep(SETTLE);
            let next = self.weight();
            if (next.total_mb - last.total_mb).abs() < AGREE * last.total_mb {
                return next;
            }
            last = next;
        }
        last
    }

    /// Processor time that it and its children have used.
    #[must_use]
    pub fn processor_time(&self) -> Duration {
        let ticks: u64 = self.tree().into_iter().filter_map(ticks_of).sum();
        Duration::from_millis(ticks * 10)
    }

    /// One of its processes by its name.
    #[must_use]
    pub fn process_named(&self, name: &str) -> Option<u32> {
        self.tree()
            .into_iter()
            .find(|id| name_of(*id).as_deref() == Some(name))
    }

    fn weight(&self) -> Weight {
        let mut parts: Vec<(String, f64)> = self
            .tree()
            .into_iter()
            .filter_map(|id| Some((name_of(id)?, pss_mb(id)?)))
            .collect();
        parts.sort_by(|one, other| other.1.total_cmp(&one.1));
        Weight {
            total_mb: parts.iter().map(|part| part.1).sum(),
            parts,
        }
    }

    /// The program and everything below it.
    fn tree(&self) -> Vec<u32> {
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for id in process_ids() {
            if let Some(parent) = parent_of(id) {
                children.entry(parent).or_default().push(id);
            }
        }
        let mut tree = vec![self.child.id()];
        let mut at = 0;
        while let Some(id) = tree.get(at) {
            tree.extend(children.remove(id).unwrap_or_default());
            at += 1;
        }
        tree
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The program first: the window library aborts it when a page's process dies before it has told its number.
        for id in self.tree() {
            // One that has ended by itself is as good.
            if let Err(error) = Command::new("kill")
                .arg("-9")
                .arg(id.to_string())
                .stderr(Stdio::null())
                .status()
            {
                eprintln!("kill did not start: {error}");
            }
        }
        if let Err(error) = self.child.wait() {
            eprintln!("The program could not be awaited: {error}");
        }
    }
}

/// Where cargo put a program: beside the running test.
///
/// # Errors
/// It has not been built.
pub fn built(name: &str) -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = here.ancestors().find(|folder| folder.join(name).is_file());
    folder
        .map(|folder| folder.join(name))
        .ok_or_else(|| format!("{name} is not built: cargo build -p shidi-desktop -p shidi-test-windows"))
}

fn process_ids() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

fn parent_of(id: u32) -> Option<u32> {
    stat_of(id)?.get(1)?.parse().ok()
}

fn ticks_of(id: u32) -> Option<u64> {
    let stat = stat_of(id)?;
    let user: u64 = stat.get(11)?.parse().ok()?;
    let system: u64 = stat.get(12)?.parse().ok()?;
    Some(user + system)
}

/// The fields of `/proc/ID/stat` after the name, which may hold anything.
fn stat_of(id: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

fn name_of(id: u32) -> Option<String> {
    let path = std::fs::read_link(format!("/proc/{id}/exe")).ok()?;
    path.file_name().and_then(OsStr::to_str).map(str::to_owned)
}

fn pss_mb(id: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = text.lines().find(|line| line.starts_with("Pss:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
