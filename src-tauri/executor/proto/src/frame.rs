//! Frames: a length of four bytes, little-endian, then that many bytes of `postcard`.

use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

/// Bytes of one frame: room for a 10 MB result in a reply or a program's variables. Bounds the memory that a
/// broken worker can make the supervisor hold.
pub const MAX_FRAME_BYTES: usize = 32 << 20;
const HEADER_BYTES: usize = 4;
/// Bytes of buffer kept between messages; the memory of a rare larger message is returned.
const KEPT_BYTES: usize = 1 << 20;

/// Why bytes are no frame, or a message is too long for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameError {
    TooLong { bytes: usize },
    Malformed(String),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => write!(f, "A message of {bytes} bytes is over {MAX_FRAME_BYTES}"),
            Self::Malformed(why) => write!(f, "A message could not be read: {why}"),
        }
    }
}

impl std::error::Error for FrameError {}

/// Writes `message` as a frame into `out`, in place of earlier content.
pub(crate) fn encode<T: Serialize>(message: &T, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let mut frame = std::mem::take(out);
    frame.clear();
    frame.extend_from_slice(&[0; HEADER_BYTES]);
    let mut frame =
        postcard::to_extend(message, frame).map_err(|error| FrameError::Malformed(error.to_string()))?;
    let bytes = frame.len() - HEADER_BYTES;
    if bytes > MAX_FRAME_BYTES {
        return Err(FrameError::TooLong { bytes });
    }
    let length = u32::try_from(bytes).map_err(|_| FrameError::TooLong { bytes })?;
    frame[..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
    *out = frame;
    Ok(())
}

/// The arrived part of a frame, and the message once the frame is complete.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// The buffer, kept at its greatest length so far: a read need not clear memory again.
    bytes: Vec<u8>,
    /// Index at which the next frame starts.
    start: usize,
    /// Index at which the arrived bytes end.
    end: usize,
}

impl Inbox {
    /// The next complete message, if one has arrived.
    pub(crate) fn take<T: DeserializeOwned>(&mut self) -> Result<Option<T>, FrameError> {
        let Some((header, rest)) = self.bytes[self.start..self.end].split_first_chunk::<HEADER_BYTES>()
        else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*header) as usize;
        if length > MAX_FRAME_BYTES {
            return Err(FrameError::TooLong { bytes: length });
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let (message, left) =
            postcard::take_from_bytes::<T>(body).map_err(|error| FrameError::Malformed(error.to_string()))?;
        if !left.is_empty() {
            return Err(FrameError::Malformed("bytes are left over".to_owned()));
        }
        self.start += HEADER_BYTES + length;
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            if self.bytes.len() > KEPT_BYTES {
                self.bytes = Vec::new();
            }
        }
        Ok(Some(message))
    }

    /// Room for at least `bytes` more after the arrived bytes.
    pub(crate) fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() < self.end + bytes {
            self.bytes.resize(self.end + bytes, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// Counts `bytes` written into the room as arrived.
    pub(crate) fn arrived(&mut self, bytes: usize) {
        self.end = (self.end + bytes).min(self.bytes.len());
    }
}

#[cfg(test)]
mod tests;
