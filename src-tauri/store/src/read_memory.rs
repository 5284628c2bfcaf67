//! Readings about what is remembered that no search answers: what is still to be learned, what is known about a subject,
//! and what contradicts what.

use crate::table::{learning, memory, visit};
use crate::{Learning, Store, StoreError};
use shidi_protocol::{MemoryId, MemoryRecord, MemoryScope, RunId, SessionId};

impl Store {
    /// Runs that are over and that something is still to be learned from, oldest first.
    pub fn learnings(&self, limit: u32) -> Result<Vec<Learning>, StoreError> {
        self.read(|connection| learning::waiting(connection, limit))
    }

    /// The learning that a run still waits for.
    pub fn learning(&self, run: &RunId) -> Result<Option<Learning>, StoreError> {
        self.read(|connection| learning::of_run(connection, run))
    }

    /// The records of a subject within a scope that hold, newest first.
    pub fn memories_about(
        &self,
        scope: &MemoryScope,
        subject: &str,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| memory::list::about(connection, scope, subject))
    }

    /// The memory records that a run left, oldest first.
    pub fn memories_of_run(&self, session: &SessionId, run: &RunId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| memory::list::of_run(connection, session, run))
    }

    /// The records that contradict a statement, as far as both hold; newest first.
    pub fn contradictions(&self, memory: &MemoryId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| memory::contradiction::of(connection, memory))
    }

    /// The assistant that a session was held with, unless it is the usual one.
    pub fn attribution(&self, session: &SessionId) -> Result<Option<String>, StoreError> {
        self.read(|connection| visit::attribution(connection, session))
    }
}
