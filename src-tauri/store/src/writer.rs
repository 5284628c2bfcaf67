//! The one thread that writes. Everything that waits in its queue goes into one durable transaction.
//!
//! Callers put batches into a bounded queue. The thread takes all of them, writes them in the order of the calls, and
//! tells each caller the outcome. Buffered batches wait for the next caller who needs durability, or for a short
//! delay. When the disk fails, nothing of the transaction is kept, and callers are told. Buffered batches stay at the
//! head of the queue until they can be written. At their bound no more are taken. A batch that can never be written
//! is left out of the transaction and told of.

use crate::StoreError;
use crate::batch::{Batch, Write};
use crate::erasing::{self, Erased, Patience};
use crate::group::{self, AnswerSender, Entry};
use crate::lock::Lock;
use crate::search::index::IndexBacklog;
use crate::table::erasure;
use crate::table::memory::MemoryWrite;
use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Calls that wait in the queue; the next caller waits until there is room.
pub(crate) const QUEUE_MOST: usize = 512;

/// Batches in one transaction: enough to share one sync among all, few enough to be told of soon.
const GROUP_MOST: usize = 256;

/// Buffered rows that are kept in memory before they are written without being asked for.
const BUFFERED_MOST_ROWS: usize = 1_024;

/// Pause before buffered batches are tried again after the disk failed.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Quiet time before what was written is indexed; a run commits several times in this time.
const INDEX_AFTER: Duration = Duration::from_millis(50);

/// Rows that may wait for the index while there is no quiet time.
const UNINDEXED_MOST_ROWS: usize = 512;

/// Pause before an erasure that could not be finished is taken up again.
const ERASE_AFTER: Duration = Duration::from_secs(10);

/// How long nobody must have written before a large file is made anew, since nobody can write meanwhile. Then how
/// long that is put off at most.
const QUIET_LEAST: Duration = Duration::from_secs(3);
const ERASE_WITHIN: Duration = Duration::from_secs(300);

/// Rows of a transaction from which on a search does not wait for it (some milliseconds).
const LONG_ROWS: usize = 64;

/// Longest sleep of the thread.
const SLEEP_MOST: Duration = Duration::from_secs(60);

/// A call to the writer.
pub(crate) enum Job {
    /// To be durable, with everything before it, before it is answered.
    Commit {
        batch: Batch,
        answer: AnswerSender,
    },
    Buffer {
        batch: Batch,
    },
    /// Everything that is committed is to be in the search index before this is answered.
    Index {
        answer: AnswerSender,
    },
}

/// The writer's status, which callers read without asking it.
#[derive(Default)]
pub(crate) struct WriterStatus {
    /// Durable transactions so far.
    pub commits: AtomicU64,
    /// Why no more buffered batches are taken.
    refusal: Mutex<Option<StoreError>>,
    /// Whether the writer is at something that takes more than a moment.
    is_long: AtomicBool,
}

impl WriterStatus {
    pub fn is_long(&self) -> bool {
        self.is_long.load(Ordering::Relaxed)
    }

    pub fn refusal(&self) -> Option<StoreError> {
        self.slot().clone()
    }

    fn slot(&self) -> MutexGuard<'_, Option<StoreError>> {
        self.refusal.lock()
    }
}

pub(crate) struct Writer {
    connection: Connection,
    path: PathBuf,
    /// Held as long as the database is open.
    lock: Option<Lock>,
    jobs: Receiver<Job>,
    gauge: Arc<WriterStatus>,
    buffer_most: Duration,
    work: Work,
}

/// The writer's backlog.
#[derive(Default)]
struct Work {
    pending: Vec<Entry>,
    /// When the pending batches are written without being asked for.
    due: Option<Instant>,
    /// Whether the last transaction failed as a whole.
    is_failing: bool,
    /// The failure of a buffered batch that nobody was told of yet.
    earlier: Option<StoreError>,
    index_answers: Vec<AnswerSender>,
    unindexed_rows: usize,
    index_due: Option<Instant>,
    erase_due: Option<Instant>,
    /// When an erasure is no longer put off, and when somebody last wrote.
    erase_latest: Option<Instant>,
    last_write: Option<Instant>,
}

impl Writer {
    pub fn new(
        connection: Connection,
        lock: Option<Lock>,
        path: &Path,
        jobs: Receiver<Job>,
        gauge: Arc<WriterStatus>,
        buffer_most: Duration,
    ) -> Self {
        Self {
            connection,
            path: path.to_owned(),
            lock,
            jobs,
            gauge,
            buffer_most,
            work: Work::default(),
        }
    }

    /// Works until all callers are gone, then writes what is left.
    pub fn run(mut self) {
        self.begin(Instant::now());
        loop {
            match self.jobs.recv_timeout(self.work.sleep(Instant::now())) {
                Ok(job) => {
                    self.take(job);
                    while self.work.pending.len() < GROUP_MOST
                        && let Ok(job) = self.jobs.try_recv()
                    {
                        self.take(job);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.work_off(Instant::now());
        }
        self.end();
    }

    /// Takes up what an earlier process could not finish.
    fn begin(&mut self, now: Instant) {
        self.work.index_due = Some(now);
        match erasure::is_due(&self.connection) {
            Ok(true) => self.work.erase_due = Some(now + ERASE_AFTER),
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "it is not known whether deleted text is still in the files")
            }
        }
    }

    fn take(&mut self, job: Job) {
        match job {
            Job::Commit { batch, answer } => self.work.pending.push(Entry {
                batch,
                answer: Some(answer),
            }),
            Job::Buffer { batch } => {
                self.work.pending.push(Entry { batch, answer: None });
                self.work
                    .due
                    .get_or_insert_with(|| Instant::now() + self.buffer_most);
            }
            Job::Index { answer } => self.work.index_answers.push(answer),
        }
    }

    fn work_off(&mut self, now: Instant) {
        if self.work.must_commit(now) {
            self.commit(now);
        }
        if self.work.must_erase(now) {
            self.erase(Patience::Quiet);
        }
        if self.work.must_index(now) {
            self.index();
        }
    }

    /// Writes everything that is pending in one transaction and answers.
    fn commit(&mut self, now: Instant) {
        let is_long = self.work.is_long();
        let entries = std::mem::take(&mut self.work.pending);
        self.work.due = None;
        self.work.last_write = Some(now);
        self.gauge.is_long.store(is_long, Ordering::Relaxed);
        let outcome = group::write(&self.connection, &self.path, &entries, &self.work.earlier);
        self.gauge.is_long.store(false, Ordering::Relaxed);
        match outcome {
            Ok(written) => {
                if written.rows > 0 {
                    self.gauge.commits.fetch_add(1, Ordering::Relaxed);
                }
                self.work.is_failing = false;
                self.work.earlier = written.untold;
                *self.gauge.slot() = None;
                if written.erases {
                    self.erase(Patience::CallerWaits);
                }
                if written.searched_rows > 0 {
                    self.work.unindexed_rows += written.searched_rows;
                    self.work.index_due = Some(now + INDEX_AFTER);
                }
                for (entry, outcome) in entries.into_iter().zip(written.outcomes) {
                    if let Some(answer) = entry.answer {
                        tell(&answer, outcome);
                    }
                }
            }
            Err(error) => {
                self.work.is_failing = true;
                self.keep_buffered(entries, error);
            }
        }
    }

    /// Tells callers of a failure that is not their batch's fault, and keeps what nobody waits for.
    fn keep_buffered(&mut self, entries: Vec<Entry>, error: StoreError) {
        for entry in entries {
            match entry.answer {
                Some(answer) => tell(&answer, Err(error.clone())),
                None => self.work.pending.push(entry),
            }
        }
        if self.work.pending.is_empty() {
            return;
        }
        tracing::warn!(%error, batches = self.work.pending.len(), "buffered batches wait for the disk");
        // From now on. The wait for another's lock took longer than the pause, and one batch would be taken for each.
        self.work.due = Some(Instant::now() + RETRY_AFTER);
        if self.work.pending_rows() >= BUFFERED_MOST_ROWS {
            *self.gauge.slot() = Some(error);
        }
    }

    /// Takes what was deleted out of the files; what can't be done now is tried again later.
    fn erase(&mut self, patience: Patience) {
        self.gauge.is_long.store(true, Ordering::Relaxed);
        let erased = erasing::erase(&self.connection, &self.path, patience);
        self.gauge.is_long.store(false, Ordering::Relaxed);
        let now = Instant::now();
        self.work.erase_due = match erased {
            Ok(Erased::Whole) => None,
            Ok(Erased::Partly) => Some(now + ERASE_AFTER),
            Err(error) => {
                tracing::warn!(%error, "deleted text may still be in the files of the store");
                Some(now + SLEEP_MOST)
            }
        };
        self.work.erase_latest = self.work.erase_due.map(|due| due + ERASE_WITHIN);
    }

    /// Indexes a slice; the next one comes when the queue was looked at again.
    fn index(&mut self) {
        let outcome = match group::index(&self.connection, &self.path) {
            Ok(IndexBacklog::Some) => {
                self.work.index_due = Some(Instant::now());
                return;
            }
            Ok(IndexBacklog::None) => {
                self.work.index_due = None;
                Ok(())
            }
            Err(error) => {
                tracing::warn!(%error, "the search index is behind");
                self.work.index_due = Some(Instant::now() + RETRY_AFTER);
                Err(error)
            }
        };
        self.work.unindexed_rows = 0;
        for answer in self.work.index_answers.drain(..) {
            tell(&answer, outcome.clone());
        }
    }

    fn end(mut self) {
        let now = Instant::now();
        if !self.work.pending.is_empty() {
            self.commit(now);
        }
        if !self.work.pending.is_empty() {
            tracing::error!(
                batches = self.work.pending.len(),
                "buffered batches were lost: the disk takes no writes"
            );
        }
        if let Some(error) = self.work.earlier.take() {
            tracing::error!(%error, "a buffered batch was lost");
        }
        if self.work.erase_due.is_some() {
            self.erase(Patience::Quiet);
        }
        if let Err((_, error)) = self.connection.close() {
            tracing::warn!(%error, "the database was not closed properly; its log is written back at the next start");
        }
        drop(self.lock);
    }
}

impl Work {
    fn must_commit(&self, now: Instant) -> bool {
        self.pending.iter().any(|entry| entry.answer.is_some())
            || self.due.is_some_and(|due| due <= now)
            || (!self.is_failing && self.pending_rows() >= BUFFERED_MOST_ROWS)
    }

    fn must_index(&self, now: Instant) -> bool {
        !self.index_answers.is_empty()
            || self.unindexed_rows >= UNINDEXED_MOST_ROWS
            || self.index_due.is_some_and(|due| due <= now)
    }

    /// Puts a due erasure off while somebody writes, but not for ever.
    fn must_erase(&mut self, now: Instant) -> bool {
        let Some(due) = self.erase_due.filter(|due| *due <= now) else {
            return false;
        };
        let latest = *self.erase_latest.get_or_insert(due + ERASE_WITHIN);
        let quiet_from = self.last_write.map_or(now, |last| last + QUIET_LEAST).min(latest);
        if quiet_from > now {
            self.erase_due = Some(quiet_from);
        }
        quiet_from <= now
    }

    /// Whether what is pending takes more than a moment.
    fn is_long(&self) -> bool {
        let mut writes = self.pending.iter().flat_map(|entry| &entry.batch.0);
        self.pending_rows() >= LONG_ROWS
            || writes.any(|write| matches!(write, Write::Memory(MemoryWrite::Evict(_))))
    }

    fn pending_rows(&self) -> usize {
        self.pending.iter().map(|entry| entry.batch.len()).sum()
    }

    fn sleep(&self, now: Instant) -> Duration {
        if !self.index_answers.is_empty() {
            return Duration::ZERO;
        }
        let due = [self.due, self.index_due, self.erase_due]
            .into_iter()
            .flatten()
            .min();
        due.map_or(SLEEP_MOST, |due| {
            due.saturating_duration_since(now).min(SLEEP_MOST)
        })
    }
}

/// A caller that is gone needs no answer.
fn tell(answer: &AnswerSender, outcome: Result<(), StoreError>) {
    if answer.send(outcome).is_err() {
        tracing::debug!("a caller did not wait for its answer");
    }
}

#[cfg(test)]
mod tests;
