//! The one record of the truth: sessions, segments, calls and the state of each run, in one SQLite database.
//!
//! [`Store::commit`] returns when its [`Batch`] and everything before it are on the disk. [`Store::buffer`] returns at
//! once, and its batch is written with the next commit or a moment later. Reading sees the written rows. One thread
//! writes (`writer.rs`), many batches in one transaction (`group.rs`); a few connections read (`readers.rs`). Each
//! table is one file under `table/`; `search` finds words in what was said.
//!
//! The store decides nothing. The store knows neither the meaning of a run's state, nor the records worth remembering,
//! nor a rule's matches. The store reads no clock but for its own delays, and starts no runtime. Calls block, and an
//! asynchronous caller moves them to a blocking thread.

mod address;
mod batch;
mod column;
mod connection;
mod erasing;
mod error;
mod evicting;
mod explain;
mod files;
mod group;
mod lock;
mod open;
mod read;
mod readers;
mod recall;
mod recovery;
mod rescue;
mod schema;
mod search;
mod statement;
mod table;
mod writer;

pub use address::canonical;
pub use batch::{Batch, Write};
pub use connection::TEXT_MOST_BYTES;
pub use error::StoreError;
pub use evicting::{MemoryLimits, MemoryUse};
pub use lock::is_free;
pub use open::OpenOptions;
pub use recall::{QueryVector, RECALL_MOST, listed};
pub use recovery::{Integrity, set_aside};
pub use rescue::{Rescued, rescue};
pub use search::excerpt::Excerpt;
pub use search::find_in;
pub use search::passages::Breadth;
pub use search::query::{holds_more_than_a_word, question_terms};
pub use search::terms::{asked_terms, terms};
pub use search::words::is_stopword;
pub use search::{HITS_MOST, Hit, HitSource, SearchScope};
pub use table::blob::{BlobFile, BlobKept, BlobPurpose, BlobReference, BlobWrite, TAKEN_OVER};
pub use table::change::{ChangeRow, ChangeWrite};
pub use table::dashboard::{CountedRun, CountedStep, StepAttributes};
pub use table::experience::link::ExperienceLink;
pub use table::experience::list::ExperienceFilter;
pub use table::experience::{ExperienceKeys, ExperienceWrite};
pub use table::form_use::{FormAnswer, FormWrite, KeptFormUse};
pub use table::guess::{GuessAnswer, GuessWrite};
pub use table::knowledge::piece::{KnownPiece, SeenPiece};
pub use table::knowledge::{Base, KnowledgeWrite};
pub use table::learning::{Learning, LearningStep};
pub use table::memory::MemoryWrite;
pub use table::memory::erase::MemoryGroup;
pub use table::memory::list::{Ended, MemoryFilter};
pub use table::partial_answer::PartialAnswer;
pub use table::prompt_part::ForgottenParts;
pub use table::result::ToolResult;
pub use table::rule::Rule;
pub use table::run_state::RunState;
pub use table::schedule::{ScheduleRow, ScheduleRunRow, ScheduleWrite};
pub use table::session::{HeadMove, Session};
pub use table::span::{Measured, Step, StepPage, StepText};
pub use table::switch::SwitchedOff;
pub use table::variable::{Variable, VariableRow};
pub use table::vector::{Embedded, Unembedded};
pub use table::visit::Visit;
pub use table::workflow::{WorkflowProgram, WorkflowRow, WorkflowState, WorkflowStepRow, WorkflowWrite};

use group::AnswerSender;
use readers::Readers;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use writer::{Job, Writer, WriterStatus};

/// How often a caller who waits for a moment looks whether the wait is worth it.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A handle to the open store; clones share it. When the last one is dropped, what is buffered is written, and
/// the database is closed.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    readers: Readers,
    common: search::query::Common,
    gauge: Arc<WriterStatus>,
    /// Longest time that a search waits for an index that is far behind.
    index_most: Duration,
    /// Taken when the store is dropped, which ends the writer.
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the database at `path`; makes it, its folder and newer tables where they are missing.
    ///
    /// Fails with [`StoreError::Locked`] while another store has it open, and with [`StoreError::Newer`] if a newer
    /// version wrote it. Fails with [`StoreError::Damaged`] if it is no sound database (see [`set_aside`]). Fails with
    /// [`StoreError::ReadOnly`] or [`StoreError::Full`] if nothing can be written there.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self, StoreError> {
        Self::begin(path, open::open(path, &options)?, &options)
    }

    /// Makes a store in this process's memory, and nothing of it is ever in a file. The store is gone when its last
    /// handle is dropped or the process ends, however that ends.
    pub fn in_memory(options: OpenOptions) -> Result<Self, StoreError> {
        let name = open::name_in_memory();
        Self::begin(&name, open::open_in_memory(&name, &options)?, &options)
    }

    fn begin(path: &Path, opened: open::Opened, options: &OpenOptions) -> Result<Self, StoreError> {
        let gauge = Arc::new(WriterStatus::default());
        let (jobs, queue) = sync_channel(writer::QUEUE_MOST);
        let writer = Writer::new(
            opened.connection,
            opened.lock,
            path,
            queue,
            Arc::clone(&gauge),
            options.buffer_most,
        );
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.run())
            .map_err(|error| StoreError::of_files(error, path))?;
        let readers = Readers::new(path);
        let inner = Inner {
            path: path.to_owned(),
            readers,
            common: search::query::Common::default(),
            gauge,
            index_most: options.index_most,
            jobs: Some(jobs),
            thread: Some(thread),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Writes a batch, whole or not at all, and returns when it and everything before it are durable.
    ///
    /// After an error nothing of the batch is stored, and the call may be repeated. [`StoreError::Earlier`] says that a
    /// batch that was buffered before is lost.
    pub fn commit(&self, batch: impl Into<Batch>) -> Result<(), StoreError> {
        let batch = batch.into();
        self.inner.ask(|answer| Job::Commit { batch, answer })
    }

    /// Hands over a batch that becomes durable with the next commit or flush, or after
    /// [`OpenOptions::buffer_most`]. A failure is told to the next commit or flush.
    ///
    /// Fails only when the disk has been taking nothing for so long that the buffer is full. Then the batch was not
    /// taken.
    pub fn buffer(&self, batch: impl Into<Batch>) -> Result<(), StoreError> {
        match self.inner.gauge.refusal() {
            Some(error) => Err(error),
            None => self.inner.send(Job::Buffer { batch: batch.into() }),
        }
    }

    /// Hands over a batch as [`Store::buffer`] does, unless its caller would have to wait: then it is not taken.
    #[must_use]
    pub fn offer(&self, batch: impl Into<Batch>) -> bool {
        self.inner.gauge.refusal().is_none() && self.inner.try_send(Job::Buffer { batch: batch.into() })
    }

    /// Returns when everything that was handed over before is durable.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.commit(Batch::default())
    }

    /// Number of durable transactions since the store was opened; many commits may share one.
    #[must_use]
    pub fn transactions(&self) -> u64 {
        self.inner.gauge.commits.load(Ordering::Relaxed)
    }

    /// Path of the database.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }
}

impl Inner {
    fn send(&self, job: Job) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(job).map_err(|_| StoreError::Closed)
    }

    /// Whether there was room for it.
    fn try_send(&self, job: Job) -> bool {
        self.jobs.as_ref().is_some_and(|jobs| jobs.try_send(job).is_ok())
    }

    /// Sends a job and waits for its answer.
    fn ask(&self, job: impl FnOnce(AnswerSender) -> Job) -> Result<(), StoreError> {
        let (answer, answered) = sync_channel(1);
        self.send(job(answer))?;
        answered.recv().map_err(|_| StoreError::Closed)?
    }

    /// The same with bounded waits. The call waits not longer than `most`, nor for work of the writer that takes longer
    /// than a moment.
    fn ask_for(&self, most: Duration, job: impl FnOnce(AnswerSender) -> Job) -> Result<(), StoreError> {
        let (answer, answered) = sync_channel(1);
        self.send(job(answer))?;
        let end = Instant::now() + most;
        loop {
            match answered.recv_timeout(LOOK_EVERY) {
                Ok(outcome) => return outcome,
                Err(RecvTimeoutError::Timeout) if self.gauge.is_long() || Instant::now() >= end => {
                    return Ok(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(StoreError::Closed),
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.readers.close();
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer ended by a panic");
        }
    }
}
