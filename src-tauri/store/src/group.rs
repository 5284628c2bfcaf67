//! One transaction for many batches, and the transactions of the index.
//!
//! A batch that contradicts the stored rows is taken back alone. Any other failure takes back the whole group,
//! because then nothing is known to be on the disk.

use crate::StoreError;
use crate::batch::{Batch, Write};
use crate::search::index::{self, IndexBacklog};
use rusqlite::Connection;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

/// The channel of the answer to a call.
pub(crate) type AnswerSender = SyncSender<Result<(), StoreError>>;

/// A batch that is to be written; without an answer it is a buffered one.
pub(crate) struct Entry {
    pub batch: Batch,
    pub answer: Option<AnswerSender>,
}

/// The outcome of a committed group.
pub(crate) struct Written {
    /// One for each entry, in order.
    pub outcomes: Vec<Result<(), StoreError>>,
    /// The failure of a buffered batch that no entry of this group was told of.
    pub untold: Option<StoreError>,
    pub rows: usize,
    pub searched_rows: usize,
    pub erases: bool,
}

/// Writes the entries in one durable transaction. `earlier` is the failure of a buffered batch before them. The
/// first entry that expects an answer is told of this failure instead of being written.
pub(crate) fn write(
    connection: &Connection,
    path: &Path,
    entries: &[Entry],
    earlier: &Option<StoreError>,
) -> Result<Written, StoreError> {
    let outcomes = Vec::with_capacity(entries.len());
    let mut written = Written {
        outcomes,
        untold: earlier.clone(),
        rows: 0,
        searched_rows: 0,
        erases: false,
    };
    let group = Group {
        connection,
        path,
        is_shared: entries.len() > 1,
    };
    group.execute("BEGIN IMMEDIATE")?;
    for entry in entries {
        let outcome = match (&entry.answer, written.untold.take()) {
            (Some(_), Some(error)) => Err(StoreError::Earlier {
                source: Arc::new(error),
            }),
            (_, untold) => {
                written.untold = untold;
                group.put(&entry.batch)
            }
        };
        match &outcome {
            Ok(()) => written.count(&entry.batch),
            Err(StoreError::Earlier { .. }) => {}
            Err(error) if error.is_final() => {
                if entry.answer.is_none() {
                    written.untold.get_or_insert_with(|| error.clone());
                }
            }
            Err(error) => {
                group.roll_back();
                return Err(error.clone());
            }
        }
        written.outcomes.push(outcome);
    }
    if written.rows > 0 {
        group.commit()?;
    } else {
        group.roll_back();
    }
    Ok(written)
}

/// Indexes the next rows. Not synced: what a power cut takes is indexed again.
pub(crate) fn index(connection: &Connection, path: &Path) -> Result<IndexBacklog, StoreError> {
    let group = Group {
        connection,
        path,
        is_shared: false,
    };
    if group.lag()? == IndexBacklog::None {
        return Ok(IndexBacklog::None);
    }
    // Not cached: this pragma takes effect when it is compiled.
    let switch = |sql| connection.execute_batch(sql).map_err(|error| group.fault(error));
    switch("PRAGMA synchronous = NORMAL")?;
    let outcome = group.advance_index();
    switch("PRAGMA synchronous = FULL")?;
    outcome
}

impl Written {
    fn count(&mut self, batch: &Batch) {
        self.rows += batch.len();
        self.searched_rows += batch.0.iter().filter(|write| write.is_searched()).count();
        self.erases |= batch.0.iter().any(Write::erases);
    }
}

struct Group<'writer> {
    connection: &'writer Connection,
    path: &'writer Path,
    /// Whether other batches must survive the failure of one.
    is_shared: bool,
}

impl Group<'_> {
    fn put(&self, batch: &Batch) -> Result<(), StoreError> {
        if !self.is_shared {
            return batch.apply(self.connection).map_err(|error| self.fault(error));
        }
        self.execute("SAVEPOINT batch")?;
        let outcome = batch.apply(self.connection).map_err(|error| self.fault(error));
        match &outcome {
            Ok(()) => {}
            Err(error) if error.is_final() => self.execute("ROLLBACK TO batch")?,
            Err(_) => return outcome,
        }
        self.execute("RELEASE batch")?;
        outcome
    }

    fn commit(&self) -> Result<(), StoreError> {
        let outcome = self.execute("COMMIT");
        if outcome.is_err() {
            self.roll_back();
        }
        outcome
    }

    fn advance_index(&self) -> Result<IndexBacklog, StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        if let Err(error) = index::advance(self.connection) {
            self.roll_back();
            return Err(self.fault(error));
        }
        self.commit()?;
        self.lag()
    }

    fn lag(&self) -> Result<IndexBacklog, StoreError> {
        index::lag(self.connection).map_err(|error| self.fault(error))
    }

    /// SQLite itself takes a transaction back after some failures.
    fn roll_back(&self) {
        if !self.connection.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            tracing::error!(%error, "a failed transaction can't be taken back");
        }
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        let run = || self.connection.prepare_cached(sql)?.raw_execute();
        run().map(|_| ()).map_err(|error| self.fault(error))
    }

    fn fault(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of_sqlite(error, self.path)
    }
}
