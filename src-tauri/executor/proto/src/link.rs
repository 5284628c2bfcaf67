//! The link between supervisor and worker: frames over two pipes.
//!
//! On Unix both sides spin for a moment before they sleep; elsewhere they block. Waking a sleeping process on
//! another core costs about 35 µs, several times a whole round trip.

#[cfg(not(unix))]
mod blocking;
#[cfg(unix)]
mod spinning;

#[cfg(not(unix))]
pub use blocking::Link;
#[cfg(unix)]
pub use spinning::Link;

use crate::FrameError;
use std::fmt;

/// Why a message could not be sent or received.
#[derive(Debug)]
pub enum LinkError {
    /// The other side is gone.
    Closed,
    /// The deadline passed.
    TimedOut,
    Frame(FrameError),
    System(std::io::Error),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("The other side of the link is gone"),
            Self::TimedOut => f.write_str("The other side of the link did not answer in time"),
            Self::Frame(error) => error.fmt(f),
            Self::System(error) => write!(f, "The link failed: {error}"),
        }
    }
}

impl std::error::Error for LinkError {}

impl From<FrameError> for LinkError {
    fn from(error: FrameError) -> Self {
        Self::Frame(error)
    }
}

impl From<std::io::Error> for LinkError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe
            | std::io::ErrorKind::UnexpectedEof
            | std::io::ErrorKind::ConnectionReset => Self::Closed,
            _ => Self::System(error),
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
