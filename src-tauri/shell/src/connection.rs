//! The connection to the runtime, for everybody who sends a request; it passes requests on and decides nothing.

use crate::mood::Sensing;
use parking_lot::Mutex;
use shidi_protocol::{DesktopSignal, Request, TypedRequest, UserError};
use shidi_runtime::{Connection, Replies};
use std::time::Duration;
use tokio::time::timeout;

/// Longest time that quitting waits until everything is stored.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// The connection, until the program closes.
pub struct RuntimeConnection(Mutex<Option<Connection>>);

impl RuntimeConnection {
    #[must_use]
    pub fn new(connection: Connection) -> Self {
        Self(Mutex::new(Some(connection)))
    }

    /// Sends a request; `None` once the program is closing.
    #[must_use]
    pub fn send(&self, request: Request) -> Option<Replies> {
        self.0.lock().as_ref().map(|connection| connection.send(request))
    }

    /// The reply to a request; `None` once the program is closing, or where the request failed.
    pub async fn ask<R: TypedRequest>(&self, request: R) -> Option<R::Reply> {
        let reply = self.send(request.into())?.end().await;
        reply
            .inspect_err(|error: &UserError| tracing::debug!(%error, "A request of the desktop failed"))
            .ok()
    }

    /// Asks the runtime to pause looking, or to resume; the runtime then reports the change.
    pub fn set_sensing(&self, sensing: Sensing) {
        let signal = match sensing {
            Sensing::On => DesktopSignal::Resume,
            Sensing::Paused => DesktopSignal::Pause,
        };
        if self.send(Request::Desktop { signal }).is_none() {
            tracing::debug!("The program is closing");
        }
    }

    /// Waits until everything is stored, and ends all MCP servers.
    pub async fn close(&self) {
        let connection = self.0.lock().take();
        let Some(connection) = connection else { return };
        if timeout(CLOSE_LIMIT, connection.close()).await.is_err() {
            tracing::warn!("Closing took too long; what was acknowledged is stored all the same");
        }
        // A hanging server would outlive this program, with the processes that it started.
        shidi_runtime::kill_servers();
    }
}
