//! A few connections for reading, opened when first needed. Each reading sees one state of the database, however
//! much is written meanwhile.

use crate::StoreError;
use crate::open::open_reader;
use parking_lot::{Condvar, Mutex, MutexGuard};
use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// Connections at most: a reading takes milliseconds, and more than this many at once only share two cores.
const READERS_MOST: usize = 4;

pub(crate) struct Readers {
    path: PathBuf,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Connection>,
    /// All open connections, on loan or idle.
    open: usize,
}

impl Readers {
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            pool: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Performs a reading on one state of the database; waits while all connections are on loan.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let fault = |error| StoreError::of_sqlite(error, &self.path);
        let loan = self.borrow().map_err(fault)?;
        let Some(connection) = &loan.connection else {
            return Err(StoreError::Closed);
        };
        let transaction = connection.unchecked_transaction().map_err(fault)?;
        let answer = work(&transaction).map_err(fault)?;
        transaction.finish().map_err(fault)?;
        Ok(answer)
    }

    /// Closes what is idle, so that the writer is the last and can clean up.
    pub fn close(&self) {
        self.pool().idle.clear();
    }

    fn borrow(&self) -> rusqlite::Result<Loan<'_>> {
        let mut pool = self.pool();
        loop {
            if let Some(connection) = pool.idle.pop() {
                return Ok(Loan {
                    readers: self,
                    connection: Some(connection),
                });
            }
            if pool.open < READERS_MOST {
                pool.open += 1;
                drop(pool);
                // From here on the loan counts the connection out again, also when opening fails.
                let mut loan = Loan {
                    readers: self,
                    connection: None,
                };
                loan.connection = Some(open_reader(&self.path)?);
                return Ok(loan);
            }
            self.returned.wait(&mut pool);
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock()
    }
}

/// A connection on loan; it goes back when this is dropped, after a panic too.
struct Loan<'readers> {
    readers: &'readers Readers,
    connection: Option<Connection>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut pool = self.readers.pool();
        match self.connection.take() {
            Some(connection) => pool.idle.push(connection),
            None => pool.open -= 1,
        }
        drop(pool);
        self.readers.returned.notify_one();
    }
}
