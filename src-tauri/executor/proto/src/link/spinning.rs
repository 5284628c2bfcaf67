//! A link over two non-blocking descriptors, with an adaptive spin.

use super::LinkError;
use crate::frame::{self, Inbox};
use serde::{Serialize, de::DeserializeOwned};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// How long a side looks for an answer before it sleeps: a bridge call usually returns within this time.
const SPIN: Duration = Duration::from_micros(20);
/// The score at which a side starts, and the highest score.
const FIRST_SCORE: i32 = 4;
const HIGHEST_SCORE: i32 = 8;
const LOWEST_SCORE: i32 = -2;
/// Waits without a spin after which one spin is tried again.
const PROBE_EVERY: u32 = 64;
/// Bytes asked for in one read: the size of a pipe's buffer.
const READ_BYTES: usize = 64 << 10;

/// One side of a link.
#[derive(Debug)]
pub struct Link {
    reader: File,
    writer: File,
    inbox: Inbox,
    outbox: Vec<u8>,
    spin: Spin,
}

/// Keeps score whether spinning has paid off lately. On a busy machine spinning does not pay, so no side spins.
#[derive(Debug)]
struct Spin {
    score: i32,
    waits_without: u32,
}

impl Link {
    /// A link that reads from one descriptor and writes to the other; both become non-blocking.
    ///
    /// # Errors
    /// When a descriptor cannot be made non-blocking.
    pub fn new(reader: OwnedFd, writer: OwnedFd) -> Result<Self, LinkError> {
        set_non_blocking(&reader)?;
        set_non_blocking(&writer)?;
        Ok(Self {
            reader: File::from(reader),
            writer: File::from(writer),
            inbox: Inbox::default(),
            outbox: Vec::new(),
            spin: Spin {
                score: FIRST_SCORE,
                waits_without: 0,
            },
        })
    }

    /// Sends one message.
    ///
    /// # Errors
    /// When the message is too long for a frame, the other side is gone, or the other side reads nothing until
    /// the deadline.
    pub fn send<T: Serialize>(&mut self, message: &T, deadline: Option<Instant>) -> Result<(), LinkError> {
        let mut outbox = std::mem::take(&mut self.outbox);
        let sent = frame::encode(message, &mut outbox).map_err(LinkError::from);
        let sent = sent.and_then(|()| self.write(&outbox, deadline));
        self.outbox = outbox;
        sent
    }

    /// Receives one message.
    ///
    /// # Errors
    /// When the other side is gone, sends no valid message, or sends no complete one until the deadline.
    pub fn receive<T: DeserializeOwned>(&mut self, deadline: Option<Instant>) -> Result<T, LinkError> {
        loop {
            if let Some(message) = self.inbox.take()? {
                return Ok(message);
            }
            self.fill(deadline)?;
        }
    }

    fn write(&mut self, mut bytes: &[u8], deadline: Option<Instant>) -> Result<(), LinkError> {
        while !bytes.is_empty() {
            match self.writer.write(bytes) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(written) => bytes = &bytes[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wait(&self.writer, libc::POLLOUT, deadline)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn fill(&mut self, deadline: Option<Instant>) -> Result<(), LinkError> {
        let spinning_since = self.spin.begins();
        let mut slept = false;
        loop {
            match self.reader.read(self.inbox.room(READ_BYTES)) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(bytes) => {
                    self.inbox.arrived(bytes);
                    if spinning_since.is_some() {
                        self.spin.ended(slept);
                    }
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if spinning_since.is_none_or(|since| since.elapsed() >= SPIN) {
                        slept = true;
                        wait(&self.reader, libc::POLLIN, deadline)?;
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Spin {
    /// The moment at which a spin begins; `None` if this wait does not spin.
    fn begins(&mut self) -> Option<Instant> {
        if self.score > 0 || self.waits_without >= PROBE_EVERY {
            self.waits_without = 0;
            return Some(Instant::now());
        }
        self.waits_without += 1;
        None
    }

    fn ended(&mut self, slept: bool) {
        self.score = if slept {
            (self.score - 2).max(LOWEST_SCORE)
        } else {
            (self.score + 1).clamp(1, HIGHEST_SCORE)
        };
    }
}

fn set_non_blocking(descriptor: &OwnedFd) -> Result<(), LinkError> {
    // SAFETY: fcntl on an owned, open descriptor reads and writes only its flags.
    let set = unsafe {
        let flags = libc::fcntl(descriptor.as_raw_fd(), libc::F_GETFL);
        flags >= 0 && libc::fcntl(descriptor.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK) >= 0
    };
    if set {
        Ok(())
    } else {
        Err(LinkError::System(std::io::Error::last_os_error()))
    }
}

/// Sleeps until the descriptor is ready.
fn wait(descriptor: &File, events: libc::c_short, deadline: Option<Instant>) -> Result<(), LinkError> {
    let timeout_ms = match deadline {
        None => -1,
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(LinkError::TimedOut);
            }
            libc::c_int::try_from(left.as_millis().saturating_add(1)).unwrap_or(libc::c_int::MAX)
        }
    };
    let descriptor: BorrowedFd<'_> = std::os::fd::AsFd::as_fd(descriptor);
    let mut poll = libc::pollfd {
        fd: descriptor.as_raw_fd(),
        events,
        revents: 0,
    };
    // SAFETY: `poll` points to one pollfd that lives through the call.
    let ready = unsafe { libc::poll(&raw mut poll, 1, timeout_ms) };
    if ready < 0 {
        let error = std::io::Error::last_os_error();
        return if error.kind() == ErrorKind::Interrupted {
            Ok(())
        } else {
            Err(LinkError::System(error))
        };
    }
    Ok(())
}
