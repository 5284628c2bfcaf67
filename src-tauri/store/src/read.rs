//! Readings that join several tables, and how any table is read. Each reading sees one state of the database: written
//! batches, and no buffered one. The readings of one table stand in its file.

use crate::recall::{self, QueryVector};
use crate::search::index;
use crate::search::{self, Hit, HitSource, SearchScope};
use crate::table::{call, run_state, segment, session, variable};
use crate::writer::Job;
use crate::{Integrity, RunState, Store, StoreError, Variable, recovery};
use rusqlite::Connection;
use serde_json::Value;
use shidi_protocol::{
    JsonMap, MemoryHit, MemoryQuery, RunSummary, SessionDetail, SessionId, SessionSummary, withdrawn,
};
use std::time::Duration;

/// Rows that are usually indexed in a moment, and how long a search waits for them on a busy machine. What was just
/// written is often looked for next, so it is worth the wait. The index as a whole is not.
const FEW_ROWS: i64 = 512;
const FEW_ROWS_WAIT: Duration = Duration::from_secs(3);

impl Store {
    /// A whole session, every version of it: enough to draw it again. Variables are those of the version that is shown; one
    /// that has no JSON form stands there as its text.
    pub fn session_detail(&self, session: &SessionId) -> Result<Option<SessionDetail>, StoreError> {
        self.read(|connection| {
            let Some(summary) = session::summary(connection, session)? else {
                return Ok(None);
            };
            let runs = run_state::of_session(connection, session)?;
            let head = session::head(connection, session)?;
            let variables = variable::after(connection, session, head.as_ref())?;
            let runs: Vec<RunSummary> = runs.iter().map(RunState::summary).collect();
            let segments = segment::of_session(connection, session)?;
            Ok(Some(SessionDetail {
                events: Vec::new(),
                summary,
                withdrawn: withdrawn(&segments, &runs),
                segments,
                calls: call::of_session(connection, session)?,
                runs,
                variables: variables.into_iter().map(shown).collect::<JsonMap>(),
            }))
        })
    }

    /// The hits for `text`, best first. Sees everything that is committed.
    pub fn search(&self, text: &str, scope: &SearchScope, limit: u32) -> Result<Vec<Hit>, StoreError> {
        self.catch_up()?;
        self.read(|connection| search::search(connection, &self.inner.common, text, scope, limit))
    }

    /// What is remembered or was said and fits a query best, best first, with what each score is made of. Sees everything
    /// that is committed.
    pub fn recall(&self, query: &MemoryQuery) -> Result<Vec<MemoryHit>, StoreError> {
        self.recall_near(query, None)
    }

    /// The same, and by meaning: what is near the question as an embedding model sees it.
    pub fn recall_near(
        &self,
        query: &MemoryQuery,
        near: Option<&QueryVector>,
    ) -> Result<Vec<MemoryHit>, StoreError> {
        self.catch_up()?;
        self.read(|connection| recall::recall(connection, &self.inner.common, query, near))
    }

    /// Waits until the committed rows are indexed. A few rows behind short work are waited for longer. While the whole index
    /// is made anew, or the writer is at long work, the wait is short.
    fn catch_up(&self) -> Result<(), StoreError> {
        let behind = self.read(index::rows_behind)?;
        if behind == 0 {
            return Ok(());
        }
        let most = match behind <= FEW_ROWS {
            true => self.inner.index_most.max(FEW_ROWS_WAIT),
            false => self.inner.index_most,
        };
        if let Err(error) = self.inner.ask_for(most, |answer| Job::Index { answer }) {
            tracing::warn!(%error, "searching what is indexed so far");
        }
        Ok(())
    }

    /// Sessions in which `text` fits best, best first, each with its best excerpt.
    pub fn search_sessions(&self, text: &str, limit: u32) -> Result<Vec<SessionSummary>, StoreError> {
        let hits = self.search(text, &SearchScope::Sessions, search::HITS_MOST)?;
        self.read(|connection| {
            let mut found: Vec<SessionSummary> = Vec::new();
            for hit in hits {
                let HitSource::Segment { session, .. } = hit.source else {
                    continue;
                };
                let is_new = found.iter().all(|summary| summary.id != session);
                if is_new && let Some(mut summary) = session::summary(connection, &session)? {
                    summary.excerpt = Some(hit.excerpt);
                    found.push(summary);
                }
                if found.len() >= limit as usize {
                    break;
                }
            }
            // A title that the user gave stands in no segment.
            for summary in session::titled(connection, text, limit)? {
                let is_new = found.iter().all(|other| other.id != summary.id);
                if is_new && found.len() < limit as usize {
                    found.push(summary);
                }
            }
            Ok(found)
        })
    }

    /// Looks for damage, for no longer than `most`.
    pub fn check(&self, most: Duration) -> Result<Integrity, StoreError> {
        let mut found = Ok(Integrity::Unfinished);
        self.read(|connection| {
            found = recovery::check(connection, self.path(), most);
            Ok(())
        })?;
        found
    }

    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.inner.readers.read(work)
    }
}

/// The value, or the text of what has no JSON form.
fn shown(variable: Variable) -> (String, Value) {
    (
        variable.name,
        variable.value.unwrap_or(Value::String(variable.text)),
    )
}
