//! A link over two streams. A thread reads, so that a wait can have a deadline where pipes cannot be polled.

use super::LinkError;
use crate::frame::{self, Inbox};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

/// Bytes asked for in one read.
const READ_BYTES: usize = 64 << 10;
/// Reads that may be queued; the alternation of messages keeps their number near one.
const WAITING_READS: usize = 16;

/// One side of a link.
pub struct Link {
    reads: Receiver<Vec<u8>>,
    writer: Box<dyn Write + Send>,
    inbox: Inbox,
    outbox: Vec<u8>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}

impl Link {
    /// A link that reads from one stream and writes to the other.
    ///
    /// # Errors
    /// Never; the signature is that of the spinning link.
    pub fn new(
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
    ) -> Result<Self, LinkError> {
        let (sender, reads) = sync_channel(WAITING_READS);
        std::thread::spawn(move || forward(reader, &sender));
        Ok(Self {
            reads,
            writer: Box::new(writer),
            inbox: Inbox::default(),
            outbox: Vec::new(),
        })
    }

    /// Sends one message; the deadline is ignored here.
    ///
    /// # Errors
    /// When the message is too long for a frame, or the other side is gone.
    pub fn send<T: Serialize>(&mut self, message: &T, _deadline: Option<Instant>) -> Result<(), LinkError> {
        frame::encode(message, &mut self.outbox)?;
        self.writer.write_all(&self.outbox)?;
        self.writer.flush()?;
        Ok(())
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
            let read = match deadline {
                None => self.reads.recv().map_err(|_| LinkError::Closed)?,
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.reads.recv_timeout(left).map_err(|error| match error {
                        RecvTimeoutError::Timeout => LinkError::TimedOut,
                        RecvTimeoutError::Disconnected => LinkError::Closed,
                    })?
                }
            };
            self.inbox.room(read.len())[..read.len()].copy_from_slice(&read);
            self.inbox.arrived(read.len());
        }
    }
}

fn forward(mut reader: impl Read, sender: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(bytes) = reader.read(&mut buffer) {
        if bytes == 0 || sender.send(buffer[..bytes].to_vec()).is_err() {
            return;
        }
    }
}
