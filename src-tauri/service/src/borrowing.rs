//! The data folder, opened for as long as requests are at work. All requests that are at work at once share one
//! connection.
//!
//! A server lives as long as its client does, and an editor keeps its agent: for days. If it kept the folder, no desktop program could start.

use shidi_protocol::UserError;
use shidi_runtime::{Connection, OpenOptions};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

/// Lends the connection to calls.
#[derive(Clone)]
pub struct Lender {
    options: OpenOptions,
    place: Arc<RwLock<Option<Connection>>>,
    /// Held by the call that opens.
    opening: Arc<Mutex<()>>,
    closing: TaskTracker,
}

/// The connection as one call has it; dropping it gives it back.
pub struct Borrowed {
    // Before `returning`: the last one to return must find nobody else.
    connection: OwnedRwLockReadGuard<Option<Connection>, Connection>,
    _returning: Returning,
}

/// Closes the connection where nobody has borrowed it.
struct Returning {
    place: Arc<RwLock<Option<Connection>>>,
    closing: TaskTracker,
}

impl Lender {
    pub fn new(options: OpenOptions) -> Self {
        Self {
            options,
            place: Arc::default(),
            opening: Arc::default(),
            closing: TaskTracker::new(),
        }
    }

    /// The connection, opened where no other call has it.
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub async fn borrow(&self) -> Result<Borrowed, UserError> {
        let mut lent = Arc::clone(&self.place).read_owned().await;
        loop {
            match OwnedRwLockReadGuard::try_map(lent, Option::as_ref) {
                Ok(connection) => {
                    return Ok(Borrowed {
                        connection,
                        _returning: Returning {
                            place: Arc::clone(&self.place),
                            closing: self.closing.clone(),
                        },
                    });
                }
                Err(empty) => drop(empty),
            }
            // One call opens; if two wanted to write, the second would wait for all that the first one does.
            let opening = self.opening.lock().await;
            lent = Arc::clone(&self.place).read_owned().await;
            if lent.is_none() {
                drop(lent);
                let mut place = Arc::clone(&self.place).write_owned().await;
                if place.is_none() {
                    *place = Some(Connection::open(self.options.clone()).await?);
                }
                lent = OwnedRwLockWriteGuard::downgrade(place);
            }
            drop(opening);
        }
    }

    /// Waits until no call has the folder any more, at most for `wait`, and until it is let go.
    pub async fn let_go(&self, wait: Duration) {
        let free = Arc::clone(&self.place).write_owned();
        if let Ok(mut place) = timeout(wait, free).await
            && let Some(connection) = place.take()
        {
            connection.close().await;
        }
        self.closed().await;
    }

    /// Waits until the folder is let go.
    pub async fn closed(&self) {
        self.closing.close();
        self.closing.wait().await;
    }
}

impl Deref for Borrowed {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl Drop for Returning {
    fn drop(&mut self) {
        // Whoever else has it finds it free in turn.
        let Ok(mut place) = Arc::clone(&self.place).try_write_owned() else {
            return;
        };
        if let Some(connection) = place.take() {
            self.closing.spawn(async move {
                connection.close().await;
                drop(place);
            });
        }
    }
}
