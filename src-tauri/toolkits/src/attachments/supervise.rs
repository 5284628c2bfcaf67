//! Starts a reader, takes its frames, and ends a reader that takes too long. Every end of a reader becomes a
//! sentence.

use super::frame::Frame;
use super::reader::FLAG;
use crate::limits::{READER_ERRORS_BYTES, READER_LINE_BYTES_MAX, READER_SECONDS};
use parking_lot::Mutex;
use shidi_protocol::{Framed, Framing, Unreadable};
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How a reader ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The reader has read everything, or up to its bounds.
    Read {
        cut: bool,
    },
    Refused {
        reason: Unreadable,
        detail: String,
    },
}

impl Ended {
    fn refused(reason: Unreadable, detail: impl Into<String>) -> Self {
        Self::Refused {
            reason,
            detail: detail.into(),
        }
    }
}

/// Starts `program` as the reader of `file`, whose name ends with `ending`, and passes every frame to `take`.
pub(crate) fn supervise(
    program: &Path,
    file: File,
    ending: &str,
    take: &mut dyn FnMut(Frame) -> ControlFlow<()>,
) -> Ended {
    let started = Command::new(program)
        .args([FLAG, ending])
        .env_clear()
        .stdin(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Ended::refused(Unreadable::NoReader, format!("{}: {error}", program.display())),
    };
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let (Some(output), Some(errors)) = (output, errors) else {
        return Ended::refused(Unreadable::Failed, "the reader has no output");
    };
    let child = Arc::new(Mutex::new(child));
    let deadline = Deadline::start(&child);
    let told = listen(output, take);
    let in_time = deadline.stop();
    let status = end(&child);
    let mut words = String::new();
    if let Err(error) = errors.take(READER_ERRORS_BYTES).read_to_string(&mut words) {
        words = error.to_string();
    }
    match told {
        Some(ended) => ended,
        None if !in_time => Ended::refused(Unreadable::TimedOut, format!("more than {READER_SECONDS} s")),
        None => cause(status, &words),
    }
}

/// Ends the reader when its time is over, unless the deadline is stopped before.
struct Deadline {
    stop: mpsc::Sender<()>,
    watch: std::thread::JoinHandle<bool>,
}

impl Deadline {
    fn start(child: &Arc<Mutex<Child>>) -> Self {
        let (stop, stopped) = mpsc::channel::<()>();
        let child = Arc::clone(child);
        let watch =
            std::thread::spawn(
                move || match stopped.recv_timeout(Duration::from_secs(READER_SECONDS)) {
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
                    Err(RecvTimeoutError::Timeout) => {
                        kill(&child);
                        false
                    }
                },
            );
        Self { stop, watch }
    }

    /// Whether the reader was done in time.
    fn stop(self) -> bool {
        drop(self.stop);
        self.watch.join().unwrap_or(true)
    }
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock();
    // A child that is gone already is just as good.
    child.kill().unwrap_or_default();
}

/// Ends the reader after its last frame, and returns its status.
fn end(child: &Mutex<Child>) -> Option<ExitStatus> {
    kill_if_at_work(child);
    let mut child = child.lock();
    child.wait().ok()
}

/// Kills a reader that still works. A reader that closed its output ends by itself very soon; one stopped
/// half-way does not.
fn kill_if_at_work(child: &Mutex<Child>) {
    for _ in 0..50 {
        let mut held = child.lock();
        if held.try_wait().is_ok_and(|status| status.is_some()) {
            return;
        }
        drop(held);
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(child);
}

/// Passes frames on until the last one; `None` when the reader ended without a last frame.
fn listen(output: ChildStdout, take: &mut dyn FnMut(Frame) -> ControlFlow<()>) -> Option<Ended> {
    let mut lines = BufReader::new(output);
    let mut framing = Framing::new(READER_LINE_BYTES_MAX);
    loop {
        // Its own frames are sound: whatever is none comes from another program, or an older one.
        let frame = match framing.read(&mut lines).ok()? {
            None => return None,
            Some(Framed::Line(line)) => serde_json::from_slice(&line).ok(),
            Some(Framed::TooLong(_)) => None,
        };
        match frame {
            Some(Frame::End { cut }) => return Some(Ended::Read { cut }),
            Some(Frame::Refused { reason, detail }) => return Some(Ended::Refused { reason, detail }),
            Some(frame) => {
                if take(frame).is_break() {
                    return Some(Ended::Read { cut: true });
                }
            }
            None => return Some(Ended::refused(Unreadable::NoReader, "it answers in another way")),
        }
    }
}

/// Why a reader died, by its status and its last words.
fn cause(status: Option<ExitStatus>, words: &str) -> Ended {
    if words.contains("memory allocation") {
        return Ended::refused(Unreadable::Huge, "it needs too much memory");
    }
    if words.contains("overflowed its stack") {
        return Ended::refused(Unreadable::Broken, "it is nested too deeply");
    }
    if ran_out_of_time(status) {
        return Ended::refused(Unreadable::TimedOut, "too much work");
    }
    let status = status.map_or_else(|| "unknown".to_owned(), |status| status.to_string());
    Ended::refused(Unreadable::Broken, format!("the reader ended: {status}"))
}

#[cfg(unix)]
fn ran_out_of_time(status: Option<ExitStatus>) -> bool {
    use std::os::unix::process::ExitStatusExt;
    matches!(
        status.and_then(|status| status.signal()),
        Some(libc::SIGXCPU | libc::SIGKILL)
    )
}

#[cfg(not(unix))]
fn ran_out_of_time(_status: Option<ExitStatus>) -> bool {
    false
}
