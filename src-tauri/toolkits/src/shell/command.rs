//! Runs one command in the sandbox to its end. The command ends by itself, by a limit, or because nobody wants it
//! any more.
//!
//! The caller waits here on a thread of its own. The sandbox ends with that thread, and everything in the sandbox
//! too.

use super::output::BoundedOutput;
use super::sandbox::{self, SandboxSpec, SandboxUnavailable};
use super::tree;
use super::way_out::WayOut;
use crate::limits::{
    COMMAND_ALL_MEMORY_BYTES_MAX, COMMAND_MEASURED_EVERY, COMMAND_PROCESSES_MAX, COMMAND_READ_BYTES,
};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Ended {
    /// The command ended by itself; a signal counts from 128 on, as in shells.
    Exited {
        code: i32,
    },
    TimedOut,
    /// The command exceeded its memory or its number of processes.
    OutOfMemory,
    TooManyProcesses,
    /// The command was stopped from outside.
    Stopped,
}

/// The stream that bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Errors,
}

/// The time that a command may take, and how often `is_wanted` is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) timeout: Duration,
    pub(crate) looked_at_every: Duration,
}

/// A message of a stream's reader.
enum StreamMessage {
    Bytes(Stream, Vec<u8>),
    Over,
}

/// Runs `text`, passes its output on, and asks `is_wanted` repeatedly whether to go on. Its connections end with it.
///
/// # Errors
/// No sandbox can be built; nothing ran.
pub(crate) fn run(
    text: &str,
    inside: &SandboxSpec,
    way_out: Option<&dyn WayOut>,
    pace: Pace,
    is_wanted: &dyn Fn() -> bool,
    take: &mut dyn FnMut(Stream, &[u8]),
) -> Result<Ended, SandboxUnavailable> {
    // Who serves its connections is dropped at the end, on every way out of here.
    let sandbox::Running {
        mut child,
        served: _served,
    } = sandbox::start(text, inside, way_out)?;
    let told = listen(&mut child);
    let deadline = Instant::now() + pace.timeout;
    let mut measured = Instant::now();
    let crowd = tree::crowd();
    let mut open = 2;
    let mut cause = None;
    while open > 0 {
        match told.recv_timeout(pace.looked_at_every) {
            Ok(StreamMessage::Bytes(stream, bytes)) => take(stream, &bytes),
            Ok(StreamMessage::Over) => open -= 1,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if cause.is_some() {
            continue;
        }
        cause = if !is_wanted() {
            Some(Ended::Stopped)
        } else if Instant::now() >= deadline {
            Some(Ended::TimedOut)
        } else if measured.elapsed() >= COMMAND_MEASURED_EVERY
            || tree::crowd() > crowd + COMMAND_PROCESSES_MAX
        {
            measured = Instant::now();
            outgrown(child.id())
        } else {
            None
        };
        if cause.is_some() {
            // A process that is gone already is just as good.
            child.kill().unwrap_or_default();
        }
    }
    let status = child.wait().ok();
    Ok(cause.unwrap_or_else(|| Ended::Exited {
        code: status.map_or(-1, code_of),
    }))
}

fn outgrown(child: u32) -> Option<Ended> {
    let size = tree::size(child);
    if size.processes > COMMAND_PROCESSES_MAX {
        return Some(Ended::TooManyProcesses);
    }
    (size.memory_bytes > COMMAND_ALL_MEMORY_BYTES_MAX).then_some(Ended::OutOfMemory)
}

#[cfg(unix)]
fn code_of(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .unwrap_or(-1)
}

#[cfg(not(unix))]
fn code_of(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// Reads both streams at once: a command blocks when one stream is full while only the other is read.
fn listen(child: &mut Child) -> mpsc::Receiver<StreamMessage> {
    let (sender, told) = mpsc::sync_channel(8);
    if let Some(output) = child.stdout.take() {
        let sender = sender.clone();
        std::thread::spawn(move || read(output, Stream::Output, &sender));
    }
    if let Some(errors) = child.stderr.take() {
        std::thread::spawn(move || read(errors, Stream::Errors, &sender));
    }
    told
}

fn read(mut from: impl Read, stream: Stream, sender: &SyncSender<StreamMessage>) {
    let mut buffer = vec![0; COMMAND_READ_BYTES];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                if sender.send(StreamMessage::Bytes(stream, bytes)).is_err() {
                    return;
                }
            }
            Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // The receiver is gone when the command was given up.
    sender.send(StreamMessage::Over).unwrap_or_default();
}

/// Both streams of a command, each kept within its bound.
#[derive(Debug)]
pub(crate) struct Streams {
    output: BoundedOutput,
    errors: BoundedOutput,
}

impl Streams {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            output: BoundedOutput::new(most),
            errors: BoundedOutput::new(most),
        }
    }

    pub(crate) fn take(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output => self.output.add(bytes),
            Stream::Errors => self.errors.add(bytes),
        }
    }

    pub(crate) fn texts(self) -> (String, String) {
        (self.output.text(), self.errors.text())
    }
}
