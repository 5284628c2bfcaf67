//! The data folder, opened for as long as requests are at work: one connection for all that are at work at once.
//!
//! An editor keeps its agent for days. If it kept the folder, no desktop program could start.

use shidi_protocol::UserError;
use shidi_runtime::{Connection, OpenOptions};
use std::sync::Arc;
use tokio::sync::Mutex;

/// Lends the connection to requests.
pub struct Lender {
    options: OpenOptions,
    lent: Mutex<Lent>,
}

#[derive(Default)]
struct Lent {
    connection: Option<Arc<Connection>>,
    borrowers: usize,
}

impl Lender {
    #[must_use]
    pub fn new(options: OpenOptions) -> Self {
        Self {
            options,
            lent: Mutex::default(),
        }
    }

    /// The connection, opened where no other request has it. Whoever got it calls [`Lender::returned`].
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub async fn borrow(&self) -> Result<Arc<Connection>, UserError> {
        let mut lent = self.lent.lock().await;
        let connection = match &lent.connection {
            Some(connection) => Arc::clone(connection),
            None => {
                let opened = Arc::new(Connection::open(self.options.clone()).await?);
                lent.connection = Some(Arc::clone(&opened));
                opened
            }
        };
        lent.borrowers += 1;
        Ok(connection)
    }

    /// Takes the connection back, and closes it where nobody else has it. Whoever borrows meanwhile waits for the close: a
    /// folder that is being closed would break off.
    pub async fn returned(&self, connection: Arc<Connection>) {
        let mut lent = self.lent.lock().await;
        drop(connection);
        lent.borrowers -= 1;
        if lent.borrowers == 0
            && let Some(connection) = lent.connection.take().and_then(Arc::into_inner)
        {
            connection.close().await;
        }
    }
}
