//! The one way in: a connection to the runtime of a data folder, in this process or over its socket.
//!
//! Whoever opens a folder first holds its lock and becomes its runtime; a second program becomes a client and
//! sees the same replies. Callers can't tell the difference.

use shidi_protocol::{DesktopSignal, Reply, Request, UserError};
use std::path::PathBuf;
use tokio::sync::mpsc;

/// What a program brings along when it opens the data folder.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// `None` takes the platform's data folder.
    pub data_dir: Option<PathBuf>,
    /// `zh` or `en`; `None` follows the environment.
    pub language: Option<String>,
    /// Where signals for the desktop program go; `None` when this process has no windows.
    pub desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
}

/// A connection to a runtime.
pub struct Door {}

/// The replies to one request, in order; ends after the last one.
pub struct Replies {
    receiver: mpsc::Receiver<Reply>,
}

impl Replies {
    /// Waits for the next reply; `None` after the last one.
    pub async fn next(&mut self) -> Option<Reply> {
        self.receiver.recv().await
    }
}

impl Door {
    /// Opens the data folder: takes its lock and becomes its runtime, or connects to whoever holds it.
    ///
    /// # Errors
    /// Storage, lock or socket trouble, as a sentence with its remedy.
    pub async fn open(_options: OpenOptions) -> Result<Door, UserError> {
        Ok(Door {})
    }

    /// Sends one request; the replies arrive as they are made.
    pub fn send(&self, _request: Request) -> Replies {
        let (_, receiver) = mpsc::channel(1);
        Replies { receiver }
    }

    /// Whether this process holds the folder's lock.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        true
    }

    /// Waits until the clients served by this process are done, then flushes and releases the folder.
    pub async fn close(self) {}
}
