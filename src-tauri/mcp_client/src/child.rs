//! A server that is a child process. The child has a process group and environment of its own, and is killed
//! when its handle is dropped.

use crate::error::McpError;
use crate::limits::{LAST_WORDS_WAIT, STDERR_BYTES_MAX, STDERR_QUOTED_CHARACTERS};
use crate::log::{LineCutter, Log};
use crate::text::paragraph;
use parking_lot::Mutex;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use secrecy::{ExposeSecret, SecretString};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Variables that a child inherits: places of programs, homes and temporary files, the language, and the way to
/// the network. All others, keys above all, are withheld.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TERM",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // No program starts on Windows without these.
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
];

/// Process groups that are not known to have ended, by their leaders' ids.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A running child without its pipes. Dropping it kills its whole group.
pub struct Child {
    process: Box<dyn ChildWrapper>,
    group: Option<u32>,
    said: Said,
    /// Whoever carries its output and notes its end.
    carrying: Option<JoinHandle<()>>,
}

/// The pipes of a child that has just started.
pub struct Pipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
}

/// The end of a child's error output.
#[derive(Clone, Default)]
pub struct Said {
    kept: Arc<Mutex<Words>>,
    /// Cancelled when no more error output can come.
    ended: CancellationToken,
}

#[derive(Default)]
struct Words {
    bytes: VecDeque<u8>,
    /// Whether a part of the line at hand was of a session that leaves nothing. None of its bytes is told then.
    is_left_out: bool,
}

/// Starts a program as the leader of a group of processes.
///
/// # Errors
/// [`McpError::NotStarted`] when the system refuses.
pub fn start(
    program: &str,
    args: &[String],
    env: &BTreeMap<String, SecretString>,
    log: &Log,
) -> Result<(Child, Pipes), McpError> {
    let not_started = |cause: &std::io::Error| McpError::NotStarted {
        program: paragraph(program, STDERR_QUOTED_CHARACTERS),
        cause: cause.to_string(),
    };
    let mut command = Command::new(program);
    command.args(args).env_clear();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    for (name, value) in env {
        command.env(name, value.expose_secret());
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut command = CommandWrap::from(command);
    command.wrap(process_wrap::tokio::KillOnDrop);
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::tokio::JobObject);
    let mut process = command.spawn().map_err(|cause| not_started(&cause))?;
    let (input, output) = (process.stdin().take(), process.stdout().take());
    let (Some(input), Some(output)) = (input, output) else {
        return Err(not_started(&std::io::Error::other("it has no pipes")));
    };
    let said = Said::default();
    if let Some(errors) = process.stderr().take() {
        tokio::spawn(listen(errors, said.clone(), log.clone()));
    }
    let group = process.id();
    held_groups().extend(group);
    let child = Child {
        process,
        group,
        said,
        carrying: None,
    };
    Ok((child, Pipes { input, output }))
}

/// Kills every group that was started and not ended, for a process that exits without dropping its values.
pub fn kill_all() {
    for leader in std::mem::take(&mut *held_groups()) {
        kill(leader);
    }
}

#[cfg(unix)]
fn kill(leader: u32) {
    let group = i32::try_from(leader)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let Some(group) = group else { return };
    if let Err(cause) = rustix::process::kill_process_group(group, rustix::process::Signal::KILL) {
        tracing::debug!(%cause, "a server had ended before it could be killed");
    }
}

/// The system closes the job object together with our process, and ends the object's processes.
#[cfg(not(unix))]
fn kill(_: u32) {}

fn held_groups() -> parking_lot::MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock()
}

impl Child {
    pub fn said(&self) -> &Said {
        &self.said
    }

    pub fn set_carrying(&mut self, carrying: JoinHandle<()>) {
        self.carrying = Some(carrying);
    }

    /// Waits for the child's own end, at most `wait`, then ends its group.
    pub async fn end(mut self, wait: Duration) {
        let ended = tokio::time::timeout(wait, self.process.wait()).await;
        match ended {
            Ok(Ok(status)) => {
                tracing::debug!(%status, "a server ended");
                self.wait_for_note().await;
            }
            Ok(Err(cause)) => tracing::debug!(%cause, "the end of a server is not known"),
            Err(_) => tracing::debug!("a server did not end by itself and is killed"),
        }
    }

    /// Waits until its end is on record: whoever starts it anew notes that after it.
    async fn wait_for_note(&mut self) {
        let Some(carrying) = self.carrying.take() else {
            return;
        };
        if tokio::time::timeout(LAST_WORDS_WAIT * 2, carrying).await.is_err() {
            tracing::debug!("something still holds the output of a server that ended");
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // A group whose leader is gone may still have other processes.
        if let Err(cause) = self.process.start_kill() {
            tracing::debug!(%cause, "a server had ended before it could be killed");
        }
        if let Some(group) = self.group {
            held_groups().remove(&group);
        }
    }
}

impl Said {
    /// The child's last words after its end: its last output may still be on its way.
    pub async fn words_at_end(&self) -> String {
        self.wait_for_rest().await;
        self.last_words()
    }

    /// Waits a moment for the rest of the output of a child that has ended.
    pub async fn wait_for_rest(&self) {
        if tokio::time::timeout(LAST_WORDS_WAIT, self.ended.cancelled())
            .await
            .is_err()
        {
            tracing::debug!("something still holds the error output of a server that ended");
        }
    }

    /// The child's last words as one line; empty when it said nothing.
    pub fn last_words(&self) -> String {
        let kept: Vec<u8> = self.held().bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let mut words = String::new();
        // Whole lines from the end, as many as fit a sentence.
        for line in lines.iter().rev() {
            let line = paragraph(line, STDERR_QUOTED_CHARACTERS);
            if !words.is_empty() && words.chars().count() + line.chars().count() > STDERR_QUOTED_CHARACTERS {
                break;
            }
            words = if words.is_empty() {
                line
            } else {
                format!("{line} / {words}")
            };
        }
        words
    }

    /// All that is kept, line by line, without what a terminal or the eye would obey.
    pub fn log(&self) -> String {
        let kept: Vec<u8> = self.held().bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines
            .map(|line| paragraph(line, STDERR_QUOTED_CHARACTERS))
            .collect();
        lines.join("\n")
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = self.held();
        let bytes = match (kept.is_left_out, bytes.iter().position(|byte| *byte == b'\n')) {
            (false, _) => bytes,
            (true, None) => return,
            (true, Some(end)) => &bytes[end + 1..],
        };
        kept.is_left_out = false;
        kept.bytes.extend(bytes);
        let over = kept.bytes.len().saturating_sub(STDERR_BYTES_MAX);
        kept.bytes.drain(..over);
    }

    /// Leaves out what comes for a session that leaves nothing, and the lines that it is a part of.
    fn leave_out(&self, bytes: &[u8]) {
        let mut kept = self.held();
        let whole = kept.bytes.iter().rposition(|byte| *byte == b'\n');
        kept.bytes.truncate(whole.map_or(0, |end| end + 1));
        kept.is_left_out = bytes.last().is_some_and(|byte| *byte != b'\n');
    }

    fn held(&self) -> parking_lot::MutexGuard<'_, Words> {
        self.kept.lock()
    }
}

/// Reads until the error output is closed, so that no child blocks on a full pipe.
async fn listen(mut errors: ChildStderr, said: Said, log: Log) {
    let (mut buffer, mut lines) = ([0; 1024], LineCutter::default());
    while let Ok(count @ 1..) = errors.read(&mut buffer).await {
        // Last words are told in later failures, too.
        match log.is_hushed() {
            true => said.leave_out(&buffer[..count]),
            false => said.add(&buffer[..count]),
        }
        lines.take(&buffer[..count], &log);
    }
    lines.end(&log);
    said.ended.cancel();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_hold_no_line_that_came_in_part_for_a_session_that_leaves_nothing() {
        let said = Said::default();
        said.add(b"before\nbegun, ");
        said.leave_out(b"a secret\nanother ");
        said.leave_out(b"secret that goes");
        said.add(b" on");
        said.add(b" here\nafter\n");
        assert_eq!(said.last_words(), "before / after");
        said.leave_out(b"a whole secret\n");
        said.add(b"last");
        assert_eq!(said.log(), "before\nafter\nlast");
    }

    #[test]
    fn the_last_words_are_whole_lines_within_their_bound() {
        let said = Said::default();
        for number in 0..2_000 {
            said.add(format!("line {number} \u{1b}[31mred\n").as_bytes());
        }
        let words = said.last_words();
        assert!(words.ends_with("line 1999 [31mred"), "{words}");
        assert!(words.starts_with("line "), "{words}");
        assert!(words.chars().count() <= STDERR_QUOTED_CHARACTERS + 40, "{words}");
    }
}
